"""Sections of an agreement on the coefficients that papers print: order, ICC, noise, Kendall."""

from collections.abc import Mapping

from judgebench.model.agreement import Agreement, Gaps, IccForms, Noise
from judgebench.model.nouns import Estimate, Refusal
from judgebench.reports import agree_figures, agree_names, agree_words, refusals
from judgebench.reports.agree_columns import first_reason, limits, row_name, why_not_printed
from judgebench.reports.agree_figures import figure, percent, shift
from judgebench.reports.blocks import Bullets, Paragraph, Section, Table, paragraph, section
from judgebench.reports.digits import DASH, plain, plural, points, share


def order(found: Agreement) -> Section | None:
    """Figures of two or more passes that papers print, and the order of arms on each criterion."""
    if len(found.raters) < agree_words.BOTH:
        return None
    two = len(found.raters) == agree_words.BOTH
    rows = [
        (
            row_name(row, 20),
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
        if (why := first_reason(getattr(row, name) for row in found.rows))
    )
    return section(
        "order", "Order of the arms, criterion by criterion",
        Table(("criterion", *named, "swap"), rows), Paragraph(f"{words} {note}"),
        *map(Paragraph, whys),
    )  # fmt: skip


_FORMS = {"absolute": "ICC(A,1)", "consistency": "ICC(C,1)"}
_MEAN_FORMS = {"absolute_mean": "ICC(A,k)", "consistency_mean": "ICC(C,k)"}
_OWN_FORMS = {"one": "ICC(1,1)", "one_mean": "ICC(1,k)"}
"""Each cell with raters of its own, as where people are places in a file."""


def icc(found: Agreement) -> Section | None:
    """Intraclass correlation, of raters that are the same throughout or of each cell's own."""
    if len(found.raters) < agree_words.BOTH:
        return None
    why = first_reason(row.icc for row in found.rows)
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
        tables = [_icc_table(found, one) for one in (_FORMS, _MEAN_FORMS, _OWN_FORMS)]
        note = own + note
    else:
        tables = [_icc_table(found, one) for one in (_FORMS, _MEAN_FORMS)]
    return section(
        "icc", "Intraclass correlation", *tables, Paragraph(note),
        paragraph(f"Where there is a dash: {why}." if why else ""),
    )  # fmt: skip


def _icc_table(found: Agreement, forms: Mapping[str, str]) -> Table:
    rows = [
        (
            row_name(row, 20),
            *(
                figure(getattr(row.icc, name)) if isinstance(row.icc, IccForms) else DASH
                for name in forms
            ),
        )
        for row in found.rows
    ]
    return Table(("criterion", *forms.values()), rows)


def itself(found: Agreement) -> Section | None:
    """How far each rater moves on what it marked again."""
    if found.persons and not any(isinstance(row.noise, Noise) for row in found.rows):
        return None  # nobody marked anything again, which is how people usually mark
    digits = agree_names.digits(found)
    lines = []
    for one in found.raters:
        swaps = one.swaps
        turned = (
            f"arm pairs that swap on re-judging {percent(swaps)} of {plural(swaps.n, 'pair')}"
            if isinstance(swaps, Estimate)
            else f"arm pairs that swap {why_not_printed(swaps)}"
        )
        pinned = "; a seed was sent, so repeats may measure nothing" if one.pinned else ""
        words = agree_figures.noise(one.noise, found)
        lines.append(f"{agree_names.rater(one, found)}: {words}; {turned}{pinned}")
    known = [row for row in found.rows if isinstance(row.noise, Noise)]
    rows = [
        (row_name(row, 20), figure(row.noise.sd, digits), _limit(row.noise, digits),
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


def pairs(found: Agreement) -> Section | None:
    """Each two of three raters or more, on totals."""
    if len(found.raters) <= agree_words.BOTH or not found.pairs:
        return None
    title = f"Each two {agree_names.many_word(found)}, on totals"
    if isinstance(found.pairs, Refusal):
        return section("pairs", title, paragraph(f"{why_not_printed(found.pairs).capitalize()}."))
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
        (f"{one.first + 1} and {one.second + 1}", *limits(one.shift, digits),
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
    gaps = (one.shift for one in found.pairs if isinstance(one.shift, Gaps))
    bare = first_reason(one.limits_refused for one in gaps)
    return section(
        "pairs", title,
        Table((agree_names.many_word(found), *heads, "alpha", "shift"), rows),
        Table(named, more), paragraph(f"Limits and trend are {bare}." if bare else ""),
    )  # fmt: skip


def kendall(found: Agreement) -> Section | None:
    """Kendall's W of three raters or more."""
    if len(found.raters) <= agree_words.BOTH:
        return None
    lines = [
        f"{what}: {figure(one) if isinstance(one, Estimate) else why_not_printed(one)}"
        for what, one in (
            ("within an item, mean over items", found.w_items),
            ("on the arms' means", found.w_totals),
        )
    ]
    return section("kendall", "Kendall's W: do they order the arms alike", Bullets(tuple(lines)))
