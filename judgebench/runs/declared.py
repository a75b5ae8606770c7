"""run.yaml: what a run declares, and what pydantic cannot see of it.

Double names, folders as ids, files that are not there, names of arms and items that
the run does not have: each is a `RunError` with file, line and key.
"""

import difflib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from judgebench.errors import RunError
from judgebench.formats.check import validate
from judgebench.formats.located import MAX_BYTES, Key, Located, decode, dotted
from judgebench.formats.yaml_text import parse_yaml
from judgebench.model.collected import Ambiguity, Arm, Settings, UseCase
from judgebench.runs.schema import RunFile, check_id
from judgebench.runs.tree import PathFault, Tree
from judgebench.text import composed, one_line, same_reading

RUN_FILE = "run.yaml"


def nearest(name: str, known: Sequence[str]) -> str:
    """What to write instead of a name that is not known."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    if near:
        return f"did you mean {one_line(near[0], 60)}?"
    return f"it has {one_line(', '.join(known), 120)}"


def read_run_file(path: Path) -> Located | None:
    """What run.yaml of a folder holds; None where there is none.

    Raises:
        RunError: It is no plain file, or no YAML.
    """
    try:
        raw = Tree(path).read(RUN_FILE, limit=MAX_BYTES)
    except PathFault as exc:
        raise RunError(path / RUN_FILE, str(exc), "put a plain file in its place") from None
    except OSError as exc:
        raise RunError(path, f"cannot be opened: {exc.strerror}", "check it") from None
    if raw is None:
        return None
    text = decode(raw, path / RUN_FILE, RunError)
    return parse_yaml(text, path / RUN_FILE, RunError, keep_words=True)


def run_file(located: Located | None, *, folders: bool) -> RunFile:
    """Validate run.yaml and what pydantic cannot see: double names, folders as ids."""
    if located is None:
        return RunFile()
    file = validate(RunFile, located, RunError)
    lists = {"arms": [a.id for a in file.arms or ()], "items": [i.id for i in file.items or ()]}
    for key, ids in lists.items():
        seen: dict[str, str] = {}
        for number, name in enumerate(ids):
            first = seen.setdefault(same_reading(name), name)
            if number >= len(seen):
                how = f"differs from {first} only by {_by(first, name)}"
                how = "stands twice" if first == name else how
                raise _at(
                    located, (key, number), f"is {name}, which {how}", "give each its own name"
                )
            if folders:
                try:
                    check_id(name)
                except ValueError as exc:
                    problem, _, fix = str(exc).partition("; ")
                    raise _at(located, (key, number), problem, fix) from None
    return file


def _by(one: str, other: str) -> str:
    return "case" if one.casefold() == other.casefold() else "how its letters are encoded"


def _at(located: Located, key: Key, problem: str, fix: str) -> RunError:
    return RunError(located.path, problem, fix, line=located.line(key), key=dotted(key))


def arms_of(file: RunFile) -> list[Arm]:
    """The arms that run.yaml names, in its order."""
    return [
        Arm(
            id=entry.id,
            provider=entry.provider,
            model=entry.model,
            harness=entry.harness,
            kind=entry.kind,
            params=entry.params,
            aliases=tuple(entry.aliases),
            note=entry.note,
        )
        for entry in file.arms or ()
    ]


def kinds_unsaid(file: RunFile, arms: Sequence[Arm]) -> tuple[str, ...]:
    """Arms of which run.yaml does not say whether they are of a CLI."""
    said = {entry.id for entry in file.arms or () if "kind" in entry.model_fields_set}
    return tuple(arm.id for arm in arms if arm.id not in said)


def common_fields(path: Path, file: RunFile, located: Located | None) -> dict[str, Any]:
    """The fields of a `Run` that run.yaml gives.

    Raises:
        RunError: A file that it names is not there.
    """
    # `..` and `.` must not become the name of a report's folder.
    name = Path(os.path.abspath(path)).name or "run"  # noqa: PTH100 - links stay as they are
    for key in ("replay", "overlay"):
        if (named := getattr(file, key)) is not None:
            _check_named(Tree(path), named, key)
    case = file.use_case
    settings = file.settings
    return {
        "name": name,
        "path": path,
        "use_case": UseCase(key=name)
        if case is None
        else UseCase(key=case.key, project=case.project, job=case.job),
        "settings": Settings(**settings.model_dump()),
        "canaries": tuple(file.canaries),
        "ambiguities": tuple(
            Ambiguity(what=a.what, undefined_fields=tuple(a.undefined_fields), items=tuple(a.items))
            for a in file.ambiguities
        ),
        "replay": None if file.replay is None else path / file.replay,
        "overlay": None if file.overlay is None else path / file.overlay,
        "anchor": file.anchor,
        "clusters": {name: tuple(items) for name, items in file.clusters.items()},
        "project_tokens": file.project_tokens,
        "collected_at": file.collected_at,
        "collector": file.collector,
        "declared": located is not None,
    }


def check_anchor(located: Located | None, file: RunFile, arms: Sequence[Arm]) -> None:
    """Refuse an anchor that is no arm of the run."""
    ids = [arm.id for arm in arms]
    if located is None or file.anchor is None or file.anchor in ids:
        return
    problem = f"is {one_line(file.anchor, 60)}, which is no arm of the run"
    raise _at(located, ("anchor",), problem, nearest(file.anchor, ids))


def _check_named(tree: Tree, name: str, key: str) -> None:
    try:
        kind = tree.kind(name)
    except PathFault as exc:
        raise RunError(tree.root / name, str(exc), "put a plain file in its place") from None
    if kind != "file":
        raise RunError(tree.root / name, "is not there", f"mend {key} in run.yaml or take it out")


def check_files(located: Located | None, file: RunFile, *, single: bool) -> None:
    """Refuse outputs named as files where each arm has a folder, and a record named alone."""
    for number, entry in enumerate(file.arms or ()):
        if located is None or (entry.file is None and entry.meta is None):
            continue
        if not single or entry.file is None:
            key = ("arms", number, "file" if entry.file else "meta")
            problem = (
                "names a file in a run of several items or a table"
                if entry.file
                else "stands alone"
            )
            fix = "use folders <arm>/<item>/" if entry.file else "name the output's file too"
            raise _at(located, key, problem, fix)


def check_ambiguities(located: Located | None, file: RunFile, items: Sequence[str]) -> None:
    """Refuse an ambiguity of an item that the run does not have."""
    for number, ambiguity in enumerate(file.ambiguities):
        for place, name in enumerate(ambiguity.items):
            if located is not None and name not in items:
                key = ("ambiguities", number, "items", place)
                problem = f"is {one_line(name, 60)}, which is no item of the run"
                raise _at(located, key, problem, nearest(name, items))


def check_clusters(located: Located | None, file: RunFile, items: Sequence[str]) -> None:
    """Refuse a cluster of an item that the run does not have, or that another cluster has."""
    if located is None:
        return
    known, first, names = set(items), dict[str, str](), dict[str, str]()
    for name, members in file.clusters.items():
        if names.setdefault(composed(name), name) != name:
            problem = f"is {one_line(name, 60)}, which another cluster is called"
            raise _at(located, ("clusters", name), problem, "write its items into one list")
        for place, item in enumerate(members):
            key = ("clusters", name, place)
            shown = one_line(item, 60)
            if item not in known:
                problem = f"is {shown}, which is no item of the run"
                raise _at(located, key, problem, nearest(item, items))
            if item in first:
                other = one_line(first[item], 40)
                where = "stands there twice" if first[item] == name else f"is in {other} too"
                raise _at(located, key, f"is {shown}, which {where}", "name each item once")
            first[item] = name


def check_folders(
    located: Located | None, file: RunFile, folders: Sequence[str], unused: Sequence[str]
) -> None:
    """Refuse an arm without a folder where one of a near name holds answers of no arm.

    Args:
        located: For the line.
        file: Names the arms.
        folders: Every folder of the run.
        unused: Those that hold answers and are no arm of run.yaml.
    """
    by_fold = {name.casefold(): name for name in unused}
    for number, entry in enumerate(file.arms or ()):
        if located is None or entry.file or entry.id in folders:
            continue
        near = difflib.get_close_matches(entry.id.casefold(), list(by_fold), n=1, cutoff=0.6)
        if near:
            raise _at(
                located,
                ("arms", number),
                f"is {one_line(entry.id, 60)}, which has no folder",
                f"did you mean {one_line(by_fold[near[0]], 60)}? "
                "(an arm without any answer has an empty folder)",
            )
