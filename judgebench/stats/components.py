"""Where the spread comes from: items, arms, judges, repeats; and what a redesign would give.

Input is one complete block of totals, shape (A, I, J, R), scale points. All four
facets but the repeats are crossed; an arm × judge component is a judge's own lean
towards an arm, which no number of repeats can reveal.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import exp, sqrt

import numpy as np

from judgebench.model.agreement import VarianceParts
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray, settled
from judgebench.stats.intervals import t_quantile
from judgebench.stats.levels import LEAST_ITEMS, too_few_items

_MIN_JUDGES_SAMPLED = 3
_MIN_ARMS_RANGED = 3
_NO_SD = 1e-9
_MOST_LOG = 14.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Design:
    """One cell of a D-study."""

    items: int
    judges: int
    repeats: int
    sd: float
    """Standard deviation of an arm's mean around its own level, against other arms, points."""
    judgments: int
    """Judgments an arm: items × judges × repeats."""
    low: float | None = None
    """Lower end of the 90 % range of `sd`; None where it was not asked for."""
    high: float | None = None


def complete_block(totals: FloatArray) -> tuple[FloatArray, float]:
    """Items with every judgment there, and the share of marks that was dropped for it.

    Args:
        totals: Shape (A, I, J, R), NaN where nothing was scored.

    Returns:
        Shape (A, I', J, R) without gaps, and the share in [0, 1] of given marks left out.

    Source:
        Own search, docs/judge.md.
    """
    there = np.isfinite(totals)
    block = totals[:, there.all(axis=(0, 2, 3))]
    given = int(there.sum())
    return block, 1 - block.size / given if given else 0.0


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Block:
    """A complete block that was cut out of marks with gaps."""

    totals: FloatArray
    """Shape (A', I', J, R') without gaps."""
    arms: tuple[int, ...]
    """Indices of the arms kept."""
    judges: tuple[int, ...]
    """Indices of the judges kept."""
    dropped: float
    """Share of given marks that were left out."""


def largest_block(totals: FloatArray) -> Block:
    """The complete block with most marks by leaving out arms, items, repeats and judges.

    Arms and judges leave in the order of their gaps, repeats from the last one: an arm
    that is blocked on most items would else take all items with it, a judge that scored
    once all second scorings, and cells judged twice for the noise would make a second
    repeat of nothing. Two judges stay where there are two.

    Args:
        totals: Shape (A, I, J, R), NaN where nothing was scored.

    Returns:
        A block with two arms or more and with two repeats or more where there is one
        of five items; else the largest there is, possibly empty.

    Raises:
        ValueError: `totals` has not four axes.

    Source:
        Own search, docs/judge.md.
    """
    if totals.ndim != 4:  # noqa: PLR2004 - four axes
        raise ValueError(f"totals must have shape (A, I, J, R), got {totals.shape}")
    given = int(np.isfinite(totals).sum())
    best, rank = Block(totals=totals[:0], arms=(), judges=(), dropped=1.0), (False, 0)
    for part, judges, arms in _cuts(totals):
        block, _ = complete_block(part)
        able = min(part.shape[0], part.shape[3]) > 1
        able = able and block.shape[1] >= LEAST_ITEMS["components"]
        if (able, block.size) > rank:
            rank = (able, block.size)
            best = Block(
                totals=block, arms=_codes(arms), judges=_codes(judges),
                dropped=1 - block.size / given,
            )  # fmt: skip
    return best


def _cuts(totals: FloatArray) -> Iterator[tuple[FloatArray, IntArray, IntArray]]:
    """What is left of the totals, with the judges and the arms that it is of."""
    for r in range(1, totals.shape[3] + 1):
        scored: BoolArray = np.asarray(np.isfinite(totals[..., :r]).all(axis=3))
        for judges in _fullest(scored.sum(axis=(0, 1))):
            cells = scored[:, :, judges].all(axis=2)
            for arms in _fullest(cells.sum(axis=1)):
                yield totals[arms][:, :, judges, :r], judges, arms


def _fullest(counts: IntArray) -> Iterator[IntArray]:
    """All of them, then without the one with fewest marks, down to two."""
    ranked = np.argsort(-counts, kind="stable")
    for kept in range(counts.size, min(2, counts.size) - 1, -1):
        yield np.sort(ranked[:kept])


def _codes(found: IntArray) -> tuple[int, ...]:
    return tuple(int(one) for one in found)


