"""The table of the terminal for the pages of a report, with every criterion."""

from judgebench.model.result import Result
from judgebench.reports import beside_zero, tables
from judgebench.reports.blocks import Section, Table, bullets
from judgebench.reports.digits import DASH


def overview(result: Result) -> Section:
    """The table of the terminal, with every criterion."""
    shape, rows = tables.shape(result), tables.rows(result)
    columns: list[tuple[str, list[str]]] = [("arm", [row.arm for row in rows])]
    if shape.ranks or shape.suspects:
        columns.append(("may be best (*)", [row.mark or DASH for row in rows]))
    if shape.ranks:
        columns.append(("rank", [row.rank for row in rows]))
    if shape.differences:
        columns.append(("difference", [row.difference for row in rows]))
    total = tables.won_head(result) if shape.pairs else "total (n)"
    columns.append((total, [row.total for row in rows]))
    if shape.strengths:
        columns.append(("strength", [row.strength for row in rows]))
    columns += [
        (head or name, [row.criteria[place] for row in rows])
        for place, (name, head, _) in enumerate(result.criteria)
    ]
    columns.append(("answered", [row.answered for row in rows]))
    columns.append(("blocked", [row.blocked or DASH for row in rows]))
    heads = [head for head, _ in columns]
    cells = list(zip(*(values for _, values in columns), strict=True))
    notes = bullets(beside_zero.told(result) if shape.differences else [])
    return Section(
        key="arms", title="The arms", blocks=(Table(heads, cells), *filter(None, [notes]))
    )
