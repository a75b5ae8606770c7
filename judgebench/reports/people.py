"""Calibration → text for a terminal: the verdict first, then people, then the judge beside them."""

from collections.abc import Sequence

from judgebench.model import (
    AltTest,
    Axis,
    Beside,
    Calibration,
    Corrected,
    CorrectedArm,
    Estimate,
    Labels,
    Preferences,
    Refusal,
    RefusalCode,
    Standing,
)
from judgebench.reports import refusals
from judgebench.reports.cells import wrap
from judgebench.reports.digits import DASH, decimals, listed, plain, plural, points, share, signed
from judgebench.reports.layout import Column, grid
from judgebench.text import one_line

_WRAP = 80
_PAIRS = 6
_ROWS = 12
_ON_STANDING = {"alt_test", "judge_against_people"}
LINES = 24
"""Lines of the page, where its sentences leave room for that."""


def render(made: Calibration, *, run: str = "RUN", width: int = _WRAP) -> str:
    """Write the verdict, people alone, the judge against them, and what is refused.

    Args:
        made: What was found.
        run: The run as the user named it, for the next command.
        width: Columns of the terminal.
    """
    lines: list[str] = []
    for most in range(_ROWS, 0, -1):
        lines = _lines(made, run, width, most)
        # First rows go, then blank lines: from the end, and never the one behind the verdict.
        spare = [at for at, line in enumerate(lines) if not line][:0:-1]
        if len(lines) - len(spare) <= LINES:
            drop = set(spare[: max(0, len(lines) - LINES)])
            lines = [line for at, line in enumerate(lines) if at not in drop]
            break
    return "\n".join(lines) + "\n"


def _lines(made: Calibration, run: str, width: int, most: int) -> list[str]:
    """The page with at most so many rows in each table."""
    digits = decimals(made.scale_low, made.scale_high)
    blocks = [
        [verdict(made)],
        head(made),
        _alone(made, digits, width, most),
        _beside(made, digits, width, most),
        _corrected(made, digits, width, most),
        preferences(made),
        flags(made),
        needs(made, run),
    ]
    lines = [
        line
        for place, block in enumerate(block for block in blocks if block)
        for line in (*([""] if place else []), *block)
    ]
    return [part for line in lines for part in _fit(line, width)]


def _fit(line: str, width: int) -> list[str]:
    # Tables are laid out already; sentences are wrapped.
    return [line] if line.startswith(" ") or len(line) <= width else wrap(line, width)


# ---- the verdict


def verdict(made: Calibration) -> str:
    """May this judge stand in for these people, criterion by criterion, in one line."""
    judge = one_line(made.judge_name, 32)
    groups: dict[Standing, list[str]] = {standing: [] for standing in Standing}
    digits = decimals(made.scale_low, made.scale_high)
    for axis in made.axes:
        name = one_line(axis.id, 30)
        if axis.standing is Standing.NOT:
            name += f" ({_why_not(made, axis, digits)})"
        groups[axis.standing].append(name)
    if made.preferences is not None:
        name = "preferences"
        if isinstance(made.preferences.alt_test, AltTest) and (
            made.preferences.standing is Standing.NOT
        ):
            name += f" ({_omega(made.preferences.alt_test)})"
        groups[made.preferences.standing].append(name)
    stands, fails, open_ = (groups[standing] for standing in Standing)
    if not stands and not fails:
        need = "no marks by people" if made.needs is None else refusals.why(made.needs)
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


def _why_not(made: Calibration, axis: Axis, digits: int) -> str:
    margin = (made.scale_high - made.scale_low) / 18
    if isinstance(axis.beside, Beside) and _beyond(axis.beside.bias, margin):
        return f"bias {_gap(axis.beside.bias, digits)}"
    if not isinstance(axis.leanings, Refusal):
        for one in sorted(axis.leanings, key=lambda one: -abs(one.gap.value)):
            if _beyond(one.gap, margin):
                word = "favours" if one.gap.value > 0 else "marks down"
                return f"{word} {one_line(one.arm, 24)}, {_gap(one.gap, digits)}"
    return _omega(axis.alt_test) if isinstance(axis.alt_test, AltTest) else DASH


