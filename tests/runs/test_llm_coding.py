"""Records of llm-coding-benchmark: what is blocked, what is judged, what stays unknown."""

import json
import os
import shutil
from pathlib import Path

import pytest

from judgebench.errors import ImportFileError
from judgebench.model.collected import Output, Run
from judgebench.model.reasons import Reason
from judgebench.runs import copying
from judgebench.runs.blocked import decide
from judgebench.runs.importers import import_run, llm_coding
from judgebench.runs.importers.llm_coding_files import MAX_BYTES
from judgebench.runs.load import iter_outputs, load_item
from judgebench.runs.survey import survey
from tests.runs.helpers import put

DATA = Path(__file__).parent.parent / "data" / "runs" / "llm-coding"
SHARED = Path(os.environ.get("JUDGEBENCH_SHARED", Path(__file__).parents[3] / "shared"))
PUBLISHED = SHARED / "data" / "llm-coding-benchmark" / "results"
ONE_ITEM = "brief"
DONE = {"status": "completed", "exit_code": 0, "elapsed_seconds": 5.0}


def taken(source: Path, dest: Path) -> Run:
    """The run that a folder of results becomes."""
    return import_run("llm-coding-benchmark", source, dest=dest)


def outputs(run: Run) -> dict[str, Output]:
    """Each contestant's one project; cells of the other brief are left out."""
    found = list(iter_outputs(run))
    there = {o.arm: o for o in found if o.item == ONE_ITEM}
    of_phases = {o.arm: o for o in found if o.item != ONE_ITEM and o.record.wall_s is not None}
    return there | of_phases


def reasons(run: Run) -> dict[str, Reason]:
    """Why each contestant's project is blocked, by what its record says first."""
    seen = survey(run, iter_outputs(run), lambda item: load_item(run, item))
    blocks = {
        arm: decide(output, load_item(run, output.item), run, seen)
        for arm, output in outputs(run).items()
    }
    return {arm: found[0].reason for arm, found in blocks.items() if found}


def with_projects(tmp_path: Path) -> Path:
    """The records, with a small project beside each."""
    source = tmp_path / "results"
    shutil.copytree(DATA, source)
    for folder in source.iterdir():
        if folder.name != "wrote_nothing":
            put(folder / "project" / "app" / "main.py", "print('here')\n")
    return source


def test_harness_failures_and_time_limits_block_whatever_files_lie_there(tmp_path: Path) -> None:
    """A failure of the harness is no fault of the project; a finished one is judged."""
    run = taken(with_projects(tmp_path), tmp_path / "run")
    found = reasons(run)
    told = {arm: reason for arm, reason in found.items() if reason is not Reason.UNREADABLE}
    assert told == {
        "stalled": Reason.HARNESS,
        "unknown_model": Reason.HARNESS,
        "too_slow": Reason.TIMEOUT,
        "cut_phase": Reason.TIMEOUT,
        "wrote_nothing": Reason.EMPTY,
    }
    assert (run.path / "off_spec" / "brief" / "project" / "app" / "main.py").is_file()
    assert (run.path / "stalled" / "brief" / "project" / "app" / "main.py").is_file()


def test_two_briefs_in_one_folder_are_two_items(tmp_path: Path) -> None:
    """Records of three phases answer another brief, so they are never compared with the rest."""
    run = taken(DATA, tmp_path / "run")
    assert run.items == ("brief", "brief-phases")
    alone = tmp_path / "phases"
    shutil.copytree(DATA / "three_phases", alone / "three_phases")
    assert taken(alone, tmp_path / "other").items == ("brief",)


def test_arms_are_agents_with_harness_model_and_condition(tmp_path: Path) -> None:
    """The folder names the arm, since one slug stands for several conditions."""
    run = taken(DATA, tmp_path / "run")
    facts = {arm.id: (arm.kind, arm.harness, arm.model) for arm in run.arms}
    assert facts["one_phase"] == ("cli", "codex", "model-one")
    assert facts["two_phases"] == ("cli", "opencode", "hub/maker/two_phases")
    assert facts["session"] == ("cli", "agent", "model-s")
    assert facts["three_phases.second"] == ("cli", "opencode", "Three, led by another")
    notes = {arm.id: arm.note for arm in run.arms}
    assert notes["three_phases"] == "3 phases on record; exit code 1"
    assert notes["three_phases.second"] == "1 phase on record; no review of its own"
    assert notes["unreported"].endswith("tokens not reported for the whole run")


