"""A rubric file becomes a `Rubric`, or one line that says what is wrong where.

Two hashes are made here. *ask* covers what the judge is shown and decides
whether requests must be sent again; *sum* covers what code does with the marks
and the names, and costs nothing when it changes. Comments, the order of keys
and the layout of the file change neither.
"""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from judgebench.errors import RubricError
from judgebench.formats import Key, Located, decode, dotted, parse_yaml, validate
from judgebench.model import (
    Anchor,
    Applies,
    Cap,
    Criterion,
    Gate,
    Rubric,
    Scale,
    Tier,
)
from judgebench.rubrics.kinds import is_deductions
from judgebench.rubrics.schema import CriterionFile, RubricFile
from judgebench.text import digest, one_line, shorten

if TYPE_CHECKING:
    from judgebench.rubrics import deductions

MAX_RUBRIC_BYTES = 128 * 1024
MAX_RUBRIC_NODES = 5_000
MAX_MARKS = 1_001
MAX_POINT = 1e6
_SUFFIXES = (".yaml", ".yml")
_MARK = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)\Z")


@dataclass(frozen=True, kw_only=True)
class _Fault:
    key: Key
    problem: str
    fix: str


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


def _overlay(path: Path) -> "deductions.Overlay":
    from judgebench.rubrics import deductions  # noqa: PLC0415 - a tenth of what a table loads

    return deductions.parse_overlay(_read(path), path)


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


def parse_rubric(text: str, path: Path, *, overlay: "deductions.Overlay | None" = None) -> Rubric:
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
        from judgebench.rubrics import deductions  # noqa: PLC0415 - as above

        return deductions.build(located, text, find=_beside(path), overlay=overlay)
    if overlay:
        fix = "leave the overlay out, or name the rubric that it fills"
        raise RubricError(path, "is a rubric of marks, which has no parameters", fix)
    file = validate(RubricFile, located, RubricError)
    faults = sorted(_faults(file), key=lambda fault: located.line(fault.key))
    if faults:
        raise _error(faults[0], located)
    return _rubric(file, text, path)


def _beside(path: Path) -> "deductions.Find":
    def find(name: str) -> tuple[str, Path]:
        found = find_rubric(name, folders=[path.parent])
        return _read(found), found

    return find


def _error(fault: _Fault, located: Located) -> RubricError:
    line, key = located.line(fault.key), dotted(fault.key)
    return RubricError(located.path, fault.problem, fault.fix, line=line, key=key)


def _faults(file: RubricFile) -> Iterator[_Fault]:
    scale_faults = list(_scale_faults(file))
    yield from scale_faults
    yield from _criteria_faults(file)
    # On a broken scale every anchor and cap would be a fault of its own.
    if not scale_faults:
        yield from _anchor_faults(file)
        yield from _rule_faults(file)
        yield from _tier_faults(file)


def _scale_faults(file: RubricFile) -> Iterator[_Fault]:
    scale = file.scale
    for name, value in (("min", scale.min), ("max", scale.max)):
        if abs(value) > MAX_POINT:
            yield _Fault(
                key=("scale", name),
                problem=f"is {value:.15g}",
                fix=f"stay between -{MAX_POINT:.0f} and {MAX_POINT:.0f}",
            )
            return
    if scale.min >= scale.max:
        yield _Fault(
            key=("scale",),
            problem=f"runs from {scale.min:g} to {scale.max:g}",
            fix="write a min below max",
        )
        return
    steps = (_exact(scale.max) - _exact(scale.min)) / _exact(scale.step)
    if steps.denominator != 1:
        yield _Fault(
            key=("scale", "step"),
            problem=f"is {scale.step:g}, which does not lead from {scale.min:g} to {scale.max:g}",
            fix="write a step that divides the range",
        )
    elif steps >= MAX_MARKS:
        yield _Fault(
            key=("scale", "step"),
            problem=f"is {scale.step:g}, which makes {steps.numerator + 1} marks",
            fix=f"write a step that makes at most {MAX_MARKS}",
        )


def _exact(value: float) -> Fraction:
    """The number as it is written: 0.1 is a tenth, not the nearest double."""
    return Fraction(repr(value))


