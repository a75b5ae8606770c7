"""`judge import marks`: from a file to a table, all of it or nothing."""

import json
import math
import re
from pathlib import Path

import pytest

from judgebench.store.files import export_parquet
from judgebench.text import one_line
from tests.marks.space import AGAIN, COLUMNS, Space, grid


def test_a_csv_of_marks_becomes_a_table_that_says_what_it_is(space: Space) -> None:
    """The first line says that outputs were not checked; means are those of the file."""
    said = space.take(space.csv(grid()), "--scale", "1-10")
    assert said.code == 0, said.err
    assert "2 arms, 8 items, 32 marks, scale 1 to 10" in said.out
    shown = space.judge("table", "runs/given")
    assert shown.out.splitlines()[0] == "marks only: outputs were not checked"
    assert "reproducible" not in shown.out
    assert "judge power runs/given" in shown.out
    rows = {arm["arm"]["id"]: arm for arm in space.table()["arms"]}
    assert rows["north"]["mean"] == pytest.approx(7 + 7 / 8)
    assert rows["north"]["answered"] == 8
    assert not (space.root / "runs" / "given").exists()


def test_csv_jsonl_and_parquet_of_the_same_marks_give_the_same_figures(space: Space) -> None:
    """The form of the file changes no figure."""
    rows = grid()
    names = ("item", "arm", "criterion", "rater", "mark")
    files = [
        space.csv(rows),
        space.jsonl(dict(zip(names, row, strict=True)) for row in rows),
        space.root / "marks.parquet",
    ]
    export_parquet(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)), files[2])
    found = []
    for number, path in enumerate(files):
        run = f"runs/form{number}"
        assert space.take(path, "--scale", "1-10", run=run).code == 0
        table = space.table(run=run)
        found.append([(arm["arm"]["id"], arm["mean"], arm["difference"]) for arm in table["arms"]])
    assert found[0] == found[1] == found[2]


def test_a_second_import_of_the_same_file_changes_nothing(space: Space) -> None:
    """The database holds the same rows, and the command says so."""
    path = space.csv(grid())
    first = space.take(path, "--scale", "1-10")
    before = space.ask("SELECT * FROM mark_rows ORDER BY ALL")
    again = space.take(path, "--scale", "1-10")
    assert "already there, nothing changed" not in first.out
    assert "already there, nothing changed" in again.out
    assert space.ask("SELECT * FROM mark_rows ORDER BY ALL") == before


def test_other_marks_never_replace_those_of_a_run(space: Space) -> None:
    """A run keeps what it holds; another file needs another name."""
    space.take(space.csv(grid()), "--scale", "1-10")
    said = space.take(space.csv(grid(items=5), name="b.csv"), "--scale", "1-10")
    assert said.code == 2
    assert said.err.endswith("holds other marks already; take --to runs/given-2\n")
    assert len(space.ask("SELECT * FROM items")) == 8


def test_a_folder_is_never_taken_for_a_run_of_marks(space: Space) -> None:
    """Where a run folder lies, marks are refused."""
    (space.root / "runs" / "given").mkdir()
    said = space.take(space.csv(grid()))
    assert (said.code, "exists already" in said.err) == (2, True)


def test_no_mark_is_blocked_and_never_a_number(space: Space) -> None:
    """An empty cell, a null and a not-a-number are blocked as no_verdict."""
    rows: list[dict[str, object]] = [
        {"item": f"i{i}", "arm": arm, "criterion": "c", "rater": "m", "mark": 5 + i % 2}
        for i in range(4)
        for arm in ("a", "b")
    ]
    rows[0]["mark"] = None
    rows[3]["mark"] = math.nan
    said = space.take(space.jsonl(rows), "--scale", "1-10")
    assert "no mark in 2 rows: blocked as no_verdict" in said.out
    table = space.table()
    reasons = {
        arm["arm"]["id"]: [(b["reason"], b["count"]) for b in arm["judge_blocked"]]
        for arm in table["arms"]
    }
    assert reasons == {"a": [("no_verdict", 1)], "b": [("no_verdict", 1)]}
    assert sum(arm["answered"] for arm in table["arms"]) == 6
    assert "2 judgments blocked" not in space.judge("table", "runs/given").out
    assert "judgments blocked 2" in space.judge("table", "runs/given").out
    space.judge("report", "runs/given")
    text = next(space.root.glob("reports/given/*/report.md")).read_text(encoding="utf-8")
    # Once, without the same again as an example.
    assert "a, 1 judgment blocked, no_verdict: the imported file holds no mark here.\n" in text
    html = next(space.root.glob("reports/given/*/report.html")).read_text(encoding="utf-8")
    assert "Marks alone were imported: there are no texts and no replies." in html
    for words in ("as the judge was sent it", "No reply on record", "links to the answers"):
        assert words not in html
    assert "Fairness settings" not in text
    assert "Blinding" not in text


