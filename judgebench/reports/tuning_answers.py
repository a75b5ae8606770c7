"""Answers on which judge and people differ → text: the furthest of them, or all side by side."""

from collections.abc import Iterator, Sequence

from judgebench.model.nouns import Quote
from judgebench.model.tuning import TuneGroup, TuneMark
from judgebench.reports.cells import cut, wrap
from judgebench.reports.digits import plural, points, signed
from judgebench.reports.layout import Column, grid
from judgebench.text import one_line, printable

_SAID = 600
"""Signs of a rationale or quote that are shown."""
_DETAIL = 3
"""Lines of one answer on the short page: what the judge said, and its first quote."""


def side_by_side(groups: Sequence[TuneGroup], digits: int, width: int) -> Iterator[str]:
    """Every answer with people's marks, the judge's, its rationale and its quotes."""
    for place, group in enumerate(groups):
        if place:
            yield ""
        yield from _group(group, digits, width)


def furthest(groups: Sequence[TuneGroup], digits: int, width: int, *, room: int) -> list[str]:
    """Criteria and directions in a table, and of the furthest answers what the judge said.

    Args:
        groups: What differs.
        digits: Decimals of marks.
        width: Columns of the terminal.
        room: Lines at most; one group and one answer are always there.
    """
    ordered = sorted(groups, key=lambda one: -abs(one.mean_gap) * one.cells)
    most = room - 1 - _DETAIL
    rows = ordered if len(ordered) <= most else ordered[: max(1, most - 1)]
    lines = _table(rows, digits, width)
    if left := len(ordered) - len(rows):
        lines.append(f" … {plural(left, 'more group', 'more groups')}: --extended")
    marks = sorted(
        ((group, group.shown[0]) for group in rows if group.shown),
        key=lambda pair: -abs(pair[1].gap),
    )
    for group, mark in marks[: max(1, (room - len(lines)) // _DETAIL)]:
        lines += _detail(group, mark, width)
    return lines


def _table(rows: Sequence[TuneGroup], digits: int, width: int) -> list[str]:
    firsts = [group.shown[0] for group in rows]
    columns = [
        Column(head="criterion", cells=tuple(one_line(g.criterion, 24) for g in rows), least=9),
        Column(head="judge", cells=tuple("higher" if g.higher else "lower" for g in rows)),
        Column(head="answers", cells=tuple(f"{g.cells:,} of {g.of:,}" for g in rows), right=True),
        Column(head="mean", cells=tuple(signed(g.mean_gap, digits) for g in rows), right=True),
        Column(head="furthest", cells=tuple(_name(mark) for mark in firsts), least=12),
        Column(head="judge", cells=tuple(points(m.judge, digits) for m in firsts), right=True),
        Column(
            head="people", cells=tuple(points(m.people_mean, digits) for m in firsts), right=True
        ),
    ]
    table = grid(columns, width - 1)
    return [f" {line}".rstrip() for line in (table.head, *table.lines)]


def _name(mark: TuneMark) -> str:
    arm = f" = {one_line(mark.arm, 30)}" if mark.arm is not None else ""
    return f"{one_line(mark.item, 40)} {mark.label}{arm}"


def _detail(group: TuneGroup, mark: TuneMark, width: int) -> list[str]:
    head = f"{one_line(group.criterion, 24)}, {_name(mark)}:"
    said = one_line(mark.rationale, _SAID) or "no rationale"
    quotes = [cut(f"   {_quote(quote)}", width) for quote in mark.quotes[:1]]
    return [*wrap(f" {head} {said}", width, most=_DETAIL - len(quotes), indent="   "), *quotes]


def _group(group: TuneGroup, digits: int, width: int) -> Iterator[str]:
    way = "higher" if group.higher else "lower"
    yield (
        f"{one_line(group.criterion, 40)}: judge {way} on {group.cells:,} of "
        f"{plural(group.of, 'answer')} (mean {signed(group.mean_gap, digits)})"
    )
    for mark in group.shown:
        yield from _mark(mark, digits, width)


def _mark(mark: TuneMark, digits: int, width: int) -> Iterator[str]:
    arm = f" = {one_line(mark.arm, 30)}" if mark.arm is not None else ""
    people = ", ".join(f"{one_line(who, 20)} {points(given, digits)}" for who, given in mark.people)
    yield from wrap(
        f" {one_line(mark.item, 40)}, answer {mark.label}{arm}: judge "
        f"{points(mark.judge, digits)}, people {points(mark.people_mean, digits)} ({people})",
        width, indent="   ",
    )  # fmt: skip
    if said := one_line(mark.rationale, _SAID):
        yield from wrap(f"   judge: {said}", width, indent="     ")
    for quote in mark.quotes:
        yield from wrap(f"     {_quote(quote)}", width, indent="     ")
    if mark.unsupported:
        yield "     (not all quotes that the mark needs were found)"


def _quote(quote: Quote) -> str:
    state = quote.source if quote.found else f"{quote.source}, NOT FOUND"
    return f"“{one_line(quote.text, _SAID)}” [{printable(state)}]"
