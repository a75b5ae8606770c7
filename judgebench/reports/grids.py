"""Result → grids as pictures: arms by criteria, items by arms."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from judgebench.model.exhibits import CellFact
from judgebench.model.result import Result
from judgebench.namesakes import apart
from judgebench.reports import plots, tables
from judgebench.reports.cells import cut
from judgebench.reports.digits import DASH, decimals, listed, plural, points
from judgebench.reports.plot_rows import NAME
from judgebench.reports.plot_shapes import GridCell, GridPlot
from judgebench.text import one_line

MOST_ROWS, MOST_COLUMNS = 40, 12
"""What is drawn: on paper it takes one page, and its figures can still be read."""


def criteria(result: Result) -> GridPlot | None:
    """Mean mark of each arm on each criterion; None where there is none."""
    shown = result.criteria[:MOST_COLUMNS]
    arms = result.arms[:MOST_ROWS]
    cells = [
        [
            GridCell(words=words, look=look)
            for words, look in zip(tables.criteria(result, arm), looks, strict=True)
        ][: len(shown)]
        for arm, looks in zip(arms, heat(result), strict=False)
    ]
    if not any(one.look for row in cells for one in row):
        return None
    kept = [
        _first("arm", len(arms), len(result.arms)),
        _first("criterion", len(shown), len(result.criteria), "criteria"),
    ]
    beside = "Criteria of weight 0 are shaded up to the highest mean of each."
    what = "mark" if result.comparing is None else "share won"
    return _grid(
        result,
        cells,
        key="criteria",
        title=f"Mean {what} of each arm on each criterion",
        rows=[arm.arm.id for arm in arms],
        columns=[name for name, _, _ in shown],
        kept=kept,
        also=beside if _beside(result) else "",
    )


def heat(result: Result) -> tuple[tuple[str, ...], ...]:
    """Shades of the table of criteria, a row an arm.

    A criterion that counts nothing beside others that do may have a range of its own, as the
    parts of a published total have: it is shaded up to its own highest mean.
    """
    out = []
    highest: dict[str, float] = {}
    for arm in result.arms:
        for one in arm.criteria:
            if one.mean is not None:
                highest[one.criterion] = max(one.mean, highest.get(one.criterion, one.mean))
    beside = _beside(result)
    for arm in result.arms:
        means = {one.criterion: one.mean for one in arm.criteria}
        out.append(
            tuple(
                plots.shade(
                    means.get(name),
                    result.scale_low,
                    highest.get(name, result.scale_high) if name in beside else result.scale_high,
                )
                for name, _, _ in result.criteria
            )
        )
    return tuple(out)


def _beside(result: Result) -> set[str]:
    """Criteria that count nothing where others do."""
    weights = {name: weight for name, _, weight in result.criteria}
    return {name for name, weight in weights.items() if not weight and any(weights.values())}


def items(result: Result, cells: Sequence[CellFact], every: int = 0) -> GridPlot | None:
    """Total of each arm on each item; None where no cell is known.

    Of many items those are drawn on which arms lie furthest apart.

    Args:
        result: What is known of one pass.
        cells: What is held of its items.
        every: How many items the run has, where that may be more.
    """
    if not cells or not result.arms:
        return None
    found = by_item(cells)
    arms = [arm.arm.id for arm in result.arms[:MOST_COLUMNS]]
    every = max(every, len(found))
    names, kept = _chosen(found, every)
    return _grid(
        result,
        [[cell(result, found[name].get(arm)) for arm in arms] for name in names],
        key="matrix",
        title=f"{'Total' if result.comparing is None else 'Share won'} of each arm on each item",
        rows=names,
        columns=arms,
        kept=[kept, _first("arm", len(arms), len(result.arms))],
        below=_first("item", len(found), every) or "all",
    )


def by_item(cells: Iterable[CellFact]) -> dict[str, dict[str, CellFact]]:
    """Cells of each item by arm, in the order of the run."""
    rows: dict[str, dict[str, CellFact]] = {}
    for one in cells:
        rows.setdefault(one.item, {})[one.arm] = one
    return rows


def cell(result: Result, found: CellFact | None) -> GridCell:
    """What is written of one arm on one item, and how it looks."""
    if found is None or (found.total is None and found.blocked is None):
        return GridCell(words=DASH)
    if found.total is None:
        reason = one_line(found.blocked or "", 30)
        return GridCell(words=reason, look="blocked", short=tables.short_reason(reason))
    digits = decimals(result.scale_low, result.scale_high)
    return GridCell(
        words=points(found.total, digits) + ("?" if found.suspect else ""),
        look=plots.shade(found.total, result.scale_low, result.scale_high),
    )


def with_median(result: Result, found: CellFact | None) -> GridCell:
    """The same with the median of its judgments in brackets, where it has one."""
    plain = cell(result, found)
    if found is None or found.median is None:
        return plain
    digits = decimals(result.scale_low, result.scale_high)
    return replace(plain, words=f"{plain.words} ({points(found.median, digits)})")


def _chosen(found: dict[str, dict[str, CellFact]], every: int) -> tuple[list[str], str]:
    """Items that are drawn, in the order of the run, and which they are in words.

    Args:
        found: The items that are held.
        every: How many the run has, which may be more.
    """
    names = list(found)
    if len(names) <= MOST_ROWS:
        return names, ""
    spreads = {name: _spread(found[name].values()) for name in names}
    if max(spreads.values()) <= 0:
        return names[:MOST_ROWS], _first("item", MOST_ROWS, every)
    widest = set(sorted(names, key=lambda name: -spreads[name])[:MOST_ROWS])
    of = f"{every:,}" if len(names) == every else f"the first {len(names):,} (of {every:,})"
    words = f"the {MOST_ROWS} items of {of} on which arms lie furthest apart"
    return [name for name in names if name in widest], words


def _spread(cells: Iterable[CellFact]) -> float:
    known = [one.total for one in cells if one.total is not None and math.isfinite(one.total)]
    return max(known) - min(known) if known else -1.0


def _first(noun: str, shown: int, count: int, nouns: str = "") -> str:
    """Which of many are drawn; empty where all are."""
    return "" if shown >= count else f"the first {shown} of {plural(count, noun, nouns)}"


def _grid(  # noqa: PLR0913 - what a grid is made of
    result: Result,
    cells: Sequence[Sequence[GridCell]],
    *,
    key: str,
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    kept: Iterable[str],
    below: str = "all",
    also: str = "",
) -> GridPlot:
    every = [one for row in cells for one in row]
    reasons = Counter(one.words for one in every if one.look == "blocked")
    blocked = listed([f"{reason} {count:,}" for reason, count in reasons.most_common()], most=5)
    drawn = " and ".join(filter(None, kept))
    scale = f"{result.scale_low:g} to {result.scale_high:g}"
    size = f"{plural(len(rows), 'row')}, {plural(len(columns), 'column')}"
    said = (
        f"The stronger the colour, the higher on the scale, {scale}.",
        also,
        f"Hatched cells are blocked ({blocked}): they are no low mark." if blocked else "",
        "A cell with ? looks cut." if any(one.words.endswith("?") for one in every) else "",
        f"{DASH} has no mark." if any(one.words == DASH for one in every) else "",
        f"Drawn are {drawn}; the table below holds {below}." if drawn else "",
    )
    return GridPlot(
        key=key,
        title=title,
        desc=f"{size}. Every figure stands in the table below.",
        rows=_named(rows),
        columns=_named(columns),
        cells=tuple(map(tuple, cells)),
        marked=" ".join(filter(None, said)),
    )


def _named(names: Sequence[str]) -> tuple[str, ...]:
    """Cut by the width in which they are drawn: some signs are as wide as two."""
    written = apart(names, NAME, cut=cut)
    return tuple(written[name] for name in names)
