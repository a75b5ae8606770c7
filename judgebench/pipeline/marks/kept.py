"""Marks that somebody else made, kept as a run of their own: what the store holds of them.

Models become one pass each; people, and objective labels, one pass together, in
which a person is a repeat.
"""

import json
import shlex
from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path

import numpy as np

from judgebench.errors import ImportFileError
from judgebench.model.clusters import Clusters
from judgebench.model.collected import Arm, Settings, UseCase
from judgebench.model.nouns import Blinding, Judge, Mode, Pass
from judgebench.model.rubric import Rubric
from judgebench.pipeline.audits.retotal import retotal
from judgebench.pipeline.marks.lookalikes import look_alike
from judgebench.pipeline.marks.table import PEOPLE, SIDES, MarkTable
from judgebench.pipeline.setting.facts import MARKS, RunFacts, read_facts
from judgebench.pipeline.setting.places import run_key
from judgebench.pipeline.setting.scene import World
from judgebench.pipeline.setting.units import cluster_codes, counted
from judgebench.records import dataclass
from judgebench.runs.workspace import find_workspace
from judgebench.stats.arrays import IntArray
from judgebench.store.marks import MarkBatch
from judgebench.store.passes import PassRow
from judgebench.store.rows import ItemRow
from judgebench.store.store import Store
from judgebench.text import digest, one_line, sha256_text


