"""`--arms` judges a part of the same queue."""

from collections.abc import Callable

from tests.acceptance.desk import HARBOUR, MEADOW, QUARRY, Desk, plan
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
