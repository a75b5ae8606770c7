"""Tools over a project: bounded, numbered, framed, and never outside of it."""

import json
from typing import Any

import pytest

from judgebench.judges import toolbox
from judgebench.judges.toolbox import MOST_CHARS, MOST_LINES, Toolbox
from judgebench.judges.toolcalls import MOST_SEEN, talked
from judgebench.model.projects import LeftOut, Project, ProjectFile, lines_read, with_read
from judgebench.model.turns import ToolAnswer, ToolCall

FRAME = "f" * 32
ROOM = 100_000


def file(path: str, *lines: str, shown: int = 0) -> ProjectFile:
    """One file of a project."""
    return ProjectFile(path=path, lines=lines, shown=shown)


LONG = file("app/long.py", *(f"line {n} of many" for n in range(1, 1_001)), shown=20)
PROJECT = Project(
    files=(
        LONG,
        file("docs/EMPTY.md"),
        file("lib/wide.rb", *("x" * 1_900 for _ in range(30))),
        file("lib/work.rb", "def Ask(it)", "  client.ask  it", "end", shown=3),
    ),
    left_out=(LeftOut(path="big.log", reason="generated", could_hold=False),),
)
BOX = Toolbox(PROJECT, FRAME)


def call(name: str, arguments: Any, *, room: int = ROOM) -> ToolAnswer:  # noqa: ANN401 - any JSON
    """Answer one call."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return BOX.answer(ToolCall(id="a", name=name, arguments=text), room=room)


def test_every_answer_is_framed_and_bounded() -> None:
    """Lines are numbered under a header of their own; a part that is too long is cut to lines."""
    got = call("read_file", {"path": "app/long.py"})
    lines = got.text.splitlines()
    assert lines[0] == f"<<<{FRAME}:tool"
    assert lines[1] == f"===== app/long.py (lines 1-{MOST_LINES} of 1000) ====="
    assert lines[2] == "   1| line 1 of many"
    assert lines[-1] == f"{FRAME}:tool>>>"
    assert got.read == (("app/long.py", 1, MOST_LINES),)
    wide = call("read_file", {"path": "lib/wide.rb"})
    assert len(wide.text) <= MOST_CHARS + 200
    assert wide.read == (("lib/wide.rb", 1, 8),)


def test_lines_may_be_asked_for_in_any_order() -> None:
    """A range is read from its lower end, and no further than the file goes."""
    got = call("read_file", {"path": "./app/long.py", "first": 2_000, "last": 999})
    assert got.said == "app/long.py, lines 999-1000 of 1000"


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("read_file", {"path": "app/long.py/../long.py"}, "no file of this path"),
        ("read_file", {"path": "/app/long.py"}, "no file of this path"),
        ("read_file", {"path": "big.log"}, "no file of this path"),
        ("read_file", {}, "path: Field required"),
        ("read_file", {"path": "app/long.py", "first": 0}, "first: Input should be"),
        ("read_file", {"path": "app/long.py", "lines": 3}, "lines: Extra inputs"),
        ("read_file", "[1]", "valid dictionary or instance"),
        ("read_file", '{"path": "a", "path": "b"}', "given twice"),
        ("read_file", '{"path": ' + "[" * 3_000, "cannot be read"),
        ("read_file", '{"path": "' + "a" * 30_000 + '"}', "too long"),
        ("search", {"pattern": "  "}, "pattern is blank"),
        ("search", {"pattern": "x"}, "pattern: String should have at least 2"),
        ("", {}, "there is no such tool"),
    ],
)
def test_a_call_that_cannot_be_answered_says_why(name: str, arguments: object, told: str) -> None:
    """The words go back to the judge; nothing is read."""
    got = call(name, arguments)
    assert got.fault
    assert told in got.said
    assert got.text == f"error: {got.said}"
    assert got.read == ()


def test_without_room_nothing_is_given() -> None:
    """What the conversation has left bounds every answer."""
    assert call("read_file", {"path": "lib/work.rb"}, room=0).fault
    assert call("read_file", {"path": "lib/wide.rb"}, room=100).fault
    assert call("read_file", {"path": "app/long.py"}, room=50).read == (("app/long.py", 1, 2),)


def test_an_empty_file_is_said_to_be_empty() -> None:
    """It has no lines to read, and asking is no fault."""
    assert call("read_file", {"path": "docs/EMPTY.md"}).said == "docs/EMPTY.md, empty"


def test_files_are_listed_by_glob() -> None:
    """Paths with their lines, and how many of them were shown."""
    got = call("list_files", "")
    assert got.text.splitlines()[1:-1] == [
        "app/long.py: 1,000 lines, 1-20 shown",
        "docs/EMPTY.md: empty",
        "lib/wide.rb: 30 lines, not shown",
        "lib/work.rb: 3 lines",
    ]
    assert "no file fits" in call("list_files", {"glob": "*.java"}).text
    assert "and 1 more; name a narrower glob" in call("list_files", {"glob": "lib/*"}, room=40).text


def test_a_search_finds_lines_shown_or_not() -> None:
    """Letter case and runs of white space mean nothing; signs have no special meaning."""
    got = call("search", {"pattern": "CLIENT.ask it"})
    assert "lib/work.rb:2|   client.ask  it" in got.text
    assert got.read == (("lib/work.rb", 2, 2),)
    assert call("search", {"pattern": "client?ask"}).said == "0 lines in 0 files"
    many = call("search", {"pattern": "of many", "glob": "app/**"})
    assert many.said == "1,000 lines in 1 file"
    assert len(many.read) == toolbox.MOST_FOUND
    assert "and 940 more" in many.text
    wide = call("search", {"pattern": "xx"})
    assert wide.read == ()
    assert len(wide.text) < MOST_CHARS


def test_a_wide_line_is_cut_around_what_was_found() -> None:
    """The part of it that is shown holds the text that was searched for."""
    line = "a" * 900 + " needle " + "b" * 900
    box = Toolbox(Project(files=(file("one.txt", line),)), FRAME)
    asked = ToolCall(id="a", name="search", arguments='{"pattern": "needle"}')
    assert " needle b" in box.answer(asked, room=ROOM).text


def test_what_was_read_is_counted_once() -> None:
    """Parts are joined, those that were shown or do not exist left out."""
    places = [("app/long.py", 15, 30), ("app/long.py", 31, 40), ("app/long.py", 38, 50),
              ("app/long.py", 990, 5_000), ("gone.py", 1, 9), ("lib/work.rb", 1, 3)]  # fmt: skip
    found = with_read(PROJECT, places)
    read = found.file("app/long.py")
    assert read is not None
    assert read.read == ((21, 50), (990, 1_000))
    assert (read.seen, read.whole) == (61, False)
    assert read.saw(1, 50)
    assert read.saw(18, 25)
    assert not read.saw(45, 60)
    assert not read.saw(500, 501)
    assert lines_read(places, [("app/long.py", 20, 1_000)]) == 41
    assert with_read(PROJECT, []) is PROJECT
    assert with_read(PROJECT, [("lib/wide.rb", 1, 30)]).files[2].whole


def message(*calls: object, **more: object) -> dict[str, object]:
    """A reply's message."""
    return {"role": "assistant", "content": None, "tool_calls": list(calls), **more}


