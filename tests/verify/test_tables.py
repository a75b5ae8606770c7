"""Published tables in all their forms: what is read, what is refused, what is told."""

import csv
import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judgebench.cli.main import cli
from judgebench.errors import ExitCode, ImportFileError, RubricError
from judgebench.model.deductions import Tier
from judgebench.model.published import Claim, Deduction, ScoreTable, SlipKind, TableRules
from judgebench.rubrics.load import find_rubric, load_rubric
from judgebench.rubrics.slips import prices, rules_of, slips
from judgebench.runs import published_words
from judgebench.runs.published import read_published
from judgebench.runs.published_words import Told, read_tiers

DATA = Path(__file__).parent.parent / "data" / "verify" / "scores.json"
SHARED = Path(os.environ.get("JUDGEBENCH_SHARED", Path(__file__).parents[3] / "shared"))
PUBLISHED = SHARED / "data" / "llm-coding-benchmark"
HEAD = ["arm", "condition", "rank", "total", "tier"]


def put(path: Path, text: str | bytes) -> Path:
    """A file with this content."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def told(path: Path, **said: object) -> list[tuple[SlipKind, str]]:
    """Kind and name of every slip of a file."""
    found = read_published(path, Told(**said))  # type: ignore[arg-type]  # whatever a test says
    return [(slip.kind, slip.name) for table in found.tables for slip in slips(table)[0]]


def flat(name: str) -> list[dict[str, object]]:
    """The rows of one of the tests' own tables, as a spreadsheet has them."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    dims = data["rubrics"][name]["dims"]
    return [
        {
            "arm": one["slug"], "condition": one["condition"], "rank": one["rank"],
            "total": one["total"], "tier": one["tier"],
            **{dim: one["dims"].get(dim, "") for dim in dims}, "cost": 1.25, "seconds": 60,
        }
        for one in data["records"]
        if one["rubric"] == name
    ]  # fmt: skip


def as_csv(path: Path, rows: list[dict[str, object]], delimiter: str = ",") -> Path:
    """Rows as a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


def as_markdown(path: Path, rows: list[dict[str, object]]) -> Path:
    """Rows as a table with marks of emphasis, notes and links, under a heading."""
    lines = ["# Scores", "", "## Made for **tests**", "", "| " + " | ".join(rows[0]) + " |"]
    lines.append("|" + "|".join(":-:" for _ in rows[0]) + "|")
    for row in rows:
        cells = {**row, "total": f"**{row['total']}**", "arm": f"[`{row['arm']}`](x.md)"}
        cells["cost"] = "~1.25*"
        lines.append(
            "| " + " | ".join("—" if v in {"", None} else str(v) for v in cells.values()) + " |"
        )
    return put(path, "\n".join([*lines, "", "The end."]))


@pytest.mark.parametrize("name", ["first", "second"])
def test_criteria_are_the_columns_that_add_up(tmp_path: Path, name: str) -> None:
    """Cost and time beside them are not taken for marks, in any form of file."""
    rows = flat(name)
    for path in (
        as_csv(tmp_path / "t.csv", rows),
        as_csv(tmp_path / "t.tsv", rows, "\t"),
        as_markdown(tmp_path / "t.md", rows),
    ):
        (table,) = read_published(path, Told()).tables
        assert set(table.criteria) == set(rows[0]) - {*HEAD, "cost", "seconds"}
        assert len(table.claims) == len(rows)
        assert told(path) == []


def test_the_same_slips_are_found_in_every_form(tmp_path: Path) -> None:
    """A sum, a rank and a tier, with the row's name."""
    rows = flat("first")
    rows[0]["total"] = 97
    rows[5]["rank"] = 30
    rows[20]["tier"] = "A"
    for path in (as_csv(tmp_path / "t.csv", rows), as_markdown(tmp_path / "t.md", rows)):
        found = told(path, tiers=read_tiers("A=80,B=60,C=40,D=0"))
        assert (SlipKind.SUM, "first-00") in found
        assert (SlipKind.TIE, "first-05") in found
        assert {one for one in found if one[0] is SlipKind.TIER} == {
            (
                SlipKind.TIER,
                str(rows[20]["arm"]) + (" (led by two)" if rows[20]["condition"] else ""),
            )
        }


