"""What a card's figures have to hold: what was planted, or what very many items would show."""

from functools import cache

import numpy as np

from benchmarks.card.figures import FIGURES, USUAL
from benchmarks.card.judges import CRITERIA, Drawn, Planted, draw
from benchmarks.coverage.scenarios import generator
from judgebench.model.nouns import Estimate
from judgebench.stats import agreement
from judgebench.stats.arrays import FloatArray

ITEMS = 12_000
PLANTED = {"place in the list": "order", "length": "length"}
"""Figures whose truth is the planted leaning itself while marks stay inside the scale."""


def planted(judge: Planted, figure: str) -> float | None:
    """The leaning as it was planted; None where scale or noise change what a card shows of it."""
    if judge.high < judge.worth + 4 or figure not in PLANTED:
        return None
    value: float = getattr(judge, PLANTED[figure])
    return value


@cache
def truths(judge: Planted) -> dict[str, float]:
    """The truth of every figure under one judge."""
    big = draw(judge, ITEMS, generator("card truth", judge.name), noted=0)
    out = {
        "re-scoring sd, total": _sd(big.marks.mean(axis=2), big.again.mean(axis=2)),
        "re-scoring sd, one criterion": _sd(big.marks[..., 0], big.again[..., 0]),
        USUAL: _sd(big.marks[..., 0], big.again[..., 0]),
        "spread of marks": float(big.cells.std() / big.reference.mean(axis=2).std()),
        "beside another: alpha": _alpha(big),
    }
    for name, figure in FIGURES.items():
        exact = planted(judge, name)
        if exact is not None:
            out[name] = exact
        elif name not in out:
            found = figure(big)
            assert isinstance(found, Estimate), found
            out[name] = found.value
    return out


def _sd(once: FloatArray, again: FloatArray) -> float:
    return float(np.sqrt(np.mean((once - again) ** 2) / 2))


def _alpha(big: Drawn) -> float:
    """Without the items, whose jackknife over so many would only take time."""
    both = np.stack([big.cells.ravel(), big.reference.mean(axis=2).ravel()], axis=1)
    found = agreement.alpha(np.rint(both * CRITERIA) / CRITERIA, metric="ordinal")
    assert isinstance(found, Estimate), found
    return found.value
