"""How far a sending is, and what it came to in the end."""

from collections.abc import Sequence
from dataclasses import field
from typing import Protocol

from judgebench.errors import BudgetStop, JudgeSetupError
from judgebench.judges.ask import Answer
from judgebench.judges.wire import Settled
from judgebench.model.collected import Usage
from judgebench.model.nouns import Mark
from judgebench.records import dataclass


class Ended(Protocol):
    """What became of one output of a request, or of all of it."""

    @property
    def status(self) -> str:
        """``ok`` or ``blocked``."""
        ...

    @property
    def marks(self) -> Sequence[Mark]:
        """Its marks; none where no marks were asked for."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """How far a pass is; given at most five times a second."""

    sent: int
    scored: int
    blocked: int
    calls: int
    in_flight: int
    cost_usd: float | None
    """None where prices are unknown."""
    elapsed_s: float
    wanted: int | None = None
    """How many this start has to send; None where that is not known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SendReport:
    """What one start of a pass did."""

    sent: int
    """Requests that were answered or blocked."""
    scored: int
    """Judgments with marks."""
    blocked: int
    """Judgments without, for a reason on the judge's side."""
    skipped: int
    """Requests that `prepare` did not let out, or that a recording does not hold."""
    let_go: int
    """Requests that were in flight when the pass was ended."""
    calls: int
    in_doubt: int
    usage: Usage
    """Summed; None where any call did not report it."""
    usage_unknown: int
    """Calls that may have used tokens and did not report them."""
    cost_usd: float | None
    """None where a price, or what a call used, is unknown."""
    settled: Settled | None
    """What the endpoint takes; None where it was not found out."""
    stopped: str | None = None
    """Why it ended before the queue did; None where all was sent."""
    error: BudgetStop | JudgeSetupError | None = None
    """What ended it, to be raised when the store is closed."""
    interrupted: bool = False
    """A signal ended it."""


@dataclass
class Sums:
    """Counts over all that was answered, as they grow."""

    sent: int = 0
    scored: int = 0
    blocked: int = 0
    skipped: int = 0
    calls: int = 0
    in_doubt: int = 0
    usage_unknown: int = 0
    _tokens: list[int | None] = field(default_factory=lambda: [0, 0, 0])

    def add(self, answer: Answer, judgments: Sequence[Ended]) -> None:
        """Count one answer and what was made of it."""
        self.sent += 1
        self.calls += answer.calls
        self.in_doubt += answer.in_doubt
        self.usage_unknown += answer.usage_unknown
        good = sum(map(_marked, judgments))
        self.scored += good
        self.blocked += len(judgments) - good
        used = answer.usage
        parts = (used.prompt_tokens, used.completion_tokens, used.reasoning_tokens)
        self._tokens = [
            None if a is None or b is None else a + b
            for a, b in zip(self._tokens, parts, strict=True)
        ]

    @property
    def usage(self) -> Usage:
        """Tokens of all calls."""
        prompt, completion, reasoning = self._tokens
        return Usage(prompt_tokens=prompt, completion_tokens=completion, reasoning_tokens=reasoning)


def _marked(judgment: Ended) -> bool:
    """Whether a judgment has a mark; a judge that could judge nothing gave none."""
    if judgment.status != "ok":
        return False
    return not judgment.marks or any(mark.blocked is None for mark in judgment.marks)
