"""Nouns as rows of the store, and the nouns behind rows; nothing else."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from dataclasses import fields as fields_of
from itertools import chain
from typing import Any

from judgebench.model import (
    Arm,
    Blinding,
    Control,
    Judgment,
    Mode,
    Part,
    Pass,
    PassFacts,
    Purpose,
    RawReply,
    Request,
    Total,
)
from judgebench.store.batches import Row
from judgebench.text import canonical_json


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemRow:
    """An item as the store keeps it, without its texts."""

    item: str
    sha256: str
    has_evidence: bool
    has_reference: bool
    ambiguous: bool = False
    """The run declares an ambiguity for it."""
    chars: int


@dataclass(frozen=True, kw_only=True, slots=True)
class OutputRow:
    """An output as the store keeps it: record and checks, without the text."""

    run: str
    arm: str
    item: str
    sha256: str
    sent_sha256: str | None
    chars: int | None
    path: str
    byte_offset: int | None = None
    blocked: str | None = None
    """First reason that blocks it."""
    blocks: str = "[]"
    """All reasons with their messages, JSON."""
    flags: str = "[]"
    """JSON list."""
    masked: int = 0
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    wall_s: float | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PassRow:
    """A pass with its state."""

    judging: Pass
    ordinal: int
    rubric_version: str
    sum_sha256: str
    started_at: str
    first_items: int = 0
    recording: str | None = None
    recorded_at: str | None = None
    settled: str | None = None
    """Mode and parameters really sent, canonical JSON."""
    choices: str = "{}"
    """How its judgments are read where not by default, canonical JSON."""
    finished_at: str | None = None
    content_sha256: str | None = None
    """Content of the run for which the plan was complete."""
    state: str = "open"
    """``open`` or ``complete``."""
    price_source: str | None = None
    """Where the price of its calls comes from."""
    controls: int | None = None
    """Controls that were asked for; None: by the rule."""
    planned: int = 0
    """Requests of the plan; read only."""
    answered: int = 0
    """Requests of the plan with a judgment; read only."""

    def facts(self) -> PassFacts:
        """What reports show of it."""
        judging = self.judging
        return PassFacts(
            id=judging.id,
            judge_name=judging.judge_name,
            judge_model=judging.judge_model,
            judge_sha256=judging.judge_sha256,
            rubric_name=judging.rubric_name,
            rubric_version=self.rubric_version,
            ask_sha256=judging.ask_sha256,
            sum_sha256=self.sum_sha256,
            prompt_version=judging.prompt_version,
            mode=judging.mode.value,
            blinding=judging.blinding.value,
            seed=judging.seed,
            repeats=judging.repeats,
            route=judging.route,
            recorded_at=self.recorded_at,
            recording=self.recording,
            params_sent=self.settled,
            started_at=self.started_at,
            finished_at=self.finished_at,
            planned=self.planned,
            answered=self.answered,
            complete=self.state == "complete",
            first_items=self.first_items,
            split_criteria=judging.split_criteria,
            turns=judging.turns,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanChange:
    """What a new plan changed; all counts are of requests."""

    new: int
    kept: int
    superseded: int
    """Dropped out of the plan: a text, an arm or an item has changed."""
    superseded_answered: int
    """Of these, answered: their judgments are kept and left out."""
    answered: int
    open: int


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


def arm_rows(run: str, arms: Iterable[Arm]) -> Iterator[Row]:
    """Rows of `arms`, in the run's order."""
    for position, arm in enumerate(arms):
        yield (run, arm.id, position, arm.provider, arm.model, arm.harness, arm.kind, arm.note)


def item_rows(run: str, items: Iterable[ItemRow]) -> Iterator[Row]:
    """Rows of `items`, in the run's order."""
    for position, row in enumerate(items):
        yield (
            run,
            row.item,
            position,
            row.sha256,
            row.has_evidence,
            row.has_reference,
            row.ambiguous,
            row.chars,
        )


_OUTPUT_FIELDS = tuple(field.name for field in fields_of(OutputRow))


def output_row(row: OutputRow) -> Row:
    """A row of `outputs` that the run holds."""
    return (*(getattr(row, name) for name in _OUTPUT_FIELDS), True)


