"""What the data can carry."""

import pytest

from judgebench.model.nouns import Refusal
from judgebench.model.passes import DataLevel
from judgebench.stats import levels
from judgebench.stats.levels import data_level, too_few_items


@pytest.mark.parametrize(
    ("items", "repeats", "judges", "level"),
    [
        (0, 0, 0, DataLevel.E0),
        (0, 3, 2, DataLevel.E0),
        (1, 1, 1, DataLevel.E0),
        (1, 2, 1, DataLevel.E1),
        (1, 1, 2, DataLevel.E1),
        (2, 9, 9, DataLevel.E2),
        (3, 1, 1, DataLevel.E3),
        (5, 1, 1, DataLevel.E3),
        (6, 1, 1, DataLevel.E4),
        (29, 1, 1, DataLevel.E4),
        (30, 1, 1, DataLevel.E5),
    ],
)
def test_data_level_counts_items(items: int, repeats: int, judges: int, level: DataLevel) -> None:
    """Repeats and judges lift one item to E1 and nothing further."""
    assert data_level(items, repeats, judges) is level


def test_data_level_refuses_negative_counts() -> None:
    """A count below zero is a programming fault."""
    with pytest.raises(ValueError, match="negative"):
        data_level(-1, 0, 0)


@pytest.mark.parametrize("items", [0, 1, 2])
@pytest.mark.parametrize("statistic", ["rank", "best", "difference", "total", "alpha", "tier"])
def test_nothing_is_said_about_other_items_below_three(items: int, statistic: str) -> None:
    """One item, or two: no interval, no rank, no winner."""
    assert too_few_items(statistic, items) is not None


def test_what_is_arithmetic_may_always_be_shown() -> None:
    """Marks of what was judged rest on one item."""
    assert too_few_items("marks", 1) is None


def test_each_statistic_begins_at_its_number_of_items() -> None:
    """One item less is refused, that number is not."""
    for statistic, least in levels.LEAST_ITEMS.items():
        assert too_few_items(statistic, least) is None
        assert too_few_items(statistic, least - 1) is not None


def test_unknown_statistics_are_a_fault() -> None:
    """A misspelt name must not be allowed by accident."""
    with pytest.raises(ValueError, match="luck"):
        too_few_items("luck", 9)


def test_too_few_items_says_how_many_are_needed() -> None:
    """One item of three."""
    found = too_few_items("rank", 1)
    assert isinstance(found, Refusal)
    assert (found.code, found.have, found.need) == ("too_few_items", 1, 3)
    assert too_few_items("rank", 3) is None
