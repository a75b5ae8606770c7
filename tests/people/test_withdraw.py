"""Marks of people taken back and given anew: nothing is lost, and nothing counts twice."""

from pathlib import Path

import duckdb
import pytest

from tests.marks.space import Space
from tests.people.runs import axis, calibrated

HEAD = "item,arm,rater,criterion,score\n"


def marks_file(space: Space, name: str, *marks: tuple[str, str, int]) -> Path:
    """A file of marks on grounding by (item, rater, mark), all of the first arm."""
    path = space.root / name
    rows = "".join(f"{item},sol,{who},grounding,{mark}\n" for item, who, mark in marks)
    path.write_text(HEAD + rows, encoding="utf-8")
    return path


def stored(space: Space) -> list[tuple[object, ...]]:
    """Item and mark of people that count."""
    return space.ask(
        "SELECT m.item, m.mark FROM mark_rows AS m JOIN passes AS p ON m.pass_id = p.pass_id"
        " WHERE p.route = 'people' ORDER BY ALL"
    )


def test_a_file_is_taken_back_and_its_marks_stay_on_record(run: Space) -> None:
    """What another file gives too stays; what is gone has its time; a second time is refused."""
    run.judge("calibrate", "runs/r", "--human", marks_file(run, "a.csv", ("q1", "ana", 4),
                                                           ("q2", "ana", 5)))  # fmt: skip
    run.judge("calibrate", "runs/r", "--human", marks_file(run, "b.csv", ("q1", "ana", 4)))
    assert stored(run) == [("q1", 4.0), ("q2", 5.0)]
    said = run.judge("calibrate", "runs/r", "--withdraw", "a.csv")
    assert said.code == 0, said.err
    assert "2 marks of a.csv taken back; 1 of them stand in another file too" in said.err
    assert stored(run) == [("q1", 4.0)]
    kept = run.ask("SELECT item, mark, withdrawn_at IS NULL FROM given_marks ORDER BY entry")
    assert kept == [("q1", 4.0, False), ("q2", 5.0, False), ("q1", 4.0, True)]
    again = run.judge("calibrate", "runs/r", "--withdraw", "a.csv")
    assert again.code == 2
    assert "has no file of marks a.csv; it has: b.csv" in again.err


def test_a_corrected_file_takes_the_place_of_the_old_one(run: Space) -> None:
    """Without --replaces another mark is refused and the way is named; with it both are kept."""
    run.judge("calibrate", "runs/r", "--human", marks_file(run, "a.csv", ("q1", "ana", 4),
                                                           ("q2", "ana", 5)))  # fmt: skip
    new = marks_file(run, "a.csv", ("q1", "ana", 9))
    refused = run.judge("calibrate", "runs/r", "--human", new)
    assert refused.code == 2
    assert "with --replaces FILE" in refused.err
    assert stored(run) == [("q1", 4.0), ("q2", 5.0)]
    found = calibrated(run, "--human", new, "--replaces", "a.csv")
    assert stored(run) == [("q1", 9.0)]
    assert found["labels"]["files"] == ["a.csv"]
    assert found["labels"]["withdrawn"][0].startswith("a.csv (")
    assert axis(found, "grounding")["counted"]["marks"] == 1
    (page,) = (run.root / "reports" / "r").glob("*/people.md")
    assert "Taken back: a.csv (" in page.read_text(encoding="utf-8")


def test_all_marks_may_be_taken_back_and_given_again(run: Space) -> None:
    """A run without marks by people is as before, and the same file goes in anew."""
    path = marks_file(run, "a.csv", ("q1", "ana", 4))
    run.judge("calibrate", "runs/r", "--human", path)
    empty = calibrated(run, "--withdraw", str(path))
    assert empty["needs"]["code"] == "no_human_labels"
    assert empty["labels"]["files"] == []
    assert stored(run) == []
    assert run.judge("calibrate", "runs/r", "--human", path).code == 0
    assert stored(run) == [("q1", 4.0)]


def test_two_files_of_one_name_are_told_apart_by_hash(run: Space) -> None:
    """The message names both beginnings, and one of them will do."""
    for mark, item in ((4, "q1"), (5, "q2")):
        run.judge("calibrate", "runs/r", "--human", marks_file(run, "a.csv", (item, "ana", mark)))
    said = run.judge("calibrate", "runs/r", "--withdraw", "a.csv")
    assert said.code == 2
    assert "has 2 files of marks named a.csv; name one by its hash: " in said.err
    first = said.err.strip().rsplit(": ", 1)[1].split(", ")[0]
    assert run.judge("calibrate", "runs/r", "--withdraw", first).code == 0
    assert len(stored(run)) == 1


def test_marks_of_an_older_database_are_noted_first(run: Space) -> None:
    """Where it is not known which file gave a mark, the file is read once more."""
    path = marks_file(run, "a.csv", ("q1", "ana", 4))
    run.judge("calibrate", "runs/r", "--human", path)
    with duckdb.connect(str(run.root / "judgments" / "judgments.duckdb")) as con:
        con.execute("DELETE FROM given_marks")
    said = run.judge("calibrate", "runs/r", "--withdraw", "a.csv")
    assert said.code == 2
    assert "is of a version that kept no marks by file" in said.err
    run.judge("calibrate", "runs/r", "--human", path)
    assert run.judge("calibrate", "runs/r", "--withdraw", "a.csv").code == 0
    assert stored(run) == []


@pytest.mark.parametrize("name", ["x\x1b[31m.csv", "nothing.csv"])
def test_an_unknown_file_is_one_line(run: Space, name: str) -> None:
    """Control signs of a name reach no terminal."""
    said = run.judge("calibrate", "runs/r", "--withdraw", name)
    assert said.code == 2
    assert len(said.err.strip().splitlines()) == 1
    assert "\x1b" not in said.err


def test_replacing_needs_a_file(run: Space) -> None:
    """--replaces alone is a fault of usage."""
    said = run.judge("calibrate", "runs/r", "--replaces", "a.csv")
    assert said.code == 2
    assert "--replaces needs --human" in said.err
