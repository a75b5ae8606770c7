"""Marks counted from finds are counted again, and each that does not follow is named."""

from dataclasses import replace
from pathlib import Path

import pytest

from judgebench.model.deductions import Evidence
from judgebench.model.findings import CODE, Checked, Finding, Reported, Standing
from judgebench.model.verified import Part
from judgebench.pipeline.verify.finds import Counted, Said, recount, reread
from judgebench.rubrics.load import parse_rubric

RUBRIC = parse_rubric(
    """\
kind: deductions
name: shed
criteria:
  - id: walls
    text: Do the walls stand as they were drawn?
    max: 10
    deductions: [{id: crooked, points: 2, when: A wall is not upright at all.}]
  - id: roof
    text: Does the roof keep the rain out of it?
    max: 5
    deductions: [{id: leaks, points: 4, when: Rain comes in at a place.}]
tiers: [{name: fine, at_least: 12}, {name: poor, at_least: 0}]
""",
    Path("shed.yaml"),
)


def find(criterion: str, entry: str) -> Checked:
    """A find that counts."""
    finding = Finding(criterion=criterion, entry=entry, evidence=Evidence.PRESENT)
    return Checked(finding=finding, standing=Standing.SUPPORTED, path="a.txt", first=1, last=1)


FINDS = (find("walls", "crooked"),)


def test_marks_that_follow_from_their_finds_have_no_difference() -> None:
    """10 less 2 and 5 is 13: fine."""
    stored = Counted(
        place="p a on i", finds=FINDS, marks={"walls": 8.0, "roof": 5.0}, total=13.0, tier="fine"
    )
    assert list(recount(RUBRIC, stored)) == []
    blocked = Counted(
        place="p", finds=FINDS, marks={"walls": 8.0, "roof": None}, total=None, tier=None,
        blocked={"roof": "cannot_judge"},
    )  # fmt: skip
    assert list(recount(RUBRIC, blocked)) == []


@pytest.mark.parametrize(
    ("marks", "total", "tier", "places"),
    [
        ({"walls": 9.0, "roof": 5.0}, 14.0, "fine", ["p, walls", "p"]),
        ({"walls": 8.0, "roof": 5.0}, 13.0, "poor", ["p, tier"]),
        ({"walls": 8.0}, 13.0, "fine", ["p, roof"]),
        ({"walls": 8.0, "roof": 5.0, "door": 1.0}, 13.0, "fine", ["p, door"]),
    ],
)
def test_what_does_not_follow_is_named(
    marks: dict[str, float | None], total: float, tier: str, places: list[str]
) -> None:
    """Mark, total, tier, a mark too few or too many."""
    stored = Counted(place="p", finds=FINDS, marks=marks, total=total, tier=tier)
    found = list(recount(RUBRIC, stored))
    assert [one.place for one in found] == places
    assert {one.part for one in found} == {Part.TOTAL}


def test_a_find_that_the_rubric_does_not_know_is_a_difference() -> None:
    """Finds of another catalogue cannot be counted."""
    stored = Counted(place="p", finds=(find("walls", "burnt"),), marks={}, total=None, tier=None)
    (one,) = recount(RUBRIC, stored)
    assert one.found == "walls has no entry burnt"


CROOKED = FINDS[0].finding
REPORTED = (
    Reported(criterion="walls", reading="All four.", findings=(CROOKED,)),
    Reported(criterion="roof", cannot_judge=True),
)
SAID = {
    "walls": Said(reading="All four.", cannot_judge=False),
    "roof": Said(reading="", cannot_judge=True),
}


def test_finds_that_stand_in_their_reply_have_no_difference() -> None:
    """What code found by itself is in no reply, and is none either."""
    own = replace(FINDS[0], finding=replace(CROOKED, by=CODE))
    assert list(reread("p", REPORTED, finds=(*FINDS, own), said=SAID)) == []


@pytest.mark.parametrize(
    ("finds", "said", "told"),
    [
        ((), SAID, ("p, find 1", "nothing", "crooked")),
        ((*FINDS, *FINDS), SAID, ("p, find 2", "crooked", "nothing")),
        (
            (replace(FINDS[0], finding=replace(CROOKED, patterns=("nail",))),),
            SAID,
            ("p, find 1, patterns", "('nail',)", "()"),
        ),
        (FINDS, {"walls": SAID["walls"]}, ("p, roof", "nothing", "cannot judge")),
        (
            FINDS,
            {**SAID, "walls": Said(reading="", cannot_judge=False)},
            ("p, walls", "no words", "All four."),
        ),
    ],
)
def test_finds_that_differ_from_their_reply_are_named(
    finds: tuple[Checked, ...], said: dict[str, Said], told: tuple[str, str, str]
) -> None:
    """A find too few or too many, another field, another verdict or other words."""
    (one,) = reread("p", REPORTED, finds=finds, said=said)
    assert (one.place, one.stored, one.found) == told
    assert one.part is Part.REPLY
