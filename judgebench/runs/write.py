"""Write run folders: what an importer or a collector has, or run.yaml over files as they lie.

Everything is written beside its place and then renamed: a fault leaves nothing
behind, and an existing run is never touched.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import Any

import yaml

from judgebench.errors import ImportFileError, RunError
from judgebench.model.collected import Evidence
from judgebench.records import dataclass
from judgebench.runs.copying import copy_project
from judgebench.runs.folders import OUTPUT_NAMES, PROJECT, bare_candidates
from judgebench.runs.schema import check_inside
from judgebench.runs.source import SINGLE_ITEM
from judgebench.runs.workspace import RESERVED
from judgebench.text import one_line, printable

MAX_SLUG = 80
SCHEMA_LINE = (
    "# `judge explain formats` explains these keys; `judge schema run` prints their JSON Schema.\n"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    """One output as another tool recorded it."""

    item: str
    arm: str
    """The tool's own name for who answered."""
    output: str | None
    """None where the tool has no answer; an empty text is an answer."""
    prompt: str = ""
    evidence: tuple[Evidence, ...] = ()
    reference: str | None = None
    record: dict[str, Any] = field(default_factory=dict)
    """In the shape of meta.json; only what the tool measured."""
    provider: str | None = None
    model: str | None = None
    harness: str | None = None
    kind: str = "api"
    """``api``, or ``cli`` for an agent or command-line tool."""
    note: str = ""
    """The condition under which the arm answered, in words."""
    project: Path | None = None
    """A project folder in place of a text; it is copied."""
    is_json: bool = False
    """The tool gave an object, not a text."""
    line: int = 0
    """Where it stands in the tool's file, for messages."""


class _Names:
    """Foreign names → folder names, each used once whatever the letter case."""

    def __init__(self) -> None:
        self.by_name: dict[str, str] = {}
        self._used: set[str] = {name.casefold() for name in RESERVED}

    def slug(self, name: str) -> str:
        if name not in self.by_name:
            base = re.sub(r"[^\w.+@=-]+", "-", name).strip("-._") or "x"
            base, number = base[:MAX_SLUG], 1
            found = base
            while found.casefold() in self._used:
                number += 1
                found = f"{base}-{number}"
            self._used.add(found.casefold())
            self.by_name[name] = found
        return self.by_name[name]


