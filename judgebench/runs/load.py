"""A run folder, a bare folder of answers, or a table → `Run`; outputs stay on disk.

    load_run       what there is: items, arms, settings (no output is read)
    iter_outputs   every arm × item, one at a time
    read_output    one output again
    load_item      one prompt with evidence and reference
    content_sha256 one hash over all that counts

A fault in run.yaml, an item or the table is a `RunError`; a fault in one output
or its record stands in that output and blocks it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from judgebench.errors import RunError
from judgebench.formats.located import Located
from judgebench.model.collected import Arm, Item, Locator, Output, Run
from judgebench.runs.declared import (
    RUN_FILE,
    arms_of,
    check_ambiguities,
    check_anchor,
    check_clusters,
    check_files,
    check_folders,
    common_fields,
    kinds_unsaid,
    read_run_file,
    run_file,
)
from judgebench.runs.folders import OUTPUT_NAMES, PROJECT, FolderSource, bare_candidates, natural
from judgebench.runs.laid_out import arm_items, grid_note, laid_out
from judgebench.runs.load_table import TABLES, load_table
from judgebench.runs.pack import chars_of
from judgebench.runs.schema import RunFile
from judgebench.runs.source import SINGLE_ITEM, LoadedRun
from judgebench.runs.tree import PathFault, Tree
from judgebench.runs.wanted import Wanted, check_found, check_prompts, listed
from judgebench.runs.workspace import RESERVED
from judgebench.text import digest, has_visible, one_line

KNOWN_FOLDERS = ("evidence", "judgments", "recorded", "reports", "rubrics")
"""Folders of a bare run that are no answers and need no word."""
_LOOK_BELOW = 3
_LOOK_MOST = 100
TABLE_SUFFIXES = {".jsonl", ".ndjson", ".csv"}


def load_run(
    path: Path,
    *,
    arms: Sequence[str] = (),
    prompt: Path | None = None,
    no_prompt: bool = False,
    columns: Mapping[str, str] | None = None,
) -> Run:
    """Find out what a run holds, without reading any output's text.

    Args:
        path: A run folder, a bare folder of answers, or a .jsonl or .csv table.
        arms: The arms wanted; all where empty. In a bare folder these may be file names.
        prompt: A file with the prompt, where the run brings none.
        no_prompt: Judge without a prompt, which the marks then say.
        columns: Our column name → the table's, where they differ.

    Raises:
        RunError: with file, line and key.
    """
    if not path.exists():
        raise RunError(path, "does not exist", "name a run folder or a table of outputs")
    wanted = Wanted(arms=tuple(arms), prompt=prompt, no_prompt=no_prompt, columns=columns or {})
    if path.is_file():
        if path.suffix.lower() not in TABLE_SUFFIXES:
            raise RunError(path, "is a file", "name a run folder, or a .jsonl or .csv table")
        # A run's own table named by its file is that run, with its run.yaml.
        beside = read_run_file(path.parent) if path.name in TABLES else None
        return load_table(path.parent, path, beside, wanted)
    located = read_run_file(path)
    _refuse_arm(path, located)
    tables = [path / name for name in TABLES if _is_table(Tree(path), name)]
    if len(tables) > 1:
        raise RunError(path, "holds outputs.jsonl and outputs.csv", "keep one of the two")
    if wanted.columns and not tables:
        raise RunError(path, "holds no table, so --map has nothing to name", "leave --map out")
    if tables:
        return load_table(path, tables[0], located, wanted)
    try:
        if located is None and (bare := _bare(path, wanted)):
            return bare
        return _load_folders(path, located, wanted)
    except RunError:
        below = _runs_below(path) if located is None else []
        if not below:
            raise
        raise RunError(
            path, "is no run", f"name one below it: {listed(below, 4, width=200)}"
        ) from None


def _refuse_arm(path: Path, located: Located | None) -> None:
    """Refuse an arm of a run as a run, in which its items would be arms."""
    if located is None and (items := arm_items(path)):
        raise RunError(
            path,
            f"is an arm, with its answers to items ({listed(items, 3)})",
            f"name the run around it: {path.parent}",
        )


def _runs_below(path: Path) -> list[str]:
    """Runs that stand up to three folders below a folder that is none."""
    found: list[str] = []
    for depth in range(1, _LOOK_BELOW + 1):
        pattern = "/".join("*" * depth)
        for name in (RUN_FILE, *TABLES):
            places = islice(path.glob(f"{pattern}/{name}"), _LOOK_MOST)
            found += [str(one.parent) for one in places if "/." not in one.as_posix()]
        if found:
            break
    return sorted(dict.fromkeys(found))


def _is_table(tree: Tree, name: str) -> bool:
    try:
        return tree.kind(name) == "file"
    except PathFault as exc:
        raise RunError(tree.root / name, str(exc), "put a plain file in its place") from None


def iter_outputs(run: Run) -> Iterator[Output]:
    """Every declared arm × item, item by item, read one at a time."""
    return _loaded(run).source.outputs(run)


def read_output(run: Run, *, arm: str, item: str, locator: Locator) -> Output:
    """Read one output again."""
    return _loaded(run).source.output(run, arm=arm, item=item, locator=locator)


def load_item(run: Run, item_id: str) -> Item:
    """Read one item's prompt, evidence and reference.

    Raises:
        RunError: the prompt is missing, empty or no text.
    """
    item = _loaded(run).source.item(run, item_id)
    if run.has_prompt and not has_visible(item.prompt):
        raise RunError(
            run.path,
            f"item {one_line(item_id, 60)} has an empty prompt",
            "write the prompt that every arm was sent, or give --no-prompt",
        )
    return item


def content_sha256(run: Run) -> str:
    """Hash run.yaml, items, outputs, records and what was chosen of them."""
    chosen = [[arm.id for arm in run.arms], run.has_prompt, run.form]
    return digest([chosen, sorted(_loaded(run).source.content(run))])


def _loaded(run: Run) -> LoadedRun:
    if isinstance(run, LoadedRun):
        return run
    raise ValueError("a run must come from load_run")


def _load_folders(path: Path, located: Located | None, wanted: Wanted) -> Run:
    file = run_file(located, folders=True)
    tree = Tree(path)
    folders = _folders(tree)
    notes: list[str] = []
    items = [entry.id for entry in file.items or ()] or _found_items(tree)
    arms = arms_of(file)
    if file.arms is None:
        arms = [Arm(id=name) for name in folders if _holds_outputs(tree, name, items)]
        notes.append(f"arms found from the folders: {listed([arm.id for arm in arms])}")
        check_found(path, [arm.id for arm in arms])
    else:
        extra = [n for n in folders if n not in {a.id for a in arms} and n not in RESERVED]
        if extra:
            notes.append(f"no arms of run.yaml, left out: {listed(extra)}")
        unused = [name for name in extra if _holds_outputs(tree, name, items)]
        check_folders(located, file, folders, unused)
    if file.items is None:
        check_found(path, items)
        notes.append(f"items found from the folders: {listed(items or [SINGLE_ITEM], most=2)}")
    elif extra := [name for name in _found_items(tree) if name not in set(items)]:
        notes.append(f"no items of run.yaml, left out: {listed(extra)}")
    if not arms:
        raise RunError(path, "holds no arms", laid_out(tree, folders))
    items = items or [SINGLE_ITEM]
    source = FolderSource(
        tree=tree,
        single=len(items) == 1,
        files={e.id: e.file for e in file.arms or () if e.file},
        metas={e.id: e.meta for e in file.arms or () if e.meta},
        prompts={e.id: e.prompt for e in file.items or () if e.prompt},
        references={e.id: e.reference for e in file.items or () if e.reference},
        prompt_file=wanted.prompt,
        not_settable={e.id: tuple(e.not_settable) for e in file.arms or ()},
        project_chars=chars_of(file.project_tokens),
    )
    check_files(located, file, single=source.single)
    check_ambiguities(located, file, items)
    check_anchor(located, file, arms)
    check_clusters(located, file, items)
    check_prompts(path, wanted, items, source.has_prompt_for, place=source.prompt_place)
    chosen = wanted.choose(arms, path)
    single = source.single and any(_lies_single(source, arm.id, items[0]) for arm in chosen)
    return LoadedRun(
        **common_fields(path, file, located),
        arms=chosen,
        kinds_unsaid=kinds_unsaid(file, chosen),
        items=tuple(items),
        form="single" if single or source.files else "items",
        notes=tuple(notes),
        has_prompt=not wanted.no_prompt,
        left_out=wanted.leave(arms),
        source=source,
    )


def _lies_single(source: FolderSource, arm: str, item: str) -> bool:
    try:
        return source.lies_single(arm, item)
    except PathFault:
        return False


def _folders(tree: Tree) -> list[str]:
    found = []
    for name in tree.names("") or []:
        try:
            folder = not name.startswith(".") and tree.kind(name) == "folder"
        except PathFault:
            # An arm that is a link out of the run stays an arm: its outputs are blocked.
            folder = True
        if folder:
            found.append(name)
    return sorted(found, key=natural)


def _found_items(tree: Tree) -> list[str]:
    try:
        names = tree.names("items") or []
        found = [n for n in names if not n.startswith(".") and tree.kind(f"items/{n}") == "folder"]
    except PathFault as exc:
        raise RunError(tree.root / "items", str(exc), "use plain folders") from None
    return sorted(found, key=natural)


def _holds_outputs(tree: Tree, name: str, items: Sequence[str]) -> bool:
    """Whether a folder looks like an arm: an output, a record, or the folder of an item."""
    if name in RESERVED:
        return False
    try:
        names = tree.names(name)
    except PathFault:
        return True
    signs = {*OUTPUT_NAMES, PROJECT, "meta.json", *items}
    return names is not None and not signs.isdisjoint(names)


def _bare(path: Path, wanted: Wanted) -> Run | None:
    """Read a folder without run.yaml in which each file is an arm's answer."""
    tree = Tree(path)
    there_all = tree.names("") or []
    folders = [n for n in there_all if _is_folder(tree, n)]
    names = [n for n in there_all if n not in folders]
    taken, skipped = bare_candidates(names)
    by_arm = _bare_arms(taken)
    for name in wanted.arms:
        # --arms decides: it may name a file that would be skipped otherwise.
        if name not in by_arm and name in names:
            by_arm = {a: f for a, f in by_arm.items() if f != name} | {name: name}
            skipped = [s for s in skipped if s != name]
    if not by_arm:
        return None
    there = [Arm(id=a) for a in sorted(by_arm, key=natural)]
    arms = wanted.choose(there, path)
    check_found(path, [arm.id for arm in arms])
    chosen = {arm.id: by_arm[arm.id] for arm in arms}
    skipped += [f for a, f in by_arm.items() if a not in chosen]
    notes = [f"taken as arms: {listed(list(chosen.values()), 40)}"]
    skipped += [f"{name}/" for name in folders if name not in KNOWN_FOLDERS]
    visible = sorted(n for n in skipped if not n.startswith("."))
    if visible:
        notes.append(f"skipped: {listed(visible, 40)}")
    if grid := grid_note(list(chosen)):
        notes.append(grid)
    source = FolderSource(tree=tree, single=True, files=chosen, prompt_file=wanted.prompt)
    check_prompts(path, wanted, [SINGLE_ITEM], source.has_prompt_for)
    notes.append("fairness settings are unknown, and the job is the prompt itself")
    return LoadedRun(
        **common_fields(path, RunFile(), None),
        arms=arms,
        kinds_unsaid=kinds_unsaid(RunFile(), arms),
        items=(SINGLE_ITEM,),
        form="bare",
        notes=tuple(notes),
        has_prompt=not wanted.no_prompt,
        left_out=wanted.leave(there),
        source=source,
    )


def _is_folder(tree: Tree, name: str) -> bool:
    try:
        return tree.kind(name) == "folder"
    except PathFault:
        return False


def _bare_arms(taken: Sequence[str]) -> dict[str, str]:
    """Arm → file: the name without its suffix, or the whole name where two would be equal."""
    stems = [Path(name).stem.casefold() for name in taken]
    return {
        name if stems.count(stem) > 1 else Path(name).stem: name
        for name, stem in zip(taken, stems, strict=True)
    }
