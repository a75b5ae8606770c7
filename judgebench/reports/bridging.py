"""Bridge → text: what a new judge or rubric changes on answers that both have judged."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from judgebench.model.bridging import Bridge, Offset, Side, Turned
from judgebench.model.nouns import Estimate, Refusal
from judgebench.reports import json, markup, refusals
from judgebench.reports.cells import wrap
from judgebench.reports.digits import DASH, decimals, listed, plain, plural, points, signed, usd
from judgebench.reports.layout import Column, grid
from judgebench.reports.naming import apart
from judgebench.reports.write import write_files
from judgebench.text import one_line

_WRAP = 80
_HEADS = ("criterion", "then", "now", "offset", "95 %", "answers")
_TURNED = ("arms", "then", "now", "items")
MOST_TURNED = 6
KEPT_APART = "Nothing is shifted or merged: the marks of the two stay in tables of their own."


def write_bridge(found: Bridge, folder: Path) -> Path:
    """Write bridge.md and bridge.json into `folder`; gives the page's path.

    Raises:
        StoreError: A file or the folder cannot be written.
    """
    page = "\n".join(markdown(found)) + "\n"
    contents = {"bridge.json": json.document(found).encode(), "bridge.md": page.encode()}
    return write_files(contents, folder)[-1]


def render(found: Bridge, *, width: int = _WRAP) -> str:
    """The bridge in a few lines, what has changed first."""
    columns = [
        Column(head=head, cells=cells, right=at > 0)
        for at, (head, cells) in enumerate(
            zip(_HEADS, zip(*_rows(found), strict=True), strict=True)
        )
    ]
    table = grid(columns, width)
    lines = [
        *(part for line in _top(found) for part in wrap(line, width)),
        "",
        table.head,
        *table.lines,
        "",
        *(part for line in _below(found) for part in wrap(line, width)),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def markdown(found: Bridge) -> list[str]:
    """The page as lines."""
    title = f"Bridge from pass {found.old.pass_id} on {one_line(found.run_name, 60)}"
    names = _pair_names(found)
    turned = [_turned_row(one, names, _digits(found)) for one in found.reversals]
    return [
        f"# {markup.text(title)}",
        "",
        *(line for text in _top(found) for line in (markup.text(text), "")),
        "## Offsets",
        "",
        *markup.table(_HEADS, _rows(found)),
        "",
        *markup.bullets(_notes(found)),
        "",
        "## Arms whose order turns",
        "",
        *(markup.table(_TURNED, turned) if turned else [_order(found)]),
        *(["", markup.text(_STAR)] if _starred(found.reversals) else []),
        "",
        "## Sides",
        "",
        *markup.bullets([_identity("old", found.old), _identity("new", found.new), _money(found)]),
    ]  # fmt: skip


_STAR = "* the 95 % interval of this one difference leaves out zero."


def _digits(found: Bridge) -> int:
    return decimals(found.scale_low, found.scale_high)


# ---- words


def _top(found: Bridge) -> list[str]:
    return [
        _verdict(found),
        f"{one_line(found.run_name, 40)} · {_side(found.old)} → {_side(found.new)}",
        (
            f"Judged by both: {plural(found.answers, 'answer')} of {plural(found.items, 'item')}, "
            f"of {plural(found.anchors, 'anchor')}."
        ),
    ]


def _verdict(found: Bridge) -> str:
    if not found.changed:
        return "SAME JUDGE, SAME RUBRIC: what differs here is noise, or drift."
    words = {
        "judge": "NEW JUDGE",
        "rubric": "NEW RUBRIC",
        "prompt": "NEW PROMPT TEMPLATES",
        "answered as": "NEW JUDGE under the same name",
    }
    said = listed([words[one] for one in found.changed], most=4)
    return f"{said}: {_size(found)}."


def _size(found: Bridge) -> str:
    total = found.offsets[-1].offset
    digits = _digits(found)
    if isinstance(total, Refusal):
        return f"the offset of the total is not printed ({refusals.why(total)})"
    ends = _ends(total, digits)
    size = f"totals are {signed(total.value, digits)} points"
    turned = f"{len(found.reversals):,} of {plural(found.pairs, 'pair')}"
    return f"{size} ({ends}) off; {turned} of arms turned"


def _side(side: Side) -> str:
    rubric = f"{one_line(side.rubric_name, 24)} {one_line(side.rubric_version, 12)}".rstrip()
    when = f", {side.judged_at}" if side.judged_at else ""
    return f"judge {one_line(side.judge_name, 32)}, rubric {rubric}{when}"


def _ends(found: Estimate, digits: int) -> str:
    if found.low is None or found.high is None:
        return DASH
    return f"{signed(found.low, digits)} to {signed(found.high, digits)}"


def _rows(found: Bridge) -> list[tuple[str, ...]]:
    names = apart((one.head for one in found.offsets), 24)
    return [_row(one, names, _digits(found)) for one in found.offsets]


def _row(one: Offset, names: Mapping[str, str], digits: int) -> tuple[str, ...]:
    name = names[one.head] + (" †" if one.reworded and one.criterion else "")
    levels = (points(one.then, digits), points(one.now, digits))
    if isinstance(one.offset, Refusal):
        return (name, *levels, DASH, refusals.why(one.offset), plain(one.answers))
    return (
        name, *levels, signed(one.offset.value, digits), _ends(one.offset, digits),
        plain(one.answers),
    )  # fmt: skip


def _notes(found: Bridge) -> Iterator[str]:
    yield "Offset: new less old on the same answers, items as units; each interval by itself."
    if any(one.reworded for one in found.offsets):
        yield "† asked in other words than then: the offset is of judge and wording together."
    if not found.whole:
        yield "The total is of the criteria in common alone, by the old weights."
    for words, heads in (("the new", found.only_old), ("the old", found.only_new)):
        if heads:
            named = listed([*apart(heads, 24).values()], most=6)
            yield f"Not in {words} rubric, so without an offset: {named}."
    if found.blocked:
        yield f"Without a mark on the new judge's side: {plural(found.blocked, 'request')}."
    yield KEPT_APART


def _below(found: Bridge) -> list[str]:
    digits = _digits(found)
    lines = [_order(found)] if not found.reversals else []
    shown = found.reversals[:MOST_TURNED]
    for one in shown:
        names, then, now, items = _turned_row(one, _pair_names(found), digits)
        lines.append(f"Turned: {names}: {then} then, {now} now ({items} items).")
    if len(found.reversals) > len(shown):
        lines.append(f"{len(found.reversals) - len(shown):,} more turned: bridge.md.")
    if _starred(shown):
        lines.append(_STAR)
    return [*lines, *_notes(found), _money(found)]


def _starred(turned: Sequence[Turned]) -> bool:
    return any(one.then_apart or one.now_apart for one in turned)


def _order(found: Bridge) -> str:
    return f"No pair of arms of {found.pairs:,} is in another order than then."


def _pair_names(found: Bridge) -> Mapping[str, str]:
    return apart((arm for one in found.reversals for arm in (one.first, one.second)), 24)


def _turned_row(one: Turned, names: Mapping[str, str], digits: int) -> tuple[str, str, str, str]:
    return (
        f"{names[one.first]} − {names[one.second]}",
        signed(one.then, digits) + "*" * one.then_apart,
        signed(one.now, digits) + "*" * one.now_apart,
        plain(one.items),
    )


def _identity(name: str, side: Side) -> str:
    told = listed([one_line(one, 60) for one in side.answered], most=4) or "nobody"
    return (
        f"{name}: pass {side.pass_id}, {_side(side)}; judge {side.judge_sha256}, asked "
        f"{side.ask_sha256}, prompt {one_line(side.prompt_version, 80)}, answered as {told}"
    )


def _money(found: Bridge) -> str:
    cost = "unknown" if found.cost_usd is None else usd(found.cost_usd)
    return f"Cost of the bridge: {cost} ({plural(found.calls, 'call')})."
