"""Result → sections of plain words: what every page says of one pass, in its order.

A section whose figures this version does not compute is absent. The texts are as
they are known: whoever makes a page of them escapes and lays out.
"""

from collections.abc import Callable
from math import comb

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import REASON_SENTENCES
from judgebench.model.result import ArmResult, BlockedCount, JudgeChecks, Result
from judgebench.reports import (
    agree_sections,
    audit_sections,
    audits,
    blindness,
    claims,
    comparing,
    contrasts,
    controls,
    extended,
    people_sections,
    record_sections,
    tables,
    wording,
)
from judgebench.reports.blocks import (
    Block,
    Paragraph,
    Section,
    Table,
    bullets,
    estimate,
    interval,
    p_words,
    section,
    signed_estimate,
)
from judgebench.reports.digits import DASH, decimals, listed, plain, plural, points, share, signed
from judgebench.text import one_line


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
        lines.append(
            "An arm is not placed (?) where its blocked answers, or answers that look cut, could "
            "change its place."
        )
    if result.counts.judges == 1 and tables.scored(result) and not result.judging.by_people:
        lines.append("One judge: all of this is as scored by this judge.")
    return section("said", "What this run can say", *map(Paragraph, lines))


def _warnings(result: Result) -> Section | None:
    told = [f"{said}: {command}" if command else said for said, command in tables.warnings(result)]
    return section("warnings", "Warnings", bullets(told))


def _answered(result: Result) -> Section | None:
    rows = [
        (
            arm.arm.id,
            tables.row_of(result, arm).answered,
            estimate(arm.answered_rate, share),
            tables.blocked_in_full(arm) or "none",
            plain(arm.suspects),
        )
        for arm in result.arms
    ]
    heads = ("arm", "answered", "rate (95 %)", "blocked by reason", "look cut")
    reasons = [
        _reason(arm, one) for arm in result.arms for one in (*arm.blocked, *arm.judge_blocked)
    ]
    return section(
        "answered",
        "Answered",
        Paragraph("Blocked is an outcome of its own: it is in no mean and never a low mark."),
        Table(heads, rows),
        bullets(reasons),
    )


def _reason(arm: ArmResult, one: BlockedCount) -> str:
    known = {reason.value: sentence for reason, sentence in REASON_SENTENCES.items()}
    side = "judgment" if one in arm.judge_blocked else "answer"
    sentence = known.get(one.reason, one.reason)
    message = f" For example: {one.message}" if one.message else ""
    return f"{arm.arm.id}, {plural(one.count, side)} blocked, {one.reason}: {sentence}.{message}"


def _totals(result: Result) -> Section | None:
    if not tables.scored(result) or audits.is_one_brief(result):
        return None
    if result.comparing is not None:
        return _shares(result)
    digits = decimals(result.scale_low, result.scale_high)
    held = any(arm.gated_share for arm in result.arms)
    heads = (
        "arm",
        "mean (n)",
        "interval (95 %)",
        "median",
        "gate or cap fired",
        *(["mean without gates and caps"] if held else []),
        "tier",
        "if all blocked were lowest",
        "if all blocked were highest",
    )
    rows = [
        (
            arm.arm.id,
            tables.row_of(result, arm).total,
            interval(arm.total, lambda one: points(one, digits)) or DASH,
            points(arm.median, digits),
            share(arm.gated_share),
            *([points(arm.uncapped, digits)] if held else []),
            audits.arm_tier(result, arm),
            points(arm.worst_low, digits),
            points(arm.worst_high, digits),
        )
        for arm in result.arms
    ]
    scale = (
        f"Scale {result.scale_low:g} to {result.scale_high:g}; n is the number of items with a "
        "total. The last two columns are the worst cases: every blocked answer at one end of the "
        "scale."
    )
    return section("totals", "Total per arm", Paragraph(scale), Table(heads, rows))


def _shares(result: Result) -> Section | None:
    heads = ("arm", "won (n)", "interval (95 %)", "median")
    rows = [
        (
            arm.arm.id,
            f"{share(arm.mean)} ({arm.answered:,})",
            interval(arm.total, share) or DASH,
            share(arm.median),
        )
        for arm in result.arms
    ]
    note = (
        "Share of an item's comparisons that the arm won, a tie as half; n is the number of items. "
        "It is a share against these arms: with other arms beside it, it would be another."
    )
    return section("totals", "Share won per arm", Paragraph(note), Table(heads, rows))


