"""What needs items is counted in items: cells, arms and repeats of one item carry none of it."""

from pathlib import Path

import numpy as np
import pytest

from judgebench.model.nouns import Refusal
from judgebench.pipeline.jury import rater_cells
from judgebench.pipeline.people.among_people import people_agreement
from tests.marks.space import Space

ARMS = tuple(f"arm{at}" for at in range(12))


def noisy(
    rng: np.random.Generator, *shape: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Whole marks from 2 to 9."""
    return rng.integers(2, 10, shape).astype(np.float64)


@pytest.mark.parametrize(
    ("items", "code"), [(3, "too_few_items"), (9, "too_few_items"), (10, None)]
)
def test_limits_of_agreement_need_ten_items(items: int, code: str | None) -> None:
    """Four arms on three items are twelve cells and three items; the bias stands from three."""
    rng = np.random.default_rng(items)
    found = rater_cells.gaps(noisy(rng, 4, items), noisy(rng, 4, items))
    assert not isinstance(found, Refusal)
    assert not isinstance(found.bias, Refusal)
    assert found.bias.low is not None
    refused = found.limits_refused
    assert (None if refused is None else refused.code) == code
    assert (found.low is None, found.high is None, found.slope is None) == (code is not None,) * 3
    if refused is not None:
        assert (refused.have, refused.need) == (items, 10)


def test_limits_of_agreement_count_clusters_where_items_hang_together() -> None:
    """Twelve items of three clusters are three."""
    rng = np.random.default_rng(1)
    found = rater_cells.gaps(noisy(rng, 4, 12), noisy(rng, 4, 12), np.arange(12) % 3)
    assert not isinstance(found, Refusal)
    refused = found.limits_refused
    assert refused is not None
    assert (refused.code, refused.have) == ("too_few_clusters", 3)


@pytest.mark.parametrize("items", [1, 4, 5])
def test_people_among_themselves_need_five_items(items: int) -> None:
    """Many arms on one item are one item, of alpha and of the intraclass correlation."""
    found = people_agreement(noisy(np.random.default_rng(2), 6, items, 3), identified=True, span=9)
    every = (found.alpha, found.one, found.one_mean, found.absolute)
    refused = [one for one in every if isinstance(one, Refusal)]
    assert len(refused) == (0 if items == 5 else len(every))
    assert {(one.code, one.have, one.need) for one in refused} <= {("too_few_items", items, 5)}


def one_item(space: Space, *, arms: tuple[str, ...] = ARMS) -> None:
    """One item that three raters marked."""
    rows = [
        ("i0", arm, "clear", rater, 2 + (place * 3 + at) % 7)
        for at, rater in enumerate(("meter", "gauge", "scale"))
        for place, arm in enumerate(arms)
    ]
    assert space.take(space.csv(rows), "--scale", "1-10").code == 0


def test_a_page_says_what_is_counted(tmp_path: Path) -> None:
    """Answers of the exact share, items of alpha and of the limits."""
    (tmp_path / "runs").mkdir()
    space = Space(tmp_path)
    one_item(space, arms=("north", "south", "west"))
    said = " ".join(space.judge("agree", "runs/given", "--extended").out.split())
    assert "needs ≥ 5 answers with two marks, have 3" in said
    assert "needs ≥ 5 items with two marks, have 1" in said
    assert "Limits and trend are not printed: needs ≥ 10 items that both marked, have 1" in said


def test_a_panel_that_is_refused_is_compared_with_none(space: Space) -> None:
    """Without a set of best there is no "no": null with a code, and one sentence."""
    one_item(space)
    found = space.json("agree")["left_out"]
    assert [one["same"]["code"] for one in found] == ["too_few_items"] * 3
    assert {one["same"]["value"] for one in found} == {None}
    said = space.judge("agree", "runs/given", "--extended").out
    _, _, part = said.partition("The panel without each judge")
    assert "Neither the arms that may be best by all nor those without one" in part
    assert " no\n" not in part


def test_a_refusal_of_every_pair_is_said_once(space: Space) -> None:
    """Twelve arms are 66 pairs, which all want items."""
    one_item(space)
    said = " ".join(space.judge("agree", "runs/given", "--extended").out.split())
    _, _, part = said.partition("Judges as a sample of judges")
    why = "needs ≥ 3 items where all marked both arms, have 1."
    assert part.lstrip().startswith(f"None of 66 differences is printed: {why}")
    assert "arm0 − arm1" not in part


def test_all_pairs_that_are_refused_alike_are_one_sentence(space: Space) -> None:
    """A page of one item does not grow with the square of its arms."""
    one_item(space)
    said = " ".join(space.judge("table", "runs/given", "--extended").out.split())
    assert "Of 66 pairs none has a difference: needs ≥ 3 items, have 1" in said
    assert "nor a sign flip: needs ≥ 6 items, have 1" in said
    assert "arm0 − arm1" not in said


def test_a_legend_is_whole_and_of_columns_that_are_there(space: Space) -> None:
    """Too long for a line it takes two; without a rank column nothing is said of ranks."""
    rows = [
        (f"i{n}", arm, "clear", "meter", "" if (n + at) % 3 == 0 else 2 + (3 * n + at) % 7)
        for n in range(9)
        for at, arm in enumerate(("north", "south", "west"))
    ]
    assert space.take(space.csv(rows), "--scale", "1-10").code == 0
    said = space.judge("table", "runs/given").out
    (head,) = [line for line in said.splitlines() if " arm " in line and "total" in line]
    assert "rank" not in head
    assert "difference is to ref · ±: 95 % jointly" in said
    assert not [line for line in said.splitlines() if line.endswith("…")]