def test_tokens_cost_and_times_are_taken_only_where_they_were_measured(tmp_path: Path) -> None:
    """Counts of a last step are no counts of a run, and 0 of a silent harness is no cost."""
    found = outputs(taken(DATA, tmp_path / "run"))
    summed = found["three_phases"].record
    assert (summed.usage.prompt_tokens, summed.usage.completion_tokens) == (300, 90)
    assert (summed.usage.reasoning_tokens, summed.cost_usd, summed.wall_s) == (60, 1.5, 60.0)
    last_step = found["two_phases"].record
    assert last_step.usage.completion_tokens is None
    assert (last_step.wall_s, last_step.timeout_s) == (301.5, 1200.0)
    assert found["one_phase"].record.usage.completion_tokens == 70
    silent = found["unreported"].record
    assert (silent.cost_usd, silent.usage.completion_tokens) == (None, None)
    session = found["session"].record
    assert (session.usage.completion_tokens, session.cost_usd) == (111, 1.25)
    assert session.finish_reason == "end_turn"


def test_the_reason_of_a_failure_is_quoted(tmp_path: Path) -> None:
    """An error on standard error says more than that nothing moved; without one, the stall does."""
    found = outputs(taken(DATA, tmp_path / "run"))
    said = {arm: output.record.error for arm, output in found.items()}
    unknown, stalled = said["unknown_model"], said["stalled"]
    assert unknown is not None
    assert unknown.message.startswith("ModelNotFoundError: the provider does not know it")
    assert stalled is not None
    assert stalled.message.startswith("no progress for 05:00")


def test_the_prompt_beside_the_record_becomes_the_items(tmp_path: Path) -> None:
    """Where the prompt lies there, another one is found by its hash."""
    source = tmp_path / "results"
    put(source / "a" / "result.json", DONE | {"prompt_sha256": "0" * 64})
    put(source / "a" / "prompt.txt", "Write a web app.\n")
    run = taken(source, tmp_path / "run")
    assert load_item(run, "brief").prompt == "Write a web app.\n"
    assert reasons(run) == {"a": Reason.MISSING}
    blocks = decide(
        outputs(run)["a"],
        load_item(run, "brief"),
        run,
        survey(run, [], lambda _: load_item(run, "brief")),
    )
    assert Reason.PROMPT_MISMATCH in {block.reason for block in blocks}


def test_one_record_or_one_contestant_is_taken_too(tmp_path: Path) -> None:
    """A phase's own file, a result.json and a contestant's folder are sources like the whole."""
    folder = tmp_path / "solo"
    put(folder / "phase1-result.json", DONE | {"phase": "phase1"})
    put(folder / "phase2-result.json", {"status": "failed", "exit_code": 1, "phase": "phase2"})
    assert [a.id for a in taken(folder / "phase1-result.json", tmp_path / "p").arms] == ["solo"]
    both = tmp_path / "both"
    shutil.copytree(folder, both / "solo")
    found = outputs(taken(both, tmp_path / "b"))["solo"].record
    assert found.error is not None, "the last phase decides where there is no result.json"
    assert found.error.message == "exit code 1"
    put(folder / "result.json", DONE)
    assert [a.id for a in taken(folder, tmp_path / "r").arms] == ["solo"]


def test_links_devices_and_vendored_parts_of_a_project_are_not_copied(tmp_path: Path) -> None:
    """What leads out, hangs a reader or was written by others stays where it is."""
    source = tmp_path / "results"
    put(source / "a" / "result.json", DONE)
    put(tmp_path / "secret.txt", "outside")
    project = source / "a" / "project"
    put(project / "kept.py", b"\xff\x00 odd bytes are kept")
    put(project / "node_modules" / "x.js", "no")
    (project / "out.txt").symlink_to(tmp_path / "secret.txt")
    (project / "up").symlink_to(tmp_path)
    os.mkfifo(project / "pipe")
    run = taken(source, tmp_path / "run")
    copied = run.path / "a" / "brief" / "project"
    assert sorted(path.name for path in copied.rglob("*")) == ["kept.py"]


