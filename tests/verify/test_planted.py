"""Slips planted in copies of a table that adds up: none is missed, none is invented."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from judgebench.model.published import Published, Slip, SlipKind
from judgebench.rubrics.slips import slips
from judgebench.runs.published import read_published
from judgebench.runs.published_words import Told
from tests.verify.planting import Plant, Scores, plants, with_deductions

DATA = Path(__file__).parent.parent / "data" / "verify" / "scores.json"
SHARED = Path(os.environ.get("JUDGEBENCH_SHARED", Path(__file__).parents[3] / "shared"))
PUBLISHED = SHARED / "data" / "llm-coding-benchmark" / "scores.json"
OWN_CAPS = {
    "first": [{"criterion": "calls", "below": 10, "target": "tests", "cap": 5}],
    "second": [{"criterion": "stream", "below": 4, "target": "tests", "cap": 4}],
}
PUBLISHED_CAPS = {"v2": [{"criterion": "streaming", "below": 5, "target": "payload", "cap": 5}]}
WANTED = {
    SlipKind.SUM: 12,
    SlipKind.RANK: 6,
    SlipKind.TIE: 5,
    SlipKind.TIER: 6,
    SlipKind.CAP: 3,
    SlipKind.TWICE: 5,
    SlipKind.PRICES: 3,
}
"""Forty: so many of each kind."""


def read(data: Scores, folder: Path) -> Published:
    """A copy, as the command reads it."""
    path = folder / "scores.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return read_published(path, Told())


def found_in(data: Scores, folder: Path) -> list[Slip]:
    """All slips of all tables of a copy."""
    return [slip for table in read(data, folder).tables for slip in slips(table)[0]]


def forty(data: Scores) -> list[Plant]:
    """Forty plants, spread over the rows that can carry them."""
    by_kind: dict[SlipKind, list[Plant]] = {}
    for plant in plants(data):
        by_kind.setdefault(plant.kind, []).append(plant)
    return [
        by_kind[kind][round(at * (len(by_kind[kind]) - 1) / (n - 1))]
        for kind, n in WANTED.items()
        for at in range(n)
    ]


def check_all_found(data: Scores, folder: Path) -> None:
    """Every one of forty slips is found, under its kind and its name."""
    planted = forty(data)
    assert Counter(plant.kind for plant in planted) == WANTED
    assert len({id(plant) for plant in planted}) == 40
    missed = [
        (plant.kind, plant.name)
        for plant in planted
        if (plant.kind, plant.name)
        not in {(slip.kind, slip.name) for slip in found_in(plant.data, folder)}
    ]
    assert missed == []


def test_a_table_that_adds_up_has_no_slips(tmp_path: Path) -> None:
    """Sums, tiers, ranks, caps and prices of the tests' own table all follow."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    assert found_in(data, tmp_path) == []
    assert found_in(with_deductions(data, OWN_CAPS), tmp_path) == []


def test_every_one_of_forty_planted_slips_is_found(tmp_path: Path) -> None:
    """Sums, ranks, ties, edges of tiers, a cap, a deduction twice, one finding at two prices."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    check_all_found(with_deductions(data, OWN_CAPS), tmp_path)


def test_a_planted_slip_is_the_only_one_where_nothing_hangs_on_it(tmp_path: Path) -> None:
    """A wrong rank or tier is told once, and no row beside it is accused."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    for plant in plants(data):
        if plant.kind in {SlipKind.RANK, SlipKind.TIE, SlipKind.TIER}:
            (one,) = found_in(plant.data, tmp_path)
            assert (one.kind, one.name) == (plant.kind, plant.name)


@pytest.mark.shared
@pytest.mark.skipif(not PUBLISHED.is_file(), reason="the published scores are not beside the clone")
def test_the_published_scores_add_up(tmp_path: Path) -> None:
    """52 sums, 109 tiers, all official ranks; 11 corrections and 8 second opinions are no slips."""
    found = read_published(PUBLISHED, Told())
    counted: Counter[str] = Counter()
    for table in found.tables:
        told, checked = slips(table)
        assert told == ()
        counted.update(checked)
    assert (counted["sums"], counted["tiers"], counted["ranks"]) == (52, 109, 78)
    kinds = Counter(one.kind for one in found.changed)
    assert kinds == {"correction": 11, "second opinion": 8}
    data = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    assert found_in(with_deductions(data, PUBLISHED_CAPS), tmp_path) == []


@pytest.mark.shared
@pytest.mark.skipif(not PUBLISHED.is_file(), reason="the published scores are not beside the clone")
def test_every_slip_planted_in_copies_of_the_published_scores_is_found(tmp_path: Path) -> None:
    """The same forty, in the table that somebody published."""
    data = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    check_all_found(with_deductions(data, PUBLISHED_CAPS), tmp_path)
