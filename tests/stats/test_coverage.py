"""Seeded simulations: the intervals hold what they promise, and what peers print does not."""

import pytest

from benchmarks.coverage.__main__ import BEGIN, END, Measured, put
from benchmarks.coverage.goals import Cell, goal
from benchmarks.coverage.measure import (
    decisions,
    mean_coverage,
    pair_coverage,
    power_found,
)
from benchmarks.coverage.scenarios import SCENARIOS

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}


def band(share: float, runs: int) -> float:
    """Half-width of the 99 % Monte-Carlo band around a share."""
    return float(2.576 * (share * (1 - share) / runs) ** 0.5)


@pytest.mark.parametrize(
    ("name", "n"), [("mid", 5), ("ceiling", 3), ("heavy ties", 3), ("blocked not at random", 10)]
)
def test_paired_difference_covers_94_percent_and_the_bootstrap_does_not(name: str, n: int) -> None:
    """Also at three items, with ties, and where a third of one arm is blocked."""
    found = pair_coverage(BY_NAME[name], n, 800)
    assert found.ours >= 0.94 - band(0.94, found.runs)
    assert found.bootstrap < 0.92
    assert found.bootstrap < found.ours - 0.03


def test_mean_interval_covers_94_percent_where_cells_collapse() -> None:
    """Twelve percent of the cells at the bottom, five items: the bounded interval holds."""
    found = mean_coverage(BY_NAME["zero-inflated"], 5, 300)
    assert found.ours >= 0.94 - band(0.94, found.runs)
    assert found.z < 0.85


@pytest.mark.parametrize(
    ("name", "n"), [("one arm erratic", 6), ("heavy ties", 2), ("zero-inflated", 5), ("mid", 10)]
)
def test_false_above_stays_at_five_percent(name: str, n: int) -> None:
    """Five equal arms, ten pairs: any separated pair is an error; the best one stays in its set."""
    found = decisions(BY_NAME[name], n, 400)
    assert found.false_above <= 0.05 + band(0.05, found.runs)
    assert found.best_kept >= 0.95 - band(0.95, found.runs)


@pytest.mark.parametrize("n", [5, 20])
def test_the_detectable_difference_is_found_in_80_percent(n: int) -> None:
    """Planned at 80 %: 78 to 82 of 100 runs, for one planned pair and for one of ten."""
    found = power_found(BY_NAME["mid"], n, 3000)
    for share in (found.one, found.ten):
        assert 0.78 - band(0.78, found.runs) <= share <= 0.82 + band(0.82, found.runs)


def test_a_goal_is_judged_by_its_worst_cell_within_the_band() -> None:
    """93.4 of 10,000 is within the 99 % band of 94, 93.3 is not; a ceiling turns round."""
    near = Cell(name="a", share=0.934, runs=10_000, bar=0.94, above=True)
    far = Cell(name="b", share=0.933, runs=10_000, bar=0.94, above=True)
    assert goal("x", [near]).met
    assert not goal("x", [near, far]).met
    assert goal("x", [near, far]).worst == "b: 93.3 of 10,000"
    assert goal("x", [Cell(name="c", share=0.055, runs=10_000, bar=0.05, above=False)]).met


def test_tables_begin_with_the_goals() -> None:
    """Whether each goal is met stands above the cells that say so."""
    found = Measured(
        pairs=[pair_coverage(BY_NAME["mid"], 30, 20)],
        means=[mean_coverage(BY_NAME["mid"], 30, 10)],
        decided=[decisions(BY_NAME["mid"], 3, 10)],
        powers=[power_found(BY_NAME["mid"], 10, 40)],
    )
    text = found.markdown("short")
    assert text.count("| met |") + text.count("| **missed** |") == 6
    assert text.index("differences hold") < text.index("| mid | 30 | 20 |")
    assert "one of ten pairs" in text


def test_put_replaces_only_what_stands_between_the_marks() -> None:
    """The rest of the page stays."""
    page = f"# a\n{BEGIN}\nold\n{END}\n# b\n"
    assert put(page, "new") == f"# a\n{BEGIN}\nnew\n{END}\n# b\n"
