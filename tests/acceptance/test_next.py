"""The next command that a page names does what it says."""

import re
import shlex
from collections.abc import Callable

import pytest

from tests.acceptance.desk import HARBOUR, MEADOW, THREE, Desk, plan, write
from tests.stub import StubServer

Serve = Callable[..., StubServer]


def next_command(out: str) -> list[str]:
    """Words of the command behind `Next:`, without its cost."""
    text = out[out.index("Next: judge ") :].removeprefix("Next: judge ")
    return shlex.split(text.replace("\n  (", "  (").replace("\\\n", "").partition("  (")[0])


def test_check_names_every_option_that_it_was_given(desk: Desk, serve: Serve) -> None:
    """The command that it names starts the very pass that it priced."""
    folder = desk.root / "my answers"
    for name, text in (("a.md", HARBOUR), ("b.md", MEADOW), ("c.md", "Third.")):
        write(folder / name, text)
    server = serve(plan("fours"))
    given = ("--judge", "stub", "--rubric", "bulletin", "--mode", "listwise", "--repeats", "2")
    more = ("--no-prompt", "--arms", "a,b", "--blind", "flag", "--seed", "7", "--split-criteria")
    checked = desk.judge("check", folder, *given, *more)
    words = next_command(checked.out)
    assert words[:2] == ["score", str(folder)]
    assert sorted(words[2:]) == sorted([*given, *more])
    done = desk.judge(*words)
    assert done.code == 0, done.err
    assert f"judge stub: {len(server.log)} requests" in checked.out


def test_check_without_a_judge_names_what_is_missing(desk: Desk) -> None:
    """Without a default judge the bare command could only fail."""
    desk.make(THREE)
    (desk.root / "judges.toml").write_text("")
    said = desk.judge("check", desk.run, "--rubric", "bulletin")
    assert said.err == ""
    out = said.out
    assert "--judge PROVIDER/MODEL --rubric bulletin" in out


@pytest.mark.parametrize("repeats", [(), ("--repeats", "2"), ("--repeats", "1")])
def test_score_names_a_pass_of_as_many_requests_as_it_says(
    desk: Desk, serve: Serve, repeats: tuple[str, ...]
) -> None:
    """Another judge is sent just as many, noise included, and what is shown it is the same."""
    items = {f"m{place}": f"{HARBOUR} {place}\n" for place in range(11)}
    desk.make({"north": items, "south": dict.fromkeys(items, MEADOW), "east": items})
    server = serve(plan("fours"))
    done = desk.score("--arms", "north,south", *repeats)
    assert done.code == 0, done.err
    said = int(done.out.split("Next: ")[1].split("(")[1].split(" request")[0])
    words = next_command(done.out)
    assert said == len(server.log)
    other = serve(plan("fours"), name="other")
    assert desk.judge(*(word.replace("PROVIDER/MODEL", "other") for word in words)).code == 0
    assert said == len(other.log)


def test_lines_keep_to_the_screen_and_counts_to_their_nouns(desk: Desk, serve: Serve) -> None:
    """One of a thing has no s, and sentences of check and score are wrapped."""
    sparse = {"finish_reason": "stop"}
    desk.make({"north": HARBOUR}, records={"north": sparse})
    serve(plan("fours"))
    checked = desk.judge("check", desk.run, "--rubric", "bulletin").out
    assert "bulletin · 1 arm · 1 item\n" in checked
    assert "judge stub: 1 request, about" in checked
    shown = [line for line in checked.splitlines() if not line.startswith((" ", "Next: "))]
    assert any(line.startswith("outputs without") for line in shown)
    assert max(map(len, shown)) <= 80
    done = desk.score()
    assert not re.search(r"\b1 (items|arms|calls|requests|cells|marks)\b", done.all)
    assert max(map(len, done.err.splitlines())) <= 80


def test_drawn_answers_are_marked_where_they_lie(desk: Desk, serve: Serve) -> None:
    """`judge label` follows a draw of items and of single answers; its sheet is taken in."""
    items = [f"i{at}" for at in range(12)]
    desk.make({arm: dict.fromkeys(items, text) for arm, text in THREE.items()})
    serve(plan("fours"))
    assert desk.score("--no-html").code == 0
    for at, more in enumerate((("--items", "12"), ("--for", "means", "--answers", "30"))):
        drawn = desk.judge("sample", "runs/bulletin", *more)
        assert drawn.code == 0, drawn.err
        words = next_command(drawn.out)
        assert words == ["label", "runs/bulletin"]
        sheet = desk.judge(*words, "--csv", f"{at}.csv", "--rater", "Ana")
        assert sheet.code == 0, sheet.err
    empty = desk.judge("calibrate", "runs/bulletin")
    assert next_command(empty.out)[0] == "sample"
    assert desk.judge(*next_command(empty.out)).code == 0