def test_marks_off_the_scale_are_counted_left_out_and_warned_of(space: Space) -> None:
    """A mark outside of the scale moves no mean."""
    rows = [list(row) for row in grid()]
    rows[0][4], rows[6][4] = 99, -1
    said = space.take(space.csv(rows), "--scale", "1-10")
    assert "off the scale: 2 marks, left out" in said.out
    table = space.table()
    flag = next(one for one in table["warnings"] if one["code"] == "off_scale")
    assert flag["facts"] == {"marks": 2, "of": 30}
    assert "! left out: 2 marks outside of the scale" in space.judge("table", "runs/given").out
    assert max(arm["mean"] for arm in table["arms"]) < 10
    assert {arm["answered"] for arm in table["arms"]} == {7}


def test_people_are_kept_apart_from_models(space: Space) -> None:
    """Each model is a pass; people are one pass in which every person is a repeat."""
    rows = [
        (*row, "human" if str(row[3]).startswith("p") else "llm")
        for row in grid(raters=("p1", "m1", "p2", "m2"))
    ]
    path = space.csv(rows, head=("item", "arm", "criterion", "rater", "mark", "kind"))
    said = space.take(path, "--scale", "1-10", "--rater-kind", "kind")
    assert [line.split()[-1] for line in said.out.splitlines() if line.startswith("  ")] == [
        "m1", "m2", "people",
    ]  # fmt: skip
    assert space.table()["judging"]["judge_name"] == "m1"
    people = space.table("--pass", "people")
    assert (people["judging"]["route"], people["counts"]["repeats"]) == ("people", 2)
    assert all(one["code"] != "one_judge" for one in people["warnings"])
    shown = space.judge("table", "runs/given", "--pass", "people").out
    assert "2 items · 2 criteria · people" not in shown
    assert "people · up to 2 marks each" in shown
    assert "marks of people, imported" in shown
    labels = {label for (label,) in space.ask("SELECT DISTINCT label FROM mark_rows")}
    assert labels == {"p1", "p2", "m1", "m2"}


def test_judge_names_the_models_where_no_column_does(space: Space) -> None:
    """With --judge all other raters are people; an unknown one is refused."""
    path = space.csv(grid(raters=("ann", "model")))
    said = space.take(path, "--judge", "nobody")
    assert (said.code, "has no rater nobody (it has: ann, model)" in said.err) == (2, True)
    space.take(path, "--scale", "1-10", "--judge", "model")
    found = space.ask("SELECT judge_name, route FROM passes ORDER BY ordinal")
    assert found == [("model", "marks"), ("people", "people")]


def test_a_model_may_be_named_people(space: Space) -> None:
    """A rater's name cannot mix a model with persons."""
    rows = [(*row, "llm") for row in grid(raters=("people",))]
    rows += [(*row, "human") for row in grid(raters=("ann",))]
    path = space.csv(rows, head=("item", "arm", "criterion", "rater", "mark", "kind"))
    assert space.take(path, "--scale", "1-10", "--rater-kind", "kind").code == 0
    found = space.ask("SELECT route, count(*) FROM passes GROUP BY route ORDER BY route")
    assert found == [("marks", 1), ("people", 1)]


def test_the_same_rater_twice_on_a_cell_is_a_repeat_where_a_column_says_so(space: Space) -> None:
    """Both marks count, averaged within the cell."""
    rows = [(*row, 1) for row in grid()]
    rows += [("i0", "north", "clear", "meter", 3, 2), ("i0", "north", "true", "meter", 3, 2)]
    said = space.take(space.csv(rows, head=AGAIN), "--scale", "1-10", "--scoring", "again")
    assert said.code == 0, said.err
    assert space.table()["counts"]["repeats"] == 2
    found = space.ask(
        "SELECT repeat, total FROM judgments WHERE item = 'i0' AND arm = 'north' ORDER BY repeat"
    )
    assert found == [(1, 7.0), (2, 3.0)]


