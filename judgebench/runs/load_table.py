"""A table of outputs → `Run`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from judgebench.errors import RunError
from judgebench.formats.located import Located
from judgebench.model.collected import Arm, Run
from judgebench.runs.declared import (
    arms_of,
    check_ambiguities,
    check_anchor,
    check_clusters,
    check_files,
    common_fields,
    kinds_unsaid,
    nearest,
    run_file,
)
from judgebench.runs.folders import FolderSource
from judgebench.runs.records import RECORD_FIELDS, USAGE_FIELDS
from judgebench.runs.rows import COLUMNS
from judgebench.runs.source import LoadedRun, outside_prompt
from judgebench.runs.table import TableSource, place_cells, scan, unused_columns
from judgebench.runs.tree import Tree
from judgebench.runs.wanted import Wanted, check_case, check_prompts, listed
from judgebench.text import one_line, plural

TABLES = ("outputs.jsonl", "outputs.csv")


def load_table(path: Path, table_path: Path, located: Located | None, wanted: Wanted) -> Run:
    """Read a table, with the run.yaml beside it if there is one.

    Args:
        path: Folder of items/ and of run.yaml.
        table_path: The table.
        located: run.yaml, if there is one.
        wanted: What the user asked of this load.

    Raises:
        RunError: with file, line and key.
    """
    file = run_file(located, folders=False)
    _check_columns(table_path, wanted.columns)
    table, index = scan(table_path, columns=wanted.columns)
    declared = arms_of(file)
    for key, names, found in (
        ("arm", [arm.id for arm in declared], index.arms),
        ("item", [entry.id for entry in file.items or ()], index.items),
    ):
        stray = next((n for n in found if n not in set(names)), None) if names else None
        if stray is not None:
            problem = f"has rows of the {key} {one_line(stray, 60)}, which run.yaml does not name"
            raise RunError(table_path, problem, nearest(stray, names))
    cells = place_cells(table, index)
    arms = declared or [Arm(id=name) for name in index.arms]
    check_case(table_path, [arm.id for arm in arms])
    items = tuple(entry.id for entry in file.items or ()) or tuple(index.items)
    prompt = None if wanted.prompt is None else outside_prompt(wanted.prompt)
    check_files(located, file, single=False)
    check_ambiguities(located, file, items)
    check_anchor(located, file, arms)
    check_clusters(located, file, items)
    folder = FolderSource(
        tree=Tree(path),
        single=False,
        prompts={e.id: e.prompt for e in file.items or () if e.prompt},
        references={e.id: e.reference for e in file.items or () if e.reference},
    )
    source = TableSource(
        table=table,
        index=index,
        cells=cells,
        prompt=prompt,
        folder=folder,
        not_settable={e.id: tuple(e.not_settable) for e in file.arms or () if e.not_settable},
    )
    check_prompts(table_path, wanted, items, source.has_prompt_for, by_map=True)
    notes = [f"{plural(len(index.row_offsets), 'row')} of {table_path.name}"]
    known = frozenset({*RECORD_FIELDS, *USAGE_FIELDS})
    if unused := unused_columns(index, known):
        notes.append(f"columns that are not used: {listed(unused)}")
    chosen = wanted.choose(arms, path)
    run = LoadedRun(
        **common_fields(path, file, located),
        arms=chosen,
        kinds_unsaid=kinds_unsaid(file, chosen),
        items=items,
        form="table",
        notes=tuple(notes),
        has_prompt=not wanted.no_prompt,
        left_out=wanted.leave(arms),
        source=source,
    )
    named = table_path.name in TABLES
    return run if named else replace(run, name=table_path.stem)


def _check_columns(path: Path, columns: Mapping[str, str]) -> None:
    known = sorted({*COLUMNS, *RECORD_FIELDS, *USAGE_FIELDS})
    for name in columns:
        if name not in known:
            raise RunError(path, f"--map {one_line(name, 40)} is not known", nearest(name, known))
