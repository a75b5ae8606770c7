"""Marks as they stand in the store, a row a quote, made into marks with the judge's words."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeVar

from judgebench.model.nouns import Mark, Quote
from judgebench.model.reasons import Reason

MarkT = TypeVar("MarkT", bound=Mark)


def marks_of(rows: Sequence[Mapping[str, Any]], kind: type[MarkT]) -> Iterator[MarkT]:
    """The marks of one judgment, each with its quotes.

    Args:
        rows: Ordered by criterion; a mark without a quote is one row, whose `text` is None.
        kind: `Mark`, or what adds to it; what it adds is left as it is by default.
    """
    for criterion, group in groupby(rows, key=lambda row: str(row["criterion"])):
        quoted = list(group)
        mark = quoted[0]
        yield kind(
            criterion=criterion,
            mark=mark["mark"],
            blocked=Reason(mark["reason"]) if mark["reason"] else None,
            rationale=mark["rationale"],
            unsupported=mark["unsupported"],
            quotes=tuple(_quote(row) for row in quoted if row["text"] is not None),
        )


def _quote(row: Mapping[str, Any]) -> Quote:
    return Quote(
        text=row["text"], source=row["source"], start=row["start_offset"], end=row["end_offset"]
    )
