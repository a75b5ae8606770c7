"""Marks of people into the store: every form of a spreadsheet, whole or not at all, once."""

import json
import shutil
from pathlib import Path

import pytest

from tests.marks.space import COLUMNS, Space
from tests.people.runs import axis, calibrated, drawn, sheet

DATA = Path(__file__).parents[1] / "data" / "people"
GOOD = ("01", "05", "11", "15", "19", "20", "22", "25")
BAD = ("08", "09", "10", "12", "13", "14", "16", "23", "24", "27")


@pytest.fixture
def notice(space: Space) -> Space:
    """Run ``n``: one item, two arms, three criteria on a scale of five, one judge."""
    rows = [
        ("wifi", arm, criterion, "gpt", mark)
        for arm, mark in (("east", 4), ("west", 2))
        for criterion in ("clear", "whole", "tone")
    ]
    said = space.judge(
        "import", "marks", space.csv(rows, name="n.csv"), *COLUMNS, "--mark", "mark",
        "--judge", "gpt", "--scale", "1-5",
    )  # fmt: skip
    assert said.code == 0, said.err
    return space


def file(number: str) -> Path:
    """One of the files by its number."""
    (path,) = DATA.glob(f"{number}-*")
    return path


def stored(space: Space) -> int:
    """Marks of people in the store."""
    found = space.ask(
        "SELECT count(*) FROM mark_rows AS m JOIN passes AS p ON m.pass_id = p.pass_id"
        " WHERE p.route = 'people'"
    )
    return int(found[0][0])


@pytest.mark.parametrize("number", GOOD)
def test_good_files_go_in_once(notice: Space, number: str) -> None:
    """The second import of the same file changes nothing and says so."""
    first = notice.judge("calibrate", "runs/n", "--human", file(number))
    assert first.code == 0, first.err
    n = stored(notice)
    second = notice.judge("calibrate", "runs/n", "--human", file(number))
    assert second.code == 0
    assert "nothing changed" in second.err
    assert stored(notice) == n > 0
    assert second.out == first.out
    assert "nan" not in second.out.lower()


@pytest.mark.parametrize("number", BAD)
def test_bad_files_leave_nothing_behind(notice: Space, number: str) -> None:
    """One line on stderr, exit code 2, no mark, no pass, no file on record."""
    said = notice.judge("calibrate", "runs/n", "--human", file(number))
    assert said.code == 2
    assert len(said.err.strip().splitlines()) == 1
    assert "Traceback" not in said.err
    assert stored(notice) == 0
    assert notice.ask("SELECT count(*) FROM human_files")[0][0] == 0
    assert notice.ask("SELECT count(*) FROM passes")[0][0] == 1


def test_the_same_marks_in_another_file_add_nothing(notice: Space, tmp_path: Path) -> None:
    """Twelve marks in two forms stay twelve; a third form with another mark is refused."""
    notice.judge("calibrate", "runs/n", "--human", file("01"))
    again = notice.judge("calibrate", "runs/n", "--human", file("04"))
    assert "0 marks taken in" in again.err
    assert stored(notice) == 12
    other = tmp_path / "other.csv"
    other.write_text("item,arm,rater,criterion,score\nwifi,east,ana,clear,2\n", encoding="utf-8")
    said = notice.judge("calibrate", "runs/n", "--human", other)
    assert said.code == 2
    assert "has 2 where 5 is stored" in said.err
    assert stored(notice) == 12


def test_one_mark_only_is_no_agreement(notice: Space) -> None:
    """All people give one mark: refused with its code, never 1.0 or not-a-number."""
    found = calibrated(notice, "--human", file("15"), run="runs/n")
    for one in found["axes"]:
        assert one["people_alpha"]["code"] == "no_variation"
        assert one["icc_one"]["value"] is None
        assert (one["same"], one["same_pairs"]) == (1.0, 2)
    said = notice.judge("calibrate", "runs/n")
    assert "not shown" in said.out
    words = " ".join(said.out.split())
    assert "cannot be computed: all marks that it rests on are the same" in words
    assert "The same mark: 100 % of 2 pairs." in words


