"""What a command names as the next one, and what it says where arms share nothing."""

import re
import shlex
from collections.abc import Callable

from judgebench.model.passes import DataLevel
from tests.acceptance.desk import HARBOUR, MEADOW, THREE, Desk, plan
from tests.stub import StubServer

Serve = Callable[..., StubServer]


def test_check_names_the_command_that_judges_what_it_checked(desk: Desk, serve: Serve) -> None:
    """The printed command repeats every option, and judges as many requests as were priced."""
    desk.make(THREE)
    stub = serve(plan("fours"))
    given = (
        "--rubric bulletin --judge stub --repeats 2 --seed 5 --blind flag --arms north,south"
        " --split-criteria"
    )
    checked = desk.judge("check", desk.run, *given.split())
    found = re.search(r"^Next: judge (.+)$", checked.out, re.MULTILINE)
    assert found
    words = shlex.split(found[1])
    assert words[:2] == ["score", str(desk.run)]
    assert set(words[2:]) == set(given.split())
    assert "2 arms · 1 item\n" in checked.out
    assert desk.judge(*words).code == 0
    assert f"judge stub: {len(stub.log)} requests" in checked.out


def test_a_rubric_that_has_no_name_here_is_not_named(desk: Desk, serve: Serve) -> None:
    """From the store alone the file is not known: FILE stands for it, never a wrong name."""
    desk.make({arm: dict.fromkeys(("m1", "m2", "m3"), text) for arm, text in THREE.items()})
    serve(plan("fours"))
    known = desk.root / "rubrics" / "bulletin.yaml"
    elsewhere = desk.root / "elsewhere.yaml"
    elsewhere.write_bytes(known.read_bytes())
    known.unlink()
    said = desk.judge("score", desk.run, "--judge", "stub", "--rubric", "elsewhere.yaml")
    assert "--rubric elsewhere.yaml" in said.out
    shown = desk.judge("table", desk.run)
    assert shown.code == 0, shown.err
    assert "--rubric FILE" in shown.out
    assert "--rubric bulletin" not in shown.out


def test_check_repeats_how_a_table_is_read(desk: Desk) -> None:
    """Columns and a missing prompt belong to the next command too."""
    folder = desk.root / "runs" / "sheet"
    folder.mkdir(parents=True)
    (folder / "outputs.csv").write_text("item,who,said\ni1,a,Tea.\ni1,b,Milk.\n")
    said = desk.judge(
        "check", "runs/sheet", "--no-prompt", "--map", "arm=who,output=said", "--rubric", "answer"
    )
    assert said.code == 0, said.err
    last = said.out.splitlines()[-1]
    assert last == (
        "Next: judge score runs/sheet --judge PROVIDER/MODEL --rubric answer --no-prompt "
        "--map arm=who,output=said"
    )


def test_arms_that_share_no_item_are_not_said_to_share_any(desk: Desk, serve: Serve) -> None:
    """Marks on different items are no shared items, however many there are."""
    desk.make({
        "north": {"m1": HARBOUR, "m2": HARBOUR, "m3": None, "m4": None},
        "south": {"m1": None, "m2": None, "m3": MEADOW, "m4": MEADOW},
    })  # fmt: skip
    serve(plan("fours"))
    said = desk.score()
    assert said.code == 0, said.err
    assert "share at most one scored item" in said.out
    assert "4 shared items" not in said.out
    assert desk.table().json["level"] == DataLevel.E0
