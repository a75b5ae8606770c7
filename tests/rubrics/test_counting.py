"""Counting finds: once or each, floors, gates, caps, totals, tiers, published scores."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench.model.deductions import Evidence
from judgebench.model.findings import Checked, Finding, Standing
from judgebench.model.rubric import Rubric
from judgebench.rubrics.counting import Tally, count
from judgebench.rubrics.load import parse_rubric

ROOT = Path(__file__).parent.parent.parent
SHARED = Path(os.environ.get("JUDGEBENCH_SHARED", ROOT.parent / "shared"))
PUBLISHED = SHARED / "data" / "llm-coding-benchmark" / "scores.json"

RUBRIC = parse_rubric(
    """\
kind: deductions
name: hut
version: "1"
criteria:
  - id: walls
    text: Do the walls hold?
    max: 10
    floor: 2
    deductions:
      - {id: fallen, points: 8, when: A wall has fallen.}
      - {id: crack, points: 1.5, when: A wall has a crack., counts: per_find, floor: 5}
      - {id: leaning, points: 3, when: A wall leans., unless: [fallen]}
    other: {points: 1, at_most: 2}
  - id: roof
    text: Does the roof hold?
    max: 5
    deductions:
      - {id: open, points: 5, when: There is no roof., evidence: absent}
      - {id: hole, points: 1, when: There is a hole., counts: per_find}
caps:
  - {finding: fallen, target: roof, cap: 3}
  - {criterion: walls, below: 5, target: roof, cap: 2.5}
gates:
  - {finding: open, cap: 8}
  - {criterion: roof, below: 3, cap: 9}
tiers:
  - {name: good, at_least: 12}
  - {name: poor, at_least: 6}
""",
    Path("hut.yaml"),
)
WHERE = {"fallen": "walls", "crack": "walls", "leaning": "walls", "open": "roof", "hole": "roof"}


def find(
    entry: str,
    first: int = 1,
    last: int | None = None,
    *,
    criterion: str = "",
    standing: Standing = Standing.SUPPORTED,
    path: str = "hut.md",
) -> Checked:
    """A checked find at some lines of a file."""
    last = first if last is None else last
    finding = Finding(
        criterion=criterion or WHERE[entry], entry=entry, evidence=Evidence.PRESENT, path=path
    )
    return Checked(finding=finding, standing=standing, path=path, first=first, last=last)


def marks(tally: Tally) -> list[float | None]:
    """The marks in the rubric's order."""
    return [one.mark for one in tally.marks]


def test_nothing_found_earns_the_maximum() -> None:
    """Each criterion starts at its maximum; the tier follows from the total."""
    tally = count(RUBRIC, [])
    assert marks(tally) == [10, 5]
    assert (tally.sum, tally.total, tally.tier, tally.fired) == (15, 15, "good", ())


def test_an_entry_costs_once_however_often_it_is_found() -> None:
    """`once` means one price, and all finds stand beside it."""
    tally = count(RUBRIC, [find("leaning", 1), find("leaning", 9), find("leaning", 30)])
    charge = tally.mark("walls").charges[0]
    assert (charge.times, charge.points, charge.finds) == (1, 3, (0, 1, 2))
    assert marks(tally) == [7, 5]


def test_an_entry_costs_for_each_place() -> None:
    """Places that overlap are one; another file is another place."""
    finds = [find("hole", 1, 4), find("hole", 3, 6), find("hole", 6, 6), find("hole", 8),
             find("hole", 1, path="b.md")]  # fmt: skip
    tally = count(RUBRIC, finds)
    assert tally.mark("roof").charges[0].times == 3
    assert marks(tally) == [10, 2]


def test_the_floor_of_an_entry_bounds_what_it_costs() -> None:
    """Ten cracks cost five points of ten, since the floor is five; a leaning wall adds to it."""
    cracks = [find("crack", 10 * n) for n in range(10)]
    assert count(RUBRIC, cracks[:2]).mark("walls").deducted == 3
    assert count(RUBRIC, cracks).mark("walls").counted == 5
    assert count(RUBRIC, [*cracks, find("leaning")]).mark("walls").counted == 2


def test_the_floor_of_a_criterion_holds_against_all_entries() -> None:
    """Deductions are kept in full, the mark stops at the floor."""
    tally = count(RUBRIC, [find("fallen"), *(find("crack", 10 * n) for n in range(10))])
    walls = tally.mark("walls")
    assert (walls.deducted, walls.counted) == (13, 2)


