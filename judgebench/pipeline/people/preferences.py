"""Preferences of people between two arms, and the order that the judge gives beside them."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from judgebench.model.nouns import Estimate, Mode, Refusal
from judgebench.model.people import AltTest, PreferencePair, Preferences, Standing
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.gather import plain
from judgebench.pipeline.people.people_marks import Comparison, PeopleMarks
from judgebench.records import dataclass
from judgebench.stats import alt_test, human
from judgebench.stats.arrays import TIE, FloatArray, IntArray
from judgebench.store.store import Store

_EVEN = 0.5
Unit = tuple[int, int, int]
"""Item, earlier and later arm."""


@dataclass(frozen=True, kw_only=True, slots=True)
class VoteTest:
    """How the alternative annotator test is made."""

    epsilon: float
    slots: bool
    """Raters are places, not persons."""
    independent: bool


def preferences_of(
    store: Store, analysis: Analysis, people: PeopleMarks, judge: FloatArray, *,
    items: Sequence[str], test: VoteTest, refused: Refusal | None,
) -> Preferences | None:  # fmt: skip
    """People's comparisons and the judge's order beside them; None where there are none.

    Args:
        store: The open store.
        analysis: The judge's pass.
        people: All that people gave.
        judge: Shape (A, I), its totals, NaN where they take no part.
        items: Names of the items.
        test: How the alternative annotator test is made.
        refused: Why the judge is not held against them, where it is not.
    """
    votes = people.comparisons
    if not votes:
        return None
    said = _own(store, analysis, items) or _ordered(votes, judge)
    value = np.array([said.get(_unit(vote), np.nan) for vote in votes])
    share = _decided(np.array([vote.share for vote in votes]))
    where = np.array([vote.item for vote in votes], dtype=np.int64)
    known = np.isfinite(value)
    ours, theirs = _decided(value)[known], share[known]
    between = list(_same_comparison(votes))
    one, other = (share[[pair[side] for pair in between]] for side in (0, 1))
    among = where[[pair[0] for pair in between]]
    alt = refused or _alt(votes, people.raters, said, test)
    standing = Standing.NOT_SHOWN
    if isinstance(alt, AltTest):
        standing = Standing.STANDS_IN if alt.passes else Standing.NOT
    return Preferences(
        pairs=_pairs(analysis.ids, votes, value),
        comparisons=len(votes),
        people=len({vote.rater for vote in votes}),
        agreement=refused or _alike(ours, theirs, where[known]),
        decided=refused or _alike(ours, theirs, where[known], decided=True),
        among=_alike(one, other, among),
        among_decided=_alike(one, other, among, decided=True),
        alt_test=alt,
        standing=standing,
    )


def _unit(vote: Comparison) -> Unit:
    return vote.item, vote.first, vote.second


def _own(store: Store, analysis: Analysis, items: Sequence[str]) -> dict[Unit, float]:
    """Mean of the judge's own verdicts on each pair; empty where it marked outputs alone."""
    judging = analysis.shown.judging
    if judging.mode is not Mode.PAIRWISE or not items:
        return {}
    criteria = [criterion.id for criterion in analysis.rubric.criteria]
    rows = store.columns("pair_codes", pass_id=judging.id, run=judging.run, criteria=criteria)
    out: dict[Unit, list[float]] = {}
    columns = [plain(rows[name]) for name in ("item", "arm_first", "arm_second", "won", "noise")]
    for item, first, second, won, noise in zip(*(c.tolist() for c in columns), strict=True):
        if not noise:
            turned = first > second
            key = int(item), int(min(first, second)), int(max(first, second))
            out.setdefault(key, []).append(1 - won if turned else won)
    return {key: float(np.mean(shares)) for key, shares in out.items()}


def _ordered(votes: Sequence[Comparison], judge: FloatArray) -> dict[Unit, float]:
    """The order of the judge's totals, for each pair that people compared."""
    out: dict[Unit, float] = {}
    for vote in votes:
        gap = float(judge[vote.first, vote.item] - judge[vote.second, vote.item])
        if np.isfinite(gap):
            out[_unit(vote)] = _EVEN if abs(gap) <= TIE else float(gap > 0)
    return out


