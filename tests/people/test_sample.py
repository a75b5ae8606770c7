"""`judge sample`: items drawn with equal chance, kept, and priced."""

import json
import shlex
from collections import Counter

import pytest

from tests.marks.space import COLUMNS, Space
from tests.people.runs import calibrated, drawn, judged, sheet


def test_a_draw_is_kept_with_its_chance(run: Space) -> None:
    """Position, item, chance and arms stand in the store; the same draw again changes nothing."""
    items = drawn(run, 20)
    rows = run.ask("SELECT position, item, probability, arms FROM draws ORDER BY position")
    assert [row[1] for row in rows] == items
    assert {row[2] for row in rows} == {20 / 60}
    assert json.loads(rows[0][3]) == ["sol", "kimi", "terra"]
    again = run.judge("sample", "runs/r", "--items", "20")
    assert "drawn before" in " ".join(again.out.split())
    assert len(run.ask("SELECT item FROM draws")) == 20


def test_after_a_split_a_draw_says_which_side_it_serves(run: Space) -> None:
    """All drawn items are for the report; those for tuning are counted, and in no draw."""
    calibrated(run, "--human", sheet(run, [f"q{at}" for at in range(60)]), "--tune", "0.4")
    apart = {item for (item,) in run.ask("SELECT item FROM label_splits WHERE split = 'tune'")}
    said = run.judge("sample", "runs/r", "--items", "20")
    words = " ".join(said.out.split())
    assert (
        f"For the report: 20. For tuning the rubric: none; its {len(apart)} items are in no draw."
        in words
    )
    assert not apart & set(drawn(run, 20))
    means = run.judge("sample", "runs/r", "--for", "means", "--answers", "30")
    assert "For the report: 30. For tuning the rubric: none" in " ".join(means.out.split())
    refused = run.judge("sample", "runs/r", "--items", "60")
    assert refused.code == 2
    assert f"has {60 - len(apart)} items that all these arms share" in refused.err
    assert "that are not for tuning" in refused.err


def test_one_answer_of_each_arm_buys_no_precision(space: Space) -> None:
    """A run of one item is drawn from, and the page says what corrected means need."""
    judged(space, name="one", items=1)
    said = space.judge("sample", "runs/one", "--for", "means", "--answers", "3")
    assert said.code == 0, said.err
    assert "corrected means need 10" in said.out


def test_a_draw_that_buys_no_interval_names_one_that_does(run: Space) -> None:
    """The larger draw is a command; where the run is too small, that is said in its place."""
    said = " ".join(run.judge("sample", "runs/r", "--items", "5").out.split())
    assert "Next, where there is time for more: judge sample runs/r --items 10 Next" in said
    judged(run, name="few", items=6)
    said = " ".join(run.judge("sample", "runs/few", "--items", "3").out.split())
    assert "need 10 items, and the run has 6: they show how far people and judge agree" in said
    assert "--items 10" not in said


def test_more_items_go_on_from_the_same_draw(run: Space) -> None:
    """Ten more items of the same seed leave the first twenty as they are."""
    assert drawn(run, 30)[:20] == drawn(run, 20)
    assert drawn(run, 20, "--seed", 1) != drawn(run, 20)


def test_every_item_may_be_drawn(run: Space) -> None:
    """Over twelve seeds of half of the items none is never or always drawn."""
    seen = Counter(item for seed in range(12) for item in drawn(run, 30, "--seed", seed))
    assert len(seen) == 60
    assert max(seen.values()) < 12


def test_the_page_says_what_labels_buy(run: Space) -> None:
    """More items are narrower, and the judge helps where it is said to."""
    said = run.judge("sample", "runs/r", "--items", "40", "--arms", "sol,kimi")
    assert said.code == 0
    assert "Mark on each: sol, kimi." in " ".join(said.out.split())
    assert "correlate 0.70, assumed" in " ".join(said.out.split())
    found = json.loads(run.judge("sample", "runs/r", "--items", "40", "--json").out)
    halves = [row["half_width"] for row in found["rows"]]
    assert halves == sorted(halves, reverse=True)
    assert all(row["half_width"] <= row["people_half_width"] for row in found["rows"])
    assert found["spread_from"] == "judge"


def test_answers_of_arms_that_nobody_asked_for_are_not_left_out(run: Space) -> None:
    """Two of three arms that answered all: the draw reaches all that was meant."""
    said = run.judge("sample", "runs/r", "--items", "40", "--arms", "sol,kimi")
    assert "Left out" not in said.out


def test_marks_that_are_there_set_spread_and_correlation(run: Space) -> None:
    """After a first look the plan rests on people."""
    calibrated(run, "--human", sheet(run, drawn(run, 20)))
    found = json.loads(run.judge("sample", "runs/r", "--items", "30", "--json").out)
    assert found["spread_from"] == "people"
    assert found["correlation_known"]
    assert 0 < found["correlation"] < 1


def test_few_items_are_priced_as_far_as_it_goes(space: Space) -> None:
    """A run of two items has no spread of its own, and no corrected figure to buy."""
    judged(space, items=2)
    said = space.judge("sample", "runs/r", "--items", "2")
    assert said.code == 0
    assert "assumed" in said.out
    assert "corrected figures need 10 items" in said.out


