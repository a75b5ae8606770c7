"""A scored run is recomputed from the bottom up, and every layer that was touched is named."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result

from judgebench.cli.main import cli
from judgebench.errors import ExitCode, StoreError
from judgebench.pipeline.verify import ledger

ROOT = Path(__file__).parents[2]
RUN = "runs/single-item"


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample run, judged from its recording, with its report."""
    root = tmp_path_factory.mktemp("scored") / "space"
    root.mkdir()
    shutil.copy(ROOT / "judges.toml", root)
    for name in (RUN, "rubrics"):
        shutil.copytree(ROOT / name, root / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        patch.delenv("JUDGE_MODEL", raising=False)
        assert CliRunner().invoke(cli, ["score", RUN, "-q", "--no-html"]).exit_code == 0
    return root


@pytest.fixture
def space(scored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it that a test may spoil."""
    root = tmp_path / "space"
    shutil.copytree(scored, root)
    monkeypatch.chdir(root)
    return root


def verify(*more: str) -> Result:
    """The command over the run."""
    return CliRunner().invoke(cli, ["verify", RUN, *more])


def change(root: Path, statement: str) -> None:
    """Alter the store behind the product's back."""
    with duckdb.connect(str(root / "judgments" / "judgments.duckdb")) as con:
        con.execute(statement.replace("FIRST", FIRST))


def report(root: Path, name: str) -> Path:
    """One file of the run's report."""
    (found,) = (root / "reports").rglob(name)
    return found


def test_a_run_that_nobody_touched_has_no_differences(space: Path) -> None:
    """Hashes, replies, totals and the printed report all follow from what is stored."""
    said = verify()
    assert said.exit_code == 0, said.output
    assert "Nothing differs" in said.stdout
    found = json.loads(verify("--json").stdout)
    assert found["differences"] == []
    assert {kind for kind, n in found["checked"].items() if n} == {
        "item", "output", "rubric", "total", "prompt", "request", "reply", "report",
    }  # fmt: skip
    assert found["notes"] == []
    assert space.is_dir()


FIRST = "(SELECT min(key) FROM mark_rows WHERE purpose = 'main')"
TAMPERED = {
    "a mark": (
        "UPDATE mark_rows SET mark = CASE mark WHEN 1 THEN 2 ELSE 1 END WHERE key = FIRST",
        {"reply", "total", "report"},
    ),
    "a total": ("UPDATE judgments SET total = total + 0.001 WHERE key = FIRST", {"total"}),
    "a total before caps": (
        "UPDATE judgments SET uncapped = uncapped - 1 WHERE key = FIRST", {"total"},
    ),
    "a tier": ("UPDATE judgments SET tier = 'gold' WHERE key = FIRST", {"total"}),
    "a gate": ("""UPDATE judgments SET fired = '["made up"]' WHERE key = FIRST""", {"total"}),
    "a rationale": (
        "UPDATE mark_rows SET rationale = rationale || '!' WHERE key = FIRST", {"reply"},
    ),
    "a reply": (
        "UPDATE replies SET body = 'x' || body WHERE key = FIRST", {"reply"},
    ),
    "lost marks": ("DELETE FROM mark_rows WHERE key = FIRST", {"reply"}),
    "a lost mark": (
        "DELETE FROM mark_rows WHERE rowid = (SELECT min(rowid) FROM mark_rows)",
        {"reply", "total"},
    ),
    "a lost rubric": ("DELETE FROM rubrics", {"rubric"}),
    "a lost reply": ("DELETE FROM replies WHERE key = FIRST", {"reply"}),
    "a request": (
        "UPDATE sends SET user_text = user_text || ' ' WHERE key = FIRST", {"request"},
    ),
    "a system prompt": ("UPDATE prompts SET text = text || ' '", {"prompt", "request"}),
    "a lost system prompt": ("DELETE FROM prompts", {"prompt"}),
    "a rubric's question": (
        "UPDATE rubrics SET source = replace(source, 'intro:', 'intro: ' || 'Now')", {"rubric"},
    ),
    "a rubric that is none": ("UPDATE rubrics SET source = 'name: ['", {"rubric"}),
    "an item's hash": ("UPDATE items SET sha256 = 'x'", {"item"}),
}  # fmt: skip


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_changed_in_the_store_is_named(space: Path, what: str) -> None:
    """The layer that no longer follows from the one below it, with exit code 4."""
    statement, parts = TAMPERED[what]
    change(space, statement)
    said = verify("--json")
    assert said.exit_code == ExitCode.INTEGRITY, said.output
    found = {one["part"] for one in json.loads(said.stdout)["differences"]}
    assert parts <= found | {"report"}
    assert found <= parts | {"report"}


def spoil_output(root: Path) -> None:
    """A word more in an answer."""
    (path, *_) = sorted((root / RUN).glob("*/output.*"))
    path.write_text(path.read_text(encoding="utf-8") + " More.", encoding="utf-8")


def spoil_prompt(root: Path) -> None:
    """A word more in a prompt."""
    path = root / RUN / "prompt.md"
    path.write_text(path.read_text(encoding="utf-8") + " More.", encoding="utf-8")


def spoil_page(root: Path) -> None:
    """A digit in report.md."""
    path = report(root, "report.md")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("4.", "5.", 1), encoding="utf-8")


def spoil_csv(root: Path) -> None:
    """A digit in ratings.csv."""
    path = report(root, "ratings.csv")
    lines = path.read_text(encoding="utf-8").split("\n")
    lines[1] = lines[1].replace("4", "3", 1)
    path.write_text("\n".join(lines), encoding="utf-8")


def spoil_figure(root: Path) -> None:
    """A mean in result.json."""
    path = report(root, "result.json")
    result = json.loads(path.read_text(encoding="utf-8"))
    result["arms"][0]["mean"] += 0.01
    path.write_text(json.dumps(result), encoding="utf-8")


def spoil_older_figure(root: Path) -> None:
    """The same in a report that says it was made of something else."""
    path = report(root, "result.json")
    result = json.loads(path.read_text(encoding="utf-8")) | {"generated_from": "0" * 64}
    result["arms"][0]["mean"] += 0.01
    path.write_text(json.dumps(result), encoding="utf-8")


def spoil_result(root: Path) -> None:
    """No JSON at all."""
    report(root, "result.json").write_text("{", encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "part"),
    [
        (spoil_output, "output"),
        (spoil_prompt, "item"),
        (spoil_page, "report"),
        (spoil_csv, "report"),
        (spoil_figure, "report"),
        (spoil_older_figure, "report"),
        (spoil_result, "report"),
    ],
)
def test_what_was_changed_in_files_is_named(
    space: Path, spoil: Callable[[Path], None], part: str
) -> None:
    """An answer, a prompt, a printed figure: exactly that part differs."""
    spoil(space)
    said = verify("--json")
    assert said.exit_code == ExitCode.INTEGRITY, said.output
    assert {one["part"] for one in json.loads(said.stdout)["differences"]} == {part}


