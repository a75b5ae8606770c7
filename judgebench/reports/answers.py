"""Judged answers → parts of a page: the text with its quotes in place, marks, raw reply."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from judgebench.model.drifting import DRIFT_REPEATS, judging_words
from judgebench.model.exhibits import Exhibit, ExhibitMark, Judging
from judgebench.model.nouns import Purpose, Quote
from judgebench.model.result import Result
from judgebench.records import dataclass
from judgebench.reports.digits import DASH, decimals, plural, points
from judgebench.reports.templating import template
from judgebench.text import one_line

MOST_ANSWERS = 500
OUTCOMES = {1.0: "won", 0.5: "tied", 0.0: "lost"}
_SOURCES = {"other": "the other answer"}
MOST_BYTES = 19_000_000
"""Room for the answers; with all the rest the page stays under 20 MB."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """A stretch of an answer between the ends of quotes."""

    text: str
    quoted: bool
    ends: tuple[int, ...]
    """Numbers of the quotes that end here."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Grid:
    """Marks of one answer without a word beside them."""

    criteria: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]
    """Each judging with its mark on each criterion."""


def render_answers(
    result: Result, found: Iterable[Exhibit], *, most_bytes: int
) -> tuple[list[Markup], dict[tuple[str, str], int]]:
    """Rendered answers as far as there is room, and the number of each."""
    out: list[Markup] = []
    places: dict[tuple[str, str], int] = {}
    left = most_bytes
    for exhibit in found:
        place = len(out) + 1
        text = _exhibit(result, exhibit, place)
        size = len(text.encode("utf-8", "replace"))
        if size <= left:
            left -= size
            out.append(Markup(text))  # noqa: S704 - rendered with autoescape
            places[exhibit.arm, exhibit.item] = place
        # Before the next is asked for: they are read a hundred at a time.
        if len(out) == MOST_ANSWERS:
            break
    return out, places


def _exhibit(result: Result, exhibit: Exhibit, place: int) -> str:
    numbers = _numbers(exhibit)
    grid = _grid(result, exhibit) if _bare(exhibit) else None
    unsupported = sum(mark.unsupported for one in exhibit.judgings for mark in one.marks)
    return template("exhibit.html.j2").render(
        place=place,
        exhibit=exhibit,
        head=_head(result, exhibit),
        flags=f"{plural(unsupported, 'mark')} unsupported" if unsupported else "",
        pieces=pieces(exhibit.text, [(quote, number) for quote, number, _ in numbers]),
        why="why" if result.judging.marks_only else "why, in the judge's words",
        alone=result.judging.marks_only,
        grid=grid,
        judgings=[] if grid else _judgings(result, exhibit, {k: n for _, n, k in numbers}),
    )


def _bare(exhibit: Exhibit) -> bool:
    """Whether there are two judgings or more, and nothing of them but marks."""
    return len(exhibit.judgings) > 1 and all(
        one.status == "ok" and not one.reply and one.marks
        and not any(mark.rationale or mark.quotes or mark.unsupported for mark in one.marks)
        for one in exhibit.judgings
    )  # fmt: skip


def _grid(result: Result, exhibit: Exhibit) -> Grid:
    """Bare marks in one table: a judging a row, a criterion a column."""
    criteria = list(dict.fromkeys(mark.criterion for one in exhibit.judgings for mark in one.marks))
    rows = []
    for one in exhibit.judgings:
        given = {mark.criterion: _written(mark) for mark in one.marks}
        rows.append((_title(result, one), [given.get(name, DASH) for name in criteria]))
    return Grid(criteria=criteria, rows=rows)


def _numbers(exhibit: Exhibit) -> list[tuple[Quote, int, tuple[int, int, int]]]:
    """Every quote with its number on this answer, and the place where it is listed."""
    listed = [
        (quote, (at, place, index))
        for at, judging in enumerate(exhibit.judgings)
        for place, mark in enumerate(judging.marks)
        for index, quote in enumerate(mark.quotes)
    ]
    return [(quote, number, key) for number, (quote, key) in enumerate(listed, start=1)]


def pieces(text: str, numbered: Sequence[tuple[Quote, int]]) -> list[Piece]:
    """Cut an answer at the ends of the quotes that were found in it; they may overlap."""
    spans = [
        (quote.start, quote.end, number)
        for quote, number in numbered
        if quote.source == "answer"
        and quote.start is not None
        and quote.end is not None
        and 0 <= quote.start < quote.end <= len(text)
    ]
    opened = _count(start for start, _, _ in spans)
    closed: dict[int, list[int]] = {}
    for _, end, number in spans:
        closed.setdefault(end, []).append(number)
    cuts = sorted({0, len(text), *opened, *closed})
    out, depth = [], 0
    for start, end in pairwise(cuts):
        depth += opened.get(start, 0) - len(closed.get(start, ()))
        out.append(Piece(text=text[start:end], quoted=depth > 0, ends=tuple(closed.get(end, ()))))
    return out


