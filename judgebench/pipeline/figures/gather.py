"""From stored rows to arrays: what was marked, what is blocked, what the answers took.

Marks pass as columns of integer codes; no row of them becomes a Python object.
"""

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judgebench.model.drifting import CHECK_REPEATS
from judgebench.model.nouns import Blinding, Mode, Pass
from judgebench.model.result import BlockedCount, Context
from judgebench.model.rubric import Rubric
from judgebench.pipeline.audits.tallies import read_tallies
from judgebench.pipeline.audits.told import Audits
from judgebench.pipeline.figures.compared import read_compared
from judgebench.pipeline.figures.marked import CountedMarks, Marks, given_marks, or_overall
from judgebench.pipeline.setting.choices import Reading
from judgebench.records import dataclass
from judgebench.rubrics.total import needed_for_total, of_pairs
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray, from_codes
from judgebench.store.store import Store

_OVERALL = "overall"
"""Criterion under which people's marks for the answer as a whole are stored."""


def plain(column: Any, fill: float = np.nan) -> FloatArray:  # noqa: ANN401 - plain or masked
    """A column as floats with NULL as NaN."""
    if isinstance(column, np.ma.MaskedArray):
        return np.asarray(np.ma.filled(column.astype(np.float64), fill), dtype=np.float64)
    return np.asarray(column, dtype=np.float64)


def read_lengths(store: Store, run: str, shape: tuple[int, ...]) -> FloatArray:
    """Characters of every output of a run, NaN where unknown.

    Args:
        store: The open store.
        run: The run's name in it.
        shape: Arms and items of the run, (A, I).
    """
    known = store.columns("lengths", run=run)
    grid = np.full(shape, np.nan)
    at = tuple(np.asarray(known[name], dtype=np.int64) for name in ("arm", "item"))
    grid[at] = np.asarray(known["chars"], dtype=np.float64)
    return grid


def added(counts: Sequence[BlockedCount]) -> tuple[BlockedCount, ...]:
    """Counts of one reason as one, in the order of the reasons' first appearance."""
    out: dict[str, BlockedCount] = {}
    for one in counts:
        old = out.get(one.reason)
        out[one.reason] = one if old is None else replace(old, count=old.count + one.count)
    return tuple(out.values())


def read_marks(
    store: Store,
    *,
    judging: Pass,
    rubric: Rubric,
    arms: int,
    reading: Reading,
    noise: bool = False,
) -> Marks:
    """Read the marks of a pass; those judged for the noise only where `noise` asks for them."""
    run, pass_id = judging.run, judging.id
    given = judging.route in {"marks", "people"}
    if rubric.deductions and not given:
        return _read_counted(store, judging=judging, rubric=rubric, arms=arms)
    if judging.mode is Mode.PAIRWISE:
        return _read_pairs(store, judging=judging, rubric=rubric, arms=arms, reading=reading)
    ids = [criterion.id for criterion in rubric.criteria]
    n_criteria = len(ids)
    whole = judging.route == "people" and _OVERALL not in ids
    ids += [_OVERALL] * whole
    found = store.columns("mark_codes", pass_id=pass_id, run=run, criteria=ids)
    keep = ~np.asarray(found["noise"], dtype=bool)
    if noise:
        keep = ~np.asarray(found["drift"], dtype=bool)
    if reading.require_quotes:
        keep &= ~np.asarray(found["unsupported"], dtype=bool)
    # Where nothing is left out nothing is copied.
    kept = slice(None) if keep.all() else keep
    repeat = np.asarray(found["repeat"])[kept] - 1
    items = store.columns("item_facts", run=run)
    n_items = len(items["has_evidence"])
    repeats = int(repeat.max()) + 1 if repeat.size else 1
    codes = tuple(np.asarray(found[name])[kept] for name in ("arm", "item", "criterion"))
    marks = from_codes(
        (arms, n_items, len(ids), repeats), (*codes, repeat), plain(found["mark"])[kept]
    )
    made = given_marks(
        marks[:, :, :n_criteria],
        rubric=rubric,
        applies=_applies(rubric, items),
        minimum=_minimum(store, run=run, shape=(arms, n_items), reading=reading),
    )
    return or_overall(made, marks[:, :, -1]) if whole else made


def _read_counted(store: Store, *, judging: Pass, rubric: Rubric, arms: int) -> CountedMarks:
    items = store.columns("item_facts", run=judging.run)
    applies = _applies(rubric, items)
    audits = Audits(
        rubric, read_tallies(store, judging, rubric), store.projects(judging.run),
        store.told_facts(judging.id),
        turns=store.turns(judging.id) if judging.turns is not None else (),
    )  # fmt: skip
    return CountedMarks(
        marks=audits.marks(arms, len(applies)),
        rubric=rubric,
        applies=applies,
        minimum=np.zeros((arms, len(applies)), dtype=bool),
        audits=audits,
    )


def _read_pairs(
    store: Store, *, judging: Pass, rubric: Rubric, arms: int, reading: Reading
) -> Marks:
    summed = of_pairs(rubric)
    items = store.columns("item_facts", run=judging.run)
    applies = _applies(summed, items)
    found = read_compared(
        store,
        run=judging.run,
        pass_id=judging.id,
        rubric=summed,
        applies=applies,
        require_quotes=reading.require_quotes,
    )
    shape = (arms, applies.shape[0])
    return Marks(
        marks=found.array(*shape),
        rubric=summed,
        applies=applies,
        minimum=np.zeros(shape, dtype=bool),
        # A share that was given as a number elsewhere stays that number.
        decided=judging.route not in {"marks", "people"},
        compared=found,
    )


