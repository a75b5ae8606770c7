"""meta.json and the record columns of a table → `Record`, or a fault in words.

A fault here belongs to one output and blocks it; it never stops a run.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from judgebench.model.collected import Failure, Record, Usage
from judgebench.runs.decode import Undecodable, decode_text, has_surrogate
from judgebench.runs.json_form import single_keys
from judgebench.runs.schema import FailureEntry, MetaFile, UsageEntry
from judgebench.text import one_line

USAGE_FIELDS = tuple(UsageEntry.model_fields)
RECORD_FIELDS = frozenset(MetaFile.model_fields)
COUNT_FIELDS = frozenset({*USAGE_FIELDS, "max_tokens", "reasoning_chars"})
SECONDS_FIELDS = frozenset({"timeout_s", "wall_s", "ttft_s", "cost_usd"})
NO_RECORD = Record()
NO_USAGE = Usage()
_COLUMN_KINDS = (
    dict.fromkeys(RECORD_FIELDS, "record")
    | dict.fromkeys(COUNT_FIELDS | SECONDS_FIELDS, "number")
    | dict.fromkeys(USAGE_FIELDS, "usage")
)


class RecordFault(Exception):  # noqa: N818 - it names what happened
    """A record that cannot be read; the message names the key and what was found."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadRecord:
    """A record with the keys that were passed over."""

    record: Record
    unknown_keys: tuple[str, ...] = ()


def parse_meta(raw: bytes) -> ReadRecord:
    """Read meta.json.

    Raises:
        RecordFault: broken JSON, double keys, half a surrogate pair, wrong types.
    """
    try:
        text = decode_text(raw)
        data = json.loads(text, object_pairs_hook=single_keys)
    except Undecodable as exc:
        raise RecordFault(f"is not text: {exc}") from None
    except RecursionError:
        raise RecordFault("is nested too deeply") from None
    except ValueError as exc:
        raise RecordFault(f"is not valid JSON: {one_line(str(exc), 80)}") from None
    if not isinstance(data, dict):
        raise RecordFault("is no JSON object")
    if "\\u" in text and has_surrogate(json.dumps(data, ensure_ascii=False)):
        raise RecordFault("holds half a surrogate pair")
    return to_record(data)


def to_record(data: dict[str, Any]) -> ReadRecord:
    """Check the values of a record.

    Raises:
        RecordFault: naming the first key of a wrong type or range.
    """
    try:
        meta = MetaFile.model_validate(data)
    except ValidationError as exc:
        error = exc.errors(include_url=False)[0]
        key = ".".join(str(part) for part in error["loc"])
        found = one_line(repr(error.get("input")), 40)
        message = one_line(error["msg"], 80)
        raise RecordFault(f"{one_line(key, 60)} is {found}: {message}") from None
    unknown = tuple(sorted(data.keys() - RECORD_FIELDS))
    return ReadRecord(record=_record(meta), unknown_keys=unknown)


def _record(meta: MetaFile) -> Record:
    usage = meta.usage
    return Record(
        finish_reason=meta.finish_reason,
        usage=NO_USAGE
        if usage is None
        else Usage(
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            reasoning_tokens=usage.reasoning_tokens,
        ),
        max_tokens=meta.max_tokens,
        timeout_s=meta.timeout_s,
        wall_s=meta.wall_s,
        ttft_s=meta.ttft_s,
        cost_usd=meta.cost_usd,
        error=None if meta.error is None else _failure(meta.error),
        reasoning_chars=meta.reasoning_chars,
        prompt_sha256=None if meta.prompt_sha256 is None else meta.prompt_sha256.lower(),
        cwd=meta.cwd,
        attempts=tuple(map(_failure, meta.attempts)) if meta.attempts else (),
        not_settable=tuple(meta.not_settable or ()),
    )


def _failure(entry: FailureEntry) -> Failure:
    return Failure(kind=entry.kind, message=entry.message, elapsed_s=entry.elapsed_s)


def from_row(row: Mapping[str, Any], **known: object) -> ReadRecord:
    """Read the record columns of a table's row; the other columns are not looked at.

    Args:
        row: Column names and values.
        known: Fields that hold where the row itself does not say otherwise.

    Raises:
        RecordFault: as `to_record`.
    """
    data = row_values(row, **known)
    return to_record(data) if data else ReadRecord(record=NO_RECORD)


def row_values(row: Mapping[str, Any], **known: object) -> dict[str, Any]:
    """The record columns of a row in the shape of meta.json, unchecked."""
    data: dict[str, Any] = known
    usage: dict[str, Any] = {}
    for key, value in row.items():
        kind = _COLUMN_KINDS.get(key)
        if kind is None or value is None or value == "":
            continue
        plain = value if kind == "record" or type(value) is int else _number(value)
        (usage if kind == "usage" else data)[key] = plain
    if usage:
        given = data.get("usage")
        data["usage"] = {**given, **usage} if isinstance(given, dict) else usage
    return data


def _number(value: object) -> object:
    """Spreadsheets write counts as 400.0 and as text; anything else stays as it is."""
    if isinstance(value, str):
        try:
            value = float(value) if not value.strip().lstrip("+-").isdigit() else int(value)
        except ValueError:
            return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
