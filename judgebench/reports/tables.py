"""Result → rows of words and digits: what every printer shows, and in which words.

All texts are plain, safe to show and unbroken. A printer lays out and escapes; it
neither rounds nor words anything itself.
"""

import shlex
from collections.abc import Collection
from dataclasses import replace

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.passes import DataLevel, shown_first
from judgebench.model.result import ArmResult, Result, Warning_
from judgebench.records import dataclass
from judgebench.reports import audits, comparing, flags, refusals
from judgebench.reports.claims import answer, one_item, reasons_of
from judgebench.reports.comparing import lines as compared
from judgebench.reports.digits import DASH, decimals, plural, points, signed
from judgebench.reports.naming import among
from judgebench.reports.next_step import next_step
from judgebench.reports.sensitivity import sensitivity
from judgebench.reports.wording import arm_ids, has_rows, headline, marked, run_word, scored
from judgebench.text import one_line

__all__ = [
    "Row",
    "Shape",
    "answer",
    "arms_hint",
    "blocked_in_full",
    "compared",
    "criteria",
    "has_rows",
    "headline",
    "mark",
    "next_step",
    "one_item",
    "rank",
    "refused",
    "row_of",
    "rows",
    "scored",
    "sensitivity",
    "shape",
    "short_reason",
    "warnings",
    "why",
    "why_hint",
    "won_head",
]

MAY_BE_BEST, UNPLACED = "*", "?"
_UNJUDGED = "unjudged"
"""Blocked at the judge: "1 judge" would read as a count of judges."""
_ARM_OF_FLAG = 60
"""Signs that the arm of a flag may take."""

_SHORT = {
    "provider_window": "window",
    "transport": "network",
    "content_filter": "filter",
    "prompt_mismatch": "prompt",
    "settings_mismatch": "settings",
    "contaminated": "contam.",
    "identity_leak": "identity",
    "looks_cut": "cut",
}
"""Reasons that are too long for a narrow column."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """Which columns this result has something for."""

    ranks: bool
    """Rank interval and the mark of the possible best."""
    differences: bool
    quotes: bool
    """One item: each arm's most telling quote takes the place of the rank."""
    suspects: bool
    """Some row carries a ``?``."""
    pairs: bool = False
    """Outputs were compared: totals are shares won."""
    strengths: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One arm, every cell as it is shown."""

    arm: str
    mark: str
    rank: str
    difference: str
    total: str
    criteria: tuple[str, ...]
    answered: str
    strength: str
    tier: str
    """Tier of its one project; empty where marks were given or there are several."""
    shown: str
    """Share of that project's lines that the judge was shown."""
    blocked: str
    """Short; the report has reasons in full."""
    blocked_narrow: str
    """The same for a narrow column: reasons that differ are only counted."""
    quote: str


def shape(result: Result) -> Shape:
    """Decide the columns once, for all printers."""
    comparable = result.level >= DataLevel.E3 and len(scored(result)) > 1
    return Shape(
        ranks=comparable and any(arm.rank_low is not None for arm in result.arms),
        differences=comparable and any(isinstance(arm.difference, Estimate) for arm in result.arms),
        quotes=result.level <= DataLevel.E1 and bool(scored(result)),
        suspects=any(mark(arm) == UNPLACED for arm in result.arms),
        pairs=result.comparing is not None,
        strengths=any(comparing.strength(result, arm.arm.id) for arm in result.arms),
    )


def rows(result: Result) -> tuple[Row, ...]:
    """One row an arm, in the order that the result gives."""
    return tuple(row_of(result, arm) for arm in result.arms)


def row_of(result: Result, arm: ArmResult) -> Row:
    """The cells of one arm."""
    project = audits.project_of(result, arm.arm.id)
    return Row(
        arm=among(arm.arm.id, arm_ids(result), 200),
        mark=mark(arm),
        rank=rank(arm),
        difference=difference(result, arm),
        total=_total(result, arm),
        criteria=criteria(result, arm),
        answered=f"{marked(result, arm):,}/{arm.planned:,}",
        strength=comparing.strength(result, arm.arm.id) or DASH,
        tier=audits.arm_tier(result, arm) if audits.is_one_brief(result) else "",
        shown="" if project is None else audits.shown(project),
        blocked=_blocked(arm)[0],
        blocked_narrow=_blocked(arm)[1],
        quote=f"“{one_line(arm.quote, 300)}”" if arm.quote else audits.short(project),
    )


