"""Files of llm-coding-benchmark: where the records of contestants are, and what stands in one."""

import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from judgebench.errors import ImportFileError
from judgebench.runs.decode import Undecodable, decode_text
from judgebench.runs.json_form import single_keys, wrong_value
from judgebench.text import one_line

MAX_BYTES = 16 * 1024 * 1024
MAX_ARMS = 2_000
RESULT = "result.json"
DONE = frozenset({"completed", "completed_with_errors"})
"""Statuses of a project that was finished."""
_PHASE_FILES = ("phase1-result.json", "phase2-result.json", "phase1.result.json",
                "phase2.result.json", "phase3.result.json")  # fmt: skip
_STATUSES = (*sorted(DONE), "failed", "timeout")

Count = Annotated[int, Field(ge=0, le=10**13)]
Amount = Annotated[float, Field(ge=0, le=1e12)]
Words = Annotated[str, Field(max_length=1_000_000)]


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class _Tokens(_Loose):
    input: Count | None = None
    output: Count | None = None
    reasoning: Count | None = None
    total: Count | None = None


class _Model(_Loose):
    id: Words | None = None
    label: Words | None = None
    provider: Words | None = None
    slug: Words | None = None


class _Summary(_Loose):
    file_count: Count | None = None


class _Used(_Loose):
    output: Count | None = Field(default=None, alias="outputTokens")


class Part(_Loose):
    """What a record of a run and one of its phases have in common."""

    status: Words | None = None
    harness: Words | None = None
    command: list[Any] = Field(default_factory=list)
    exit_code: int | None = None
    timed_out: bool | None = None
    stalled: bool | None = None
    stall_reason: Words | None = None
    stderr_excerpt: Words | None = None
    finish_reason: Words | None = None
    timeout_seconds: Amount | None = None
    elapsed_seconds: Amount | None = None
    tokens: _Tokens | None = None
    cost_usd: Amount | None = None
    file_count_after: Count | None = None
    ended_at: Words | None = None
    phase: Words | None = None
    prompt_sha256: Words | None = None
    primary_prompt_sha256: Words | None = None
    model: _Model | None = None
    project_summary: _Summary | None = None


class ResultFile(Part):
    """The record of one contestant, in any of the three shapes."""

    slug: Words | None = None
    label: Words | None = None
    main_model: Words | None = None
    stop_reason: Words | None = None
    file_count: Count | None = None
    total_cost_usd: Amount | None = None
    cost_usd_total: Amount | None = None
    elapsed_seconds_total: Amount | None = None
    tokens_total: Count | None = None
    model_usage: dict[str, _Used] = Field(default_factory=dict)
    billing: Words | None = None
    self_review_present: bool | None = None
    phases: list[Part] = Field(default_factory=list, max_length=20)

    @property
    def three_phase(self) -> bool:
        """Whether the record is of the form without a status, with a sum over phases."""
        return self.status is None and self.elapsed_seconds_total is not None

    @property
    def parts(self) -> Sequence[Part]:
        """The phases on record; a record without any is its own."""
        return self.phases or (self,)


def records_in(path: Path) -> list[Path]:
    """The record of each contestant.

    Args:
        path: The folder of results, one contestant's folder, or one record.

    Raises:
        ImportFileError: There is none, or the folder cannot be listed.
    """
    if not path.is_dir():
        return [path]
    if (path / RESULT).is_file():
        return [path / RESULT]
    try:
        folders = sorted(entry.name for entry in os.scandir(path) if entry.is_dir())
    except OSError as exc:
        why = one_line(exc.strerror or "cannot be read", 80)
        raise ImportFileError(
            path, f"cannot be listed: {why}", "name a folder of results"
        ) from None
    if len(folders) > MAX_ARMS:
        raise ImportFileError(path, f"holds {len(folders):,} folders", f"keep at most {MAX_ARMS:,}")
    files = [record for name in folders if (record := _record_of(path / name))]
    if not files:
        what = f"holds no folder with a {RESULT}"
        raise ImportFileError(path, what, "name the benchmark's folder of results")
    return files


def _record_of(folder: Path) -> Path | None:
    if (folder / RESULT).is_file():
        return folder / RESULT
    last = [folder / name for name in _PHASE_FILES if (folder / name).is_file()]
    return last[-1] if last else None


def parse(path: Path) -> ResultFile:
    """Read one record.

    Raises:
        ImportFileError: With the file, and the key where one is wrong.
    """
    try:
        data = json.loads(decode_text(read_bytes(path)), object_pairs_hook=single_keys)
    except Undecodable as exc:
        raise ImportFileError(
            path, f"is no text: {exc}", "take the file as it was written"
        ) from None
    except json.JSONDecodeError as exc:
        problem = f"is not valid JSON: {exc.msg}"
        raise ImportFileError(path, problem, "mend or remove it", line=exc.lineno) from None
    except (ValueError, RecursionError) as exc:
        problem = f"is not valid JSON: {one_line(str(exc), 60)}"
        raise ImportFileError(path, problem, "mend or remove it") from None
    if not isinstance(data, dict):
        raise ImportFileError(path, "is no JSON object", f"name a {RESULT}")
    try:
        file = ResultFile.model_validate(data)
    except ValidationError as exc:
        raise wrong_value(ImportFileError, path, exc, "mend it") from None
    return _checked(path, file)


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file that is not too large.

    Raises:
        ImportFileError: It is none, or cannot be read.
    """
    try:
        # A pipe in place of the file would hold everything up.
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as exc:
        why = one_line(exc.strerror or "unknown fault", 80)
        raise ImportFileError(path, f"cannot be read: {why}", "mend or remove it") from None
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise ImportFileError(path, "is no regular file", "mend or remove it")
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise ImportFileError(path, "is too large", f"keep it under {MAX_BYTES:,} bytes")
    return raw


def _checked(path: Path, file: ResultFile) -> ResultFile:
    if file.status is not None and file.status not in _STATUSES:
        what = f"is {one_line(file.status, 40)}"
        raise ImportFileError(path, what, f"use one of {', '.join(_STATUSES)}", key="status")
    measured = (file.elapsed_seconds, file.elapsed_seconds_total)
    if file.status is None and file.exit_code is None and measured == (None, None):
        what = "holds neither a status nor times of phases"
        raise ImportFileError(path, what, f"name a {RESULT} of the benchmark")
    return file
