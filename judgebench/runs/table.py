"""Runs in one table, outputs.jsonl or outputs.csv: for 10⁴ to 10⁶ outputs.

In memory stand byte offsets and interned ids, one cell eight bytes; a text is
read when its output is asked for. Any fault of the table as such (a line that
is no JSON, no item or arm, a cell that stands twice) is a `RunError` with its
line; a fault of one output or its record blocks that output alone.
"""

import hashlib
import json
import math
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from judgebench.errors import RunError
from judgebench.model.collected import Evidence, Item, Locator, Output, Run
from judgebench.model.reasons import Reason
from judgebench.records import dataclass
from judgebench.runs.decode import has_surrogate
from judgebench.runs.folders import FolderSource
from judgebench.runs.records import NO_RECORD, RecordFault, from_row
from judgebench.runs.rows import (
    COLUMNS,
    RawRow,
    Row,
    Table,
    need_columns,
    open_table,
    raw_rows,
    row_at,
)
from judgebench.runs.schema import check_table_id
from judgebench.runs.source import MAX_OUTPUT_BYTES, NOTHING_SHA256, faulty, make_item
from judgebench.runs.tree import PathFault
from judgebench.text import has_visible, one_line, plural, sha256_text

MAX_CELLS = 20_000_000


@dataclass(kw_only=True, slots=True)
class Index:
    """Where each cell's row starts; filled while the table is scanned once."""

    items: dict[str, int] = field(default_factory=dict)
    arms: dict[str, int] = field(default_factory=dict)
    row_items: "array[int]" = field(default_factory=lambda: array("i"))
    row_arms: "array[int]" = field(default_factory=lambda: array("i"))
    row_offsets: "array[int]" = field(default_factory=lambda: array("q"))
    prompts: "array[int]" = field(default_factory=lambda: array("q"))
    """Item → offset of its first row with a prompt; -1 where none has one."""
    firsts: "array[int]" = field(default_factory=lambda: array("q"))
    """Item → offset of its first row."""
    columns: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class TableSource:
    """Where the texts of a table run stand."""

    table: Table
    index: Index
    cells: "array[int]"
    """Row offset by item × arm in the index's order; -1 where there is none."""
    prompt: str | None
    """--prompt, for the items that bring none."""
    folder: FolderSource
    """items/ beside the table, whose files come before the columns."""
    not_settable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def outputs(self, run: Run) -> Iterator[Output]:
        """Every arm × item, item by item."""
        with self.table.path.open("rb") as file:
            for item in run.items:
                for arm in run.arms:
                    offset = self._offset(arm.id, item)
                    if offset < 0:
                        yield self._missing(arm.id, item)
                    else:
                        yield self._read(arm.id, item, offset=offset, file=file)

    def output(self, run: Run, *, arm: str, item: str, locator: Locator) -> Output:
        """One output again."""
        del run
        offset = self._offset(arm, item) if locator.offset is None else locator.offset
        if offset < 0:
            return self._missing(arm, item)
        with self.table.path.open("rb") as file:
            return self._read(arm, item, offset=offset, file=file)

    def item(self, run: Run, item_id: str) -> Item:
        """One item, from items/ where it stands there, else from its rows."""
        if self._in_folder(item_id):
            return self.folder.item(run, item_id)
        number = self.index.items.get(item_id, -1)
        row: Row = {}
        if number >= 0:
            with self.table.path.open("rb") as file:
                at = self.index.prompts[number]
                row = row_at(self.table, file, at if at >= 0 else self.index.firsts[number])
        prompt = row.get("prompt") or self.prompt or ""
        if not run.has_prompt:
            prompt = ""
        reference = row.get("reference")
        texts = [prompt, *([reference] if reference is not None else [])]
        evidence = evidence_of(row.get("evidence"))
        texts.extend(piece.text for piece in evidence)
        if any(not isinstance(text, str) or has_surrogate(text) for text in texts):
            raise RunError(
                self.table.path,
                f"holds a prompt, reference or evidence of item {one_line(item_id, 60)}"
                " that is not text",
                "write text in UTF-8",
            )
        return make_item(item_id, prompt, evidence=evidence, reference=reference)

    def content(self, run: Run) -> Iterator[tuple[str, int, str]]:
        """The table, run.yaml and items/."""
        with self.table.path.open("rb") as file:
            sha = hashlib.file_digest(file, "sha256").hexdigest()
        yield self.table.path.name, self.table.path.stat().st_size, sha
        if self.prompt is not None:
            yield "--prompt", len(self.prompt), sha256_text(self.prompt)
        # The arms of a table are no folders, so only items and run.yaml are walked.
        yield from self.folder.content(replace(run, arms=()))

    def has_prompt_for(self, item_id: str) -> bool:
        """Whether the item's prompt is known."""
        number = self.index.items.get(item_id, -1)
        in_rows = number >= 0 and self.index.prompts[number] >= 0
        return self.prompt is not None or in_rows or self._in_folder(item_id)

    def _in_folder(self, item_id: str) -> bool:
        if "/" in item_id or item_id in {".", ".."}:
            return False
        try:
            return self.folder.has_prompt_for(item_id)
        except PathFault:  # pragma: no cover - has_prompt_for turns it into a RunError
            return False

    def _offset(self, arm: str, item: str) -> int:
        i, a = self.index.items.get(item, -1), self.index.arms.get(arm, -1)
        return -1 if i < 0 or a < 0 else self.cells[i * len(self.index.arms) + a]

    def _missing(self, arm: str, item: str) -> Output:
        return faulty(
            arm,
            item,
            locator=Locator(path=self.table.path.name),
            detail=f"no row in {self.table.path.name}",
            reason=Reason.MISSING,
        )

    def _read(self, arm: str, item: str, *, offset: int, file: BinaryIO) -> Output:
        locator = Locator(path=self.table.path.name, offset=offset)
        row = row_at(self.table, file, offset)
        if row.get("item") is None or str(row["item"]) != item or str(row.get("arm")) != arm:
            raise RunError(self.table.path, "changed while it was read", "start again")
        known: dict[str, Any] = {}
        if arm in self.not_settable:
            known["not_settable"] = list(self.not_settable[arm])
        if isinstance(sent := row.get("prompt"), str) and sent:
            known["prompt_sha256"] = _prompt_hash(sent)
        trouble = ""
        try:
            record = from_row(row, **known).record
        except RecordFault as exc:
            record, trouble = NO_RECORD, str(exc)
        text, problem, reason = output_text(row.get("output"))
        problem = "; ".join(part for part in (trouble, problem) if part)
        if problem:
            return faulty(
                arm,
                item,
                locator=locator,
                detail=problem,
                record=record,
                reason=Reason.UNREADABLE if trouble else reason,
                text=text,
                sha256=NOTHING_SHA256 if text is None else sha256_text(text),
            )
        assert text is not None  # noqa: S101 - without a text there is a problem
        return Output(
            arm=arm,
            item=item,
            text=text,
            sha256=sha256_text(text),
            record=record,
            locator=locator,
        )