def test_heads_may_carry_the_maximum(tmp_path: Path) -> None:
    """`tests 15` and `tests (15)` name a criterion and what it can be at most."""
    path = put(
        tmp_path / "t.csv",
        "project,tests (15),errors 10,total\na,15,9,24\nb,16,1,17\nc,3,3,7\nd,4,4,8\n",
    )
    assert told(path) == [(SlipKind.RANGE, "b"), (SlipKind.SUM, "c")]


def test_without_bars_a_tier_that_stands_against_the_others_is_told(tmp_path: Path) -> None:
    """The bars are not known; that 70 cannot be B where 60 to 69 are A is."""
    rows = [(f"p{n}", 100 - n, "A" if n < 40 else "B") for n in range(80)]
    rows[20] = ("odd", 80, "B")
    path = put(
        tmp_path / "t.csv", "arm,total,tier\n" + "\n".join(f"{a},{t},{k}" for a, t, k in rows)
    )
    assert told(path) == [(SlipKind.TIER, "odd")]


def test_dense_ranks_are_ranks_where_the_whole_table_has_them(tmp_path: Path) -> None:
    """1, 1, 2 throughout is a way of ranking; one such row in a table of 1, 1, 3 is a slip."""
    dense = put(tmp_path / "d.csv", "arm,total,rank\na,9,1\nb,9,1\nc,8,2\nd,7,3\ne,7,3\nf,6,4\n")
    assert told(dense) == []
    mixed = put(tmp_path / "m.csv", "arm,total,rank\na,9,1\nb,9,1\nc,8,3\nd,7,4\ne,7,4\nf,6,5\n")
    assert told(mixed) == [(SlipKind.RANK, "f")]


def test_a_column_of_deductions_is_read(tmp_path: Path) -> None:
    """Criterion, finding, place, points and how often; a place tells two finds apart."""
    cell = "tests.thin@spec/a.rb:3 -2; tests.thin@spec/b.rb -2; errors.quiet −1 ×2; words"
    path = put(
        tmp_path / "t.csv",
        f'arm,tests 15,errors 10,total,deductions\na,11,8,19,"{cell}"\nb,13,10,23,tests.thin -2\n'
        "c,15,10,25,-\n",
    )
    (table,) = read_published(path, Told()).tables
    assert [(d.criterion, d.finding, d.place, d.points) for d in table.claims[0].deductions] == [
        ("tests", "thin", "spec/a.rb:3", 2.0),
        ("tests", "thin", "spec/b.rb", 2.0),
        ("errors", "quiet", "", 1.0),
        ("errors", "quiet", "", 1.0),
    ]
    assert told(path) == [(SlipKind.TWICE, "a")]


def table(rules: TableRules, *claims: Claim) -> ScoreTable:
    """A table of these claims."""
    return ScoreTable(name="t", claims=claims, criteria=tuple(rules.maxima), rules=rules)


def kinds(rules: TableRules, *claims: Claim) -> list[SlipKind]:
    """What slipped."""
    return [slip.kind for slip in slips(table(rules, *claims))[0]]


def charge(finding: str, points: float, criterion: str = "tests", place: str = "") -> Deduction:
    """One deduction."""
    return Deduction(finding=finding, points=points, criterion=criterion, place=place)


TWO = TableRules(maxima={"tests": 15.0, "errors": 10.0})


def test_a_mark_that_differs_from_its_deductions_is_told() -> None:
    """15 less 3 is no 11; a fault listed twice and paid once is right."""
    wrong = Claim(
        name="a", marks={"tests": 11, "errors": 10}, total=21, deductions=(charge("x", 3),)
    )
    assert kinds(TWO, wrong) == [SlipKind.DEDUCTION]
    once = Claim(
        name="a", marks={"tests": 12, "errors": 10}, total=22,
        deductions=(charge("x", 3), charge("x", 3)),
    )  # fmt: skip
    assert kinds(TWO, once) == []


