"""`-v`: one line a request; and what is refused before anything is made."""

import re

from tests.acceptance.desk import HARBOUR, THREE, Desk, plan
from tests.acceptance.test_views import Serve

LINE = re.compile(
    r"[0-9a-f]{12} · m1 · (ok|blocked judge_\w+) · \d calls?( · [\d,]+ \+ [\d,]+ tokens)?"
)


def test_verbose_says_one_line_a_request(desk: Desk, serve: Serve) -> None:
    """Key, item, outcome, calls, on stderr: no arm and nothing of any text; without it none."""
    desk.make(THREE)
    serve(plan("fours"))
    done = desk.score("-v", "--json", "--no-html")
    lines = [one for one in done.err.splitlines() if " · m1 · " in one]
    assert len(lines) == len(THREE)
    assert all(LINE.fullmatch(one) for one in lines), lines
    assert not any(word in line for line in lines for word in (*THREE, "tag-"))
    assert len(done.json["arms"]) == len(THREE)
    quiet = desk.score("--seed", "7", "--no-html")
    assert quiet.code == 0
    assert " · m1 · " not in quiet.err


def test_quiet_and_verbose_are_one_too_many(desk: Desk, serve: Serve) -> None:
    """A usage fault, before anything is sent."""
    desk.make(THREE)
    stub = serve(plan("fours"))
    done = desk.score("-q", "-v")
    assert (done.code, len(stub.log)) == (2, 0)
    assert "take one of them" in done.err


def test_what_is_refused_leaves_no_empty_database(desk: Desk, serve: Serve) -> None:
    """Pairs of one arm are refused before judgments/ is made."""
    desk.make({"north": HARBOUR})
    serve(plan("fours"))
    done = desk.score("--mode", "pairwise")
    assert done.code == 2
    assert "has one arm" in done.err
    assert not desk.database.exists()
