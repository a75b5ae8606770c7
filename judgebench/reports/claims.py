"""What a result can say: which arms are shown apart, which are not, and what was too little.

The rules of wording are in docs/statistics.md: *best* only where the set of possible best
has one member, and what is not separated is never called equal.
"""

import math

from judgebench.model.comparing import Comparing
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.passes import DataLevel
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import BlockedCount, Result
from judgebench.namesakes import apart
from judgebench.reports import audits, refusals
from judgebench.reports.digits import decimals, listed, plural, points
from judgebench.reports.wording import no_totals, scored, short
from judgebench.text import one_line

NEAR_NORMAL_FROM = 30
"""Items from which simulated power is what was said, whatever the differences look like."""

_FEW_SHARED = (
    "The arms share at most one scored item so far: no arm is shown better than another; "
    "that needs at least 3 shared items."
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
        named = listed([*apart((name for name, _, _ in result.criteria), 24).values()])
        why = refusals.why(refused)
        return f"Marks on {named} alone: no total and no order is printed; {why}."
    if not with_marks:
        return _nothing(result)
    if len(with_marks) == 1:
        name, items = short(with_marks[0].arm.id, result), plural(with_marks[0].answered, "item")
        return f"Only {name} has marks, on {items}: there is nothing to compare it with."
    if result.level <= DataLevel.E1:
        return one_item(result) if result.counts.items <= 1 else _FEW_SHARED
    if result.level == DataLevel.E2:
        return "2 shared items: no arm is shown better than another; that needs at least 3."
    notes = [_comparison(result), unplaced_note(result), order_note(result)]
    return " ".join(filter(None, notes))


def one_item(result: Result) -> str:
    """What one item can say."""
    if result.audit is not None:
        return audits.ONE_EACH
    return ONE_ITEM if result.comparing is None else ONE_ITEM_PAIRS


def unplaced(result: Result) -> list[str]:
    """Arms with marks whose place blocked or suspected answers could change."""
    return [short(arm.arm.id, result) for arm in scored(result) if not arm.placed]


def unplaced_note(result: Result) -> str:
    """Which arms stand as ``?``."""
    names = unplaced(result)
    return f"Not placed: {listed(names)}." if names else ""


def order_note(result: Result) -> str:
    """Why the rows do not stand in the order of their means, where they do not."""
    if not result.order_differs:
        return ""
    return "Rows stand by paired difference: raw means are over unequal items."


def _nothing(result: Result) -> str:
    counts = result.counts
    if counts.outputs and counts.outputs_blocked >= counts.outputs:
        reasons = reasons_of([one for arm in result.arms for one in arm.blocked])
        return (
            f"No fair result: all {plural(counts.outputs, 'answer')} are blocked ({reasons}). "
            "No arm is compared."
        )
    if counts.judgments_blocked:
        reasons = reasons_of([one for arm in result.arms for one in arm.judge_blocked])
        return f"No mark was obtained from the judge ({reasons}). No arm is compared."
    if result.comparing is not None and not counts.requests_planned:
        return "No item has two answers that may be judged: nothing is compared."
    return "Nothing has been judged yet."


def reasons_of(blocked: list[BlockedCount]) -> str:
    """Reasons with their counts, the most frequent first."""
    counts: dict[str, int] = {}
    for one in blocked:
        counts[one.reason] = counts.get(one.reason, 0) + one.count
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{count:,} {one_line(reason, 24)}" for reason, count in ordered)


def _comparison(result: Result) -> str:
    wins = _wins(result)
    winners = (arm.arm.id for arm in result.arms if wins.get(arm.arm.id))
    leader = _sole_best(result) or next(winners, None)
    if leader is None:
        return _nothing_separated(result)
    judges = result.counts.judges
    by = "this judge" if judges == 1 else f"these {judges} judges"
    if result.judging.by_people:
        by = "these people"
    claim = _claim(result, leader, wins.get(leader, []))
    did = "scored" if result.comparing is None else "compared"
    level = "all comparisons together" if result.comparing is None else "over all arms"
    first = f"On prompts like these, as {did} by {by}, {claim} (95 %, {level})."
    if leader == _sole_best(result):
        return first
    return " ".join(filter(None, [first, _not_separated(result, leader)]))


def _sole_best(result: Result) -> str | None:
    """The one arm that may be best, where every arm is placed."""
    if isinstance(result.best, Refusal) or len(result.best) != 1:
        return None
    # Blocked or suspected answers of an arm that is not placed could still make it best.
    if not all(arm.placed and arm.answered for arm in result.arms):
        return None
    return result.best[0]


def _wins(result: Result) -> dict[str, list[str]]:
    """Arm → the arms that it is shown to score above, both in the order of the table."""
    above: dict[str, set[str]] = {}
    placed = {arm.arm.id for arm in result.arms if arm.placed}
    for pair in result.pairs:
        if not pair.separated or not isinstance(pair.difference, Estimate):
            continue
        # Blocked or suspected answers could undo it: no claim on an arm that is not placed.
        if pair.first not in placed or pair.second not in placed:
            continue
        high, low = pair.first, pair.second
        if pair.difference.value < 0:
            high, low = low, high
        above.setdefault(high, set()).add(low)
    order = [arm.arm.id for arm in result.arms]
    return {high: [arm for arm in order if arm in lows] for high, lows in above.items()}


def _claim(result: Result, leader: str, losers: list[str]) -> str:
    name, arms = short(leader, result), len(result.arms)
    if leader == _sole_best(result):
        return f"{name} is the best of these {arms} arms"
    above = "scores above" if result.comparing is None else "wins more often than"
    open_arms = len(unplaced(result))
    if len(losers) == arms - 1 - open_arms and arms - open_arms > 2:  # noqa: PLR2004 - a pair
        return f"{name} {above} every other {'placed ' if open_arms else ''}arm"
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
    items = max(arm.answered for arm in result.arms)
    first = f"{plural(items, 'item')}: no arm is shown better than another."
    if result.comparing is not None and _one_order(result.comparing):
        return f"{first} Each two arms were shown in one order only: the place may have decided."
    gap = result.detectable
    if isinstance(gap, Refusal) and gap.code == RefusalCode.BEYOND_SCALE:
        return f"{first} No gap on this scale would be found reliably."
    if not isinstance(gap, Estimate) or not math.isfinite(gap.value):
        return first
    below = points(gap.value, decimals(result.scale_low, result.scale_high))
    unit = "points" if result.comparing is None else "in the share won"
    return (
        f"{first} A true gap below {below} {unit} would usually be missed (by the measured spread)."
    )


def _one_order(found: Comparing) -> bool:
    """Whether no two arms met in both orders."""
    first = found.first_share
    return isinstance(first, Refusal) and first.code == RefusalCode.NOT_IDENTIFIED


def power_note(found: Estimate, comparisons: int) -> str:
    """What few items leave open of a detectable gap; empty where it does not matter."""
    if found.n >= NEAR_NORMAL_FROM:
        return ""
    from judgebench.stats.planning import power_range  # noqa: PLC0415 - most pages need no statistics

    low, high = power_range(found.n, comparisons=comparisons)
    return (
        f"{found.n} items tell the spread only roughly, so it may really be {100 * low:.0f} to "
        f"{100 * high:.0f} % (nine runs in ten, differences near normal)."
    )
