"""Facts before the judge, claims after it, and totals of projects that are verified."""

import json
from pathlib import Path

import duckdb
import pytest

from judgebench.errors import ExitCode
from tests.acceptance.desk import Desk
from tests.audits.conftest import Judging
from tests.audits.space import DEBUG, NORTH, RUBRIC, plan, report
from tests.audits.test_score import fault, score

RUN = "runs/code"
CHECKS = """\
checks:
  - {id: image, text: "Is there a Dockerfile?", kind: dockerfile}
"""
CLAIM = {
    **DEBUG,
    "first_line": 5,
    "last_line": 5,
    "excerpt": "    return weather.ask(town)",
    "names": ["weather.ask"],
}


def write_overlay(root: Path, source: str) -> None:
    """A rubric with a check and a claim, and an overlay that says where the library lies."""
    rubric = RUBRIC.replace("id: debug\n", "id: debug\n        about_library: true\n") + CHECKS
    (root / "rubrics" / "service.yaml").write_text(rubric, encoding="utf-8")
    overlay = f"rubric: service\nparameters: {{library: weather}}\nlibrary_source: {source}\n"
    (root / "runs" / "code" / "overlay.yaml").write_text(overlay, encoding="utf-8")
    facts = root / "runs" / "code" / "run.yaml"
    facts.write_text(facts.read_text(encoding="utf-8") + "overlay: overlay.yaml\n", "utf-8")


def asked(desk: Desk) -> list[str]:
    """The messages of all requests so far."""
    with duckdb.connect(str(desk.database)) as con:
        return [text for (text,) in con.execute("SELECT user_text FROM calls").fetchall()]


def test_facts_go_to_the_judge_and_change_the_question(desk: Desk, judging: Judging) -> None:
    """Checks of the rubric and of the harness stand in the request; new ones are asked anew."""
    write_overlay(desk.root, "{folder: nowhere}")
    stub = judging()
    score(desk)
    sent = asked(desk)
    assert sum("image: Is there a Dockerfile? Yes: Dockerfile can be read" in one for one in sent)
    assert sum("image: Is there a Dockerfile? No: no Dockerfile" in one for one in sent)
    brought = {"checks": [{"id": "suite", "kind": "tests", "ok": False, "passed": 4, "failed": 1}]}
    beside = desk.root / RUN / "south" / "app" / "checks.json"
    beside.write_text(json.dumps(brought), encoding="utf-8")
    score(desk)
    assert len(stub.log) == len(sent) + 3
    line = "suite, run by the harness: the tests were run: it failed; 4 tests passed; 1 test failed"
    assert sum(line in one for one in asked(desk)) == 3
    beside.write_text("{", encoding="utf-8")
    assert "checks.json" in desk.judge("score", RUN, "--rubric", "service").err


@pytest.mark.parametrize(
    ("library", "standing", "note"),
    [
        (
            "def tell(town):\n    return town\n",
            "supported",
            "ask: found 0 times in 1 file of nails",
        ),
        (
            "def ask(town):\n    return town\n",
            "unsupported",
            "nails defines ask once: w.py, line 1",
        ),
        (None, "unverified", "nails"),
    ],
)
def test_claims_are_held_against_the_library(
    desk: Desk, judging: Judging, library: str | None, standing: str, note: str
) -> None:
    """Proven by a search, contradicted by a definition, or unverified where no source is."""
    write_overlay(desk.root, "{folder: nails}")
    if library is not None:
        (desk.root / RUN / "nails").mkdir()
        (desk.root / RUN / "nails" / "w.py").write_text(library, encoding="utf-8")
    judging(plan(north=[NORTH], south=[report(running=[CLAIM])]))
    found = fault(score(desk), "south", "debug")
    (find,) = found["finds"]
    assert find["standing"] == standing
    assert note in find["note"]
    assert found["points"] == (5 if standing == "supported" else 0)


def test_totals_of_projects_are_verified_from_their_finds(desk: Desk, judging: Judging) -> None:
    """Nothing differs after judging; a total, tier or find that was changed does."""
    judging()
    score(desk)
    assert desk.judge("verify", RUN).code == ExitCode.DONE
    with duckdb.connect(str(desk.database)) as con:
        con.execute("UPDATE judgments SET total = total + 1, tier = 'C' WHERE arm = 'north'")
        con.execute("UPDATE finding_rows SET standing = 'unverified' WHERE entry = 'unhandled'")
    said = desk.judge("verify", RUN, "--all")
    assert said.code == ExitCode.INTEGRITY
    for words in ("north on app, tier", "south on app, errors", "south on app, fired"):
        assert words in said.out
