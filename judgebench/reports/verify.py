"""What does not add up, as text: a published table, and the price of each finding."""

from collections.abc import Iterator, Mapping

from judgebench.model.published import Audit, ChangedMark, Price
from judgebench.model.verified import Verified
from judgebench.reports.cells import wrap
from judgebench.text import one_line, plural

LINES = 12
"""Slips, changed marks or prices that are shown unless all are asked for."""
_COUNTED = {
    "marks": "mark",
    "sums": "sum",
    "deductions": "sum of deductions",
    "caps": "cap",
    "tiers": "tier",
    "ranks": "rank",
    "prices": "price",
    "reply": "mark against its reply",
    "find": "find against its reply",
    "report": "report",
}
_PLURAL = {
    "sum of deductions": "sums of deductions",
    "mark against its reply": "marks against their replies",
    "find against its reply": "finds against their replies",
    "reply": "replies",
}


def render(found: Audit, *, every: bool = False, width: int = 80) -> str:
    """Say what a look over a published table came to."""
    lines = [*_head(found, width), ""]
    if found.slips:
        lines.append(f"{plural(len(found.slips), 'slip')}:")
        shown = found.slips if every else found.slips[:LINES]
        for one in shown:
            where = f"line {one.line}" if one.line else one.table
            text = f"{one.kind.value} · {one_line(one.name, 60)} ({where}): {one.message}"
            lines += [f"  {line}" for line in wrap(one_line(text, 600), width - 2, indent="  ")]
        lines += _more(len(found.slips) - len(shown))
    else:
        lines.append("Nothing slipped: everything that could be checked adds up.")
    lines += _changes(found.changed, every=every, width=width)
    for note in found.notes:
        lines += wrap(one_line(note, 300), width)
    return "\n".join(lines) + "\n"


def _head(found: Audit, width: int) -> Iterator[str]:
    tables = one_line(", ".join(found.tables), 200)
    yield from wrap(
        f"{one_line(found.name, 60)} · {plural(found.rows, 'row')} in "
        f"{plural(len(found.tables), 'table')}: {tables}",
        width,
    )
    yield from wrap(f"checked: {counted(found.checked) or 'nothing'}", width)


def counted(checked: Mapping[str, int]) -> str:
    """``52 sums, 109 tiers``; what could not be checked is left out."""
    words = ((n, _COUNTED.get(kind, kind)) for kind, n in checked.items() if n)
    return ", ".join(plural(n, word, _PLURAL.get(word, "")) for n, word in words)


def _changes(changed: tuple[ChangedMark, ...], *, every: bool, width: int) -> Iterator[str]:
    if not changed:
        return
    kinds = {kind: sum(1 for one in changed if one.kind == kind) for kind in _kinds(changed)}
    yield ""
    yield f"changed marks, no slips: {', '.join(plural(n, kind) for kind, n in kinds.items())}"
    shown = changed if every else changed[:LINES]
    for one in shown:
        table = f" ({one_line(one.table, 30)})" if one.table else ""
        reason = f"; {one_line(one.reason, 200)}" if one.reason else ""
        text = (
            f"{one_line(one.name, 60)}{table}: {one.before:g} → {one.after:g}, {one.kind}{reason}"
        )
        yield from (f"  {line}" for line in wrap(text, width - 2, indent="  "))
    yield from _more(len(changed) - len(shown))


def render_run(found: Verified, *, every: bool = False, width: int = 80) -> str:
    """Say what a look over a stored run came to."""
    lines = [
        f"{one_line(found.run_name, 40)} · {plural(len(found.passes), 'pass', 'passes')}",
        *wrap(f"compared: {counted(found.checked) or 'nothing'}", width),
        "",
    ]
    n = len(found.differences) + found.left_out
    if n:
        lines.append(f"{plural(n, 'difference')}:")
        shown = found.differences if every else found.differences[:LINES]
        for one in shown:
            text = f"{one.part.value} · {one.place}: {one.stored} stored, {one.found} found"
            lines += [f"  {line}" for line in wrap(one_line(text, 600), width - 2, indent="  ")]
        lines += _more(n - len(shown))
    else:
        lines.append("Nothing differs: every figure follows from what is stored.")
    for note in found.notes:
        lines += wrap(one_line(note, 300), width)
    return "\n".join(lines) + "\n"


def _kinds(changed: tuple[ChangedMark, ...]) -> list[str]:
    return list(dict.fromkeys(one.kind for one in changed))


def _more(n: int) -> list[str]:
    return [f"  … {n:,} more (--all)"] if n > 0 else []


def render_prices(found: Audit, *, every: bool = False, width: int = 80) -> str:
    """Say what each class of findings costs in each project, the uneven ones first."""
    if not found.prices:
        return (
            f"{one_line(found.name, 60)}: no finding has a price in this table; "
            "a column of deductions would show them\n"
        )
    uneven = [price for price in found.prices if not price.consistent]
    even = [price for price in found.prices if price.consistent]
    many = plural(len(found.prices), "class", "classes")
    head = (
        f"{one_line(found.name, 60)} · {many} of findings, {len(uneven)} with more than one price"
    )
    lines = [head, ""]
    ordered = [*uneven, *even]
    shown = ordered if every else ordered[:LINES]
    for price in shown:
        lines += [f"  {line}" for line in wrap(_price(price), width - 2, indent="  ")]
    return "\n".join([*lines, *_more(len(ordered) - len(shown))]) + "\n"


def _price(price: Price) -> str:
    parts = [
        f"{points:g} in {plural(len(names), 'project')}"
        + ("" if price.consistent else f" ({one_line(', '.join(names), 160)})")
        for points, names in price.points.items()
    ]
    listed = "" if price.listed is None else f"; the catalogue says {price.listed:g}"
    mark = "" if price.consistent else "! "
    return f"{mark}{one_line(price.finding, 60)}: {', '.join(parts)}{listed}"
