"""Tiers that are measured from the total of an arm of the run."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from judgebench.errors import ExitCode
from tests.acceptance.desk import Desk
from tests.audits.conftest import Judging
from tests.audits.space import RUBRIC, plan, report

RUN = "runs/code"
ANCHORED = """\
anchored_tiers:
  - {name: ahead, from_anchor: 20}
  - {name: level, from_anchor: 0}
  - {name: behind, from_anchor: -33.5}
"""


def write(desk: Desk, anchor: str | None) -> None:
    """The rubric with anchored tiers, and the run with its anchor."""
    text = RUBRIC[: RUBRIC.index("tiers:")] + ANCHORED
    (desk.root / "rubrics" / "service.yaml").write_text(text, encoding="utf-8")
    path = desk.root / RUN / "run.yaml"
    facts = yaml.safe_load(path.read_text(encoding="utf-8"))
    path.write_text(yaml.safe_dump({**facts, "anchor": anchor}), encoding="utf-8")


def score(desk: Desk) -> dict[str, Any]:
    """Judge the run and give its result."""
    said = desk.judge("score", RUN, "--rubric", "service", "--json", "--max-judge-failures", "3")
    assert said.code == ExitCode.DONE, said.err
    return said.json


def tiers(result: dict[str, Any]) -> dict[str, list[str | None]]:
    """Tiers of the judgings of each project."""
    return {p["arm"]: [j["tier"] for j in p["judgings"]] for p in result["audit"]["projects"]}


def page(desk: Desk) -> str:
    """The report of the run."""
    (found,) = (desk.root / "reports").rglob("report.md")
    return Path(found).read_text(encoding="utf-8")


def test_tiers_are_measured_from_the_anchor(desk: Desk, judging: Judging) -> None:
    """Each judging is held against the anchor's mean; a bar between two judgings names both."""
    judging()
    write(desk, "south")
    found = tiers(score(desk))
    # South has 60, 60 and 65: its mean is 61.7, which one of its own judgings reaches.
    assert found["north"] == ["ahead"] * 3
    assert sorted(str(one) for one in found["south"]) == ["behind", "behind", "level"]
    said = desk.judge("score", RUN, "--rubric", "service")
    assert "level or behind" in said.out
    assert (
        "Tiers: points above or below the total of south of 61.7: ahead from +20, level from 0"
        in page(desk)
    )
    table = desk.judge("table", RUN, "--items")
    assert "ahead" in table.out


def test_an_anchor_without_a_total_gives_no_tiers(desk: Desk, judging: Judging) -> None:
    """The tiers are refused, and the page says what is missing."""
    none = report()
    none["verdict"]["boolean"] = True
    judging(plan(south=[none]))
    write(desk, "south")
    result = score(desk)
    assert tiers(result)["north"] == [None] * 3
    (refused,) = (one for one in result["refusals"] if one["statistic"] == "tier")
    assert (refused["code"], refused["how"]) == ("no_anchor", "south needs a total")
    assert "measured from the total of south, which has none" in page(desk)


def test_without_an_anchor_there_are_no_tiers(desk: Desk, judging: Judging) -> None:
    """A run that names no arm is judged all the same; the refusal says how to name one."""
    judging()
    write(desk, None)
    result = score(desk)
    assert tiers(result)["north"] == [None] * 3
    assert {one["code"] for one in result["refusals"]} >= {"no_anchor"}
    assert "none, since run.yaml names no arm as anchor" in page(desk)


def test_another_anchor_asks_nothing(desk: Desk, judging: Judging) -> None:
    """Tiers follow the named arm at once, and verification finds nothing wrong."""
    stub = judging()
    write(desk, "south")
    score(desk)
    assert desk.judge("verify", RUN).code == ExitCode.DONE
    asked = len(stub.log)
    write(desk, "north")
    found = tiers(score(desk))
    assert len(stub.log) == asked
    assert found["north"] == ["level"] * 3
    assert sorted(str(one) for one in found["south"]) == ["None", "None", "behind"]
    assert desk.judge("verify", RUN).code == ExitCode.DONE


def test_an_unknown_anchor_is_refused(desk: Desk, judging: Judging) -> None:
    """The anchor is an arm of the run."""
    judging()
    write(desk, "sooth")
    said = desk.judge("score", RUN, "--rubric", "service")
    assert said.code == ExitCode.USAGE
    assert "anchor is sooth, which is no arm of the run" in said.err
    assert "south" in said.err


@pytest.mark.parametrize("item", ["other", "app"])
def test_bars_are_those_of_the_brief(desk: Desk, judging: Judging, item: str) -> None:
    """With two briefs each project is held against the anchor's project on its own brief."""
    judging()
    write(desk, "south")
    path = desk.root / RUN
    (path / "items" / "other").mkdir()
    (path / "items" / "other" / "prompt.md").write_text("Again.", encoding="utf-8")
    (path / "north" / "other" / "project").mkdir(parents=True)
    source = (path / "north" / "app" / "project" / "app.py").read_text(encoding="utf-8")
    (path / "north" / "other" / "project" / "app.py").write_text(source, encoding="utf-8")
    facts = yaml.safe_load((path / "run.yaml").read_text(encoding="utf-8"))
    (path / "run.yaml").write_text(
        yaml.safe_dump({**facts, "items": ["app", "other"]}), encoding="utf-8"
    )
    result = score(desk)
    found = {
        (p["arm"], p["item"]): {j["tier"] for j in p["judgings"]}
        for p in result["audit"]["projects"]
    }
    assert found["north", item] == ({"ahead"} if item == "app" else {None})
    assert "none on other, where south has no total" in page(desk)


def test_a_changed_anchored_tier_is_found_by_verification(desk: Desk, judging: Judging) -> None:
    """Anchored tiers are measured anew from the finds: a report that says another one differs."""
    judging()
    write(desk, "south")
    score(desk)
    (path,) = (desk.root / "reports").rglob("result.json")
    told = path.read_text(encoding="utf-8")
    assert '"tier": "ahead"' in told
    path.write_text(told.replace('"tier": "ahead"', '"tier": "level"'), encoding="utf-8")
    said = desk.judge("verify", RUN)
    assert said.code == ExitCode.INTEGRITY
    assert "tier" in said.out