@dataclass(frozen=True, kw_only=True, slots=True)
class Taken:
    """What an import found."""

    run: str
    arms: int
    items: int
    marks: int
    missing: int
    off_scale: int
    doubles: int
    unordered: int
    """Comparisons of which nobody knows who was shown first, where that is known of others."""
    low: float
    high: float
    scale_named: bool
    outcomes: tuple[float, float, float] | None = None
    """Marks of a comparison lost, tied and won by the first; None for single marks."""
    clusters: Clusters | None = None
    """The clusters that its items come in, where the file says it."""
    passes: tuple[tuple[str, str], ...] = field(default=())
    """Id and rater of each pass."""
    made_in: Path | None = None
    """Where the store was made, because there was no workspace."""
    known: bool = False
    """The same marks were there already: nothing was written."""
    item_named: bool = True
    """A column says which item a row is about; else all rows are about one."""
    unread: tuple[str, ...] = ()
    """Columns of the file that no option names."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Book:
    """What marks are kept under."""

    dest: Path
    """The run that they become."""
    source: Path
    content: str
    """Hash over the file and all that was said of it."""
    rubric: Rubric


def keep_marks(table: MarkTable, book: Book, world: World) -> Taken:
    """Put marks into the store as a run of their own; all of it or nothing.

    Raises:
        ImportFileError: The run holds something else.
        StoreError: The database cannot be written.
    """
    path = book.dest if book.dest.is_absolute() else world.cwd / book.dest
    if path.exists():
        raise ImportFileError(book.dest, "exists already", "name a run that does not exist")
    workspace = find_workspace(path, cwd=world.cwd)
    key = run_key(path, workspace)
    new = workspace.made and not workspace.database.exists()
    for line in look_alike(table.arms):
        world.say(line)
    with Store.for_work(workspace.database) as store:
        known = store.rows("run", run=key)
        if known and known[0][0] != book.content:
            problem = _held(known[0][2], _facts(key, table, book.source), book.source)
            raise _other_marks(book.dest, problem)
        if not known:
            _write(store, key, table, book, world)
        passes = tuple(
            (row.judging.id, row.judging.judge_name) for row in store.find_passes(key)
        )  # fmt: skip
    return Taken(
        run=key,
        arms=len(table.arms),
        items=len(table.items),
        marks=table.given,
        missing=table.missing,
        off_scale=table.off,
        doubles=table.doubles,
        unordered=table.unordered,
        low=table.low,
        high=table.high,
        scale_named=table.scale_named,
        outcomes=table.outcomes,
        clusters=counted(cluster_codes(table.clusters, table.items)),
        passes=passes,
        made_in=workspace.root if new else None,
        known=bool(known),
    )


def _held(stored: str, wanted: RunFacts, source: Path) -> str:
    """What a run holds in place of what is to be taken in."""
    before = read_facts(json.loads(stored))
    if before.clusters == wanted.clusters or replace(before, clusters=wanted.clusters) != wanted:
        return "holds other marks already"
    how = "in other clusters" if before.clusters else "without clusters"
    return f"holds marks of {one_line(source.name, 60)} already, {how}"


def _other_marks(dest: Path, problem: str) -> ImportFileError:
    """What is stored stays, so that nothing is lost by a slip: the way out is another name."""
    return ImportFileError(dest, problem, f"take --to {shlex.quote(f'{dest}-2')}")


def _write(store: Store, key: str, table: MarkTable, book: Book, world: World) -> None:
    now, rubric, content = world.now(), book.rubric, book.content
    models = [name for name, person in zip(table.raters, table.people, strict=True) if not person]
    raters = [*models, *([PEOPLE] if any(table.people) else [])]
    place = {name: at for at, name in enumerate(models)}
    # A model may bear the name that stands for all people: its place is its own.
    of_rater = np.array(
        [
            len(models) if person else place[name]
            for name, person in zip(table.raters, table.people, strict=True)
        ]
    )[table.rater]
    stamp = now.isoformat(timespec="seconds")
    passes = []
    with store.together():
        store.put_run(key, content, facts=_facts(key, table, book.source).as_dict(), use_case=None,
                      updated_at=now.isoformat())  # fmt: skip
        store.put_arms(key, [Arm(id=name) for name in table.arms])
        store.put_items(key, (_item(name) for name in table.items))
        store.put_rubric(rubric)
        for at, name in enumerate(raters):
            rater = _Rater(name=name, people=at == len(models), ordinal=at + 1)
            row = _pass(
                key, rater, rubric, repeats=int(table.repeat[of_rater == at].max()),
                content=content, stamp=stamp, paired=table.paired,
            )  # fmt: skip
            judge = Judge(name=name, model=name, provider="marks", sha256=rater.sha256)
            store.put_judge(judge, rater.identity)
            store.put_pass(row)
            passes.append(row.judging.id)
        store.take_marks(
            _batch(table, of_rater, passes=passes, criteria=[c.id for c in rubric.criteria]),
            judged_at=now.timestamp(),
        )
    if rubric.tiers or len({criterion.weight for criterion in rubric.criteria}) > 1:
        # The store makes plain means; weights and tiers are the rubric's to apply.
        for row in store.find_passes(key):
            retotal(store, row.judging, rubric)


def _batch(
    table: MarkTable, of_rater: IntArray, *, passes: Sequence[str],
    criteria: Sequence[str],
) -> MarkBatch:  # fmt: skip
    return MarkBatch(
        passes=tuple(passes),
        raters=table.raters,
        arms=table.arms,
        items=table.items,
        criteria=tuple(criteria),
        sides=tuple(side.value for side in SIDES),
        columns={
            "pass": of_rater,
            "rater": table.rater,
            "arm": table.arm,
            "item": table.item,
            "criterion": table.criterion,
            "side": table.side,
            "repeat": table.repeat,
            "unit": table.unit,
            "mark": np.ma.masked_invalid(table.mark),
            "off_scale": table.off_scale,
        },
    )


def _facts(key: str, table: MarkTable, source: Path) -> RunFacts:
    scale = "named" if table.scale_named else "taken from the marks"
    notes = [f"marks only, from {one_line(source.name, 60)}"]
    if not table.paired:
        notes[0] += f"; scale {scale}"
    else:
        notes.append("pairs: a mark is the share of a comparison that an arm won")
    return RunFacts(
        name=key,
        use_case=UseCase(key=""),
        settings=Settings(),
        arms=tuple(Arm(id=name) for name in table.arms),
        form=MARKS,
        notes=tuple(notes),
        clusters=dict(table.clusters),
        scale_taken=not table.scale_named and not table.paired,
    )


def _item(name: str) -> ItemRow:
    return ItemRow(
        item=name, sha256=sha256_text(name), has_evidence=False, has_reference=False, chars=0
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Rater:
    """Who a pass is of."""

    name: str
    people: bool
    ordinal: int

    @property
    def identity(self) -> dict[str, object]:
        return {"rater": self.name, "people": self.people}

    @property
    def sha256(self) -> str:
        return digest(self.identity)


def _pass(
    key: str, rater: _Rater, rubric: Rubric, *, repeats: int, content: str, stamp: str,
    paired: bool,
) -> PassRow:  # fmt: skip
    return PassRow(
        judging=Pass(
            id=digest([key, content, rater.sha256])[:12],
            run=key,
            judge_name=rater.name,
            judge_sha256=rater.sha256,
            judge_model=rater.name,
            rubric_name=rubric.name,
            ask_sha256=rubric.ask_sha256,
            prompt_version="none",
            mode=Mode.PAIRWISE if paired else Mode.POINTWISE,
            blinding=Blinding.FLAG,
            seed=0,
            repeats=repeats,
            route="people" if rater.people else "marks",
        ),
        ordinal=rater.ordinal,
        rubric_version=rubric.version,
        sum_sha256=rubric.sum_sha256,
        started_at=stamp,
        finished_at=stamp,
        content_sha256=content,
        state="complete",
    )
