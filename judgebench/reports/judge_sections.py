"""Sections on the judge: what its marks and quotes show, and the controls planted for it."""

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.result import JudgeChecks, Result
from judgebench.reports import audits, blindness, controls, refusals, wording
from judgebench.reports.blocks import Paragraph, Section, Table, bullets, estimate, section
from judgebench.reports.digits import decimals, listed, plural, points, share, signed
from judgebench.text import one_line


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


def turned(found: Estimate | Refusal) -> str:
    """How many pairs of arms come out the other way when they are scored again."""
    if isinstance(found, Refusal):
        return f"Pairs of arms that turn when scored again: not printed ({refusals.short(found)})."
    shown = estimate(found, share)
    pairs = plural(found.n, "pair")
    return f"Of {pairs} of arms on one item, scored again, {shown} come out the other way."


def _again(result: Result) -> list[str]:
    """The judge against itself, on totals."""
    if result.again is None:
        return []
    found, digits = result.again.total, decimals(result.scale_low, result.scale_high)
    if isinstance(found.sd, Refusal) or found.limit is None:
        why = refusals.why(found.sd) if isinstance(found.sd, Refusal) else "no limit"
        return [f"Noise of scoring again: not printed: {why}."]
    noise = estimate(found.sd, lambda one: points(one, digits)) + " floor" * found.floored
    lines = [
        f"Scored again, two totals of one answer differ by more than {points(found.limit, digits)} "
        f"in 1 of 20 (noise of one scoring {noise})"
        + (": a smaller gap between arms on this item is inside it." if result.level <= 1 else "."),
    ]
    return [*lines, turned(result.again.swap_share)]


def _beside_others(result: Result) -> list[str]:
    """That nothing is known of the judge beside others, where nothing is."""
    lines = []
    if result.counts.judges == 1 and not result.judging.by_people:
        lines.append("Against other judges: not printed: needs ≥ 2 judges, have 1.")
    if result.people is None and not any(one.by_people for one in result.passes):
        lines.append("Against people: not validated: no marks by people.")
    return lines


def judge_checks(result: Result) -> Section | None:
    """What is known of the judge from this pass alone."""
    checks = result.checks
    if not checks.marks:
        return None
    what = "Marks" if result.comparing is None else "Verdicts on a criterion"
    lines = [f"{what} given: {checks.marks:,}."]
    mark, part = checks.modal_mark, checks.modal_share
    if not isinstance(mark, Refusal) and not isinstance(part, Refusal):
        # Where every mark is another one, none is the most frequent.
        often = checks.marks == 1 or round(part * checks.marks) > 1
        lines += [f"Most frequent mark: {mark:g}, in {share(part)} of all."] if often else []
    lines += [
        f"Most frequent mark of {one_line(one.judge, 40)}: {one.mark:g}, in {share(one.share)} "
        f"of {one.marks:,}."
        for one in checks.modal_marks
    ]
    lines += [*_again(result), *_beside_others(result)]
    if result.judging.marks_only:
        title = "The people" if result.judging.by_people else "The judge"
        return section("judge", title, bullets(lines))
    of = "marks" if result.comparing is None else "verdicts"
    lines.append(
        audits.support(result.audit)
        if result.audit is not None
        else "Quotes found in the text that they claim to come from: "
        f"{checks.quotes_found or 0:,} of {checks.quotes or 0:,}; {of} without the support "
        f"they need: {checks.marks_unsupported or 0:,}."
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
    masked = sum(arm.masked or 0 for arm in result.arms)
    lines.append(f"Blinding {result.judging.blinding}: {plural(masked, 'identity string')} found.")
    lines += blindness.of_report(result)
    lines += filter(None, [wording.as_independent(result.clusters)])
    return section("judge", "The judge", bullets(lines))


def planted(result: Result) -> Section | None:
    """What planted controls say of the judge."""
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
