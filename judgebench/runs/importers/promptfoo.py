"""promptfoo results JSON (results version 3) → a run folder.

What is easily taken wrongly: under ``failureReason`` 1 the ``error`` holds the
message of an assertion, and the answer is as good as any; only 2, or an error
in the response, is a failure of the call. An empty output is an answer.
Repeats carry no number: they are counted in order within (test, prompt,
provider), and one of them is taken. With several prompts each pair of provider
and prompt is an arm, and what the arms share is the test's variables.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from judgebench.errors import ImportFileError
from judgebench.records import dataclass
from judgebench.runs.json_form import wrong_value
from judgebench.runs.write import Imported
from judgebench.text import one_line, sha256_text

NAME = "promptfoo"
VERSION = 3
MAX_BYTES = 512 * 1024 * 1024
FAILED_CALL = 2
Index = Annotated[int, Field(ge=0, le=10**9)]
Amount = Annotated[float, Field(ge=0, le=1e12)]


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class _Named(_Loose):
    id: str = ""
    label: str | None = None


class _Prompt(_Loose):
    raw: str = ""
    label: str | None = None


class _Details(_Loose):
    reasoning: Index | None = None


class _Tokens(_Loose):
    prompt: Index | None = None
    completion: Index | None = None
    completion_details: _Details | None = Field(default=None, alias="completionDetails")


class _Response(_Loose):
    output: Any = None
    finish_reason: str | None = Field(default=None, alias="finishReason")
    tokens: _Tokens | None = Field(default=None, alias="tokenUsage")
    cost: Amount | None = None
    cached: bool | None = None
    error: Any = None


class _Row(_Loose):
    test: Index = Field(alias="testIdx")
    prompt_index: Index = Field(default=0, alias="promptIdx")
    prompt: _Prompt
    provider: _Named
    vars: dict[str, Any] = Field(default_factory=dict)
    response: _Response | None = None
    error: Any = None
    failure: int = Field(default=0, alias="failureReason")
    latency_ms: Amount | None = Field(default=None, alias="latencyMs")
    cost: Amount | None = None


class _Results(_Loose):
    version: int
    timestamp: str | None = None
    results: list[_Row]


class _Metadata(_Loose):
    version: str | None = Field(default=None, alias="promptfooVersion")


class _File(_Loose):
    results: _Results
    metadata: _Metadata | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """A row with its repeat, from 1."""

    row: _Row
    repeat: int
    position: int
    """Place in the file's list of results, from 1."""


def collector(path: Path) -> str | None:
    """Promptfoo with its version, where the file gives it."""
    metadata = _parse(path).metadata
    version = metadata.version if metadata else None
    return f"promptfoo {one_line(version, 40)}" if version else "promptfoo"


def repeats_left_out(path: Path) -> int:
    """Rows that are not the first of their test, prompt and provider."""
    return sum(1 for one in _counted(_parse(path)) if one.repeat > 1)


def read(
    path: Path, *, columns: Mapping[str, str], repeat: int = 1, **options: object
) -> Iterator[Imported]:
    """One output a row of the wanted repeat.

    Args:
        path: The file.
        columns: Means nothing here and must be empty.
        repeat: Which repeat is taken, from 1.
        options: Other tools' options, which mean nothing here.

    Raises:
        ImportFileError: with the place in the list of results.
    """
    del options
    if columns:
        raise ImportFileError(path, "has no columns to map", "leave --map out")
    file = _parse(path)
    prompts = {row.prompt_index for row in file.results.results}
    for one in _counted(file):
        if one.repeat == repeat:
            yield _imported(path, one, several=len(prompts) > 1)