def test_one_fault_under_two_criteria_or_beside_its_whole_is_counted_twice() -> None:
    """The same class in two dimensions, and an entry beside the one that covers it."""
    both = Claim(
        name="a", marks={"tests": 13, "errors": 8}, total=21,
        deductions=(charge("x", 2), charge("x", 2, "errors")),
    )  # fmt: skip
    assert kinds(TWO, both) == [SlipKind.TWICE]
    rules = TableRules(maxima=TWO.maxima, unless={"quiet": ("none",)})
    beside = Claim(
        name="a", marks={"tests": 15, "errors": 4}, total=19,
        deductions=(charge("none", 5, "errors"), charge("quiet", 1, "errors")),
    )  # fmt: skip
    assert kinds(rules, beside) == [SlipKind.TWICE]


def test_caps_and_gates_hold_marks_and_totals(tmp_path: Path) -> None:
    """A held mark or total is right; one above it is a cap that was not applied."""
    data = json.loads(
        '{"rubrics": {"v": {"dims": {"tests": 15, "errors": 10}, "caps": [{"finding": "mocked",'
        ' "target": "tests", "cap": 5}], "gates": [{"criterion": "errors", "below": 4,'
        ' "cap": 12}]}}, "records": []}'
    )
    data["records"] = [
        {"rubric": "v", "slug": "held", "total": 13, "dims": {"tests": 5, "errors": 8},
         "deductions": [{"finding": "mocked", "points": 1, "criterion": "tests"},
                        {"finding": "q", "points": 2, "criterion": "errors"}, 3, {"points": 1}]},
        {"rubric": "v", "slug": "free", "total": 22, "dims": {"tests": 14, "errors": 8},
         "deductions": [{"finding": "mocked", "points": 1, "criterion": "tests"},
                        {"finding": "q", "points": 2, "criterion": "errors"}]},
        {"rubric": "v", "slug": "gated", "total": 12, "dims": {"tests": 15, "errors": 3}},
        {"rubric": "v", "slug": "ungated", "total": 18, "dims": {"tests": 15, "errors": 3}},
        {"rubric": "v", "slug": "else", "total": 17, "dims": {"tests": 15, "errors": 3}},
    ]  # fmt: skip
    path = put(tmp_path / "scores.json", json.dumps(data))
    assert told(path) == [
        (SlipKind.CAP, "free"), (SlipKind.CAP, "ungated"), (SlipKind.SUM, "else"),
    ]  # fmt: skip


def test_totals_follow_from_deductions_where_no_marks_are_published() -> None:
    """25 less 3 and 2 is 20, whether or not the dimensions stand in the table."""
    charges = (charge("x", 3), charge("y", 2, "errors"))
    assert kinds(TWO, Claim(name="a", total=20, deductions=charges)) == []
    assert kinds(TWO, Claim(name="a", total=21, deductions=charges)) == [SlipKind.SUM]
    nameless = (charge("x", 3, ""),)
    assert kinds(TWO, Claim(name="a", total=1, deductions=nameless)) == []


def test_prices_are_compared_between_projects_and_with_the_catalogue() -> None:
    """One class, two prices; or one price that the catalogue does not have."""
    rules = TableRules(prices={"x": 2.0, "z": 1.0})
    claims = (
        Claim(name="a", line=2, total=1, deductions=(charge("x", 2), charge("y", 1))),
        Claim(name="b", line=3, total=1, deductions=(charge("x", 3), charge("y", 1))),
        Claim(name="c", line=4, total=1, deductions=(charge("z", 4),)),
    )
    found = {one.finding: one for one in prices(table(rules, *claims))}
    assert [name for name, one in found.items() if not one.consistent] == ["x", "z"]
    assert found["x"].points == {2.0: ("a",), 3.0: ("b",)}
    messages = [slip.message for slip in slips(table(rules, *claims))[0]]
    assert messages[0] == "costs 2 in a and 3 in b; the catalogue says 2"