def variance_components(totals: FloatArray) -> VarianceParts | Refusal:
    """Variance components of a complete block from expected mean squares.

    Args:
        totals: Shape (A, I, J, R), scale points; items with a gap are left out
            (`complete_block` says how much that drops).

    Returns:
        The components. `Refusal` with ``too_few_arms``, ``too_few_judges`` or
        ``too_few_repeats`` below two of them, ``too_few_items`` below five
        complete items, ``no_variation`` where all totals are equal.

    Raises:
        ValueError: `totals` has not four axes.

    Source:
        Cronbach et al. (1972); Brennan (2001).
    """
    if totals.ndim != 4:  # noqa: PLR2004 - four axes
        raise ValueError(f"totals must have shape (A, I, J, R), got {totals.shape}")
    block = settled(complete_block(totals)[0])
    a, i, j, r = block.shape
    for have, code in (
        (a, RefusalCode.TOO_FEW_ARMS),
        (j, RefusalCode.TOO_FEW_JUDGES),
        (r, RefusalCode.TOO_FEW_REPEATS),
    ):
        if have < 2:  # noqa: PLR2004 - a spread needs two
            return Refusal(statistic="components", code=code.value, have=have, need=2)
    refused = too_few_items("components", i)
    if refused is not None:
        return refused
    if float(block.max()) == float(block.min()):
        return Refusal(statistic="components", code=RefusalCode.NO_VARIATION.value, have=1, need=2)
    return _solve(block)


def _solve(x: FloatArray) -> VarianceParts:
    a, i, j, r = x.shape
    ms = mean_squares(x)
    e = ms["residual"]
    raw = {"item_arm_judge": (ms["aij"] - e) / r}
    raw["item_arm"] = (ms["ai"] - ms["aij"]) / (j * r)
    raw["arm_judge"] = (ms["aj"] - ms["aij"]) / (i * r)
    raw["item_judge"] = (ms["ij"] - ms["aij"]) / (a * r)
    raw["arm"] = (ms["a"] - ms["ai"] - ms["aj"] + ms["aij"]) / (i * j * r)
    raw["item"] = (ms["i"] - ms["ai"] - ms["ij"] + ms["aij"]) / (a * j * r)
    raw["judge"] = (ms["j"] - ms["aj"] - ms["ij"] + ms["aij"]) / (a * i * r)
    return VarianceParts(
        residual=e,
        negative=tuple(sorted(name for name, value in raw.items() if value < 0)),
        n_arms=a,
        n_items=i,
        n_judges=j,
        n_repeats=r,
        **{name: max(0.0, value) for name, value in raw.items()},
    )


def mean_squares(x: FloatArray) -> dict[str, float]:
    """Mean squares of a complete crossed block with repeats.

    Args:
        x: Shape (A, I, J, R), no gaps, at least two of each.

    Returns:
        By effect: ``a``, ``i``, ``j``, ``ai``, ``aj``, ``ij``, ``aij``, ``residual``.

    Source:
        Cronbach et al. (1972); Brennan (2001).
    """
    a, i, j, r = x.shape
    cell = x.mean(axis=3)
    sizes = {"a": a, "i": i, "j": j}
    axes = {"a": 0, "i": 1, "j": 2}
    effects: dict[str, FloatArray] = {"": np.full((1, 1, 1), cell.mean())}
    out: dict[str, float] = {}
    for name in ("a", "i", "j", "ai", "aj", "ij", "aij"):
        away = tuple(axes[f] for f in "aij" if f not in name)
        effect = cell.mean(axis=away, keepdims=True) if away else cell
        for lower, found in effects.items():
            if set(lower) < set(name):
                effect = effect - found
        effects[name] = effect
        df = float(np.prod([sizes[f] - 1 for f in name]))
        out[name] = float((effect**2).sum()) * (cell.size / effect.size) * r / df
    out["residual"] = float(((x - cell[..., None]) ** 2).sum()) / (cell.size * (r - 1))
    return out


def d_study(
    found: VarianceParts, *, items: Sequence[int], judges: Sequence[int], repeats: Sequence[int]
) -> tuple[Design, ...]:
    """Spread of an arm's mean, against other arms, under other designs.

    v_ia/N + v_aj/J + v_iaj/(N J) + v_e/(N J R): what is shared by all arms drops out.

    Args:
        found: Components of a pilot; below five items there are none.
        items: Numbers of items to try, ≥ 1.
        judges: Numbers of judges, ≥ 1.
        repeats: Numbers of repeats, ≥ 1.

    Returns:
        One entry for each combination, in the order given, items outermost.

    Raises:
        ValueError: A number is below 1.

    Source:
        Brennan (2001).
    """
    if min((*items, *judges, *repeats), default=1) < 1:
        raise ValueError("a design has at least one of each")
    out = []
    for n in items:
        for j in judges:
            for r in repeats:
                variance = found.item_arm / n + found.arm_judge / j
                variance += found.item_arm_judge / (n * j) + found.residual / (n * j * r)
                out.append(
                    Design(items=n, judges=j, repeats=r, sd=sqrt(variance), judgments=n * j * r)
                )
    return tuple(out)


