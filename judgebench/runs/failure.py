"""What kind of failure a record tells of, and whether the client's own time limit made it."""

import re
from enum import StrEnum, auto

from judgebench.model.collected import Failure, Record, Run

WINDOW_MIN_S = 5.0
"""Faster failures are refusals of the connection, no window of the provider."""
_TIMEOUT = re.compile(
    r"(client|read|request|total|wall)?[ _-]?time[ _-]?(out|limit)(error)?\Z|timed[ _-]?out\Z"
    r"|deadline([ _-]exceeded)?\Z"
)
_TRANSPORT = re.compile(
    r"transport|connect|reset|network|disconnect|broken[ _-]?pipe|remote[ _-]?protocol|eof"
    r"|incomplete|server[ _-]?error|overloaded|bad[ _-]?gateway|unavailable|5\d\d\b|5xx"
)
_FILTER = re.compile(r"(content[ _-]?)?(filter|policy|safety|moderation)")
_WINDOW = re.compile(
    r"(usage|rate|request)s?[ _-]?(limit|window|cap)|too[ _-]many[ _-]requests|quota|\b429\b"
)
_HTTP_5XX = re.compile(r"\b5\d\d\b")


class FailureKind(StrEnum):
    """Who or what ended an attempt."""

    TIMEOUT = auto()
    FILTER = auto()
    TRANSPORT = auto()
    """The connection."""
    WINDOW = auto()
    """A limit of the provider that was used up."""
    ERROR = auto()
    """Anything else."""


def kind_of(failure: Failure) -> FailureKind:
    """Sort a recorded failure."""
    word = failure.kind.strip().lower()
    if _TIMEOUT.match(word):
        return FailureKind.TIMEOUT
    if _FILTER.match(word):
        return FailureKind.FILTER
    if _TRANSPORT.search(word) or (word.startswith("http") and _HTTP_5XX.search(failure.message)):
        return FailureKind.TRANSPORT
    if _WINDOW.search(word) or _WINDOW.search(failure.message.lower()):
        return FailureKind.WINDOW
    return FailureKind.ERROR


def limit_of(record: Record, run: Run) -> float | None:
    """The client's time limit that held for an output: the record's, else the run's."""
    if record.timeout_s is not None:
        return record.timeout_s
    return None if "timeout_s" in record.not_settable else run.settings.timeout_s


def at_limit(failure: Failure, limit: float | None) -> bool:
    """Whether a broken connection is the client's own limit: a hair below counts as at it."""
    return limit is not None and failure.elapsed_s is not None and failure.elapsed_s >= 0.99 * limit


def times_below(record: Record, run: Run) -> list[float]:
    """Elapsed seconds of a record's transport errors that lie below the client's limit."""
    limit = limit_of(record, run)
    failures = list(record.attempts)
    # Collectors that list every attempt list the last one twice.
    if record.error is not None and record.error not in failures[-1:]:
        failures.append(record.error)
    return [
        failure.elapsed_s
        for failure in failures
        if failure.elapsed_s is not None
        and limit is not None
        and failure.elapsed_s >= WINDOW_MIN_S
        and kind_of(failure) is FailureKind.TRANSPORT
        and not at_limit(failure, limit)
    ]