def test_a_packaged_rubric_gives_maxima_bars_and_prices(tmp_path: Path) -> None:
    """A table whose columns are the rubric's criteria is held against all of it."""
    rubric = load_rubric(find_rubric("code-8d", folders=[]))
    rules = rules_of(rubric)
    assert sum(rules.maxima.values()) == 100
    columns = list(rules.maxima)
    marks = [int(rules.maxima[one]) for one in columns]
    row = ",".join(map(str, marks))
    path = put(
        tmp_path / "t.csv", f"arm,total,tier,{','.join(columns)}\na,100,A,{row}\nb,99,B,{row}\n"
    )
    assert told(path, rules=rules) == [(SlipKind.SUM, "b"), (SlipKind.TIER, "b")]
    other = put(tmp_path / "o.csv", "arm,total,tier\na,79,A\n")
    assert told(other, rules=rules) == [(SlipKind.TIER, "a")]
    with pytest.raises(RubricError, match="rubric of marks"):
        rules_of(load_rubric(find_rubric("usecase", folders=[])))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.txt", "arm,total\n", "ends in .txt"),
        ("t.csv", "arm,cost\na,1\n", "no table with a column of totals"),
        ("t.csv", b"\xff\xfe\x00\x00arm", "is no"),
        ("t.md", "nothing here", "no table with a column of totals"),
        ("t.md", b"\xff\xff|\x00", "is no text"),
        ("t.json", "{", "is not valid JSON"),
        ("t.json", "[" * 100_000, "is not valid JSON"),
        ("t.json", '{"records": [{"slug": "a", "total": NaN}]}', "NaN is no JSON number"),
        ("t.json", '{"records": 3}', "holds no list of records"),
        ("t.json", '{"records": [1, {}, {"slug": "a", "total": 1e400}]}', "is too large"),
        ("t.json", '{"records": [1, {}, {"slug": "a", "total": null}]}', "no table"),
        (
            "t.json",
            '{"records": [{"slug": "a", "total": 9, "total": 8}]}',
            '"total" is given twice',
        ),
        ("t.json", '{"rubrics": 3, "records": []}', "rubrics is 3; write a group"),
        ("t.json", '{"rubrics": {"v": 3}, "records": []}', "rubrics.v is 3"),
        ("t.json", '{"rubrics": {"v": {"dims": {"a": "x"}}}, "records": []}', "v.dims.a is 'x'"),
        ("t.json", '{"rubrics": {"v": {"dims": {"a": -1}}}, "records": []}', "v.dims.a is -1"),
        ("t.json", '{"rubrics": {"v": {"dims": [1]}}, "records": []}', "v.dims is a list"),
        ("t.json", '{"rubrics": {"v": {"tiers": {"A": []}}}, "records": []}', "tiers.A is a list"),
        ("t.json", '{"rubrics": {"v": {"gates": 3}}, "records": []}', "v.gates is 3; write a list"),
        ("t.json", '{"rubrics": {"v": {"gates": [7]}}, "records": []}', "v.gates.1 is 7"),
        ("t.json", '{"rubrics": {"v": {"caps": [{"cap": 3}]}}, "records": []}', "v.caps.1 is a g"),
        ("t.json", '{"records": [{"slug": "a", "total": "9"}]}', "no table"),
    ],
)
def test_files_that_are_no_tables_are_refused_in_one_line(
    tmp_path: Path, name: str, content: str | bytes, said: str
) -> None:
    """Where, and what to write, whatever the bytes."""
    with pytest.raises(ImportFileError, match=said) as caught:
        read_published(put(tmp_path / name, content), Told())
    assert "\n" not in str(caught.value)


