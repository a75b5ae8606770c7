"""What a result can say: which arms are shown apart, which are not, and what was too little.

The rules of wording are in docs/statistics.md: *best* only where the set of possible best
has one member, and what is not separated is never called equal.
"""

import math
from collections.abc import Sequence

from judgebench.model.comparing import Comparing
from judgebench.model.lacking import lacking
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.passes import DataLevel
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import ArmResult, BlockedCount, PairResult, Result
from judgebench.reports import audits, by_strengths, comparing, refusals
from judgebench.reports.digits import DASH, decimals, listed, plural, points
from judgebench.reports.naming import apart
from judgebench.reports.wording import no_totals, rested_on, scored, short
from judgebench.text import one_line

_FEW_SHARED = (
    "The arms share at most one scored item so far: no arm is shown better than another; "
    "that needs at least 3 shared items."
)
_OTHER_RATERS = (
    "No two arms were marked by one person on 3 items: no arm is shown better than another, for "
    "what a person gives more than another cannot be told from what an arm is worth."
)
_ONE_CLUSTER = (
    "The arms share items of at most one cluster: no arm is shown better than another; that "
    "needs items of at least 3 clusters."
)
ONE_ITEM_PAIRS = (
    "These are verdicts on one answer per arm to one prompt. "
    "They do not say which arm is better on other prompts."
)
ONE_ITEM = (
    "These are marks for one answer per arm to one prompt. "
    "They do not say which arm is better on other prompts."
)


def answer(result: Result) -> str:
    """The one thing that these data can say."""
    with_marks = scored(result)
    if (refused := no_totals(result)) is not None:
        there = {one.criterion for arm in result.arms for one in arm.criteria if one.n}
        marked = (name for name, _, _ in result.criteria if name in there)
        named = listed([*apart(marked, 24).values()])
        why = refusals.why(refused)
        on = f"Marks on {named} alone" if named else "No criterion was marked by every judge"
        return f"{on}: no total and no order is printed; {why}."
    if not with_marks:
        return _nothing(result)
    if len(with_marks) == 1:
        name, items = short(with_marks[0].arm.id, result), plural(with_marks[0].answered, "item")
        return f"Only {name} has marks, on {items}: there is nothing to compare it with."
    if result.level <= DataLevel.E2:
        return _few(result)
    notes = [
        _comparison(result), _unmatched(result), unplaced_note(result), none_best(result),
        order_note(result),
    ]  # fmt: skip
    return " ".join(filter(None, notes))


def _few(result: Result) -> str:
    """What is said below three shared items, or clusters of them."""
    if result.counts.items <= 1:
        return one_item(result)
    if isinstance(result.best, Refusal) and result.best.code == RefusalCode.RATERS_DIFFER:
        return _OTHER_RATERS
    if result.level <= DataLevel.E1:
        return _FEW_SHARED if result.clusters is None else _ONE_CLUSTER
    what = "2 shared items" if result.clusters is None else "Shared items of 2 clusters"
    return f"{what}: no arm is shown better than another; that needs at least 3."


def one_item(result: Result) -> str:
    """What one item can say."""
    if result.audit is not None:
        return audits.ONE_EACH
    return ONE_ITEM if result.comparing is None else ONE_ITEM_PAIRS


def _unmatched(result: Result) -> str:
    """Which arms are not held against each other, because they met other opponents or none."""
    found = result.comparing
    if found is not None and found.never_met:
        apart_ = comparing.groups(found.never_met)
        return f"No arm is the best of all: {apart_} never met, so nothing is said between them."
    pairs = by_strengths.unlike(result)
    if not pairs or found is None:
        return ""
    of = f"{len(pairs)} of {plural(len(result.pairs), 'pair')} of arms"
    if len(pairs) == 1:
        of = f"{short(pairs[0].first, result)} and {short(pairs[0].second, result)}"
    lead = f"{of} were not compared with the same opponents, so their shares won are not compared"
    if said := by_strengths.sentence(result):
        return f"{lead}. {said}"
    fitted = any(isinstance(arm.strength, Estimate) for arm in found.arms)
    return f"{lead}: {'read strengths' if fitted else 'compare all arms with all'}."


def unplaced(result: Result) -> list[str]:
    """Arms whose place blocked or suspected answers could change, or that have no total at all."""
    return [short(arm.arm.id, result) for arm in _without_place(result)]


def _without_place(result: Result) -> list[ArmResult]:
    """Those arms; none where no arm has a total, for nothing is placed then."""
    if not scored(result):
        return []
    return [arm for arm in result.arms if not (arm.placed and arm.answered)]


def unplaced_note(result: Result) -> str:
    """Which arms stand as ``?``, and for what is blocked or was never given."""
    names = unplaced(result)
    if not names:
        return ""
    without = _without_place(result)
    if any(arm.suspects for arm in without):
        return f"Not placed: {listed(names)}."
    found = lacking(result, without)
    of = plural(without[0].planned, "item")
    items = f"never given {found.never(of)}" if found.never_given else ""
    why = "; ".join(filter(None, (found.blocked, items)))
    return f"Not placed: {listed(names)}{f' ({why})' if why else ''}."