def test_an_older_report_is_held_to_its_figures_only(space: Path) -> None:
    """What came to the run later changes words, and no difference is made of that."""
    path = report(space, "result.json")
    result = json.loads(path.read_text(encoding="utf-8")) | {"generated_from": "0" * 64}
    path.write_text(json.dumps(result), encoding="utf-8")
    said = verify()
    assert said.exit_code == 0, said.output
    assert "figures only were compared" in " ".join(said.stdout.split())
    assert "another version" not in said.stdout
    result["versions"]["judgebench"] = "0.0.1"
    path.write_text(json.dumps(result), encoding="utf-8")
    told = " ".join(verify().stdout.split())
    assert "another version made it: judgebench 0.0.1, now " in told
    path.write_text(json.dumps(result | {"versions": None, "extended": {}}), encoding="utf-8")
    told = " ".join(verify().stdout.split())
    assert "taken back since, or another version made it)" in told
    assert "--extended makes it anew" in told


def test_what_is_gone_is_a_note_and_no_difference(space: Path) -> None:
    """Without the run folder and the report the store is still recomputed."""
    shutil.rmtree(space / RUN)
    shutil.rmtree(space / "reports")
    said = verify()
    assert said.exit_code == 0, said.output
    text = " ".join(said.stdout.split())
    assert "outputs were not compared" in text
    assert "has no report files to compare" in text


def test_an_arm_that_is_gone_is_a_difference(space: Path) -> None:
    """An answer that was judged and is no more there cannot be held against its hash."""
    (path, *_) = sorted((space / RUN).glob("*/output.*"))
    path.unlink()
    found = json.loads(verify("--json").stdout)["differences"]
    assert [one["part"] for one in found] == ["output"]


def test_a_report_without_figures_is_a_note(space: Path) -> None:
    """Where result.json is gone, nothing says what the other files were made of."""
    report(space, "result.json").unlink()
    said = verify()
    assert said.exit_code == 0, said.output
    assert "holds no result.json" in " ".join(said.stdout.split())


def test_differences_without_end_are_counted(space: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list has a bound, the count has none; the first twelve are shown."""
    monkeypatch.setattr(ledger, "LISTED", 15)
    change(space, "UPDATE mark_rows SET rationale = 'made up'")
    found = json.loads(verify("--json").stdout)
    header = json.loads((ROOT / RUN / "recorded" / "pointwise.json").read_text(encoding="utf-8"))
    changed = 4 * len(header["requests"])
    assert (len(found["differences"]), found["left_out"]) == (15, changed - 15)
    text = verify().stdout
    assert f"{changed} differences:" in text
    assert f"… {changed - 12} more (--all)" in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_run_that_nobody_judged_is_one_line(space: Path) -> None:
    """What to do instead, and no traceback."""
    (space / "runs" / "other").mkdir()
    said = CliRunner().invoke(cli, ["verify", "runs/other"])
    assert isinstance(said.exception, StoreError)
    assert "nothing is stored of other" in str(said.exception)


def test_options_of_tables_and_runs_are_kept_apart(space: Path) -> None:
    """An option that means nothing is refused with its name."""
    said = verify("--tiers", "A=1")
    assert said.exit_code == ExitCode.USAGE
    assert "--tiers belongs to a published table" in said.output
    table = space / "t.csv"
    table.write_text("arm,total\na,1\n", encoding="utf-8")
    said = CliRunner().invoke(cli, ["verify", str(table), "--pass", "x"])
    assert said.exit_code == ExitCode.USAGE
    assert "--pass belongs to a stored run" in said.output
    assert "pass" in verify("--pass", "nobody").output or verify("--pass", "nobody").exception
