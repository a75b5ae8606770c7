"""Beside a total that gates hold down stands what it would be without them."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from judgebench.reports import csv, markdown
from tests.pipeline.made import judge, make_run, make_workspace, rows
from tests.stub import StubServer

HASHED = {"rules": [{"replies": [{"verdict": {"score": "hash", "quotes": "real"}}]}]}
GATED = """\
name: notice
version: "1"
scale: {min: 1, max: 10}
criteria:
  - id: facts
    text: Are the times right?
    anchors: {2: None is., 9: All are.}
  - id: tone
    text: Is it kind?
    anchors: {2: It is rude., 9: It is kind.}
gates:
  - {criterion: facts, below: 6, cap: 3}
"""
COLUMN = "mean without gates and caps"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A workspace with a gated rubric, whose judge marks by a hash of the text."""
    with StubServer(HASHED) as server:
        folder = make_workspace(tmp_path, server.base_url)
        (folder / "rubrics").mkdir()
        (folder / "rubrics" / "notice.yaml").write_text(GATED)
        yield folder


def test_uncapped_means_are_those_of_the_totals_before_gates(home: Path) -> None:
    """As stored with each judgment; in report.md and ratings.csv beside the share that was held."""
    run = make_run(home, items=tuple(f"i{n}" for n in range(7)))
    result = judge(run, rubric="notice", repeats=2).result
    assert result is not None
    stored = {
        arm: (bare, total)
        for arm, bare, total in rows(
            home,
            "SELECT arm, avg(bare), avg(total) FROM (SELECT arm, item, avg(uncapped) AS bare,"
            " avg(total) AS total FROM judgments WHERE purpose = 'main' AND total IS NOT NULL"
            " GROUP BY arm, item) GROUP BY arm",
        )
    }
    assert any(arm.gated_share for arm in result.arms)
    for arm in result.arms:
        bare, total = stored[arm.arm.id]
        assert arm.uncapped == pytest.approx(bare, abs=1e-12)
        assert arm.mean == pytest.approx(total, abs=1e-12)
        assert arm.mean is not None
        assert arm.uncapped is not None
        assert (arm.uncapped > arm.mean) is bool(arm.gated_share)
    assert COLUMN in markdown.render(result)
    (column,) = (one for one in csv.columns(result) if one.name == "uncapped_mean")
    assert column.values == tuple(arm.uncapped for arm in result.arms)


def test_without_a_gate_that_fired_the_column_is_not_there(home: Path) -> None:
    """Under a rubric without gates both means are one, and the table has one column less."""
    result = judge(make_run(home)).result
    assert result is not None
    assert [arm.uncapped for arm in result.arms] == [arm.mean for arm in result.arms]
    assert COLUMN not in markdown.render(result)
    held = tuple(dataclasses.replace(arm, gated_share=0.5) for arm in result.arms)
    assert COLUMN in markdown.render(dataclasses.replace(result, arms=held))
