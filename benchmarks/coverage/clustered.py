"""Items in clusters: what intervals and decisions by cluster hold, and what items alone do.

Integer marks of five equal arms; of the variance of an item's difference ICC lies between
clusters. All sums of a run are made by the product's own `cr2`, many runs at once.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import stdtr, stdtrit

from benchmarks.coverage.batched import every_pair, mean_ends
from benchmarks.coverage.scenarios import generator
from judgebench.model.nouns import Refusal
from judgebench.stats.arrays import FloatArray, IntArray
from judgebench.stats.cluster_flips import clustered_max_t
from judgebench.stats.cr2 import Summed, cr2_variance, groups, satterthwaite
from judgebench.stats.levels import LEAST_ITEMS
from judgebench.stats.pairs import holm
from judgebench.stats.planning import detectable_difference
from judgebench.stats.spreads import Units

ARMS = 5
ICC = 0.3
BATCH = 500
LOW, HIGH, MEAN = 1.0, 10.0, 5.5
BELOW = np.array([0.0, 0.5, 1.0, 1.0, 1.5])
"""How far the five arms lie below the best, points, for the set of possible best."""


@dataclass(frozen=True, kw_only=True)
class Clustered:
    """Clusters of items, and how marks spread in them.

    Args:
        name: As in the published table.
        sizes: Items of the first clusters; further ones begin again.
        spread: Standard deviation of an arm's item around its mean, points.
        icc: Share of that variance that lies between clusters.
    """

    name: str
    sizes: tuple[int, ...]
    spread: float = 1.0
    icc: float = ICC

    def codes(self, clusters: int) -> IntArray:
        """The cluster of each item."""
        sizes = np.resize(np.array(self.sizes), clusters)
        return np.repeat(np.arange(clusters), sizes)

    def marks(self, runs: int, codes: IntArray, rng: np.random.Generator) -> FloatArray:
        """Draw marks of shape (B, A, I), integers on the scale."""
        shape = (runs, ARMS, codes.size)
        shared = rng.normal(0, self.spread * sqrt(self.icc), (runs, ARMS, int(codes[-1]) + 1))
        own = rng.normal(0, self.spread * sqrt(1 - self.icc), shape)
        hard = rng.normal(0, 1, (runs, 1, codes.size))
        return np.clip(np.rint(MEAN + hard + shared[:, :, codes] + own), LOW, HIGH)


UNEQUAL = (1, 2, 4, 8, 15)
SCENARIOS = (
    Clustered(name="six items each", sizes=(6,)),
    Clustered(name="1, 2, 4, 8 and 15 items", sizes=UNEQUAL),
    Clustered(name="six near copies each, heavy ties", sizes=(6,), spread=0.3, icc=0.9),
)
SIZES = (3, 5, 10, 30)
"""Clusters."""


@dataclass(frozen=True, kw_only=True)
class ClusterRow:
    """One scenario at one number of clusters; shares of runs, None where all refuse."""

    scenario: str
    n: int
    """Clusters."""
    runs: int
    ours: float
    """Intervals of one difference that hold 0."""
    items: float
    """The same by Student's t over items."""
    mean: float | None
    """Intervals of one arm's mean that hold it."""
    false_above: float
    items_above: float
    """Any pair separated by Holm's rule over t of items."""
    best_kept: float
    power: float
    """A true gap of the detectable difference that is found."""


