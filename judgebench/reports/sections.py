"""Result → sections of plain words: what every page says of one pass, in its order.

A section whose figures this version does not compute is absent. The texts are as
they are known: whoever makes a page of them escapes and lays out.
"""

from collections.abc import Callable

from judgebench.model.reasons import REASON_SENTENCES
from judgebench.model.result import ArmResult, BlockedCount, Result
from judgebench.reports import (
    agree_sections,
    audit_sections,
    claims,
    contrasts,
    extended,
    judge_sections,
    people_sections,
    rating_sections,
    record_sections,
    strengths,
    tables,
)
from judgebench.reports.blocks import Paragraph, Section, Table, bullets, estimate, section
from judgebench.reports.digits import plain, plural, share


def sections(result: Result) -> tuple[Section, ...]:
    """Everything that is known of one pass, in the order of the figures."""
    made = (make(result) for make in _SECTIONS)
    found = [one for one in made if one is not None]
    at = next((i for i, one in enumerate(found) if one.key == "answered"), len(found) - 1)
    found[at + 1 : at + 1] = audit_sections.sections(result)
    # Right behind what is known of the judges themselves.
    at = next((i for i, one in enumerate(found) if one.key == "judge"), len(found) - 1)
    found[at + 1 : at + 1] = people_sections.sections(result)
    if result.agreement is not None:
        found[at + 1 : at + 1] = agree_sections.of_panel(result.agreement)
    return tuple(found)


def _measured(result: Result) -> Section | None:
    use_case = " · ".join(
        part for part in (result.use_case.key, result.use_case.project) if part.strip()
    )
    job = result.use_case.job
    lines = [*([f"Use case: {use_case}"] if use_case else []), *tables.headline(result)]
    return section(
        "measured",
        f"Judging of {result.run_name}",
        bullets(lines),
        Paragraph(f"Job: {job}") if job.strip() else None,
    )


def _said(result: Result) -> Section | None:
    lines = [tables.answer(result)]
    if claims.unplaced(result):
        without = "its blocked answers, or answers that look cut,"
        if result.judging.marks_only:
            never = any(arm.never_given for arm in result.arms)
            given = ", or items that it was never given," if never else ""
            without = f"its answers without a total{given}"
        lines.append(f"An arm is not placed (?) where {without} could change its place.")
    if result.counts.judges == 1 and tables.scored(result) and not result.judging.by_people:
        lines.append("One judge: all of this is as scored by this judge.")
    return section("said", "What this run can say", *map(Paragraph, lines))


def _warnings(result: Result) -> Section | None:
    told = [f"{said}: {command}" if command else said for said, command in tables.warnings(result)]
    return section("warnings", "Warnings", bullets(told))


def _answered(result: Result) -> Section | None:
    # Of marks alone nobody saw an answer.
    cuts = () if all(arm.suspects is None for arm in result.arms) else ("look cut",)
    rows = [
        (
            arm.arm.id,
            tables.row_of(result, arm).answered,
            estimate(arm.answered_rate, share),
            tables.blocked_in_full(arm) or "none",
            *([plain(arm.suspects or 0)] if cuts else []),
        )
        for arm in result.arms
    ]
    heads = ("arm", "answered", "rate (95 %)", "blocked by reason", *cuts)
    reasons = [
        _reason(result, arm, one)
        for arm in result.arms
        for one in (*arm.blocked, *arm.judge_blocked)
    ]
    return section(
        "answered",
        "Answered",
        Paragraph("Blocked is an outcome of its own: it is in no mean and never a low mark."),
        Table(heads, rows),
        bullets(reasons),
    )


def _reason(result: Result, arm: ArmResult, one: BlockedCount) -> str:
    known = {reason.value: sentence for reason, sentence in REASON_SENTENCES.items()}
    unit = "judgment" if result.comparing is None else "comparison"
    side = unit if one in arm.judge_blocked else "answer"
    sentence = known.get(one.reason, one.reason)
    # Of an imported mark no message says more than the sentence.
    message = (
        f" For example: {one.message}" if one.message and not result.judging.marks_only else ""
    )
    return f"{arm.arm.id}, {plural(one.count, side)} blocked, {one.reason}: {sentence}.{message}"


def _quotes(result: Result) -> Section | None:
    quoted = [
        f"{arm.arm.id}{f' ({arm.quote_criterion})' if arm.quote_criterion else ''}: “{arm.quote}”"
        for arm in result.arms
        if arm.quote
    ]
    note = Paragraph("Words that the judge cited and that stand in the answer.")
    return section("quotes", "Most telling quotes", note, bullets(quoted)) if quoted else None


def _sensitivity(result: Result) -> Section | None:
    blocks = [
        block
        for head, figures in tables.sensitivity(result)
        for block in (Paragraph(head), bullets(figures))
    ]
    return section("sensitivity", "Would the answer change?", *blocks)


_SECTIONS: tuple[Callable[[Result], Section | None], ...] = (
    _measured,
    _said,
    _warnings,
    contrasts.in_kind,
    contrasts.recommended,
    _answered,
    rating_sections.differences,
    extended.pairs,
    rating_sections.best,
    rating_sections.totals,
    extended.arms,
    rating_sections.comparisons,
    strengths.strengths,
    rating_sections.criteria,
    extended.criteria,
    _quotes,
    rating_sections.detectable,
    _sensitivity,
    judge_sections.judge_checks,
    extended.judge,
    judge_sections.planted,
    record_sections.context,
    record_sections.settings,
    record_sections.not_printed,
    extended.refused,
    record_sections.passes,
    record_sections.record,
)