def _beyond(gap: Estimate, margin: float) -> bool:
    return gap.low is not None and gap.high is not None and (
        gap.low > margin or gap.high < -margin
    )  # fmt: skip


def _omega(found: AltTest) -> str:
    matched = sum(one.rejected for one in found.people)
    return f"a match for {matched} of {len(found.people)} people"


def _gap(found: Estimate, digits: int) -> str:
    """A difference with its interval: ``+1.20 [0.70, 1.70]``."""
    if found.low is None or found.high is None:
        return f"{signed(found.value, digits)} (no spread, n = {found.n:,})"
    ends = f"{points(found.low, digits)}, {points(found.high, digits)}"
    return f"{signed(found.value, digits)} [{ends}]"


# ---- who marked what

_ORDINALS = {1: "first", 2: "second", 3: "third"}


def ordinal(number: int) -> str:
    """Which of several: ``second``, ``4th``."""
    return _ORDINALS.get(number, f"{number}th")


def look_note(look: int, earlier: Sequence[str]) -> str:
    """Say that labels for reporting were shown before beside other versions of a rubric."""
    days = listed(list(dict.fromkeys(day[:10] for day in earlier)), most=4)
    return (
        f"{ordinal(look).capitalize()} look at the report split (before: {days}): the rubric may "
        "have been changed by what was seen then, and looks better than it is."
    )


def split_notes(labels: Labels) -> list[str]:
    """Which labels were used for tuning, and what had been seen of the others."""
    out = []
    if labels.split == "report":
        marks = plural(labels.tuned_marks, "mark")
        out.append(
            f"{plural(labels.tuned_items, 'marked item')} ({marks}) served for tuning the rubric "
            "(tuned_on_these_labels): left out."
        )
    if labels.look > 1:
        out.append(look_note(labels.look, labels.looked_at))
    if labels.seen_at is not None and labels.look and not labels.tuned:
        out.append(
            f"All labels had been shown beside an earlier version on {labels.seen_at[:10]}, "
            "before they were split."
        )
    return out


def head(made: Calibration) -> list[str]:
    """Say what was marked by whom, in one line."""
    labels = made.labels
    run, rubric = one_line(made.run_name, 40), one_line(made.rubric_name, 32)
    if not labels.items:
        return [f"{run} · rubric {rubric} · no marks by people"]
    who = plural(len(labels.people), "person", "people") if labels.identified else "unknown people"
    blind = {"yes": "blind", "no": "not blind"}.get(labels.blind, "blind: unknown")
    part = ", report split" if labels.split == "report" else ""
    part += f", {ordinal(labels.look)} look" if labels.look > 1 else ""
    return [
        (
            f"{run} · rubric {rubric} · {plural(labels.items, 'item')} of "
            f"{labels.items_all:,} marked by {who} ({blind}{part})"
        )
    ]


def main_axis(made: Calibration) -> Axis | None:
    """Overall marks, else the total, else the first criterion."""
    by_name = {axis.id: axis for axis in made.axes}
    return by_name.get("overall") or by_name.get("total") or next(iter(made.axes), None)


