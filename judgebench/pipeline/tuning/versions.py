"""Versions of rubrics: a file or what the store keeps, and which passes rest on which."""

from pathlib import Path

from judgebench.errors import RubricError
from judgebench.model.rubric import Rubric
from judgebench.model.versions import RubricDiff, RubricSide, StoredUse, short_hash
from judgebench.pipeline.setting.stored_run import LOCK_WAIT_S
from judgebench.records import dataclass
from judgebench.rubrics import diff
from judgebench.rubrics.load import find_rubric, load_rubric, parse_rubric
from judgebench.runs.workspace import Workspace
from judgebench.store.store import Store
from judgebench.text import one_line, plural

LEAST_HASH = 6
_HEX = frozenset("0123456789abcdef+")


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptVersion:
    """A rubric that was scored with, as the store keeps it."""

    name: str
    version: str
    ask_sha256: str
    sum_sha256: str
    passes: int


def find_version(named: str, workspace: Workspace) -> Rubric:
    """A rubric by name, by file, or by the beginning of a hash that the store keeps.

    Args:
        named: As the user named it; of a hash at least six signs, or ask+sum.
        workspace: Where rubrics and the database stand.

    Raises:
        RubricError: Nothing, or several, are named so; or the file cannot be scored with.
    """
    folders = [workspace.rubrics] if workspace.rubrics else []
    like_hash = len(named) >= LEAST_HASH and _HEX.issuperset(named.lower())
    kept = _kept(named.lower(), workspace) if like_hash else []
    if len(kept) == 1:
        return kept[0]
    if kept:
        wanted = ", ".join(short_hash(one.ask_sha256, one.sum_sha256) for one in kept[:4])
        raise RubricError(
            one_line(named, 40), f"stands for {plural(len(kept), 'stored rubric')}",
            f"name one of: {wanted}",
        )  # fmt: skip
    return load_rubric(find_rubric(named, folders=folders))


def _kept(start: str, workspace: Workspace) -> list[Rubric]:
    if not workspace.database.is_file():
        return []
    ask, _, sums = start.partition("+")
    with _open(workspace) as store:
        found = store.records("rubrics_like", ask=ask, sum=sums)
    return [parse_rubric(row["source"], Path(f"{row['name']}.yaml")) for row in found]


def _open(workspace: Workspace) -> Store:
    return Store.open(workspace.database, create=False, read_only=True, wait_s=LOCK_WAIT_S)


def kept_versions(workspace: Workspace) -> tuple[KeptVersion, ...]:
    """Every rubric that the store keeps, by name and in the order of their hashes."""
    if not workspace.database.is_file():
        return ()
    with _open(workspace) as store:
        found = store.records("rubrics_like", ask="", sum="")
        return tuple(
            KeptVersion(
                name=row["name"], version=row["version"], ask_sha256=row["ask_sha256"],
                sum_sha256=row["sum_sha256"],
                passes=sum(
                    use["sum_sha256"] == row["sum_sha256"]
                    for use in store.records("passes_asked", ask=row["ask_sha256"])
                ),
            )
            for row in found
        )  # fmt: skip


def diff_versions(old: str, new: str, workspace: Workspace) -> RubricDiff:
    """What differs between two rubrics, and which stored passes rest on which.

    Raises:
        RubricError: One of them is not there, or cannot be scored with.
    """
    one, other = find_version(old, workspace), find_version(new, workspace)
    return RubricDiff(
        old=_side(old, one),
        new=_side(new, other),
        changes=diff.changes(one, other),
        same=diff.same_questions(one, other),
        renamed=diff.renamed(one, other),
        passes=_uses(one, other, workspace),
    )


def _side(named: str, rubric: Rubric) -> RubricSide:
    return RubricSide(
        named=named, name=rubric.name, version=rubric.version, ask_sha256=rubric.ask_sha256,
        sum_sha256=rubric.sum_sha256,
    )  # fmt: skip


def _uses(one: Rubric, other: Rubric, workspace: Workspace) -> tuple[StoredUse, ...]:
    if not workspace.database.is_file():
        return ()
    asked = {one.ask_sha256: "old"}
    asked[other.ask_sha256] = "both" if other.ask_sha256 in asked else "new"
    with _open(workspace) as store:
        return tuple(
            StoredUse(
                run=row["run"], pass_id=row["pass_id"], judge_name=row["judge_name"],
                state=row["state"], judgments=row["answered"], side=side,
            )
            for ask, side in asked.items() for row in store.records("passes_asked", ask=ask)
        )  # fmt: skip
