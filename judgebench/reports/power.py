"""Power → text for a terminal: what it would take to see a difference."""

from collections.abc import Sequence

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.power import DesignRow, Power
from judgebench.namesakes import apart
from judgebench.reports import refusals
from judgebench.reports.cells import wrap
from judgebench.reports.digits import DASH, decimals, fixed, listed, plain, plural, points, usd
from judgebench.reports.layout import Column, grid
from judgebench.reports.power_notes import power_note, ties_note
from judgebench.stats.planning import MAX_ITEMS
from judgebench.stats.share_spreads import TIES
from judgebench.text import one_line

_WRAP = 80
_TIE = 1e-9


def render(power: Power, *, width: int = _WRAP) -> str:
    """Write what is known of the spread, the items needed, and what repeats would save."""
    digits = decimals(power.scale_low, power.scale_high)
    blocks = [
        _head(power),
        _judges(power),
        _scale(power),
        _unmarked(power),
        _now(power, digits),
        _needed(power, digits, width),
        _repeats(power, digits, width),
        _more_judges(power, digits, width),
    ]
    lines = [
        line
        for place, block in enumerate(block for block in blocks if block)
        for line in (*([""] if place else []), *block)
    ]
    return "\n".join(part for line in lines for part in _fit(line, width)) + "\n"


def _fit(line: str, width: int) -> list[str]:
    # Tables are laid out already; sentences are wrapped.
    return [line] if line.startswith(" ") or len(line) <= width else wrap(line, width)


def _head(power: Power) -> list[str]:
    name, judge = one_line(power.run_name, 40), one_line(power.judge_name, 32)
    who = "people" if power.by_people else f"judge {judge}"
    if power.judges > 1:
        who = f"{power.judges} judges together"
    arms, pairs = plural(len(power.arms), "arm"), plural(power.comparisons, "comparison")
    most = "up to " if _fewer(power) else ""
    head = f"{name} · {arms} · {pairs} · {who} · {most}{_each(power, power.repeats)}"
    found = power.clusters
    if found is None:
        return [head]
    return [
        head,
        (
            f"{plural(found.items, 'item')} in {plural(found.count, 'cluster')}: clusters are the "
            "units. The spread is that of independent items whose mean would be as uncertain, and "
            "items needed are items of further clusters like these."
        ),
    ]


def _scale(power: Power) -> list[str]:
    """That the gaps of a plan are shares of a scale that nobody named."""
    if not power.scale_taken:
        return []
    ends = f"{power.scale_low:.15g} to {power.scale_high:.15g}"
    return [
        (
            f"Scale {ends} taken from the marks (--scale names it at the import): gaps that "
            "--delta does not name come from what they span."
        )
    ]


def _fewer(power: Power) -> bool:
    """Whether cells of the pair were marked less often than those that were most often."""
    found = power.spread
    return not isinstance(found, Refusal) and found.scorings < power.repeats - _TIE


def _each(power: Power, repeats: int) -> str:
    """How often an answer is marked; by people, it is by so many of them."""
    if power.by_people and power.shares:
        return f"{'up to ' if repeats > 1 else ''}{plural(repeats, 'person', 'people')} a pair"
    if power.by_people:
        return f"{plural(repeats, 'person', 'people')} an answer"
    return f"{plural(repeats, 'scoring')} each"


def _unmarked(power: Power) -> list[str]:
    """Arms that the plan counts and of which nothing is known."""
    if not power.unmarked:
        return []
    names = apart(power.arms, 24)
    named = listed([names[arm] for arm in power.unmarked], most=6)
    has = "has" if len(power.unmarked) == 1 else "have"
    return [f"{named} {has} no total here: planned for as if like the others (--arms leaves out)."]


def _measured_pairs(power: Power) -> int:
    """Pairs that the spread is the worst of."""
    arms = len(power.arms) - len(power.unmarked)
    return arms * (arms - 1) // 2


