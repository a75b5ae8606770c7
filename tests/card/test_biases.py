"""Leanings that were planted are found; what the data cannot show is refused."""

import json
from typing import Any

import pytest

from tests.acceptance.desk import Desk
from tests.card.conftest import Judging
from tests.card.planted import Seen, runs
from tests.marks.space import Space
from tests.people.runs import judged, sheet

ARMS = ("north", "south", "west", "east")


def probed(desk: Desk | Space, *words: object, run: str = "runs/bulletin") -> dict[str, Any]:
    """`judge biases --json`, by probe."""
    said = desk.judge("biases", run, "--json", *map(str, words))
    assert said.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found | {row["probe"]: row for row in found["rows"]}


def words(desk: Desk | Space, *said: object) -> str:
    """What the command prints, on one line."""
    return " ".join(desk.judge("biases", *map(str, said)).out.split())


def holds(row: dict[str, Any], low: float, high: float) -> bool:
    """The interval meets a range."""
    effect = row["effect"]
    return bool(effect["low"] <= high and effect["high"] >= low)


def test_a_planted_order_effect_is_found_in_lists(desk: Desk, judging: Judging) -> None:
    """Half a point less a place further down: the interval holds it, and p tells."""
    desk.make(runs(24, ARMS))
    with_order = judging(lambda seen: seen.worth - 0.5 * seen.place + 0.5 + seen.noise())
    said = desk.score("--mode", "listwise", "--seed", "7")
    assert said.code == 0, said.err
    asked = len(with_order.log)
    found = probed(desk)
    assert len(with_order.log) == asked
    assert holds(found["order"], -0.5, -0.5)
    assert found["order"]["p_holm"] < 0.05
    text = desk.judge("biases", desk.run).out
    assert "answers further up the list have higher marks" in text
    assert "a place" in text
    assert max(map(len, text.splitlines())) <= 80


def test_places_beside_controls_are_no_places_of_a_list(desk: Desk, judging: Judging) -> None:
    """Controls that are added to a listwise pass leave its probe of order as it was."""
    desk.make(runs(8, ARMS))
    judging(lambda seen: seen.worth - 0.5 * seen.place + 0.5 + seen.noise())
    assert desk.score("--mode", "listwise", "--seed", "7").code == 0
    before = probed(desk)["order"]["effect"]
    assert desk.score("--mode", "listwise", "--seed", "7", "--controls", "6").code == 0
    assert probed(desk)["order"]["effect"] == before


