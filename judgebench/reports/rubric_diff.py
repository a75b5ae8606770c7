"""Two versions of a rubric → text: what changed by line, and what stays comparable."""

from collections.abc import Iterator
from difflib import ndiff

from judgebench.model.versions import Part, RubricChange, RubricDiff, RubricSide
from judgebench.reports.cells import wrap
from judgebench.reports.digits import listed, plural
from judgebench.text import one_line, printable

_WRAP = 80
_PASSES = 8
_TITLES = {
    Part.CRITERIA: "Criteria",
    Part.SCALE: "Scale",
    Part.WORDS: "Words that the judge reads",
    Part.SUMS: "Sums and names (the judge never sees them)",
}


def render(found: RubricDiff, *, width: int = _WRAP) -> str:
    """Write the changes, and then which stored marks serve both."""
    lines = [f"{_named(found.old)} → {_named(found.new)}"]
    lines += _nothing(found)
    for part, title in _TITLES.items():
        of_part = [change for change in found.changes if change.part is part]
        if of_part:
            lines += ["", f"{title}:"]
            lines += [line for change in of_part for line in _change(change, width)]
    lines += ["", *_comparable(found)]
    lines += _stored(found)
    return "\n".join(part for line in lines for part in _fit(line, width)) + "\n"


def _fit(line: str, width: int) -> list[str]:
    return [line] if line.startswith(" ") or len(line) <= width else wrap(line, width)


def _named(side: RubricSide) -> str:
    name, version = one_line(side.name, 40), one_line(side.version, 20)
    return f"{name} {version} (ask {side.ask_sha256[:8]}, sum {side.sum_sha256[:8]})"


def _nothing(found: RubricDiff) -> list[str]:
    if found.changes:
        return []
    return ["They ask and sum alike; only layout or comments can differ."]


def _change(change: RubricChange, width: int) -> Iterator[str]:
    place = one_line(change.place, 100)
    if change.text:
        yield f" {place}"
        yield from _by_line(change.before or "", change.after or "", width)
    elif change.before is None:
        yield from _hung(f"+ {place}", _beyond(change.after, change.place), width)
    elif change.after is None:
        yield from _hung(f"- {place}", _beyond(change.before, change.place), width)
    elif " → " in change.place:
        yield from wrap(f" {place}: renamed", width, indent="   ")
    else:
        yield from wrap(
            f" {place}: {one_line(change.before, 400)} → {one_line(change.after, 400)}", width,
            indent="   ",
        )  # fmt: skip


def _beyond(words: str | None, place: str) -> str:
    """What a place says beyond its own name."""
    return "" if words is None or words == place else words


def _hung(head: str, words: str, width: int) -> list[str]:
    text = f" {head}: {one_line(words, 2_000)}" if words else f" {head}"
    return wrap(text, width, indent="     ")


def _by_line(before: str, after: str, width: int) -> Iterator[str]:
    """Lines that went and lines that came; what stayed is left out."""
    for line in ndiff(before.splitlines(), after.splitlines()):
        if line[:1] in {"-", "+"}:
            yield from wrap(f"   {line[0]} {printable(line[2:].strip())}", width, indent="     ")


def _comparable(found: RubricDiff) -> list[str]:
    if found.asks_alike and found.sums_alike:
        return ["Comparable: all stored marks and totals of either."]
    if found.asks_alike:
        return [
            (
                "Comparable: all stored marks. The judge is asked the same; totals are made anew "
                "without a request (judge score RUN --rubric NEW)."
            )
        ]
    lines = [
        (
            "Not comparable: marks given under one are never pooled with marks under the other; "
            "answers are judged anew (judge rubric tune RUN --rubric NEW does it on the items "
            "for tuning only)."
        )
    ]
    if found.same:
        names = listed([one_line(name, 40) for name in found.same], most=12)
        lines.append(
            f"Asked letter for letter alike: {names}. Other questions beside them may still have "
            "moved their marks."
        )
    return lines


def _stored(found: RubricDiff) -> list[str]:
    if not found.passes:
        return ["No stored pass was asked either."]
    words = {"old": "asked the first", "new": "asked the second", "both": "serves both"}
    lines = [
        (
            f" {one_line(use.run, 30)} {use.pass_id} by {one_line(use.judge_name, 24)}: "
            f"{words[use.side]}, {plural(use.judgments, 'judgment')}"
            f"{'' if use.state == 'complete' else ', unfinished'}"
        )
        for use in found.passes[:_PASSES]
    ]
    more = len(found.passes) - len(lines)
    return ["Stored passes:", *lines, *([f" … {plural(more, 'more', 'more')}"] if more else [])]