def test_a_row_that_stands_twice_counts_once(space: Space) -> None:
    """The same mark again is no second scoring, nor is a blank beside a mark; both are reported."""
    rows = list(grid())
    item, arm, criterion, rater, _ = rows[0]
    rows += [rows[0], rows[1], (item, arm, criterion, rater, "")]
    said = space.take(space.csv(rows), "--scale", "1-10")
    assert said.code == 0, said.err
    assert f"{len(rows) - 3} marks" in said.out
    assert "counted once: 3 rows that add no other mark" in said.out
    assert space.table()["counts"]["repeats"] == 1


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_two_marks_of_one_rater_are_no_mean(space: Space, suffix: str) -> None:
    """Both lines are named, the other ones counted, and nothing is written."""
    rows = [*grid(), ("i0", "north", "clear", "meter", 3), ("i0", "north", "true", "meter", 3)]
    head = ("item", "arm", "criterion", "rater", "mark")
    table = [dict(zip(head, row, strict=True)) for row in rows]
    path = space.csv(rows) if suffix == "csv" else space.jsonl(table)
    said = space.take(path, "--scale", "1-10")
    header = suffix == "csv"
    first = 1 + next(at for at, row in enumerate(rows) if row[:3] == rows[-2][:3]) + header
    assert said.code == 2
    assert (
        f":{len(rows) - 1 + header}: marks otherwise what line {first} marks (item i0" in said.err
    )
    assert "1 more row does so; keep one of the two" in said.err
    assert not (space.root / "judgments" / "judgments.duckdb").exists() or not space.ask(
        "SELECT * FROM passes"
    )


def test_a_second_mark_without_a_rater_is_nobodys(space: Space) -> None:
    """Where no column says who, the same mark twice may be two people's."""
    path = space.csv([("i", "a", 3), ("i", "b", 4), ("i", "a", 3)], head=("item", "arm", "mark"))
    said = space.judge("import", "marks", path, "--item", "item", "--arm", "arm", "--mark", "mark")
    assert said.code == 2
    assert ":4: marks a second time what line 2 marks, and no column says who" in said.err


def test_a_comparison_told_from_its_other_side_is_the_same_one(space: Space) -> None:
    """A before B, A wins, and B after A, B loses: once; with another winner it is refused."""
    head = ("item", "a", "b", "order", "who", "mark")
    rows = [("q1", "red", "blue", "AB", "ann", 1), ("q1", "blue", "red", "BA", "ann", -1)]
    words = ("--item", "item", "--arm-a", "a", "--arm-b", "b", "--order", "order", "--rater", "who")
    path = space.csv(rows, head=head)
    said = space.judge("import", "marks", path, "--to", "runs/given", *words, "--mark", "mark")
    assert "counted once: 1 row" in said.out, said.err
    path = space.csv([rows[0], (*rows[1][:5], 1)], head=head, name="other.csv")
    said = space.judge("import", "marks", path, *words, "--mark", "mark")
    assert "marks otherwise what line 2 marks" in said.err


PAIRS = [
    ("q1", "red", "blue", "AB", 1),
    ("q1", "red", "blue", "BA", 0),
    ("q2", "red", "blue", "12", 1),
    ("q2", "blue", "green", "", -1),
    ("q3", "red", "green", "2", None),
    ("q3", "red", "blue", "first", -1),
    ("q4", "green", "red", "B", -1),
]


