"""Other tools' files: the run that they must give, or a line and nothing written."""

import json
from collections.abc import Iterable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from judgebench.errors import ImportFileError
from judgebench.model.collected import Output, Run
from judgebench.model.reasons import Reason
from judgebench.runs import importers
from judgebench.runs.blocked import decide
from judgebench.runs.importers import generic, import_run
from judgebench.runs.load import iter_outputs, load_item, load_run
from judgebench.runs.survey import survey
from tests.runs.helpers import put

DATA = Path(__file__).parent.parent / "data" / "runs"
MAP = {
    "item": "question_id",
    "arm": "system",
    "output": "text",
    "prompt": "question",
    "completion_tokens": "tokens",
    "finish_reason": "stop",
}


def by_cell(run: Run) -> dict[tuple[str, str], Output]:
    """Outputs by item and arm."""
    return {(o.item, o.arm): o for o in iter_outputs(run)}


def first_reasons(run: Run) -> dict[tuple[str, str], Reason]:
    """The first reason of every blocked cell."""
    seen = survey(run, iter_outputs(run), lambda item: load_item(run, item))
    decided = {
        key: decide(output, load_item(run, key[0]), run, seen)
        for key, output in by_cell(run).items()
    }
    return {key: blocks[0].reason for key, blocks in decided.items() if blocks}


def test_generic_takes_a_csv_with_its_own_column_names(tmp_path: Path) -> None:
    """Names become folders, the file's own stay as aliases; only what is known is recorded."""
    run = import_run("generic", DATA / "answers.csv", dest=tmp_path / "taken", columns=MAP)
    assert run.items == ("q-1", "q-2")
    assert [(arm.id, arm.aliases) for arm in run.arms] == [
        ("vendor-model-a", ("vendor/model-a",)),
        ("vendor-model-b", ("vendor/model-b",)),
    ]
    cells = by_cell(run)
    assert cells["q-1", "vendor-model-a"].text == "Two lines,\nwith a comma"
    assert cells["q-1", "vendor-model-b"].record.usage.completion_tokens == 3
    assert load_item(run, "q-2").prompt == "What else?"
    assert first_reasons(run) == {
        ("q-1", "vendor-model-b"): Reason.LENGTH,
        ("q-2", "vendor-model-a"): Reason.EMPTY,
    }
    meta = json.loads((tmp_path / "taken/vendor-model-a/q-2/meta.json").read_text())
    assert set(meta) == {"prompt_sha256"}
    again = load_run(tmp_path / "taken")
    assert (again.items, again.arms) == (run.items, run.arms)


def test_generic_takes_evidence_references_and_objects(tmp_path: Path) -> None:
    """JSON answers stay JSON; evidence keeps its names; names that clash are kept apart."""
    rows: list[dict[str, Any]] = [
        {"item": "A", "arm": "x:y", "output": {"k": 1}, "evidence": {"a.txt": "1", "b": "2"}},
        {"item": "a", "arm": "x/y", "output": "t", "reference": "R"},
    ]
    src = put(tmp_path / "o.jsonl", "\n".join(map(json.dumps, rows)))
    run = import_run("generic", src, dest=tmp_path / "taken")
    assert run.items == ("A", "a-2")
    assert [arm.id for arm in run.arms] == ["x-y", "x-y-2"]
    assert run.has_prompt is False
    assert any("no prompts in the file" in note for note in run.notes)
    assert json.loads(by_cell(run)["A", "x-y"].text or "") == {"k": 1}
    evidence = load_item(run, "A").evidence
    assert [(e.name, e.text) for e in evidence] == [("a.txt", "1"), ("b.txt", "2")]
    assert load_item(run, "a-2").reference == "R"


