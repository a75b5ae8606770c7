"""Calibration → sentences: the verdict, who marked what, who is picked, what is refused."""

import shlex
from collections.abc import Mapping

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.people import (
    AltTest,
    Axis,
    Beside,
    Calibration,
    LabelPlan,
    Labels,
    Preferences,
    Standing,
)
from judgebench.model.reasons import RefusalCode
from judgebench.reports import refusals
from judgebench.reports.digits import DASH, decimals, listed, ordinal, plural, points, share, signed
from judgebench.reports.naming import apart
from judgebench.text import one_line, printable

_PAIRS = 6
_ON_STANDING = {"alt_test", "judge_against_people"}


def verdict(made: Calibration) -> str:
    """May this judge stand in for these people, criterion by criterion, in one line."""
    judge = one_line(made.judge_name, 32)
    groups: dict[Standing, list[str]] = {standing: [] for standing in Standing}
    digits = decimals(made.scale_low, made.scale_high)
    for axis in made.axes:
        groups[axis.standing].append(_axis_name(made, axis, digits))
    if made.preferences is not None:
        groups[made.preferences.standing].append(_preferences_name(made.preferences))
    stands, fails, open_ = (groups[standing] for standing in Standing)
    if not stands and not fails:
        need = "needs marks by people"
        if made.needs is not None and made.needs.code != RefusalCode.NO_HUMAN_LABELS:
            need = refusals.why(made.needs)
        return f"{judge}: not shown to stand in for your people: {need}"
    parts = []
    if stands:
        parts.append(f"stands in for your people on {listed(stands, most=6)}")
    if fails:
        start = "not on" if stands else "does not stand in for your people on"
        parts.append(f"{start} {listed(fails, most=6)}")
    if open_:
        parts.append(f"not shown on {listed(open_, most=6)}")
    return f"{judge} {'; '.join(parts)}"


def _axis_name(made: Calibration, axis: Axis, digits: int) -> str:
    name = one_line(axis.id, 30)
    if axis.standing is Standing.NOT:
        return f"{name} ({_why_not(made, axis, digits)})"
    return name + (_base(axis.alt_test) if axis.standing is Standing.STANDS_IN else "")


def _preferences_name(found: Preferences) -> str:
    if found.standing is Standing.NOT and isinstance(found.alt_test, AltTest):
        return f"preferences ({_omega(found.alt_test)})"
    return "preferences" + (_base(found.alt_test) if found.standing is Standing.STANDS_IN else "")


def _why_not(made: Calibration, axis: Axis, digits: int) -> str:
    margin = (made.scale_high - made.scale_low) / 18
    if isinstance(axis.beside, Beside) and beyond(axis.beside.bias, margin):
        return f"bias {gap(axis.beside.bias, digits)}"
    if not isinstance(axis.leanings, Refusal):
        names = arm_names(axis)
        for one in sorted(axis.leanings, key=lambda one: -abs(one.gap.value)):
            if beyond(one.gap, margin):
                word = "favours" if one.gap.value > 0 else "marks down"
                return f"{word} {names[one.arm]}, {gap(one.gap, digits)}"
    return _omega(axis.alt_test) if isinstance(axis.alt_test, AltTest) else DASH


def beyond(gap: Estimate, margin: float) -> bool:
    """Whether the whole interval lies further out than a margin."""
    return gap.low is not None and gap.high is not None and (
        gap.low > margin or gap.high < -margin
    )  # fmt: skip


def _base(found: AltTest | Refusal) -> str:
    """The people that a good answer rests on, where they are not all that marked."""
    if isinstance(found, Refusal):
        return ""
    partly = found.left_out or not all(one.rejected for one in found.people)
    return f" ({_omega(found)})" if partly else ""


def _omega(found: AltTest) -> str:
    matched = sum(one.rejected for one in found.people)
    few = f"; {found.left_out:,} had too few marks" if found.left_out else ""
    return f"a match for {matched} of {len(found.people)} people{few}"


def gap(found: Estimate, digits: int) -> str:
    """A difference with its interval: ``+1.20 [0.70, 1.70]``."""
    if found.low is None or found.high is None:
        return f"{signed(found.value, digits)} (no spread, n = {found.n:,})"
    ends = f"{points(found.low, digits)}, {points(found.high, digits)}"
    return f"{signed(found.value, digits)} [{ends}]"