@pytest.mark.parametrize(
    ("words", "problem"),
    [(("--items", "61"), "ask for at most 60"), (("--arms", "nobody"), "has no arm nobody")],
)
def test_impossible_draws_are_one_line(run: Space, words: tuple[str, ...], problem: str) -> None:
    """More items than there are, and arms that are none."""
    said = run.judge("sample", "runs/r", *words)
    assert said.code == 2
    assert problem in said.err


def test_a_wished_for_width_draws_the_fewest_items_that_give_it(run: Space) -> None:
    """The last row of what labels buy holds the width; one item less would not."""
    said = json.loads(run.judge("sample", "runs/r", "--width", "0.5", "--json").out)
    number = len(said["items"])
    row = next(row for row in said["rows"] if row["labels"] == number)
    assert row["half_width"] <= 0.5
    less = json.loads(run.judge("sample", "runs/r", "--items", str(number - 1), "--json").out)
    before = next(row for row in less["rows"] if row["labels"] == number - 1)
    assert number > 10
    assert before["half_width"] > 0.5


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--width", "0.01"), "labels on all would give about"),
        (("--width", "1", "--items", "20"), "--width draws items by their number"),
        (("--width", "1", "--for", "means"), "--width draws items by their number"),
        (("--width", "0"), "--width"),
    ],
)
def test_widths_that_cannot_be_had_are_one_line(
    run: Space, words: tuple[str, ...], problem: str
) -> None:
    """Too narrow for all items, a second number, another kind of draw, nothing at all."""
    said = run.judge("sample", "runs/r", *words)
    assert said.code == 2
    assert problem in said.err
    assert said.err.count("\n") == 1
    assert not run.ask("SELECT item FROM draws")


def test_a_width_of_few_items_says_that_they_are_few(space: Space) -> None:
    """Below ten items no label gives a corrected figure."""
    judged(space, items=2)
    said = space.judge("sample", "runs/r", "--width", "1")
    assert said.code == 2
    assert "corrected figures need 10 items" in said.err


def test_items_for_tuning_are_not_drawn(run: Space) -> None:
    """What was set apart stays apart."""
    calibrated(run, "--tune", "0.5")
    tune = {row[0] for row in run.ask("SELECT item FROM label_splits WHERE split = 'tune'")}
    assert tune
    assert not tune & set(drawn(run, 20))


def test_a_draw_asked_for_again_is_the_one_that_is_marked(run: Space) -> None:
    """Of several draws the last that was asked for is the newest, whenever it was first made."""

    def newest() -> str:
        return str(run.ask("SELECT max_by(draw, drawn_at) FROM draws")[0][0])

    drawn(run, 12, "--arms", "sol")
    first = newest()
    drawn(run, 12, "--arms", "sol,kimi")
    assert newest() != first
    said = run.judge("sample", "runs/r", "--items", "12", "--arms", "sol")
    assert "drawn before, the newest again" in " ".join(said.out.split())
    assert newest() == first
    assert len(run.ask("SELECT item FROM draws")) == 24


def test_too_few_items_have_their_minutes_and_buy_nothing_yet(run: Space) -> None:
    """A draw below what figures need says what it costs, beside what ten would buy."""
    said = run.judge("sample", "runs/r", "--items", "5")
    words = " ".join(said.out.split())
    assert "These 5 items, 45 minutes, buy no interval yet: corrected figures need 10" in words
    assert "buy no interval" not in run.judge("sample", "runs/r", "--items", "10").out


def test_a_width_out_of_reach_names_a_command_that_works(space: Space) -> None:
    """The arms that share more items where one has few, and the width that all items give."""
    rows = [
        (f"q{at}", arm, "action", "gpt", 1 + (at * place) % 9)
        for place, (arm, many) in enumerate((("sol", 12), ("kimi", 12), ("terra", 2)), 1)
        for at in range(many)
    ]
    words = (*COLUMNS, "--mark", "mark", "--judge", "gpt", "--scale", "1-10")
    assert space.judge("import", "marks", space.csv(rows, name="r.csv"), *words).code == 0
    for width in ("8", "0.1"):
        short = space.judge("sample", "runs/r", "--width", width)
        assert short.code == 2
        assert "ask for a wider" not in short.err
        way = shlex.split(short.err[short.err.index("--arms") :])
        assert way[1] == "sol,kimi"
        assert space.judge("sample", "runs/r", *way).code == 0
    narrow = space.judge("sample", "runs/r", "--arms", "sol,kimi", "--width", "0.1")
    way = shlex.split(narrow.err[narrow.err.index("--width") :])
    assert space.judge("sample", "runs/r", "--arms", "sol,kimi", *way[:2]).code == 0


def test_a_small_run_is_drawn_whole_where_no_number_is_named(space: Space) -> None:
    """The usual thirty are no demand: a run of eight items gives eight."""
    judged(space, items=8)
    said = space.judge("sample", "runs/r", "--json")
    assert said.code == 0, said.err
    assert len(json.loads(said.out)["items"]) == 8
