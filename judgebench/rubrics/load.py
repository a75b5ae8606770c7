"""A rubric file becomes a `Rubric`, or one line that says what is wrong where.

Two hashes are made here. *ask* covers what the judge is shown and decides
whether requests must be sent again; *sum* covers what code does with the marks
and the names, and costs nothing when it changes. Comments, the order of keys
and the layout of the file change neither.
"""

import difflib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from judgebench.errors import RubricError
from judgebench.formats.check import validate
from judgebench.formats.located import decode
from judgebench.formats.yaml_text import parse_yaml
from judgebench.model.deductions import Tier
from judgebench.model.rubric import Anchor, Applies, Cap, Criterion, Gate, Rubric, Scale
from judgebench.rubrics.faults import refuse
from judgebench.rubrics.kinds import is_deductions
from judgebench.rubrics.mark_faults import mark_faults
from judgebench.rubrics.schema import CriterionFile, RubricFile
from judgebench.text import digest, one_line, shorten

if TYPE_CHECKING:
    from judgebench.rubrics.deductions import Find
    from judgebench.rubrics.overlay import Overlay

MAX_RUBRIC_BYTES = 128 * 1024
MAX_RUBRIC_NODES = 5_000
_SUFFIXES = (".yaml", ".yml")


def load_rubric(path: Path, *, overlay: Path | None = None) -> Rubric:
    """Read a rubric file.

    Args:
        path: The file.
        overlay: The file that fills the parameters of a rubric of deductions.

    Raises:
        RubricError: a file cannot be read or scored with.
    """
    filled = _overlay(overlay) if overlay else None
    return parse_rubric(_read(path), path, overlay=filled)


def load_fitting(path: Path, overlay: Path | None) -> Rubric:
    """As `load_rubric`, but an overlay that is written for another rubric is left out.

    Raises:
        RubricError: as `load_rubric`.
    """
    plain = load_rubric(path)
    if overlay is None or plain.deductions is None:
        return plain
    filled = _overlay(overlay)
    fits = filled.file.rubric in {plain.name, *plain.deductions.extends}
    return parse_rubric(_read(path), path, overlay=filled) if fits else plain


def _overlay(path: Path) -> "Overlay":
    from judgebench.rubrics.overlay import parse_overlay  # noqa: PLC0415 - marks need none of it

    return parse_overlay(_read(path), path)


def _read(path: Path) -> str:
    # A device or a pipe would be read without end.
    if not path.is_file():
        there = "is a folder" if path.is_dir() else "is no ordinary file"
        what = there if path.exists() else "is not there"
        raise RubricError(path, what, "name a rubric file")
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_RUBRIC_BYTES + 1)
    except OSError as exc:
        what = (exc.strerror or "unknown error").lower()
        raise RubricError(path, f"cannot be read: {what}", "make it readable") from None
    if len(raw) > MAX_RUBRIC_BYTES:
        size = f"is over {MAX_RUBRIC_BYTES // 1024} KiB"
        raise RubricError(path, size, "make it shorter; a judge reads all of it every time")
    return decode(raw, path, RubricError)


def parse_rubric(text: str, path: Path, *, overlay: "Overlay | None" = None) -> Rubric:
    """Turn the text of a rubric file into a `Rubric`.

    Args:
        text: YAML, as docs/rubrics.md describes it.
        path: The file as the user named it, for messages; a rubric that this one
            extends is looked for beside it.
        overlay: What fills the parameters of a rubric of deductions.

    Raises:
        RubricError: with line and dotted key of the first fault in the file.
    """
    located = parse_yaml(text, path, RubricError, keep_words=True, max_nodes=MAX_RUBRIC_NODES)
    if is_deductions(located):
        from judgebench.rubrics.deductions import build  # noqa: PLC0415 - as above

        return build(located, text, find=_beside(path), overlay=overlay)
    if overlay:
        fix = "leave the overlay out, or name the rubric that it fills"
        raise RubricError(path, "is a rubric of marks, which has no parameters", fix)
    file = validate(RubricFile, located, RubricError)
    refuse(located, mark_faults(file))
    return _rubric(file, text, path)


def _beside(path: Path) -> "Find":
    def find(name: str) -> tuple[str, Path]:
        found = find_rubric(name, folders=[path.parent])
        return _read(found), found

    return find


