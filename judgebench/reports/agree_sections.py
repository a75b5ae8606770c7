"""Agreement → sections of plain words: what every page says of it, in one order."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from judgebench.model import (
    Agreement,
    AgreementRow,
    Estimate,
    Gaps,
    IccForms,
    Near,
    Noise,
    Refusal,
)
from judgebench.reports import (
    agree_figures,
    agree_names,
    agree_words,
    controls,
    jury_sections,
    refusals,
)
from judgebench.reports.agree_figures import figure, percent, shift
from judgebench.reports.blocks import (
    Bullets,
    Paragraph,
    Section,
    Table,
    bullets,
    section,
)
from judgebench.reports.digits import DASH, plain, plural, points, share, signed
from judgebench.text import one_line

Columns = list[tuple[str, tuple[str, ...]]]

SPLITS = 10
_ALPHA = (
    "Exact and near shares stand beside what the same marks would reach in any other order "
    "(chance). Alpha is Krippendorff's, ordinal for marks on a scale of ten; it says whether "
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


def columns_of(found: Agreement, rows: Sequence[AgreementRow], *, exact: bool = True) -> Columns:
    """The columns of the short table: head, cells; without the exact share where room is scarce."""
    digits = agree_names.digits(found)
    columns: Columns = [("criterion", tuple(_row_name(row, 14) for row in rows))]
    for head, which in agree_figures.nearness(found)[0 if exact else 1 :]:
        shares = [agree_figures.near(row.near, which) for row in rows]
        columns.append((head, tuple(one for one, _ in shares)))
        columns.append(("chance", tuple(one for _, one in shares)))
    columns.append(("alpha", tuple(figure(row.alpha) for row in rows)))
    if len(found.raters) == agree_words.BOTH:
        columns.append(("shift", tuple(shift(row.shift, found) for row in rows)))
    else:
        columns.append(("gap", tuple(_gap(row.near, digits) for row in rows)))
    return columns


def _row_name(row: AgreementRow, columns: int) -> str:
    return one_line(row.criterion or row.head, columns)


def _gap(near: Near | Refusal, digits: int) -> str:
    return DASH if isinstance(near, Refusal) else points(near.gap, digits)


def _why(one: object) -> str:
    """Why a figure is not printed; empty where it is."""
    return f"not printed: {refusals.why(one)}" if isinstance(one, Refusal) else ""


def _first(values: Iterable[object]) -> str:
    """The first reason among figures of which some are refused."""
    return next((words for words in map(_why, values) if words), "")


def _note(text: str) -> Paragraph | None:
    return Paragraph(text) if text else None


def _said(found: Agreement) -> Section | None:
    several = len(found.raters) >= agree_words.BOTH
    ranked = not found.projects and not agree_names.places(found)
    return section(
        "said",
        f"Agreement of {agree_names.many_word(found)} on {one_line(found.run_name, 60)}",
        Paragraph(agree_words.headline(found)),
        bullets(map(" ".join, agree_words.failing(found, one_line(found.run_name, 60)))),
        Paragraph(agree_words.answer(found)),
        _note(agree_words.one_judge(found)),
        Paragraph(agree_words.turned(found)) if several and ranked else None,
    )


def _raters(found: Agreement) -> Section | None:
    digits = agree_names.digits(found)
    lines = [
        f"{agree_names.rater(one, found)} ({agree_words.route(one.facts, found)}): "
        f"{agree_words.standing(one, found)}; "
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
        _ALPHA,
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
        (_row_name(row, 20), shift(row.shift, found), *_limits(row.shift, digits),
         percent(row.ordering))
        for row in found.rows
    ]  # fmt: skip
    heads = ("criterion", "shift", "95 % of gaps", "trend", "arm pairs ordered alike")
    note = (
        f"Shift is the second {who} minus the first, its interval over items; 95 % of gaps are "
        "Bland–Altman limits; the trend is the slope of the gap on the mean of both: not 0 means "
        f"that one {who} stretches the scale."
    )
    why = _first(row.ordering for row in found.rows)
    return section(
        "gaps", "Shift, limits of agreement, order within an item", Table(heads, rows),
        Paragraph(note), _note(f"Order within an item is {why}." if why else ""),
    )  # fmt: skip


def _limits(one: Gaps | Refusal | None, digits: int) -> tuple[str, str]:
    if not isinstance(one, Gaps) or one.low is None or one.high is None:
        return DASH, DASH
    return f"{signed(one.low, digits)} to {signed(one.high, digits)}", signed(one.slope, digits)


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
    why = _first(row.near for row in found.by_arm)
    return section(
        "arms", "Arm by arm", Table(heads, cells), Paragraph(note),
        _note(f"Where there is a dash: {why}." if why else ""),
    )  # fmt: skip


def _order(found: Agreement) -> Section | None:
    """Figures of two or more passes that papers print, and the order of arms on each criterion."""
    if len(found.raters) < agree_words.BOTH:
        return None
    two = len(found.raters) == agree_words.BOTH
    rows = [
        (
            _row_name(row, 20),
            *((figure(row.kappa), figure(row.tau)) if two else (figure(row.w_items),)),
            percent(row.swaps),
        )
        for row in found.rows
    ]
    named = ("weighted kappa", "tau-b") if two else ("Kendall's W",)
    note = "Swap is the share of arm pairs of an item that turn when one of them marks them again."
    kappa = (
        "Kappa is quadratic-weighted, the same as Lin's concordance; tau-b is Kendall's, within "
        "an item, averaged over items."
    )
    words = kappa if two else "W is within an item, averaged over items."
    whys = dict.fromkeys(
        f"{head}: {why}."
        for head, name in (("tau-b", "tau"), ("W", "w_items"), ("swap", "swaps"))
        if (why := _first(getattr(row, name) for row in found.rows))
    )
    return section(
        "order", "Order of the arms, criterion by criterion",
        Table(("criterion", *named, "swap"), rows), Paragraph(f"{words} {note}"),
        *map(Paragraph, whys),
    )  # fmt: skip


_FORMS = {"absolute": "ICC(A,1)", "consistency": "ICC(C,1)", "absolute_mean": "ICC(A,k)"}
_OWN_FORMS = {"one": "ICC(1,1)", "one_mean": "ICC(1,k)"}
"""Each cell with raters of its own, as where people are places in a file."""


def _icc(found: Agreement) -> Section | None:
    if len(found.raters) < agree_words.BOTH:
        return None
    why = _first(row.icc for row in found.rows)
    one = agree_names.one_word(found)
    note = (
        f"A is absolute agreement, C consistency (for a ranking), 1 one {one}, k the mean of all. "
        "Cells are the units."
    )
    own = "1 before the comma: each cell is taken to have people of its own. "
    if agree_names.places(found):
        tables = [_icc_table(found, _OWN_FORMS)]
        note = f"{own}The other forms are refused: {refusals.why(agree_words.unknown())}."
    elif found.persons:
        tables = [_icc_table(found, _FORMS), _icc_table(found, _OWN_FORMS)]
        note = own + note
    else:
        tables = [_icc_table(found, _FORMS)]
    return section(
        "icc", "Intraclass correlation", *tables, Paragraph(note),
        _note(f"Where there is a dash: {why}." if why else ""),
    )  # fmt: skip


def _icc_table(found: Agreement, forms: Mapping[str, str]) -> Table:
    rows = [
        (
            _row_name(row, 20),
            *(
                figure(getattr(row.icc, name)) if isinstance(row.icc, IccForms) else DASH
                for name in forms
            ),
        )
        for row in found.rows
    ]
    return Table(("criterion", *forms.values()), rows)


def _itself(found: Agreement) -> Section | None:
    if found.persons and not any(isinstance(row.noise, Noise) for row in found.rows):
        return None  # nobody marked anything again, which is how people usually mark
    digits = agree_names.digits(found)
    lines = []
    for one in found.raters:
        swaps = one.swaps
        turned = (
            f"arm pairs that swap on re-judging {percent(swaps)} of {plural(swaps.n, 'pair')}"
            if isinstance(swaps, Estimate)
            else f"arm pairs that swap {_why(swaps)}"
        )
        pinned = "; a seed was sent, so repeats may measure nothing" if one.pinned else ""
        words = agree_figures.noise(one.noise, found)
        lines.append(f"{agree_names.rater(one, found)}: {words}; {turned}{pinned}")
    known = [row for row in found.rows if isinstance(row.noise, Noise)]
    rows = [
        (_row_name(row, 20), figure(row.noise.sd, digits), _limit(row.noise, digits),
         share(row.noise.exact_share), plain(row.noise.sd.n))
        for row in known if isinstance(row.noise, Noise)
    ]  # fmt: skip
    heads = ("criterion", "re-scoring sd", "limit", "same mark", "cells")
    return section(
        "itself",
        "Each person with themselves" if found.persons else "Each judge against itself",
        Bullets(tuple(lines)),
        Table(heads, rows) if rows else None,
        Paragraph(
            f"Measured, all {agree_names.many_word(found)} pooled: the sd of one scoring; two "
            "scorings differ by more than the limit in 1 of 20."
        )
        if rows
        else None,
    )


def _limit(noise: Noise, digits: int) -> str:
    return points(noise.limit, digits) + (" floor" if noise.floored else "")


def _pairs(found: Agreement) -> Section | None:
    if len(found.raters) <= agree_words.BOTH or not found.pairs:
        return None
    digits = agree_names.digits(found)
    near = agree_figures.nearness(found)[1:]
    heads = [head for name, _ in near for head in (name, "chance")]
    rows = [
        (
            f"{one.first + 1} and {one.second + 1}",
            *(share for _, which in near for share in agree_figures.near(one.near, which)),
            figure(one.alpha),
            shift(one.shift, found),
        )
        for one in found.pairs
    ]
    more = [
        (f"{one.first + 1} and {one.second + 1}", *_limits(one.shift, digits),
         percent(one.ordering), figure(one.kappa), figure(one.tau))
        for one in found.pairs
    ]  # fmt: skip
    named = (
        agree_names.many_word(found),
        "95 % of gaps",
        "trend",
        "arm pairs ordered alike",
        "kappa",
        "tau-b",
    )
    return section(
        "pairs", f"Each two {agree_names.many_word(found)}, on totals",
        Table((agree_names.many_word(found), *heads, "alpha", "shift"), rows),
        Table(named, more),
    )  # fmt: skip


def _kendall(found: Agreement) -> Section | None:
    if len(found.raters) <= agree_words.BOTH:
        return None
    lines = [
        f"{what}: {figure(one) if isinstance(one, Estimate) else _why(one)}"
        for what, one in (
            ("within an item, mean over items", found.w_items),
            ("on the arms' means", found.w_totals),
        )
    ]
    return section("kendall", "Kendall's W: do they order the arms alike", Bullets(tuple(lines)))


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
    _order,
    _arms,
    _icc,
    _itself,
    _pairs,
    _kendall,
    jury_sections.sampled,
    jury_sections.effective,
    jury_sections.left_out,
    jury_sections.parts,
    jury_sections.designs,
    _splits,
    _others,
)
