"""What a run has, one a row: totals item by item, and the passes on it."""

from collections import Counter
from collections.abc import Iterable

from judgebench.model.item_totals import ItemTotals
from judgebench.model.nouns import Refusal
from judgebench.model.passes import Passes, PassFacts, shown_first
from judgebench.namesakes import apart
from judgebench.reports.digits import DASH, decimals, listed, plural, points
from judgebench.reports.layout import Column, grid, names_column
from judgebench.reports.wording import MARKS_ONLY
from judgebench.text import one_line


def render_items(items: ItemTotals, *, width: int = 80) -> str:
    """Render totals item by item; arms that find no room are counted."""
    digits = decimals(items.scale_low, items.scale_high)
    if len(items.items) == 1:
        return _one_item(items, digits, width)
    names, heads = apart(items.items, 40), apart(items.arms, 20)
    columns = [
        names_column("item", [names[name] for name in items.items]),
        *(
            Column(
                head=heads[arm],
                cells=tuple(
                    points(row[at], digits) + _median(items, place, at) + _tier(items, place, at)
                    for place, row in enumerate(items.totals)
                ),
                right=True,
                criterion=True,
            )
            for at, arm in enumerate(items.arms)
        ),
    ]
    table = grid(columns, max(width, 40))
    more = [f"{plural(table.dropped, 'more arm')}: --json"] if table.dropped else []
    head = _head(items, plural(len(items.items), "item"))
    if items.panel:
        judges = listed([*apart(items.panel, 28).values()])
        head = f"{head}\npanel of judges {judges}"
    return "\n".join([head, "", table.head, *table.lines, *more]) + "\n"


def _head(items: ItemTotals, of: str) -> str:
    """What is shown; of marks alone their own line stands first, as on every page."""
    head = f"{one_line(items.run_name, 40)} · totals of {of}"
    if not isinstance(items.medians, Refusal):
        head += ": mean (median of three judgments or more)"
    return f"{MARKS_ONLY}\n{head}" if items.marks_only else head


def _median(items: ItemTotals, item: int, arm: int) -> str:
    """Median of a cell in brackets; empty where it has too few judgments for one."""
    median = None if isinstance(items.medians, Refusal) else items.medians[item][arm]
    digits = decimals(items.scale_low, items.scale_high)
    return "" if median is None else f" ({points(median, digits)})"


def _tier(items: ItemTotals, item: int, arm: int) -> str:
    name = items.tiers[item][arm] if items.tiers else None
    return f" {one_line(name, 12)}" if name else ""


def _one_item(items: ItemTotals, digits: int, width: int) -> str:
    """Of one item each arm has a row: its total, and its tier where there are tiers."""
    arms = apart(items.arms, 60)
    columns = [
        names_column("arm", [arms[arm] for arm in items.arms]),
        Column(
            head="total",
            cells=tuple(
                points(value, digits) + _median(items, 0, at)
                for at, value in enumerate(items.totals[0])
            ),
            right=True,
        ),
    ]
    if items.tiers:
        names = tuple(one_line(name or DASH, 12) for name in items.tiers[0])
        columns.append(Column(head="tier", cells=names))
    table = grid(columns, max(width, 40))
    head = _head(items, one_line(items.items[0], 30))
    return "\n".join([head, "", table.head, *table.lines]) + "\n"


def render_passes(found: Passes, *, width: int = 80) -> str:
    """Render every pass on a run, one a row."""
    passes = found.passes
    shown = shown_first(passes).id
    columns = [
        Column(head="pass", cells=tuple(one.id for one in passes)),
        Column(
            head="judge", cells=_told_apart((p.judge_name, p.judge_sha256) for p in passes), least=8
        ),
        Column(head="rubric", cells=_told_apart((p.rubric_name, p.ask_sha256) for p in passes)),
        Column(
            head="mode",
            cells=tuple(f"{one.mode}{' split' if one.split_criteria else ''}" for one in passes),
        ),
        Column(head="route", cells=tuple(one.route for one in passes)),
        Column(
            head="answered",
            cells=tuple(map(_answered, passes, found.marks or (None,) * len(passes))),
            right=True,
        ),
        Column(
            head="",
            cells=tuple(
                ", ".join(["shown"] * (one.id == shown) + ["unfinished"] * (not one.complete))
                for one in passes
            ),
        ),
    ]
    table = grid(columns, max(width, 40))
    many = plural(len(passes), "pass", "passes")
    head = f"{one_line(found.run_name, 30)} · {many} · --pass ID shows another one"
    return "\n".join([head, "", table.head, *table.lines]) + "\n"


def _answered(one: PassFacts, marks: int | None) -> str:
    """Requests that were answered; of marks that were taken in, how many they are."""
    if marks is None:
        return f"{one.answered:,}/{one.planned:,}"
    # A comparison is stored from both of its sides.
    return plural(marks // 2, "comparison") if one.mode == "pairwise" else plural(marks, "mark")


def _told_apart(named: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Names, with the first digits of their hash where one name stands for several hashes."""
    pairs = list(named)
    many = Counter(name for name, _ in set(pairs))
    short = apart(many, 32)
    return tuple(short[name] + (f" {sha[:4]}" if many[name] > 1 else "") for name, sha in pairs)
