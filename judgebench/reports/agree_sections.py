"""Agreement → sections of plain words: what every page says of it, in one order."""

from collections.abc import Callable

from judgebench.model.agreement import Agreement, Gaps
from judgebench.reports import (
    agree_coefficients,
    agree_names,
    agree_sets,
    agree_words,
    controls,
    jury_sections,
)
from judgebench.reports.agree_columns import columns_of, first_reason, limits, row_name
from judgebench.reports.agree_figures import percent, shift
from judgebench.reports.blocks import (
    Bullets,
    Paragraph,
    Section,
    Table,
    bullets,
    paragraph,
    section,
)
from judgebench.reports.digits import points
from judgebench.text import one_line

SPLITS = 10
_ALPHA = (
    "Exact and near shares stand beside what the same marks would reach in any other order "
    "(chance). Alpha is Krippendorff's; it says whether "
    "they tell the answers apart in the same way, the shares whether they give the "
    "same mark. The interval is a jackknife over items, from 20 items on. Marks are the first "
    "ones that were given; the total is the mean of each cell."
)


def sections(found: Agreement) -> tuple[Section, ...]:
    """Everything that is known, the answer first."""
    made = (make(found) for make in _SECTIONS)
    return tuple(one for one in made if one is not None)


def of_panel(found: Agreement) -> tuple[Section, ...]:
    """What a panel's report says of its judges: all but heading and list of passes."""
    return tuple(one for one in sections(found) if one.key not in {"said", "others"})


def _said(found: Agreement) -> Section | None:
    several = len(found.raters) >= agree_words.BOTH
    ranked = not found.projects and not agree_names.places(found)
    return section(
        "said",
        f"Agreement of {agree_names.many_word(found)} on {one_line(found.run_name, 60)}",
        Paragraph(agree_words.headline(found)),
        bullets(map(" ".join, agree_words.failing(found, one_line(found.run_name, 60)))),
        Paragraph(agree_words.answer(found)),
        paragraph(agree_words.one_judge(found)),
        Paragraph(agree_words.turned(found)) if several and ranked else None,
        paragraph(agree_words.clustered(found)),
    )


def _raters(found: Agreement) -> Section | None:
    digits = agree_names.digits(found)
    lines = [
        f"{agree_names.rater(one, found)} ({agree_words.route(one.facts, found)}): "
        f"{agree_sets.standing(one, found)}; "
        f"mean {points(one.mean, digits)}, sd {points(one.spread, digits)}"
        for one in found.raters
    ]
    note = "Mean and sd (standard deviation) are of totals over the cells that all scored."
    return section(
        "raters",
        f"The {agree_names.many_word(found)} side by side",
        Bullets(tuple(lines)),
        Paragraph(note),
    )


def _controls(found: Agreement) -> Section | None:
    there = [
        (agree_names.rater(one, found), one.controls)
        for one in found.raters
        if one.controls is not None
    ]  # fmt: skip
    if not there:
        return None
    run, digits = agree_words.run_word(one_line(found.run_name, 60)), agree_names.digits(found)
    rows = [(name, *row[:-1]) for name, planted in there for row in controls.rows(planted)]
    # In a column of its own it would be cut to nothing on a terminal.
    right = dict.fromkeys(
        f"Right treatment, {row[0]}: {row[-1]}."
        for _, planted in there
        for row in controls.rows(planted)
    )
    lines = [
        f"{name}: {line}"
        for name, planted in there
        for line in controls.notes(planted, run=run, digits=digits)
    ]
    return section(
        "controls",
        "Planted controls, judge by judge",
        Table(("judge", *controls.HEADS[:5], "reading"), rows, right=2),
        bullets([*lines, *right]),
    )


def _reversals(found: Agreement) -> Section | None:
    if not found.reversals:
        return None
    who = agree_names.one_word(found)
    return section(
        "reversed",
        "Separated pairs that are reversed",
        Bullets(tuple(agree_words.reversal(one, found) for one in found.reversals)),
        Paragraph(f"First minus second, a gap a {who} in their order; * separated by that {who}."),
    )


