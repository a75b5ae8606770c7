"""Run records of llm-coding-benchmark → a run folder of projects.

One ``result.json`` a contestant, in one of three shapes: the record of a runner
with a ``status`` and one or two phases, that of a single command-line session, and
that of three phases without a status. What is easily taken wrongly: a failure of the
harness says nothing of the project, so it blocks, also where files lie there; a
project that was finished and does not look as asked is judged like any other; some
harnesses report the tokens of their last step only, others nothing at all, and write
0 for it; each phase has a time limit of its own.
"""

import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from judgebench.errors import ImportFileError
from judgebench.runs.decode import Undecodable, decode_text
from judgebench.runs.json_form import single_keys, wrong_value
from judgebench.runs.records import RecordFault, to_record
from judgebench.runs.write import Imported
from judgebench.text import one_line, plural

NAME = "llm-coding-benchmark"
FOLDERS = True
"""Its source may be a folder of results."""
MAX_BYTES = 16 * 1024 * 1024
MAX_ARMS = 2_000
RESULT = "result.json"
_PHASE_FILES = ("phase1-result.json", "phase2-result.json", "phase1.result.json",
                "phase2.result.json", "phase3.result.json")  # fmt: skip
_DONE = frozenset({"completed", "completed_with_errors"})
_STATUSES = (*sorted(_DONE), "failed", "timeout")
# Runners whose counts are sums over a session; the others give those of the last step.
_SUMMING = frozenset({"codex"})
_COUNTS = {
    "prompt_tokens": "input",
    "completion_tokens": "output",
    "reasoning_tokens": "reasoning",
}
_SHELLS = frozenset({"bash", "sh", "zsh"})

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


class _Part(_Loose):
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


class _File(_Part):
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
    phases: list[_Part] = Field(default_factory=list, max_length=20)

    @property
    def three_phase(self) -> bool:
        """Whether the record is of the form without a status, with a sum over phases."""
        return self.status is None and self.elapsed_seconds_total is not None

    @property
    def parts(self) -> Sequence[_Part]:
        """The phases on record; a record without any is its own."""
        return self.phases or (self,)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """One contestant's record and where it stands."""

    path: Path
    file: _File

    @property
    def name(self) -> str:
        """The contestant: its folder, which tells conditions apart where the slug does not."""
        folder = self.path.parent.name
        own = self.file.slug or (self.file.model.slug if self.file.model else None)
        return folder or own or self.path.stem


def collector(path: Path) -> str | None:
    """The benchmark; its records carry no version."""
    del path
    return NAME


def read(path: Path, *, columns: Mapping[str, str], **options: object) -> Iterator[Imported]:
    """One project a contestant.

    Args:
        path: The folder of results, one contestant's folder, or one record.
        columns: Means nothing here and must be empty.
        options: Other tools' options, which mean nothing here.

    Raises:
        ImportFileError: with the file and the key.
    """
    del options
    if columns:
        raise ImportFileError(path, "has no columns to map", "leave --map out")
    found = [_Found(path=one, file=_parse(one)) for one in _records(path)]
    # Two briefs in one folder are two tasks: their projects are never compared.
    briefs = len({one.file.three_phase for one in found})
    for one in sorted(found, key=lambda one: one.file.three_phase):
        yield _imported(one, several=briefs > 1)


def _records(path: Path) -> list[Path]:
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


def _parse(path: Path) -> _File:
    try:
        data = json.loads(decode_text(_bytes(path)), object_pairs_hook=single_keys)
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
        file = _File.model_validate(data)
    except ValidationError as exc:
        raise wrong_value(ImportFileError, path, exc, "mend it") from None
    return _checked(path, file)


def _bytes(path: Path) -> bytes:
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


def _checked(path: Path, file: _File) -> _File:
    if file.status is not None and file.status not in _STATUSES:
        what = f"is {one_line(file.status, 40)}"
        raise ImportFileError(path, what, f"use one of {', '.join(_STATUSES)}", key="status")
    measured = (file.elapsed_seconds, file.elapsed_seconds_total)
    if file.status is None and file.exit_code is None and measured == (None, None):
        what = "holds neither a status nor times of phases"
        raise ImportFileError(path, what, f"name a {RESULT} of the benchmark")
    return file


def _imported(one: _Found, *, several: bool) -> Imported:
    file, folder = one.file, one.path.parent
    record = _record(one)
    try:
        to_record(record)
    except RecordFault as exc:
        raise ImportFileError(one.path, str(exc), "mend it") from None
    project = folder / "project"
    has_project = project.is_dir() and not project.is_symlink()
    nothing = _files(file) == 0 and "error" not in record
    return Imported(
        item="brief-phases" if several and file.three_phase else "brief",
        arm=one.name,
        # No file at all is the contestant's own empty answer, unless something broke.
        output="" if nothing and not has_project else None,
        project=project if has_project else None,
        prompt=_prompt(folder),
        record=record,
        provider=file.model.provider if file.model else None,
        model=_model(file),
        harness=_harness(file),
        kind="cli",
        note=_note(file),
    )