def test_a_planted_length_effect_is_found_and_headings_are_not_blamed(
    desk: Desk, judging: Judging
) -> None:
    """Marks that rise with the number of lines show as length, not as style."""
    desk.make(runs(24, ARMS))
    judging(lambda seen: seen.worth + 0.5 * (len(seen.text) // 400) ** 0.5 - 0.5 + seen.noise())
    assert desk.score().code == 0
    found = probed(desk)
    assert found["length"]["effect"]["low"] > 0
    assert found["length"]["p_holm"] < 0.05
    assert found["styled"] == 96
    assert found["headings"]["p_holm"] > 0.05
    assert found["list_lines"]["effect"]["code"] == "not_identified"
    assert found["order"]["effect"]["code"] == "order_not_recorded"
    said = words(desk, desk.run)
    assert "longer answers have higher marks" in said
    assert (
        f"table's length baseline (rank correlation {found['length_baseline']['value']:+.2f}"
        in said
    )
    assert "compares the arms of an item; the probe above compares each arm's own answers" in said
    assert desk.score("--mode", "pairwise", "--arms", ",".join(ARMS[:2])).code == 0
    assert desk.score("--mode", "listwise").code == 0
    ((first, second),) = desk.rows(
        "SELECT max(pass_id) FILTER (mode = 'pointwise'), max(pass_id) FILTER (mode = 'listwise')"
        " FROM passes"
    )
    said = " ".join(desk.judge("biases", desk.run, "--pass", str(first)).out.split())
    assert f"its listwise pass has it: --pass {second}" in said


def test_headings_that_are_liked_are_found(desk: Desk, judging: Judging) -> None:
    """One heading is worth half a point: the interval is above zero, with length beside it."""
    desk.make(runs(24, ARMS))
    judging(lambda seen: seen.worth + 0.5 * seen.text.count("# Part") - 0.5 + seen.noise())
    assert desk.score().code == 0
    found = probed(desk)
    assert found["headings"]["effect"]["low"] > 0
    assert found["headings"]["p_holm"] < 0.05


def test_without_texts_style_alone_is_refused(desk: Desk, judging: Judging) -> None:
    """All but style comes from the store."""
    run = desk.make(runs(12, ARMS))
    judging(lambda seen: seen.worth + seen.noise())
    assert desk.score().code == 0
    whole = probed(desk)
    run.rename(run.with_name("gone"))
    left = probed(desk)
    assert left["headings"]["effect"]["code"] == "not_identified"
    assert left["length"] | {"p_holm": 0} == whole["length"] | {"p_holm": 0}
    assert "texts are not there any more" in words(desk, desk.run)


def test_the_first_place_in_pairs_is_found(desk: Desk, judging: Judging) -> None:
    """A judge that takes the first of two is named, with the pairs that kept the verdict."""
    desk.make(runs(14, ARMS[:3]))
    judging(
        lambda seen: seen.worth,
        plan={"rules": [{"replies": [{"verdict": {"prefer": "worth 0.7", "quotes": "real"}}]}]},
    )
    assert desk.score("--mode", "pairwise").code == 0
    found = probed(desk)
    assert found["first_place"]["effect"]["low"] > 0
    assert found["both_orders"] == 42
    assert 0 < found["kept"] < 42
    assert "leniency" not in found
    changed = [band["changed"] for band in found["flips"]]
    assert sum(changed) == 42 - found["kept"]
    assert found["flips"][0]["low"] == 0.5
    text = words(desk, desk.run)
    assert "better arm wins pairs changed share 95 % interval to first shown" in text
    assert "the answer shown first wins more often than half" in text
    assert f"{found['kept']} of 42 pairs judged in both orders kept the verdict" in text


def _own(seen: Seen, *, bonus: float) -> float:
    return seen.worth + bonus * ("says gpt-arm" in seen.text) + seen.noise(str(bonus))


def test_the_own_family_is_held_against_a_judge_of_another(desk: Desk, judging: Judging) -> None:
    """One point for its own: the difference in differences against a stranger holds it."""
    arms = ("gpt-arm", "north", "south")
    desk.make(
        runs(24, arms),
        arms={"gpt-arm": {"provider": "openai", "model": "gpt-5"}},
    )
    judging(lambda seen: _own(seen, bonus=0.0), name="mistral-large", more="")
    toml = desk.root / "judges.toml"
    toml.write_text(toml.read_text().replace("stub-judge", "mistral-large"))
    assert desk.score("--blind", "flag").code == 0
    alone = probed(desk)
    assert alone["family"]["effect"]["code"] == "one_family"
    said = words(desk, desk.run)
    assert "no arm is known to be of the judge's family, of 2 it is unknown" in said
    judging(lambda seen: _own(seen, bonus=1.0), name="gpt-4o")
    toml.write_text(toml.read_text().replace("stub-judge", "gpt-4o"))
    assert desk.score("--blind", "flag").code == 0
    second = json.loads(desk.table().out)["passes"][-1]["id"]
    found = probed(desk, "--pass", second)
    assert found["reference"] == "judges"
    assert found["own_arms"] == ["gpt-arm"]
    assert holds(found["family"], 0.9, 1.1)
    assert found["family"]["p_holm"] < 0.05
    assert "own family stand higher" in words(desk, desk.run, "--pass", second)


@pytest.fixture
def beside_people(tmp_path: Any) -> Space:  # noqa: ANN401 - a path
    """A judge that is too kind on one criterion, and three people."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "judges.toml").touch()
    space = Space(tmp_path)
    judged(space)
    path = sheet(space, [f"q{n}" for n in range(40)])
    said = space.judge("calibrate", "runs/r", "--human", path)
    assert said.code == 0, said.err
    return space


def test_people_are_the_reference_where_there_are_any(beside_people: Space) -> None:
    """Leniency is the planted gap, 1.2 points in the total; halo stands beside people's."""
    found = probed(beside_people, run="runs/r")
    assert found["reference"] == "people"
    assert found["references"] == ["ana", "ben", "cyd"]
    assert holds(found["leniency"], 1.0, 1.2)
    assert found["halo"]["reference"]["value"] > 0
    assert found["levels"]["levels"] > 5
    text = words(beside_people, "runs/r")
    assert "the judge marks higher than the reference" in text
    assert "Reference: people (ana, ben and cyd)" in text
    assert "Cells at the two highest levels" in text


def compared(space: Space, rows: list[tuple[object, ...]]) -> str:
    """Imports pairs by judges and people; what `judge biases` says, on one line."""
    path = space.csv(rows, head=("item", "a", "b", "rater", "kind", "mark"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/p", "--item", "item", "--arm-a", "a", "--arm-b",
        "b", "--rater", "rater", "--rater-kind", "kind", "--mark", "mark",
    )  # fmt: skip
    assert said.code == 0, said.err
    return words(space, "runs/p")


def test_names_of_imported_arms_are_those_of_their_models(tmp_path: Any) -> None:  # noqa: ANN401 - a path
    """A judge of OpenAI over gpt-4 and gpt-3.5: they are of its family, and people compared."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "judges.toml").touch()
    space = Space(tmp_path)
    pairs = (("gpt-4", "gpt-3.5-turbo"), ("gpt-4", "claude-v1"), ("gpt-3.5-turbo", "claude-v1"))
    rows: list[tuple[object, ...]] = [
        (f"q{at}", *pair, who, kind, 1 - (at + len(who)) % 3)
        for at in range(12)
        for pair in pairs
        for who, kind in (("gpt-4-pair", "llm"), ("ana", "human"), ("ben", "human"))
    ]
    said = compared(space, rows)
    assert "Reference: none (2 people compared pairs and marked no answers, no other" in said
    assert "no arm is of the judge's family" not in said
    found = probed(space, run="runs/p")
    assert (sorted(found["own_arms"]), found["people_compared"]) == (["gpt-3.5-turbo", "gpt-4"], 2)
    table = space.judge("table", "runs/p").out
    assert "is of the same family as gpt-3.5-turbo, gpt-4" in " ".join(table.split())


@pytest.mark.parametrize(
    ("arms", "why"),
    [
        (("claude-v1", "gemini-pro"), "no arm is of the judge's family"),
        (("claude-v1", "A"), "no arm is known to be of the judge's family, of 1 it is unknown"),
        (("gpt-4", "gpt-5"), "every arm is of the judge's family"),
    ],
)
def test_families_that_no_name_tells_are_unknown(
    tmp_path: Any,  # noqa: ANN401 - a path
    arms: tuple[str, str],
    why: str,
) -> None:
    """Only where the names tell every family it is said that none is the judge's."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "judges.toml").touch()
    rows: list[tuple[object, ...]] = [
        (f"q{at}", *arms, "gpt-4-pair", "llm", 1 - at % 3) for at in range(6)
    ]
    assert why in compared(Space(tmp_path), rows)


def test_a_pass_of_people_has_no_judge(beside_people: Space) -> None:
    """Asked for people's own pass, the command says so in a line."""
    said = beside_people.judge("biases", "runs/r", "--pass", "people")
    assert said.code == 2
    assert "has no pass of a judge" in said.err
    assert "Traceback" not in said.err


def test_a_pass_that_broke_off_is_no_reference(desk: Desk, judging: Judging) -> None:
    """Two whole passes are held against each other, whatever a third judge left undone."""
    desk.make(runs(10, ARMS[:2]))
    for name, more in (("broke", 0.0), ("first", 0.0), ("second", 1.0)):
        judging(lambda seen, more=more: seen.worth + more * seen.noise(), name=name)
        limit = ("--max-requests", "2") if name == "broke" else ()
        assert desk.score("--repeats", "1", *limit).code == (5 if limit else 0)
    (whole,) = (
        row["id"]
        for row in json.loads(desk.judge("table", desk.run, "--passes", "--json").out)["passes"]
        if row["judge_name"] == "second"
    )
    found = probed(desk, "--pass", whole)
    assert found["references"] == ["first"]
    assert "low" in found["leniency"]["effect"]
    assert "Beside judge broke (0" not in desk.judge("card", "second").out
