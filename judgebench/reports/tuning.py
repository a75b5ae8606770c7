"""One turn of tuning → text: answers side by side, or versions side by side."""

import math
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from judgebench.model.tuning import LabelSplit, ShownBefore, Tuning
from judgebench.reports.cells import command_lines, wrap
from judgebench.reports.digits import decimals, plural
from judgebench.reports.tuning_answers import furthest, side_by_side
from judgebench.reports.tuning_versions import beside
from judgebench.text import one_line

LINES = 24
_WRAP = 80
_COMMAND = "  judge "
_SHOWN = 4
"""Passes that are listed as shown before the split."""


def render(
    found: Tuning, *, run: str = "RUN", typed: str = "", file: str = "FILE", width: int = _WRAP,
    extended: bool = False,
) -> str:  # fmt: skip
    """Write one turn, and what comes next.

    Args:
        found: What was found.
        run: The run as the user named it, for the next command.
        typed: Rubric, judge and what else says how is judged, as the user typed it; before
            a version is named, the pass.
        file: The rubric's file where it is at hand, for the first command.
        width: Columns of the terminal.
        extended: All of it; else at most `LINES` lines, where the sentences leave room.
    """
    top = _fitted([_head(found), *_split(found, _SHOWN if extended else 1)], width)
    last = _fitted(["", *_next(found, shlex.quote(run), typed, file, extended=extended)], width)
    room = LINES - len(top) - len(last)
    if found.version is not None:
        middle = _compared(found, width, room=0 if extended else room)
    else:
        middle = _fitted(["", *_differences(found, width, room=0 if extended else room)], width)
    return "\n".join((*top, *middle, *last)) + "\n"


def _compared(found: Tuning, width: int, *, room: int) -> list[str]:
    """Both versions; with a room, as many criteria as fit in it, and one at least."""
    lines = _fitted(beside(found, width), width)
    for most in range(len(found.rows), 0, -1):
        if not room or len(lines) <= room:
            break
        lines = _fitted(beside(found, width, most=most), width)
    return lines


def _differences(found: Tuning, width: int, *, room: int) -> Iterable[str]:
    digits = decimals(found.scale_low, found.scale_high)
    if not found.groups:
        return [
            "No answer for tuning on which judge and people differ by a point of ten or more."
            if found.split.tune_marked
            else "Nobody marked an item for tuning yet: there is nothing to show."
        ]
    if room:
        return furthest(found.groups, digits, width, room=room - 1)
    return side_by_side(found.groups, digits, width)


def _fitted(lines: Iterable[str], width: int) -> list[str]:
    return [part for line in lines for part in _fit(line, width)]


def _fit(line: str, width: int) -> list[str]:
    if len(line) > width and line.startswith(_COMMAND):
        return [f"  {part}" for part in command_lines(line.strip(), width - 2)]
    return [line] if line.startswith(" ") or len(line) <= width else wrap(line, width)


def _head(found: Tuning) -> str:
    base = found.base
    return (
        f"{one_line(found.run_name, 40)} · rubric {one_line(base.rubric_name, 32)} "
        f"{one_line(base.rubric_version, 16)} · judge {one_line(base.judge_name, 32)} · pass "
        f"{base.pass_id}"
    )


def _split(found: Tuning, most: int) -> Iterator[str]:
    split = found.split
    when = "split now" if split.made_now else f"split {split.split_at[:10]}"
    yield (
        f"Items for tuning: {split.tune:,} ({split.tune_marked:,} marked); for reporting: "
        f"{split.report:,} ({split.report_marked:,} marked); {when}."
    )
    if found.version is None:
        yield from _too_few(split)
    yield from _seen(split, most)


def _too_few(split: LabelSplit) -> Iterator[str]:
    """What so few marked items on one side cost, said before somebody edits a rubric for it."""
    lost = []
    if split.tune_marked < split.need:
        lost.append("no version can be compared on those for tuning")
    if split.report_marked < split.need:
        lost.append("judge calibrate has no figure for the judge from those for reporting")
    if lost:
        both = math.ceil(split.need / min(split.share, 1 - split.share))
        yield (
            f"Figures need {split.need} marked items a side, about {both:,} in all at "
            f"{split.share:g}: {', and '.join(lost)}."
        )