@contextmanager
def _new_folder(path: Path) -> Iterator[Path]:
    """A folder that takes its place only when all is written."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise ImportFileError(path, "exists already", "name a folder that does not exist")
    path.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    try:
        made.chmod(0o755)
        yield made
        made.rename(path)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


def write_run(
    path: Path,
    imported: Iterable[Imported],
    *,
    source: Path,
    collector: str | None = None,
    collected_at: str | None = None,
) -> None:
    """Write a run folder of item folders; all of it or nothing.

    Args:
        path: The new run folder.
        imported: Outputs in any order; the first one of an item gives its prompt.
        source: The file they come from, for messages.
        collector: The program that collected them, with its version.
        collected_at: When, as the program says.

    Raises:
        ImportFileError: `path` is taken, a cell stands twice, or there is nothing.
    """
    with _new_folder(path) as made:
        writer = _Writer(made, source)
        for one in imported:
            writer.add(one)
        if not writer.cells:
            raise ImportFileError(source, "holds no outputs", "check that it is the right file")
        head: dict[str, Any] = {"use_case": {"key": path.name}}
        if collected_at:
            head["collected_at"] = collected_at
        if collector:
            head["collector"] = collector
        head["items"] = list(writer.items.by_name.values())
        head["arms"] = [writer.arm_entry(name) for name in writer.arms.by_name]
        (made / "run.yaml").write_text(SCHEMA_LINE + yaml_text(head), encoding="utf-8")


class _Writer:
    """Puts outputs into folders and remembers what was seen."""

    def __init__(self, root: Path, source: Path) -> None:
        self.root, self.source = root, source
        self.items, self.arms = _Names(), _Names()
        self.cells: set[tuple[str, str]] = set()
        self._first: dict[str, Imported] = {}

    def add(self, one: Imported) -> None:
        new_item = one.item not in self.items.by_name
        item, arm = self.items.slug(one.item), self.arms.slug(one.arm)
        if (item, arm) in self.cells:
            raise ImportFileError(
                self.source,
                f"repeats item {one_line(one.item, 60)} of arm {one_line(one.arm, 60)}",
                "keep one output for each item and arm",
                line=one.line,
            )
        self.cells.add((item, arm))
        self._first.setdefault(one.arm, one)
        if new_item:
            self._write_item(self.root / "items" / item, one)
        folder = self.root / arm / item
        folder.mkdir(parents=True)
        if one.output is not None:
            name = "output.json" if one.is_json else "output.md"
            self._put(folder / name, one.output, one.line)
        if one.project is not None:
            copy_project(one.project, folder / PROJECT)
        if one.record:
            text = json.dumps(one.record, ensure_ascii=False, indent=1, sort_keys=True)
            self._put(folder / "meta.json", text + "\n", one.line)

    def _write_item(self, folder: Path, one: Imported) -> None:
        folder.mkdir(parents=True)
        if one.prompt:
            self._put(folder / "prompt.md", one.prompt, one.line)
        if one.reference is not None:
            self._put(folder / "reference.md", one.reference, one.line)
        names = _Names()
        for piece in one.evidence:
            name = names.slug(piece.name if "." in piece.name else f"{piece.name}.txt")
            (folder / "evidence").mkdir(exist_ok=True)
            self._put(folder / "evidence" / name, piece.text, one.line)

    def _put(self, path: Path, text: str, line: int) -> None:
        try:
            path.write_bytes(text.encode())
        except UnicodeEncodeError:
            raise ImportFileError(
                self.source,
                f"holds bytes that are no text, in {path.name} of {path.parent.name}",
                "save it as UTF-8",
                line=line,
            ) from None

    def arm_entry(self, name: str) -> dict[str, Any]:
        """The arm's entry of run.yaml; the tool's own name stays as an alias."""
        first, arm = self._first[name], self.arms.by_name[name]
        entry: dict[str, Any] = {"id": arm}
        for key in ("provider", "model", "harness"):
            value = getattr(first, key)
            if value:
                entry[key] = printable(value)
        if first.kind != "api":
            entry["kind"] = first.kind
        if first.note:
            entry["note"] = printable(first.note)
        if arm != name:
            entry["aliases"] = [printable(name)]
        return entry


class _Dumper(yaml.SafeDumper):
    """Writes what `formats.parse_yaml` reads: no aliases."""

    def ignore_aliases(self, data: object) -> bool:
        """Write every value out."""
        del data
        return True


def yaml_text(data: object) -> str:
    """What `formats.parse_yaml` reads as this."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def init_run(
    paths: Sequence[Path], dest: Path, *, prompt: Path | None = None, job: str = ""
) -> Path:
    """Write `dest`/run.yaml over answers as they lie; nothing is renamed or copied.

    Args:
        paths: Files or project folders, one an arm; a single folder stands for the
            answers in it, chosen as in a bare folder.
        dest: The folder that becomes the run; all paths lie in it.
        prompt: The prompt's file, inside `dest`; prompt.md where left out.
        job: What an answer must do.

    Returns:
        The path of run.yaml.

    Raises:
        RunError: run.yaml is there already, a path is missing or lies outside `dest`.
    """
    target = dest / "run.yaml"
    if target.exists():
        raise RunError(target, "exists already", "edit it, or choose another folder")
    files = _answers(paths, dest)
    names = _Names()
    arms = []
    for path in files:
        stem = path.stem if path.is_file() else path.name
        if path.name in OUTPUT_NAMES and path.parent != dest:
            stem = path.parent.name
        arms.append({"id": _own(names, stem), "file": _inside(path, dest)})
    if not arms:
        raise RunError(dest, "holds no answers", "name the files with the answers")
    item: dict[str, Any] = {"id": SINGLE_ITEM}
    if prompt is not None:
        item["prompt"] = _inside(_prompt(prompt, dest), dest)
    use_case = {"key": dest.absolute().name or "run"} | ({"job": job} if job else {})
    text = SCHEMA_LINE + yaml_text({"use_case": use_case, "items": [item], "arms": arms})
    return put_run_file(target, text)


def put_run_file(target: Path, text: str) -> Path:
    """Write run.yaml whole, or not at all."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=target.parent, prefix=".run-", delete=False
    ) as file:
        file.write(text)
    made = Path(file.name)
    made.chmod(0o644)
    made.rename(target)
    return target


def _own(names: _Names, stem: str) -> str:
    """A folder-safe name that no other arm has."""
    number, found = 1, stem
    while found in names.by_name:
        number += 1
        found = f"{stem} {number}"
    return names.slug(found)


def _prompt(given: Path, dest: Path) -> Path:
    """The prompt's file, named from here or from the folder that it lies in."""
    for path in (given, dest / given):
        if path.is_file():
            return path
    raise RunError(given, "is no file", f"name the prompt's file in {dest}")


def _answers(paths: Sequence[Path], dest: Path) -> list[Path]:
    for path in paths:
        if not path.exists():
            raise RunError(path, "does not exist", "name files or folders with answers")
    if len(paths) == 1 and paths[0].is_dir():
        folder = paths[0]
        taken, _ = bare_candidates(sorted(p.name for p in folder.iterdir() if p.is_file()))
        if not taken and folder.absolute() == dest.absolute():
            raise RunError(
                folder,
                "holds no answer but in folders",
                f"lay items out as ARM/ITEM/output.md, or name arms: --from {folder / 'ARM'}",
            )
        return [folder / name for name in taken] or list(paths)
    return list(paths)


def _inside(path: Path, dest: Path) -> str:
    """Path from `dest`, as run.yaml wants it."""
    if not path.absolute().is_relative_to(dest.absolute()):
        raise RunError(path, f"is not inside {dest}", "choose a folder that holds all answers")
    try:
        return check_inside(path.absolute().relative_to(dest.absolute()).as_posix())
    except ValueError:
        raise RunError(path, "has a name that run.yaml cannot hold", "rename it") from None
