"""Simulated judges: the intervals of a card hold what was planted; a short form."""

import numpy as np
import pytest

from benchmarks.card import measure
from benchmarks.card.figures import FIGURES, USUAL
from benchmarks.card.judges import JUDGES, NOTHING, Planted, draw
from benchmarks.card.measure import GOAL, Row, rows
from benchmarks.card.tables import BEGIN, END, markdown, put
from benchmarks.card.truths import planted, truths
from judgebench.model.nouns import Estimate

RUNS = 40
BY_NAME = {judge.name: judge for judge in JUDGES}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Truths of fewer items are exact enough for forty runs."""
    monkeypatch.setattr("benchmarks.card.truths.ITEMS", 2000)


@pytest.mark.parametrize("name", ["plain", "1–5, four of five marks repeated"])
def test_every_figure_of_a_card_holds_its_truth(name: str) -> None:
    """Forty runs of thirty items: no share of intervals is surely below the goal."""
    found = rows(BY_NAME[name], 30, RUNS)
    assert {row.figure for row in found} == {*FIGURES, measure.CONTROLS}
    below = [row for row in found if row.counts and row.band and row.band[1] < GOAL]
    assert not below


def test_the_usual_interval_of_noise_does_not() -> None:
    """A judge that repeats most marks: χ² holds the truth too seldom, the card's does."""
    judge = BY_NAME["1–5, four of five marks repeated"]
    ours, usual = rows(judge, 100, RUNS, ("re-scoring sd, one criterion", USUAL))
    assert (usual.figure, usual.counts) == (USUAL, False)
    assert usual.share is not None
    assert usual.share < 0.85
    assert ours.share is not None
    assert ours.share >= GOAL


def test_length_is_seldom_blamed_without_a_cause() -> None:
    """At most 7 % of runs in which no length effect was planted, with the Monte-Carlo band."""
    (row,) = rows(NOTHING, 30, 200, ("length",))
    assert row.truth == 0
    assert row.given == 200
    assert row.band is not None
    assert 1 - row.band[1] <= 0.07


def test_planted_leanings_are_what_very_many_items_show() -> None:
    """Where marks stay inside the scale, slope and truth are one."""
    judge = Planted(name="plain")
    big = draw(judge, 3000, np.random.default_rng(8), noted=0)
    for figure in ("place in the list", "length"):
        truth = planted(judge, figure)
        found = FIGURES[figure](big)
        assert isinstance(found, Estimate)
        assert truth == truths(judge)[figure] == pytest.approx(found.value, abs=0.03)
    assert planted(BY_NAME["near the ceiling"], "length") is None
    assert planted(judge, "own family") is None


def _row(held: int, *, judge: str = "plain", counts: bool = True, given: int = 200) -> Row:
    return Row(
        judge=judge, figure="length", items=30, truth=0.25, runs=200, given=given, held=held,
        counts=counts,
    )  # fmt: skip


def test_the_page_names_what_misses() -> None:
    """A miss is bold and listed; what does not count is bold alone; no interval is a dash."""
    found = [
        _row(160),
        _row(190, judge="no leaning"),
        _row(150, judge="odd", counts=False),
        _row(0, judge="none", given=0),
    ]
    assert [row.met for row in found] == [False, True, True, True]
    text = markdown(found, "short")
    assert "1 of 2 cells keep it within the 99 % band, these do not:" in text
    assert "- plain, length: **80.0 (72–86)** at 30 items" in text
    assert "length 5.0 %" in text
    assert text.count("**75.0 (66–82)**") == 1
    assert "| length | 0.250 | – |" in text
    page = put(f"before\n{BEGIN}\nstale\n{END}\nafter\n", text)
    assert page.startswith("before\n")
    assert page.endswith(f"{END}\nafter\n")
    assert "stale" not in page