def _seen(split: LabelSplit, most: int) -> Iterator[str]:
    """What calibrate had shown before the labels were split."""
    if not split.shown:
        yield "Before the split, no marks had been shown beside a judge."
        return
    seen: dict[tuple[str, str], list[ShownBefore]] = {}
    for one in split.shown:
        seen.setdefault((one.pass_id, one.rubric_name), []).append(one)
    listed = "; ".join(_seen_beside(looks) for looks in list(seen.values())[:most])
    more = len(seen) - most
    rest = f"; beside {plural(more, 'more pass', 'more passes')}" if more > 0 else ""
    yield f"Shown before the split, those for reporting among them: {listed}{rest}."


def _seen_beside(looks: list[ShownBefore]) -> str:
    """Every look beside one pass, with the most marks that one of them showed."""
    first, last = looks[0], looks[-1]
    days = list(dict.fromkeys((first.shown_at[:10], last.shown_at[:10])))
    times = "" if len(looks) == 1 else f", {len(looks):,} times"
    return (
        f"{plural(max(one.labels for one in looks), 'mark')} beside pass {first.pass_id} "
        f"({one_line(first.rubric_name, 24)}) on {' to '.join(days)}{times}"
    )


# ---- what comes next


def _next(
    found: Tuning, run: str, typed: str, file: str, *, extended: bool
) -> Iterator[str]:  # fmt: skip
    if found.version is None:
        yield from _first(found, run, typed, file)
        shown = [mark for group in found.groups for mark in group.shown]
        if shown:
            hidden = all(mark.arm is None for mark in shown)
            ways = ["--extended"] * (not extended) + ["--reveal names the arms"] * hidden
            if extended and len(shown) > len(found.groups):
                ways.append("--top 1 shows the furthest answers alone")
            if ways:
                first = "" if extended else "Every answer side by side, with all quotes: "
                yield first + "; ".join(ways) + "."
        return
    if found.looked_at == "tune":
        yield "Next, to see what is left:"
        yield f"  judge rubric tune {run} --pass {found.version.pass_id}"
        yield "Then, once, for the report split:"
        yield f"  judge rubric tune {run} --pass {found.base.pass_id} {typed} --report"
        return
    line = f"judge calibrate {run} --pass {found.version.pass_id}"
    yield from [f"Next: {line}"] if len(line) < _WRAP - len("Next: ") else ["Next:", f"  {line}"]


def _first(found: Tuning, run: str, typed: str, file: str) -> Iterator[str]:
    """What can be done with a changed rubric, which depends on who can be asked again."""
    on_pass = f" {typed}" if typed else ""
    named = Path(file).stem if Path(file).parent.name == "rubrics" else file
    what = "the rubric" if file == "FILE" else file
    again = f"judge rubric tune {run} --rubric {shlex.quote(named)}{on_pass}"
    if found.base.marks_only:
        yield (
            "These marks were imported: there are no answers to judge again. Weights, gates and "
            "caps can be tried."
        )
        what = f"weights, gates or caps in {what}"
    if found.base.replayed:
        yield (
            f"This pass is a replay: {one_line(found.base.judge_name, 32)} must answer other "
            "questions, live (--judge) or through files; other weights, gates and caps are "
            "compared at once."
        )
    was = one_line(found.base.rubric_version, 16)
    yield f'Next: edit {what}, raise its version (now "{was}"), then'
    if found.base.replayed:
        yield f"  {again} --export open.jsonl"
        yield f"  judge batch import {run} ANSWERED.jsonl --rubric {shlex.quote(named)}"
    yield f"  {again}"
    if found.base.replayed:
        yield from _own_judge(f"judge score {run} --judge PROVIDER/MODEL")


def _own_judge(command: str) -> list[str]:
    line = f"Or tune a pass of your own judge: {command}"
    return [line] if len(line) <= _WRAP else ["Or tune a pass of your own judge:", f"  {command}"]
