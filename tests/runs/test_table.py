"""Runs in one table: offsets in memory, texts on disk, faults with their line."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgebench.errors import RunError
from judgebench.model.reasons import Reason
from judgebench.runs.blocked import decide
from judgebench.runs.load import content_sha256, iter_outputs, load_item, load_run, read_output
from judgebench.runs.survey import Survey
from tests.peak import needs_proc, peak
from tests.runs.helpers import put


def jsonl(path: Path, rows: Sequence[Mapping[str, Any] | str]) -> Path:
    """Write rows; a text is written as it is."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    return put(path, "\n".join(lines) + "\n")


def row(item: str, arm: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """A plain row."""
    return {"item": item, "arm": arm, "output": f"{arm} on {item}", "prompt": f"Do {item}.", **more}


def test_a_jsonl_table_is_a_run(tmp_path: Path) -> None:
    """Items and arms in first-seen order, outputs item by item, gaps as missing."""
    jsonl(
        tmp_path / "t/outputs.jsonl",
        [
            row("q1", "v/a", finish_reason="length", completion_tokens=9, max_tokens=9),
            "",
            row("q2", "v/a", evidence=["one", {"name": "two", "text": "2"}], reference="R"),
            row("q1", "b", cost_usd=0.5, wall_s=1, error="reset", note="x"),
        ],
    )
    run = load_run(tmp_path / "t")
    assert (run.form, run.items) == ("table", ("q1", "q2"))
    assert [arm.id for arm in run.arms] == ["v/a", "b"]
    assert run.declared is False
    assert run.notes == ("3 rows of outputs.jsonl", "columns that are not used: note")
    found = list(iter_outputs(run))
    assert [(o.item, o.arm, o.text) for o in found] == [
        ("q1", "v/a", "v/a on q1"),
        ("q1", "b", "b on q1"),
        ("q2", "v/a", "v/a on q2"),
        ("q2", "b", None),
    ]
    assert found[0].record.usage.completion_tokens == 9
    assert found[1].record.cost_usd == 0.5
    assert found[1].record.error is not None
    assert found[3].fault is Reason.MISSING
    for output in found:
        again = read_output(run, arm=output.arm, item=output.item, locator=output.locator)
        assert again == output
    item = load_item(run, "q2")
    assert (item.prompt, item.reference) == ("Do q2.", "R")
    assert [(e.name, e.text) for e in item.evidence] == [("1", "one"), ("two", "2")]


def test_a_csv_table_is_a_run_with_renamed_columns(tmp_path: Path) -> None:
    """Quoted cells over several lines, a byte order mark, semicolons, counts as 70.0."""
    path = tmp_path / "answers.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["id", "model", "answer", "prompt", "completion_tokens", "evidence"])
        writer.writerow(["1", "a", 'two\nlines; with "quotes"', "Do.", "70.0", "fact"])
        writer.writerow(["1", "b", "", "Do.", "", ""])
        writer.writerow(["2", "a", "x", "Do 2.", "70", ""])
        writer.writerow(["2", "b", "y", "Do 2.", "many", ""])
    columns = {"item": "id", "arm": "model", "output": "answer"}
    run = load_run(path, columns=columns)
    assert run.name == "answers"
    first, second, third, fourth = iter_outputs(run)
    assert first.text == 'two\nlines; with "quotes"'
    assert first.record.usage.completion_tokens == 70
    assert (second.fault, second.text) == (None, "")
    assert third.record.usage.completion_tokens == 70
    assert fourth.fault is Reason.UNREADABLE
    assert "usage.completion_tokens is 'many'" in fourth.fault_detail
    assert load_item(run, "1").evidence[0].text == "fact"


def test_a_row_with_another_prompt_is_a_mismatch(tmp_path: Path) -> None:
    """The first row gives the item's prompt; a row that differs was sent something else."""
    rows = [row("q", "a"), row("q", "b") | {"prompt": "Do q, and show off."}]
    run = load_run(jsonl(tmp_path / "o.jsonl", rows))
    same, other = iter_outputs(run)
    item = load_item(run, "q")
    assert decide(same, item, run, Survey()) == ()
    assert [b.reason for b in decide(other, item, run, Survey())] == [Reason.PROMPT_MISMATCH]


def test_run_yaml_and_items_beside_a_table_count(tmp_path: Path) -> None:
    """Settings and arms from run.yaml, the prompt from items/."""
    jsonl(tmp_path / "outputs.jsonl", [{"item": "q", "arm": "v/a", "output": {"D1": 3}}])
    put(
        tmp_path / "run.yaml",
        "settings: {max_tokens: 9}\nitems: [q, r]\n"
        "arms: [{id: v/a, kind: cli, not_settable: [max_tokens]}, {id: b}]\n",
    )
    put(tmp_path / "items/q/prompt.md", "From the folder.")
    put(tmp_path / "items/r/prompt.md", "Never answered.")
    run = load_run(tmp_path)
    assert (run.declared, run.settings.max_tokens, run.items) == (True, 9, ("q", "r"))
    outputs = list(iter_outputs(run))
    assert outputs[0].text == '{\n "D1": 3\n}'
    assert outputs[0].record.not_settable == ("max_tokens",)
    assert [o.fault for o in outputs[1:]] == [Reason.MISSING] * 3
    assert load_item(run, "q").prompt == "From the folder."
    before = content_sha256(run)
    put(tmp_path / "items/q/prompt.md", "Another.")
    assert content_sha256(load_run(tmp_path)) != before


FAULTS = [
    (["[" * 100_000], r":1: is not valid JSON: it is nested too deeply"),
    (['{"item": "q", "arm": "a", "output": "x", "output": "y"}'], r":1: .*key output stands twice"),
    (['{"item": "q", "arm": "a"'], r":1: is not valid JSON"),
    ([row("q", "a"), "[1]"], r":2: is no JSON object"),
    ([row("q", "a"), {"arm": "a", "output": "x"}], r":2: has no item; give every row its item"),
    ([row("q", "a"), row("q", "") | {"arm": 1.5}], r":2: has a arm that is not text|has an? arm"),
    ([row("q", "a"), "", row("p", "a"), row("q", "a")], r":4: repeats item q of arm a from line 1"),
    ([row("q", "a"), row("q", "A")], r"has arms a and A; case alone"),
    ([row("q", "caf\u00e9"), row("q", "cafe\u0301")], r"has arms .*; they read the same"),
    ([row("q", "a\u202e")], r":1: arm is a<U\+202E>, which holds invisible"),
    ([row("q\ud800", "a")], r":1: item is q<U\+D800>"),
    (
        [{"id": "q", "model": "a"}],
        r":1: has no column item, arm, output \(it has: id, model\); name each with --map item=",
    ),
    ([row("q", "a", prompt=None)], r"outputs.jsonl: has no prompt for q; .*--map prompt=COLUMN"),
    (["", " "], r"holds no rows"),
    (["[" * 99_999], r":1: is not valid JSON"),
]


@pytest.mark.parametrize(("rows", "message"), FAULTS)
def test_faults_of_a_table_name_the_line(
    tmp_path: Path, rows: list[Mapping[str, Any] | str], message: str
) -> None:
    """Whatever is wrong with the table as such stops before anything is judged."""
    with pytest.raises(RunError, match=message) as caught:
        load_run(jsonl(tmp_path / "outputs.jsonl", rows))
    assert "\n" not in str(caught.value)


CSV_FAULTS = [
    ("", "is empty"),
    ("item,arm,item\n", "has two columns item"),
    ("item,arm,output\nq,a\n", r":2: has 2 cells under 3 heads"),
    ("item,arm,output,prompt\nq,a,x,p\nq,a,y,p\n", r":3: repeats item q of arm a from line 2"),
    ("item,arm,output,prompt\n", "holds no rows"),
    ('item,arm,output\nq,a,"open\n', r":2: has|is not valid CSV|no prompt"),
]


@pytest.mark.parametrize(("text", "message"), CSV_FAULTS)
def test_faults_of_a_csv_name_the_line(tmp_path: Path, text: str, message: str) -> None:
    """Heads and cells are checked before anything is judged."""
    with pytest.raises(RunError, match=message):
        load_run(put(tmp_path / "outputs.csv", text))


def test_stray_rows_and_unknown_names_are_refused(tmp_path: Path) -> None:
    """What run.yaml does not name, and a --map that names nothing."""
    jsonl(tmp_path / "outputs.jsonl", [row("q", "a")])
    put(tmp_path / "run.yaml", "arms: [{id: aa}]\n")
    with pytest.raises(RunError, match=r"rows of the arm a, .*did you mean aa\?"):
        load_run(tmp_path)
    with pytest.raises(RunError, match=r"--map itm is not known; did you mean item\?"):
        load_run(tmp_path, columns={"itm": "x"})
    with pytest.raises(RunError, match="mapped from one column twice"):
        load_run(tmp_path, columns={"item": "x", "arm": "x"})
    jsonl(tmp_path / "both/outputs.jsonl", [row("q", "a", id="p")])
    with pytest.raises(RunError, match="has two columns item; keep one"):
        load_run(tmp_path / "both", columns={"item": "id"})


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_stands_for_no_value_is_no_answer(tmp_path: Path, number: str) -> None:
    """A frame's NaN is a gap, and a number that is one is an answer."""
    rows = [f'{{"item": "q", "arm": "a", "prompt": "p", "output": {number}}}']
    jsonl(tmp_path / "outputs.jsonl", [*rows, row("q", "b", prompt="p") | {"output": 2.5}])
    first, second = iter_outputs(load_run(tmp_path))
    assert (first.fault, first.text, second.text) == (Reason.MISSING, None, "2.5")


def test_a_table_named_by_its_file_is_the_run_it_stands_in(tmp_path: Path) -> None:
    """run.yaml beside outputs.jsonl counts; beside any other table it does not."""
    path = jsonl(tmp_path / "t/outputs.jsonl", [row("q", "a")])
    put(tmp_path / "t/run.yaml", "settings: {max_tokens: 7}\n")
    assert load_run(path).settings.max_tokens == 7
    other = jsonl(tmp_path / "t/mine.jsonl", [row("q", "a")])
    assert load_run(other).settings.max_tokens is None


def test_a_table_that_is_a_link_out_is_refused(tmp_path: Path) -> None:
    """A run that came from elsewhere cannot bring in a file of this machine."""
    jsonl(tmp_path / "else.jsonl", [row("q", "a")])
    (tmp_path / "t").mkdir()
    (tmp_path / "t/outputs.jsonl").symlink_to("../else.jsonl")
    with pytest.raises(RunError, match="leaves the run folder"):
        load_run(tmp_path / "t")


def test_files_of_arms_mean_nothing_in_a_table(tmp_path: Path) -> None:
    """A key that would be passed over in silence is refused."""
    jsonl(tmp_path / "outputs.jsonl", [row("q", "a")])
    put(tmp_path / "run.yaml", "arms: [{id: a, file: x.md}]\n")
    with pytest.raises(RunError, match=r"arms\.1\.file names a file in a run of several items or"):
        load_run(tmp_path)


def test_one_bad_output_blocks_itself_alone(tmp_path: Path) -> None:
    """Bad bytes, half a surrogate, NUL, a record of the wrong type: the others go on."""
    path = jsonl(
        tmp_path / "outputs.jsonl",
        [
            '{"item": "q", "arm": "b", "prompt": "p", "output": "half \\ud835"}',
            '{"item": "q", "arm": "c", "output": "nul \\u0000"}',
            {"item": "q", "arm": "d", "output": "fine", "finish_reason": 7},
            {"item": "q", "arm": "e", "output": "fine"},
            {"item": "q", "arm": "f", "output": "x" * (4 * 1024 * 1024 + 1)},
        ],
    )
    with path.open("ab") as file:
        file.write(b'{"item": "q", "arm": "g", "output": "caf\xe9"}\n')
    found = {o.arm: o for o in iter_outputs(load_run(path))}
    assert [arm for arm, o in found.items() if o.fault is Reason.UNREADABLE] == list("bcdfg")
    assert "surrogate" in found["b"].fault_detail
    assert "NUL" in found["c"].fault_detail
    assert "finish_reason is 7" in found["d"].fault_detail
    assert "characters long" in found["f"].fault_detail
    assert found["e"].text == "fine"


def test_a_prompt_that_is_no_text_stops_with_its_item(tmp_path: Path) -> None:
    """Items are the run's own."""
    path = put(tmp_path / "o.jsonl", '{"item":"q","arm":"a","output":"x","prompt":"p\\ud800"}\n')
    with pytest.raises(RunError, match="item q that is not text"):
        load_item(load_run(path), "q")


def test_prompts_may_come_from_a_file_or_be_left_out(tmp_path: Path) -> None:
    """--prompt serves items without one, --no-prompt all."""
    path = jsonl(tmp_path / "o.jsonl", [{"item": 1, "arm": "a", "output": "x"}])
    ask = put(tmp_path / "ask.md", "Do it.")
    assert load_item(load_run(path, prompt=ask), "1").prompt == "Do it."
    assert load_item(load_run(path, no_prompt=True), "1").prompt == ""


def test_a_table_that_changes_between_load_and_read_is_noticed(tmp_path: Path) -> None:
    """Offsets of yesterday must not bring another arm's text."""
    path = jsonl(tmp_path / "o.jsonl", [row("q", "a"), row("q", "b")])
    run = load_run(path)
    jsonl(path, [row("q", "b"), row("q", "a")])
    with pytest.raises(RunError, match=r"changed while it was read|not valid JSON"):
        list(iter_outputs(run))


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)


