"""Exhibits made by hand, to stand beside the results of `make`."""

from collections.abc import Iterator

from judgebench.model.exhibits import (
    CellFact,
    Exhibit,
    ExhibitMark,
    Exhibits,
    Judging,
    MarkCount,
)
from judgebench.model.nouns import Quote
from judgebench.model.reasons import Reason
from judgebench.model.result import Result

TEXT = (
    "The market stop moves on Monday.\n\n"
    "New rails are being laid & the platform is closed (see <map>).\n\tIt returns on the ninth.\n"
)


def quote(words: str, *, text: str = TEXT, source: str = "answer") -> Quote:
    """A quote at its place in a text, or without one."""
    start = text.find(words)
    return Quote(
        text=words,
        source=source,
        start=None if start < 0 else start,
        end=None if start < 0 else start + len(words),
    )


def mark(criterion: str, value: float | None, *quotes: Quote) -> ExhibitMark:
    """A mark with its quotes; unsupported where one of them was not found."""
    return ExhibitMark(
        criterion=criterion,
        mark=value,
        blocked=None if value is not None else Reason.CANNOT_JUDGE,
        rationale=f"The answer is judged on {criterion} by what it says of the stop.",
        unsupported=any(not one.found for one in quotes),
        quotes=quotes,
    )


def judging(result: Result, *, repeat: int = 1, total: float | None = 7.25) -> Judging:
    """One whole judging of the text, its quotes overlapping."""
    first, second, *others = [name for name, _, _ in result.criteria]
    marks = (
        mark(first, 8.0, quote("stop moves on Monday"), quote("New rails are being laid")),
        mark(second, 6.0, quote("moves on Monday.\n\nNew rails"), quote("words never said")),
        *(mark(name, 7.0) for name in others),
    )
    return Judging(
        repeat=repeat,
        purpose="main" if repeat == 1 else "noise",
        criterion=None,
        status="ok",
        reason=None,
        message=None,
        total=total,
        marks=marks,
        reply='{"choices":[{"message":{"content":"…"}}]}',
    )


def failed() -> Judging:
    """A judging that gave no mark."""
    return Judging(
        repeat=1,
        purpose="main",
        criterion=None,
        status="blocked",
        reason="judge_invalid",
        message="no JSON in three replies",
        total=None,
        marks=(),
        reply="",
    )


def exhibits(result: Result, *, items: int | None = None) -> Exhibits:
    """Cells, counts and answers for every arm and item of a result."""
    names = [f"item-{place + 1}" for place in range(items or result.counts.items)]
    cells, order = [], []
    for place, item in enumerate(names):
        for at, arm in enumerate(result.arms):
            missing = len(names) - arm.answered
            if place < missing:
                reason = arm.blocked[0].reason if arm.blocked else None
                cells.append(CellFact(arm=arm.arm.id, item=item, blocked=reason))
                continue
            total = result.scale_low + (at * 3 + place * 2) % 9
            suspect = place < missing + (arm.suspects or 0)
            cells.append(
                CellFact(arm=arm.arm.id, item=item, total=total, judgings=1, suspect=suspect)
            )
            order.append((arm.arm.id, item))
    return Exhibits(
        items=len(names),
        cells=tuple(cells),
        marks=tuple(
            MarkCount(
                judge="acme/marker-2", criterion=name, mark=float(value), count=value * 3 % 11
            )
            for name, _, _ in result.criteria
            for value in range(3, 10)
        ),
        judged=len(order),
        order=tuple(order),
        answers=_answers(result, order),
    )


def _answers(result: Result, order: list[tuple[str, str]]) -> Iterator[Exhibit]:
    for place, (arm, item) in enumerate(order):
        judgings = [judging(result)]
        if place == 0:
            judgings.append(judging(result, repeat=2, total=6.5))
        if place == 1:
            judgings = [failed()]
        yield Exhibit(arm=arm, item=item, text="" if place == 1 else TEXT, judgings=tuple(judgings))