def test_the_same_fault_costs_once() -> None:
    """An entry beside the one that it gives way to costs nothing and says so."""
    walls = count(RUBRIC, [find("leaning"), find("fallen")]).mark("walls")
    assert [(c.entry, c.points, c.gives_way_to) for c in walls.charges] == [
        ("fallen", 8, ""),
        ("leaning", 0, "fallen"),
    ]


def test_other_faults_have_a_price_and_a_bound() -> None:
    """Three of them cost two points here; where the rubric has no price, nothing."""
    others = [find("other", 10 * n, criterion="walls") for n in range(3)]
    assert count(RUBRIC, others).mark("walls").mark == 8
    tally = count(RUBRIC, [find("other", criterion="roof")])
    assert tally.mark("roof").mark == 5
    assert tally.mark("roof").charges[0].finds == (0,)


def test_finds_that_do_not_hold_cost_nothing() -> None:
    """Unsupported and unverified ones are kept and free."""
    for standing in (Standing.UNSUPPORTED, Standing.UNVERIFIED):
        tally = count(RUBRIC, [find("fallen", standing=standing)])
        assert tally.total == 15
        assert len(tally.finds) == 1


def test_caps_look_at_marks_before_caps() -> None:
    """The lowest cap holds; gates look at what is left."""
    tally = count(RUBRIC, [find("fallen")])
    assert marks(tally) == [2, 2.5]
    assert tally.mark("roof").counted == 5
    assert (tally.sum, tally.total, tally.tier) == (4.5, 4.5, None)
    assert tally.fired == (
        "fallen holds roof at 3",
        "walls below 5 holds roof at 2.5",
    )


def test_gates_hold_the_total() -> None:
    """The lowest gate that is set off decides the total and its tier."""
    tally = count(RUBRIC, [find("open")])
    assert (tally.sum, tally.total, tally.tier) == (10, 8, "poor")
    assert tally.fired == ("open holds the total at 8", "roof below 3 holds the total at 9")


def test_a_criterion_without_a_mark_leaves_no_total() -> None:
    """A missing mark is neither full nor nothing."""
    tally = count(RUBRIC, [find("hole")], blocked={"walls": "cannot judge"})
    assert marks(tally) == [None, 4]
    assert (tally.sum, tally.total, tally.tier, tally.fired) == (None, None, None, ())


@pytest.mark.parametrize(
    ("finds", "blocked", "said"),
    [
        ([find("crack", criterion="roof")], {}, "roof has no entry crack"),
        ([find("crack", criterion="door")], {}, "door has no entry crack"),
        ([], {"door": "x"}, "no criterion door"),
    ],
)
def test_what_the_rubric_does_not_know_is_refused(
    finds: list[Checked], blocked: dict[str, str], said: str
) -> None:
    """Nothing is dropped in silence."""
    with pytest.raises(ValueError, match=said):
        count(RUBRIC, finds, blocked=blocked)


def test_a_rubric_of_marks_counts_nothing() -> None:
    """There is no catalogue to count by."""
    with pytest.raises(ValueError, match="rubric of marks"):
        count(replace(RUBRIC, deductions=None), [])


def test_no_figure_can_be_set_by_hand() -> None:
    """A total that was not worked out from finds cannot be made."""
    tally = count(RUBRIC, [find("hole")])
    with pytest.raises((ValueError, TypeError)):
        replace(tally, total=15.0)
    with pytest.raises(TypeError):
        Tally(rubric=RUBRIC, finds=(), total=15.0)  # type: ignore[call-arg]  # the point of the test
    assert replace(tally, finds=()).total == 15


half = st.integers(1, 40).map(lambda n: n / 2)


