"""`judge agree` over imported marks of people: the raters are the people."""

import re

import pytest

from tests.marks.space import AGAIN, Space, grid

PEOPLE = ("ana", "ben", "cho")


def taken(space: Space, rows: list[tuple[object, ...]], *words: object) -> None:
    """Marks of people as a run."""
    head = ("item", "arm", "criterion", "rater", "mark", "kind")
    path = space.csv([(*row, "human") for row in rows], head=head)
    said = space.take(path, "--scale", "1-12", "--rater-kind", "kind", *words)
    assert said.code == 0, said.err


def crowd(*people: str) -> list[tuple[object, ...]]:
    """Marks of people who differ by their place in the alphabet."""
    return [
        (item, arm, criterion, who, int(str(mark)) + (at + len(str(arm)) * int(str(item)[1:])) % 2)
        for at, who in enumerate(people)
        for item, arm, criterion, _, mark in grid(items=24, raters=("x",))
    ]


def test_people_are_the_raters(space: Space) -> None:
    """Each person stands with a set of their own; alpha, ICC and closeness stand by criterion."""
    taken(space, crowd(*PEOPLE))
    found = space.json("agree")
    assert found["persons"] is True
    assert [one["name"] for one in found["raters"]] == list(PEOPLE)
    assert [row["criterion"] for row in found["rows"]] == ["clear", "true", ""]
    for row in found["rows"]:
        assert row["alpha"]["value"] < 1
        assert row["near"]["within"] == 1
        assert row["icc"]["one"]["value"] <= row["icc"]["one_mean"]["value"]
    text = space.judge("agree", "runs/given").out
    assert "3  cho  one of the people of pass" in text
    assert "pass alone" not in text
    whole = space.judge("agree", "runs/given", "--extended").out
    assert "ICC(1,1)" in whole
    assert "Each two people, on totals" in whole
    assert not re.search(r"judge'|judges| a judge|rejudge", whole)


def test_places_of_a_file_are_no_persons(space: Space) -> None:
    """With --slots only ICC(1,1) and ICC(1,k) stand, and nothing is said of single raters."""
    taken(space, crowd(*PEOPLE))
    found = space.json("agree", "--slots")
    assert found["verdict"]["code"] == "raters_not_identified"
    assert (found["pairs"], found["reversals"], found["pairs_compared"]) == ([], [], 0)
    for row in found["rows"]:
        assert row["icc"]["absolute"]["code"] == "raters_not_identified"
        assert isinstance(row["icc"]["one"]["value"], float)
    for view in ((), ("--extended",)):
        text = space.judge("agree", "runs/given", "--slots", *view).out
        assert "a place in the file of pass" in text
        assert "may be best" not in text


def test_one_person_has_nobody_to_agree_with(space: Space) -> None:
    """One person alone is said to be alone, and no command that judges is named."""
    taken(space, grid(raters=("ana",)))
    text = space.judge("agree", "runs/given").out
    assert "One person alone: whether another one would mark alike is not known." in text
    assert "rejudge" not in text


def test_people_beside_judges_are_named_by_their_pass(space: Space) -> None:
    """Where a file holds judges too, agree says how the people are compared."""
    head = ("item", "arm", "criterion", "rater", "mark", "kind")
    rows = [
        *((*row, "llm") for row in grid(raters=("meter",))),
        *((*row, "human") for row in crowd(*PEOPLE)),
    ]
    space.take(space.csv(rows, head=head), "--scale", "1-12", "--rater-kind", "kind")
    assert "Next: judge agree runs/given --pass people" in space.judge("agree", "runs/given").out
    assert [one["name"] for one in space.json("agree", "--pass", "people")["raters"]] == [*PEOPLE]


def test_a_person_who_marked_again_has_noise(space: Space) -> None:
    """Second marks of one person say how far that person moves; others' marks do not."""
    rows = [
        (*row, again, "human")
        for row in crowd("ana", "ben")
        for again in ((1, 2) if row[3] == "ana" else (1,))
    ]
    said = space.take(
        space.csv(rows, head=(*AGAIN, "kind")), "--scale", "1-12", "--rater-kind", "kind",
        "--scoring", "again",
    )  # fmt: skip
    assert said.code == 0, said.err
    ana, ben = space.json("agree")["raters"]
    assert ana["noise"]["exact_share"] == pytest.approx(1)
    assert ben["noise"]["code"] == "too_few_repeats"
    assert "--scoring" in ben["noise"]["how"]


def test_marks_that_lack_are_not_to_be_collected(space: Space) -> None:
    """Blocked marks of an import are no answers that could be collected again."""
    rows = [
        (item, arm, criterion, rater, "" if rater == "ben" and place % 3 else mark)
        for place, (item, arm, criterion, rater, mark) in enumerate(grid(raters=("ana", "ben")))
    ]
    space.take(space.csv(rows), "--scale", "1-12")
    text = space.judge("agree", "runs/given", "--extended").out
    assert "collect them again" not in text
    taken_back = space.judge("agree", "runs/given").out
    assert "collect them again" not in taken_back
