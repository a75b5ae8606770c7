"""What a run and a plan hold, as rows of the store: arms, items, outputs, requests, controls."""

from collections.abc import Iterable, Iterator
from dataclasses import astuple
from dataclasses import fields as fields_of

from judgebench.model.collected import Arm
from judgebench.model.controls import Control
from judgebench.model.nouns import Part, Purpose, Request
from judgebench.records import dataclass
from judgebench.store.batches import Row


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
