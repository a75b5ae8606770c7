"""Results of checks that the harness executed: checks.json → facts.

The product runs nothing of a judged project. Who does may bring what came of it, in
one file beside the project; it is checked for its form and marked as brought.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from judgebench.errors import RunError
from judgebench.model.facts import Fact, Source
from judgebench.runs.decode import Undecodable, decode_text
from judgebench.runs.json_form import single_keys, wrong_value
from judgebench.runs.pack import without_keys
from judgebench.runs.tree import PathFault, Tree
from judgebench.text import one_line, plural

NAME = "checks.json"
MAX_BYTES = 1024 * 1024
MAX_CHECKS = 200
_WORDS = {
    "tests": "the tests were run",
    "build": "the project was built",
    "boot": "the project was started",
    "probe": "its page was opened in a browser",
    "other": "a check of the harness",
}
Count = Annotated[int, Field(ge=0, le=10**9)]
Name = Annotated[str, Field(min_length=1, max_length=80)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False,
                              use_attribute_docstrings=True)  # fmt: skip


class ExecutedCheck(_Strict):
    """One thing that the harness ran."""

    id: Name
    """Names it in facts and reports; unique in the file."""
    kind: Literal["tests", "build", "boot", "probe", "other"]
    """What was done."""
    ok: bool | None
    """Whether it went well; null where it could not be run."""
    passed: Count | None = None
    """Of tests: how many passed."""
    failed: Count | None = None
    """How many failed."""
    skipped: Count | None = None
    """How many were skipped."""
    seconds: Annotated[float, Field(ge=0, le=1e7)] | None = None
    """How long it took."""
    command: Annotated[str, Field(max_length=2_000)] = ""
    """What was run, in words."""
    detail: Annotated[str, Field(max_length=20_000)] = ""
    """What came of it, such as the end of a log."""


class ExecutedFile(_Strict):
    """checks.json: what a harness ran in one project."""

    tool: Annotated[str, Field(max_length=200)] = ""
    """The program that ran it, with its version."""
    ran_at: Annotated[str, Field(max_length=60)] = ""
    """When, as the program says."""
    checks: Annotated[list[ExecutedCheck], Field(min_length=1, max_length=MAX_CHECKS)]
    """What was run."""


def read_executed(tree: Tree, relative: str) -> tuple[Fact, ...]:
    """Facts of a checks.json; none where there is no such file.

    Args:
        tree: The folder of the run.
        relative: The file in it, such as ``arm/item/checks.json``.

    Raises:
        RunError: it cannot be read, or is not of its form.
    """
    path = tree.root / relative
    try:
        raw = tree.read(relative, limit=MAX_BYTES)
    except PathFault as exc:
        raise RunError(path, str(exc), "write a file of its own, or take it away") from None
    return () if raw is None else tuple(map(_fact, _parse(raw, path.as_posix()).checks))


def _parse(raw: bytes, path: str) -> ExecutedFile:
    try:
        data = json.loads(decode_text(raw), object_pairs_hook=single_keys)
    except Undecodable as exc:
        raise RunError(path, f"is no text: {exc}", "save it as UTF-8") from None
    except (ValueError, RecursionError) as exc:
        problem = f"is not valid JSON: {one_line(str(exc), 80)}"
        raise RunError(path, problem, "write it again") from None
    try:
        file = ExecutedFile.model_validate(data)
    except ValidationError as exc:
        raise wrong_value(RunError, path, exc, "judge explain deductions shows its form") from None
    ids = [one.id for one in file.checks]
    if twice := next((one for one in ids if ids.count(one) > 1), None):
        raise RunError(path, f"has two checks {one_line(twice, 40)}", "give each an id of its own")
    return file


def _fact(one: ExecutedCheck) -> Fact:
    counts = [
        plural(n, "test") + f" {word}"
        for word, n in (("passed", one.passed), ("failed", one.failed), ("skipped", one.skipped))
        if n is not None
    ]
    how = {True: "it went well", False: "it failed", None: "it could not be run"}[one.ok]
    took = [] if one.seconds is None else [f"{one.seconds:g} s"]
    tail = [one_line(without_keys(one.detail), 120)] if one.detail.strip() else []
    return Fact(
        check=one_line(one.id, 80),
        text=one_line(without_keys(one.command), 200) or _WORDS[one.kind],
        holds=one.ok,
        says=one_line("; ".join([how, *counts, *took, *tail]), 300),
        source=Source.HARNESS,
        count=sum(n or 0 for n in (one.passed, one.failed, one.skipped)),
    )


def json_schema() -> dict[str, Any]:
    """JSON Schema of checks.json."""
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, **ExecutedFile.model_json_schema()}