FAULTS: list[tuple[list[str], str]] = [
    (['{"item": "q", "arm": "a", "output": "x"}', "{"], r":2: is not valid JSON"),
    (['{"item": "q", "arm": "a", "output": "x"}'] * 2, r":2: repeats item q of arm a"),
    (['{"item": "q", "arm": "a", "output": "x", "wall_s": "long"}'], r":1: wall_s is 'long'"),
    (['{"item": "", "arm": "a", "output": "x"}'], r":1: item is ''"),
    (['{"item": "q", "arm": null, "output": "x"}'], r":1: arm is ''"),
    (['{"item": "q", "arm": "a", "output": "\\ud800"}'], r":1: the output is not UTF-8"),
    (['{"item": "q", "arm": "a", "output": "x", "prompt": 5}'], r":1: has a prompt that is no te"),
    (['{"item": "q", "arm": "a", "output": "x", "reference": "\\ud800"}'], r":1: holds bytes that"),
    (['{"id": "q", "arm": "a", "output": "x"}'], r":1: has no column item"),
    ([""], r"holds no outputs"),
]


@pytest.mark.parametrize(("lines", "message"), FAULTS)
def test_generic_takes_all_or_nothing(tmp_path: Path, lines: list[str], message: str) -> None:
    """A fault anywhere names its line and leaves no folder behind."""
    src = put(tmp_path / "in/o.jsonl", "\n".join(lines) + "\n")
    with pytest.raises(ImportFileError, match=message):
        import_run("generic", src, dest=tmp_path / "out/taken")
    assert not (tmp_path / "out").exists() or list((tmp_path / "out").iterdir()) == []


def test_promptfoo_tells_failed_assertions_from_failed_calls(tmp_path: Path) -> None:
    """The empty answer is the model's own, the 503 a transport error, a cached time is none."""
    run = import_run("promptfoo", DATA / "promptfoo.json", dest=tmp_path / "taken")
    one, two = "openai-chat-small-one", "anthropic-messages-small-two-two"
    assert [arm.id for arm in run.arms] == [one, two]
    assert (run.arms[0].provider, run.arms[0].model) == ("openai", "chat:small-one")
    assert run.collector == "promptfoo 0.118.11"
    assert run.items == ("t0", "t1")
    assert "2 repeats left out: repeat 1 of each cell was taken" in run.notes
    assert first_reasons(run) == {("t0", two): Reason.EMPTY, ("t1", one): Reason.TRANSPORT}
    cells = by_cell(run)
    first = cells["t0", one]
    assert (first.text, first.record.finish_reason, first.record.wall_s) == ("Lima.", "stop", 0.812)
    assert first.record.usage.reasoning_tokens == 4
    assert first.record.cost_usd == 0.0002
    assert cells["t0", two].record.error is None
    assert cells["t0", two].record.cost_usd == 0.0004
    cached = cells["t1", two]
    assert cached.locator.path.endswith("output.json")
    assert (cached.record.wall_s, cached.record.cost_usd) == (None, None)
    assert load_item(run, "t0").prompt == "Name the capital of Peru."


def test_promptfoo_takes_the_repeat_that_is_asked_for(tmp_path: Path) -> None:
    """Repeats are numbered by their order within test, prompt and provider."""
    run = import_run("promptfoo", DATA / "promptfoo.json", dest=tmp_path / "taken", repeat=2)
    assert [o.text for o in iter_outputs(run)] == ["It is Lima.", "Lima!"]
    with pytest.raises(ImportFileError, match="holds no outputs"):
        import_run("promptfoo", DATA / "promptfoo.json", dest=tmp_path / "third", repeat=3)


def test_promptfoo_with_two_prompts_compares_arms_on_the_shared_task(tmp_path: Path) -> None:
    """Provider and prompt make the arm; the item is what both prompts were given."""
    src = DATA / "promptfoo-two-prompts.json"
    run = import_run("promptfoo", src, dest=tmp_path / "taken")
    assert [arm.id for arm in run.arms] == ["openai-chat-small-one-p0", "openai-chat-small-one-p1"]
    assert load_item(run, "t1").prompt == "country: Kenya"
    assert first_reasons(run) == {}
    assert len(by_cell(run)) == 4