def _total(result: Result, arm: ArmResult) -> str:
    """Mean total with the items behind it; of one project with the ends of its judgings."""
    project = audits.project_of(result, arm.arm.id)
    if project is not None:
        return audits.total(project)
    if not arm.answered:
        return DASH
    total = points(arm.mean, decimals(result.scale_low, result.scale_high))
    return f"{total} ({arm.answered:,}){_own(result, arm)}"


def _own(result: Result, arm: ArmResult) -> str:
    """Ends of an arm's own interval: shown of shares won, which have no scale beside them."""
    found = arm.total
    if result.comparing is None or not isinstance(found, Estimate):
        return ""
    if found.low is None or found.high is None:
        return ""
    digits = decimals(result.scale_low, result.scale_high)
    return f" {points(found.low, digits)}-{points(found.high, digits)}"


def won_head(result: Result) -> str:
    """Head of the shares won."""
    has_ends = any(getattr(arm.total, "low", None) is not None for arm in result.arms)
    return "won (n) 95 %" if has_ends else "won (n)"


def mark(arm: ArmResult) -> str:
    """``*`` may be best, ``?`` not placed."""
    if arm.answered and not arm.placed:
        return UNPLACED
    return MAY_BE_BEST if arm.may_be_best else ""


def rank(arm: ArmResult) -> str:
    """Rank interval; a single rank where both ends agree."""
    if arm.answered and not arm.placed:
        return UNPLACED
    if arm.rank_low is None or arm.rank_high is None:
        return DASH
    if arm.rank_low == arm.rank_high:
        return str(arm.rank_low)
    return f"{arm.rank_low}-{arm.rank_high}"


def observed_rank(arm: ArmResult) -> str:
    """Rank by the totals of this run; ``=`` behind it where arms share it."""
    if arm.answered and not arm.placed:
        return UNPLACED
    found = arm.observed_rank
    return DASH if isinstance(found, Refusal) else f"{found.value}{'=' if found.tied else ''}"


def difference(result: Result, arm: ArmResult) -> str:
    """Paired difference to the reference arm, with the half width of its interval or its ends."""
    if arm.arm.id == result.reference:
        return "ref"
    found = arm.difference
    if not isinstance(found, Estimate):
        return DASH
    digits = decimals(result.scale_low, result.scale_high)
    value = signed(found.value, digits)
    if found.low is None or found.high is None:
        return value
    # The wider side, so that an interval that is not symmetric is never shown too narrow.
    half = max(found.value - found.low, found.high - found.value)
    if half + abs(found.value) > result.scale_high - result.scale_low:
        # One end was cut off: with ± it would lie beyond all points.
        return f"{value} ({signed(found.low, digits)} to {signed(found.high, digits)})"
    return f"{value} ±{points(half, digits)}"


def criteria(result: Result, arm: ArmResult) -> tuple[str, ...]:
    """Mean mark on each criterion of the result; whole marks of one item stay whole."""
    project = audits.project_of(result, arm.arm.id)
    if project is not None:
        return audits.marks(project)
    digits = decimals(result.scale_low, result.scale_high)
    # Of shares two digits are per cent: one would call 40 and 42 of them alike.
    digits -= 0 if result.comparing is not None or result.scale_high - result.scale_low <= 1 else 1
    means = {one.criterion: one.mean for one in arm.criteria}
    values = [means.get(criterion) for criterion, _, _ in result.criteria]
    if (
        result.comparing is None
        and result.level == DataLevel.E0
        and all(v is None or v % 1 == 0 for v in values)
    ):
        digits = 0
    return tuple(points(value, digits) for value in values)


def _blocked(arm: ArmResult) -> tuple[str, str]:
    """How often each reason stands, all of them where there are two; and with less room."""
    counts = [(one.count, short_reason(one.reason)) for one in arm.blocked]
    judge = sum(one.count for one in arm.judge_blocked)
    if judge:
        counts.append((judge, _UNJUDGED))
    counts.sort(key=lambda pair: (-pair[0], pair[1]))
    shown = [f"{count:,} {one_line(reason, 24)}" for count, reason in counts[:2]]
    rest = sum(count for count, _ in counts[2:])
    if rest:
        shown = [shown[0], f"{sum(count for count, _ in counts[1:]):,} other"]
    total = sum(count for count, _ in counts)
    return ", ".join(shown), shown[0] if len(counts) == 1 else f"{total:,} mixed" if counts else ""