def _alt(
    votes: Sequence[Comparison], raters: Sequence[str], said: dict[Unit, float], test: VoteTest
) -> AltTest | Refusal:
    if test.slots:
        return Refusal(
            statistic="alt_test", code=RefusalCode.RATERS_NOT_IDENTIFIED.value, have=0, need=1
        )
    units = sorted({_unit(vote) for vote in votes})
    place = {unit: at for at, unit in enumerate(units)}
    who = {name: at for at, name in enumerate(raters)}
    sums = np.zeros((2, len(who), len(units)))
    for vote in votes:
        at = who[vote.rater], place[_unit(vote)]
        sums[0][at] += vote.share
        sums[1][at] += 1
    marks = np.where(sums[1] > 0, sums[0] / np.maximum(sums[1], 1), np.nan)
    return alt_test.alt_test(
        _decided(marks),
        _decided(np.array([said.get(unit, np.nan) for unit in units])),
        epsilon=test.epsilon,
        names=raters,
        scoring="accuracy",
        items=None if test.independent else np.array([u[0] for u in units], dtype=np.int64),
    )


def _pairs(
    ids: Sequence[str], votes: Sequence[Comparison], judge: FloatArray
) -> tuple[PreferencePair, ...]:
    """Shares of people and of the judge on the comparisons that both made, where there are any."""
    groups: dict[tuple[int, int], dict[int, list[tuple[float, float]]]] = {}
    for vote, value in zip(votes, judge.tolist(), strict=True):
        rows = groups.setdefault((vote.first, vote.second), {}).setdefault(vote.item, [])
        rows.append((vote.share, value))
    groups = {pair: _of_both(per) for pair, per in groups.items()}
    return tuple(
        PreferencePair(
            first=ids[first],
            second=ids[second],
            share=_mean(per, 0),
            judge=_mean(per, 1),
            comparisons=sum(map(len, per.values())),
        )
        for (first, second), per in sorted(groups.items())
    )


def _of_both(
    per: dict[int, list[tuple[float, float]]],
) -> dict[int, list[tuple[float, float]]]:
    known = {item: [row for row in rows if np.isfinite(row[1])] for item, rows in per.items()}
    return {item: rows for item, rows in known.items() if rows} or per


def _mean(per: dict[int, list[tuple[float, float]]], side: int) -> Estimate | Refusal:
    shares = np.array([np.mean([row[side] for row in rows]) for rows in per.values()])
    return human.item_share(shares, "win_rate")


def _same_comparison(votes: Sequence[Comparison]) -> Iterator[tuple[int, int]]:
    """Every two votes of different people on one comparison."""
    groups: dict[tuple[int, int, int], list[int]] = {}
    for at, vote in enumerate(votes):
        groups.setdefault((vote.item, vote.first, vote.second), []).append(at)
    for group in groups.values():
        for a, b in combinations(group, 2):
            if votes[a].rater != votes[b].rater:
                yield a, b


def _alike(
    a: FloatArray, b: FloatArray, items: IntArray, *, decided: bool = False
) -> Estimate | Refusal:
    used = (a != _EVEN) & (b != _EVEN) if decided else np.ones(a.size, dtype=bool)
    if not decided and used.any() and ((a == _EVEN).all() or (b == _EVEN).all()):
        # Who decides nothing has no opinion that could be like another's.
        code = RefusalCode.NO_VARIATION.value
        return Refusal(statistic="vote_agreement", code=code, have=1, need=2)
    return human.vote_agreement((a == b)[used].astype(np.float64), items[used])


def _decided(share: NDArray[np.float64]) -> FloatArray:
    """1, 0 or 0.5: a mean that leans to one side counts for it."""
    return np.asarray(
        np.where(np.isnan(share), np.nan, (np.sign(share - 0.5) + 1) / 2), dtype=np.float64
    )
