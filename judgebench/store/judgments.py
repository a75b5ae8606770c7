"""Replies, judgments, marks and totals as rows of the store."""

import json
from collections.abc import Iterator
from itertools import chain

from judgebench.model.nouns import Judgment, RawReply
from judgebench.model.rubric import Total
from judgebench.records import dataclass
from judgebench.store.batches import Row
from judgebench.text import canonical_json


@dataclass(frozen=True, kw_only=True, slots=True)
class TotalRow:
    """A total made anew for one stored judgment."""

    key: str
    label: str
    total: Total


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredReply:
    """A reply that came in before a kill and that nobody looked at."""

    reply: RawReply
    request_sha256: str
    """Hash of the request that it answers."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Doubt:
    """A call that was meant to go out and of which nothing more is known."""

    key: str
    attempt: int
    sent_at: float
    """Seconds since 1970."""


def reply_row(pass_id: str, raw: RawReply, received_at: float) -> Row:
    """A row of `replies`."""
    return (
        pass_id,
        raw.key,
        raw.attempt,
        received_at,
        raw.outcome,
        raw.status,
        raw.body,
        raw.error,
        raw.elapsed_s,
    )


def stored_reply_of(values: Row) -> StoredReply:
    """The noun behind a row of ``unread_replies.sql``."""
    key, attempt, sent_at, request_sha256, status, body, outcome, error, elapsed_s = values
    raw = RawReply(
        key=key,
        attempt=attempt,
        status=status,
        body=body,
        outcome=outcome,
        error=error,
        elapsed_s=elapsed_s,
        sent_at=sent_at,
    )
    return StoredReply(reply=raw, request_sha256=request_sha256)


def total_values(total: Total) -> Row:
    """A total as the columns total, uncapped, fired, tier, reweighted."""
    fired = canonical_json(list(total.fired)) if total.fired else "[]"
    return (total.value, total.uncapped, fired, total.tier, total.reweighted)


def total_row(row: TotalRow) -> Row:
    """A row of the batch that replaces totals."""
    return (row.key, row.label, *total_values(row.total))


def fired_of(text: str) -> tuple[str, ...]:
    """Gates and caps that fired, out of the column `fired`."""
    return tuple(json.loads(text))


NO_TOTAL = Total(value=None, uncapped=None)


def judgment_row(
    pass_id: str,
    judgment: Judgment,
    total: Total,
    *,
    criterion: str | None,
    cost_usd: float | None,
    judged_at: float,
) -> Row:
    """A row of `judgments`."""
    blocked, usage = judgment.blocked, judgment.usage
    return (
        *_judged(pass_id, judgment),
        criterion,
        True,
        judgment.status,
        blocked.reason.value if blocked else None,
        blocked.message if blocked else None,
        *total_values(total),
        judgment.calls,
        judgment.in_doubt,
        usage.prompt_tokens,
        usage.completion_tokens,
        usage.reasoning_tokens,
        cost_usd,
        judgment.model_answered,
        judgment.fingerprint,
        judged_at,
    )


def _judged(pass_id: str, judgment: Judgment) -> Row:
    """The columns with which `judgments` and `mark_rows` begin."""
    return (
        pass_id,
        judgment.key,
        judgment.label,
        judgment.arm,
        judgment.item,
        judgment.repeat,
        judgment.purpose.value,
    )


def mark_rows(pass_id: str, judgment: Judgment) -> Iterator[Row]:
    """Rows of `mark_rows`."""
    judged = _judged(pass_id, judgment)
    for mark in judgment.marks:
        yield (
            *judged,
            True,
            mark.criterion,
            mark.mark,
            mark.rationale,
            mark.blocked.value if mark.blocked else None,
            mark.unsupported,
            len(mark.quotes),
            sum(quote.start is not None for quote in mark.quotes),
        )


def quote_rows(pass_id: str, judgment: Judgment) -> Iterator[Row]:
    """Rows of `quote_rows`."""
    return chain.from_iterable(
        (
            (
                pass_id,
                judgment.key,
                judgment.label,
                mark.criterion,
                n,
                quote.text,
                quote.source,
                quote.start,
                quote.end,
            )
            for n, quote in enumerate(mark.quotes)
        )
        for mark in judgment.marks
    )
