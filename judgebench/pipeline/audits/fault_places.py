"""Faults that hold, marked where they stand in the project as the judge was sent it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from judgebench.model.exhibits import Exhibit, ExhibitMark
from judgebench.model.findings import Checked
from judgebench.model.nouns import Quote
from judgebench.runs.packed import lines_in

Lines = Mapping[str, Sequence[tuple[int, int]]]


def with_faults(exhibit: Exhibit, found: Sequence[Sequence[Checked]]) -> Exhibit:
    """The exhibit with the passages of supported faults beside the marks that they cost.

    Args:
        exhibit: One project with its judgings.
        found: Of each judging, the finds that are stored of it.
    """
    lines = lines_in(exhibit.text)
    return replace(
        exhibit,
        judgings=tuple(
            replace(judging, marks=tuple(_marked(mark, finds, exhibit.text, lines) for mark in
                                         judging.marks))
            for judging, finds in zip(exhibit.judgings, found, strict=True)
        ),
    )  # fmt: skip


def _marked(mark: ExhibitMark, finds: Sequence[Checked], text: str, lines: Lines) -> ExhibitMark:
    own = list(_passages(mark.criterion, finds, text, lines))
    return replace(
        mark, quotes=tuple(quote for quote, _ in own), labels=tuple(label for _, label in own)
    )


def _passages(
    criterion: str, finds: Sequence[Checked], text: str, lines: Lines
) -> Iterator[tuple[Quote, str]]:
    for one in finds:
        if not one.counts or one.finding.criterion != criterion or one.first is None:
            continue
        last = one.last or one.first
        end = f"-{last}" if last != one.first else ""
        start, stop = _span(lines.get(one.path, ()), one.first, last)
        passage = "" if start is None else text[start:stop]
        quote = Quote(text=one.finding.excerpt or passage, source="answer", start=start, end=stop)
        yield quote, f"{one.finding.entry}, {one.path}:{one.first}{end}"


def _span(lines: Sequence[tuple[int, int]], first: int, last: int) -> tuple[int | None, int | None]:
    """Where lines stand in the text; nowhere where the judge was not shown all of them."""
    if not 1 <= first <= last <= len(lines):
        return None, None
    return lines[first - 1][0], lines[last - 1][1]
