"""One judgment whole, as text: marks with their quotes in place, the exact request and reply."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from judgebench.judges.frames import framed
from judgebench.model.drifting import judging_words
from judgebench.model.findings import Checked
from judgebench.model.shown import FindCost, Held, Listed, MarkCost, Shown, ShownControl, ShownMark
from judgebench.model.turns import Turn
from judgebench.namesakes import apart
from judgebench.reports import controls
from judgebench.reports.audits import half
from judgebench.reports.cells import wrap
from judgebench.reports.digits import DASH, fixed, plural
from judgebench.runs.source import SINGLE_ITEM
from judgebench.text import one_line, printable

FIRST_SHOWN = {1.0: "first", 0.5: "tie", 0.0: "second"}
EXCERPT_LINES = 12
LISTED = 40
"""Judgments of a list that is not wished for whole."""
ANSWER_LINES = 40
"""Lines of an answer that is not wished for whole."""


class Whole(str):
    """Words that are shown as they came, whatever their width: an answer, a reply, code."""

    __slots__ = ()


NO_NAMES: Mapping[str, str] = MappingProxyType({})


def render_list(
    pass_key: str,
    listed: Sequence[Listed],
    *,
    named: bool,
    everything: bool = True,
    asked: bool = True,
) -> str:
    """Write the judgments of a pass in the order they were asked, a line each.

    Args:
        pass_key: The pass.
        listed: Its judgments in that order.
        named: With the names of arms.
        everything: Also those beyond the first `LISTED`.
        asked: A judge was asked for them here; marks given elsewhere stand by item.
    """
    many = plural(len(listed), "judgment")
    order = "in the order they were asked" if asked else "given elsewhere, by item"
    lines = [f"pass {pass_key}: {many} {order}"]
    if {one.item for one in listed} == {SINGLE_ITEM}:
        lines.append(f"one item, which is called {SINGLE_ITEM}: judge show RUN ARM {SINGLE_ITEM}")
    wide = max((len(one.blind) for one in listed), default=8)
    if listed:
        heads = "  arm" if named else ""
        head = f"{'name':<{wide}}  {'item':<32}  judging  {'total':>6}{heads}  blocked"
        lines.append(head.rstrip())
    most = len(listed) if everything else LISTED
    items = apart((one.item for one in listed), 32)
    arms = apart((arm for one in listed for arm in (one.arm, one.other_arm) if arm), 24)
    lines += [
        _list_line(one, wide, items[one.item], arms if named else None) for one in listed[:most]
    ]
    if left := len(listed[most:]):
        lines.append(f"… {plural(left, 'more judgment')}: --all lists them")
    return "\n".join(lines) + "\n"


def _list_line(one: Listed, wide: int, item: str, arms: Mapping[str, str] | None) -> str:
    total = "-" if one.total is None else fixed(one.total, 2)
    names = [name for name in (one.arm, one.other_arm) if name]
    if one.other_arm is not None and one.total is not None:
        total = FIRST_SHOWN.get(one.total, total)
    who = "" if arms is None else f"  {' / '.join(arms[name] for name in names)}"
    why = f"  {one.reason}" if one.reason else ""
    return printable(
        f"{one.blind:<{wide}}  {item:<32}  {_which(one.repeat):>7}  {total:>6}{who}{why}"
    )


def render(
    shown: Sequence[Shown], *, named: bool, whole: bool, everything: bool = True, width: int = 80
) -> str:
    """Write judgments of one output: marks, words, quotes, and the text as it was sent.

    Args:
        shown: Its judgments.
        named: With the names of arms.
        whole: Also each exact request and raw reply.
        everything: Answers beyond their first `ANSWER_LINES` too, as with `whole`.
        width: Columns of the terminal; answers, requests and replies keep their own lines.
    """
    lines = (line for one in shown for line in _lines(one, named=named, whole=whole))
    most = 0 if whole or everything else ANSWER_LINES
    return "".join(
        f"{_begun(line, most) if isinstance(line, Whole) else _fitting(line, width)}\n"
        for line in lines
    )


def _begun(text: str, most: int) -> str:
    """The first lines of a text, and how the others are shown; 0 for all of it."""
    lines = text.rstrip("\n").split("\n")
    if not most or len(lines) <= most:
        return text
    left = plural(len(lines) - most, "more line")
    return "\n".join((*lines[:most], f"… {left}: --all shows them, with the quotes in them"))


def _fitting(line: str, width: int) -> str:
    """A line of our own in the columns of the page, further lines under its words."""
    indent = " " * (len(line) - len(line.lstrip(" ")) + 2)
    return "\n".join(wrap(line, width, indent=indent))


def blinded(one: Shown) -> Shown:
    """The same judgment without the names of arms."""
    hidden = one.control and replace(one.control, source_arm=None, donor=None)
    return replace(one, arm=None, other_arm=None, control=hidden)


def _which(repeat: int) -> str:
    """Which judging, in a column that says so."""
    return judging_words(repeat).removeprefix("judging ").replace("drift check", "check")


def _pair_lines(one: Shown, *, named: bool) -> Iterator[str]:
    """A comparison: who won, verdicts by name, and both texts as they were sent."""
    both = apart((one.arm or "", one.other_arm or ""), 40)
    mine = both[one.arm or ""] if named else one.label
    other = both[one.other_arm or ""] if named else one.other_label or ""
    first, second = (other, mine) if one.place == 1 else (mine, other)
    won = {1.0: f"{mine} wins", 0.5: "a tie", 0.0: f"{other} wins"}
    imported = {"first": mine, "second": other}.get(one.label.rpartition(" ")[2])
    shown = imported if one.place is None else first
    seen = "" if shown is None else f" (shown first: {shown})"
    extra = "" if one.purpose in {"main", "drift"} else f", {one.purpose}"
    name = "" if named else f"{one.key[:8]} (--reveal names the arms): "
    # Comparisons from a file have numbers of their own, which tell no repeats.
    which = "" if one.place is None else f" · {judging_words(one.repeat)}"
    yield printable(f"{name}{first} / {second} · {one_line(one.item, 40)}{which}{extra}")
    if one.control:
        yield from _control(one.control, named=named)
        yield printable(f"the control is {mine}, its source {other}")
    if one.status == "ok":
        verdict = "none: a verdict is blocked" if one.total is None else won.get(one.total)
        yield printable(f"verdict: {verdict}{seen}")
    else:
        yield printable(f"blocked: {one.reason}: {one_line(one.message or '', 200)}")
    sources = {"answer": mine, "other": other}
    for mark in one.marks:
        said = None if mark.mark is None else won.get(mark.mark, f"{mark.mark:g} to {mine}")
        yield from _mark(mark, said=said, sources=sources)
    user = one.calls[-1].user if one.calls else ""
    texts = [(mine, one.label, "answer"), (other, one.other_label or "", "other")]
    for who, label, source in texts if one.place == 0 else reversed(texts):
        text = framed(user, label)
        if text:
            yield ""
            yield printable(f"{who}, as it was sent, quotes between ⟦ and ⟧:")
            yield Whole(printable(_with_quotes(text, one.marks, source), keep_newlines=True))


def _lines(one: Shown, *, named: bool, whole: bool) -> Iterator[str]:
    if one.other_label is not None:
        yield from _pair_lines(one, named=named)
    else:
        yield from _single_lines(one, named=named)
    if whole:
        for call in one.calls:
            yield ""
            status = "" if call.http_status is None else f" {call.http_status}"
            yield printable(f"call {call.attempt}: {call.outcome}{status} {call.error}".rstrip())
            given = tool_answers(call.user) if one.turns else ""
            user = given or f"--- user\n{call.user}"
            asked = f"--- system\n{call.system}\n{user}"
            yield Whole(printable(asked, keep_newlines=True))
            yield Whole(printable(f"--- reply\n{call.body}", keep_newlines=True))
    yield ""


def tool_answers(kept: str) -> str:
    """What tools gave in a later turn, as text; empty where it is no such message."""
    try:
        made = json.loads(kept)
    except ValueError:
        return ""
    if not isinstance(made, dict) or made.keys() != {"final", "messages"}:
        return ""
    return "\n".join(
        f"--- tool, for {one['tool_call_id']}\n{one['content']}" for one in made["messages"]
    )


def _single_lines(one: Shown, *, named: bool) -> Iterator[str]:
    who = one_line(one.arm or "", 40) if named else f"{one.key[:8]} (--reveal names the arm)"
    extra = "" if one.purpose in {"main", "drift"} else f", {one.purpose}"
    yield printable(f"{who} · {one_line(one.item, 40)} · {judging_words(one.repeat)}{extra}")
    if one.control:
        yield from _control(one.control, named=named)
    if one.status == "ok":
        yield _total(one)
    else:
        yield printable(f"blocked: {one.reason}: {one_line(one.message or '', 200)}")
    if one.turns:
        yield from _turns(one.turns)
    for mark in one.marks:
        yield from _mark(mark)
    text = framed(one.calls[-1].user, one.label) if one.calls else ""
    if text:
        yield ""
        yield "the answer as it was sent, quotes between ⟦ and ⟧:"
        yield Whole(printable(_with_quotes(text, one.marks), keep_newlines=True))


def _total(one: Shown) -> str:
    """The total; of a counted one the sum that makes it."""
    if one.total is None:
        return "total refused: a mark is blocked"
    if one.sum is None:
        return f"total {fixed(one.total, 2)}"
    each = " + ".join(f"{mark.mark:g}" for mark in one.marks if mark.mark is not None)
    held = f"; {_held(one.held)}" if one.held else ""
    return f"total {fixed(one.total, 2)}: {each} = {half(one.sum)}{held}"


def _held(held: Held) -> str:
    return f"held at {half(held.at)} by {one_line(held.by, 80)}"


def _turns(turns: Sequence[Turn]) -> Iterator[str]:
    """What the judge asked of tools, and what came of it."""
    yield f"read with tools in {plural(len(turns), 'turn')}:"
    for turn in turns:
        for one in turn.answers:
            asked = f"{one_line(one.call.name, 40)} {one_line(one.call.arguments, 160)}"
            yield printable(f"  {turn.number}. {asked}")
            failed = "not answered: " if one.fault else ""
            yield printable(f"     {failed}{one_line(one.said, 200)}")


def _control(control: ShownControl, *, named: bool) -> Iterator[str]:
    made = f"; made of {one_line(control.donor or control.source_arm or '', 80)}" if named else ""
    yield printable(f"planted, {controls.words(control.kind)}: {one_line(control.note, 120)}{made}")
    yield printable(f"right treatment: {one_line(control.treatment, 120)}")
    if control.check:
        check = control.check
        both = f"{_points(check.source_total)}, its own {_points(check.total)}"
        yield f"its source's total {both}: {check.verdict.value}, {check.why}"


def _points(total: float | None) -> str:
    return DASH if total is None else fixed(total, 2)


def _mark(
    mark: ShownMark, *, said: str | None = None, sources: Mapping[str, str] = NO_NAMES
) -> Iterator[str]:
    shown = f"blocked ({mark.blocked})" if mark.mark is None else said or f"{mark.mark:g}"
    flag = " · unsupported: a required quote was not found" if mark.unsupported else ""
    of = _of_maximum(mark.cost) if mark.cost and mark.mark is not None else ""
    yield printable(f"  {one_line(mark.criterion, 40)}: {shown}{of}{flag}")
    yield printable(f"    {one_line(mark.rationale, 600)}")
    for finding, cost in zip(mark.findings, mark.costs, strict=True):
        yield from _finding(finding, _costs(cost, finding, mark))
    for quote in mark.quotes:
        source = sources.get(quote.source) or one_line(quote.source, 20)
        state = "" if quote.found else " (not found there)"
        yield printable(f"    “{one_line(quote.text, 300)}” {source}{state}")


def _of_maximum(cost: MarkCost) -> str:
    """What a mark is of, and what held it."""
    left = cost.maximum - cost.deducted
    floor = f", held up at {half(cost.floor)}, its floor" if left < cost.floor else ""
    held = f" ({half(max(left, cost.floor))} {_held(cost.held)})" if cost.held else ""
    return f" of {half(cost.maximum)}{floor}{held}"


def _costs(cost: FindCost, one: Checked, mark: ShownMark) -> str:
    """What a find takes away, or why it takes nothing."""
    if cost.counted_with is not None:
        with_it = mark.findings[cost.counted_with]
        return f", counted with {_where(with_it) or 'the find before it'}"
    if cost.beside:
        return f", costs nothing beside {one_line(cost.beside, 40)}"
    if not one.counts:
        return ", costs nothing"
    if cost.bound is not None:
        most = f"all finds of {one_line(one.finding.entry, 40)} cost at most {half(cost.bound)}"
        paid = f"-{half(cost.points)}" if cost.points else "costs nothing"
        return f", {paid}, since {most}"
    return f", -{half(cost.points)}" if cost.points else ", costs nothing"


def _where(one: Checked) -> str:
    """Where a find stands; empty where something is missing."""
    lines = "" if one.first is None else f":{one.first}-{one.last}"
    path = one.path or one.finding.path
    return f"{one_line(path, 80)}{lines}" if path else ""


def _finding(one: Checked, costs: str) -> Iterator[str]:
    """A fault that was reported: where it stands, what it costs and why, and the passage."""
    said = one.finding
    where = f" {_where(one)}" if _where(one) else ""
    yield printable(f"    - {one_line(said.entry, 40)}, {one.standing.value}{where}{costs}")
    yield printable(f"      {one_line(said.why, 400)}")
    yield printable(f"      check: {one_line(one.note, 300)}")
    for line in said.excerpt.splitlines()[:EXCERPT_LINES]:
        yield Whole(printable(f"      | {line}"))


def _with_quotes(text: str, marks: tuple[ShownMark, ...], source: str = "answer") -> str:
    places = sorted(
        {
            (q.start, q.end)
            for mark in marks
            for q in mark.quotes
            if q.source == source and q.start is not None and q.end is not None
        }
    )
    out, at = "", 0
    for start, end in places:
        if start < at or end > len(text):
            continue
        out += f"{text[at:start]}⟦{text[start:end]}⟧"
        at = end
    return out + text[at:]