def broken(edit: dict[str, Any]) -> str:
    """The fixture's text with some of results changed."""
    data = json.loads((DATA / "promptfoo.json").read_text())
    data["results"] |= edit
    return json.dumps(data)


ROW = json.loads((DATA / "promptfoo.json").read_text())["results"]["results"][0]
BROKEN = [
    ("{\n", r":2: is not valid JSON|:1: is not valid JSON"),
    ("[" * 99_999, r"is not valid JSON"),
    ("[]", r"results\.version is missing"),
    (broken({"version": 2}), r"results\.version is 2; export it with a promptfoo that writes"),
    (broken({"results": [{}]}), r"results\.results\.1\.\w+ is "),
    (broken({"results": [ROW | {"testIdx": -1}]}), r"results\.results\.1\.testIdx is -1"),
    (
        broken({"results": [ROW, ROW | {"promptIdx": 1, "vars": {}}]}),
        r"results\.results\.2\.vars has several prompts and a test without variables",
    ),
    (broken({"results": []}), r"holds no outputs"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_promptfoo_takes_all_or_nothing(tmp_path: Path, text: str, message: str) -> None:
    """Other versions and broken files: one line with the key, no folder."""
    src = put(tmp_path / "results.json", text)
    with pytest.raises(ImportFileError, match=message) as caught:
        import_run("promptfoo", src, dest=tmp_path / "taken")
    assert "\n" not in str(caught.value)
    assert [p.name for p in tmp_path.iterdir()] == ["results.json"]


def test_promptfoo_has_no_columns_and_no_other_encoding(tmp_path: Path) -> None:
    """--map means nothing; bytes must be UTF-8."""
    with pytest.raises(ImportFileError, match="has no columns to map"):
        import_run("promptfoo", DATA / "promptfoo.json", dest=tmp_path / "t", columns={"a": "b"})
    with pytest.raises(ImportFileError, match="is not UTF-8"):
        import_run("promptfoo", put(tmp_path / "r.json", b"\xff"), dest=tmp_path / "t")


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Request timed out after 300000 ms", Reason.TIMEOUT),
        ("API error: 401 Unauthorized", Reason.HARNESS),
        ("The model refused to load", Reason.HARNESS),
    ],
)
def test_promptfoo_errors_are_sorted_by_what_they_say(
    tmp_path: Path, message: str, reason: Reason
) -> None:
    """Promptfoo's own limit is a timeout; a refused key is no transport error."""
    row = ROW | {"failureReason": 2, "error": message, "response": None}
    src = put(tmp_path / "r.json", broken({"results": [row]}))
    assert set(first_reasons(import_run("promptfoo", src, dest=tmp_path / "t")).values()) == {
        reason
    }


def test_unknown_kinds_and_missing_files_are_named(tmp_path: Path) -> None:
    """With the nearest name there is; an existing run is never touched."""
    with pytest.raises(ImportFileError, match="promtfoo: is no importer; there is promptfoo"):
        import_run("promtfoo", DATA / "answers.csv", dest=tmp_path / "t")
    with pytest.raises(ImportFileError, match="llm-coding-benchmark, marks, scores"):
        import_run("jsonl", DATA / "answers.csv", dest=tmp_path / "t")
    with pytest.raises(ImportFileError, match="is no file"):
        import_run("generic", tmp_path / "none.csv", dest=tmp_path / "t")
    put(tmp_path / "t/run.yaml", "kept")
    with pytest.raises(ImportFileError, match="exists already"):
        import_run("generic", DATA / "answers.csv", dest=tmp_path / "t", columns=MAP)
    assert (tmp_path / "t/run.yaml").read_text() == "kept"


def test_packages_outside_add_importers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry-point group is asked for names that are not built in."""

    def installed(*, group: str) -> Iterable[EntryPoint]:
        value = "judgebench.runs.importers.generic"
        return [EntryPoint(name="other", value=value, group=group)]

    monkeypatch.setattr(importers, "entry_points", installed)
    assert importers.find_importer("other") is generic