def _rubric(file: RubricFile, text: str, path: Path) -> Rubric:
    scale = Scale(low=file.scale.min + 0.0, high=file.scale.max + 0.0, step=file.scale.step)
    criteria = tuple(_criterion(one) for one in file.criteria)
    gates = tuple(Gate(criterion=g.criterion, below=g.below, cap=g.cap) for g in file.gates)
    caps = tuple(
        Cap(criterion=c.criterion, below=c.below, target=c.target, cap=c.cap) for c in file.caps
    )
    tiers = tuple(Tier(name=t.name, at_least=t.at_least) for t in file.tiers)
    return Rubric(
        name=file.name,
        version=file.version,
        scale=scale,
        criteria=criteria,
        intro=file.intro,
        gates=gates,
        caps=caps,
        tiers=tiers,
        ask_sha256=_ask(file.intro, scale, criteria),
        sum_sha256=digest(
            {
                "name": file.name,
                "version": file.version,
                "criteria": [[c.id, c.head, c.weight + 0.0] for c in criteria],
                "gates": [[g.criterion, g.below + 0.0, g.cap + 0.0] for g in gates],
                "caps": [[c.criterion, c.below + 0.0, c.target, c.cap + 0.0] for c in caps],
                "tiers": [[t.name, t.at_least + 0.0] for t in tiers],
            }
        ),
        source=text,
        path=str(path),
    )


def _ask(intro: str, scale: Scale, criteria: Sequence[Criterion]) -> str:
    return digest(
        {
            "intro": intro,
            "scale": [scale.low, scale.high, scale.step],
            "criteria": [
                {
                    "id": c.id,
                    "text": c.text,
                    "anchors": [[anchor.mark, anchor.text] for anchor in c.anchors],
                    "quotes": c.quotes,
                    "applies": c.applies.value,
                }
                for c in criteria
            ],
        }
    )


def _criterion(one: CriterionFile) -> Criterion:
    # Adding 0.0 turns -0.0 into 0.0: two spellings of one mark, one hash.
    anchors = [Anchor(mark=float(mark) + 0.0, text=text) for mark, text in one.anchors.items()]
    return Criterion(
        id=one.id,
        text=one.text,
        head=one.head or "",
        anchors=tuple(sorted(anchors, key=lambda anchor: anchor.mark)),
        weight=one.weight + 0.0,
        quotes=one.quotes,
        applies=Applies(one.applies),
    )


def packaged_rubrics() -> Path:
    """The folder of rubrics that come with the product.

    In an installed package they are its data; in a clone they stand beside it.
    """
    package = Path(str(resources.files("judgebench")))
    inside = package / "data" / "rubrics"
    return inside if inside.is_dir() else package.parent / "rubrics"


def list_rubrics(folders: Sequence[Path]) -> dict[str, Path]:
    """Rubric files by name; an earlier folder wins, the packaged ones come last."""
    found: dict[str, Path] = {}
    for folder in (*folders, packaged_rubrics()):
        for file in sorted(folder.glob("*")):
            if file.suffix in _SUFFIXES and file.is_file():
                found.setdefault(file.stem, file)
    return found


def find_rubric(name: str, *, folders: Sequence[Path]) -> Path:
    """The file of a rubric named by path, file name or bare name.

    Args:
        name: ``rubrics/mine.yaml``, ``usecase.yaml`` or ``usecase``.
        folders: Where to look, first come first served; the packaged rubrics
            are looked at last.

    Raises:
        RubricError: nothing of this name, with the names that there are.
    """
    path = Path(name)
    known = list_rubrics(folders)
    is_file_name = path.suffix in _SUFFIXES
    stem = path.stem if is_file_name else name
    # `usecase` is a name first; `usecase.yaml` is the file at hand first.
    if (path.name != name or is_file_name) and _is_file(path):
        return path
    if path.name == name and stem in known:
        return known[stem]
    if _is_file(path):
        return path
    near = difflib.get_close_matches(stem, known, n=1, cutoff=0.6)
    there = shorten(", ".join(sorted(known)), 160)
    hint = f"did you mean {near[0]}? " if near else ""
    fix = f"{hint}name a file or one of: {there}" if known else "name a file"
    raise RubricError(one_line(name, 80), "is no rubric here", fix)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name with a NUL byte, or too long for the system
        return False
