"""Where judgments and reports go for a run."""

from pathlib import Path

import pytest

from judgebench.errors import RunError
from judgebench.runs.workspace import find_workspace
from tests.runs.helpers import put


@pytest.mark.parametrize("mark", ["judges.toml", "judgments/judgments.duckdb"])
def test_a_workspace_is_found_above_the_run(tmp_path: Path, mark: str) -> None:
    """From the run upward, whatever the current folder."""
    put(tmp_path / "w" / mark, "")
    (tmp_path / "w/rubrics").mkdir()
    (tmp_path / "w/runs/one").mkdir(parents=True)
    found = find_workspace(tmp_path / "w/runs/one", cwd=Path("/"))
    assert (found.root, found.made) == (tmp_path / "w", False)
    assert found.database == tmp_path / "w/judgments/judgments.duckdb"
    assert found.rubrics == tmp_path / "w/rubrics"
    assert (found.judges_toml is not None) is (mark == "judges.toml")


def test_a_workspace_is_found_above_the_current_folder(tmp_path: Path) -> None:
    """A run elsewhere is judged into the workspace that the user stands in."""
    put(tmp_path / "w/judges.toml", "")
    (tmp_path / "w/deep").mkdir()
    (tmp_path / "elsewhere/run").mkdir(parents=True)
    found = find_workspace(Path("../../elsewhere/run"), cwd=tmp_path / "w/deep")
    assert (found.root, found.made) == (tmp_path / "w", False)


def test_without_a_workspace_things_go_beside_the_run(tmp_path: Path) -> None:
    """Folder names alone make none, and nothing is created."""
    for name in ("runs/one", "judgments", "reports", "rubrics"):
        (tmp_path / name).mkdir(parents=True)
    found = find_workspace(Path("runs/one"), cwd=tmp_path)
    assert (found.root, found.made) == (tmp_path / "runs", True)
    assert found.judgments == tmp_path / "runs/judgments"
    assert found.reports == tmp_path / "runs/reports"
    assert (found.rubrics, found.judges_toml) == (None, None)
    assert not found.judgments.exists()


def test_a_runs_own_judges_toml_chooses_no_endpoint(tmp_path: Path) -> None:
    """A run that came from elsewhere is data; only standing in it makes it a workspace."""
    put(tmp_path / "run/judges.toml", "")
    assert find_workspace(tmp_path / "run", cwd=tmp_path).judges_toml is None
    assert find_workspace(Path(), cwd=tmp_path / "run").judges_toml is not None


def test_a_workspace_above_a_run_goes_before_the_runs_own_judges_toml(tmp_path: Path) -> None:
    """Also for who stands in the run folder."""
    put(tmp_path / "judges.toml", "")
    put(tmp_path / "runs/one/judges.toml", "")
    assert find_workspace(Path(), cwd=tmp_path / "runs/one").root == tmp_path


@pytest.mark.parametrize("link", ["judges.toml", "judgments", "judgments/judgments.duckdb"])
def test_a_link_that_leads_nowhere_is_named(tmp_path: Path, link: str) -> None:
    """A database on a disk that is away is not taken for none, by no command."""
    place = tmp_path / "runs" / link
    place.parent.mkdir(parents=True)
    place.symlink_to("/away/of/here")
    with pytest.raises(RunError) as told:
        find_workspace(Path("runs/one"), cwd=tmp_path)
    words = f"runs/{link}: is a link to /away/of/here, which is not there; bring that back"
    assert str(told.value).startswith(words)