def _rows(found: Agreement) -> Section | None:
    if len(found.raters) < agree_words.BOTH:
        return None
    columns = columns_of(found, found.rows)
    table = Table([head for head, _ in columns], list(zip(*(c for _, c in columns), strict=True)))
    notes = [
        f"{_ALPHA} Differences that alpha counts: {agree_words.alpha_scale(found)}.",
        *(f"{one}." for one in filter(None, [agree_words.basis(found)])),
        *(f"{name}: {why}." for name, why in agree_words.refused(found)),
    ]
    return section("rows", "Marks, criterion by criterion", table, *map(Paragraph, notes))


def _gaps(found: Agreement) -> Section | None:
    if len(found.raters) != agree_words.BOTH:
        return None
    digits = agree_names.digits(found)
    who = agree_names.one_word(found)
    rows = [
        (row_name(row, 20), shift(row.shift, found), *limits(row.shift, digits),
         percent(row.ordering))
        for row in found.rows
    ]  # fmt: skip
    heads = ("criterion", "shift", "95 % of gaps", "trend", "arm pairs ordered alike")
    note = (
        f"Shift is the second {who} minus the first, its interval over items; 95 % of gaps are "
        "Bland–Altman limits; the trend is the slope of the gap on the mean of both: not 0 means "
        f"that one {who} stretches the scale."
    )
    why = first_reason(row.ordering for row in found.rows)
    shifts = (row.shift for row in found.rows if isinstance(row.shift, Gaps))
    bare = first_reason(one.limits_refused for one in shifts)
    return section(
        "gaps", "Shift, limits of agreement, order within an item", Table(heads, rows),
        Paragraph(note), paragraph(f"Limits and trend are {bare}." if bare else ""),
        paragraph(f"Order within an item is {why}." if why else ""),
    )  # fmt: skip


def _arms(found: Agreement) -> Section | None:
    if not found.by_arm or found.projects:
        return None
    columns = columns_of(found, found.by_arm)
    heads = ["arm", *(head for head, _ in columns[1:])]
    cells = [
        (agree_names.arm(row.criterion, found), *rest)
        for row, *rest in zip(found.by_arm, *(cells for _, cells in columns[1:]), strict=True)
    ]
    note = (
        "On totals, each arm by itself. Answers of one arm are more alike than all answers are: "
        "alpha is lower here, and chance higher. A shift that one arm alone has may be the lean "
        f"of one of the {agree_names.voice(found, 2)}; it does not tell whose."
    )
    why = first_reason(row.near for row in found.by_arm)
    return section(
        "arms", "Arm by arm", Table(heads, cells), Paragraph(note),
        paragraph(f"Where there is a dash: {why}." if why else ""),
    )  # fmt: skip


def _splits(found: Agreement) -> Section | None:
    lines = tuple(agree_words.split(one, found) for one in found.splits[:SPLITS])
    if not lines:
        return None
    return section("splits", "Cells with the widest split, to be read by a person", Bullets(lines))


def _others(found: Agreement) -> Section | None:
    lines = tuple(
        f"{agree_names.judge(one.judge_name, found)}, {agree_words.route(one, found)}: "
        f"{agree_words.why_not(found, one)}"
        for one in found.others
    )
    return section("others", "Passes that are not compared", Bullets(lines)) if lines else None


_SECTIONS: tuple[Callable[[Agreement], Section | None], ...] = (
    _said,
    _raters,
    _controls,
    _reversals,
    _rows,
    _gaps,
    agree_coefficients.order,
    _arms,
    agree_coefficients.icc,
    agree_coefficients.itself,
    agree_coefficients.pairs,
    agree_coefficients.kendall,
    jury_sections.sampled,
    jury_sections.effective,
    jury_sections.left_out,
    jury_sections.parts,
    jury_sections.designs,
    _splits,
    _others,
)