def _alone(made: Calibration, digits: int, width: int, most: int) -> list[str]:
    axis = main_axis(made)
    if axis is None:
        return []
    counted = axis.counted
    first = (
        f"People alone, {one_line(axis.id, 30)}: {plural(counted.marks, 'mark')} on "
        f"{plural(counted.items, 'item')}. {pick(axis)}"
    )
    rows = axis.arms[:most]
    columns = [
        Column(head="arm", cells=tuple(one_line(r.arm, 32) for r in rows), least=8),
        Column(head="people", cells=tuple(points(r.people, digits) for r in rows), right=True),
        Column(head="items", cells=tuple(plain(r.items) for r in rows), right=True),
        Column(head="corrected", cells=tuple(_figure(r.figure, digits) for r in rows)),
        Column(
            head="judge",
            cells=tuple(
                points(r.figure.raw if isinstance(r.figure, Corrected) else None, digits)
                for r in rows
            ),
            right=True,
        ),
    ]
    if not any(isinstance(row.figure, Corrected) for row in rows):
        columns = columns[:3]
    elif made.labels.sampling == "all":
        columns = [*columns[:3], columns[4]]  # nothing is corrected
    more = _more(len(axis.arms) - len(rows), "more arm", "more arms")
    below = [*_dashes(rows), *_unlike(axis), *([] if made.labels.identified else _places(axis))]
    return [first, *_indented(columns, width), *more, *below]


def _more(n: int, one: str, many: str) -> list[str]:
    return [f"… {plural(n, one, many)}: people.md"] if n > 0 else []


def _dashes(rows: Sequence[CorrectedArm]) -> list[str]:
    """Why an arm has a dash where others have a figure."""
    refused: dict[str, list[str]] = {}
    for row in rows:
        if isinstance(row.figure, Refusal):
            refused.setdefault(refusals.why(row.figure), []).append(one_line(row.arm, 24))
    if sum(map(len, refused.values())) == len(rows):
        return []
    return [f"{listed(arms, most=4)}: {DASH} {why}." for why, arms in refused.items()]


def _unlike(axis: Axis) -> list[str]:
    """Agreement among people where it cannot be computed: the reason, and equal marks."""
    if not isinstance(axis.people_alpha, Refusal) or axis.same is None:
        return []
    why = refusals.why(axis.people_alpha)
    return [
        (
            f"Agreement among people cannot be computed: {why}. "
            f"The same mark: {share(axis.same)} of {plural(axis.same_pairs, 'pair')}."
        )
    ]


def _places(axis: Axis) -> list[str]:
    """Of raters who are no persons, the only reliability that has a meaning."""
    one, mean = axis.icc_one, axis.icc_one_mean
    if isinstance(one, Refusal) or isinstance(mean, Refusal):
        return []
    return [
        (
            f"Raters are places, not persons: ICC(1,1) {points(one.value, 2)}, of their mean "
            f"ICC(1,k) {points(mean.value, 2)}; other forms are refused (raters_not_identified)."
        )
    ]