def _now(power: Power, digits: int) -> list[str]:
    if isinstance(power.spread, Refusal):
        return [
            f"This run cannot estimate its spread: {refusals.why(power.spread)}.",
            _assumed(power),
        ]
    names = apart(power.arms, 24)
    pair = f"{names[power.spread.first]} and {names[power.spread.second]}"
    items, worst = plural(power.spread.n, "shared item"), ""
    if _measured_pairs(power) > 1:
        worst = "worst pair: "
    lines = [
        (
            f"Spread of an item's paired difference{_of_shares(power)}{_measured(power, digits)} "
            f"({worst}{pair}, {items}{_other_arms(power)})."
        )
    ]
    if isinstance(power.detectable, Estimate):
        gap = points(power.detectable.value, digits)
        unit = "item" if power.clusters is None else "cluster"
        lines.append(
            f"As it is, on the {plural(power.detectable.n, unit)} that this pair shares, a true "
            f"gap of {gap}{_points(power) or ' in the share won'} is found in 80 % of such runs, "
            "all comparisons together."
        )
        lines += filter(None, [power_note(power.detectable, _measured_pairs(power), unit)])
    else:
        lines.append(f"As it is: {refusals.why(power.detectable)}.")
        needed = [row.items_one for row in power.rows if row.items_one is not None]
        lines += filter(None, [ties_note(power.detectable, needed)])
    return lines


def _assumed(power: Power) -> str:
    """Which spreads stand in place of a measured one."""
    if not power.shares:
        return "Below stand assumed spreads of an item's paired difference."
    first, *more = (f"{ties:.0%}".removesuffix("%") for ties in TIES)
    return (
        "Below stand assumed spreads of an item's paired difference in shares won, all arms "
        f"compared with all: {first}, {' and '.join(more)} % of comparisons tied"
        + ("" if len(power.arms) <= 2 else ", and one clear order of an item's answers")  # noqa: PLR2004 - then it is the same
        + "."
    )


def _measured(power: Power, digits: int) -> str:
    """The spread, and whether it was measured or is the least that rounding leaves."""
    if isinstance(power.spread, Refusal):
        return ""
    spread = f"{points(power.spread.sd, digits)}{_points(power)}"
    if power.spread.measured is None:
        return f", measured: {spread}"
    return f": {spread}, the floor of rounding; measured: {points(power.spread.measured, digits)}"


def _points(power: Power) -> str:
    """The unit of a difference: shares have none."""
    return "" if power.shares else " points"


def _of_shares(power: Power) -> str:
    return " in shares won" if power.shares else ""


def _other_arms(power: Power) -> str:
    """How other arms are planned, where the worst pair is one with gaps."""
    if isinstance(power.spread, Refusal) or power.spread.n >= power.spread.most:
        return ""
    return f"; others share up to {power.spread.most}: --arms A,B"


def _needed(power: Power, digits: int, width: int) -> list[str]:
    design = power.rows[0] if power.rows else None
    if design is None:
        return []
    judges = [] if power.by_people else [plural(design.judges, "judge")]
    # Without known noise nothing is projected: the spread stays that of as few as there were.
    few = isinstance(power.noise, Refusal) and _fewer(power) and design.repeats == power.repeats
    each = _each(power, design.repeats).removeprefix("up to ")
    who = ", ".join([*judges, f"up to {each}" if few else _each(power, design.repeats)])
    if power.judges_refused is not None:
        who = f"{who} (not for other numbers of judges)"
    title = f"Shared items needed (80 % power, 95 %), {who}"
    left = "" if power.marks_only else ", no controls"
    title += f"{left}:" if len(title + left) < width else ":"
    table = _table(power, power.rows, digits, width, first="gap")
    return [title, *table, *_projected(power, design, digits)]


def _projected(power: Power, design: DesignRow, digits: int) -> list[str]:
    """Why the spread of the rows is another than the one that was measured."""
    found = power.spread
    if isinstance(found, Refusal) or points(found.sd, digits) == points(design.spread, digits):
        return []
    judges = "" if power.judges == 1 else f"{plural(power.judges, 'judge')}, "
    # Without known noise other repeats change no spread, and none is said to be projected.
    if isinstance(power.noise, Refusal):
        had = plural(power.judges, "judge")
        now = plural(design.judges, "judge")
        sd = points(found.sd, digits)
        return [f"Spread here is projected to {now}; the measured one, {sd}, is of {had}."]
    each = "person" if power.by_people else "scoring"
    had = plural(int(found.scorings), each, "people" if power.by_people else "")
    if found.scorings % 1:
        had = f"{fixed(found.scorings, 1)} {'people' if power.by_people else 'scorings'}"
    who = "" if power.judges == 1 else f"{plural(design.judges, 'judge')}, "
    return [
        (
            f"Spread here is projected to {who}{_each(power, design.repeats)}; the measured one, "
            f"{points(found.sd, digits)}, is of {judges}{had} an answer (harmonic mean)."
        )
    ]


def _gap(value: float, digits: int) -> str:
    """As points, but what was asked for never reads as nothing."""
    return points(value, digits) if float(fixed(value, digits)) else f"{value:g}"


