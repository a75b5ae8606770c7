"""The figures of a card, from the product's own functions."""

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np
from scipy.special import chdtri

from benchmarks.card.judges import ARMS, CRITERIA, FEATURES, OWN, Drawn, pairs_of
from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats import agreement, bias, checks, ordering, repeatability, scale_use
from judgebench.stats.arrays import FloatArray, IntArray
from judgebench.stats.pairwise import Comparisons
from judgebench.stats.probes import Probe
from judgebench.stats.scale_use import Levels

Figure = Callable[[Drawn], Estimate | Refusal]

USUAL = "the same, by χ² (not on the card)"


def _effect(found: Probe | Refusal) -> Estimate | Refusal:
    return found if isinstance(found, Refusal) else found.effect


def _items(run: Drawn) -> IntArray:
    """The item of each cell, shape (A, I)."""
    return np.broadcast_to(np.arange(run.cells.shape[1]), run.cells.shape)


def _noise(run: Drawn) -> FloatArray:
    """Totals (A, I, 2), the second only where a cell is judged again."""
    totals = np.stack([run.marks, run.again], axis=3).mean(axis=2)
    totals[..., 1] = np.where(run.noted > 0, totals[..., 1], np.nan)
    return np.asarray(totals)


def _sd(run: Drawn) -> Estimate | Refusal:
    found = repeatability.rescoring_sd(_noise(run), step=CRITERIA**-0.5, items=_items(run))
    return found if isinstance(found, Refusal) else found.sd


def _sd_of_one(run: Drawn) -> Estimate | Refusal:
    both = np.stack([run.marks[..., 0], run.again[..., 0]], axis=2)
    both[..., 1] = np.where(run.noted > 0, both[..., 1], np.nan)
    found = repeatability.rescoring_sd(both, step=1.0, items=_items(run))
    return found if isinstance(found, Refusal) else found.sd


def _usual_sd(run: Drawn) -> Estimate | Refusal:
    """The usual interval of one criterion: χ², as if noise were normal and equal everywhere."""
    gaps = (run.marks[..., 0] - run.again[..., 0])[run.noted > 0]
    value, df = float(np.sqrt(np.mean(gaps**2) / 2)), gaps.size
    low, high = (value * float(np.sqrt(df / chdtri(df, tail))) for tail in (0.025, 0.975))
    return Estimate(value=value, n=df, low=low, high=high, kind="chi-square")


def _swaps(run: Drawn) -> Estimate | Refusal:
    return repeatability.swap_share(
        np.stack([run.marks, run.again], axis=3).mean(axis=2)[:, :, None]
    )


def _alpha(run: Drawn) -> Estimate | Refusal:
    mine, theirs = run.cells, run.reference.mean(axis=2)
    both = np.stack([mine.ravel(), theirs.ravel()], axis=1)
    return agreement.alpha(both, metric="ordinal", items=_items(run).ravel())


def _compression(run: Drawn) -> Estimate | Refusal:
    low, high = run.judge.low, run.judge.high
    found = scale_use.compression(
        run.cells, run.reference.mean(axis=2), low=low, high=high, step=1.0
    )
    return found.ratio if isinstance(found, Levels) else found


def _first(run: Drawn) -> Estimate | Refusal:
    items = run.wins.shape[1]
    item, first, second = [], [], []
    for a, b in pairs_of(ARMS):
        for i, j in ((a, b), (b, a)):
            item.append(np.arange(items))
            first.append(np.full(items, i))
            second.append(np.full(items, j))
    return _effect(
        bias.first_place(
            Comparisons(
                item=np.concatenate(item), first=np.concatenate(first),
                second=np.concatenate(second), outcome=run.wins.transpose(0, 2, 1).ravel(),
                n_arms=ARMS,
            ),
            np.random.default_rng(0),
        )
    )  # fmt: skip


@lru_cache(maxsize=1)
def _style(run: Drawn) -> tuple[Estimate | Refusal, ...]:
    features = np.concatenate([run.looks, np.log2(run.lengths)[None]])
    return tuple(map(_effect, bias.style_slopes(run.cells, features, (*FEATURES, "length"))))


FIGURES: Mapping[str, Figure] = {
    "re-scoring sd, total": _sd,
    "re-scoring sd, one criterion": _sd_of_one,
    USUAL: _usual_sd,
    "pairs that turn": _swaps,
    "length baseline": lambda run: checks.length_baseline(run.cells, run.lengths),
    "beside another: gap (leniency)": lambda run: _effect(
        bias.leniency(run.cells, run.reference.mean(axis=2))
    ),
    "beside another: order kept": lambda run: ordering.ordering_accuracy(
        run.cells, run.reference.mean(axis=2)
    ),
    "beside another: alpha": _alpha,
    "place in the list": lambda run: _effect(bias.order_slope(run.listed.mean(axis=2), run.places)),
    "shown first": _first,
    "length": lambda run: _effect(bias.length_slope(run.cells, run.lengths)),
    "headings": lambda run: _style(run)[0],
    "list lines (nothing planted)": lambda run: _style(run)[1],
    "own family": lambda run: _effect(bias.family_lean(run.cells, run.reference.mean(axis=2), OWN)),
    "spread of marks": _compression,
    "criteria together": lambda run: _effect(scale_use.halo(run.marks)),
}
"""Everything on a card that has an interval and rests on marks or comparisons."""