def test_tables_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes and rows have bounds, in every form."""
    rows = "\n".join(f"a{n},{n}" for n in range(30))
    monkeypatch.setattr(published_words, "MAX_ROWS", 20)
    with pytest.raises(ImportFileError, match="more than 20 rows"):
        read_published(put(tmp_path / "t.csv", f"arm,total\n{rows}\n"), Told())
    marked = "\n".join(f"| a{n} | {n} |" for n in range(30))
    with pytest.raises(ImportFileError, match="more than 20 rows"):
        read_published(put(tmp_path / "t.md", f"| arm | total |\n|--|--|\n{marked}\n"), Told())
    monkeypatch.setattr(published_words, "MAX_BYTES", 20)
    with pytest.raises(ImportFileError, match="is larger than 20 bytes"):
        read_published(put(tmp_path / "t.json", " " * 30), Told())
    with pytest.raises(ImportFileError, match="is no file"):
        read_published(tmp_path / "none.csv", Told())


def test_what_the_user_says_goes_before_what_the_table_says(tmp_path: Path) -> None:
    """Named columns, named bars; a column that is not there is a fault."""
    path = put(tmp_path / "t.csv", "arm,x,y,z,total,tier\na,1,2,9,3,B\nb,2,2,9,4,A\n")
    assert told(path, criteria=("x", "y"), tiers=read_tiers("A=4, B=0")) == []
    assert told(path, criteria=("x", "z")) == [(SlipKind.SUM, "a"), (SlipKind.SUM, "b")]
    with pytest.raises(ImportFileError, match="has no column w; there are x, y, z"):
        told(path, criteria=("x", "w"))
    assert read_tiers("low=0,high=4") == (
        Tier(name="high", at_least=4),
        Tier(name="low", at_least=0),
    )
    for bad in ("A", "A=x", "A=1,A=2", "A=1,B=1", "=3", "A=nan"):
        with pytest.raises(ImportFileError, match="write A=80"):
            read_tiers(bad)


def test_rows_of_several_rubrics_are_tables_of_their_own(tmp_path: Path) -> None:
    """Ranks of one are never held against totals of the other."""
    path = put(tmp_path / "t.csv", "rubric,arm,total,rank\nx,a,9,1\nx,b,8,2\ny,c,50,1\ny,d,40,3\n")
    assert told(path) == [(SlipKind.RANK, "d")]


def judge(*words: str) -> Result:
    """One command."""
    return CliRunner().invoke(cli, list(words))


def test_the_command_says_what_was_checked_and_what_slipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 0 without slips, 4 with them; changed marks are listed apart."""
    monkeypatch.chdir(tmp_path)
    clean = judge("verify", str(DATA))
    assert clean.exit_code == 0, clean.output
    assert "Nothing slipped" in clean.stdout
    assert "2 corrections, 1 second opinion" in clean.stdout
    assert "first-03 (first): 95 → 91, correction; a fault was seen late" in clean.stdout
    data = json.loads(DATA.read_text(encoding="utf-8"))
    for record in data["records"][:15]:
        record["total"] += 1 if record["dims"] else 0
    put(tmp_path / "bad.json", json.dumps(data))
    bad = judge("verify", "bad.json")
    assert bad.exit_code == ExitCode.INTEGRITY
    assert "more (--all)" in bad.stdout
    assert "sum · first-00 (line 1): the marks add up to 96, and the total is 97" in bad.stdout
    assert all(len(line) <= 80 for line in bad.stdout.splitlines())
    whole = json.loads(judge("verify", "bad.json", "--json").stdout)
    assert len(whole["slips"]) > 12
    assert judge("verify", "bad.json", "--all").stdout.count("sum ·") == 12


