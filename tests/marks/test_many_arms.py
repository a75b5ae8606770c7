"""Every two arms are compared: of very many a command says so, and does nothing."""

from pathlib import Path

import pytest

from tests.marks.space import Space, grid


@pytest.fixture
def crowd(space: Space, monkeypatch: pytest.MonkeyPatch) -> Space:
    """Two arms are stored where at most one is compared."""
    assert space.take(space.csv(grid()), "--scale", "1-10").code == 0
    monkeypatch.setattr("judgebench.pipeline.setting.few.MOST_ARMS", 1)
    return space


@pytest.mark.parametrize("command", ["table", "report", "agree", "power"])
def test_more_arms_than_can_be_compared_are_refused(crowd: Space, command: str) -> None:
    """One line with the number of pairs and what to do; no page is written."""
    said = crowd.judge(command, "runs/given")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "has 2 arms, 1 pairs; at most 1 are compared; " in said.err
    assert "--arms A,B" in said.err
    assert not (crowd.root / "reports").exists()


def test_some_of_many_arms_are_planned_for(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those that are named are counted."""
    rows = [row for arm in "abc" for row in grid() for row in [(row[0], arm, *row[2:])]]
    space.take(space.csv({(r[0], r[1], r[2], r[3]): r for r in rows}.values()), "--scale", "1-10")
    monkeypatch.setattr("judgebench.pipeline.setting.few.MOST_ARMS", 2)
    assert space.judge("power", "runs/given").code == 2
    assert "2 arms · 1 comparison" in space.judge("power", "runs/given", "--arms", "a,b").out


def test_a_run_of_too_many_arms_is_not_judged(crowd: Space) -> None:
    """Said before a request is sent, with the option that chooses."""
    folder = crowd.root / "runs" / "bare"
    folder.mkdir()
    for name in ("prompt", "north", "south"):
        (folder / f"{name}.md").write_text(f"The words of {name}.")
    for command in ("check", "score"):
        said = crowd.judge(command, Path("runs/bare"))
        assert (said.code, said.err.count("\n")) == (2, 1)
        assert "choose some with --arms A,B" in said.err


def test_folders_of_the_store_are_no_runs(space: Space) -> None:
    """Where judgments lie beside runs, an error names runs alone."""
    for name in ("judgments", "reports", "real"):
        (space.root / "runs" / name).mkdir()
    space.take(space.csv(grid()), "--scale", "1-10")
    told = space.judge("table", "runs/other").err
    assert "name a run folder: runs/real" in told
    assert "runs/judgments" not in told


def test_an_import_without_a_workspace_says_where_the_store_is(space: Space) -> None:
    """The first line, once: the second import finds it."""
    (space.root / "judges.toml").unlink()
    first = space.take(space.csv(grid()), "--scale", "1-10")
    words = f"no workspace here: judgments/ and reports/ are made in {space.root / 'runs'}"
    assert first.out.splitlines()[0] == words
    assert "no workspace" not in space.take(space.csv(grid()), "--scale", "1-10").out