@lru_cache(maxsize=64)
def _prompt_hash(prompt: str) -> str:
    return sha256_text(prompt)


def output_text(value: object) -> tuple[str | None, str, Reason]:
    """(text, problem, reason) of an output cell; objects are written as JSON."""
    if value is None:
        return None, "no output in its row", Reason.MISSING
    if isinstance(value, float) and not math.isfinite(value):
        # What frames of data write where nothing stands is no answer.
        return None, "NaN in place of an output", Reason.MISSING
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    if "\0" in text:
        return None, "the output holds a NUL character", Reason.UNREADABLE
    if not text.isascii() and has_surrogate(text):
        return None, "the output is not UTF-8, or holds half a surrogate pair", Reason.UNREADABLE
    if len(text) > MAX_OUTPUT_BYTES:
        detail = f"the output is {len(text):,} characters long; at most {MAX_OUTPUT_BYTES:,}"
        return None, f"{detail} are read", Reason.UNREADABLE
    return text, "", Reason.MISSING


def evidence_of(value: object) -> tuple[Evidence, ...]:
    """Evidence cell: a text, a list of texts, or names with texts."""
    if value is None or value == "":
        return ()
    if isinstance(value, dict):
        return tuple(Evidence(name=str(k), text=_as_text(v)) for k, v in value.items())
    if isinstance(value, list):
        return tuple(_piece(number, piece) for number, piece in enumerate(value, 1))
    return (Evidence(name="evidence", text=_as_text(value)),)


