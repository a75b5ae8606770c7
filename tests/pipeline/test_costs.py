"""What each find of one judging costs, and how marks make a total."""

from pathlib import Path

from judgebench.model.deductions import Evidence
from judgebench.model.findings import Checked, Finding, Standing
from judgebench.model.shown import FindCost, Held
from judgebench.pipeline.audits.costs import costs_of
from judgebench.rubrics.load import parse_rubric

RUBRIC = parse_rubric(
    """\
kind: deductions
name: boat
version: "1"
criteria:
  - id: hull
    text: Does it float?
    max: 10
    floor: 1
    deductions:
      - {id: sunk, points: 8, when: It has sunk.}
      - {id: leak, points: 2, when: There is a leak., counts: per_find, floor: 5}
      - {id: damp, points: 3, when: It is damp., unless: [sunk]}
  - id: sail
    text: Does it draw?
    max: 5
    deductions:
      - {id: torn, points: 1, when: It is torn.}
caps:
  - {finding: sunk, target: sail, cap: 3}
gates:
  - {criterion: hull, below: 5, cap: 4}
""",
    Path("boat.yaml"),
)


def find(entry: str, first: int, last: int, standing: Standing = Standing.SUPPORTED) -> Checked:
    """A checked find at some lines of one file."""
    criterion = "sail" if entry in {"torn", "patched"} else "hull"
    said = Finding(criterion=criterion, entry=entry, evidence=Evidence.PRESENT, path="boat.md")
    return Checked(finding=said, standing=standing, path="boat.md", first=first, last=last)


def test_a_find_at_the_place_of_another_is_counted_with_it() -> None:
    """The first that was reported is paid for, wherever it stands in the file."""
    costs = costs_of(RUBRIC, [find("leak", 5, 8), find("leak", 3, 6), find("leak", 20, 21)], {})
    assert costs.finds == (
        FindCost(points=2),
        FindCost(counted_with=0),
        FindCost(points=2),
    )
    assert (costs.marks["hull"].maximum, costs.marks["hull"].deducted, costs.sum) == (10, 4, 11)


def test_finds_beyond_what_their_entry_may_cost_say_so() -> None:
    """The third leak costs what is left, the fourth nothing."""
    costs = costs_of(RUBRIC, [find("leak", 10 * at, 10 * at) for at in range(1, 5)], {})
    assert [(one.points, one.bound) for one in costs.finds] == [
        (2, None),
        (2, None),
        (1, 5),
        (0, 5),
    ]


def test_a_fault_that_gives_way_names_the_other_and_limits_their_causes() -> None:
    """The cap on the sail and the gate on the total say what set them off."""
    costs = costs_of(RUBRIC, [find("damp", 1, 1), find("sunk", 2, 2), find("sunk", 9, 9)], {})
    assert costs.finds == (
        FindCost(beside="sunk"),
        FindCost(points=8),
        FindCost(counted_with=1),
    )
    assert costs.marks["sail"].held == Held(at=3, by="sunk")
    assert costs.marks["hull"].held is None
    assert (costs.sum, costs.held) == (5, Held(at=4, by="hull below 5"))


def test_finds_that_do_not_count_cost_nothing() -> None:
    """Neither one that its check does not bear out, nor one that the rubric lists no more."""
    found = [find("torn", 1, 1, Standing.UNSUPPORTED), find("patched", 2, 2), find("torn", 3, 3)]
    costs = costs_of(RUBRIC, found, {})
    assert costs.finds == (FindCost(), FindCost(), FindCost(points=1))
    blocked = costs_of(RUBRIC, found, {"hull": "cannot_judge"})
    assert (blocked.sum, blocked.held) == (None, None)