@given(st.lists(texts, min_size=1, max_size=8), st.sampled_from(",;\t"))
def test_csv_cells_survive_any_text(
    tmp_path_factory: pytest.TempPathFactory, cells: list[str], delimiter: str
) -> None:
    """Quotes, line ends and delimiters inside cells: what was written is read."""
    path = tmp_path_factory.mktemp("t") / "outputs.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["item", "arm", "output", "prompt"])
        writer.writerows([f"i{n}", "a", cell, "p"] for n, cell in enumerate(cells))
    found = [o.text or "" for o in iter_outputs(load_run(path))]
    assert found == cells


READ = """
run = load_run(Path(sys.argv[1]))
count = sum(1 for output in iter_outputs(run) if output.text)
content_sha256(run)
print(count)
"""
REFUSE = """
try:
    load_run(Path(sys.argv[1]))
except RunError as exc:
    print(exc)
"""
IMPORTS = """
import sys
from pathlib import Path
from judgebench.errors import RunError
from judgebench.runs.load import content_sha256, iter_outputs, load_run
"""


@needs_proc
def test_a_hundred_thousand_rows_take_bounded_memory(tmp_path: Path) -> None:
    """100 MB of rows are read and hashed in less than 40 MiB more."""
    path = tmp_path / "outputs.jsonl"
    text = "The scan shows three services and two carry tests. " * 16
    with path.open("w") as file:
        for number in range(100_000):
            file.write(
                f'{{"item": "i{number // 5}", "arm": "arm-{number % 5}", "output": "{text}",'
                f' "prompt": "Do it.", "finish_reason": "stop", "completion_tokens": 200,'
                f' "max_tokens": 400, "wall_s": 1.5}}\n'
            )
    done = peak(IMPORTS, READ, path)
    assert done.out == "100000\n"
    assert done.grown_mib < 40


