"""Strengths of an extended report in words: of lists, and of pairs at equal length."""

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.result import Result
from judgebench.model.strengths import Strengths
from judgebench.reports import refusals
from judgebench.reports.blocks import Paragraph, Section, Table, estimate, paragraph, section
from judgebench.reports.comparing import groups
from judgebench.reports.digits import plural, signed
from judgebench.reports.naming import among

LISTS = "plackett-luce"


def strengths(result: Result) -> Section | None:
    """Strengths with their intervals, or why there are none; None where no pass has any."""
    found = result.strengths
    if found is None:
        return None
    by = "item" if result.clusters is None else "the clusters of items"
    return _lists(found, by) if found.model == LISTS else _pairs(found)


def _lists(found: Strengths, by: str) -> Section | None:
    note = (
        f"From {plural(found.judged, 'list')} of {plural(found.items, 'item')}: in each the judge "
        "marked the answers to an item together, and their totals put them in order, equal totals "
        f"as ties. Strengths are Plackett–Luce, log scale, against {_reference(found)}; errors are "
        f"clustered by {by}. They say how often an arm stands above, not by how much."
    )
    rows = [(one.arm, _figure(one.strength, one.arm, found)) for one in found.arms]
    table = Table(("arm", "strength (95 %)"), rows)
    return section(
        "list_strengths", "Strengths from lists", *_body(found, note, table, found.arms[0].strength)
    )


def _pairs(found: Strengths) -> Section | None:
    note = (
        f"The strengths of {plural(found.judged, 'comparison')} on {plural(found.items, 'item')}, "
        f"against {_reference(found)}, beside those of a fit that holds the length of the two "
        "answers equal (log2 of their characters). What is controlled is association: an answer "
        "may have won for its length, or be longer because there was more to say "
        "(Dubois et al. 2024)."
    )
    rows = [
        (
            one.arm,
            _figure(one.strength, one.arm, found),
            _figure(one.equal_length or one.strength, one.arm, found),
        )
        for one in found.arms
    ]
    table = Table(
        ("arm", "strength (95 %)", "strength at equal length (95 %)"),
        rows,
        short=("arm", "strength", "at equal length"),
    )
    length = found.length
    said = ""
    if isinstance(length, Refusal):
        if all(isinstance(one.equal_length, Refusal) for one in found.arms):
            return section(
                "equal_length", "Strengths at equal length", *_body(found, note, table, length)
            )
        said = f"What goes with the length itself: not printed: {refusals.why(length)}."
    elif length is not None:
        said = f"Twice the length goes with log odds of {estimate(length, _write)} of winning."
    return section(
        "equal_length", "Strengths at equal length", Paragraph(note), paragraph(said), table
    )


def _body(
    found: Strengths, note: str, table: Table, first: Estimate | Refusal
) -> tuple[Paragraph | Table | None, ...]:
    """The table or, where the first figure is refused for all, its reason and the groups."""
    if not isinstance(first, Refusal):
        return Paragraph(note), table
    named = refusals.name(first)
    why = f"{named[:1].upper()}{named[1:]}: not printed: {refusals.why(first)}."
    apart_ = f"Groups without a link both ways: {groups(found.unlinked)}." if found.unlinked else ""
    return Paragraph(why), paragraph(apart_)


def _reference(found: Strengths) -> str:
    if found.reference is None:
        return "the reference arm"
    return among(found.reference, [one.arm for one in found.arms], 40)


def _figure(value: Estimate | Refusal, arm: str, found: Strengths) -> str:
    return "reference" if arm == found.reference else estimate(value, _write)


def _write(value: float) -> str:
    return signed(value, 2)
