"""The judge against itself stands in every report: a number, or why there is none."""

import json

import numpy as np
import pytest

from tests.marks.space import AGAIN, Space


def again(items: int, repeats: int) -> list[tuple[object, ...]]:
    """Four arms, each marked several times by a judge who wavers by a point."""
    rng = np.random.default_rng(3)
    return [
        (f"i{item}", arm, "c", "meter", 2 + 2 * place + int(rng.integers(0, 2)), one)
        for item in range(items)
        for place, arm in enumerate(("north", "south", "east", "west"))
        for one in range(1, repeats + 1)
    ]


def report(
    space: Space, rows: list[tuple[object, ...]], *words: str
) -> tuple[str, dict[str, object]]:
    """The part on the judge in report.md, and `again` of result.json."""
    assert space.take(space.csv(rows, head=AGAIN), "--scale", "1-10", *words).code == 0
    assert space.judge("report", "runs/given", "--no-html").code == 0
    (folder,) = (space.root / "reports" / "given").iterdir()
    text = (folder / "report.md").read_text(encoding="utf-8")
    found = json.loads((folder / "result.json").read_text(encoding="utf-8"))["again"]
    return text.split("## The judge")[1].split("\n## ")[0], found


@pytest.mark.parametrize("items", [1, 12])
def test_noise_is_told_where_answers_were_scored_again(space: Space, items: int) -> None:
    """Half the marks are a point apart: σ is near ½, and the limit is 1.96 √2 σ."""
    text, found = report(space, again(items, 4), "--scoring", "again")
    total = found["total"]
    assert isinstance(total, dict)
    limit = total["limit"]
    assert limit == pytest.approx(1.96 * 2**0.5 * total["sd"]["value"], rel=0.01)
    assert f"differ by more than {limit:.2f} in 1 of 20" in text
    inside = "a smaller gap between arms on this item is inside it"
    assert (inside in text) == (items == 1)


def test_without_repeats_it_is_said_what_would_tell(space: Space) -> None:
    """Marks from elsewhere: nothing is judged again here."""
    text, found = report(space, again(12, 1))
    assert found["total"]["sd"]["code"] == "too_few_repeats"  # type: ignore[index]
    assert "Noise of scoring again: not printed: needs" in text
    assert "--scoring at the import" in text
    assert "--repeats" not in text


def test_what_is_not_known_of_a_judge_is_said(space: Space) -> None:
    """One judge whom nobody checked: in the report, without any option."""
    text, _ = report(space, again(12, 1))
    assert "Against other judges: not printed: needs ≥ 2 judges, have 1." in text
    assert "Against people: not validated: no marks by people." in text


def test_an_interval_that_leaves_out_zero_is_explained_where_it_stands(space: Space) -> None:
    """The p over all pairs decides: the row alone would say another thing."""
    x = {"x": (8, 9, 8, 8, 9, 8), "y": (7, 7, 7, 7, 7, 8), "z": (5, 5, 5, 5, 5, 5)}
    rows = [
        (f"i{item}", arm, "clear", "meter", "" if (arm, item) == ("z", 2) else mark, one)
        for arm, marks in x.items()
        for item, mark in enumerate(marks)
        for one in range(3)
    ]
    assert (
        space.take(space.csv(rows, head=AGAIN), "--scoring", "again", "--scale", "1-10").code == 0
    )
    table = " ".join(space.judge("table", "runs/given").out.split())
    (pair,) = [one for one in space.table()["pairs"] if {one["first"], one["second"]} == {"x", "y"}]
    assert pair["difference"]["low"] > 0
    said = f"not separated though ± leaves out 0: y (p {pair['p_all_pairs']:.3f}); the test"
    assert said in table
    assert space.judge("report", "runs/given").code == 0
    for name in ("report.md", "report.html"):
        (page,) = (space.root / "reports").rglob(name)
        assert said in " ".join(page.read_text(encoding="utf-8").split())