def _applies(rubric: Rubric, items: dict[str, NDArray[Any]]) -> BoolArray:
    """Which criteria apply to which item, as it was settled when the pass was planned.

    What was asked for one output of an item was asked for all of them, so a
    criterion applies where any mark of the item has it, or where the item's own
    facts say so.
    """
    known = {
        "always": np.ones(len(items["has_evidence"]), dtype=bool),
        "evidence": np.asarray(items["has_evidence"], dtype=bool),
        "reference": np.asarray(items["has_reference"], dtype=bool),
        "ambiguity": np.asarray(items["ambiguous"], dtype=bool),
    }
    return np.stack([known[criterion.applies.value] for criterion in rubric.criteria], axis=1)


def _minimum(store: Store, *, run: str, shape: tuple[int, int], reading: Reading) -> BoolArray:
    out = np.zeros(shape, dtype=bool)
    if reading.empty_as_minimum:
        own = store.columns("own_empty", run=run)
        out[np.asarray(own["arm"], dtype=np.int64), np.asarray(own["item"], dtype=np.int64)] = True
    return out


@dataclass(frozen=True, kw_only=True)
class Again:
    """Totals of cells that were judged again after the pass had been extended."""

    first: FloatArray = field(repr=False)
    """Shape (A, I): mean total of the judgings that count; NaN where not judged again."""
    again: FloatArray = field(repr=False)
    """Shape (A, I): mean total of the later ones."""
    reps: tuple[IntArray, IntArray] = field(repr=False)
    """Judgings in each, shapes (A, I)."""

    @property
    def cells(self) -> int:
        """How many cells were judged again."""
        return int(np.sum(~np.isnan(self.again)))


def read_again(store: Store, judging: Pass, *, shape: tuple[int, ...]) -> Again | None:
    """Cells judged again for drift; None where there are none."""
    found = store.columns("drift", pass_id=judging.id, run=judging.run, last=CHECK_REPEATS)
    arm, item = (np.asarray(found[name], dtype=np.int64) for name in ("arm", "item"))
    if not arm.size:
        return None
    grids = [np.full(shape, np.nan) for _ in range(4)]
    for grid, name in zip(grids, ("first_total", "again_total", "firsts", "agains"), strict=True):
        grid[arm, item] = plain(found[name])
    first, again, firsts, agains = grids
    reps = (np.nan_to_num(firsts).astype(np.int64), np.nan_to_num(agains).astype(np.int64))
    return Again(first=first, again=again, reps=reps)


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmFacts:
    """What is known of one arm beside its marks."""

    blocked: tuple[BlockedCount, ...] = ()
    judge_blocked: tuple[BlockedCount, ...] = ()
    suspects: int = 0
    masked: int = 0
    context: Context = field(default_factory=Context)
    quote: str | None = None
    quote_criterion: str | None = None


def lacking(judging: Pass, rubric: Rubric, reading: Reading) -> dict[str, Any]:
    """Values by which queries know a judgment without a total, although a reply was given."""
    summed = of_pairs(rubric) if judging.mode is Mode.PAIRWISE else rubric
    return {"needed": list(needed_for_total(summed)), "quotes": reading.require_quotes}


def blocked_judgments(
    store: Store, judging: Pass, rubric: Rubric, reading: Reading
) -> Iterator[tuple[str, BlockedCount]]:
    """By arm, why judgments of a pass have no total for a reason on the judge's side."""
    found = store.rows(
        "blocked_judgments", pass_id=judging.id, **lacking(judging, rubric, reading)
    )  # fmt: skip
    for arm, reason, n, _, message in found:
        yield arm, BlockedCount(reason=reason, count=n, message=message or "")


def read_arm_facts(
    store: Store, judging: Pass, reading: Reading, rubric: Rubric
) -> dict[str, ArmFacts]:
    """What the store knows of every arm of a run, as one pass blinds and reads it."""
    run, pass_id = judging.run, judging.id
    blocked: dict[str, list[BlockedCount]] = {}
    for arm, reason, n, _, message in store.rows(
        "blocked_outputs",
        run=run,
        strict=judging.blinding is Blinding.STRICT,
        block_cut=reading.block_cut,
        minimum=reading.empty_as_minimum,
    ):
        blocked.setdefault(arm, []).append(BlockedCount(reason=reason, count=n, message=message))
    failed: dict[str, list[BlockedCount]] = {}
    for arm, count in blocked_judgments(store, judging, rubric, reading):
        failed.setdefault(arm, []).append(count)
    # The best of none takes as long as the best of many.
    telling = (
        store.rows("quotes_best", pass_id=pass_id, n=1)
        if store.rows("has_quotes", pass_id=pass_id)
        else ()
    )
    quotes = {arm: (text, criterion) for arm, _, criterion, _, text in telling}
    # Marks that were imported have no outputs, and so no context.
    out = {
        arm: ArmFacts(judge_blocked=tuple(counts)) for arm, counts in failed.items()
    }  # fmt: skip
    for row in store.records("context", run=run):
        arm = row["arm"]
        quote, criterion = quotes.get(arm, (None, None))
        out[arm] = ArmFacts(
            blocked=tuple(blocked.get(arm, ())),
            judge_blocked=tuple(failed.get(arm, ())),
            suspects=row["suspects"],
            masked=row["masked"] or 0,
            context=Context(
                wall_s=row["wall_s"],
                completion_tokens=row["completion_tokens"],
                cost_usd=row["cost_usd"],
                reasoning_ratio=row["reasoning_ratio"],
                chars=row["chars"],
                known=row["known"],
                untimed=row["untimed"],
            ),
            quote=quote,
            quote_criterion=criterion,
        )
    return out