def _table(
    power: Power, rows: Sequence[DesignRow], digits: int, width: int, *, first: str
) -> list[str]:
    cells = {
        "gap": tuple(_gap(row.gap, digits) for row in rows),
        "scorings": tuple(str(row.repeats) for row in rows),
        "judges": tuple(str(row.judges) for row in rows),
    }
    columns = [
        Column(head=first, cells=cells[first], right=True),
        Column(head="spread", cells=tuple(_spread(r, digits) for r in rows), right=True),
        Column(head="one pair", cells=tuple(plain(r.items_one) for r in rows), right=True),
        Column(head="all pairs", cells=tuple(plain(r.items_all) for r in rows), right=True),
    ]
    if not power.marks_only:
        columns += [
            Column(head="requests", cells=tuple(plain(r.requests) for r in rows), right=True),
            Column(head="cost", cells=tuple(usd(r.cost_usd) for r in rows), right=True),
        ]
    table = grid(columns, width)
    lines = [table.head, *table.lines]
    made = [f" {line}".rstrip() for line in lines]
    notes = [_FLOOR] if any(row.floored for row in rows) else []
    return [*made, *notes, *([_NONE] if any(row.items_all is None for row in rows) else [])]


_FLOOR = "floor: the least spread that marks rounded to their step are taken to have."


_NONE = f"{DASH}: up to {MAX_ITEMS:,} items none is known to show it; a wider gap takes fewer."


def _spread(row: DesignRow, digits: int) -> str:
    return points(row.spread, digits) + (" floor" if row.floored else "")


def _repeats(power: Power, digits: int, width: int) -> list[str]:
    who = "people" if power.by_people else "judges"
    elsewhere = f"These marks were given elsewhere: plan for more items or more {who}."
    if isinstance(power.noise, Refusal):
        reason = refusals.why(power.noise, advised=not power.marks_only)
        lines = [f"What more repeats would save is not known: {reason}.{_uncounted(power)}"]
        return [f"{lines[0]} {elsewhere}"] if power.marks_only else lines
    between = f"between {'people' if power.by_people else 'scorings'}"
    noise = points(power.noise.value, digits)
    what = f"{'share won' if power.shares else 'total'} of one answer"
    if power.noise_of_gap:
        what = "difference of those two arms on one item"
    said = f"Measured: the {what} varies by {noise}{_points(power)} (one sd) {between}."
    if power.noise_floored:
        said = (
            f"Measured: the {what} varies less than rounding {between}; the floor of rounding, "
            f"{noise}{_points(power)} (one sd), is taken."
        )
    lines = [said]
    if power.marks_only:
        return [*lines, elsewhere]
    if not power.repeat_rows:
        return lines
    gap = _gap(power.repeat_rows[0].gap, digits)
    return [
        f"{lines[0]} Items for a gap of {gap} with other numbers of scorings:",
        *_table(power, power.repeat_rows, digits, width, first="scorings"),
        _verdict(power),
    ]


def _more_judges(power: Power, digits: int, width: int) -> list[str]:
    """What more judges would save, where several were asked the same."""
    if not power.judge_rows:
        return []
    gap = _gap(power.judge_rows[0].gap, digits)
    each = _each(power, power.judge_rows[0].repeats)
    alone = "" if power.judges > 1 else ", where above stands this one"
    head = (
        f"Items for a gap of {gap} with other numbers of judges, {each}, of judges like those who "
        f"marked this run; 1 is any one of them{alone}:"
    )
    return [
        head,
        *_table(power, power.judge_rows, digits, width, first="judges"),
    ]


def _uncounted(power: Power) -> str:
    """That other repeats were asked for and change no spread, where none is projected."""
    asked = power.repeats_asked or power.repeats
    if asked == power.repeats or isinstance(power.spread, Refusal):
        return ""
    each = _each(power, power.repeats).removeprefix("up to ")
    most = "up to " if _fewer(power) else ""
    return f" The spread above is of {most}{each}, for {asked} it is not known."


def _verdict(power: Power) -> str:
    """Whether repeats or items are the cheaper way, by judgings of whole items."""
    known = [row for row in power.repeat_rows if row.items_all is not None]
    if not known:
        return DASH
    # Judgings, not requests: the same for marks that were imported.
    best = min(known, key=lambda row: ((row.items_all or 0) * row.repeats, row.repeats))
    if best.repeats == 1:
        return "Fewest judgings: every item once. More items save more than more repeats."
    return f"Fewest judgings: every item {best.repeats} times."


def _judges(power: Power) -> list[str]:
    if power.judges_refused is None:
        return []
    return [f"Other numbers of judges are not projected: {refusals.why(power.judges_refused)}."]
