"""What only comparisons of two arms can tell, in words: order, ties, circles, strengths."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from judgebench.model.comparing import ComparedArm, Comparing
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.result import Result
from judgebench.reports import refusals
from judgebench.reports.digits import fixed, listed, plain, plural, share, signed
from judgebench.reports.naming import apart


def lines(result: Result) -> tuple[str, ...]:
    """Order, ties and circles in two sentences, for below the table."""
    found = result.comparing
    if found is None or not found.comparisons:
        return ()
    return tuple(filter(None, (_order(found), _ties(found))))


def _order(found: Comparing) -> str:
    parts = []
    if isinstance(found.first_share, Estimate):
        ends = _ends(found.first_share, share).replace(" % to", " to")
        parts.append(f"first shown won {share(found.first_share.value)}{ends}")
    if found.both_orders:
        tied = f", {found.loosened:,} tied in one order only" if found.loosened else ""
        parts.append(
            f"{found.turned:,} of {plural(found.both_orders, 'pair')} turned with it{tied}"
        )
    return f"Order: {'; '.join(parts)}." if parts else ""


def _ties(found: Comparing) -> str:
    ties = f"Ties: {share(found.tied / found.comparisons)} of {found.comparisons:,}."
    if not isinstance(found.circular, Estimate):
        return ties
    circles = f" Circles: {share(found.circular.value)} of {plural(found.circular.n, 'triad')}"
    if found.circular_expected is None:
        return f"{ties}{circles}."
    return f"{ties}{circles}, expected {share(found.circular_expected)}."


def _ends(value: Estimate, write: Callable[[float], str]) -> str:
    if value.low is None or value.high is None:
        return ""
    return f" ({write(value.low)} to {write(value.high)})"


def strength(result: Result, arm: str) -> str:
    """Strength of an arm with the half width of its interval; empty where it has none."""
    found = of(result, arm)
    if found is None or not isinstance(found.strength, Estimate):
        return ""
    if arm == result.reference:
        return "ref"
    value = found.strength
    if value.low is None or value.high is None:
        return signed(value.value, 2)
    half = max(value.value - value.low, value.high - value.value)
    return f"{signed(value.value, 2)} ±{fixed(half, 2)}"


def of(result: Result, arm: str) -> ComparedArm | None:
    """The comparisons of one arm."""
    if result.comparing is None:
        return None
    return next((one for one in result.comparing.arms if one.arm == arm), None)


def rows(result: Result) -> tuple[tuple[str, ...], ...]:
    """Arm, won, tied, lost, strength and share won against the reference arm."""
    if result.comparing is None:
        return ()
    return tuple(
        (
            one.arm,
            plain(one.won),
            plain(one.tied),
            plain(one.lost),
            _figure(one.strength, lambda value: signed(value, 2)),
            _figure(one.against_reference, share),
        )
        for one in result.comparing.arms
    )


def order_note(result: Result) -> str:
    """Why an arm stands above one that won more often against the reference; else empty."""
    found = result.comparing
    against = [
        (one.arm, one.against_reference.value)
        for one in (found.arms if found else ())
        if one.arm != result.reference and isinstance(one.against_reference, Estimate)
    ]
    for (upper, less), (lower, more) in pairwise(against):
        if more > less:
            short = apart((arm.arm.id for arm in result.arms), 24)
            return (
                "The rows stand by all comparisons, not by those with "
                f"{short[result.reference or '']} alone: {short[upper]} is above {short[lower]}, "
                f"though it won {share(less)} and not {share(more)} of these."
            )
    return ""


def _figure(value: Estimate | Refusal, write: Callable[[float], str]) -> str:
    if isinstance(value, Refusal):
        return f"not printed ({refusals.short(value)})"
    return "reference" if value.kind == "reference" else write(value.value) + _ends(value, write)


def bullets(result: Result) -> tuple[str, ...]:
    """Everything about order, ties, repeats, circles and links, one sentence each."""
    found = result.comparing
    if found is None or not found.comparisons:
        return ()
    return (
        (
            f"Comparisons that count: {found.comparisons:,}; ties: {found.tied:,} "
            f"({share(found.tied / found.comparisons)})."
        ),
        (f"Each two arms were compared {_meetings(found)}."),
        *_order_bullets(found),
        *_again(found),
        *_circles(found),
        *(
            f"Groups that never met: {groups(never_met)}."
            for never_met in filter(None, (found.never_met,))
        ),
        *(
            f"Not linked by wins both ways, so no strength between them: {groups(found.unlinked)}."
            for _ in found.unlinked[:1]
        ),
    )


def _meetings(found: Comparing) -> str:
    """How often: one number where it is the same for all."""
    most = plural(found.meetings_most, "time")
    if found.meetings_fewest == found.meetings_most:
        return most
    return f"{found.meetings_fewest:,} to {most}"


def _order_bullets(found: Comparing) -> list[str]:
    out = []
    if isinstance(found.first_share, Estimate):
        out.append(
            f"The answer shown first won {share(found.first_share.value)}"
            f"{_ends(found.first_share, share)} of the comparisons, ties as halves; 50 % is no "
            "preference."
        )
    if isinstance(found.order, Estimate):
        out.append(
            f"Log odds that the first place adds: {signed(found.order.value, 2)}"
            f"{_ends(found.order, lambda value: signed(value, 2))}, in the fit of the strengths."
        )
    if found.both_orders:
        out.append(
            f"Judged in both orders: {plural(found.both_orders, 'pair')}. Turned with the order: "
            f"{found.turned:,} ({share(found.turned / found.both_orders)}); whichever stood first "
            f"won {found.turned_first:,} of them, whichever stood second {found.turned_second:,}. "
            f"A tie in one order only: {found.loosened:,}."
        )
    return out


def _again(found: Comparing) -> list[str]:
    if not found.again:
        return []
    order = "" if found.order_unknown else " in the same order"
    return [
        (
            f"Judged again{order}: {plural(found.again, 'comparison')}; another verdict "
            f"in {found.again_changed:,} ({share(found.again_changed / found.again)})."
        )
    ]


def _circles(found: Comparing) -> list[str]:
    if not isinstance(found.circular, Estimate):
        return []
    expected = ""
    if found.circular_expected is not None:
        expected = f"; the strengths alone would show {share(found.circular_expected)}"
    return [
        (
            f"Circles (a beats b, b beats c, c beats a): {share(found.circular.value)} of "
            f"{plural(found.circular.n, 'decided triad')}{expected}; a coin would show 25 %."
        )
    ]


def groups(found: Sequence[Sequence[str]]) -> str:
    """Groups of arms by name, each in braces."""
    short = apart((arm for group in found for arm in group), 24)
    names = ["{" + listed([short[arm] for arm in group], most=8) + "}" for group in found]
    return listed(names, most=8)
