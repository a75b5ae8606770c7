"""Rows as columns for DuckDB: the columns of each batch, and how a batch is read in place.

A batch goes in as one NumPy array a column, at a small part of what one statement a
row would take.
"""

from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

Row = tuple[Any, ...]
Columns = dict[str, NDArray[Any]]
_ARMS = "run:t arm:t position:i provider:t model:t harness:t kind:t note:t"
_ITEMS = "run:t item:t position:i sha256:t has_evidence:b has_reference:b ambiguous:b chars:i"
_OUTPUTS = (
    "run:t arm:t item:t sha256:t sent_sha256:t chars:i path:t byte_offset:i blocked:t blocks:t"
    " flags:t masked:i finish_reason:t prompt_tokens:i completion_tokens:i reasoning_tokens:i"
    " wall_s:f cost_usd:f current:b"
)
_REQUESTS = (
    "pass_id:t key:t position:i item:t item_sha256:t repeat:i purpose:t criterion:t current:b"
)
_PARTS = "pass_id:t key:t ordinal:i label:t arm:t output_sha256:t sent_sha256:t"
_CONTROLS = (
    "pass_id:t control:t kind:t treatment:t item:t source_arm:t source_sent_sha256:t donor_item:t"
    " donor_arm:t text:t sent_sha256:t note:t"
)
_SENDS = "pass_id:t key:t attempt:i sent_at:f request_sha256:t system_sha256:t user_text:t"
_REPLIES = "pass_id:t key:t attempt:i received_at:f outcome:t status:i body:t error:t elapsed_s:f"
_JUDGMENTS = (
    "pass_id:t key:t label:t arm:t item:t repeat:i purpose:t criterion:t current:b status:t"
    " reason:t message:t total:f uncapped:f fired:t tier:t reweighted:b calls:i in_doubt:i"
    " prompt_tokens:i completion_tokens:i reasoning_tokens:i cost_usd:f model_answered:t"
    " fingerprint:t judged_at:f"
)
_MARKS = (
    "pass_id:t key:t label:t arm:t item:t repeat:i purpose:t current:b criterion:t mark:f"
    " rationale:t reason:t unsupported:b quotes:i quotes_found:i"
)
_QUOTES = (
    "pass_id:t key:t label:t criterion:t ordinal:i text:t source:t start_offset:i end_offset:i"
)
_FINDINGS = (
    "pass_id:t key:t label:t ordinal:i criterion:t entry:t evidence:t found_by:t why:t said_path:t"
    " said_first:i said_last:i excerpt:t patterns:t paths:t standing:t note:t path:t first_line:i"
    " last_line:i moved:b"
)
_PROJECTS = (
    "run:t arm:t item:t files:i lines:i lines_shown:i partly:t left_out:t secrets:t"
    " identity_visible:i"
)
_TURNS = "pass_id:t key:t number:i attempt:i answers:t"
_NEW_MARKS = "key:t label:t criterion:t mark:f"
_NEW_STANDINGS = "key:t label:t ordinal:i standing:t note:t"
_CONTRAST_REQUESTS = "pass_id:t key:t position:i item:t item_sha256:t parts:t current:b"
_CONTRAST_ANSWERS = (
    "pass_id:t key:t calls:i in_doubt:i status:t reason:t message:t contrasts:t prompt_tokens:i"
    " completion_tokens:i reasoning_tokens:i cost_usd:f model_answered:t judged_at:f"
)
_TOTALS = "key:t label:t total:f uncapped:f fired:t tier:t reweighted:b"


def _spec(text: str) -> tuple[tuple[str, str], ...]:
    pairs = (part.split(":") for part in text.split())
    return tuple((name, kind) for name, kind in pairs)


SPECS: dict[str, tuple[tuple[str, str], ...]] = {
    "arms": _spec(_ARMS),
    "items": _spec(_ITEMS),
    "new_outputs": _spec(_OUTPUTS),
    "new_requests": _spec(_REQUESTS),
    "new_parts": _spec(_PARTS),
    "controls": _spec(_CONTROLS),
    "sends": _spec(_SENDS),
    "replies": _spec(_REPLIES),
    "turns": _spec(_TURNS),
    "judgments": _spec(_JUDGMENTS),
    "mark_rows": _spec(_MARKS),
    "quote_rows": _spec(_QUOTES),
    "finding_rows": _spec(_FINDINGS),
    "projects": _spec(_PROJECTS),
    "new_marks": _spec(_NEW_MARKS),
    "new_standings": _spec(_NEW_STANDINGS),
    "totals": _spec(_TOTALS),
    "contrast_requests": _spec(_CONTRAST_REQUESTS),
    "contrast_answers": _spec(_CONTRAST_ANSWERS),
}
"""Columns of each batch with their kind: t text, i integer, f number, b truth value."""
_TYPES: dict[str, type] = {"i": np.int64, "f": np.float64, "b": np.bool_}


def columns(table: str, rows: Sequence[Row]) -> Columns:
    """Turn rows into one array a column; None becomes NULL."""
    values = zip(*rows, strict=True)
    return {
        name: _column(kind, column)
        for (name, kind), column in zip(SPECS[table], values, strict=True)
    }


def execute_with(
    con: duckdb.DuckDBPyConnection,
    text: str,
    batch: Columns,  # noqa: ARG001 - DuckDB finds it in this frame by its name
    **params: object,
) -> None:
    """Run a statement that reads the columns `batch`, at half the price of `register`."""
    con.execute(text, params or None).fetchall()


def _column(kind: str, values: Sequence[Any]) -> NDArray[Any]:
    if kind == "t":
        return np.array([_storable(value) for value in values], dtype=object)
    if None in values:
        gaps = [value is None for value in values]
        filled = [0 if value is None else value for value in values]
        return np.ma.masked_array(np.array(filled, dtype=_TYPES[kind]), mask=gaps)
    return np.array(values, dtype=_TYPES[kind])


def _storable(value: str | None) -> str | None:
    """The driver takes UTF-8 only: half surrogates of a reply are kept as escapes."""
    if value is None or value.isascii():
        return value
    return value.encode("utf-8", "backslashreplace").decode("utf-8")
