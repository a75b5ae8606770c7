"""Rows of marks and their quotes → marks with the judge's words."""

from typing import Any

from judgebench.model.exhibits import ExhibitMark
from judgebench.model.nouns import Mark, Quote
from judgebench.model.reasons import Reason
from judgebench.pipeline.figures.stored_marks import marks_of

NO_QUOTE = {"text": None, "source": None, "start_offset": None, "end_offset": None}


def row(
    criterion: str, mark: float | None, reason: str | None = None, **quote: object
) -> dict[str, Any]:
    """One row of the join of marks and quotes."""
    said = {"rationale": f"on {criterion}", "unsupported": False}
    return {"criterion": criterion, "mark": mark, "reason": reason, **said, **NO_QUOTE, **quote}


def test_the_rows_of_a_criterion_are_one_mark_with_its_quotes() -> None:
    """Two quotes, of which one was not found; then a mark without any."""
    rows = [
        row("clarity", 4.0, text="north", source="answer", start_offset=2, end_offset=7),
        row("clarity", 4.0, text="south", source="prompt"),
        row("tone", 2.5),
    ]
    clarity, tone = marks_of(rows, Mark)
    assert clarity == Mark(
        criterion="clarity",
        mark=4.0,
        rationale="on clarity",
        quotes=(
            Quote(text="north", source="answer", start=2, end=7),
            Quote(text="south", source="prompt"),
        ),
    )
    assert (tone.mark, tone.quotes) == (2.5, ())


def test_a_mark_that_is_not_there_says_why() -> None:
    """The reason is one of the table of reasons; what a page adds stays as it is by default."""
    (mark,) = marks_of([row("truth", None, "cannot_judge")], ExhibitMark)
    assert (mark.mark, mark.blocked, mark.labels) == (None, Reason.CANNOT_JUDGE, ())


def test_no_rows_are_no_marks() -> None:
    """A judgment that was blocked as a whole has none."""
    assert list(marks_of([], Mark)) == []
