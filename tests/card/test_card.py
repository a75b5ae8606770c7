"""A judge's card rests on all its passes, and its figures hold what was planted."""

import json
import re
from typing import Any

import pytest

from tests.acceptance.desk import Desk
from tests.card.conftest import Judging
from tests.card.planted import Seen, runs
from tests.marks.space import Space
from tests.people.runs import judged, sheet

ARMS = ("north", "south", "west")


def carded(desk: Desk | Space, *words: object) -> dict[str, Any]:
    """`judge card --json`."""
    said = desk.judge("card", *map(str, words), "--json")
    assert said.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


def _noisy(seen: Seen) -> float:
    """Marks that move by half a point up or down when asked again."""
    return seen.worth + seen.noise(str(seen.turn))


def _likes_filler(seen: Seen) -> float:
    """The bottom for what says nothing, two points more for what was padded."""
    if "worth" not in seen.text:
        return 1
    return 2 + 2 * (re.search(r"[a-z]+\.\n\n[A-Z]", seen.text) is not None)


def _alike(outputs: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Every answer of one worth, with no empty line."""
    return {
        arm: {item: re.sub(r"worth [\d.]+", "worth 2.00", text) for item, text in row.items()}
        for arm, row in outputs.items()
    }


def test_a_card_pools_the_passes_of_two_runs(desk: Desk, judging: Judging) -> None:
    """Counts, cost and noise cells of both runs stand on one page, found by name, run and hash."""
    desk.make(runs(12, ARMS), name="may")
    desk.make(runs(12, ARMS, seed=6), name="june")
    judging(_noisy, more="price = { input_usd = 1.0, output_usd = 2.0 }")
    for name in ("may", "june"):
        assert desk.score(run=desk.root / "runs" / name).code == 0
    found = carded(desk, "stub")
    assert [one["run"] for one in found["passes"]] == ["may", "june"]
    assert found["judgments"] == 2 * (36 + 12)
    total = found["repeats"][0]
    assert total["criterion"] is None
    assert total["sd"]["n"] == 24
    assert 0 < total["sd"]["low"] < total["sd"]["high"] < 1.2
    assert found["cost_usd"] == pytest.approx(96 * (900 * 1e-6 + 120 * 2e-6))
    assert found["quotes_found"] == found["quotes"]
    assert found["biases"]["styled"] == 36
    assert found["beside"] == []
    same = [carded(desk, word) for word in ("runs/may", found["judge_sha256"][:10], "stub-judge")]
    assert same == [found] * 3
    page = (desk.root / "reports" / "cards" / "stub-bulletin.md").read_text(encoding="utf-8")
    assert page.startswith("# Judge card: stub under bulletin\n")
    for word in ("## Repeatability", "## Leanings", found["ask_sha256"], "| june |", "own family"):
        assert word in page
    saved = desk.root / "reports" / "cards" / "stub-bulletin.json"
    assert json.loads(saved.read_text(encoding="utf-8")) == found
    said = desk.judge("card", "stub")
    words = " ".join(said.out.split())
    assert "Repeatability, measured: the same answer scored again moves by" in words
    assert "(repeatability limit) in 1 of 20" in words
    assert "| score | re-scoring sd, measured |" in page
    assert "| seen in 80 % of such runs, by the measured spread |" in page
    assert "Not validated" in said.out
    assert max(map(len, said.out.splitlines())) <= 80
    assert len(said.out.splitlines()) <= 24


def test_a_second_judge_stands_beside_the_first(desk: Desk, judging: Judging) -> None:
    """One point kinder on every answer: the gap holds it, and the order is kept."""
    desk.make(runs(12, ARMS))
    judging(lambda seen: seen.worth + seen.noise(), name="plain")
    assert desk.score().code == 0
    judging(lambda seen: seen.worth + 1 + seen.noise("kind"), name="kind")
    toml = desk.root / "judges.toml"
    toml.write_text(toml.read_text().replace("stub-judge", "kind-judge"))
    assert desk.score().code == 0
    found = carded(desk, "kind")
    (beside,) = found["beside"]
    assert beside["name"] == "plain"
    assert beside["cells"] == 36
    assert beside["gap"]["low"] <= 1 <= beside["gap"]["high"]
    assert beside["ordering"]["value"] > 0.4
    assert "Beside judge plain (36 answers)" in desk.judge("card", "kind").out
    assert desk.score("--blind", "flag").code == 0
    (again,) = carded(desk, "kind")["beside"]
    assert (again["cells"], again["runs"]) == (36, 1)


def test_controls_of_all_passes_stand_on_the_card(
    desk: Desk, judging: Judging, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two runs judged by one that likes filler: counts are added up, failures named by pass."""
    monkeypatch.setenv("JUDGE_CONTROLS", "6")
    judging(_likes_filler)
    for name, seed in (("may", 5), ("june", 6)):
        desk.make(_alike(runs(12, ARMS, seed=seed)), name=name)
        assert desk.score(run=desk.root / "runs" / name).code == 0
    found = carded(desk, "stub")["controls"]
    each = [json.loads(desk.judge("table", f"runs/{name}", "--json").out)["controls"]
            for name in ("may", "june")]  # fmt: skip
    for count in ("planted", "decided", "passed"):
        assert found[count] == sum(one[count] for one in each)
    assert (found["passes"], found["planted"]) == (2, 12)
    kinds = {one["kind"]: one for one in found["classes"]}
    assert (kinds["padded"]["decided"], kinds["padded"]["passed"]) == (2, 0)
    assert kinds["padded"]["failed"] is True
    # Clopper & Pearson at none of two: 1 - 0.025 ** (1 / 2).
    assert kinds["padded"]["rate"]["high"] == pytest.approx(1 - 0.025**0.5)
    runs_failed = {one["run"] for one in found["failures"] if one["check"]["kind"] == "padded"}
    assert runs_failed == {"may", "june"}
    page = (desk.root / "reports" / "cards" / "stub-bulletin.md").read_text(encoding="utf-8")
    assert "## Planted controls" in page
    assert "| padded | 2 | 2 | 0 | 0 % (0 % to 84 %) | fails |" in page
    for one in found["failures"]:
        assert f"Pass {one['pass_id']}. Failed: " in page
        assert f"judge show {one['run']} {one['check']['key'][:8]}" in page
    said = " ".join(desk.judge("card", "stub").out.split())
    assert f"Planted controls: passed {found['passed']} of {found['decided']} (" in said
    assert "FAILS" in said
    assert "padded 0 of 2" in said


def test_a_card_without_controls_says_so(desk: Desk, judging: Judging) -> None:
    """Where no pass planted any, their place on the card is not silent."""
    desk.make(runs(12, ARMS))
    judging(_noisy)
    assert desk.score().code == 0
    assert carded(desk, "stub")["controls"] is None
    assert "Planted controls: none in its passes" in desk.judge("card", "stub").out
    page = (desk.root / "reports" / "cards" / "stub-bulletin.md").read_text(encoding="utf-8")
    assert "None of its passes has controls." in page


def test_judge_side_blocks_and_a_changed_model_are_named(desk: Desk, judging: Judging) -> None:
    """Refusals are counted by reason; two fingerprints are two judges."""
    desk.make(runs(8, ARMS))
    verdict = {"score": 3, "quotes": "real"}
    plan = {
        "rules": [
            {"when_body_has": "street 3 ", "replies": [{"message": {"refusal": "I will not"},
             "verdict": verdict}]},
            {"replies": [
                {"verdict": verdict, "top": {"system_fingerprint": "fp_a"}, "repeat": 9},
                {"verdict": verdict, "top": {"system_fingerprint": "fp_b"}},
            ]},
        ]
    }  # fmt: skip
    judging(lambda seen: seen.worth, plan=plan)
    assert desk.score("--max-judge-failures", "9").code == 0
    found = carded(desk, "stub")
    assert sum(one["count"] for one in found["refused"]) >= 3
    assert {one["fingerprint"] for one in found["answered"]} == {"fp_a", "fp_b"}
    out = desk.judge("card", "stub").out
    assert "Not one judge" in out
    assert found["refused"][0]["name"] in out


def test_a_judge_of_pairs_has_a_card_without_levels(desk: Desk, judging: Judging) -> None:
    """Where nothing is marked, what rests on marks is refused and the rest is there."""
    desk.make(runs(12, ARMS))
    plan = {"rules": [{"replies": [{"verdict": {"prefer": "worth 0.2", "quotes": "real"}}]}]}
    judging(lambda seen: seen.worth, plan=plan)
    assert desk.score("--mode", "pairwise").code == 0
    found = carded(desk, "stub")
    assert found["repeats"] == []
    assert found["swaps"]["code"] == "not_identified"
    assert found["passes"][0]["mode"] == "pairwise"
    assert "compare pairs and mark nothing" in " ".join(desk.judge("card", "stub").out.split())


def test_people_stand_first(tmp_path: Any) -> None:  # noqa: ANN401 - a path
    """Imported marks of a judge, and people beside them: 1.2 points too kind in the total."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "judges.toml").touch()
    space = Space(tmp_path)
    judged(space)
    path = sheet(space, [f"q{n}" for n in range(40)])
    assert space.judge("calibrate", "runs/r", "--human", path).code == 0
    found = carded(space, "gpt")
    assert found["beside"][0]["by_people"] is True
    assert found["beside"][0]["gap"]["low"] <= 1.2
    assert found["beside"][0]["gap"]["high"] >= 1.0
    out = space.judge("card", "gpt").out
    assert "Beside people" in out
    assert "Not validated" not in out


def test_an_unknown_judge_and_an_ambiguous_one_are_one_line(desk: Desk, judging: Judging) -> None:
    """Names that are there, or the hashes to choose from, are told; nothing is written."""
    said = desk.judge("card", "nobody")
    assert said.code == 2
    assert "nothing was judged here" in said.err
    desk.make(runs(3, ARMS))
    for more in ("", "params = { temperature = 0.5 }"):
        judging(lambda seen: seen.worth, more=more)
        assert desk.score().code == 0
    said = desk.judge("card", "nobody")
    assert said.code == 2
    assert "judges there: stub" in said.err
    said = desk.judge("card", "stub")
    assert said.code == 2
    assert "is 2 judges or rubrics" in said.err
    assert said.err.count("\n") == 1
    assert not (desk.root / "reports" / "cards").exists()
    assert carded(desk, "runs/bulletin")["judge_name"] == "stub"
    (page,) = (desk.root / "reports" / "cards").glob("*.md")
    assert page.name.startswith("stub-bulletin-")


def test_an_item_counts_once_in_the_length_baseline(desk: Desk, judging: Judging) -> None:
    """A second pass of the same judge on a run adds no item to it."""
    desk.make(runs(10, ARMS))
    judging(lambda seen: 1 + len(seen.text) % 9)
    assert desk.score().code == 0
    once = carded(desk, "runs/bulletin")
    assert desk.score("--seed", "7").code == 0
    twice = carded(desk, "runs/bulletin")
    assert len(twice["passes"]) == 2
    assert once["length_baseline"]["n"] == twice["length_baseline"]["n"] == 10


def test_raters_of_two_files_who_are_called_alike_are_two(tmp_path: Any) -> None:  # noqa: ANN401 - a path
    """A name in a file of marks is all that is known of a rater; one file twice is one source."""
    (tmp_path / "judges.toml").write_text("", encoding="utf-8")
    space = Space(tmp_path)

    def rows(worse: int) -> list[tuple[object, ...]]:
        return [
            (f"i{n}", arm, "clear", "m", 8 - at * worse - n % 3)
            for n in range(6)
            for at, arm in enumerate(ARMS)
        ]

    one, other = space.csv(rows(1), name="one.csv"), space.csv(rows(2), name="other.csv")
    for path, run in ((one, "runs/a"), (one, "runs/again"), (other, "runs/b")):
        assert space.take(path, "--scale", "1-10", run=run).code == 0
    assert [one["run"] for one in carded(space, "runs/a")["passes"]] == ["a", "again"]
    assert [one["run"] for one in carded(space, "runs/b")["passes"]] == ["b"]
    for run in ("runs/a", "runs/b"):
        assert space.judge("card", run).code == 0
    assert len({*space.root.glob("reports/cards/*.md")}) == 2
    said = space.judge("card", "m")
    assert said.code == 2
    assert "m is 2 judges or rubrics" in said.err