def d_study_ranges(
    totals: FloatArray, *, items: Sequence[int], judges: Sequence[int], repeats: Sequence[int]
) -> tuple[Design, ...] | Refusal:
    """`d_study` of a pilot, each spread with its 90 % jackknife range.

    Items *and* arms are left out in turn, and their variances of log sd added: a judge's
    lean varies over arms, so items alone would hold the true spread in 41–95 % instead of
    90 %. Student's t on the fewer of both less one; wide where a pilot is small.

    Args:
        totals: Shape (A, I, J, R), the pilot; items with a gap are left out.
        items: As for `d_study`.
        judges: As for `d_study`.
        repeats: As for `d_study`.

    Returns:
        Designs with `low` and `high`; None there where leaving one out leaves no spread.
        Refusals as `variance_components`, and ``too_few_arms`` below three arms.

    Raises:
        ValueError: A number is below 1, or `totals` has not four axes.

    Source:
        Brennan (2001); the range is our own choice, docs/statistics.md shows its coverage.
    """
    found = variance_components(totals)
    if isinstance(found, Refusal):
        return found
    if found.n_arms < _MIN_ARMS_RANGED:
        return Refusal(
            statistic="components",
            code=RefusalCode.TOO_FEW_ARMS.value,
            have=found.n_arms,
            need=_MIN_ARMS_RANGED,
        )
    grid = {"items": items, "judges": judges, "repeats": repeats}
    designs = d_study(found, **grid)
    block = settled(complete_block(totals)[0])
    variance = np.zeros(len(designs))
    for axis in (0, 1):
        n = block.shape[axis]
        left = np.array(
            [
                [one.sd for one in d_study(_solve(np.delete(block, at, axis)), **grid)]
                for at in range(n)
            ]
        )
        logs = np.where((left > _NO_SD).all(axis=0), np.log(np.maximum(left, _NO_SD)), np.nan)
        variance += (n - 1) / n * ((logs - logs.mean(axis=0)) ** 2).sum(axis=0)
    half = t_quantile(0.95, min(found.n_arms, found.n_items) - 1) * np.sqrt(variance)
    return tuple(_ranged(one, float(h)) for one, h in zip(designs, half, strict=True))


def _ranged(design: Design, half: float) -> Design:
    # Beyond a factor of a million the pilot says nothing of this design.
    if design.sd <= _NO_SD or not _NO_SD < half < _MOST_LOG:
        return design
    return replace(design, low=design.sd * exp(-half), high=design.sd * exp(half))


def cheapest(designs: Sequence[Design], *, sd: float) -> Design | None:
    """The design of fewest judgments that keeps the spread of an arm's mean within `sd`.

    Args:
        designs: What `d_study` returned.
        sd: Largest spread that will do, scale points.

    Returns:
        The cheapest, of equals the one with fewest repeats; None where none will do.

    Source:
        Brennan (2001), D-study.
    """
    fit = [one for one in designs if one.sd <= sd]
    return min(fit, key=lambda one: (one.judgments, one.repeats, one.judges), default=None)


def difference_over_judges(d: FloatArray, *, level: float = 0.95) -> Estimate | Refusal:
    """Difference of two arms with judges taken as a sample of judges.

    Args:
        d: Shape (N, J), difference on each item by each judge, scale points;
            items with a gap are left out.
        level: Confidence.

    Returns:
        Mean difference for other items *and* other judges, ``kind``
        "items-and-judges", variance (MS_I + MS_J − MS_E)/(N J) with Satterthwaite
        degrees of freedom. `Refusal` with ``too_few_judges`` below three judges
        (two are unstable), ``too_few_items`` below three items, ``zero_spread``.

    Raises:
        ValueError: `d` has not two axes or `level` is not within (0, 1).

    Source:
        Satterthwaite (1946); docs/statistics.md shows what items alone miss.
    """
    if d.ndim != 2 or not 0 < level < 1:  # noqa: PLR2004 - two axes
        raise ValueError(f"d of shape {d.shape} at level {level}")
    block = d[np.isfinite(d).all(axis=1)]
    n, j = block.shape
    if j < _MIN_JUDGES_SAMPLED:
        return Refusal(
            statistic="difference",
            code=RefusalCode.TOO_FEW_JUDGES.value,
            have=j,
            need=_MIN_JUDGES_SAMPLED,
        )
    if n < LEAST_ITEMS["difference"]:
        return too_few_items("difference", n) or Refusal(
            statistic="difference", code=RefusalCode.TOO_FEW_ITEMS.value, have=n, need=3
        )
    mean = float(block.mean())
    rows, columns = block.mean(axis=1) - mean, block.mean(axis=0) - mean
    ms_i = float((rows**2).sum()) * j / (n - 1)
    ms_j = float((columns**2).sum()) * n / (j - 1)
    rest = block - mean - rows[:, None] - columns[None, :]
    ms_e = float((rest**2).sum()) / ((n - 1) * (j - 1))
    # Below the larger of its two parts the sum would claim more than either facet allows.
    total = max(ms_i + ms_j - ms_e, ms_i, ms_j)
    if total <= 1e-12 * (1 + mean**2):
        return Refusal(statistic="difference", code=RefusalCode.ZERO_SPREAD.value, have=0, need=1)
    df = total**2 / (ms_i**2 / (n - 1) + ms_j**2 / (j - 1) + ms_e**2 / ((n - 1) * (j - 1)))
    half = t_quantile((1 + level) / 2, max(df, 1.0)) * sqrt(total / (n * j))
    return Estimate(
        value=mean, n=n, low=mean - half, high=mean + half, level=level, kind="items-and-judges"
    )
