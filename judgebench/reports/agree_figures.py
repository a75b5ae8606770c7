"""The figures of an agreement in digits, with their intervals, and a dash where one is refused."""

from judgebench.model.agreement import Agreement, Gaps, Near, Noise
from judgebench.model.nouns import Estimate, Refusal
from judgebench.reports import refusals
from judgebench.reports.agree_names import digits
from judgebench.reports.digits import DASH, plain, plural, points, share, signed

TIE = 1e-9
"""Means and ends that are no further apart are one."""


def near_word(points_apart: float) -> str:
    """Head of the column of marks that are no further apart."""
    return f"within {plain(points_apart)}"


def nearness(found: Agreement) -> list[tuple[str, str]]:
    """What counts as near on this scale: the head of each column, and which share it is."""
    wide = found.wide_points
    more = [] if wide is None else [(near_word(wide), "wide")]
    return [("exact", "exact"), (near_word(found.near_points), "within"), *more]


def near(one: Near | Refusal, which: str) -> tuple[str, str]:
    """A share of near marks, and its chance baseline."""
    if isinstance(one, Refusal):
        return DASH, DASH
    return {
        "exact": (share(one.exact), share(one.chance_exact)),
        "within": (share(one.within), share(one.chance_within)),
        "wide": (share(one.wide), share(one.chance_wide)),
    }[which]


def figure(one: Estimate | Refusal | None, at: int = 2) -> str:
    """A figure with its interval; a dash where it is refused."""
    if not isinstance(one, Estimate):
        return DASH
    if one.low is None or one.high is None:
        return points(one.value, at)
    return f"{points(one.value, at)} ({points(one.low, at)} to {points(one.high, at)})"


ANYTHING = "anything"
"""For an interval that reaches from one end of what is possible to the other."""


def shift(one: Gaps | Refusal | None, found: Agreement) -> str:
    """A mean signed gap with its half-width, or its ends where the scale cuts one off."""
    at, span = digits(found), found.scale_high - found.scale_low
    if not isinstance(one, Gaps) or not isinstance(one.bias, Estimate):
        return DASH
    bias = one.bias
    if bias.low is None or bias.high is None:
        return signed(bias.value, at)
    below, above = bias.value - bias.low, bias.high - bias.value
    if bias.low <= -span and bias.high >= span:
        return f"{signed(bias.value, at)} ({ANYTHING})"
    if abs(below - above) > TIE:
        return f"{signed(bias.value, at)} ({signed(bias.low, at)} to {signed(bias.high, at)})"
    return f"{signed(bias.value, at)} ±{points((bias.high - bias.low) / 2, at)}"


def percent(one: Estimate | Refusal | None) -> str:
    """A share with its interval."""
    if not isinstance(one, Estimate):
        return DASH
    if one.low is None or one.high is None:
        return share(one.value)
    return f"{share(one.value)} ({share(one.low)} to {share(one.high)})"


def noise(one: Noise | Refusal, found: Agreement) -> str:
    """How far a judge moves on the same answer."""
    if isinstance(one, Refusal):
        return f"re-scoring not printed: {refusals.why(one)}"
    within = f"within ±{points(one.limit, digits(found))}"
    if one.floored:
        within += " at most, the floor by the step of the scale"
    if one.limit >= found.scale_high - found.scale_low:
        within = f"as {ANYTHING} on the scale"
    return (
        f"re-scored the same answer {within} (95 %), "
        f"the same total in {share(one.exact_share)} of {plural(one.sd.n, 'cell')}"
    )
