"""Files of people's marks on record: which one is meant, what each gave, what goes with it."""

import math
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judgebench.errors import ImportFileError, RunError
from judgebench.pipeline.people.given import Given, given_of, keyed
from judgebench.records import dataclass
from judgebench.runs.importers.human_sheet import NOBODY, HumanFile
from judgebench.store.store import Store
from judgebench.text import one_line, plural

_LEAST_HASH = 6
"""Signs of a hash that name a file."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Withdrawn:
    """A file whose marks count no more."""

    name: str
    marks: int
    """What it had given."""
    stay: int
    """Of these, what another file or the page gives too."""


def find_file(store: Store, run: str, named: str) -> Mapping[str, Any]:
    """The file of marks that was taken in under this name, or whose hash begins so.

    Raises:
        RunError: None, or several, are named so.
    """
    name = one_line(Path(named).name, 100)
    found = [
        row
        for row in live_files(store, run)
        if row["name"] in {name, named}
        or (len(named) >= _LEAST_HASH and row["sha256"].startswith(named))
    ]
    if len(found) != 1:
        raise no_file(store, run, named, [row["sha256"][:12] for row in found])
    return found[0]


def no_file(store: Store, run: str, named: str, hashes: Sequence[str] = ()) -> RunError:
    """That a run has no file of this name, or with hashes, that it has several."""
    shown = one_line(named, 60)
    if hashes:
        several = f"has {plural(len(hashes), 'file')} of marks named {shown}"
        return RunError(one_line(run, 40), several, f"name one by its hash: {', '.join(hashes)}")
    names = ", ".join(one_line(row["name"], 40) for row in live_files(store, run)) or "none"
    return RunError(one_line(run, 40), f"has no file of marks {shown}", f"it has: {names}")


def live_files(store: Store, run: str) -> list[dict[str, Any]]:
    """Files whose marks count."""
    return [row for row in store.records("human_files", run=run) if row["withdrawn_at"] is None]


def given_by_file(store: Store, run: str) -> dict[str, Given]:
    """What each file gave, as far as it counts."""
    out: dict[str, Given] = {}
    for row in store.records("given_marks", run=run):
        one = given_of(row)
        out.setdefault(row["file"], {})[one.key] = one
    return out


def without(
    before: Given, by_file: Mapping[str, Given], old: Mapping[str, Any]
) -> tuple[Given, Withdrawn]:
    """All marks but those of one file; what another gives too stays.

    Args:
        before: All marks.
        by_file: What each file gave, by its hash.
        old: The file's row.

    Raises:
        ImportFileError: It is not on record what the file gave.
    """
    mine = by_file.get(old["sha256"], {})
    if not mine and old["marks"]:
        raise ImportFileError(
            one_line(old["name"], 60), "is of a version that kept no marks by file",
            "give it once more with --human, then take it back",
        )  # fmt: skip
    kept = {key: one for key, one in before.items() if key not in mine}
    for file, theirs in by_file.items():
        if file == old["sha256"]:
            continue
        for key in mine.keys() & theirs.keys():
            if key not in kept or not math.isnan(theirs[key].value):
                kept[key] = theirs[key]  # the last word of those that remain
    stay = sum(key in kept for key in mine)
    return kept, Withdrawn(name=old["name"], marks=len(mine), stay=stay)


def refuse_twice(
    source: Path,
    file: HumanFile,
    by_file: Mapping[str, Given],
    others: Sequence[Mapping[str, Any]],
) -> None:
    """Refuse marks that a file without names gave already, or that it gives once more.

    Raises:
        ImportFileError: They would count a person who is none.
    """
    new = keyed(file.given)
    for other in others:
        old = by_file.get(other["sha256"], {})
        if _unnamed(old) and not _unnamed(new) and _within(old, new):
            name = one_line(other["name"], 60)
            raise ImportFileError(
                source, f"names who gave the marks of {name}: they would count twice",
                f"add --replaces {shlex.quote(name)}",
            )  # fmt: skip
        if _unnamed(new) and not _unnamed(old) and _within(new, old):
            raise ImportFileError(
                source, f"names nobody, and its marks stand in {one_line(other['name'], 60)}",
                "leave it, or name another person in a column rater",
            )  # fmt: skip


def _unnamed(marks: Given) -> bool:
    """Whether no column said who gave them."""
    return {key.rater for key in marks} == {NOBODY}


def _within(part: Given, whole: Given) -> bool:
    """Whether each mark of a file stands in another one, whoever gave it there."""
    there = {(*key[:-1], one.value) for key, one in whole.items()}
    return all((*key[:-1], one.value) in there for key, one in part.items())