def none_best(result: Result) -> str:
    """That no arm that stands in a place is named, where one that does not lies above each."""
    if isinstance(result.best, Refusal) or result.best or not unplaced(result):
        return ""
    if not any(arm.placed and arm.answered for arm in result.arms):
        return ""
    return NONE_BEST


NONE_BEST = "No placed arm may be best: all score below one not placed."


def best_of(best: Sequence[str], open_: Sequence[str]) -> str:
    """The arms of a set that holds the best one, by name; those without a place are said to be.

    Args:
        best: The placed arms that may be best.
        open_: Those not placed that may be it too: the set holds the best only with them.
    """
    placed = listed(list(best), most=len(best)) or "no arm that is placed"
    others = [one for one in open_ if one not in best]
    if not others:
        return placed
    return f"{placed}; and, not placed, {listed(others, most=len(others))}"


def order_note(result: Result) -> str:
    """Why the rows do not stand in the order of their means, where they do not."""
    if not result.order_differs:
        return ""
    return "Rows stand by paired difference: raw means are over unequal items."


def _nothing(result: Result) -> str:
    counts = result.counts
    if any(one.statistic == "panel" for one in result.refusals):
        return (
            "No answer was scored by every judge of the panel: no arm is compared. "
            "Each judge alone: judge table RUN --pass JUDGE."
        )
    if counts.outputs and counts.outputs_blocked >= counts.outputs:
        reasons = reasons_of([one for arm in result.arms for one in arm.blocked])
        return (
            f"No fair result: all {plural(counts.outputs, 'answer')} are blocked ({reasons}). "
            "No arm is compared."
        )
    if counts.judgments_blocked:
        failed = [one for arm in result.arms for one in arm.judge_blocked]
        reasons = reasons_of(failed, each=1 if result.comparing is None else 2)
        whence = "in the file" if result.judging.marks_only else "obtained from the judge"
        if result.comparing is not None:
            return f"No comparison was {whence} ({reasons}). No arm is compared."
        return f"No mark was {whence} ({reasons}). No arm is compared."
    if result.comparing is not None and not counts.requests_planned:
        return "No item has two answers that may be judged: nothing is compared."
    return "Nothing has been judged yet."


