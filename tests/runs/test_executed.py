"""checks.json: results of what a harness ran, taken in as facts or refused in one line."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from judgebench.errors import RunError
from judgebench.model.facts import Source
from judgebench.runs.executed import MAX_BYTES, json_schema, read_executed
from judgebench.runs.tree import Tree
from tests.runs.helpers import put

DOCS = Path(__file__).parents[2] / "docs" / "deductions.md"
ONE = {"id": "suite", "kind": "tests", "ok": True}


def read(folder: Path, content: Any) -> tuple[Any, ...]:  # noqa: ANN401 - whatever a test writes
    """The facts of this content."""
    put(folder / "checks.json", content)
    return read_executed(Tree(folder), "checks.json")


def test_results_become_facts_that_say_who_brought_them(tmp_path: Path) -> None:
    """The example of the page: a failed suite, a build, a probe that could not be run."""
    text = next(
        block for block in re.findall(r"```json\n(.*?)```", DOCS.read_text(), re.DOTALL)
        if '"checks"' in block
    )  # fmt: skip
    suite, image, page = read(tmp_path, text)
    assert [one.holds for one in (suite, image, page)] == [False, True, None]
    assert {one.source for one in (suite, image, page)} == {Source.HARNESS}
    assert suite.says == "it failed; 41 tests passed; 2 tests failed; 12.5 s"
    assert suite.text == "the tests were run"
    assert suite.count == 43
    assert image.text == "docker build ."
    assert page.says == "it could not be run; no browser on this machine"


def test_no_file_is_no_fact(tmp_path: Path) -> None:
    """A harness that ran nothing brings nothing."""
    assert read_executed(Tree(tmp_path), "checks.json") == ()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not valid JSON"),
        (b"[" * 100_000, "is not valid JSON"),
        (b"\xff\xfe\x00", "is no"),
        (b"[]", "is \\[\\]"),
        (b'{"checks": []}', "checks"),
        (b'{"checks": [], "checks": []}', "the key checks stands twice"),
        (json.dumps({"checks": [ONE | {"ok": "yes"}]}).encode(), r"checks\.1\.ok is 'yes'"),
        (json.dumps({"checks": [ONE | {"passed": -1}]}).encode(), r"checks\.1\.passed is -1"),
        (json.dumps({"checks": [ONE | {"passed": 1.5}]}).encode(), r"checks\.1\.passed is 1\.5"),
        (json.dumps({"checks": [ONE | {"kind": "vibes"}]}).encode(), r"checks\.1\.kind"),
        (json.dumps({"checks": [ONE | {"more": 1}]}).encode(), r"checks\.1\.more"),
        (b'{"checks": [{"id": "a", "kind": "boot", "ok": true, "seconds": NaN}]}', "seconds"),
        (json.dumps({"checks": [ONE, ONE]}).encode(), "has two checks suite"),
        (b" " * (MAX_BYTES + 1), "bytes long"),
    ],
)
def test_a_file_of_another_form_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    """Key and value found, in one line."""
    with pytest.raises(RunError, match=said) as caught:
        read(tmp_path, content)
    assert "\n" not in str(caught.value)


def test_a_link_out_of_the_run_or_a_pipe_is_refused(tmp_path: Path) -> None:
    """Nothing outside is read, and nothing waits."""
    folder = tmp_path / "run"
    folder.mkdir()
    put(tmp_path / "out.json", {"checks": [ONE]})
    (folder / "checks.json").symlink_to(tmp_path / "out.json")
    with pytest.raises(RunError, match="link"):
        read_executed(Tree(folder), "checks.json")
    os.mkfifo(folder / "pipe.json")
    with pytest.raises(RunError, match="pipe"):
        read_executed(Tree(folder), "pipe.json")


def test_what_a_harness_says_is_made_safe(tmp_path: Path) -> None:
    """Escape sequences of a log do not reach a terminal."""
    (fact,) = read(tmp_path, {"checks": [ONE | {"detail": "\x1b[31mred\n\n", "command": "\u202e"}]})
    assert "\x1b" not in fact.says
    assert "\u202e" not in fact.text


def test_editors_get_the_form() -> None:
    """The JSON Schema knows every key of a check."""
    found = json_schema()["$defs"]["ExecutedCheck"]["properties"]
    assert {"id", "kind", "ok", "passed", "failed", "skipped", "seconds"} <= set(found)
