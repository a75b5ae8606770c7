"""Calibration → tables for a terminal: people alone, the judge beside them, what is corrected."""

from collections.abc import Sequence

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.people import AltTest, Axis, Beside, Calibration, Corrected, CorrectedArm
from judgebench.reports import refusals
from judgebench.reports.digits import DASH, listed, plain, plural, points, share, signed
from judgebench.reports.layout import Column, grid
from judgebench.reports.naming import apart
from judgebench.reports.people_words import arm_names, gap, main_axis, others, pick
from judgebench.text import one_line

_PAIRS = 6


def alone(made: Calibration, digits: int, width: int, most: int) -> list[str]:
    """What people alone marked: counts, the arms in a table, how far they agree."""
    axis = main_axis(made)
    if axis is None:
        return []
    counted = axis.counted
    first = (
        f"People alone, {one_line(axis.id, 30)}: {plural(counted.marks, 'mark')} on "
        f"{plural(counted.items, 'item')}. {pick(axis)}"
    )
    rows, names = axis.arms[:most], apart((one.arm for one in axis.arms), 32)
    columns = [
        Column(head="arm", cells=tuple(names[r.arm] for r in rows), least=8),
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
    return [first, *_indented(columns, width), *more, *below, *others(made)]


def _more(n: int, one: str, many: str) -> list[str]:
    return [f"… {plural(n, one, many)}: people.md"] if n > 0 else []


def _dashes(rows: Sequence[CorrectedArm]) -> list[str]:
    """Why an arm has a dash where others have a figure."""
    refused: dict[str, list[str]] = {}
    names = apart((row.arm for row in rows), 24)
    for row in rows:
        if isinstance(row.figure, Refusal):
            refused.setdefault(refusals.why(row.figure), []).append(names[row.arm])
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


def _figure(found: Corrected | Refusal, digits: int) -> str:
    if isinstance(found, Refusal):
        return DASH
    value = points(found.estimate.value, digits)
    return f"{value} [{points(found.estimate.low, digits)}, {points(found.estimate.high, digits)}]"


def _indented(columns: Sequence[Column], width: int) -> list[str]:
    table = grid(columns, width - 1)
    return [f" {line}".rstrip() for line in (table.head, *table.lines)]


def beside(made: Calibration, digits: int, width: int, most: int) -> list[str]:
    """The judge beside people on each criterion, and what its figures mean."""
    every = [(axis, axis.beside) for axis in made.axes if isinstance(axis.beside, Beside)]
    if not every:
        return []
    rows, names = every[:most], apart((axis.id for axis, _ in every), 24)
    columns = [
        Column(head="judge - people", cells=tuple(names[a.id] for a, _ in rows), least=8),
        Column(head="items", cells=tuple(plain(b.items) for _, b in rows), right=True),
        Column(head="bias", cells=tuple(gap(b.bias, digits) for _, b in rows)),
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


def corrected(made: Calibration, digits: int, width: int, most: int) -> list[str]:
    """Differences of arms as people would mark all items; nothing where none is corrected."""
    axis = main_axis(made)
    rows = [pair for pair in axis.pairs if isinstance(pair.corrected, Corrected)] if axis else []
    if axis is None or not rows:
        return []
    if made.labels.sampling == "all":
        return ["People marked every item: there is nothing to correct."]
    shown = sorted(rows, key=lambda pair: -abs(_value(pair.corrected)))[: min(most, _PAIRS)]
    names = arm_names(axis)
    columns = [
        Column(
            head="difference",
            cells=tuple(f"{names[p.first]} - {names[p.second]}" for p in shown),
            least=12,
        ),
        Column(
            head="people alone",
            cells=tuple(
                DASH if isinstance(p.alone, Refusal) else gap(p.alone, digits) for p in shown
            ),
        ),
        Column(
            head="corrected, all items",
            cells=tuple(
                gap(p.corrected.estimate, digits) if isinstance(p.corrected, Corrected) else DASH
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