def output_of(values: Row) -> OutputRow:
    """The noun behind a row of ``outputs.sql``."""
    return OutputRow(**dict(zip(_OUTPUT_FIELDS, values, strict=True)))


def request_row(request: Request) -> Row:
    """A row of `requests` that the plan holds."""
    return (
        request.pass_id,
        request.key,
        request.position,
        request.item,
        request.item_sha256,
        request.repeat,
        request.purpose.value,
        request.criterion,
        True,
    )


def part_rows(request: Request) -> Iterator[Row]:
    """Rows of `parts`, in the order shown to the judge."""
    for ordinal, part in enumerate(request.parts):
        yield (request.pass_id, request.key, ordinal, *astuple(part))


def control_row(pass_id: str, control: Control) -> Row:
    """A row of `controls`."""
    return (
        pass_id,
        control.id,
        control.kind.value,
        control.treatment,
        control.item,
        control.source_arm,
        control.source_sent_sha256,
        control.donor_item,
        control.donor_arm,
        control.text,
        control.sent_sha256,
        control.note,
    )


def request_of(pass_id: str, values: Row) -> Request:
    """The noun behind a row of ``open_requests.sql``."""
    key, position, item, item_sha256, repeat, purpose, criterion, *lists = values
    return Request(
        key=key,
        pass_id=pass_id,
        position=position,
        item=item,
        item_sha256=item_sha256,
        repeat=repeat,
        purpose=Purpose(purpose),
        criterion=criterion,
        parts=tuple(
            Part(label=label, arm=arm, output_sha256=output, sent_sha256=sent)
            for label, arm, output, sent in zip(*lists, strict=True)
        ),
    )


def pass_values(row: PassRow) -> dict[str, Any]:
    """Parameters of ``put_pass.sql``."""
    judging = row.judging
    return {
        "pass_id": judging.id,
        "run": judging.run,
        "ordinal": row.ordinal,
        "judge_sha256": judging.judge_sha256,
        "judge_name": judging.judge_name,
        "judge_model": judging.judge_model,
        "rubric_name": judging.rubric_name,
        "rubric_version": row.rubric_version,
        "ask_sha256": judging.ask_sha256,
        "sum_sha256": row.sum_sha256,
        "prompt_version": judging.prompt_version,
        "mode": judging.mode.value,
        "blinding": judging.blinding.value,
        "seed": judging.seed,
        "repeats": judging.repeats,
        "route": judging.route,
        "split_criteria": judging.split_criteria,
        "first_items": row.first_items,
        "recording": row.recording,
        "recorded_at": row.recorded_at,
        "settled": row.settled,
        "choices": row.choices,
        "started_at": row.started_at,
        "finished_at": row.finished_at,
        "content_sha256": row.content_sha256,
        "state": row.state,
        "price_source": row.price_source,
        "controls": row.controls,
        "turns": judging.turns,
    }


def pass_of(values: dict[str, Any]) -> PassRow:
    """The noun behind a row of ``passes.sql``."""
    return PassRow(
        judging=Pass(
            id=values["pass_id"],
            run=values["run"],
            judge_name=values["judge_name"],
            judge_sha256=values["judge_sha256"],
            judge_model=values["judge_model"],
            rubric_name=values["rubric_name"],
            ask_sha256=values["ask_sha256"],
            prompt_version=values["prompt_version"],
            mode=Mode(values["mode"]),
            blinding=Blinding(values["blinding"]),
            seed=values["seed"],
            repeats=values["repeats"],
            route=values["route"],
            split_criteria=values["split_criteria"],
            turns=values["turns"],
        ),
        ordinal=values["ordinal"],
        rubric_version=values["rubric_version"],
        sum_sha256=values["sum_sha256"],
        started_at=values["started_at"],
        first_items=values["first_items"],
        recording=values["recording"],
        recorded_at=values["recorded_at"],
        settled=values["settled"],
        choices=values["choices"],
        finished_at=values["finished_at"],
        content_sha256=values["content_sha256"],
        state=values["state"],
        price_source=values["price_source"],
        controls=values["controls"],
        planned=values["n_planned"],
        answered=values["n_answered"],
    )


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