def test_a_project_beyond_the_bounds_is_a_fault_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files, bytes and depth have bounds."""
    source = tmp_path / "results"
    put(source / "a" / "result.json", DONE)
    put(source / "a" / "project" / "x" / "y" / "z.txt", "12345")
    put(source / "a" / "project" / "w.txt", "12345")
    for name, bound in (("MAX_FILES", 1), ("MAX_TOTAL_BYTES", 9), ("MAX_DEPTH", 1)):
        with monkeypatch.context() as patch:
            patch.setattr(copying, name, bound)
            with pytest.raises(ImportFileError, match="take generated parts out of it"):
                taken(source, tmp_path / "run")
        assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not valid JSON"),
        (b"[1]", "is no JSON object"),
        (b"{" * 5000, "is not valid JSON"),
        (b"[" * 100_000, "is not valid JSON"),
        (b'{"status": "completed", "status": "failed"}', "the key status stands twice"),
        (b'{"status": "so-so", "exit_code": 0}', "use one of completed"),
        (b'{"status": "completed", "exit_code": 0, "elapsed_seconds": -1}', "elapsed_seconds"),
        (b'{"elapsed_seconds": 1e999, "status": "failed"}', "elapsed_seconds"),
        (b'{"elapsed_seconds": NaN, "status": "failed"}', "elapsed_seconds"),
        (b'{"hello": "there"}', "neither a status nor times"),
        (b"\xff\xfe\xff\x00\x00", "is no"),
        (b'{"status": "completed", "exit_code": 0, "prompt_sha256": "zz"}', "prompt_sha256"),
    ],
)
def test_a_record_that_is_none_is_one_line_and_nothing_is_written(
    tmp_path: Path, content: bytes, said: str
) -> None:
    """Where and what, whatever the bytes."""
    put(tmp_path / "results" / "a" / "result.json", content)
    with pytest.raises(ImportFileError, match=said):
        taken(tmp_path / "results", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_sources_that_are_none_are_refused(tmp_path: Path) -> None:
    """A folder without records, columns to map, a pipe in place of a record, a file too large."""
    (tmp_path / "none").mkdir()
    with pytest.raises(ImportFileError, match=r"holds no folder with a result\.json"):
        taken(tmp_path / "none", tmp_path / "run")
    put(tmp_path / "results" / "a" / "result.json", json.dumps(DONE))
    with pytest.raises(ImportFileError, match="no columns to map"):
        import_run("llm-coding-benchmark", tmp_path / "results", dest=tmp_path / "run",
                   columns={"item": "x"})  # fmt: skip
    with pytest.raises(ImportFileError, match="is no file"):
        import_run("promptfoo", tmp_path / "results", dest=tmp_path / "run")
    put(tmp_path / "large" / "a" / "result.json", b" " * (MAX_BYTES + 1))
    with pytest.raises(ImportFileError, match="is too large"):
        taken(tmp_path / "large", tmp_path / "run")
    os.mkfifo(tmp_path / "fifo.json")
    with pytest.raises(ImportFileError, match="is no"):
        list(llm_coding.read(tmp_path / "fifo.json", columns={}))


@pytest.mark.shared
@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published records are not beside the clone")
def test_all_published_records_are_taken(tmp_path: Path) -> None:
    """21 contestants; failures and time limits block, all else waits for its project only."""
    run = taken(PUBLISHED, tmp_path / "run")
    assert len(run.arms) == 21
    found = reasons(run)
    assert {arm for arm, reason in found.items() if reason is Reason.HARNESS} == {
        "deepseek_v4_pro", "glm_4_7_flash_bf16", "gpt_oss_20b", "minimax_m3",
        "qwen3_5_27b_sushi_coder",
    }  # fmt: skip
    assert {arm for arm, reason in found.items() if reason is Reason.TIMEOUT} == {
        "qwen2_5_coder_32b", "qwen3_5_27b_claude",
    }  # fmt: skip
    assert found["opencode_gpt55_deepseek_forced"] is Reason.EMPTY
    rest = {arm for arm, reason in found.items() if reason is Reason.MISSING}
    assert len(rest) == 13
    files = sorted(PUBLISHED.glob("*/*.json"))
    assert len(files) == 28
    for place, file in enumerate(files):
        assert taken(file, tmp_path / f"one-{place}").arms