def short_reason(reason: str) -> str:
    """A reason of an output, or of its judgment, in a word for a narrow column."""
    return "judge" if reason.startswith("judge_") else _SHORT.get(reason, reason)


def blocked_in_full(arm: ArmResult) -> str:
    """All reasons of an arm by their codes, the judge's side included."""
    return reasons_of([*arm.blocked, *arm.judge_blocked])


def warnings(
    result: Result, *, but: Collection[str] = (), run: str = ""
) -> tuple[tuple[str, str], ...]:
    """All flags, the most harmful first, each with the command that shows it, or none.

    Args:
        result: What is known.
        but: Codes that are left out.
        run: The run as the user typed it; its name where that is not known.
    """
    shown = [one for one in result.warnings if one.code not in but]
    ordered = [_unlike(one, result) for one in sorted(shown, key=lambda one: (one.rank, one.code))]
    word = run_word(result, run)
    return tuple((flags.sentence(one, word), flags.command(one, word)) for one in ordered)


def _unlike(one: Warning_, result: Result) -> Warning_:
    """The flag, the arm in it named so that no other arm reads the same."""
    arm, ids = one.facts.get("arm"), arm_ids(result)
    if arm not in ids:
        return one
    return replace(one, facts=dict(one.facts) | {"arm": among(str(arm), ids, _ARM_OF_FLAG)})


def refused(result: Result) -> tuple[str, ...]:
    """Names of what is not printed, the most missed first; empty where all is."""
    return tuple(dict.fromkeys(refusals.name(one) for one in refusals.collect(result)))


def arms_hint(result: Result, run: str = "") -> str:
    """The command that shows every row."""
    return f"judge table {run_word(result, run)}{_which(result)} --arms"


def why_hint(result: Result, run: str = "") -> str:
    """The command that gives the reasons."""
    return f"judge table {run_word(result, run)}{_which(result)} --why"


def _which(result: Result) -> str:
    """Which pass or panel, where it is not the one that is shown by itself."""
    judged = [one for one in result.passes if not one.by_people] or list(result.passes)
    if result.panel:
        ids = [one.id for one in result.panel]
        alone = {one.id for one in judged} == set(ids)
        return " --panel" if alone else f" --panel --pass {','.join(ids)}"
    first = shown_first(judged).id if judged else ""
    shown = one_line(result.judging.id, 40)
    return "" if result.judging.id == first else f" --pass {shlex.quote(shown)}"


def _unplaced(result: Result, arm: ArmResult) -> str:
    """Why an arm stands in no place."""
    without, how = "answers are blocked or look cut", "judge explain blocked"
    if result.judging.marks_only:
        lacking = plural(arm.planned - arm.answered, "answer has", "answers have")
        without, how = f"{lacking} no total here", "marks of these, or items that all arms share"
    if result.scale_taken:
        return f"{without}, and may lie beyond the marks there are (name --scale)"
    return f"{without}, and its place would not survive both ends of the scale for them ({how})"


def why(result: Result) -> tuple[tuple[str, str], ...]:
    """Every figure that is not printed, with the reason and what would be needed."""
    return tuple((refusals.name(one), refusals.why(one)) for one in refusals.collect(result))


def why_arms(result: Result) -> tuple[tuple[str, str], ...]:
    """What single arms lack, with the reason; what all lack is in `why`."""
    common = {name for name, _ in why(result)}
    found: list[tuple[str, str]] = []
    for arm in result.arms:
        for one in () if refusals.cause(result) else (arm.difference, arm.total):
            if isinstance(one, Refusal) and refusals.name(one) not in common:
                name = f"{refusals.name(one)} of {among(arm.arm.id, arm_ids(result), 40)}"
                found.append((name, refusals.why(one)))
        strength = comparing.of(result, arm.arm.id)
        if strength is not None and getattr(strength.strength, "no_interval", None):
            name = f"interval of the strength of {among(arm.arm.id, arm_ids(result), 40)}"
            found.append((name, "fewer than three items join it to the reference arm"))
        if arm.answered and not arm.placed:
            found.append(
                (f"place of {among(arm.arm.id, arm_ids(result), 40)}", _unplaced(result, arm))
            )
    return tuple(found)
