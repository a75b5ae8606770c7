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


def overlapping(*, kind: str) -> list[tuple[object, ...]]:
    """Three raters who order A, B, C alike; one never saw C, another one never saw A."""
    rows: list[tuple[object, ...]] = []
    for item in range(8):
        v, w = item % 2, item // 2 % 2
        rows += [(item, "A", "clear", "p", 4 + v, kind), (item, "B", "clear", "p", 6 + w, kind)]
        rows += [(item, "B", "clear", "q", 6 + v, kind), (item, "C", "clear", "q", 8 + w, kind)]
        rows += [(item, "A", "clear", "s", 4 + w, kind), (item, "B", "clear", "s", 6 + v, kind)]
        rows += [(item, "C", "clear", "s", 8 + w, kind)]
    return rows


@pytest.mark.parametrize(("kind", "who"), [("human", "people who"), ("llm", "passes that")])
def test_an_arm_that_a_rater_never_marked_is_open_to_it(space: Space, kind: str, who: str) -> None:
    """Raters who agree, but marked different arms, do not differ by what one of them never saw."""
    head = ("item", "arm", "criterion", "rater", "mark", "kind")
    path = space.csv(overlapping(kind=kind), head=head)
    said = space.take(path, "--scale", "1-10", "--rater-kind", "kind")
    assert said.code == 0, said.err
    found = space.json("agree")
    assert (found["verdict"], found["common"], found["reversals"]) == ("mostly", ["C"], [])
    text = " ".join(space.judge("agree", "runs/given").out.split())
    assert f"MOSTLY: C may be best by all {who} marked it, but the sets differ" in text
    word = who.split(maxsplit=1)[0]
    assert f"arm pairs marked by all 3 {word} and ordered by any: none · separated and" in text


def test_a_panel_says_nothing_of_best_where_one_of_it_never_marked_an_arm(space: Space) -> None:
    """Of p and s together B was marked best, but only s marked C."""
    taken(space, [row[:5] for row in overlapping(kind="human")])
    found = space.json("agree")
    assert (found["panel_best"]["code"], found["panel_best"]["have"]) == ("unequal_items", 1)
    assert {one["best"]["code"] for one in found["left_out"]} == {"unequal_items"}
    assert "only 1 of 3 arms have answers" in space.judge("agree", "runs/given", "--extended").out


def test_people_who_contradict_each_other_in_a_ring_do_not_hold(space: Space) -> None:
    """Each arm is shown not to be best by one of three people who saw two of them each."""
    rows: list[tuple[object, ...]] = [
        (item, arm, "clear", who, mark + item % 2)
        for item in range(8)
        for who, ring in (("p", "AB"), ("q", "BC"), ("s", "CA"))
        for arm, mark in zip(ring, (8, 4), strict=True)
    ]
    taken(space, [(*row[:4], 7) if at == 0 else row for at, row in enumerate(rows)])
    found = space.json("agree")
    assert (found["verdict"], found["common"]) == ("does_not_hold", [])


def test_arms_for_which_there_is_no_room_are_counted_and_named_elsewhere(space: Space) -> None:
    """No set of arms is cut in a name: it says how many more there are, and which view has all."""
    rows: list[tuple[object, ...]] = [
        (item, f"system-number-{arm}", "clear", who, 1 + (item * arm + at) % 7)
        for item in range(8)
        for arm in range(30)
        for at, who in enumerate(PEOPLE)
        if who != "ben" or arm < 25
    ]
    taken(space, rows)
    sets = space.judge("agree", "runs/given").out.split("may be best")[-1].split("arm pairs")[0]
    assert "…" not in sets
    assert len(re.findall(r" and \d+ more(?: \(not judged: 5\))?: --extended", sets)) == 3
    whole = " ".join(space.judge("agree", "runs/given", "--extended").out.split())
    assert "not judged: " + ", ".join(f"system-number-{at}" for at in range(25, 29)) in whole
    assert not re.search(r"system-number-\d+ and \d+ more", whole.split("side by side")[1][:4000])


def test_another_view_is_of_what_was_typed(space: Space) -> None:
    """The next command keeps the options that this one was given."""
    taken(space, crowd(*PEOPLE))
    one = space.json("agree")["raters"][0]["facts"]["id"]
    words = ("--pass", one, "--slots")
    said = " ".join(space.judge("agree", "runs/given", *words).out.replace("\\\n", "").split())
    assert f"Next: judge agree runs/given --pass {one} --slots --split" in said
