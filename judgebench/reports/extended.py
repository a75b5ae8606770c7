"""The extended report in words: sections that are absent where `--extended` was not asked for."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from judgebench.model.extended import CriterionExtra, CriterionRow, Extended, RepeatExtra
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import PairResult, Result
from judgebench.reports import by_strengths, claims, judge_sections, refusals
from judgebench.reports.blocks import (
    Block,
    Bullets,
    Paragraph,
    Section,
    Table,
    arithmetic,
    bullets,
    estimate,
    p_words,
    section,
    signed_estimate,
)
from judgebench.reports.digits import DASH, decimals, listed, plural, points, share, signed
from judgebench.reports.naming import among, apart
from judgebench.reports.strengths import strengths
from judgebench.reports.wording import arm_ids

TOTAL = "total"
_PAIRED = 30
"""Columns that the name of each arm of a pair may take."""


def pairs(result: Result) -> Section | None:
    """Every pair with every test, and what its blocked answers leave open."""
    found = result.extended
    if found is None or not found.pairs:
        return None
    digits = _digits(result)
    compared = {(one.first, one.second): one for one in result.pairs}
    stronger = by_strengths.used(result)
    flips = any(one.p_max_t is not None for one in found.pairs)
    names = apart(arm_ids(result), _PAIRED)
    rows = [
        [
            f"{names[one.first]} − {names[one.second]}",
            _difference(compared.get((one.first, one.second)), digits),
            *([p_words(one.p_max_t)] if flips else []),
            p_words(one.p_holm),
            _p_of(one.sign_flip),
            _ends(one.worst_low, one.worst_high, digits),
            _shown(result, compared.get((one.first, one.second))),
        ]
        for one in found.pairs
    ]
    heads = [
        "pair",
        f"difference{' of strengths' if stronger else ''} (all together 95 %)",
        *(["p (max-T)"] if flips else []),
        "p (Holm t)",
        "p (sign flip, this pair alone)",
        "with what lacks at the ends of the scale",
        "shown",
    ]
    short = [
        "pair",
        "",
        *(["max-T"] if flips else []),
        "Holm t",
        "sign flip",
        "worst cases",
        "shown",
    ]
    units = "items" if result.clusters is None else "clusters"
    test = "paired t" if result.clusters is None else "paired t by clusters (CR2)"
    rule = {
        "max-t": (
            f"Holm over {test} and, from six shared {units}, max-T over joint sign flips as well"
        ),
        "holm-t": f"Holm over {test}",
    }
    by = "Holm over differences of strengths" if stronger else rule.get(found.rule, found.rule)
    note = (
        f"Pairs are told apart by {by}; the other tests stand "
        "beside them. A p of one pair alone is uncorrected: never pick the smallest of them."
    )
    why = None
    if found.max_t is not None:
        without = sum(one.p_max_t is None for one in found.pairs)
        which = (
            "every pair"
            if without == len(found.pairs)
            else f"{without:,} of {plural(len(found.pairs), 'pair')}"
        )
        why = Paragraph(
            f"max-T of {which}: {refusals.why(found.max_t)}{_fewest(result, found.max_t)}"
        )
    # Thousands of rows that say the same say it once.
    alike = _all_refused(result, found)
    table = Paragraph(alike) if alike else Table(heads, rows, short=short)
    return section("all_pairs", "All pairs, all tests", Paragraph(note), why, table, _tiers(found))


def _all_refused(result: Result, found: Extended) -> str:
    """Why no pair has a figure, where all have the same reason; empty otherwise."""
    gap = refusals.one_for_all([one.strength or one.difference for one in result.pairs])
    flip = refusals.one_for_all([one.sign_flip for one in found.pairs])
    if gap is None or flip is None:
        return ""
    return (
        f"Of {plural(len(found.pairs), 'pair')} none has a difference: {refusals.why(gap)}; nor a "
        f"sign flip: {refusals.why(flip)}."
    )


def _fewest(result: Result, refused: Refusal) -> str:
    """The arm that leaves the pairs too few shared items; none where items are few for all."""
    if refused.code != RefusalCode.TOO_FEW_ITEMS.value or not result.pairs:
        return ""
    least = min(result.pairs, key=lambda one: one.shared)
    if least.shared >= result.counts.items:
        return ""
    answered = {arm.arm.id: arm.answered for arm in result.arms}
    arm = min((least.first, least.second), key=lambda one: answered.get(one, 0))
    items = plural(answered.get(arm, 0), "item")
    return f". {among(arm, answered, 40)} has marks on {items} of {result.counts.items:,}"


def _shown(result: Result, pair: PairResult | None) -> str:
    """Whether two arms are shown apart, in the words of the pairs under the differences."""
    return DASH if pair is None else claims.verdict(pair, marks_only=result.judging.marks_only)


def _difference(pair: PairResult | None, digits: int) -> str:
    if pair is not None and pair.strength is not None:
        return _gap(pair.strength, 2)
    return DASH if pair is None else _gap(pair.difference, digits)


def _gap(value: Estimate | Refusal, digits: int) -> str:
    """A difference; that its interval is simultaneous stands in the head of its column."""
    shown = value if isinstance(value, Refusal) else replace(value, kind="")
    return signed_estimate(shown, digits)


def _p_of(value: Estimate | Refusal) -> str:
    if isinstance(value, Refusal):
        return f"not printed ({refusals.short(value)})"
    return p_words(value.p)


def _ends(low: float | None, high: float | None, digits: int) -> str:
    if low is None or high is None:
        return DASH
    return f"{signed(low, digits)} to {signed(high, digits)}" if high > low else DASH


def _tiers(found: Extended) -> Paragraph | None:
    if len(found.tiers) < 2:  # noqa: PLR2004 - one group has no cut
        return None
    groups = "; ".join(listed(list(group), most=len(group)) for group in found.tiers)
    return Paragraph(f"Groups, cut only where all above are separated from all below: {groups}.")


def criteria(result: Result) -> Section | None:
    """The comparison once more on each criterion, errors held over all of them."""
    found = result.extended
    if found is None or not found.criteria or not result.arms:
        return None
    note = (
        "Each criterion by itself. Differences, p and ranks hold for all pairs on all criteria "
        "together at 95 %, by the tests of the total: harder to separate than it, by design."
    )
    note = f"{note} {claims.unplaced_note(result)}".strip()
    blocks: list[Block] = [Paragraph(note)]
    known = {(one.criterion, arm.arm.id): one.mean for arm in result.arms for one in arm.criteria}
    for one in found.criteria:
        blocks += _criterion(one, _digits(result), known)
    return section("by_criterion", "Criterion by criterion", *blocks)


def _criterion(
    found: CriterionExtra, digits: int, known: Mapping[tuple[str, str], float | None]
) -> list[Block]:
    head = (
        f"{found.criterion}: may be best: not printed ({refusals.short(found.best)})."
        if isinstance(found.best, Refusal)
        else f"{found.criterion}: may be best: {claims.best_of(found.best, found.open_arms or ())}."
    )
    rows = [
        _criterion_row(row, found.reference, digits, known.get((found.criterion, row.arm)))
        for row in found.rows
    ]
    heads = (
        "arm",
        "mean (95 %)",
        f"difference to {found.reference or 'the reference'}",
        "p (Holm, all criteria)",
        "rank interval",
    )
    short = ("arm", "mean", "difference", "p", "rank")
    return [
        Paragraph(head),
        Table(heads, rows, caption=f"Criterion {found.criterion}", short=short),
    ]


def _criterion_row(
    row: CriterionRow, reference: str | None, digits: int, known: float | None
) -> tuple[str, ...]:
    rank = DASH
    if row.rank_low is not None and row.rank_high is not None:
        same = row.rank_low == row.rank_high
        rank = str(row.rank_low) if same else f"{row.rank_low}-{row.rank_high}"
    return (
        row.arm,
        arithmetic(row.mean, known, lambda one: points(one, digits)),
        "ref" if row.arm == reference else _gap(row.difference, digits),
        p_words(row.p),
        rank,
    )


def arms(result: Result) -> Section | None:
    """Medians, and means as if nothing were blocked."""
    found = result.extended
    if found is None or not found.arms:
        return None
    digits = _digits(result)
    medians = {arm.arm.id: arm.median for arm in result.arms}
    squares = any(_code(one.least_squares) != RefusalCode.NOTHING_MISSING for one in found.arms)
    wide = "mean over all items (95 %, of its distance from the mean of all arms)"
    heads = ["arm", "median (95 %)", *([wide] if squares else [])]
    short = ["arm", "median (95 %)", *(["mean over all items (95 %)"] if squares else [])]
    rows = [
        [
            one.arm,
            arithmetic(one.median, medians.get(one.arm), _points(digits)),
            *([estimate(one.least_squares, _points(digits))] if squares else []),
        ]
        for one in found.arms
    ]
    note = (
        "The mean over all items is estimated as if every arm had answered every item (additive "
        "arm + item model). Its interval is not that of the arm's total: it is of the distance "
        "from the mean of all arms, which easy and hard items do not move, and so is narrower; "
        "with a mean by itself the interval of the total is the one to quote. It trusts that "
        "answers are not blocked for being bad; the worst cases above trust nothing."
    )
    return section(
        "arms_further",
        "Further figures of each arm",
        Paragraph(note) if squares else None,
        Table(heads, rows, short=short),
    )


def _points(digits: int) -> Callable[[float], str]:
    return lambda one: points(one, digits)


def _code(value: Estimate | Refusal) -> str:
    return value.code if isinstance(value, Refusal) else ""


def judge(result: Result) -> Section | None:
    """The judge against itself, on the total and on each criterion."""
    found = result.extended
    if found is None or result.comparing is not None:
        return None
    digits, people = _digits(result), result.judging.by_people
    heads = (
        "on",
        "noise of one scoring (95 %)",
        "two scorings differ by more in 1 of 20",
        "given again exactly",
        "most frequent mark",
    )
    rows = [
        (
            one.criterion or TOTAL,
            estimate(one.sd, _points(digits)) + (" floor" if one.floored else ""),
            points(one.limit, digits),
            share(one.exact_share),
            _modal(one),
        )
        for one in found.repeats
    ]
    return section(
        "judge_again",
        "The people against themselves" if people else "The judge against itself",
        Paragraph(judge_sections.turned(found.swap_share)),
        Paragraph(_MEASURED) if rows else None,
        Table(heads, rows, short=("on", "noise", "limit", "exact", "most frequent")),
        None if result.judging.marks_only else Bullets((_KEPT,)),
    )


_KEPT = "Replies that a provider kept, or pinned by a seed, repeat without measuring."
_MEASURED = (
    "Measured on answers that were scored again: noise is the standard deviation of one scoring, "
    "and two scorings differ by more than the limit in 1 of 20."
)


def _modal(one: RepeatExtra) -> str:
    if one.modal_mark is None:
        return DASH
    return f"{one.modal_mark:g} ({share(one.modal_share)})"


def refused(result: Result) -> Section | None:
    """Figures that one pass by one judge cannot carry, and why."""
    found = result.extended
    if found is None:
        return None
    how = _other_judges(result)
    told = [
        replace(one, how=how) if one.code == RefusalCode.TOO_FEW_JUDGES else one
        for one in found.refusals
    ]
    lines = [f"{refusals.name(one)}: {refusals.why(one)}" for one in told]
    return section("not_carried", "What this pass cannot carry", bullets(lines))


def _other_judges(result: Result) -> str:
    """How figures over several judges are had; empty where one more can be asked."""
    if result.judging.by_people:
        return "judge agree compares the people"
    if not result.judging.marks_only:
        return ""
    if len(result.passes) > 1:
        return "this pass is one judge's; judge agree compares the passes"
    return "marks of another rater in the file"


def _digits(result: Result) -> int:
    return decimals(result.scale_low, result.scale_high)


def sections(result: Result) -> tuple[Section, ...]:
    """All of them that are there, in order."""
    found = (make(result) for make in (pairs, criteria, arms, strengths, judge, refused))
    return tuple(one for one in found if one is not None)