def test_where_there_are_people_nobody_says_that_there_are_none(space: Space) -> None:
    """The page of the judge leaves the check to `judge calibrate`."""
    rows = [
        (f"i{n}", arm, "c", who, 5 + (n + place) % 3, kind)
        for n in range(12)
        for place, arm in enumerate(("north", "south"))
        for who, kind in (("meter", "llm"), ("gauge", "llm"), ("ann", "human"))
    ]
    path = space.csv(rows, head=(*AGAIN[:5], "kind"))
    assert space.take(path, "--scale", "1-10", "--rater-kind", "kind").code == 0
    for words in (("table", "runs/given", "--pass", "meter", "--extended"),
                  ("agree", "runs/given", "--extended")):  # fmt: skip
        assert "no human marks" not in space.judge(*words).out
    assert space.judge("calibrate", "runs/given", "--pass", "meter").code == 0
    text = " ".join(space.judge("agree", "runs/given", "--extended").out.split())
    assert "needs ≥ 30 answers that people and all these judges marked, have 24" in text


def test_people_and_judges_of_whole_answers_are_counted_together(space: Space) -> None:
    """No criterion is named: 40 answers by all of them, whose errors hang together as drawn."""
    rng = np.random.default_rng(2)
    truth, common = rng.normal(50, 9, (2, 20)), rng.normal(0, 6, (2, 20))
    rows = [
        (f"i{n}", arm, who, round(float(truth[a, n] + lean + rng.normal(0, 6)), 1), kind)
        for n in range(20)
        for a, arm in enumerate(("north", "south"))
        for who, kind, lean in (
            ("meter", "llm", common[a, n]), ("gauge", "llm", common[a, n]), ("ann", "human", 0),
        )
    ]  # fmt: skip
    path = space.csv(rows, head=("item", "arm", "rater", "mark", "kind"))
    words = ("--item", "item", "--arm", "arm", "--rater", "rater", "--rater-kind", "kind")
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", *words, "--mark", "mark", "--scale", "0-100"
    )
    assert said.code == 0, said.err
    assert space.judge("calibrate", "runs/given", "--pass", "meter").code == 0
    found = space.json("agree", "--extended")["effective"]
    assert found["n"] == 40
    assert 1 < found["value"] < 2


def test_a_few_answers_marked_twice_ask_for_more_of_them(space: Space) -> None:
    """Where a column numbers the scorings already, it is not asked for again."""
    rows = [row for row in again(3, 2) if row[1] in {"north", "south"}]
    assert space.take(space.csv(rows, head=AGAIN), "--scoring", "again").code == 0
    said = " ".join(space.judge("agree", "runs/given", "--extended").out.split())
    assert "have 6 (more items that a rater marked twice)" in said
    assert "--scoring" not in said


def test_items_for_people_are_of_as_many_people(space: Space) -> None:
    """A plan of items says how many people mark each answer; that of judges does not."""
    rng = np.random.default_rng(4)
    rows = [
        (f"i{item}", arm, "c", person, "human", int(rng.integers(1, 6)))
        for item in range(8)
        for arm in ("north", "south")
        for person in ("ann", "bo")
    ]
    head = ("item", "arm", "criterion", "rater", "kind", "mark")
    space.csv(rows, head=head)
    for run, words in (("people", ("--rater-kind", "kind")), ("judges", ("--judge", "ann"))):
        done = space.judge(
            "import", "marks", "marks.csv", "--to", f"runs/{run}", "--item", "item", "--arm",
            "arm", "--criterion", "criterion", "--rater", "rater", "--mark", "mark", *words,
        )  # fmt: skip
        assert done.code == 0, done.err
        ask = ("--judge", "ann") if run == "judges" else ()
        assert space.judge("report", f"runs/{run}", "--no-html", *ask).code == 0
        (folder,) = (space.root / "reports" / run).iterdir()
        text = (folder / "report.md").read_text(encoding="utf-8")
        assert "about" in text
        asked = "shared items, each answer marked by as many people as here." in text
        assert asked is (run == "people")