def pick(axis: Axis) -> str:
    """Say which arms people mark above which, or that none is shown."""
    above = [
        f"{one_line(a, 24)} above {one_line(b, 24)}"
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


def _figure(found: Corrected | Refusal, digits: int) -> str:
    if isinstance(found, Refusal):
        return DASH
    value = points(found.estimate.value, digits)
    return f"{value} [{points(found.estimate.low, digits)}, {points(found.estimate.high, digits)}]"


def _indented(columns: Sequence[Column], width: int) -> list[str]:
    table = grid(columns, width - 1)
    return [f" {line}".rstrip() for line in (table.head, *table.lines)]


# ---- the judge beside them


def _beside(made: Calibration, digits: int, width: int, most: int) -> list[str]:
    every = [(axis, axis.beside) for axis in made.axes if isinstance(axis.beside, Beside)]
    if not every:
        return []
    rows = every[:most]
    columns = [
        Column(head="judge - people", cells=tuple(one_line(a.id, 24) for a, _ in rows), least=8),
        Column(head="items", cells=tuple(plain(b.items) for _, b in rows), right=True),
        Column(head="bias", cells=tuple(_gap(b.bias, digits) for _, b in rows)),
        Column(head="off by", cells=tuple(_off(a, b, digits) for a, b in rows)),
        Column(head="order", cells=tuple(_order(a, b) for a, b in rows)),
        Column(head="alpha", cells=tuple(_alpha(a, b) for a, b in rows)),
    ]
    if any(isinstance(a.alt_test, AltTest) for a, _ in rows):
        columns.append(Column(head="match", cells=tuple(_match(a) for a, _ in rows)))
    return [
        *_indented(columns, width),
        *_more(len(every) - len(rows), "more criterion", "more criteria"),
        _legend(made),
    ]


def _legend(made: Calibration) -> str:
    whose = "judge/a person, against the other people"
    unknown = [a.ceiling for a in made.axes if isinstance(a.ceiling, Refusal)]
    if len(unknown) == len(made.axes):
        whose = f"of the judge, ceiling unknown: {refusals.why(unknown[0])}"
    elif unknown:
        whose += f"; one figure: ceiling unknown, {refusals.why(unknown[0])}"
    text = f"off by, order: {whose}; alpha: with people/among them"
    test = next((a.alt_test for a in made.axes if isinstance(a.alt_test, AltTest)), None)
    if test is None:
        return f"{text}."
    return f"{text}; match: people it equals (alternative annotator test, eps {test.epsilon:g})."


def _off(axis: Axis, found: Beside, digits: int) -> str:
    if isinstance(axis.ceiling, Refusal):
        return points(found.mae.value, digits)
    ceiling = axis.ceiling
    return f"{points(ceiling.judge_mae, digits)}/{points(ceiling.person_mae, digits)}"


def _order(axis: Axis, found: Beside) -> str:
    if isinstance(axis.ceiling, Refusal):
        value = found.ordering.value if isinstance(found.ordering, Estimate) else None
        return f"{100 * value:.0f} %" if value is not None else DASH
    judge, person = axis.ceiling.judge_ordering, axis.ceiling.person_ordering
    if judge is None or person is None:
        return DASH
    return f"{100 * judge:.0f}/{100 * person:.0f} %"


def _alpha(axis: Axis, found: Beside) -> str:
    judge = _two(found.alpha)
    return judge if isinstance(axis.people_alpha, Refusal) else f"{judge}/{_two(axis.people_alpha)}"


def _two(found: Estimate | Refusal) -> str:
    return DASH if isinstance(found, Refusal) else points(found.value, 2)


def _match(axis: Axis) -> str:
    if isinstance(axis.alt_test, Refusal):
        return DASH
    matched = sum(one.rejected for one in axis.alt_test.people)
    return f"{matched}/{len(axis.alt_test.people)}"


def _corrected(made: Calibration, digits: int, width: int, most: int) -> list[str]:
    axis = main_axis(made)
    rows = [pair for pair in axis.pairs if isinstance(pair.corrected, Corrected)] if axis else []
    if axis is None or not rows:
        return []
    if made.labels.sampling == "all":
        return ["People marked every item: there is nothing to correct."]
    shown = sorted(rows, key=lambda pair: -abs(_value(pair.corrected)))[: min(most, _PAIRS)]
    columns = [
        Column(
            head="difference",
            cells=tuple(f"{one_line(p.first, 24)} - {one_line(p.second, 24)}" for p in shown),
            least=12,
        ),
        Column(
            head="people alone",
            cells=tuple(
                DASH if isinstance(p.alone, Refusal) else _gap(p.alone, digits) for p in shown
            ),
        ),
        Column(
            head="corrected, all items",
            cells=tuple(
                _gap(p.corrected.estimate, digits) if isinstance(p.corrected, Corrected) else DASH
                for p in shown
            ),
        ),
        Column(
            head="judge",
            cells=tuple(
                signed(p.corrected.raw, digits) if isinstance(p.corrected, Corrected) else DASH
                for p in shown
            ),
            right=True,
        ),
    ]
    lines = _indented(columns, width)
    if len(rows) > len(shown):
        lines.append(f"{len(rows) - len(shown)} more pairs: --json.")
    gains = [p.corrected.gain for p in rows if isinstance(p.corrected, Corrected)]
    if min(gains) > 0.97:  # noqa: PLR2004 - a gain of under 3 % is none
        lines.append("The judge adds nothing to people's marks here: these are people alone.")
    return lines


def _value(found: Corrected | Refusal) -> float:
    return found.estimate.value if isinstance(found, Corrected) else 0.0


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
    for pair in found.pairs[:_PAIRS]:
        if isinstance(pair.share, Refusal):
            continue
        ends = "" if pair.share.low is None else (
            f" [{share(pair.share.low)}, {share(pair.share.high)}]"
        )  # fmt: skip
        judge = "" if isinstance(pair.judge, Refusal) else f", judge {share(pair.judge.value)}"
        lines.append(
            f" {one_line(pair.first, 24)} over {one_line(pair.second, 24)}: people "
            f"{share(pair.share.value)}{ends}{judge}"
        )
    return lines


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


def flags(made: Calibration) -> list[str]:
    """Say what takes from these figures, at most three lines."""
    labels = made.labels
    out = []
    if labels.off_scale:
        marks = plural(labels.off_scale, "mark")
        out.append(f"{marks} of this judge lie outside of the scale and are left out.")
    if labels.items and labels.blind in {"no", "mixed"}:
        out.append("People saw which arm an answer came from: their marks may favour one.")
    if labels.sampling == "draw" and labels.drawn < labels.items:
        out.append(
            f"{plural(labels.items - labels.drawn, 'marked item')} outside of the random draw: "
            "not used in corrected figures."
        )
    out += split_notes(labels)
    if labels.earlier_looks and not labels.tuned and not labels.look:
        others = plural(labels.earlier_looks, "other pass", "other passes")
        out.append(
            f"These marks were shown beside {others} before: a judge picked by them looks "
            "better than it is."
        )
    out += [
        f"The judge {'favours' if gap.value > 0 else 'marks down'} {one_line(arm, 24)} on "
        f"{one_line(name, 24)}: {_gap(gap, 2)} against the other arms, beyond what people do."
        for gap, arm, name in _leanings(made)[:1]
        if f"{one_line(arm, 24)}, {_gap(gap, 2)}" not in verdict(made)  # said in the first line
    ]
    return out[:3]


def _leanings(made: Calibration) -> list[tuple[Estimate, str, str]]:
    """Shown leanings to or against an arm, the widest first."""
    found = [
        (one.gap, one.arm, axis.id)
        for axis in made.axes
        if not isinstance(axis.leanings, Refusal)
        for one in axis.leanings
        if _beyond(one.gap, 0.0)
    ]
    return sorted(found, key=lambda row: -abs(row[0].value))


def needs(made: Calibration, run: str) -> list[str]:
    """Say in one line what is refused first, with the cheapest way to it."""
    if made.needs is None:
        return []
    why = f"{refusals.name(made.needs)}: {refusals.why(made.needs)}"
    open_ = [one_line(axis.id, 30) for axis in made.axes if axis.standing is Standing.NOT_SHOWN]
    decided = len(open_) < len(made.axes)
    if made.needs.statistic in _ON_STANDING and made.axes and decided:
        if not open_:
            return []  # the first line has a verdict on each
        why = f"whether it may stand in on {listed(open_, most=4)}: {refusals.why(made.needs)}"
    if not made.labels.items:
        why = refusals.name(made.needs)  # the first line says why
    text = f"Not shown: {why}"
    plan = made.plan
    if plan is None or made.needs.code == RefusalCode.RATERS_NOT_IDENTIFIED:
        return [text + "."]
    hours = plan.minutes / 60
    time = f"{hours:.0f} hours" if hours >= 2 else f"{plan.minutes:.0f} minutes"  # noqa: PLR2004
    if made.labels.items_all < plan.items:
        return [
            (
                f"{text}; the alternative annotator test needs {plural(plan.items, 'item')}, "
                f"the run has {made.labels.items_all:,}."
            )
        ]
    return [
        (
            f"{text}; cheapest: judge sample {one_line(run, 60)} --items {plan.items}, "
            f"marked by {plan.people} people, about {time}."
        )
    ]
