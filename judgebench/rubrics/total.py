"""Marks to a total: caps, weighted mean, gates, tier. A model never adds up.

The order is fixed. Caps look at the marks as given and hold other marks down.
The total is the weighted mean of the held marks over the criteria that apply to
the item, on the rubric's own scale. Gates look at the held marks and hold the
total down. A blocked mark that the total needs leaves no total at all: spreading
its weight over the others would reward a judgment for what it did not say.

One array function does the arithmetic; a single judgment is an array of one row.
Shapes: V judgments, K criteria in the rubric's order; NaN is *no mark*.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from judgebench.model.collected import Item, Run
from judgebench.model.nouns import Mark
from judgebench.model.rubric import Applies, Rubric, Scale, Total
from judgebench.records import dataclass

# Weighted means of equal marks differ from them in the last bits.
_ROUNDING = 1e-9
_EVEN = 0.5

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class TotalArrays:
    """Totals of V judgments in scale points; NaN where there is none."""

    value: FloatArray
    """Shape (V,): after caps and gates."""
    uncapped: FloatArray
    """Shape (V,): the weighted mean of the marks as given."""
    fired: BoolArray
    """Shape (V,): whether a gate or cap held something down."""


@dataclass(frozen=True, kw_only=True)
class _Parts:
    value: FloatArray
    uncapped: FloatArray
    caps: BoolArray
    gates: BoolArray


class _Same:
    """A rubric as a key: itself and no other."""

    __slots__ = ("rubric",)

    def __init__(self, rubric: Rubric) -> None:
        self.rubric = rubric

    def __hash__(self) -> int:
        return id(self.rubric)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.rubric is other.rubric


@dataclass(frozen=True, kw_only=True)
class _Known:
    """What a rubric says about every judgment."""

    place: Mapping[str, int]
    weights: FloatArray
    """Shape (K,)."""
    needed: BoolArray
    """Shape (K,): without whose mark there is no total."""


@lru_cache(maxsize=8)
def _known(same: _Same) -> _Known:
    criteria = same.rubric.criteria
    needed = needed_for_total(same.rubric)
    return _Known(
        place={criterion.id: k for k, criterion in enumerate(criteria)},
        weights=np.array([criterion.weight for criterion in criteria], dtype=np.float64),
        needed=np.array([criterion.id in needed for criterion in criteria], dtype=np.bool_),
    )


def totals(rubric: Rubric, marks: FloatArray, applies: BoolArray) -> TotalArrays:
    """Totals of many judgments at once.

    Args:
        rubric: Gives weights, gates and caps.
        marks: Shape (V, K), scale points; NaN where there is no mark.
        applies: Shape (V, K); False where a criterion does not apply to the item.

    Raises:
        ValueError: the shapes do not fit.
    """
    parts = _parts(rubric, marks, applies)
    fired = parts.caps.any(axis=1) | parts.gates.any(axis=1)
    return TotalArrays(
        value=parts.value, uncapped=parts.uncapped, fired=fired & ~np.isnan(parts.value)
    )


def _parts(rubric: Rubric, marks: FloatArray, applies: BoolArray) -> _Parts:
    n_criteria = len(rubric.criteria)
    if marks.ndim != 2 or marks.shape[1] != n_criteria or marks.shape != applies.shape:  # noqa: PLR2004
        raise ValueError(
            f"marks and applies must both have shape (V, {n_criteria}), "
            f"got {marks.shape} and {applies.shape}"
        )
    known = _known(_Same(rubric))
    seen = np.where(applies, marks, np.nan)
    held, caps = _hold_marks(rubric, seen, known.place)
    counted = ~_undecided(known, seen, applies)
    uncapped = np.where(counted, _mean(rubric.scale, known.weights, seen, applies), np.nan)
    mean = uncapped
    if caps.any():
        mean = np.where(counted, _mean(rubric.scale, known.weights, held, applies), np.nan)
    value, gates = _hold_total(rubric, mean, held, known.place)
    return _Parts(value=value, uncapped=uncapped, caps=caps, gates=gates)


def hold(rubric: Rubric, marks: FloatArray) -> FloatArray:
    """Marks held down by the rubric's caps.

    Args:
        rubric: Gives the caps.
        marks: Criteria on the last axis, scale points; NaN where there is no mark.
    """
    if not rubric.caps:
        return marks
    place = {criterion.id: k for k, criterion in enumerate(rubric.criteria)}
    flat = marks.reshape(-1, marks.shape[-1])
    return _hold_marks(rubric, flat, place)[0].reshape(marks.shape)


def _hold_marks(
    rubric: Rubric, seen: FloatArray, place: Mapping[str, int]
) -> tuple[FloatArray, BoolArray]:
    # All caps look at the marks as given, so their order in the file means nothing.
    fired = np.zeros((len(seen), len(rubric.caps)), dtype=np.bool_)
    if not rubric.caps:
        return seen, fired
    held = seen.copy()
    for i, cap in enumerate(rubric.caps):
        target = place[cap.target]
        fired[:, i] = (seen[:, place[cap.criterion]] < cap.below) & (seen[:, target] > cap.cap)
        held[fired[:, i], target] = np.minimum(held[fired[:, i], target], cap.cap)
    return held, fired


def _hold_total(
    rubric: Rubric, mean: FloatArray, held: FloatArray, place: Mapping[str, int]
) -> tuple[FloatArray, BoolArray]:
    value = mean.copy()
    fired = np.zeros((len(mean), len(rubric.gates)), dtype=np.bool_)
    for i, gate in enumerate(rubric.gates):
        fired[:, i] = (held[:, place[gate.criterion]] < gate.below) & (mean > gate.cap + _ROUNDING)
        value[fired[:, i]] = np.minimum(value[fired[:, i]], gate.cap)
    return value, fired


def needed_for_total(rubric: Rubric) -> tuple[str, ...]:
    """Ids of the criteria without whose mark there is no total, where they apply.

    A weightless criterion may still decide through a gate or a cap.
    """
    deciding = {gate.criterion for gate in rubric.gates} | {cap.criterion for cap in rubric.caps}
    return tuple(c.id for c in rubric.criteria if c.weight > 0 or c.id in deciding)


def _undecided(known: _Known, seen: FloatArray, applies: BoolArray) -> BoolArray:
    blocked = (applies & known.needed & np.isnan(seen)).any(axis=1)
    nothing_counts = ~(applies & (known.weights > 0)).any(axis=1)
    return np.asarray(blocked | nothing_counts, dtype=np.bool_)


def _mean(scale: Scale, weights: FloatArray, marks: FloatArray, applies: BoolArray) -> FloatArray:
    if len(applies) and (applies == applies[0]).all():
        applies = applies[:1]
    weights = np.where(applies, weights, 0.0)
    # The largest weight that counts becomes 1, so that tiny and huge ones neither
    # vanish nor overflow in the sum.
    largest = weights.max(axis=1, keepdims=True)
    weights = np.divide(weights, largest, out=np.zeros_like(weights), where=largest > 0)
    share = weights.sum(axis=1)
    weighed = np.where(np.isnan(marks), 0.0, marks)
    weighed *= weights
    points = weighed.sum(axis=1)
    mean = np.divide(points, share, out=np.full(len(marks), np.nan), where=share > 0)
    return np.asarray(np.clip(mean, scale.low, scale.high), dtype=np.float64)


def total(rubric: Rubric, marks: Mapping[str, Mark], *, applicable: Sequence[str]) -> Total:
    """One judgment's total with what was done to it.

    Args:
        rubric: Gives weights, gates, caps and tiers.
        marks: By criterion id; a missing one counts as blocked.
        applicable: Ids that apply to the item, from `applicable`.

    Returns:
        `value` and `uncapped` are None where a mark that the total needs is
        blocked, or where no criterion with weight applies.
    """
    points = tuple(_points(marks.get(c.id)) for c in rubric.criteria)
    return _total(_Same(rubric), points, tuple(applicable))


# Few marks on few criteria: the same ones come again and again within a pass.
@lru_cache(maxsize=2048)
def _total(same: _Same, points: tuple[float | None, ...], applicable: tuple[str, ...]) -> Total:
    rubric, chosen = same.rubric, set(applicable)
    row = np.array([points], dtype=np.float64)
    applies = np.array([[c.id in chosen for c in rubric.criteria]])
    parts = _parts(rubric, row, applies)
    value = _number(parts.value[0])
    return Total(
        value=value,
        uncapped=_number(parts.uncapped[0]),
        fired=() if value is None else _fired(rubric, parts),
        tier=tier(rubric, value),
        reweighted=any(c.weight > 0 and c.id not in chosen for c in rubric.criteria),
    )


def _points(mark: Mark | None) -> float | None:
    """Points of a mark; None, which is NaN in an array, where there is none."""
    return None if mark is None or mark.blocked is not None else mark.mark


def _number(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


def _fired(rubric: Rubric, parts: _Parts) -> tuple[str, ...]:
    caps = [
        f"{cap.criterion} below {cap.below:g} holds {cap.target} at {cap.cap:g}"
        for cap, fired in zip(rubric.caps, parts.caps[0], strict=True)
        if fired
    ]
    gates = [
        f"{gate.criterion} below {gate.below:g} holds the total at {gate.cap:g}"
        for gate, fired in zip(rubric.gates, parts.gates[0], strict=True)
        if fired
    ]
    return (*caps, *gates)


def of_pairs(rubric: Rubric) -> Rubric:
    """The rubric as it sums comparisons: the share won, on a scale from 0 to 1.

    Gates, caps and tiers speak of marks on the rubric's own scale, so none of them applies.
    """
    scale = Scale(low=0.0, high=1.0, step=0.5)
    return replace(rubric, scale=scale, gates=(), caps=(), tiers=())


def decide(balance: FloatArray) -> FloatArray:
    """Who won, from the weighted share of criteria won: 1, 0, or ½ where they balance."""
    apart = np.where(np.abs(balance - _EVEN) <= _ROUNDING, 0.0, balance - _EVEN)
    return np.asarray(_EVEN + np.sign(apart) / 2, dtype=np.float64)


def won(rubric: Rubric, marks: Mapping[str, Mark], *, applicable: Sequence[str]) -> Total:
    """What one answer of a pair made of the comparison.

    The criteria's verdicts are weighed as marks are in a total; the answer that wins more
    weight wins (`value` 1), half the weight each is a tie. `uncapped` is the weighted share.
    """
    found = total(of_pairs(rubric), marks, applicable=applicable)
    if found.value is None:
        return found
    return replace(found, value=float(decide(np.array([found.value]))[0]))


def tier(rubric: Rubric, value: float | None) -> str | None:
    """Name of the highest tier that a total reaches; None where it reaches none."""
    if value is None or np.isnan(value):
        return None
    return next((t.name for t in rubric.tiers if value >= t.at_least - _ROUNDING), None)


def applicable(rubric: Rubric, item: Item, run: Run) -> tuple[str, ...]:
    """Ids of the criteria that apply to an item, the same for all arms.

    Settled from the item and the run alone, before any output is seen.
    """
    return applying(
        rubric,
        evidence=bool(item.evidence),
        reference=item.reference is not None,
        ambiguity=any(not a.items or item.id in a.items for a in run.ambiguities),
    )


def applying(
    rubric: Rubric, *, evidence: bool, reference: bool, ambiguity: bool
) -> tuple[str, ...]:
    """Ids of the criteria that apply to an item of which these facts are known."""
    holds = {
        Applies.ALWAYS: True,
        Applies.EVIDENCE: evidence,
        Applies.REFERENCE: reference,
        Applies.AMBIGUITY: ambiguity,
    }
    return tuple(c.id for c in rubric.criteria if holds[c.applies])