def _piece(number: int, piece: object) -> Evidence:
    if isinstance(piece, dict) and isinstance(piece.get("text"), str):
        return Evidence(name=str(piece.get("name", number)), text=piece["text"])
    return Evidence(name=str(number), text=_as_text(piece))


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def scan(path: Path, *, columns: Mapping[str, str]) -> tuple[Table, Index]:
    """Find every row of a table once.

    Raises:
        RunError: with the line of the first row that is none, lacks item or arm.
    """
    index = Index()
    with path.open("rb") as file:
        table = open_table(path, file, fault=RunError, columns=columns)
        for raw in raw_rows(table, file):
            row = table.parse(raw)
            if not index.row_offsets:
                need_columns(table, row, ("item", "arm", "output"))
            _add(index, table, raw, row)
    if not index.row_offsets:
        raise RunError(path, "holds no rows", "write one output a line")
    return table, index


def _add(index: Index, table: Table, raw: RawRow, row: Row) -> None:
    item = row.get("item")
    arm = row.get("arm")
    if type(item) is not str or item not in index.items:
        item = _id(table, raw, row, name="item")
    if type(arm) is not str or arm not in index.arms:
        arm = _id(table, raw, row, name="arm")
        index.arms.setdefault(arm, len(index.arms))
    number = index.items.get(item)
    if number is None:
        number = index.items[item] = len(index.items)
        index.prompts.append(-1)
        index.firsts.append(raw.offset)
    if index.prompts[number] < 0:
        prompt = row.get("prompt")
        if isinstance(prompt, str) and has_visible(prompt):
            index.prompts[number] = raw.offset
    index.row_items.append(number)
    index.row_arms.append(index.arms[arm])
    index.row_offsets.append(raw.offset)
    if len(index.columns) < 200:  # noqa: PLR2004 - a bound for hostile tables
        index.columns.update(dict.fromkeys(row))


def _id(table: Table, raw: RawRow, row: Mapping[str, Any], *, name: str) -> str:
    value = row.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        problem = f"has no {name}" if value is None else f"has a {name} that is not text"
        raise table.stop(raw.line, problem, f"give every row its {name}")
    try:
        return check_table_id(value)
    except ValueError as exc:
        problem, _, fix = str(exc).partition("; ")
        raise table.stop(raw.line, f"{name} {problem}", fix) from None


def place_cells(table: Table, index: Index) -> "array[int]":
    """Put row offsets into the grid item × arm.

    Raises:
        RunError: two rows for one cell, both lines named; a grid beyond memory.
    """
    width = len(index.arms)
    size = width * len(index.items)
    if size > MAX_CELLS:
        raise RunError(
            table.path,
            f"spans {plural(len(index.items), 'item')} and {plural(width, 'arm')}",
            f"split it into runs of at most {MAX_CELLS:,} cells",
        )
    cells = array("q", [-1]) * size
    for item, arm, offset in zip(index.row_items, index.row_arms, index.row_offsets, strict=True):
        at = item * width + arm
        if cells[at] >= 0:
            first, second = (_line_of(table, o) for o in (cells[at], offset))
            names = list(index.items)[item], list(index.arms)[arm]
            raise table.stop(
                second,
                f"repeats item {one_line(names[0], 60)} of arm {one_line(names[1], 60)}"
                f" from line {first}",
                "keep one row for each item and arm",
            )
        cells[at] = offset
    return cells


def _line_of(table: Table, offset: int) -> int:
    count, left = 1, offset
    with table.path.open("rb") as file:
        while left > 0:
            block = file.read(min(left, 1 << 20))
            if not block:
                break
            count += block.count(b"\n")
            left -= len(block)
    return count


def unused_columns(index: Index, known: frozenset[str]) -> tuple[str, ...]:
    """Columns that nothing reads, for a note."""
    return tuple(c for c in index.columns if c not in known and c not in COLUMNS)