@needs_proc
def test_a_line_beyond_the_limit_takes_no_memory(tmp_path: Path) -> None:
    """A single line of 300 MB is refused after its first 16 MiB."""
    path = tmp_path / "outputs.jsonl"
    with path.open("wb") as file:
        file.truncate(300_000_000)
    done = peak(IMPORTS, REFUSE, path)
    assert ":1: is longer than 16,777,216 bytes" in done.out
    assert done.grown_mib < 100


def test_a_quote_inside_a_cell_swallows_no_rows(tmp_path: Path) -> None:
    """Only a quote at a cell's start opens it; the rows after it are rows."""
    path = put(
        tmp_path / "outputs.csv", 'item,arm,output\ni1,a,a 6" pipe\ni1,b,"two\nlines ""x"""\n'
    )
    path.write_text(path.read_text() + 'i2,a,fine\ni2,b,5" more\n')
    found = {
        (one.item, one.arm): one.text for one in iter_outputs(load_run(tmp_path, no_prompt=True))
    }
    assert found == {
        ("i1", "a"): 'a 6" pipe',
        ("i1", "b"): 'two\nlines "x"',
        ("i2", "a"): "fine",
        ("i2", "b"): '5" more',
    }


def test_a_quote_that_never_closes_is_a_fault_and_swallows_no_rows(tmp_path: Path) -> None:
    """The line where it opens is named."""
    put(tmp_path / "outputs.csv", 'item,arm,output\ni1,a,fine\ni1,b,"open\ni2,a,x\ni2,b,y\n')
    with pytest.raises(RunError, match="csv:3: is not valid CSV: a double quote"):
        load_run(tmp_path, no_prompt=True)


def test_columns_stand_as_the_file_has_them(tmp_path: Path) -> None:
    """A wrong --map says what it was mapped from; the others keep the names of the file."""
    path = jsonl(tmp_path / "answers.jsonl", [{"id": "q", "arm": "a", "text": "x"}])
    wrong = (
        r"no column words, mapped to output \(it has: id, arm, text\); name it with --map output="
    )
    with pytest.raises(RunError, match=wrong):
        load_run(path, columns={"item": "id", "output": "words"})
