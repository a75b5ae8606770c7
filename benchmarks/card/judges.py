"""Simulated judges: their marks are computed from hidden worth and from planted leanings.

Everything is drawn anew for each run, items and answers too: what an interval over items
has to hold is what the judge does to items of this kind.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from judgebench.stats.arrays import FloatArray

ARMS, CRITERIA = 4, 3
OWN = (True, True, False, False)
"""Arms of the judge's own family."""
FEATURES = ("headings", "list_lines", "bold_words")
_ARM = np.array([0.3, -0.1, 0.1, -0.3])
_REFERENCE_NOISE = 0.6


@dataclass(frozen=True, kw_only=True)
class Planted:
    """A judge and its leanings, in scale points."""

    name: str
    low: float = 1.0
    high: float = 10.0
    worth: float = 5.5
    noise: float = 0.7
    """Standard deviation of one mark around what the judge thinks."""
    uneven: float = 0.0
    """How far that differs between items: sd of its logarithm."""
    stubborn: float = 0.0
    """Share of marks that are given again as they were."""
    order: float = -0.3
    """A place further down a list."""
    first: float = 0.4
    """Standing first in a pair."""
    length: float = 0.25
    """Twice the length."""
    headings: float = 0.3
    """Twice as many headings (and one)."""
    family: float = 0.8
    lenient: float = 0.6
    squeezed: float = 0.7
    """What is left of a difference in worth; 1 is all."""
    tails: bool = False
    """A few answers are far longer than all others."""
    beyond: bool = False
    """More uneven than the few cells that are judged again can show: shown, but no goal."""
    passes: tuple[float, ...] = (1.0, 0.9, 0.3)
    """Chances that a control of each kind is treated rightly."""


NOTHING = Planted(
    name="no leaning",
    order=0.0,
    first=0.0,
    length=0.0,
    headings=0.0,
    family=0.0,
    lenient=0.0,
    squeezed=1.0,
    passes=(1.0, 0.95, 0.95),
)
JUDGES = (
    Planted(name="plain"),
    NOTHING,
    Planted(name="near the ceiling", worth=8.2),
    Planted(name="1–5, four of five marks repeated", high=5.0, worth=3.0, noise=0.6, stubborn=0.8,
            order=-0.15, length=0.12, headings=0.15, family=0.4, lenient=0.3),
    Planted(name="unsure of some items", uneven=0.4),
    Planted(name="a few very long answers", tails=True),
    Planted(name="very unsure of some items", uneven=0.8, beyond=True),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawn:
    """One run under one judge."""

    judge: Planted
    marks: FloatArray = field(repr=False)
    """Shape (A, I, K): one answer a request, each once."""
    again: FloatArray = field(repr=False)
    """The same once more."""
    listed: FloatArray = field(repr=False)
    """Shape (A, I, K, 2): all answers of an item in one request, in two orders."""
    places: FloatArray = field(repr=False)
    """Shape (A, I, 2)."""
    lengths: FloatArray = field(repr=False)
    """Shape (A, I), characters."""
    looks: FloatArray = field(repr=False)
    """Shape (features, A, I), log2(1 + how many)."""
    reference: FloatArray = field(repr=False)
    """Shape (A, I, K): another rater without leanings."""
    wins: FloatArray = field(repr=False)
    """Shape (pairs, I, 2): what the answer shown first won, in both orders."""
    noted: FloatArray = field(repr=False)
    """Shape (A, I), bool as 0/1: cells that are judged again for the noise."""

    @property
    def cells(self) -> FloatArray:
        """Shape (A, I): the total of each answer."""
        return np.asarray(self.marks.mean(axis=2))


def _marked(judge: Planted, thought: FloatArray, noise: FloatArray | float,
            rng: np.random.Generator) -> FloatArray:  # fmt: skip
    drawn = np.rint(thought + noise * rng.normal(0, 1, thought.shape))
    return np.asarray(np.clip(drawn, judge.low, judge.high), dtype=np.float64)


def pairs_of(arms: int = ARMS) -> Sequence[tuple[int, int]]:
    """Every pair of arms once."""
    return [(a, b) for a in range(arms) for b in range(a + 1, arms)]


def draw(judge: Planted, items: int, rng: np.random.Generator, *, noted: int) -> Drawn:
    """One run of so many items.

    Args:
        judge: Who marks.
        items: How many.
        rng: Where all is drawn from.
        noted: Cells judged again for the noise.
    """
    shape = (ARMS, items)
    spread = 0.5 if judge.high < 10 else 1.0
    worth = judge.worth + spread * (
        _ARM[:, None] + 0.9 * rng.normal(0, 1, items) + 0.7 * rng.normal(0, 1, shape)
    )
    doublings = 0.8 * rng.normal(0, 1, items) + 0.7 * rng.normal(0, 1, shape)
    if judge.tails:
        doublings = doublings + 4 * (rng.random(shape) < 0.03)
    looks = np.log2(1 + rng.poisson(np.array([2.0, 4.0, 3.0])[:, None, None], (3, *shape)))
    kinds = spread * 0.5 * rng.normal(0, 1, (*shape, CRITERIA))
    noise = judge.noise * np.exp(judge.uneven * rng.normal(0, 1, items))[None, :, None]
    middle = (judge.low + judge.high) / 2

    def varied(effect: float) -> FloatArray:
        """An effect that differs from item to item."""
        return np.asarray(effect * (1 + 0.5 * rng.normal(0, 1, items)))

    liked = (
        judge.lenient
        + varied(judge.length) * doublings
        + varied(judge.headings) * (looks[0] - looks[0].mean())
        + varied(judge.family) * (np.array(OWN)[:, None] - 0.5)
    )
    thought = middle + judge.squeezed * (worth[..., None] + kinds - middle) + liked[..., None]
    marks = _marked(judge, thought, noise, rng)
    again = _marked(judge, thought, noise, rng)
    again = np.where(rng.random(again.shape) < judge.stubborn, marks, again)
    places = rng.permuted(np.broadcast_to(np.arange(ARMS)[:, None, None], (*shape, 2)), axis=0)
    slope = varied(judge.order)[None, :, None]
    listed = np.stack(
        [
            _marked(
                judge, thought + (slope[..., 0] * (places[..., r] - 1.5))[..., None], noise, rng
            )
            for r in (0, 1)
        ],
        axis=3,
    )
    other = worth[..., None] + kinds
    chosen = np.zeros(ARMS * items)
    chosen[rng.permutation(ARMS * items)[:noted]] = 1
    return Drawn(
        judge=judge,
        marks=marks,
        again=again,
        listed=listed,
        places=np.asarray(places, dtype=np.float64),
        lengths=np.maximum(1, np.rint(2 ** (10 + doublings))),
        looks=looks,
        reference=_marked(judge, other, _REFERENCE_NOISE, rng),
        wins=_compared(judge, thought.mean(axis=2), varied(judge.first), rng),
        noted=chosen.reshape(shape),
    )


def _compared(
    judge: Planted, thought: FloatArray, bonus: FloatArray, rng: np.random.Generator
) -> FloatArray:
    out = []
    for a, b in pairs_of():
        for first, second in ((a, b), (b, a)):
            gap = thought[first] - thought[second] + bonus
            gap = gap + judge.noise * rng.logistic(0, 0.6, gap.shape)
            out.append(np.where(np.abs(gap) < 0.2, 0.5, gap > 0))
    wins = np.stack(out).reshape(len(pairs_of()), 2, -1)
    return np.asarray(wins.transpose(0, 2, 1), dtype=np.float64)
