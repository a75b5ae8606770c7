"""Seeded simulations: the intervals hold what they promise, and what peers print does not."""

import pytest

from benchmarks.coverage.__main__ import BEGIN, END, put
from benchmarks.coverage.measure import decisions, mean_coverage, pair_coverage
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


@pytest.mark.parametrize(("name", "n"), [("one arm erratic", 6), ("heavy ties", 3), ("mid", 10)])
def test_false_above_stays_at_five_percent(name: str, n: int) -> None:
    """Five equal arms, ten pairs: any separated pair is an error; the best one stays in its set."""
    found = decisions(BY_NAME[name], n, 400)
    assert found.false_above <= 0.05 + band(0.05, found.runs)
    assert found.best_kept >= 0.95 - band(0.95, found.runs)


def test_put_replaces_only_what_stands_between_the_marks() -> None:
    """The rest of the page stays."""
    page = f"# a\n{BEGIN}\nold\n{END}\n# b\n"
    assert put(page, "new") == f"# a\n{BEGIN}\nnew\n{END}\n# b\n"
