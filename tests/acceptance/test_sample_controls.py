"""The sample runs' recordings hold the controls that a live pass would plant."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from judgebench.blind.controls import how_many, quotas
from tests.acceptance.desk import Desk
from tests.acceptance.test_sample_pages import replay

ROOT = Path(__file__).parents[2]
RECORDED = [
    ("runs/2026-09-05", "pointwise", 78),
    ("runs/2026-09-05", "listwise", 10),
    ("runs/single-item", "pointwise", 5),
]
"""Run, condition, requests that are no controls."""


def header(run: str, name: str) -> dict[str, Any]:
    """What stands beside a recording."""
    path = ROOT / run / "recorded" / f"{name}.json"
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize(("run", "name", "judged"), RECORDED)
def test_a_recording_holds_as_many_controls_as_the_rule_asks_for(
    run: str, name: str, judged: int
) -> None:
    """One for every ten requests and at least three, their kinds as equal in number as can be."""
    found = header(run, name)
    count = how_many(judged, None)
    assert found["controls"] == len(found["planted"]) == count
    assert len(found["requests"]) == judged + count
    kinds = Counter(one["kind"] for one in found["planted"])
    items = 1 if run.endswith("single-item") else 2
    assert kinds == {kind.value: each for kind, each in quotas(count, items=items).items() if each}


@pytest.mark.parametrize(("run", "name", "judged"), RECORDED)
def test_a_replay_judges_its_controls_and_counts_them_nowhere_else(
    tmp_path: Path, run: str, name: str, judged: int
) -> None:
    """Each has an answer, the first lines count them, and no rating knows of them."""
    desk = Desk(tmp_path)
    for folder in ("runs", "rubrics"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "judges.toml").write_text("", encoding="utf-8")
    said = desk.judge("score", run, "--no-html", "--judge", replay(run, name))
    assert said.code == 0, said.err
    found = desk.judge("table", run, "--json").json["controls"]
    assert found["planted"] == how_many(judged, None)
    assert f"controls: passed {found['passed']} of {found['decided']}, 95 % [" in said.out
    assert not [why for why, _ in found["undecided"] if why == "not judged"]
    with_controls = ratings(desk)
    without = tmp_path / run / "recorded" / f"{name}.json"
    told = header(run, name)
    planted = {key for (key,) in desk.rows("SELECT key FROM requests WHERE purpose = 'control'")}
    assert len(planted) == found["planted"]
    told |= {"controls": 0, "planted": []}
    told["requests"] = {key: sha for key, sha in told["requests"].items() if key not in planted}
    without.write_text(json.dumps(told), encoding="utf-8")
    lines = without.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if json.loads(line)["custom_id"] not in planted]
    without.with_suffix(".jsonl").write_text("\n".join(kept) + "\n", encoding="utf-8")
    shutil.rmtree(tmp_path / "judgments")
    again = desk.judge("score", run, "--no-html", "--judge", replay(run, name))
    assert again.code == 0, again.err
    assert len(kept) == judged
    assert ratings(desk) == with_controls


def ratings(desk: Desk) -> list[Any]:
    """Every rating of an arm as the database has it."""
    return desk.rows("SELECT * FROM ratings ORDER BY ALL")