def _count(values: Iterable[int]) -> dict[int, int]:
    out: dict[int, int] = {}
    for value in values:
        out[value] = out.get(value, 0) + 1
    return out


def _head(result: Result, exhibit: Exhibit) -> str:
    digits = decimals(result.scale_low, result.scale_high)
    found = [one.total for one in exhibit.judgings if one.total is not None]
    judgings = plural(len(exhibit.judgings), "judging")
    if found and any(one.against for one in exhibit.judgings):
        return f"won {found.count(1):,}, tied {found.count(0.5):,}, lost {found.count(0):,}"
    if not found:
        blocked = next((one.reason for one in exhibit.judgings if one.reason), None)
        return f"{judgings}, {f'blocked ({one_line(blocked, 30)})' if blocked else 'no total'}"
    if len(found) == 1:
        return f"total {points(found[0], digits)}, {judgings}"
    apart = "" if result.panel else _apart(exhibit)
    return f"totals {points(min(found), digits)} to {points(max(found), digits)}{apart}, {judgings}"


def _apart(exhibit: Exhibit) -> str:
    """How far its judgings disagree, as answers are sorted by: points, over all criteria."""
    given: dict[tuple[str, str | None], list[float]] = {}
    for judging in exhibit.judgings:
        for one in judging.marks:
            if one.mark is not None:
                given.setdefault((one.criterion, judging.against), []).append(one.mark)
    widest = sum(max(marks) - min(marks) for marks in given.values())
    return f", marks {widest:g} apart over all criteria" if widest else ""


def _judgings(
    result: Result, exhibit: Exhibit, numbers: dict[tuple[int, int, int], int]
) -> list[dict[str, Any]]:
    return [
        {
            "title": _title(result, judging),
            "blocked": _blocked(judging),
            "marks": [
                _mark(mark, [numbers[at, place, index] for index in range(len(mark.quotes))])
                for place, mark in enumerate(judging.marks)
            ],
            "reply": judging.reply,
        }
        for at, judging in enumerate(exhibit.judgings)
    ]


def _title(result: Result, judging: Judging) -> str:
    digits = decimals(result.scale_low, result.scale_high)
    only = f", {one_line(judging.criterion, 40)}" if judging.criterion else ""
    said = {Purpose.MAIN, Purpose.DRIFT} if judging.repeat > DRIFT_REPEATS else {Purpose.MAIN}
    purpose = "" if judging.purpose in said else f", for the {judging.purpose} only"
    if judging.against is not None:
        return _pair_title(judging, only + purpose)
    total = "" if judging.total is None else f": total {points(judging.total, digits)}"
    words = judging_words(judging.repeat)
    who = f"{one_line(judging.judge, 40)}, {words}" if judging.judge else words.capitalize()
    return f"{who}{only}{purpose}{total}"


def _pair_title(judging: Judging, notes: str) -> str:
    where = {True: ", shown first", False: ", shown second", None: ""}[judging.shown_first]
    won = "" if judging.total is None else f": {OUTCOMES.get(judging.total, judging.total)}"
    repeat = f", judging {judging.repeat}" if judging.repeat > 1 else ""
    return f"Against {one_line(judging.against or '', 40)}{where}{repeat}{notes}{won}"


def _blocked(judging: Judging) -> str:
    if judging.status == "ok":
        return ""
    message = f": {one_line(judging.message, 300)}" if judging.message else ""
    return f"blocked: {one_line(judging.reason or 'no reason on record', 40)}{message}"


def _source(quote: Quote, label: str | None) -> str:
    """Where a quote comes from; of a fault, which one it is and where."""
    if label is not None:
        return one_line(label, 160) + ("" if quote.found else ", in lines beyond these")
    where = one_line(_SOURCES.get(quote.source, quote.source), 40)
    return where if quote.found else f"{where}, not found there"


def _written(mark: ExhibitMark) -> str:
    return f"blocked ({mark.blocked})" if mark.mark is None else f"{mark.mark:g}"


def _mark(mark: ExhibitMark, numbers: list[int]) -> dict[str, Any]:
    labels = mark.labels or (None,) * len(mark.quotes)
    return {
        "criterion": mark.criterion,
        "mark": _written(mark),
        "rationale": mark.rationale,
        "unsupported": mark.unsupported,
        "quotes": [
            {
                "number": number,
                "text": one_line(quote.text, 600),
                "source": _source(quote, label),
            }
            for quote, number, label in zip(mark.quotes, numbers, labels, strict=True)
        ],
    }
