"""A user's own CSV or JSONL of outputs → a run folder.

One output a row, columns named as in docs/formats.md or by ``--map``. The file
is taken whole or not at all: every fault names its line.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from judgebench.errors import ImportFileError
from judgebench.model.reasons import Reason
from judgebench.runs.records import RecordFault, row_values, to_record
from judgebench.runs.rows import RawRow, Row, Table, need_columns, open_table, raw_rows
from judgebench.runs.schema import check_table_id
from judgebench.runs.table import evidence_of, output_text
from judgebench.runs.write import Imported
from judgebench.text import has_visible, sha256_text

NAME = "generic"


def collector(path: Path) -> str | None:
    """Nothing is known of who made the file."""
    del path
    return None


def read(path: Path, *, columns: Mapping[str, str], **options: object) -> Iterator[Imported]:
    """Every row as an output.

    Args:
        path: The file.
        columns: Our column name → the file's.
        options: Other tools' options, which mean nothing here.

    Raises:
        ImportFileError: with the line.
    """
    del options
    with path.open("rb") as file:
        table = open_table(path, file, fault=ImportFileError, columns=columns)
        first = True
        for raw in raw_rows(table, file):
            row = table.parse(raw)
            if first:
                need_columns(table, row, ("item", "arm", "output"))
                first = False
            yield _imported(table, raw, row)


def _imported(table: Table, raw: RawRow, row: Row) -> Imported:
    prompt = _text(table, raw, row, name="prompt") or ""
    known: dict[str, Any] = {"prompt_sha256": sha256_text(prompt)} if has_visible(prompt) else {}
    record = row_values(row, **known)
    try:
        to_record(record)
    except RecordFault as exc:
        raise table.stop(raw.line, str(exc), "mend the value or leave it out") from None
    text, problem, reason = output_text(row.get("output"))
    if problem and reason is Reason.UNREADABLE:
        raise table.stop(raw.line, problem, "mend or remove the row")
    return Imported(
        item=_id(table, raw, row, name="item"),
        arm=_id(table, raw, row, name="arm"),
        output=text,
        prompt=prompt,
        evidence=evidence_of(row.get("evidence")),
        reference=_text(table, raw, row, name="reference"),
        record=record,
        is_json=not isinstance(row.get("output"), str),
        line=raw.line,
    )


def _text(table: Table, raw: RawRow, row: Row, *, name: str) -> str | None:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise table.stop(raw.line, f"has a {name} that is no text", "write it as text")
    return value


def _id(table: Table, raw: RawRow, row: Row, *, name: str) -> str:
    value = row.get(name)
    try:
        return check_table_id("" if value is None else str(value))
    except ValueError as exc:
        problem, _, fix = str(exc).partition("; ")
        raise table.stop(raw.line, f"{name} {problem}", fix) from None
