"""From stored rows to arrays: what was marked, what is blocked, what the answers took.

Marks pass as columns of integer codes; no row of them becomes a Python object.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judgebench.model import Blinding, BlockedCount, Context, Pass, Rubric
from judgebench.pipeline.choices import Reading
from judgebench.rubrics.total import totals
from judgebench.stats.arrays import cells as cell_means
from judgebench.stats.arrays import counts, from_codes, nan_mean
from judgebench.store.store import Store

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def plain(column: Any, fill: float = np.nan) -> FloatArray:  # noqa: ANN401 - plain or masked
    """A column as floats with NULL as NaN."""
    if isinstance(column, np.ma.MaskedArray):
        return np.asarray(np.ma.filled(column.astype(np.float64), fill), dtype=np.float64)
    return np.asarray(column, dtype=np.float64)


@dataclass(frozen=True, kw_only=True)
class Marks:
    """Every mark of a pass that counts, and what code makes of it.

    Axes: arms A, items I, criteria K, repeats R. NaN is no mark.
    """

    marks: FloatArray = field(repr=False)
    """Shape (A, I, K, R)."""
    rubric: Rubric
    applies: BoolArray = field(repr=False)
    """Shape (I, K): the criterion applies to the item."""
    minimum: BoolArray = field(repr=False)
    """Shape (A, I): an empty answer that counts as the scale's minimum, by rule."""

    @cached_property
    def verdicts(self) -> tuple[FloatArray, BoolArray]:
        """Totals and whether a gate or cap fired, each of shape (A, I, R)."""
        arms, items, criteria, repeats = self.marks.shape
        flat = np.moveaxis(self.marks, 2, 3).reshape(-1, criteria)
        applies = np.broadcast_to(
            self.applies[None, :, None, :], (arms, items, repeats, criteria)
        ).reshape(-1, criteria)
        asked = ~np.isnan(flat).all(axis=1)
        value = np.full(asked.size, np.nan)
        fired = np.zeros(asked.size, dtype=bool)
        if asked.any():
            made = totals(self.rubric, flat[asked], applies[asked])
            value[asked], fired[asked] = made.value, made.fired
        shape = (arms, items, repeats)
        return value.reshape(shape), fired.reshape(shape)

    @cached_property
    def cells(self) -> FloatArray:
        """Mean total of each arm and item, shape (A, I), scale points."""
        found = cell_means(self.verdicts[0][:, :, None, :])
        return np.where(self.minimum, self.rubric.scale.low, found)

    @cached_property
    def repeats(self) -> IntArray:
        """Judgings averaged in each cell, shape (A, I), at least 1."""
        return np.maximum(counts(self.verdicts[0][:, :, None, :]), 1)

    @cached_property
    def criteria(self) -> FloatArray:
        """Mean mark of each arm, item and criterion, shape (A, I, K)."""
        means = nan_mean(self.marks, axis=3)
        low = np.where(self.applies[None, :, :], self.rubric.scale.low, np.nan)
        return np.where(self.minimum[:, :, None], low, means)


def read_marks(
    store: Store,
    *,
    run: str,
    pass_id: str,
    rubric: Rubric,
    arms: int,
    reading: Reading,
    noise: bool = False,
) -> Marks:
    """Read the marks of a pass.

    Args:
        store: The open store.
        run: Name of the run.
        pass_id: The pass.
        rubric: The rubric whose sums apply.
        arms: How many arms the run has.
        reading: How stored judgments are read.
        noise: Also the marks that were given for the noise only, as one more repeat.
    """
    ids = [criterion.id for criterion in rubric.criteria]
    found = store.columns("mark_codes", pass_id=pass_id, run=run, criteria=ids)
    keep = np.full(len(found["noise"]), noise) | ~np.asarray(found["noise"], dtype=bool)
    if reading.require_quotes:
        keep &= ~np.asarray(found["unsupported"], dtype=bool)
    repeat = np.asarray(found["repeat"], dtype=np.int64)[keep] - 1
    items = store.columns("item_facts", run=run)
    n_items = len(items["has_evidence"])
    repeats = int(repeat.max()) + 1 if repeat.size else 1
    codes = tuple(
        np.asarray(found[name], dtype=np.int64)[keep] for name in ("arm", "item", "criterion")
    )
    marks = from_codes(
        (arms, n_items, len(ids), repeats), (*codes, repeat), plain(found["mark"])[keep]
    )
    return Marks(
        marks=marks,
        rubric=rubric,
        applies=_applies(rubric, items, marks),
        minimum=_minimum(store, run=run, shape=(arms, n_items), reading=reading),
    )


def _applies(rubric: Rubric, items: dict[str, NDArray[Any]], marks: FloatArray) -> BoolArray:
    """Which criteria apply to which item, as it was settled when the pass was planned.

    What was asked for one output of an item was asked for all of them, so a
    criterion applies where any mark of the item has it, or where the item's own
    facts say so.
    """
    known = {
        "always": np.ones(marks.shape[1], dtype=bool),
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


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmFacts:
    """What is known of one arm beside its marks."""

    blocked: tuple[BlockedCount, ...] = ()
    judge_blocked: tuple[BlockedCount, ...] = ()
    suspects: int = 0
    masked: int = 0
    masked_outputs: int = 0
    context: Context = field(default_factory=Context)
    quote: str | None = None
    quote_criterion: str | None = None


def read_arm_facts(store: Store, judging: Pass, reading: Reading) -> dict[str, ArmFacts]:
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
    for arm, reason, n, _, message in store.rows("blocked_judgments", pass_id=pass_id):
        count = BlockedCount(reason=reason, count=n, message=message or "")
        failed.setdefault(arm, []).append(count)
    quotes = {
        arm: (text, criterion)
        for arm, _, criterion, _, text in store.rows("quotes_best", pass_id=pass_id, n=1)
    }
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
            ),
            quote=quote,
            quote_criterion=criterion,
        )
    return out
