"""`judge show`: what is listed, one judging by its name, and why a cell has none."""

from collections.abc import Callable

from tests.acceptance.desk import HARBOUR, MEADOW, WHOLE, Desk, plan, write
from tests.stub import StubServer

Serve = Callable[..., StubServer]


def test_a_cell_without_a_judgment_says_why(desk: Desk, serve: Serve) -> None:
    """Blocked with its reason and message, missing, or no such arm or item."""
    cut = WHOLE | {"finish_reason": "length"}
    desk.make({"north": HARBOUR, "south": MEADOW, "east": None}, records={"north": cut})
    serve(plan("fours"))
    assert desk.score().code == 0
    blocked = desk.judge("show", desk.run, "north", "m1")
    assert blocked.code != 0
    assert "the answer is blocked: length: finish_reason length" in blocked.err
    assert "the answer is blocked: missing: " in desk.judge("show", desk.run, "east", "m1").err
    assert "it has no arm west" in desk.judge("show", desk.run, "west", "m1").err
    assert "it has no item m9" in desk.judge("show", desk.run, "north", "m9").err


def test_the_list_has_heads_and_a_name_shows_one_judging(desk: Desk, serve: Serve) -> None:
    """Columns are named; of two judgings of an answer the named one is shown alone."""
    desk.make({"north": HARBOUR, "south": MEADOW})
    serve(plan("fours"))
    assert desk.score("--repeats", "2").code == 0
    lines = desk.judge("show", desk.run).out.splitlines()
    assert lines[0].endswith(": 4 judgments in the order they were asked")
    assert lines[1].split() == ["name", "item", "judging", "total", "blocked"]
    for line in lines[2:]:
        name, _, repeat, _ = line.split()
        shown = desk.judge("show", desk.run, name).out
        assert shown.count("· judging ") == 1
        assert f"{name} (--reveal names the arm) · m1 · judging {repeat}" in shown


def test_one_request_about_several_answers_has_a_name_for_each(desk: Desk, serve: Serve) -> None:
    """Listwise: the list's names differ; the key alone is answered with the exact commands."""
    desk.make({"north": HARBOUR, "south": MEADOW})
    serve(plan("fours"))
    assert desk.score("--mode", "listwise", "--repeats", "1").code == 0
    lines = desk.judge("show", desk.run).out.splitlines()[2:]
    names = [line.split()[0] for line in lines]
    assert len(set(names)) == 2
    assert len({name.partition(":")[0] for name in names}) == 1
    for name in names:
        shown = desk.judge("show", desk.run, name)
        assert shown.code == 0, shown.err
        assert shown.out.count("· judging ") == 1
        assert "north" not in shown.out + shown.err
    key = names[0].partition(":")[0]
    said = desk.judge("show", "runs/bulletin", key)
    assert said.code == 2
    assert "names 2 judgments; write one of: " in said.err
    for name in names:
        assert f"judge show runs/bulletin {name}" in said.err
    assert "names no judgment" in desk.judge("show", desk.run, f"{key}:none").err


def test_the_list_says_what_the_item_of_a_bare_folder_is_called(desk: Desk, serve: Serve) -> None:
    """So that it can be typed."""
    folder = desk.root / "answers"
    for name, text in (("a.md", HARBOUR), ("b.md", MEADOW)):
        write(folder / name, text)
    serve(plan("fours"))
    assert desk.score("--no-prompt", run=folder).code == 0
    assert "one item, which is called item" in desk.judge("show", folder).out
    assert desk.judge("show", folder, "a", "item").code == 0


def test_a_long_list_and_a_long_answer_are_begun_and_all_shows_the_rest(
    desk: Desk, serve: Serve
) -> None:
    """The page says what is left and how it is shown; JSON and --request cut nothing."""
    lines = [f"Line {n} of the notice, which is a long one." for n in range(60)]
    run = desk.make({"north": "\n".join(lines), "south": MEADOW})
    serve(plan("fours"))
    assert desk.score("--repeats", "21").code == 0
    begun = desk.judge("show", run).out.splitlines()
    assert begun[-1] == "… 2 more judgments: --all lists them"
    assert len(begun) == 2 + 40 + 1
    assert len(desk.judge("show", run, "--all").out.splitlines()) == 2 + 42
    shown = desk.judge("show", run, "north", "m1").out
    assert "Line 39 " in shown
    assert "… 20 more lines: --all shows them, with the quotes in them" in shown
    assert "Line 40 " not in shown
    for word in ("--all", "--request"):
        whole = desk.judge("show", run, "north", "m1", word).out
        assert "Line 59 " in whole
        assert "more lines" not in whole