def test_wide_files_name_their_people(notice: Space) -> None:
    """A column a person, with a map for the other columns."""
    said = notice.judge(
        "calibrate", "runs/n", "--human", file("18"), "--raters", "Ana,Ben",
        "--map", "item=Prompt #,arm=Model",
    )  # fmt: skip
    assert said.code == 0, said.err
    assert stored(notice) == 12


def test_unmatched_rows_may_be_left_out_on_purpose(notice: Space) -> None:
    """The count stands on stderr."""
    said = notice.judge("calibrate", "runs/n", "--human", file("23"), "--skip-unmatched")
    assert said.code == 0
    assert "rows that match nothing left out" in said.err


def test_pseudonyms_keep_names_out_of_the_store(notice: Space) -> None:
    """Neither marks nor report hold a name."""
    said = notice.judge("calibrate", "runs/n", "--human", file("01"), "--pseudonyms")
    assert said.code == 0
    labels = {row[0] for row in notice.ask("SELECT label FROM mark_rows")}
    assert not any("ana" in label or "ben" in label for label in labels)
    (page,) = (notice.root / "reports" / "n").glob("*/people.md")
    assert "person-" in page.read_text(encoding="utf-8")


def test_preferences_are_kept_as_comparisons(notice: Space) -> None:
    """Two for east and a tie, read again as they were given."""
    found = calibrated(notice, "--human", file("21"), run="runs/n")
    assert found["axes"] == []
    kept = found["preferences"]
    assert (kept["comparisons"], kept["people"]) == (3, 3)
    (pair,) = kept["pairs"]
    assert (pair["first"], pair["second"], pair["comparisons"]) == ("east", "west", 3)
    more = calibrated(notice, "--human", file("01"), run="runs/n")
    assert more["preferences"]["comparisons"] == 3
    assert len(more["axes"]) == 4


def test_preferences_of_a_run_are_held_against_the_order_of_the_judge(run: Space) -> None:
    """People who choose as the judge marks agree with it fully."""
    rows = []
    totals = {
        (item, arm): total for item, arm, total in run.ask("SELECT item, arm, total FROM judgments")
    }
    for i in range(40):
        a, b = totals[f"q{i}", "sol"], totals[f"q{i}", "kimi"]
        word = "tie" if a == b else ("A" if a > b else "B")
        rows += [(f"q{i}", "sol", "kimi", who, word) for who in ("ana", "ben")]
    path = run.csv(rows, name="prefer.csv", head=("item", "a", "b", "rater", "winner"))
    found = calibrated(run, "--human", path)["preferences"]
    assert found["agreement"]["value"] == 1.0
    assert found["among"]["value"] == 1.0
    assert found["standing"] == "stands_in"
    said = run.judge("calibrate", "runs/r")
    assert "stands in for your people on preferences" in said.out
    assert "The judge orders 100 % of 80 alike" in said.out


def test_a_good_answer_names_the_people_that_it_rests_on(run: Space) -> None:
    """Two people are matched and a third compared too little: all of it is said."""
    rows = []
    totals = {
        (item, arm): total for item, arm, total in run.ask("SELECT item, arm, total FROM judgments")
    }
    for i in range(40):
        a, b = totals[f"q{i}", "sol"], totals[f"q{i}", "kimi"]
        word = "tie" if a == b else ("A" if a > b else "B")
        people = ("ana", "ben", "cho") if i < 3 else ("ana", "ben")
        rows += [(f"q{i}", "sol", "kimi", who, word) for who in people]
    path = run.csv(rows, name="prefer.csv", head=("item", "a", "b", "rater", "winner"))
    calibrated(run, "--human", path)
    said = " ".join(run.judge("calibrate", "runs/r").out.split())
    assert "on preferences (a match for 2 of 2 people; 1 had too few marks)" in said


