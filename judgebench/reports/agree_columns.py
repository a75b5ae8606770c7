"""The short table of an agreement, criterion by criterion, and what its cells are made of."""

from collections.abc import Iterable, Sequence

from judgebench.model.agreement import Agreement, AgreementRow, Gaps, Near
from judgebench.model.nouns import Refusal
from judgebench.reports import agree_figures, agree_names, agree_words, refusals
from judgebench.reports.agree_figures import figure, shift
from judgebench.reports.digits import DASH, points, signed
from judgebench.text import one_line

Columns = list[tuple[str, tuple[str, ...]]]


def columns_of(found: Agreement, rows: Sequence[AgreementRow], *, exact: bool = True) -> Columns:
    """The columns of the short table: head, cells; without the exact share where room is scarce."""
    digits = agree_names.digits(found)
    columns: Columns = [("criterion", tuple(row_name(row, 14) for row in rows))]
    for head, which in agree_figures.nearness(found)[0 if exact else 1 :]:
        shares = [agree_figures.near(row.near, which) for row in rows]
        columns.append((head, tuple(one for one, _ in shares)))
        columns.append(("chance", tuple(one for _, one in shares)))
    columns.append(("alpha", tuple(figure(row.alpha) for row in rows)))
    if len(found.raters) == agree_words.BOTH:
        columns.append(("shift", tuple(shift(row.shift, found) for row in rows)))
    else:
        columns.append(("gap", tuple(_gap(row.near, digits) for row in rows)))
    return columns


def row_name(row: AgreementRow, columns: int) -> str:
    """A criterion by its id, or what stands for it."""
    return one_line(row.criterion or row.head, columns)


def _gap(near: Near | Refusal, digits: int) -> str:
    return DASH if isinstance(near, Refusal) else points(near.gap, digits)


def why_not_printed(one: object) -> str:
    """Why a figure is not printed; empty where it is."""
    return f"not printed: {refusals.why(one)}" if isinstance(one, Refusal) else ""


def first_reason(values: Iterable[object]) -> str:
    """The first reason among figures of which some are refused."""
    return next((words for words in map(why_not_printed, values) if words), "")


def limits(one: Gaps | Refusal | None, digits: int) -> tuple[str, str]:
    """Limits of agreement, and the slope of the gap."""
    if not isinstance(one, Gaps) or one.low is None or one.high is None:
        return DASH, DASH
    return f"{signed(one.low, digits)} to {signed(one.high, digits)}", signed(one.slope, digits)
