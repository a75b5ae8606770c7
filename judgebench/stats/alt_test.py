"""May a judge take the place of one of the people? The alternative annotator test.

Each person is left out in turn. Judge and person are compared with those who
remain: who is at least as close to them wins the unit, a tie counts for both.
Input is one row a person, a column a unit (a cell, or a comparison), in scale
points, NaN where somebody gave no mark.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Literal

import numpy as np

from judgebench.model.nouns import Refusal
from judgebench.model.people import AltTest, Excluded
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import TIE, FloatArray, IntArray, settled
from judgebench.stats.special import stdtr

Scoring = Literal["accuracy", "rmse"]

LEAST_ITEMS = 30
"""Items on which a person must stand beside others and the judge."""
LEAST_PEOPLE = 2
ALPHA = 0.05
PASSES = 0.5
"""Winning rate from which the judge may stand in."""


def alt_test(
    people: FloatArray,
    judge: FloatArray,
    *,
    epsilon: float,
    names: Sequence[str] = (),
    scoring: Scoring = "rmse",
    items: IntArray | None = None,
) -> AltTest | Refusal:
    """Alternative annotator test.

    Args:
        people: Shape (P, U), a row a person, NaN where there is no mark.
        judge: Shape (U,), NaN where there is none.
        epsilon: Advantage of a person, as a share of wins, that the judge's lower
            cost makes up for: 0.2 for experts, 0.15 for skilled people, 0.1 for a crowd.
        names: Of the P people; numbers from 1 where there are none.
        scoring: ``rmse`` for marks on a scale, ``accuracy`` for labels.
        items: Shape (U,), the item of each unit; units of one item are averaged
            first, because they are no independent evidence. None: each its own.

    Returns:
        The test over the people with 30 items or more. `Refusal` with
        ``single_annotator`` where nobody remains to compare with,
        ``too_few_items`` where nobody has enough items.

    Raises:
        ValueError: Shapes do not fit, or ε lies outside of [0, 1).

    Source:
        Calderon, Reichart, Dror (2025), arXiv 2501.10970; their code takes units
        as independent, which is the same where each item has one unit.
    """
    codes = np.arange(judge.size) if items is None else items
    if people.ndim != 2 or people.shape[1:] != judge.shape or codes.shape != judge.shape:  # noqa: PLR2004 - two axes
        raise ValueError("people must have shape (P, U), judge and items (U,)")
    if not 0 <= epsilon < 1:
        raise ValueError(f"epsilon must be within [0, 1), got {epsilon}")
    known = np.isfinite(people)
    there = int(known.any(axis=1).sum())
    usable = (known.sum(axis=0) >= LEAST_PEOPLE) & np.isfinite(judge)
    if there < LEAST_PEOPLE:
        return Refusal(
            statistic="alt_test",
            code=RefusalCode.SINGLE_ANNOTATOR.value,
            have=there,
            need=LEAST_PEOPLE,
        )
    found, most = [], 0
    for person in range(people.shape[0]):
        used = usable & known[person]
        n = int(np.unique(codes[used]).size)
        most = max(most, n)
        if n >= LEAST_ITEMS:
            found.append((person, *_against(people, judge, person, used, codes, scoring), n))
    if not found:
        return Refusal(
            statistic="alt_test", code=RefusalCode.TOO_FEW_ITEMS.value, have=most,
            need=LEAST_ITEMS, how="items that two people marked",
        )  # fmt: skip
    known_as = names or tuple(str(at + 1) for at in range(people.shape[0]))
    return _tested(found, known_as, epsilon=epsilon, left_out=there - len(found))


def _tested(
    found: list[tuple[int, FloatArray, FloatArray, int]],
    names: Sequence[str],
    *,
    epsilon: float,
    left_out: int,
) -> AltTest:
    p = np.array([_p(theirs - ours, epsilon) for _, ours, theirs, _ in found])
    rejected = benjamini_yekutieli(p) <= ALPHA
    rows = tuple(
        Excluded(
            person=names[person],
            judge_wins=float(ours.mean()),
            person_wins=float(theirs.mean()),
            items=n,
            p=float(one),
            rejected=bool(yes),
        )
        for (person, ours, theirs, n), one, yes in zip(found, p, rejected, strict=True)
    )
    winning = sum(row.rejected for row in rows) / len(rows)
    return AltTest(
        winning_rate=winning,
        passes=winning >= PASSES,
        advantage=float(np.mean([row.judge_wins for row in rows])),
        epsilon=epsilon,
        people=rows,
        left_out=left_out,
    )


def _against(
    people: FloatArray,
    judge: FloatArray,
    person: int,
    used: np.ndarray[tuple[int], np.dtype[np.bool_]],
    codes: IntArray,
    scoring: Scoring,
) -> tuple[FloatArray, FloatArray]:
    """Wins of judge and person on each item, as shares of its units."""
    others = np.delete(people, person, axis=0)[:, used]
    ours = _closeness(judge[used], others, scoring)
    theirs = _closeness(people[person, used], others, scoring)
    _, place = np.unique(codes[used], return_inverse=True)
    size = np.bincount(place)
    return (
        np.bincount(place, weights=ours >= theirs - TIE) / size,
        np.bincount(place, weights=theirs >= ours - TIE) / size,
    )


def _closeness(one: FloatArray, others: FloatArray, scoring: Scoring) -> FloatArray:
    known = np.isfinite(others)
    gap = np.where(known, settled(np.where(known, others, 0.0)) - settled(one), 0.0)
    n = known.sum(axis=0)
    if scoring == "accuracy":
        return np.asarray((known & (np.abs(gap) <= TIE)).sum(axis=0) / n, dtype=np.float64)
    return np.asarray(-np.sqrt((gap**2).sum(axis=0) / n), dtype=np.float64)


def _p(gap: FloatArray, epsilon: float) -> float:
    """One-sided p of a mean below ε; without any spread the mean alone decides."""
    mean, n = float(gap.mean()), gap.size
    sd = float(gap.std(ddof=1)) if float(np.ptp(gap)) > TIE else 0.0
    if sd == 0:
        return 0.0 if mean < epsilon - TIE else 1.0
    return float(stdtr(n - 1, (mean - epsilon) / (sd / sqrt(n))))


def benjamini_yekutieli(p: FloatArray) -> FloatArray:
    """Adjusted p-values that hold the false discovery rate under any dependence.

    Args:
        p: Shape (P,), each in [0, 1].

    Returns:
        Shape (P,), adjusted, in the order given.

    Source:
        Benjamini & Yekutieli (2001).

    >>> benjamini_yekutieli(np.array([0.01, 0.04])).round(3).tolist()
    [0.03, 0.06]
    """
    n = p.size
    order = np.argsort(p, kind="stable")
    harmonic = float((1 / np.arange(1, n + 1)).sum())
    raised = p[order] * n * harmonic / np.arange(1, n + 1)
    out = np.empty_like(p)
    out[order] = np.minimum(np.minimum.accumulate(raised[::-1])[::-1], 1.0)
    return out