def _prompt(folder: Path) -> str:
    path = folder / "prompt.txt"
    if not path.is_file():
        return ""
    try:
        return decode_text(_bytes(path))
    except Undecodable as exc:
        raise ImportFileError(path, f"is no text: {exc}", "take it as it was written") from None


def _model(file: _File) -> str | None:
    if file.model and file.model.id:
        return one_line(file.model.id, 120)
    name = file.main_model or file.label or (file.model.label if file.model else None)
    return one_line(name, 120) if name else None


def _harness(file: _File) -> str | None:
    named = file.harness or next((p.harness for p in file.phases if p.harness), None)
    if named:
        return one_line(named, 60)
    provider = file.model.provider if file.model else None
    words = [word for part in file.parts for word in part.command[:1] if isinstance(word, str)]
    program = Path(words[0]).name if words and words[0] else None
    # A shell only starts what the provider is named after.
    return one_line(provider if program in _SHELLS and provider else program or "", 60) or None


def _files(file: _File) -> int | None:
    """Files in the project at the end, where it was counted."""
    if file.file_count is not None:
        return file.file_count
    counts = [part.file_count_after for part in file.phases if part.file_count_after is not None]
    if counts:
        return counts[-1]
    if file.file_count_after is not None:
        return file.file_count_after
    return file.project_summary.file_count if file.project_summary else None


def _record(one: _Found) -> dict[str, Any]:
    """What the benchmark measured, in the shape of meta.json."""
    file = one.file
    record: dict[str, Any] = {}
    wall = file.elapsed_seconds_total
    if wall is None:
        wall = file.elapsed_seconds
    if wall is not None:
        record["wall_s"] = wall
    limits = [part.timeout_seconds for part in file.parts]
    given = [limit for limit in limits if limit]
    if given and len(given) == len(limits):
        record["timeout_s"] = sum(given)
    finish = file.finish_reason or file.stop_reason
    if finish and finish != "unknown":
        record["finish_reason"] = one_line(finish, 60)
    if usage := _usage(file):
        record["usage"] = usage
    if (cost := _cost(file)) is not None:
        record["cost_usd"] = cost
    digits = file.primary_prompt_sha256 or file.prompt_sha256
    if digits:
        record["prompt_sha256"] = digits
    if error := _error(file, wall):
        record["error"] = error
    return record


def _usage(file: _File) -> dict[str, int]:
    if file.model_usage:
        counts = [used.output for used in file.model_usage.values()]
        whole = [count for count in counts if count is not None]
        spent = sum(whole)
        return {"completion_tokens": spent} if spent and len(whole) == len(counts) else {}
    if not (file.three_phase or _harness(file) in _SUMMING or file.cost_usd is not None):
        return {}
    parts = [part.tokens for part in file.parts]
    found = {}
    for ours, theirs in _COUNTS.items():
        counts = [getattr(tokens, theirs) if tokens else None for tokens in parts]
        known = [count for count in counts if count is not None]
        # A sum over some of the phases would be no sum.
        if known and len(known) == len(counts):
            found[ours] = sum(known)
    # Nothing at all is what a harness writes that reports nothing.
    return found if any(found.values()) else {}


def _cost(file: _File) -> float | None:
    cost = file.cost_usd_total if file.cost_usd_total is not None else file.total_cost_usd
    if cost is None:
        cost = file.cost_usd
    return None if not cost and not file.tokens_total else cost


def _error(file: _File, wall: float | None) -> dict[str, Any] | None:
    elapsed = {} if wall is None else {"elapsed_s": wall}
    late = file.status == "timeout" or any(part.timed_out for part in (file, *file.phases))
    if late:
        limit = next((p.timeout_seconds for p in reversed(file.parts) if p.timeout_seconds), None)
        of = "" if limit is None else f" of {limit:g} s"
        return {"kind": "timeout", "message": f"the time limit{of} ended it", **elapsed}
    if file.status is None or file.status in _DONE:
        return None
    said = _first_words(file.stderr_excerpt), _first_words(file.stall_reason)
    message = next((words for words in said if "Error" in words), said[1] or said[0])
    code = "" if file.exit_code is None else f"exit code {file.exit_code}"
    return {"kind": "harness", "message": message or code or f"status {file.status}", **elapsed}


def _first_words(text: str | None) -> str:
    return one_line((text or "").strip(), 300)


def _note(file: _File) -> str:
    """What a reader should know of how it was run; no figure is made of it."""
    parts = []
    if file.status is not None:
        parts.append(file.status)
    if file.phases:
        parts.append(f"{plural(len(file.phases), 'phase')} on record")
    odd = [str(part.exit_code) for part in file.parts if part.exit_code]
    if odd:
        parts.append(f"exit code {', '.join(odd)}")
    if file.self_review_present is False:
        parts.append("no review of its own")
    if not _usage(file):
        parts.append("tokens not reported for the whole run")
    return "; ".join(parts)