def _parse(path: Path) -> _File:
    if path.stat().st_size > MAX_BYTES:
        raise ImportFileError(path, "is too large", f"keep it under {MAX_BYTES:,} bytes")
    try:
        data = json.loads(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ImportFileError(path, "is not UTF-8", "export it again") from None
    except json.JSONDecodeError as exc:
        problem = f"is not valid JSON: {exc.msg}"
        raise ImportFileError(path, problem, "export it again", line=exc.lineno) from None
    except (ValueError, RecursionError):
        raise ImportFileError(path, "is not valid JSON", "export it again") from None
    version = _version(data)
    if version != VERSION:
        raise ImportFileError(
            path,
            "is missing" if version is None else f"is {one_line(repr(version), 20)}",
            f"export it with a promptfoo that writes version {VERSION}",
            key="results.version",
        )
    try:
        return _File.model_validate(data)
    except ValidationError as exc:
        raise wrong_value(ImportFileError, path, exc, "export it again") from None


def _version(data: object) -> object:
    results = data.get("results") if isinstance(data, dict) else None
    return results.get("version") if isinstance(results, dict) else None


def _counted(file: _File) -> Iterator[Counted]:
    seen: dict[tuple[int, int, str, str | None], int] = {}
    for position, row in enumerate(file.results.results, 1):
        key = (row.test, row.prompt_index, row.provider.id, row.provider.label)
        seen[key] = seen.get(key, 0) + 1
        yield Counted(row=row, repeat=seen[key], position=position)


def _imported(path: Path, one: Counted, *, several: bool) -> Imported:
    row = one.row
    prompt = row.prompt.raw
    record = _record(row)
    if several:
        if not row.vars:
            raise ImportFileError(
                path,
                "has several prompts and a test without variables",
                "export the results of one prompt",
                key=f"results.results.{one.position}.vars",
            )
        prompt = "\n".join(f"{name}: {_text(value)}" for name, value in row.vars.items())
    elif prompt:
        record["prompt_sha256"] = sha256_text(prompt)
    provider, _, model = row.provider.id.partition(":")
    known = bool(model) and "/" not in provider and provider not in {"file", "exec", "python"}
    output = row.response.output if row.response else None
    return Imported(
        item=f"t{row.test}",
        arm=_arm(row, several=several),
        output=None if output is None else _text(output),
        prompt=prompt,
        record=record,
        provider=provider if known else None,
        model=model if known else None,
        harness="promptfoo",
        is_json=output is not None and not isinstance(output, str),
    )


def _arm(row: _Row, *, several: bool) -> str:
    label = row.provider.label
    name = row.provider.id or label or "provider"
    if label and label != row.provider.id and row.provider.id:
        name = f"{name} {label}"
    return f"{name} p{row.prompt_index}" if several else name


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


def _record(row: _Row) -> dict[str, Any]:
    """What promptfoo measured; a cached answer's time is none."""
    response = row.response or _Response()
    record: dict[str, Any] = {}
    if response.finish_reason:
        record["finish_reason"] = response.finish_reason
    if usage := _usage(response.tokens):
        record["usage"] = usage
    if row.latency_ms is not None and not response.cached:
        record["wall_s"] = row.latency_ms / 1000
    cost = response.cost if response.cost is not None else row.cost
    if cost is not None and not response.cached:
        record["cost_usd"] = cost
    if row.failure == FAILED_CALL or response.error:
        said = response.error or row.error or "the call failed"
        record["error"] = {"kind": _kind(_text(said)), "message": one_line(_text(said), 500)}
    return record


def _usage(tokens: _Tokens | None) -> dict[str, int]:
    if tokens is None:
        return {}
    details = tokens.completion_details or _Details()
    counts = {
        "prompt_tokens": tokens.prompt,
        "completion_tokens": tokens.completion,
        "reasoning_tokens": details.reasoning,
    }
    return {name: count for name, count in counts.items() if count is not None}


def _kind(message: str) -> str:
    """Sort promptfoo's messages: its own time limit, HTTP with its status, or the rest."""
    low = message.lower()
    if "timed out" in low or "timeout" in low:
        return "timeout"
    return "http" if "api error" in low or "status" in low else "harness"
