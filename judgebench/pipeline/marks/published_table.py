"""A published score table: read, held against its rules, told what does not add up."""

from collections import Counter
from pathlib import Path

from judgebench.errors import ImportFileError
from judgebench.model.published import Audit, Published, Slip, TableRules
from judgebench.pipeline.setting.scene import World
from judgebench.records import dataclass
from judgebench.rubrics import load as rubrics
from judgebench.rubrics import slips
from judgebench.runs.published import read_published
from judgebench.runs.published_words import Told, read_tiers
from judgebench.runs.workspace import find_workspace


@dataclass(frozen=True, kw_only=True, slots=True)
class TableChoices:
    """What the user says of the table."""

    criteria: tuple[str, ...] = ()
    tiers: str | None = None
    """``A=80,B=60,C=40,D=0``."""
    rubric: str | None = None


def read_table(path: Path, choices: TableChoices, world: World) -> Published:
    """Read a published score table by what the user says of it.

    Raises:
        ImportFileError: The file is no table of scores, or a choice cannot be read.
        RubricError: The rubric cannot be used.
    """
    where = path if path.is_absolute() else world.cwd / path
    told = Told(
        criteria=choices.criteria,
        tiers=read_tiers(choices.tiers) if choices.tiers else (),
        rules=_rules(choices.rubric, where, world) if choices.rubric else None,
    )
    return read_published(path if world.cwd == Path.cwd() else where, told)


def verify_table(path: Path, choices: TableChoices, world: World) -> Audit:
    """Look over a published score table; nothing is written.

    Raises:
        ImportFileError: The file is no table of scores, or a choice cannot be read; or
            nothing in it can be held against anything.
        RubricError: The rubric cannot be used.
    """
    found = read_table(path, choices, world)
    checked: Counter[str] = Counter()
    all_slips: list[Slip] = []
    bare: list[str] = []
    for table in found.tables:
        some, counts = slips.slips(table)
        all_slips.extend(some)
        checked.update(counts)
        if not some and not sum(counts.values()):
            bare.append(table.name)
    if len(bare) == len(found.tables):
        what = "holds nothing that can be checked: no marks that make its totals, no tiers, ranks"
        fix = "name its columns of marks with --criteria, or put a maximum in their heads"
        raise ImportFileError(path, f"{what} or deductions beside them", fix)
    return Audit(
        name=path.name,
        rows=sum(len(table.claims) for table in found.tables),
        tables=tuple(table.name for table in found.tables),
        checked=dict(checked),
        slips=tuple(all_slips),
        changed=found.changed,
        prices=tuple(price for table in found.tables for price in slips.prices(table)),
        notes=(*found.notes, *(f"nothing could be checked in table {name}" for name in bare)),
    )


def _rules(name: str, path: Path, world: World) -> TableRules:
    workspace = find_workspace(path, cwd=world.cwd)
    folders = [workspace.rubrics] if workspace.rubrics else []
    return slips.rules_of(rubrics.load_rubric(rubrics.find_rubric(name, folders=folders)))
