"""`--arms` judges a part of the same queue."""

from collections.abc import Callable

from tests.acceptance.desk import HARBOUR, MEADOW, QUARRY, Desk, always, plan
from tests.stub import StubServer

Serve = Callable[..., StubServer]


def test_a_selection_of_a_finished_pass_asks_nothing(desk: Desk, serve: Serve) -> None:
    """Neither some arms nor all of them again choose other cells for the noise."""
    items = [f"m{n}" for n in range(9)]
    texts = {"north": HARBOUR, "south": MEADOW, "east": QUARRY}
    desk.make({arm: dict.fromkeys(items, text) for arm, text in texts.items()})
    stub = serve(plan("fours"))
    assert desk.score().code == 0
    asked = len(stub.log)
    assert asked == 27 + 12
    for words in (("--arms", "north,south"), ("--arms", "east"), ()):
        assert desk.score(*words).code == 0
        assert (words, len(stub.log)) == (words, asked)
    noisy = "SELECT count(*) FROM requests WHERE current AND purpose = 'noise'"
    assert desk.rows(noisy) == [(12,)]


def test_another_judge_of_some_arms_leaves_controls_and_differences_readable(
    desk: Desk, serve: Serve
) -> None:
    """A first pass with controls and a comparison of all arms, then two arms by another judge."""
    items = [f"m{n}" for n in range(4)]
    texts = {"north": HARBOUR, "south": MEADOW, "east": QUARRY}
    desk.make({arm: {item: f"{item}. {text}" for item in items} for arm, text in texts.items()})
    differs = [{"kind": "structure", "more": "tag-harbour"}]
    serve(always(verdict={"score": 3, "quotes": "real", "contrasts": differs}))
    assert desk.score("--controls", "6", "--repeats", "2").code == 0
    assert desk.judge("compare", desk.run).code == 0
    toml = desk.root / "judges.toml"
    toml.write_text(toml.read_text().replace("stub-judge", "other-judge"))
    done = desk.score("--arms", "north,south", "--controls", "0")
    assert done.code == 0, done.err
    for command in ("report", "table", "compare"):
        done = desk.judge(command, desk.run)
        assert done.code == 0, (command, done.err)
    assert "controls: " in desk.judge("table", desk.run).out