def test_imported_pairs_are_compared_with_the_judges_own(space: Space) -> None:
    """A run of imported pairs: the judge's comparisons count, not its order of means."""
    rows = [
        (f"q{i}", "x|y", who, kind, 1 if i % 4 else -1)
        for i in range(32)
        for who, kind in (("ana", "human"), ("ben", "human"), ("gpt", "llm"))
    ]
    path = space.csv(rows, name="p.csv", head=("item", "pair", "rater", "kind", "mark"))
    said = space.judge(
        "import", "marks", path, "--item", "item", "--pair", "pair", "--rater", "rater",
        "--rater-kind", "kind", "--mark", "mark",
    )  # fmt: skip
    assert said.code == 0, said.err
    found = calibrated(space, run="runs/p")["preferences"]
    assert found["agreement"]["value"] == 1.0
    assert found["agreement"]["n"] == 64
    assert found["among_decided"]["n"] == 32
    assert found["alt_test"]["winning_rate"] == 1.0
    refused = space.judge("calibrate", "runs/p", "--human", file("20"), "--scale", "1-5")
    assert refused.code == 2


def test_overall_marks_on_another_scale(run: Space) -> None:
    """One to five without criteria: an axis of its own, on the rubric's scale."""
    path = sheet(run, drawn(run, 30), criteria=["overall"])
    found = calibrated(run, "--human", path)
    assert [one["id"] for one in found["axes"]] == ["overall"]
    overall = axis(found, "overall")
    assert overall["counted"]["items"] == 30
    assert overall["beside"]["bias"]["value"] > 0.5


def test_nothing_is_lost_when_the_run_is_asked_again(run: Space) -> None:
    """The stored marks give the same figures as the file did."""
    first = calibrated(run, "--human", sheet(run, drawn(run, 20)))
    assert calibrated(run) == first
    shutil.rmtree(run.root / "reports")
    assert calibrated(run) == first


def test_verify_finds_no_total_missing_of_people(run: Space) -> None:
    """What each of several people said of an answer is kept as marks, and no total is due."""
    path = sheet(run, drawn(run, 6))
    assert run.judge("calibrate", "runs/r", "--human", path, "--blind", "yes").code == 0
    said = run.judge("verify", "runs/r", "--json")
    assert json.loads(said.out)["differences"] == []
    notes = " ".join(json.loads(said.out)["notes"])
    assert "people's marks in pass" in notes
    assert "are not compared: no totals are kept" in notes
    assert said.code == 0


def test_quotes_that_a_shell_left_around_a_column_go(notice: Space) -> None:
    """A column with blanks is named in either kind of quotes, or in none."""
    path = notice.csv(
        [("wifi", "east", "ana", 4)], name="quoted.csv", head=("Case No.", "Model", "who", "score")
    )
    for quote in ('"', "'", ""):
        said = notice.judge(
            "calibrate", "runs/n", "--human", path,
            "--map", f"item={quote}Case No.{quote},arm=Model,rater=who",
        )  # fmt: skip
        assert said.code == 0, said.err
    assert stored(notice) == 1


def test_a_name_that_is_nearly_known_is_asked_for(notice: Space) -> None:
    """A row that matches nothing names what it is most like; people who gave no mark are named."""
    head = ("item", "arm", "rater", "criterion", "score")
    wrong = notice.csv([("wifi", "eastx", "Ana", "clear", 5)], name="w.csv", head=head)
    said = notice.judge("calibrate", "runs/n", "--human", wrong)
    assert "1 row that matches nothing of n (row 2: arm eastx, did you mean east?)" in said.err
    right = notice.csv([("wifi", "east", "Ana", "clear", 5)], name="r.csv", head=head)
    assert notice.judge("calibrate", "runs/n", "--human", right).code == 0
    said = notice.judge("calibrate", "runs/n", "--people", "Zoe")
    assert (said.code, "has no marks by Zoe; there are marks by Ana" in said.err) == (2, True)
