"""What is said of a file of marks after it was taken in: names, blindness; and marks alone."""

from pathlib import Path

import pytest

from tests.marks.space import Space
from tests.people.runs import judged


def marks(space: Space, name: str, *raters: str) -> Path:
    """A sheet of marks as a whole; without raters no column names anybody."""
    rows = [
        (item, arm, *([rater] if rater else []), 3 + at + 2 * place)
        for place, rater in enumerate(raters or ("",))
        for at, (item, arm) in enumerate(places(space))
    ]
    head = ("item", "arm", *(["rater"] if raters else []), "mark")
    return space.csv(rows, name=name, head=head)


def places(space: Space) -> list[tuple[str, str]]:
    """Three answers of the run."""
    found = space.ask("SELECT DISTINCT item, arm FROM mark_rows ORDER BY ALL LIMIT 3")
    return [(item, arm) for item, arm in found]


def people(space: Space) -> list[str]:
    """Persons whose marks count."""
    found = space.json("calibrate", run="runs/r")
    return sorted(found["labels"]["people"])


def test_a_file_without_names_is_said_to_be_one_person(run: Space) -> None:
    """Where no column names anybody, the line says whose the marks are taken for."""
    said = run.judge("calibrate", "runs/r", "--human", marks(run, "plain.csv"))
    assert "no column names anybody: all are of one person, person" in said.err


def test_the_same_marks_with_names_do_not_count_twice(run: Space) -> None:
    """They are refused beside the nameless file, and go in in its place."""
    run.judge("calibrate", "runs/r", "--human", marks(run, "plain.csv"))
    named = marks(run, "named.csv", "ana", "ben")
    said = run.judge("calibrate", "runs/r", "--human", named)
    assert (said.code, "--replaces plain.csv" in said.err) == (2, True), said.err
    said = run.judge("calibrate", "runs/r", "--human", named, "--replaces", "plain.csv")
    assert said.code == 0, said.err
    assert people(run) == ["ana", "ben"]
    said = run.judge("calibrate", "runs/r", "--human", marks(run, "bare.csv"))
    assert "names nobody, and its marks stand in named.csv" in said.err
    assert people(run) == ["ana", "ben"]


@pytest.mark.parametrize("more", [(), ("--replaces", "named.csv")])
def test_blindness_is_noted_later(run: Space, more: tuple[str, ...]) -> None:
    """The same file with --blind changes what is known of it, and no mark."""
    named = marks(run, "named.csv", "ana", "ben")
    run.judge("calibrate", "runs/r", "--human", named)
    assert run.json("calibrate", run="runs/r")["labels"]["blind"] == "unknown"
    said = run.judge("calibrate", "runs/r", "--human", named, "--blind", "yes", *more)
    assert said.code == 0, said.err
    assert "was taken in before: now noted: blind yes" in said.err
    assert run.json("calibrate", run="runs/r")["labels"]["blind"] == "yes"
    again = run.judge("calibrate", "runs/r", "--human", named)
    assert "nothing changed" in again.err
    assert run.json("calibrate", run="runs/r")["labels"]["blind"] == "yes"


def test_single_answers_of_a_small_run(space: Space) -> None:
    """Fewer than the usual thirty an arm: what there is is drawn, and that is said."""
    judged(space, items=12)
    said = space.judge("sample", "runs/r", "--for", "means")
    assert said.code == 0, said.err
    assert "30 an arm are usual; here an arm has fewer." in said.out
    found = space.json("sample", "--for", "means", run="runs/r")
    assert {one["answers"] for one in found["arms"]} == {12}
    too_many = space.judge("sample", "runs/r", "--for", "means", "--answers", "900")
    assert "at most 12 of each arm" in too_many.err


def imported(space: Space, *words: object) -> str:
    """Marks of two raters as a run; what the command printed."""
    rows = [
        (f"i{item}", arm, "clear", rater, 5 + (item + at) % 3)
        for item in range(6)
        for arm in ("north", "south")
        for at, rater in enumerate(("ana", "ben"))
    ]
    said = space.take(space.csv(rows), "--scale", "1-9", *words)
    assert said.code == 0, said.err
    return said.out


def test_an_import_says_what_its_raters_are(space: Space) -> None:
    """Raters of no named kind are judges, and the first line says so and how they are not."""
    first = imported(space).splitlines()[0]
    assert first == "raters are judges; --rater-kind human where they are people"


def test_one_word_makes_all_raters_people(space: Space) -> None:
    """--rater-kind human needs no column, and agree then compares the people."""
    assert "raters are judges" not in imported(space, "--rater-kind", "human")
    assert [one["name"] for one in space.json("agree")["raters"]] == ["ana", "ben"]


def test_passes_of_an_import_count_their_marks(space: Space) -> None:
    """Nothing was asked of them: the list has the marks that were taken in, not 0/0."""
    imported(space, "--rater-kind", "human")
    shown = space.judge("table", "runs/given", "--passes").out
    assert "24 marks" in shown
    assert "0/0" not in shown
    assert space.json("table", "--passes")["marks"] == [24]


def test_marks_alone_cannot_be_judged(space: Space) -> None:
    """Score, calibrate and biases say that these are marks alone, and which commands read them."""
    imported(space, "--rater-kind", "human")
    said = space.judge("score", "runs/given")
    assert "holds marks alone: there are no answers to judge; judge table" in said.err
    for command in ("calibrate", "biases"):
        said = space.judge(command, "runs/given")
        assert "judge agree holds the people against each other" in said.err
        assert "judge score" not in said.err


@pytest.mark.parametrize("command", ["verify", "agree", "table", "calibrate", "sample"])
def test_a_run_that_is_nowhere_cannot_be_judged_first(space: Space, command: str) -> None:
    """Advice to judge a run stands only where there is a folder to judge."""
    imported(space)
    said = space.judge(command, "runs/nowhere")
    assert "is not there, and nothing is stored of it" in said.err
    assert "judge score" not in said.err
    (space.root / "runs" / "nowhere").mkdir(parents=True)
    assert "judge score" in space.judge(command, "runs/nowhere").err