def test_the_audit_of_prices_is_a_report_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Uneven classes first, with the projects that paid each price."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "t.csv", "arm,total,deductions\na,9,thin -1; slow -2\nb,8,thin -2; slow -2\n")
    said = judge("verify", "t.csv", "--prices")
    assert said.exit_code == ExitCode.INTEGRITY
    lines = [line.strip() for line in said.stdout.splitlines()]
    assert lines[0] == "t.csv · 2 classes of findings, 1 with more than one price"
    assert lines[2] == "! thin: 1 in 1 project (a), 2 in 1 project (b)"
    assert lines[3] == "slow: 2 in 2 projects"
    assert "no finding has a price" in judge("verify", str(DATA), "--prices").stdout


def test_hostile_names_do_not_reach_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Escape sequences and bidi signs are shown as their numbers."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "t.csv", "arm,total,rank\n\x1b[31ma\u202e,9,2\nb,8,1\n")
    said = judge("verify", "t.csv")
    assert "\x1b" not in said.stdout
    assert "\u202e" not in said.stdout
    assert "<U+001B>" in said.stdout


def test_published_scores_become_a_run_with_tiers_and_no_ranks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Totals and tiers are those of the table; one brief is one item, so nothing is ranked."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "judges.toml", "")
    several = judge("import", "scores", str(DATA), "--to", "runs/x")
    assert isinstance(several.exception, ImportFileError)
    assert "--table names one of first, second" in str(several.exception)
    done = judge("import", "scores", str(DATA), "--table", "first", "--to", "runs/first")
    assert done.exit_code == 0, done.output
    shown = json.loads(judge("table", "runs/first", "--items", "--json").stdout)
    data = json.loads(DATA.read_text(encoding="utf-8"))
    wanted = {r["slug"]: (r["total"], r["tier"]) for r in data["records"] if r["rubric"] == "first"}
    given = zip(shown["arms"], shown["totals"][0], shown["tiers"][0], strict=True)
    assert {arm: (total, tier) for arm, total, tier in given} == wanted
    result = json.loads(judge("table", "runs/first", "--json").stdout)
    assert result["best"]["code"] == "too_few_items"
    assert all(arm["rank_low"] is None for arm in result["arms"])
    text = judge("table", "runs/first", "--items").stdout
    assert ["first-00", "96.0", "A"] in [line.split() for line in text.splitlines()]
    assert judge("verify", "runs/first").exit_code == 0
    again = judge("import", "scores", str(DATA), "--table", "first", "--to", "runs/first")
    assert "already there, nothing changed" in again.stdout


def test_options_of_scores_and_marks_are_kept_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What means nothing for a kind is refused; two rows of one name are too."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "t.csv", "arm,total\na,1\na,2\n")
    assert "belongs to judge import scores" in judge(
        "import", "marks", "t.csv", "--mark", "total", "--tiers", "A=1"
    ).output  # fmt: skip
    assert "takes --to, --table" in judge("import", "scores", "t.csv", "--mark", "total").output
    twice = judge("import", "scores", "t.csv")
    assert isinstance(twice.exception, ImportFileError)
    assert "two rows of a" in str(twice.exception)


@pytest.mark.shared
@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published scores are not beside the clone")
@pytest.mark.parametrize(("name", "n"), [("v1", 56), ("v2", 53)])
def test_the_published_scores_print_as_they_were_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, n: int
) -> None:
    """Every total and tier equals the published one, and ranks are refused."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "judges.toml", "")
    source = PUBLISHED / "scores.json"
    done = judge("import", "scores", str(source), "--table", name, "--to", f"runs/{name}")
    assert done.exit_code == 0, done.output
    shown = json.loads(judge("table", f"runs/{name}", "--items", "--json").stdout)
    records = [r for r in json.loads(source.read_text())["records"] if r["rubric"] == name]
    assert len(shown["arms"]) == n
    given = zip(shown["totals"][0], shown["tiers"][0], strict=True)
    assert sorted(given) == sorted((float(r["total"]), r["tier"]) for r in records)
    result = json.loads(judge("table", f"runs/{name}", "--json").stdout)
    assert all(arm["rank_low"] is None for arm in result["arms"])
    assert judge("verify", f"runs/{name}").exit_code == 0