def head(made: Calibration) -> list[str]:
    """Say what was marked by whom, in one line."""
    labels = made.labels
    run, rubric = one_line(made.run_name, 40), one_line(made.rubric_name, 32)
    if not labels.items:
        return [f"{run} · rubric {rubric} · no marks by people"]
    who = plural(len(labels.people), "person", "people") if labels.identified else "unknown people"
    blind = {"yes": "blind", "no": "not blind", "mixed": "partly blind"}.get(
        labels.blind, "blind: unknown"
    )
    part = ", report split" if labels.split == "report" else ""
    alone = [axis.counted.people < 2 for axis in made.axes]  # noqa: PLR2004 - together
    # Of people who compared pairs there is no axis.
    if len(labels.people) > 1 and alone and all(alone):
        part += ", each criterion by one of them alone"
    part += f", {ordinal(labels.look)} look" if labels.look > 1 else ""
    return [f"{run} · rubric {rubric} · {items_marked(labels)} marked by {who} ({blind}{part})"]


def items_marked(labels: Labels) -> str:
    """Items that people marked, of those that the judge did, or beside them where these are few."""
    items = plural(labels.items, "item")
    if labels.items <= labels.items_all:
        return f"{items} of {labels.items_all:,}"
    return f"{items}, of which the judge marked at most {labels.items_all:,},"


def main_axis(made: Calibration) -> Axis | None:
    """Overall marks or the total, whichever is of more items, else the first criterion."""
    by_name = {axis.id: axis for axis in made.axes}
    whole = [by_name[name] for name in ("overall", "total") if name in by_name]
    most = max(whole, key=lambda axis: axis.counted.items, default=None)
    return most or next(iter(made.axes), None)


def others(made: Calibration) -> list[str]:
    """Say what people marked as a whole beside the table's marks; nothing where nothing else."""
    shown = main_axis(made)
    left = [
        f"{one_line(axis.id, 30)}, {plural(axis.counted.marks, 'mark')} on "
        f"{plural(axis.counted.items, 'item')}"
        for axis in made.axes
        if shown is not None and axis.id in {"overall", "total"} - {shown.id} and axis.counted.marks
    ]
    return [f"Also marked: {listed(left)} (people.md)."] if left else []


def arm_names(axis: Axis) -> Mapping[str, str]:
    """Arms of an axis, each short enough for a sentence and unlike the others."""
    pairs = (arm for one in axis.pairs for arm in (one.first, one.second))
    leanings = () if isinstance(axis.leanings, Refusal) else axis.leanings
    arms = (one.arm for one in axis.arms)
    return apart((*arms, *(one.arm for one in leanings), *pairs), 24)


def pick(axis: Axis) -> str:
    """Say which arms people mark above which, or that none is shown."""
    names = arm_names(axis)
    above = [
        f"{names[a]} above {names[b]}"
        for pair in axis.pairs
        if pair.separated and isinstance(pair.alone, Estimate)
        for a, b in (
            [(pair.first, pair.second)] if pair.alone.value > 0 else [(pair.second, pair.first)]
        )
    ]
    if above:
        return f"By them, {listed(above, most=4)}."
    if isinstance(axis.best, Refusal):
        return f"No order is shown: {refusals.why(axis.best)}."
    return "By them, no arm is shown better than another."


def preferences(made: Calibration) -> list[str]:
    """Say how people chose between arms, and whether the judge orders alike."""
    found = made.preferences
    if found is None:
        return []
    lines = [
        (
            f"Preferences: {plural(found.comparisons, 'comparison')} by "
            f"{plural(found.people, 'person', 'people')}. {_agreed(found)}"
        )
    ]
    names = apart((arm for one in found.pairs for arm in (one.first, one.second)), 24)
    for pair in found.pairs[:_PAIRS]:
        if isinstance(pair.share, Refusal):
            continue
        ends = "" if pair.share.low is None else (
            f" [{share(pair.share.low)}, {share(pair.share.high)}]"
        )  # fmt: skip
        judge = "" if isinstance(pair.judge, Refusal) else f", judge {share(pair.judge.value)}"
        lines.append(
            f" {names[pair.first]} over {names[pair.second]}: people "
            f"{share(pair.share.value)}{ends}{judge}"
        )
    left = len(found.pairs) - _PAIRS
    return [*lines, *([f"… {plural(left, 'more pair')}: people.md"] if left > 0 else [])]


