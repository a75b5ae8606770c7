"""`--extended` on lists and on pairs, through whole commands: strengths and their refusals."""

import csv
import json
from collections.abc import Callable

import numpy as np
import pytest

from judgebench.model.nouns import Refusal
from judgebench.stats.listwise import plackett_luce
from tests.acceptance.desk import JSON, Desk, always
from tests.stub import StubServer

Serve = Callable[..., StubServer]
ARMS = ("north", "south", "east")


def answers(items: int, *, arms: tuple[str, ...] = ARMS) -> dict[str, dict[str, str]]:
    """Answers that say what they are worth, longer and shorter ones of each arm."""
    rng = np.random.default_rng(8)
    return {
        arm: {
            f"m{item:02}": f"The tram stop moves on Monday, note {arm[0]}{item}. "
            f"This is worth {round(float(rng.normal(0.3 * at, 1)), 2)}.\n"
            + "New rails are being laid. " * int(rng.integers(1, 12))
            + "\n"
            for item in range(1, items + 1)
        }
        for at, arm in enumerate(arms)
    }


def judged(desk: Desk, *words: str) -> JSON:
    """Score once, then what `judge table --extended --json` prints."""
    done = desk.score("--repeats", "1", "--controls", "0", "-q", *words)
    assert done.code == 0, done.err
    return desk.table("--extended").json


def folder_files(desk: Desk) -> tuple[str, list[dict[str, str]]]:
    """report.md and the rows of ratings.csv of an extended report."""
    assert desk.judge("report", desk.run, "--extended", "--no-html").code == 0
    (folder,) = (desk.root / "reports" / "bulletin").iterdir()
    with (folder / "ratings.csv").open(encoding="utf-8", newline="") as file:
        return (folder / "report.md").read_text(encoding="utf-8"), list(csv.DictReader(file))


def test_lists_give_the_strengths_of_their_totals(desk: Desk, serve: Serve) -> None:
    """Each request is a list; its totals order the answers, ties stay ties."""
    desk.make(answers(12))
    serve(always(verdict={"score": "hash", "quotes": "real"}))
    found = judged(desk, "--mode", "listwise")["strengths"]
    items = desk.judge("table", desk.run, "--items", "--json").json
    arms = items["arms"]
    wanted = plackett_luce(
        -np.array(items["totals"]), np.arange(12), reference=arms.index(found["reference"])
    )
    assert not isinstance(wanted, Refusal)
    assert (found["model"], found["judged"], found["items"]) == ("plackett-luce", 12, 12)
    for one in found["arms"]:
        expected = wanted[arms.index(one["arm"])]
        assert one["strength"]["value"] == pytest.approx(expected.value, abs=1e-9)
        if one["arm"] != found["reference"]:
            assert one["strength"]["low"] == pytest.approx(expected.low, abs=1e-9)
    text, rows = folder_files(desk)
    assert "## Strengths from lists" in text
    assert "From 12 lists of 12 items" in text
    assert {row["arm"]: float(row["list_strength"]) for row in rows} == pytest.approx(
        {one["arm"]: one["strength"]["value"] for one in found["arms"]}
    )
    assert "Strengths from lists" in desk.judge("table", desk.run, "--extended").out
    assert desk.judge("verify", desk.run).code == 0


def test_an_arm_that_is_first_in_every_list_has_no_strength(desk: Desk, serve: Serve) -> None:
    """The groups are named, JSON and CSV have the code."""
    desk.make(answers(8, arms=("north", "south")))
    rules = [["note n", 5], ["note s", 2]]
    serve(always(verdict={"score": {"rules": rules}, "quotes": "real"}))
    found = judged(desk, "--mode", "listwise")["strengths"]
    assert [one["strength"]["code"] for one in found["arms"]] == ["disconnected"] * 2
    assert found["unlinked"] == [["north"], ["south"]]
    said = " ".join(desk.judge("table", desk.run, "--extended").out.split())
    assert "Strengths from lists: not printed: some arms stand above" in said
    assert "Groups without a link both ways: {north} and {south}." in said
    assert [row["list_strength_code"] for row in folder_files(desk)[1]] == ["disconnected"] * 2