def reasons_of(blocked: list[BlockedCount], *, each: int = 1) -> str:
    """Reasons with their counts, the most frequent first.

    Args:
        blocked: What is blocked.
        each: How many of them are one: 2 where both answers of a comparison are blocked.
    """
    counts: dict[str, int] = {}
    for one in blocked:
        counts[one.reason] = counts.get(one.reason, 0) + one.count
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{count // each:,} {one_line(reason, 24)}" for reason, count in ordered)


def _comparison(result: Result) -> str:
    if by_strengths.used(result):
        return _nothing_separated(result)
    wins = _wins(result)
    winners = (arm.arm.id for arm in result.arms if wins.get(arm.arm.id))
    leader = result.sole_best or next(winners, None)
    if leader is None:
        return _nothing_separated(result)
    judges = result.counts.judges
    by = "this judge" if judges == 1 else f"these {judges} judges"
    if result.judging.by_people:
        by = "these people"
    did = "scored" if result.comparing is None else "compared"
    lead = f"On prompts like these, as {did} by {by},"
    if result.unseparated:
        return f"{lead} {_alone(result, leader)}"
    claim = _claim(result, leader, wins.get(leader, []))
    level = "all comparisons together" if result.comparing is None else "over all arms"
    first = f"{lead} {claim} (95 %, {level})."
    if leader == result.sole_best:
        return first
    return " ".join(filter(None, [first, _not_separated(result, leader)]))


def _wins(result: Result) -> dict[str, list[str]]:
    """Arm → the arms that it is shown to score above, both in the order of the table."""
    above: dict[str, set[str]] = {}
    for pair in result.pairs:
        if pair.above:
            high, low = pair.above
            above.setdefault(high, set()).add(low)
    order = [arm.arm.id for arm in result.arms]
    return {high: [arm for arm in order if arm in lows] for high, lows in above.items()}


def _alone(result: Result, leader: str) -> str:
    """The only arm that may be best, where the pairs together do not show it above all."""
    name = short(leader, result)
    others = listed([short(one, result) for one in result.unseparated])
    return f"{name} alone may be best (95 %, from one side); it is not separated from {others}."


def _claim(result: Result, leader: str, losers: list[str]) -> str:
    name, arms = short(leader, result), len(result.arms)
    if leader == result.sole_best:
        return f"{name} is the best of these {arms} arms"
    above = "scores above" if result.comparing is None else "wins more often than"
    placed = [arm.arm.id for arm in result.arms if arm.placed and arm.arm.id != leader]
    beside = [one for one in losers if one not in placed]
    if len(losers) == arms - 1 > 1:
        return f"{name} {above} every other arm"
    if len(placed) > 1 and set(placed) <= set(losers) and len(beside) < 3:  # noqa: PLR2004 - names
        named = listed(["every other placed arm", *(short(one, result) for one in beside)])
        return f"{name} {above} {named}"
    if len(losers) > 3:  # noqa: PLR2004 - more names than a sentence holds
        return f"{name} {above} {len(losers)} of {arms - 1} other arms"
    return f"{name} {above} {listed([short(one, result) for one in losers])}"


def _not_separated(result: Result, leader: str) -> str:
    order = [arm.arm.id for arm in result.arms]
    others = {
        pair.second if pair.first == leader else pair.first
        for pair in result.pairs
        if pair.separated is False and leader in {pair.first, pair.second}
    }
    placed = {arm.arm.id for arm in result.arms if arm.placed}
    names = [short(one, result) for one in order if one in others & placed]
    if not names:
        return ""
    if len(names) == 1:
        return f"{short(leader, result)} and {names[0]} are not separated."
    return f"{short(leader, result)} is not separated from {listed(names)}."


def _nothing_separated(result: Result) -> str:
    of = rested_on(result)
    first = f"{of}: no arm is shown better than another."
    if result.comparing is not None and _one_order(result.comparing):
        return f"{first} Each two arms were shown in one order only: the place may have decided."
    if by_strengths.unlike(result):
        # More items would not make these shares one thing.
        return by_strengths.beside(result, of) or first
    gap = result.detectable
    if isinstance(gap, Refusal) and gap.code == RefusalCode.BEYOND_SCALE:
        return f"{first} No gap on this scale would be found reliably."
    if isinstance(gap, Refusal) and gap.code == RefusalCode.BEYOND_MARKS:
        return f"{first} No gap as wide as these marks lie apart would be found reliably."
    if not isinstance(gap, Estimate) or not math.isfinite(gap.value):
        return first
    below = points(gap.value, decimals(result.scale_low, result.scale_high))
    unit = "points" if result.comparing is None else "in the share won"
    return f"{first} A true gap below {below} {unit} would usually be missed ({whose_gap(result)})."


def whose_gap(result: Result) -> str:
    """Whose spread a detectable gap is of: the worst pair, by name where there are several."""
    pair, found = result.detectable_pair, result.detectable
    if pair is None or isinstance(found, Refusal):
        return "by the measured spread"
    named = " and ".join(short(one, result) for one in pair)
    on = f" on the worst pair, {named}," if len(scored(result)) > 2 else ""  # noqa: PLR2004 - two
    over = _shared(found.n, result)
    if any(one.floored and {one.first, one.second} == set(pair) for one in result.pairs):
        return f"by the floor of rounding, above the spread measured{on} over {over}"
    return f"by the spread measured{on} over {over}"


def _shared(units: int, result: Result) -> str:
    """So many shared items, or clusters of them."""
    if result.clusters is None:
        return plural(units, "shared item")
    return f"{plural(units, 'cluster')} of shared items"


def verdict(pair: PairResult, *, marks_only: bool = False) -> str:
    """Whether two arms are shown apart, and why not where their p alone says so.

    Args:
        pair: The two arms.
        marks_only: Marks were given elsewhere: what has none is not blocked.
    """
    if pair.separated is None:
        return DASH
    if pair.separated:
        return f"separated{_BY_P if sharper(pair) else ''}"
    if pair.firm or not low_p(pair):
        return f"not separated{_BY_FLIPS if held_back(pair) else ''}"
    what = "answers without a total" if marks_only else "blocked answers"
    return f"open: {what} could turn it{_BY_P if sharper(pair) else ''}"


_BY_P = " (p is below 0.05, the wider interval holds 0)"
_BY_FLIPS = " (the interval leaves out 0, p is not below 0.05)"
_ALPHA = 0.05


def low_p(pair: PairResult) -> bool:
    """Whether the answers that both have would separate the pair."""
    return pair.p_all_pairs is not None and pair.p_all_pairs <= _ALPHA


def sharper(pair: PairResult) -> bool:
    """Whether the p of a pair says more than its interval, which is of another method."""
    gap = pair.strength or pair.difference
    if not isinstance(gap, Estimate) or gap.low is None or gap.high is None:
        return False
    return low_p(pair) and gap.low <= 0 <= gap.high


UNSTARRED = "rank from 1 without *: the rank allows it, the test of the best does not"


def unstarred(result: Result) -> bool:
    """Whether a rank begins at 1 and the arm is not in the set of possible best.

    The two are two tests, and the first place is asked about more sharply.
    """
    # Where no placed arm is starred, the answer has said why.
    return not none_best(result) and any(
        arm.rank_low == 1 and not arm.may_be_best for arm in result.arms
    )


def held_back(pair: PairResult) -> bool:
    """Whether the interval of a pair leaves out 0, and its p keeps the two together."""
    gap = pair.strength or pair.difference
    if not isinstance(gap, Estimate) or gap.low is None or gap.high is None:
        return False
    return pair.p_all_pairs is not None and not low_p(pair) and not gap.low <= 0 <= gap.high


def _one_order(found: Comparing) -> bool:
    """Whether no two arms met in both orders."""
    first = found.first_share
    return isinstance(first, Refusal) and first.code == RefusalCode.NOT_IDENTIFIED