def _criteria_faults(file: RubricFile) -> Iterator[_Fault]:
    seen: dict[str, str] = {}
    for i, criterion in enumerate(file.criteria):
        folded = criterion.id.lower()
        if folded in seen:
            alike = "" if seen[folded] == criterion.id else f", too much like {seen[folded]}"
            yield _Fault(
                key=("criteria", i, "id"),
                problem=f"is {criterion.id}{alike}, which stands above already",
                fix="give every criterion an id of its own",
            )
        seen.setdefault(folded, criterion.id)
    if not any(criterion.weight > 0 for criterion in file.criteria):
        yield _Fault(
            key=("criteria",),
            problem="have no weight above 0",
            fix="give at least one criterion a weight",
        )


def _anchor_faults(file: RubricFile) -> Iterator[_Fault]:
    for i, criterion in enumerate(file.criteria):
        seen: set[float] = set()
        for written in criterion.anchors:
            key: Key = ("criteria", i, "anchors", written)
            mark = float(written) if _MARK.match(written) else None
            problem = _off_scale(mark, file)
            if problem:
                yield _Fault(key=key, problem=problem, fix=_marks_of(file))
            elif mark in seen:
                yield _Fault(
                    key=key,
                    problem="is a mark that has an anchor already",
                    fix="keep one of the two",
                )
            if mark is not None:
                seen.add(mark)


def _off_scale(mark: float | None, file: RubricFile) -> str:
    scale = file.scale
    if mark is None:
        return "is not a mark"
    if not scale.min <= mark <= scale.max:
        return f"is outside the scale from {scale.min:g} to {scale.max:g}"
    steps = (_exact(mark) - _exact(scale.min)) / _exact(scale.step)
    return (
        "" if steps.denominator == 1 else f"is between two marks of the scale, step {scale.step:g}"
    )


def _marks_of(file: RubricFile) -> str:
    scale = file.scale
    second = scale.min + scale.step
    return f"use one of its marks: {scale.min:g}, {second:g} … {scale.max:g}"


def _rule_faults(file: RubricFile) -> Iterator[_Fault]:
    for i, gate in enumerate(file.gates):
        yield from _names_criterion(file, ("gates", i, "criterion"), gate.criterion)
        yield from _lies_on_scale(file, ("gates", i, "below"), gate.below)
        yield from _lies_on_scale(file, ("gates", i, "cap"), gate.cap)
    for i, cap in enumerate(file.caps):
        yield from _names_criterion(file, ("caps", i, "criterion"), cap.criterion)
        yield from _names_criterion(file, ("caps", i, "target"), cap.target)
        yield from _lies_on_scale(file, ("caps", i, "below"), cap.below)
        yield from _lies_on_scale(file, ("caps", i, "cap"), cap.cap)


def _names_criterion(file: RubricFile, key: Key, name: str) -> Iterator[_Fault]:
    ids = [criterion.id for criterion in file.criteria]
    if name not in ids:
        near = difflib.get_close_matches(name, ids, n=1, cutoff=0.6)
        listed = shorten(", ".join(ids), 120)
        yield _Fault(
            key=key,
            problem=f'is "{one_line(name, 40)}", which is no criterion',
            fix=f"did you mean {near[0]}?" if near else f"name one of {listed}",
        )


def _lies_on_scale(file: RubricFile, key: Key, value: float) -> Iterator[_Fault]:
    scale = file.scale
    if not scale.min <= value <= scale.max:
        yield _Fault(
            key=key,
            problem=f"is {value:g}",
            fix=f"stay on the scale from {scale.min:g} to {scale.max:g}",
        )


def _tier_faults(file: RubricFile) -> Iterator[_Fault]:
    names: set[str] = set()
    for i, tier in enumerate(file.tiers):
        yield from _lies_on_scale(file, ("tiers", i, "at_least"), tier.at_least)
        if i and tier.at_least >= file.tiers[i - 1].at_least:
            yield _Fault(
                key=("tiers", i, "at_least"),
                problem=f"is {tier.at_least:g}, not below the tier above it",
                fix="list tiers from the highest down",
            )
        if tier.name in names:
            yield _Fault(
                key=("tiers", i, "name"),
                problem=f'is "{tier.name}", which stands above already',
                fix="give every tier a name of its own",
            )
        names.add(tier.name)


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
    raise RubricError(one_line(name, 80), "is no rubric that can be found", fix)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name with a NUL byte, or too long for the system
        return False