@st.composite
def rubrics(draw: st.DrawFn) -> dict[str, Any]:
    """Plain values of some rubric of deductions."""
    criteria: list[dict[str, Any]] = []
    for i in range(draw(st.integers(1, 4))):
        maximum = draw(half) + 1
        floors = st.integers(0, int(maximum * 2) - 1).map(lambda n: n / 2)
        entries: list[dict[str, Any]] = [
            {
                "id": f"e{i}-{j}",
                "points": draw(half),
                "when": "something is wrong here",
                "counts": draw(st.sampled_from(["once", "per_find"])),
                "floor": draw(floors),
                "unless": [f"e{i}-{j + 1}"] if draw(st.booleans()) else [],
            }
            for j in range(draw(st.integers(1, 3)))
        ]
        entries[-1]["unless"] = []
        price = draw(half)
        criteria.append(
            {
                "id": f"c{i}",
                "text": "Is it good?",
                "max": maximum,
                "floor": draw(floors),
                "deductions": entries,
                "other": {"points": price, "at_most": price + draw(half)},
            }
        )
    whole = sum(one["max"] for one in criteria)
    bars = st.integers(0, int(whole * 2) - 1).map(lambda n: n / 2)
    ids = st.sampled_from([e["id"] for c in criteria for e in c["deductions"]])
    target = draw(st.sampled_from(criteria))
    return {
        "kind": "deductions",
        "name": "made",
        "criteria": criteria,
        "caps": [{"finding": draw(ids), "target": target["id"], "cap": target["floor"]}],
        "gates": [
            {"finding": draw(ids), "cap": draw(bars)},
            {"criterion": target["id"], "below": target["max"], "cap": draw(bars)},
        ],
        "tiers": [{"name": "top", "at_least": draw(bars)}],
    }


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_totals_add_up(data: st.DataObject) -> None:
    """Whatever is found: marks are maxima minus charges, totals are sums under the gates."""
    plain = data.draw(rubrics())
    rubric = parse_rubric(yaml.safe_dump(plain), Path("made.yaml"))
    ids = {e["id"]: c["id"] for c in plain["criteria"] for e in c["deductions"]}
    known = [*ids.items(), *(("other", c["id"]) for c in plain["criteria"])]
    finds = [
        find(entry, data.draw(st.integers(1, 20)), criterion=criterion, standing=standing)
        for entry, criterion in data.draw(st.lists(st.sampled_from(known), max_size=12))
        for standing in [data.draw(st.sampled_from(list(Standing)))]
    ]
    tally = count(rubric, finds)
    rules = rubric.deductions
    assert rules is not None
    assert tally.sum is not None
    assert tally.total is not None
    assert sum(mark or 0 for mark in marks(tally)) == tally.sum
    assert 0 <= tally.total <= tally.sum <= rules.maximum
    assert (tally.tier == "top") == (tally.total >= rubric.tiers[0].at_least)
    for one in tally.marks:
        assert one.deducted == sum(charge.points for charge in one.charges)
        assert one.counted == max(one.floor, one.maximum - one.deducted)
        assert one.mark == (one.counted if one.held_at is None else min(one.counted, one.held_at))
        for charge in one.charges:
            assert 0 <= charge.points <= charge.bound
            assert all(finds[place].counts for place in charge.finds)
    shuffled = data.draw(st.permutations(finds))
    assert count(rubric, shuffled).total == tally.total
    held = [one for one in finds if one.counts]
    assert count(rubric, held).total == tally.total


def published() -> dict[str, Any]:
    """Scores that somebody else published, or a reason to skip."""
    if not PUBLISHED.is_file():
        pytest.skip("the published scores are not part of the product; set JUDGEBENCH_SHARED")
    data: dict[str, Any] = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    return data


def lost_points(version: str, facts: dict[str, Any]) -> Rubric:
    """A published rubric with one entry a dimension: a point that was lost."""
    plain = {
        "kind": "deductions",
        "name": version,
        "criteria": [
            {
                "id": name,
                "text": "Points that a published audit took off.",
                "max": maximum,
                "deductions": [
                    {"id": f"lost-{name}", "points": 1, "when": "a point", "counts": "per_find"}
                ],
            }
            for name, maximum in facts["dims"].items()
        ],
        "tiers": [{"name": t, "at_least": low} for t, (low, _) in facts["tiers"].items()],
    }
    return parse_rubric(yaml.safe_dump(plain, sort_keys=False), Path(f"{version}.yaml"))


def test_published_totals_are_reproduced() -> None:
    """All 52 records with every dimension give the published total and tier."""
    data = published()
    n = 0
    for version, facts in data["rubrics"].items():
        rubric = lost_points(version, facts)
        for record in data["records"]:
            if record["rubric"] != version or set(record["dims"]) != set(facts["dims"]):
                continue
            finds = [
                find(f"lost-{name}", point + 1, criterion=name)
                for name, maximum in facts["dims"].items()
                for point in range(maximum - record["dims"][name])
            ]
            tally = count(rubric, finds)
            assert marks(tally) == [record["dims"][name] for name in facts["dims"]]
            assert (tally.total, tally.tier) == (record["total"], record["tier"]), record["slug"]
            n += 1
    assert n == 52
