"""Would the answer change? Other weights, one item less, arms on unequal items.

Input is cells of shape (A, I), or (A, I, K) by criterion, in scale points, NaN
where there is none. These are extended figures: they stand beside the answer,
never instead.
"""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.ranks import mean_difference, possible_best
from judgebench.stats.special import stdtrit

MOST_TOGETHER = 10
"""Criteria whose weights are moved in all combinations; of more, one at a time."""
_MIN_OWN = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Influence:
    """What leaving one item out does to a difference of two arms."""

    item: int
    difference: float
    """Difference without that item, scale points."""
    turns: bool
    """The sign is another one without it, or gone; a difference of 0 has none to lose."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WeightCheck:
    """Whether the set of possible best survives other weights of the criteria."""

    trials: int
    same: int
    """Trials with the same set."""
    ever: tuple[int, ...]
    """Arms that are in the set under at least one of the weights."""


def leave_one_out(a: FloatArray, b: FloatArray) -> tuple[Influence, ...] | Refusal:
    """Which item drives the gap: the mean difference without each shared item.

    Args:
        a: Shape (I,), cells of the first arm.
        b: Shape (I,), cells of the second.

    Returns:
        One entry a shared item, the furthest from the full difference first.
        `Refusal` with ``too_few_items`` below three shared items.

    Raises:
        ValueError: Shapes differ.

    Source:
        Own arithmetic: the mean of what is left.
    """
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError("a and b must share one shape (I,)")
    shared = np.flatnonzero(np.isfinite(a) & np.isfinite(b))
    if shared.size < 3:  # noqa: PLR2004 - as for a difference
        return Refusal(
            statistic="leave_one_out",
            code=RefusalCode.TOO_FEW_ITEMS.value,
            have=int(shared.size),
            need=3,
        )
    d = a[shared] - b[shared]
    full = mean_difference(a, b) or 0.0
    without = (d.sum() - d) / (d.size - 1)
    order = np.argsort(-np.abs(without - full), kind="stable")
    sign = np.sign(np.round(full, 9))
    turns = (np.sign(np.round(without, 9)) != sign) & (sign != 0)
    found = zip(shared[order].tolist(), without[order].tolist(), turns[order].tolist(), strict=True)
    return tuple(Influence(item=item, difference=gap, turns=turn) for item, gap, turn in found)


def other_weights(  # noqa: PLR0913 - those of `possible_best`, and what moves
    cells_under: Callable[[FloatArray], FloatArray],
    weights: FloatArray,
    reps: IntArray,
    *,
    step: float,
    change: float = 0.2,
    together: bool = True,
    among: Sequence[int] | None = None,
    firm: Callable[[FloatArray], BoolArray] | None = None,
    clusters: IntArray | None = None,
) -> WeightCheck | Refusal:
    """Set of possible best with each weight up and down by a share.

    Args:
        cells_under: Cells of shape (A, I), scale points, as they are under given weights.
        weights: Shape (K,), ≥ 0, not all 0.
        reps: Shape (A, I), judgments behind each cell.
        step: Lattice of the marks.
        change: Share by which a weight moves, within (0, 1).
        together: All combinations of down and up, of at most ten criteria; else one
            weight at a time.
        among: Arms that the set is told of; None for all.
        firm: From cells those of `ranks.possible_best`: what blocked answers could turn is
            another thing under other weights.
        clusters: As in `ranks.possible_best`.

    Returns:
        How often the set is the same. Refusals as `ranks.possible_best`.

    Raises:
        ValueError: Weights do not fit, more than ten together, or `change` out of range.

    Source:
        Own check on `ranks.possible_best`, docs/statistics.md.
    """
    k = weights.size
    if not 0 < change < 1 or (together and k > MOST_TOGETHER):
        raise ValueError(f"{k} weights, change {change}")
    if weights.ndim != 1 or not (np.all(weights >= 0) and weights.sum() > 0):
        raise ValueError("weights are not negative and not all 0")

    def best(of: FloatArray) -> set[int] | Refusal:
        cells = cells_under(of)
        kept = None if firm is None else firm(cells)
        found = possible_best(cells, reps, step=step, firm=kept, clusters=clusters)
        if isinstance(found, Refusal):
            return found
        return set(found if among is None else (arm for arm in found if arm in among))

    base = best(weights)
    if isinstance(base, Refusal):
        return base
    found = [best(weights * (1 + change * move)) for move in _moves(k, together=together)]
    sets = [one for one in found if not isinstance(one, Refusal)]
    return WeightCheck(
        trials=len(found),
        same=sets.count(base),
        ever=tuple(sorted(base.union(*sets))),
    )


def _moves(k: int, *, together: bool) -> FloatArray:
    """Directions of the weights, one trial a row."""
    if together:
        return np.array(list(product((-1.0, 1.0), repeat=k)))
    return np.concatenate([-np.eye(k), np.eye(k)])


def weighted_means(cells: FloatArray, weights: FloatArray, applies: BoolArray) -> FloatArray:
    """Weighted mean of each cell over the criteria that apply to its item.

    Args:
        cells: Shape (A, I, K), scale points, NaN where a criterion has no mark.
        weights: Shape (K,), ≥ 0.
        applies: Shape (I, K).

    Returns:
        Shape (A, I); NaN where a weighted criterion that applies has no mark, or none applies.

    Raises:
        ValueError: The shapes do not fit.
    """
    if cells.ndim != 3 or weights.shape != cells.shape[2:] or applies.shape != cells.shape[1:]:  # noqa: PLR2004 - three axes
        raise ValueError(f"cells {cells.shape}, weights {weights.shape}, applies {applies.shape}")
    used = weights > 0
    if used.any() and applies[:, used].all():
        return np.asarray(cells[:, :, used] @ (weights[used] / weights.sum()), dtype=np.float64)
    each = np.where(applies[:, used], weights[used], 0.0)
    share = each.sum(axis=1, keepdims=True)
    each = np.divide(each, share, out=np.full_like(each, np.nan), where=share > 0)
    marks = np.where(applies[:, used], cells[:, :, used], 0.0)
    return np.asarray((marks * each).sum(axis=2), dtype=np.float64)


def least_squares_means(
    cells: FloatArray, *, level: float = 0.95
) -> tuple[Estimate | Refusal, ...]:
    """Arm means as if every arm had answered every item: additive arm + item model.

    Args:
        cells: Shape (A, I), scale points, NaN where an arm has no scored cell.
        level: Confidence.

    Returns:
        One entry an arm: its mean over all items that any arm answered, equal to
        the plain mean where nothing is missing; the interval is of its deviation
        from the mean of all arms, a sandwich by item, ``kind`` "sandwich", and is
        left out where the model leaves no residual.
        `Refusal` with ``nothing_scored`` for an arm without a cell,
        ``too_few_items`` below three items, or for an arm with fewer of its own,
        ``disconnected`` where arms and items fall apart.

    Raises:
        ValueError: `cells` has not two axes or `level` is not within (0, 1).

    Source:
        Two-way least squares; Liang & Zeger (1986) for the sandwich.
    """
    if cells.ndim != 2 or not 0 < level < 1:  # noqa: PLR2004 - two axes
        raise ValueError(f"cells of shape {cells.shape} at level {level}")
    there = np.isfinite(cells)
    arms, items = np.flatnonzero(there.any(axis=1)), np.flatnonzero(there.any(axis=0))
    code = _ls_refusal(there[np.ix_(arms, items)])
    if code is not None:
        return tuple(
            _ls_none(code if there[a].any() else None, items.size) for a in range(len(cells))
        )
    block = cells[np.ix_(arms, items)]
    fitted = dict(zip(arms.tolist(), _fit(block, level), strict=True))
    own = there.sum(axis=1)
    return tuple(
        fitted[a]
        if own[a] >= _MIN_OWN
        else _ls_none(RefusalCode.TOO_FEW_ITEMS if own[a] else None, int(own[a]))
        for a in range(len(cells))
    )


def _ls_none(code: RefusalCode | None, items: int) -> Refusal:
    code = code or RefusalCode.NOTHING_SCORED
    have = items if code is RefusalCode.TOO_FEW_ITEMS else 0
    need = 3 if code is RefusalCode.TOO_FEW_ITEMS else 1
    return Refusal(statistic="least_squares_mean", code=code.value, have=have, need=need)


def _ls_refusal(there: BoolArray) -> RefusalCode | None:
    if there.shape[1] < 3:  # noqa: PLR2004 - as for a mean
        return RefusalCode.TOO_FEW_ITEMS
    reached: BoolArray = np.zeros(there.shape[0], dtype=bool)
    reached[0] = True
    for _ in range(there.shape[0]):
        reached = np.asarray(there[:, there[reached].any(axis=0)].any(axis=1))
    return None if reached.all() else RefusalCode.DISCONNECTED


def _fit(cells: FloatArray, level: float) -> list[Estimate | Refusal]:
    """Arm effects with item effects swept out: (Σ_i M_i) α = Σ_i y_i, weights by item."""
    a, n = cells.shape
    there = np.isfinite(cells).astype(np.float64)
    m = there.sum(axis=0)
    y = np.where(there > 0, cells, 0.0)
    centred = there * (y - y.sum(axis=0) / m)
    normal = np.diag(there.sum(axis=1)) - (there / m) @ there.T
    inverse = np.linalg.pinv(normal)
    effects = inverse @ centred.sum(axis=1)
    effects -= effects.mean()
    residual = centred - there * (effects[:, None] - (there * effects[:, None]).sum(axis=0) / m)
    level_of_items = float(((y - there * effects[:, None]).sum(axis=0) / m).mean())
    spread = inverse @ residual
    variance = (spread**2).sum(axis=1) * n / (n - 1)
    half = float(stdtrit(n - 1, (1 + level) / 2)) * np.sqrt(variance)
    out: list[Estimate | Refusal] = []
    for arm in range(a):
        value = float(effects[arm] + level_of_items)
        if a == 1 or half[arm] <= 1e-9:  # noqa: PLR2004 - rounding
            out.append(Estimate(value=value, n=int(there[arm].sum())))
            continue
        low, high = value - float(half[arm]), value + float(half[arm])
        out.append(
            Estimate(
                value=value,
                n=int(there[arm].sum()),
                low=low,
                high=high,
                level=level,
                kind="sandwich",
            )
        )
    return out