def test_pairs_become_shares_of_comparisons_won(space: Space) -> None:
    """1 is a win of A, 0 half of one, −1 a win of B; order is kept with the rater."""
    path = space.csv(PAIRS, head=("item", "a", "b", "order", "mark"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm-a", "a",
        "--arm-b", "b", "--order", "order", "--mark", "mark",
    )  # fmt: skip
    assert said.code == 0, said.err
    assert "3 arms, 4 items, 6 comparisons\n" in said.out
    assert "read as: 1 the first of the pair won, 0 a tie, -1 the second won" in said.out
    assert "scale" not in said.out
    table = space.table()
    means = {arm["arm"]["id"]: arm["mean"] for arm in table["arms"]}
    # red: q1 (1 + ½)/2, q2 1, q3 0, q4 1.
    assert means["red"] == pytest.approx((0.75 + 1 + 0 + 1) / 4)
    assert means["green"] == pytest.approx((1 + 0) / 2)
    labels = space.ask("SELECT arm, label, mark FROM mark_rows WHERE item = 'q1' ORDER BY ALL")
    assert labels == [
        ("blue", "rater first", 0.5),
        ("blue", "rater second", 0.0),
        ("red", "rater first", 1.0),
        ("red", "rater second", 0.5),
    ]


def test_a_column_may_hold_both_arms(space: Space) -> None:
    """``A|B`` in one column is a pair."""
    path = space.csv([("q1", "x|y", 1), ("q2", "y|x", 1)], head=("item", "both", "mark"))
    words = ("import", "marks", path, "--to", "runs/given", "--item", "item", "--pair", "both")
    assert space.judge(*words, "--mark", "mark").code == 0
    assert {arm["arm"]["id"]: arm["mean"] for arm in space.table()["arms"]} == {"x": 0.5, "y": 0.5}


def test_a_part_of_the_file_can_be_taken(space: Space) -> None:
    """--keep takes only rows with this value."""
    space.take(space.csv(grid()), "--scale", "1-10", "--keep", "criterion=clear")
    assert [name for name, *_ in space.table()["criteria"]] == ["clear"]


def test_odd_names_of_criteria_become_ids(space: Space) -> None:
    """Blanks, reserved words and equal names do not hinder an import."""
    rows = [
        (f"i{i}", arm, criterion, "m", 1 + (i + place) % 4)
        for i in range(4)
        for arm in "ab"
        for place, criterion in enumerate(("Is it true?", "Is it TRUE!", "score", "…", "-x"))
    ]
    assert space.take(space.csv(rows), "--scale", "1-5").code == 0
    names = [name for name, *_ in space.table()["criteria"]]
    assert names == ["Is-it-true", "Is-it-TRUE-2", "c-score", "criterion", "x"]


def test_an_open_scale_of_long_fractions_is_taken(space: Space) -> None:
    """Reward scores on no fixed scale go in; the scale is what the marks span."""
    rows = [
        (f"i{i}", arm, "reward", "m", (-1) ** i * math.pi * i + len(arm) / 7)
        for i in range(9)
        for arm in ("a", "bb")
    ]
    said = space.take(space.csv(rows))
    assert said.code == 0, said.err
    assert "taken from the marks; --scale names it" in said.out


BAD = [
    ([("i", "a", "c", "m", "good")], (), ":2: mark is good, which is no number"),
    ([("i", "a", "c", "m", "1_0")], (), ":2: mark is 1_0, which is no number"),
    (
        [("i", "a", "c", "m", "10,5")],
        (),
        ":2: mark is 10,5, with a comma; write decimals",
    ),
    (
        [("i", "a", "c", "m", "1e308")],
        (),
        ":2: mark is 1e308, and a mark lies between -1000000 and 1000000",
    ),
    (
        [("i", "a", "c", "m", "-1000001")],
        (),
        ":2: mark is -1000001, and a mark lies between -1000000 and 1000000",
    ),
    ([("i", "a", "c", "m", 3), ("", "a", "c", "m", 3)], (), ":3: item "),
    ([("i", "a", "c", "m", 3)], (), "holds no two different marks"),
    ([], (), "holds no marks"),
    ([("i", "a", "c", "m", 3)], ("--scale", "5"), "--scale is 5; write LOW-HIGH"),
    ([("i", "a", "c", "m", 3)], ("--scale", "5-1"), "--scale is 5-1; write LOW-HIGH"),
    ([("i", "a", "c", "m", 3)], ("--scale", "1.2.3-4"), "write LOW-HIGH"),
    ([("i", "a", "c", "m", 3)], ("--scale", "0-" + "9" * 400), "write LOW-HIGH"),
    ([("i", "a", "c", "m", 3)], ("--rater-kind", "item"), ":2: kind of rater is i; use one of"),
    ([("i", "a", "c", "m", 3)], ("--order", "item"), "has single marks, and --order is for pairs"),
    ([("i", "a", "c", "m", "-" + "9" * 400)], (), "and a mark lies between"),
    ([("i", "a", "c", "m", "inf")], (), ":2: mark is inf, which is no number"),
    ([("i", "a", "c", "m", 0), ("j", "a", "c", "m", 1e-320)], (), "lie 1e-320 apart at most"),
    ([("i", "a", "c", "m", 0)], ("--scale", "0-0.01"), "at least 0.1"),
    ([("i", "a", "c", "m", 3)], ("--pair", "item"), "needs one way to the arms (--arm, or"),
    ([("i", "a", "c", "m", 3)], ("--keep", "item"), "--keep takes COL=VALUE"),
    ([("i", "a", "c", "m", 3)], ("--keep", "no=1"), "has no column no (it has: arm, criterion"),
    ([("i", "a", "c", "m", 3)], ("--map", "item=x"), "--map and --repeat do not go with"),
    ([(f"i{n}", "a", f"c{n}", "m", n) for n in range(41)], (), "has 41 criteria"),
]


@pytest.mark.parametrize(("rows", "words", "message"), BAD, ids=range(len(BAD)))
def test_what_cannot_be_taken_is_refused_in_one_line(
    space: Space, rows: list[tuple[object, ...]], words: tuple[str, ...], message: str
) -> None:
    """Exit code 2, one line that says where and what to do, and nothing is stored."""
    said = space.take(space.csv(rows), *words)
    assert said.code == 2
    assert message in said.err
    assert said.err.count("\n") == 1
    database = space.root / "judgments" / "judgments.duckdb"
    assert not database.exists() or space.ask("SELECT * FROM runs") == []


def pair_fault(space: Space, rows: list[tuple[object, ...]]) -> str:
    """The message with which pairs are refused."""
    path = space.csv(rows, head=("item", "pair", "order", "mark"))
    said = space.judge(
        "import", "marks", path, "--item", "item", "--pair", "pair", "--order", "order",
        "--mark", "mark",
    )  # fmt: skip
    assert said.code == 2
    return said.err


def test_pairs_that_are_none_are_refused(space: Space) -> None:
    """One arm, an arm with itself, an order that says nothing."""
    assert "pair is a; write both arms as A|B" in pair_fault(space, [("i", "a", "", 1)])
    assert "pair is a|b|c" in pair_fault(space, [("i", "a|b|c", "", 1)])
    assert "compares a with itself" in pair_fault(space, [("i", "a|a", "", 1)])
    assert ":3: order is up" in pair_fault(space, [("i", "a|b", "", 1), ("i", "a|b", "up", 1)])


def test_values_that_are_no_single_value_are_refused(space: Space) -> None:
    """A list, an object and a truth value in a JSON line are named with the line."""
    good = {"item": "i", "arm": "a", "criterion": "c", "rater": "m", "mark": 3}
    for value, message in ((True, "mark is True"), ([1], "holds a list"), ({}, "holds a list")):
        said = space.take(space.jsonl([good, good | {"mark": value}]))
        assert (said.code, f":2: {message}" in said.err) == (2, True), said.err


def test_a_key_that_no_line_has_is_a_missing_column(space: Space) -> None:
    """A JSON line without a mark has none; a mark that all lack is a mistake."""
    rows: list[dict[str, object]] = [
        {"item": f"i{i}", "arm": arm, "criterion": "c", "rater": "m"}
        for i in range(3)
        for arm in "ab"
    ]
    said = space.take(space.jsonl(rows), "--scale", "1-5")
    assert "has no column mark (it has: arm, criterion, item, rater)" in said.err
    rows[-1] |= {"mark": 3}
    assert "no mark in 5 rows" in space.take(space.jsonl(rows), "--scale", "1-5").out


def test_files_that_are_none_are_refused(space: Space) -> None:
    """Missing, of another kind, or not what the name says."""
    assert "is no file" in space.take(Path("nowhere.csv")).err
    other = space.root / "marks.xlsx"
    other.touch()
    assert "ends in .xlsx; use one of .csv" in space.take(other).err
    broken = space.root / "marks.parquet"
    broken.write_text("not parquet")
    assert "cannot be read as Parquet" in space.take(broken).err
    export_parquet({"item": ["i"], "arm": ["a"]}, broken)
    assert "has no columns criterion, mark, rater (it has: arm, item)" in space.take(broken).err


def test_all_that_is_missing_is_said_at_once_with_the_command(space: Space) -> None:
    """Nothing named, or named wrongly: one line, and what it says to type takes the file."""
    path = space.csv(grid())
    for words in ((), ("--mark", "Mrak", "--arm", "arms"), ("--mark", "Mark", "--rater", "who")):
        said = space.judge("import", "marks", path.name, "--to", "runs/x", *words)
        assert (said.code, said.err.count("\n")) == (2, 1)
        assert "(it has: arm, criterion, item, mark, rater)" in said.err
        assert said.err.count("judge import marks marks.csv --to runs/x --mark mark") == 1
    said = space.judge(
        "import", "marks", path.name, "--to", "runs/x", "--mark", "Mark", "--arm", "arm"
    )
    assert "has no column Mark" in said.err
    typed = said.err.partition("; judge ")[2].split()
    assert typed[5:] == ["--mark", "mark", "--item", "item", "--arm", "arm", "--criterion",
                         "criterion", "--rater", "rater"]  # fmt: skip
    assert space.judge(*typed).code == 0


def test_pairs_are_told_by_the_columns_of_their_file(space: Space) -> None:
    """A file with both arms in columns is offered the command of pairs; other columns none."""
    path = space.csv([("a", "b", 1)], head=("arm_a", "arm_b", "mark"))
    said = space.judge("import", "marks", path.name)
    assert "--to runs/marks --mark mark --arm-a arm_a --arm-b arm_b" in said.err
    other = space.csv([("a", 1)], head=("who", "points"))
    said = space.judge("import", "marks", other.name)
    assert "(it has: points, who); name each by its option" in said.err


def test_the_command_that_is_offered_keeps_all_that_was_typed(space: Space) -> None:
    """Scale, cluster, judges and what is kept stay; it takes the file as it stands."""
    head = ("item", "arm", "criterion", "rater", "mark", "document")
    rows = [(*row, f"d{row[0]}") for row in grid(raters=("meter", "ann"))]
    space.csv(rows, head=head)
    said = space.judge(
        "import", "marks", "marks.csv", "--cluster", "document", "--scale", "1-10",
        "--judge", "meter", "--keep", "criterion=clear",
    )  # fmt: skip
    assert said.code == 2
    typed = said.err.partition("; judge ")[2].strip()
    assert typed.endswith("--cluster document --scale 1-10 --judge meter --keep criterion=clear")
    assert space.judge(*typed.split()).code == 0


def test_pairs_under_usual_names_are_offered_a_command(space: Space) -> None:
    """model_a, model_b and outcome are offered as what they are like, and nothing is taken."""
    rows = [(f"q{at}", "red", "blue", 1 - at % 3, "ann") for at in range(6)]
    space.csv(rows, head=("question_id", "model_a", "model_b", "outcome", "judge"))
    said = space.judge("import", "marks", "marks.csv", "--scale", "-1..1")
    typed = said.err.partition("; judge ")[2].split()
    assert typed[5:] == [
        "--mark", "outcome", "--item", "question_id", "--arm-a", "model_a", "--arm-b", "model_b",
        "--rater", "judge", "--scale", "-1..1",
    ]  # fmt: skip
    assert space.judge(*typed).code == 0


VOTES = [
    {"item_id": f"q{at}", "system": pair, "dimension": "taste", "worker": who, "score": 1 - at % 3}
    for at in range(6)
    for pair in ("red|blue", "blue|green")
    for who in ("ana", "ben")
]


def test_pairs_in_one_column_are_offered_as_pairs(space: Space) -> None:
    """A|B in all rows is no arm, whatever the column is called; criterion and rater come along."""
    path = space.jsonl(VOTES)
    for words in ((), ("--arm", "system")):
        said = space.judge("import", "marks", path.name, "--to", "runs/x", *words)
        assert said.code == 2
        typed = said.err.partition("; judge ")[2].split()
        assert typed[5:] == [
            "--mark", "score", "--item", "item_id", "--pair", "system", "--criterion",
            "dimension", "--rater", "worker",
        ]  # fmt: skip
    assert "3 arms, 6 items, 24 comparisons" in space.judge(*typed).out


@pytest.mark.parametrize("name", ["dimension", "aspect", "metric", "attribute"])
@pytest.mark.parametrize("rater", ["person", "annotator", "worker", "evaluator"])
def test_usual_names_of_criteria_and_raters_are_offered(
    space: Space, name: str, rater: str
) -> None:
    """Without them marks of two criteria would stand there twice."""
    space.csv(grid(raters=("ann", "bob")), head=("item_id", "system", name, rater, "score"))
    said = space.judge("import", "marks", "marks.csv", "--to", "runs/x")
    typed = said.err.partition("; judge ")[2].split()
    assert typed[9:] == ["--arm", "system", "--criterion", name, "--rater", rater]
    assert space.judge(*typed).code == 0


def test_pairs_are_not_taken_for_arms(space: Space) -> None:
    """Where every arm is A|B the table would look right and be wrong; some that are so stay."""
    words = ("--mark", "score", "--item", "item_id", "--rater", "worker", "--arm", "system")
    said = space.judge("import", "marks", space.jsonl(VOTES).name, "--to", "runs/x", *words)
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "holds two arms in every value of system (red|blue); name it with --pair" in said.err
    some = [row | {"system": str(row["system"]).replace("red|blue", "red")} for row in VOTES]
    said = space.judge("import", "marks", space.jsonl(some).name, "--to", "runs/x", *words)
    assert (said.code, "2 arms" in said.out) == (0, True)


@pytest.mark.parametrize(
    ("scale", "meant"),
    [
        ((), "write 1 where the first won, 0 for a tie, -1 where the second won"),
        (("--scale", "0-1"), "write 1 where the first won, 0.5 for a tie, 0 where the second won"),
    ],
)
def test_a_winner_by_name_is_told_what_to_write(
    space: Space, scale: tuple[str, ...], meant: str
) -> None:
    """Names of winners are no outcomes: the refusal says which numbers are."""
    space.csv([("q1", "red", "blue", "red")], head=("item", "arm_a", "arm_b", "winner"))
    said = space.judge(
        "import", "marks", "marks.csv", "--item", "item", "--arm-a", "arm_a", "--arm-b", "arm_b",
        "--mark", "winner", *scale,
    )  # fmt: skip
    assert f":2: mark is red, which is no number; {meant}" in said.err


def test_a_wide_file_is_told_its_form(space: Space) -> None:
    """A column for each rater names no column of marks: the refusal says one mark a line."""
    space.csv([("q1", "red", 4, 5)], head=("item", "arm", "ann", "bob"))
    said = space.judge("import", "marks", "marks.csv")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "write one mark a line, its rater and criterion beside it" in said.err


@pytest.mark.parametrize("left", ["item", "criterion"])
@pytest.mark.parametrize("rater", [(), ("--rater", "rater")])
def test_a_column_that_nobody_named_is_named_first(
    space: Space, left: str, rater: tuple[str, ...]
) -> None:
    """Two marks of one place: the file's own item or criterion tells them apart."""
    rows = [(*row[:4], int(str(row[4])) - (row[2] == "true")) for row in grid()]
    path = space.csv(rows)
    words = [(f"--{name}", name) for name in ("item", "criterion") if name != left]
    said = space.judge("import", "marks", path, "--arm", "arm", "--mark", "mark", *rater,
                       *(word for pair in words for word in pair))  # fmt: skip
    assert said.code == 2
    assert f"not named: add --{left} {left}" in said.err


def test_marks_that_look_alike_for_a_column_that_nobody_named_are_said(space: Space) -> None:
    """Equal marks on two criteria are no doubles: what may tell them apart is named."""
    path = space.csv(grid())
    said = space.judge("import", "marks", path, "--item", "item", "--arm", "arm", "--rater",
                       "rater", "--mark", "mark")  # fmt: skip
    assert "counted once: 16 rows" in said.out
    heard = " ".join(said.err.split())
    assert "the file has a column that is not named: add --criterion criterion" in heard


def test_the_one_criterion_of_marks_has_a_plain_name(space: Space) -> None:
    """Where no criterion is named, pages call it overall."""
    rows = [(f"i{at // 2}", "ab"[at % 2], 3 + at % 4) for at in range(16)]
    path = space.csv(rows, head=("item", "arm", "mark"))
    said = space.judge("import", "marks", path, "--to", "runs/given", "--item", "item", "--arm",
                       "arm", "--mark", "mark")  # fmt: skip
    assert said.code == 0, said.err
    text = space.judge("table", "runs/given", "--criteria").out
    assert "overall" in text
    assert "c-mark" not in text


def test_several_raters_are_told_by_a_name_to_type(space: Space) -> None:
    """The command that follows an import of two raters can be typed as it stands."""
    said = space.take(space.csv(grid(raters=("meter one", "ann"))), "--scale", "1-10")
    assert said.out.splitlines()[-1] == "judge table runs/given --pass 'meter one'"
    assert space.judge("table", "runs/given", "--pass", "meter one").code == 0


def test_a_pass_that_is_not_there_is_told_with_those_that_are(space: Space) -> None:
    """Names as pages cut them are taken; what several passes bear is told apart by ids."""
    long = "a judge whose name is longer than forty signs are"
    rows = grid(raters=(long, "people"))
    words = ("--scale", "1-10", "--judge", long)
    assert space.take(space.csv(rows), *words).code == 0
    said = space.judge("table", "runs/given", "--pass", "zzz")
    assert (said.code, "no pass is named zzz; there are " in said.err) == (2, True)
    for name in (long, one_line(long, 40), "people"):
        assert space.judge("table", "runs/given", "--pass", name).code == 0, name
    twins = space.csv(grid(raters=("people", "ann")), name="twins.csv")
    assert space.take(twins, "--scale", "1-10", "--judge", "people", run="runs/two").code == 0
    said = space.judge("table", "runs/two", "--pass", "people")
    assert "2 passes are named people; name one by its id" in said.err


def test_a_name_with_pattern_signs_is_one_file(space: Space) -> None:
    """DuckDB would take a star or brackets for a pattern over many files."""
    path = space.root / "m[1]*.parquet"
    rows = list(map(list, zip(*grid(), strict=True)))
    export_parquet(
        dict(zip(("item", "arm", "criterion", "rater", "mark"), rows, strict=True)), path
    )
    assert space.take(path, "--scale", "1-10").code == 0


def test_options_of_marks_belong_to_marks(space: Space) -> None:
    """Other kinds refuse them; marks needs its own."""
    path = space.csv(grid())
    assert (
        "--judge belongs to judge import marks"
        in space.judge("import", "generic", path, "--judge", "x").err
    )
    assert "--rater-kind belongs" in space.judge("import", "generic", path, "--rater-kind", "x").err
    said = space.judge("import", "marks", path, *COLUMNS)
    assert (
        "needs a column of marks (--mark) (it has: arm, criterion, item, mark, rater)" in said.err
    )


def test_too_much_for_the_memory_is_refused(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    """The array of marks has a limit, and the message names it."""
    monkeypatch.setattr("judgebench.pipeline.marks.table.MAX_CELLS", 10)
    said = space.take(space.csv(grid()))
    assert "spans 32 places" in said.err


def test_a_rater_of_two_kinds_is_refused(space: Space) -> None:
    """Who is a person on one row and a model on another is neither."""
    rows = [(*row, "llm" if n % 2 else "human") for n, row in enumerate(grid())]
    path = space.csv(rows, head=("item", "arm", "criterion", "rater", "mark", "kind"))
    assert "has rater meter under two kinds" in space.take(path, "--rater-kind", "kind").err


def test_the_run_can_be_shown_and_listed(space: Space) -> None:
    """`judge show` gives the marks of one output; nothing was asked, so there is no call."""
    space.take(space.csv(grid()), "--scale", "1-10")
    said = space.judge("show", "runs/given", "north", "i0", "--json")
    (found,) = json.loads(said.out)
    assert [(mark["criterion"], mark["mark"]) for mark in found["marks"]] == [
        ("clear", 7.0), ("true", 7.0),
    ]  # fmt: skip
    assert found["calls"] == []


def test_imported_marks_are_listed_and_shown(space: Space) -> None:
    """`judge show` has every judging of the file, and one of them with its marks."""
    space.take(space.csv(grid()), "--scale", "1-10")
    listed = space.judge("show", "runs/given", "--reveal")
    assert listed.code == 0
    assert ": 16 judgments given elsewhere, by item\n" in listed.out
    assert "north" in listed.out
    one = space.judge("show", "runs/given", "north", "i1")
    assert one.code == 0, one.err
    assert "total" in one.out


@pytest.mark.parametrize("order", [(), ("--order", "order")])
def test_imported_comparisons_are_listed_once_each(space: Space, order: tuple[str, ...]) -> None:
    """Whether or not it is known who was shown first; a run of them has no empty list."""
    rows = [(f"i{n}", "oak", "elm", "AB", n % 2) for n in range(6)]
    path = space.csv(rows, head=("item", "a", "b", "order", "won"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm-a", "a",
        "--arm-b", "b", "--mark", "won", "--scale", "0-1", *order,
    )  # fmt: skip
    assert said.code == 0, said.err
    listed = space.judge("show", "runs/given", "--reveal").out
    assert ": 6 judgments given elsewhere, by item\n" in listed
    assert listed.count("oak / elm") + listed.count("elm / oak") == 6
    assert (listed.count(" first "), listed.count(" second ")) == (3, 3)


@pytest.mark.parametrize("word", ["n/a", "N/A", "-", "cannot judge", "NaN"])
def test_words_for_no_mark_are_blanks(space: Space, word: str) -> None:
    """A mark that nobody gave is missing, as in a sheet of people's marks."""
    rows = grid()
    rows[0] = (*rows[0][:-1], word)
    assert space.take(space.csv(rows), "--scale", "1-10").code == 0
    found = space.table()
    assert found["arms"][0]["planned"] - 1 in {one["answered"] for one in found["arms"]}


def test_a_file_without_its_kind_is_answered_with_the_command(space: Space) -> None:
    """What is missing is the kind, not the source."""
    path = space.csv([("a", "b")], name="answers.csv", head=("item", "arm"))
    said = space.judge("import", path.name)
    assert (said.code, "judge import generic answers.csv" in said.err) == (2, True)
    assert "Missing argument 'SOURCE'" in space.judge("import", "generic").err


def test_a_cell_without_a_verdict_is_hatched_in_the_page(space: Space) -> None:
    """What was imported without a mark is blocked, not unknown, although there is no output."""
    rows = [(*row[:4], "") if row[:2] == ("i0", "north") else row for row in grid()]
    assert space.take(space.csv(rows), "--scale", "1-10").code == 0
    assert space.judge("report", "runs/given").code == 0
    page = next(space.root.glob("reports/given/*/report.html")).read_text(encoding="utf-8")
    assert "Hatched cells are blocked (no_verdict 1): they are no low mark." in page
    assert re.search(r'<td class="blocked"><[^>]+>no_verdict<', page)


def test_gold_labels_are_said_to_count_as_people(space: Space) -> None:
    """Which kind of person is not on record, so the import says how a label is taken."""
    rows = [("i0", "north", "clear", "meter", 5, "llm"), ("i0", "north", "clear", "key", 4, "gold")]
    path = space.csv(rows, head=("item", "arm", "criterion", "rater", "mark", "kind"))
    said = space.take(path, "--scale", "1-10", "--rater-kind", "kind")
    assert "gold count as people" in said.out