def _comparisons(result: Result) -> Section | None:
    found = comparing.bullets(result)
    if not found:
        return None
    heads = ("arm", "won", "tied", "lost", "strength (95 %)", f"won against {result.reference}")
    note = (
        "Strengths are Bradley–Terry with Davidson's ties and a term for the first place, log "
        "scale, against the reference arm; errors are clustered by item. A verdict of a comparison "
        "is decided by code from the criteria's verdicts and weights."
    )
    return section(
        "comparisons",
        "Comparisons",
        Paragraph(note),
        Table(heads, comparing.rows(result)),
        bullets(found),
    )


def _criteria(result: Result) -> Section | None:
    if not tables.has_rows(result) or not result.criteria or audits.is_one_brief(result):
        return None
    heads = ["arm", *(f"{name} (weight {weight:g})" for name, _, weight in result.criteria)]
    rows = []
    for arm in result.arms:
        counts = {one.criterion: one.n for one in arm.criteria}
        cells = [
            f"{mark} ({counts.get(name, 0):,})" if mark != DASH else DASH
            for mark, (name, _, _) in zip(
                tables.criteria(result, arm), result.criteria, strict=True
            )
        ]
        rows.append([arm.arm.id, *cells])
    what = "Mean mark" if result.comparing is None else "Mean share won"
    note = Paragraph(f"{what}, with the number of items that have one.")
    return section("criteria", "Criteria", note, Table(heads, rows))


def _quotes(result: Result) -> Section | None:
    quoted = [
        f"{arm.arm.id}{f' ({arm.quote_criterion})' if arm.quote_criterion else ''}: “{arm.quote}”"
        for arm in result.arms
        if arm.quote
    ]
    note = Paragraph("Words that the judge cited and that stand in the answer.")
    return section("quotes", "Most telling quotes", note, bullets(quoted)) if quoted else None


def _differences(result: Result) -> Section | None:
    digits = decimals(result.scale_low, result.scale_high)
    rows = [
        (arm.arm.id, signed_estimate(arm.difference, digits), f"{arm.shared:,}")
        for arm in result.arms
        if arm.arm.id != result.reference and isinstance(arm.difference, Estimate)
    ]
    pairs = [
        (
            f"{pair.first} − {pair.second}",
            signed_estimate(pair.difference, digits) + (" floor" if pair.floored else ""),
            p_words(pair.p_holm),
            f"{pair.shared:,}",
            {True: "separated", False: "not separated", None: DASH}[pair.separated],
        )
        for pair in result.pairs
        if isinstance(pair.difference, Estimate)
    ]
    parts: list[Block] = []
    if rows:
        note = f"Paired on shared items, to {result.reference}; all comparisons together 95 %."
        heads = ("arm", "difference", "shared items")
        parts += [Paragraph(note), Table(heads, rows)]
    if pairs:
        heads5 = ("pair", "difference", "p (Holm)", "shared items", "shown")
        parts += [
            Paragraph("All pairs:"),
            Table(heads5, pairs, caption="All pairs"),
            Paragraph(_SHARPER),
        ]
        if any(pair.floored for pair in result.pairs):
            parts.append(Paragraph(_FLOOR))
    return section("differences", "Differences", *parts)


_SHARPER = (
    "Shown is decided by the p of this table, which keeps the pairs together; the intervals share "
    "their level over all pairs and are wider, so one may hold 0 where the pair is separated."
)

_FLOOR = (
    "Floor: these differences spread less than marks rounded to their step must, so the interval "
    "has the width that rounding alone gives."
)


def _best(result: Result) -> Section | None:
    if not tables.shape(result).ranks:
        return None
    note = None
    if not isinstance(result.best, Refusal):
        names = listed(list(result.best), most=len(result.best))
        left = claims.unplaced_note(result)
        said = f"May be best (holds the true best in 95 % of such runs): {names}. {left}"
        note = Paragraph(said.strip())
    over = None
    if claims.unplaced(result):
        # Else "1-2" of an arm above all other placed arms has no meaning.
        over = Paragraph("A rank interval runs over all arms with marks, those not placed too.")
    rows = [(arm.arm.id, tables.rank(arm), tables.mark(arm) or DASH) for arm in result.arms]
    heads = ("arm", "rank interval", "may be best (*), not placed (?)")
    return section("best", "Which arms may be best", note, over, Table(heads, rows))