def test_few_items_are_refused_by_code(desk: Desk, serve: Serve) -> None:
    """Five lists: no strength, and what would be needed."""
    desk.make(answers(5))
    serve(always(verdict={"score": "hash", "quotes": "real"}))
    found = judged(desk, "--mode", "listwise")["strengths"]
    assert [one["strength"]["code"] for one in found["arms"]] == ["too_few_items"] * 3
    assert "needs ≥ 6 items, have 5" in desk.judge("table", desk.run, "--extended").out


def test_pairs_have_strengths_at_equal_length_beside_the_plain_ones(
    desk: Desk, serve: Serve
) -> None:
    """The plain ones are those of the comparisons; what a doubling goes with has an interval."""
    desk.make(answers(14))
    serve(always(verdict={"prefer": "worth 0 1 0.1", "quotes": "real"}))
    whole = judged(desk, "--mode", "pairwise")
    found = whole["strengths"]
    plain = {one["arm"]: one["strength"] for one in whole["comparing"]["arms"]}
    assert {one["arm"]: one["strength"] for one in found["arms"]} == plain
    assert (found["model"], found["items"], found["unlinked"]) == ("bradley-terry", 14, [])
    assert found["length"]["low"] < found["length"]["value"] < found["length"]["high"]
    equal = {one["arm"]: one["equal_length"]["value"] for one in found["arms"]}
    assert equal[found["reference"]] == 0
    assert any(value != plain[arm]["value"] for arm, value in equal.items())
    text, rows = folder_files(desk)
    assert "## Strengths at equal length" in text
    assert "What is controlled is association" in text
    assert {row["arm"]: float(row["equal_length_strength"]) for row in rows} == pytest.approx(equal)
    said = desk.judge("table", desk.run, "--extended").out
    assert "Twice the length goes with log odds of" in said
    assert max(map(len, said.splitlines())) <= 80
    assert desk.judge("verify", desk.run).code == 0
    assert desk.judge("table", desk.run, "--json").json["strengths"] is None


def test_judging_one_by_one_has_no_such_section(desk: Desk, serve: Serve) -> None:
    """Nothing was in a list and nothing was compared."""
    desk.make(answers(6))
    serve(always(verdict={"score": "hash", "quotes": "real"}))
    assert judged(desk)["strengths"] is None
    assert "Strengths" not in desk.judge("table", desk.run, "--extended").out


def test_pairs_without_texts_have_no_length(desk: Desk) -> None:
    """Imported comparisons: the plain strengths stand, the length is not on record."""
    rng = np.random.default_rng(5)
    lines = [
        f"i{item},{pair},{rng.choice([1, -1])},{order}"
        for item in range(14)
        for pair in ("a,b", "a,c", "b,c")
        for order in ("AB", "BA")
    ]
    path = desk.root / "pairs.csv"
    path.write_text("\n".join(["item,one,other,won,order", *lines]) + "\n", encoding="utf-8")
    said = desk.judge(
        "import", "marks", path, "--to", "runs/pairs", "--item", "item", "--arm-a", "one",
        "--arm-b", "other", "--mark", "won", "--order", "order",
    )  # fmt: skip
    assert said.code == 0, said.err
    shown = desk.judge("table", "runs/pairs", "--extended", "--json")
    found = json.loads(shown.out)["strengths"]
    assert found["length"]["code"] == "not_identified"
    assert all(one["strength"].get("code") is None for one in found["arms"])
    text = " ".join(desk.judge("table", "runs/pairs", "--extended").out.split())
    assert "Strengths at equal length: not printed: these data do not determine it" in text
    assert "the length of the answers is not on record" in text