def _agreed(found: Preferences) -> str:
    if isinstance(found.agreement, Refusal):
        return f"Judge against them: {refusals.why(found.agreement)}."
    text = f"The judge orders {share(found.agreement.value)} of {found.agreement.n:,} alike"
    if isinstance(found.decided, Estimate):
        text += f" ({share(found.decided.value)} of {found.decided.n:,} that both decided)"
    if isinstance(found.among, Estimate):
        text += f"; two people do {share(found.among.value)} of {found.among.n:,}"
        if isinstance(found.among_decided, Estimate):
            text += f" ({share(found.among_decided.value)} of {found.among_decided.n:,})"
    return f"{text}."


def needs(made: Calibration, run: str | None) -> list[str]:
    """Say in one line what is refused first, with the cheapest way to it.

    Args:
        made: What was found.
        run: The run in the command that draws labels; None where that stands elsewhere.
    """
    refused = made.needs
    if refused is None:
        return []
    names = apart((axis.id for axis in made.axes), 30)
    open_ = [names[axis.id] for axis in made.axes if axis.standing is Standing.NOT_SHOWN]
    decided = len(open_) < len(made.axes)
    on_standing = refused.statistic in _ON_STANDING and bool(made.axes)
    if on_standing and decided and not open_:
        return []  # the first line has a verdict on each
    if not made.labels.items or (on_standing and not decided):
        text = f"Not shown ({refusals.short(refused)})"  # the first line says what, and why
    else:
        what = f" on {listed(open_, most=4)}" if on_standing else f": {refusals.name(refused)}"
        text = f"Not shown{what}: {refusals.why(refused)}"
    return [f"{text}; cheapest: {_cheapest(made, refused, run)}."]


def _cheapest(made: Calibration, refused: Refusal, run: str | None) -> str:
    """The labels that would settle it, and what they cost."""
    plan = made.plan
    if plan is None:
        return "marks by people"
    marked = f"by {plural(plan.people, 'person', 'people')}"
    if refused.code == RefusalCode.RATERS_NOT_IDENTIFIED:
        return f"who gave which mark, or {plural(plan.items, 'item')} {marked}"
    if plan.draw_items < plan.items:
        return f"{plural(plan.items, 'item')} {marked} ({_has(made.labels, plan)})"
    # As `judge sample` counts them: of one person.
    time = f"{plan.minutes:,.0f} minutes each"
    what = plural(plan.items, "item") if run is None else _draw(one_line(run, 60), plan)
    return f"{what}, {marked}, about {time}"


def _has(labels: Labels, plan: LabelPlan) -> str:
    """How many items there are, in place of more."""
    free = " that are not for tuning" if labels.split == "report" else ""
    if labels.items_all < plan.items:
        # --items looks at a part; what the run has is more than that.
        return f"the run has {max(labels.items_all, plan.draw_items):,}{free}"
    return f"the arms share {plan.draw_items:,}{free}"


def _draw(run: str, plan: LabelPlan) -> str:
    """The command that draws as many items as there are, up to those needed."""
    arms = shlex.quote(",".join(map(printable, plan.draw_arms)))
    return f"judge sample {run} --items {plan.draw_items}" + (
        f" --arms {arms}" if plan.draw_arms else ""
    )


def next_command(made: Calibration, run: str) -> str:
    """The command that follows: more labels, a better rubric, or the report.

    Args:
        made: What was found.
        run: The run as it is typed.
    """
    labels, plan = made.labels, made.plan
    if plan is not None and plan.draw_items:
        enough = plan.items <= plan.draw_items and bool(needs(made, None))
        if not labels.items or (enough and _more_help(made)):
            return _draw(run, plan)
    if labels.splittable and may_tune(made):
        return f"judge rubric tune {run}"
    return f"judge report {run}"


def may_tune(made: Calibration) -> bool:
    """Whether a better rubric is what would help: the judge fails, and no marks were used up."""
    if made.marks_only:
        return False
    fails = any(axis.standing is Standing.NOT for axis in made.axes)
    return fails and made.labels.split == "all" and not made.labels.tuned


def _more_help(made: Calibration) -> bool:
    return made.needs is not None and made.needs.code != RefusalCode.RATERS_NOT_IDENTIFIED