def cluster_row(scenario: Clustered, n: int, runs: int) -> ClusterRow:
    """All shares of one scenario at `n` clusters."""
    rng, flips = (generator("clustered", scenario.name, n, what) for what in ("marks", "flips"))
    codes, keys = scenario.codes(n), every_pair(ARMS)
    truth = float(
        scenario.marks(400, scenario.codes(200), generator("truth", scenario.name)).mean()
    )
    gap = _detectable(scenario, codes)
    hits = np.zeros(7)
    for start in range(0, runs, BATCH):
        x = scenario.marks(min(BATCH, runs - start), codes, rng)
        d = x[:, keys[:, 0]] - x[:, keys[:, 1]]
        t, df, se = by_cluster(d, codes)
        by_items = d.mean(axis=2) / np.sqrt(_floored(d.var(axis=2, ddof=1)) / codes.size)
        p_items = 2 * stdtr(codes.size - 1, -np.abs(by_items))
        low, high = _mean_ends(x[:, 0], codes, flips)
        one = t[:, 0]
        hits += (
            (np.abs(one) <= stdtrit(df[:, 0], 0.975)).sum(),
            (np.abs(by_items[:, 0]) <= stdtrit(codes.size - 1, 0.975)).sum(),
            ((low <= truth) & (truth <= high)).sum() if np.isfinite(low).all() else np.nan,
            sum(any_above(t[run], df[run], d[run], codes, flips) for run in range(len(x))),
            sum(bool((holm(np.minimum(p, 1)) <= 0.05).any()) for p in p_items),
            (t + _apart(keys) / se <= stdtrit(df, 1 - 0.05 / (ARMS - 1)))[:, keys[:, 0] == 0]
            .all(axis=1).sum(),
            (np.abs(one + gap / se[:, 0]) > stdtrit(df[:, 0], 0.975)).sum(),
        )  # fmt: skip
    shares = [None if np.isnan(hit) else float(hit / runs) for hit in hits]
    names = ("ours", "items", "mean", "false_above", "items_above", "best_kept", "power")
    found = dict(zip(names, shares, strict=True))
    if gap != gap:  # noqa: PLR0124 - not a number: none is printed
        found["power"] = None
    return ClusterRow(scenario=scenario.name, n=n, runs=runs, **found)  # type: ignore[arg-type]


def by_cluster(d: FloatArray, codes: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """t, degrees of freedom and standard error of `gaps.every_gap` for each difference (B, P)."""
    rows = d.reshape(-1, d.shape[2])
    found = groups(codes).summed(rows, np.ones(rows.shape, dtype=np.bool_))
    floor = 2 / 12 * found.alike / found.n
    se = np.sqrt(np.maximum(cr2_variance(found), floor))
    t = rows.mean(axis=1) / se
    shape = d.shape[:2]
    return t.reshape(shape), satterthwaite(found).reshape(shape), se.reshape(shape)


def any_above(
    t: FloatArray, df: FloatArray, d: FloatArray, codes: IntArray, rng: np.random.Generator
) -> bool:
    """Whether `pairs.all_pairs` separates any pair (P,) of one run."""
    told = holm(np.minimum(1, 2 * stdtr(df, -np.abs(t)))) <= 0.05
    if not told.any() or int(codes[-1]) + 1 < LEAST_ITEMS["sign_flip"]:
        return bool(told.any())
    sizes = np.bincount(codes)
    floors = np.full(len(t), 2 / 12 * (sizes**2).sum() / codes.size)
    p = clustered_max_t(d, floors, codes, rng)
    return isinstance(p, Refusal) or bool((told & (p <= 0.05)).any())


def _floored(variance: FloatArray) -> FloatArray:
    return np.maximum(variance, 2 / 12)


def _apart(keys: IntArray) -> FloatArray:
    """By how much the second of a pair is truly above the first; the sign of `t` turned."""
    return np.asarray(BELOW[keys[:, 0]] - BELOW[keys[:, 1]], dtype=np.float64)


def _mean_ends(
    x: FloatArray, codes: IntArray, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Ends of `intervals.mean_interval` of each run; NaN where clusters are unequal."""
    sizes = np.bincount(codes)
    if np.ptp(sizes):
        return np.full(len(x), np.nan), np.full(len(x), np.nan)
    # Of clusters of equal size the mean is that of their means, and CR2 is Student's t on them.
    means = x.reshape(len(x), sizes.size, -1).mean(axis=2)
    return mean_ends(means, low=LOW, high=HIGH, rng=rng)


def _detectable(scenario: Clustered, codes: IntArray) -> float:
    """What a plan says of the true spread; not a number where it says nothing."""
    many = scenario.marks(4_000, codes, generator("spread", scenario.name))
    d = many[:, 0] - many[:, 1]
    sizes = np.bincount(codes).astype(np.float64)[None]
    df = float(satterthwaite(Summed(sums=np.zeros_like(sizes), sizes=sizes))[0])
    count = sizes.size
    units = Units(size=codes.size / count, df_share=df / (count - 1))
    s_d = float(d.mean(axis=1).std()) * sqrt(codes.size)
    found = detectable_difference(s_d, codes.size, units=units, lattice=1.0)
    return float("nan") if isinstance(found, Refusal) else found.value
