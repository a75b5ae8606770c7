"""Other tools' files → run folders: the table of importers.

An importer is a module with `NAME`, `collector(path)` and
`read(path, *, columns, …)`, and `FOLDERS = True` where its source may be a folder;
packages outside add theirs by the entry-point group ``judgebench.importers``.
"""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

from judgebench.errors import ImportFileError
from judgebench.model.collected import Run
from judgebench.runs.importers import generic, llm_coding, promptfoo
from judgebench.runs.load import load_run
from judgebench.runs.write import Imported, write_run
from judgebench.text import one_line, plural

GROUP = "judgebench.importers"


class Importer(Protocol):
    """What a module must have to be an importer."""

    NAME: str

    def collector(self, path: Path) -> str | None:
        """The tool with its version, for run.yaml."""
        ...

    def read(
        self, path: Path, *, columns: Mapping[str, str], repeat: int = 1
    ) -> Iterator[Imported]:
        """Every output."""
        ...


OF_MARKS = ("marks", "scores")
"""What `judge import` takes beside these: marks without outputs, which are no run folder."""

IMPORTERS: dict[str, Importer] = {one.NAME: one for one in (generic, promptfoo, llm_coding)}


def find_importer(kind: str) -> Importer:
    """The importer of this name, built in or from an installed package.

    Raises:
        ImportFileError: there is none.
    """
    if kind in IMPORTERS:
        return IMPORTERS[kind]
    outside = {entry.name: entry for entry in entry_points(group=GROUP)}
    if kind in outside:
        found: Importer = outside[kind].load()
        return found
    names = [*IMPORTERS, *outside, *OF_MARKS]
    near = difflib.get_close_matches(kind, names, n=1) or [", ".join(names)]
    raise ImportFileError(one_line(kind, 40), "is no importer", f"there is {near[0]}")


def import_run(
    kind: str,
    src: Path,
    *,
    dest: Path,
    columns: Mapping[str, str] | None = None,
    repeat: int = 1,
) -> Run:
    """Take another tool's file into a new run folder; all of it or nothing.

    Args:
        kind: Name of the importer, such as ``generic`` or ``promptfoo``.
        src: The tool's file, or its folder.
        dest: The new run folder.
        columns: Our column name → the file's, for ``generic``.
        repeat: Which repeat of a cell is taken, where the tool has several.

    Returns:
        The run as it was written, with notes on what was left out.

    Raises:
        ImportFileError: with line or key; nothing is written then.
    """
    importer = find_importer(kind)
    if not src.is_file() and not (src.is_dir() and getattr(importer, "FOLDERS", False)):
        raise ImportFileError(src, "is no file", "name the file that the tool wrote")
    rows = importer.read(src, columns=columns or {}, repeat=repeat)
    write_run(dest, rows, source=src, collector=importer.collector(src))
    missing = not any((dest / "items").glob("*/prompt.md"))
    run = load_run(dest, no_prompt=missing)
    notes = [f"{plural(len(run.items), 'item')} and {plural(len(run.arms), 'arm')} from {src.name}"]
    if missing:
        notes.append("no prompts in the file: write items/<item>/prompt.md, or use --no-prompt")
    if importer is promptfoo and (left := promptfoo.repeats_left_out(src)):
        notes.append(f"{left:,} repeats left out: repeat {repeat} of each cell was taken")
    return replace(run, notes=tuple(notes))


__all__ = ["IMPORTERS", "Imported", "Importer", "find_importer", "import_run"]