def asking(name: object, arguments: object, **more: object) -> dict[str, object]:
    """A call as a provider gives it."""
    return {"id": "c", "function": {"name": name, "arguments": arguments}, **more}


def test_a_message_goes_back_as_it_came() -> None:
    """Fields of the provider's own stay; what no endpoint could take again does not."""
    given = message(
        asking("search", '{"pattern": "ab"}', extra_content={"signature": "s"}),
        asking("search", "{", id="c"),
        asking(7, {"path": "a"}, id=None),
        reasoning_content="because", refusal=None, annotations=[],
    )  # fmt: skip
    got = talked(given, "findings")
    assert [one.id for one in got.called] == ["c", "call_2", "call_3"]
    assert [one.name for one in got.called] == ["search", "search", ""]
    assert got.called[2].arguments == '{"path": "a"}'
    first, second, third = got.said["tool_calls"]
    assert first["extra_content"] == {"signature": "s"}
    assert second["function"]["arguments"] == "{}"
    assert third["function"]["name"] == "none"
    assert got.said["reasoning_content"] == "because"
    assert "refusal" not in got.said
    assert "annotations" not in got.said
    assert got.said["content"] is None


def test_no_two_calls_share_an_id() -> None:
    """An id that is made up is none that the judge gave to another call."""
    ids = ["call_3", "call_2", None, "call_4", None]
    got = talked(message(*(asking("search", "{}", id=one) for one in ids)), "findings")
    assert [one.id for one in got.called] == ["call_3", "call_2", "call_4", "call_5", "call_6"]
    assert [one["id"] for one in got.said["tool_calls"]] == [one.id for one in got.called]


@pytest.mark.parametrize("arguments", ['{"first": NaN}', '{"first": 1e999}', "[" * 100_000])
def test_arguments_that_are_no_json_do_not_go_back(arguments: str) -> None:
    """What only a lenient reader takes would be refused by the endpoint."""
    got = talked(message(asking("read_file", arguments)), "findings")
    assert got.said["tool_calls"][0]["function"]["arguments"] == "{}"
    assert got.called[0].arguments == arguments


def test_a_report_by_itself_asks_for_nothing() -> None:
    """Neither a message without calls nor one that only reports is a turn."""
    assert not talked(message(asking("findings", "{}")), "findings").called
    assert not talked({"tool_calls": "none"}, "findings").called
    assert not talked(message("odd"), "findings").called
    many = talked(message(*(asking("search", "{}", id=f"i{n}") for n in range(99))), "findings")
    assert len(many.called) == MOST_SEEN