def _detectable(result: Result) -> Section | None:
    digits = decimals(result.scale_low, result.scale_high)
    lines = []
    if isinstance(result.detectable, Estimate):
        gap = points(result.detectable.value, digits)
        unit = "points" if result.comparing is None else "in the share won"
        said = (
            f"A true gap of {gap} {unit} is found in 80 % of such runs (by the spread measured on "
            f"the worst pair, over the {plural(result.detectable.n, 'item')} that it shares)."
        )
        arms = sum(arm.answered > 0 for arm in result.arms)
        note = claims.power_note(result.detectable, max(1, comb(arms, 2)))
        lines.append(f"{said} {note}".strip())
    if not isinstance(result.items_needed, Refusal):
        lines += [
            f"To find a gap of {gap:g} with that spread: about {plural(items, 'shared item')}."
            for gap, items in result.items_needed
        ]
    return section("detectable", "What this run could have seen", bullets(lines))


def _sensitivity(result: Result) -> Section | None:
    lines = tables.sensitivity(result)
    return section("sensitivity", "Would the answer change?", bullets(lines))


def _drift(checks: JudgeChecks) -> list[str]:
    if not checks.drift_cells:
        return []
    head = f"Old answers judged again when the pass was extended: {checks.drift_cells:,}"
    if isinstance(checks.drift, Estimate):
        moved = estimate(checks.drift, lambda one: signed(one, 2))
        return [f"{head}; they moved by {moved} points, {plural(checks.drift.n, 'item')}."]
    if checks.drift_points is None:
        return [f"{head}."]
    return [f"{head}; these moved by {signed(checks.drift_points, 2)} points on average."]


def _judge_checks(result: Result) -> Section | None:
    checks = result.checks
    if not checks.marks:
        return None
    what = "Marks" if result.comparing is None else "Verdicts on a criterion"
    lines = [f"{what} given: {checks.marks:,}."]
    if checks.modal_share is not None and checks.modal_mark is not None:
        lines.append(
            f"Most frequent mark: {checks.modal_mark:g}, in {share(checks.modal_share)} of all."
        )
    lines += [
        f"Most frequent mark of {one_line(one.judge, 40)}: {one.mark:g}, in {share(one.share)} "
        f"of {one.marks:,}."
        for one in checks.modal_marks
    ]
    if result.judging.marks_only:
        return section("judge", "The judge", bullets(lines))
    of = "marks" if result.comparing is None else "verdicts"
    lines.append(
        audits.support(result.audit)
        if result.audit is not None
        else f"Quotes found in the text that they claim to come from: {checks.quotes_found:,} of "
        f"{checks.quotes:,}; {of} without the support they need: {checks.marks_unsupported:,}."
    )
    baseline = checks.length_baseline
    if isinstance(baseline, Estimate):
        lines.append(
            "Length baseline (mean rank correlation of total with length within an item): "
            f"{estimate(baseline, lambda one: signed(one, 2))}, {plural(baseline.n, 'item')}."
        )
    lines += _drift(checks)
    if checks.wrong_model:
        lines.append(f"Another model answered: {checks.wrong_model}.")
    if checks.same_family:
        lines.append(
            f"Arms of the judge's own family: {listed(list(checks.same_family), most=20)}."
        )
    masked = sum(arm.masked for arm in result.arms)
    lines.append(f"Blinding {result.judging.blinding}: {plural(masked, 'identity string')} found.")
    lines += blindness.of_report(result)
    return section("judge", "The judge", bullets(lines))


def _controls(result: Result) -> Section | None:
    found = result.controls
    if found is None:
        return None
    digits = decimals(result.scale_low, result.scale_high)
    notes = controls.notes(found, run=wording.run_word(result, ""), digits=digits)
    return section(
        "controls",
        "Planted controls",
        Paragraph(controls.said(found)),
        Table(controls.HEADS, controls.rows(found)),
        bullets(notes),
    )


_SECTIONS: tuple[Callable[[Result], Section | None], ...] = (
    _measured,
    _said,
    _warnings,
    contrasts.in_kind,
    contrasts.recommended,
    _answered,
    _totals,
    _comparisons,
    _criteria,
    _quotes,
    _differences,
    _best,
    _detectable,
    _sensitivity,
    extended.pairs,
    extended.criteria,
    extended.arms,
    extended.judge,
    extended.refused,
    _judge_checks,
    _controls,
    record_sections.context,
    record_sections.settings,
    record_sections.not_printed,
    record_sections.passes,
    record_sections.record,
)
