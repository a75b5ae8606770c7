"""Answers that are only flagged: the report says what it would be without them."""

import json

import pytest

from tests.acceptance.desk import HARBOUR, MEADOW, QUARRY, Desk, plan
from tests.acceptance.test_views import NAMED, Serve

JSON = dict[str, object]
ITEMS = tuple(f"m{number:02}" for number in range(1, 13))
TAGS = {"tag-harbour": 5, "tag-meadow": 4, "tag-quarry": 1}


def by_tag(**more: int) -> JSON:
    """Each text gets the mark of the first tag that stands in it."""
    return {
        "rules": [
            {"when_body_has": tag, "replies": [{"verdict": {"score": mark, "quotes": "real"}}]}
            for tag, mark in {**more, **TAGS}.items()
        ]
    }


def named_on(*items: str) -> dict[str, dict[str, str]]:
    """Three arms over all items; the first names its vendor on some."""
    return {
        "north": {one: NAMED if one in items else HARBOUR for one in ITEMS},
        "south": dict.fromkeys(ITEMS, MEADOW),
        "east": dict.fromkeys(ITEMS, QUARRY),
    }


def pages(desk: Desk, pass_id: object) -> str:
    """The report of one pass."""
    return (desk.root / "reports" / "bulletin" / str(pass_id) / "report.md").read_text("utf-8")


def test_ratings_without_flagged_answers_are_those_of_a_strict_pass(
    desk: Desk, serve: Serve
) -> None:
    """The same sets, means and places as where these answers are blocked for their names."""
    desk.make(named_on("m01", "m02", "m03"))
    serve(by_tag(OpenAI=3))
    flag = desk.score("--blind", "flag", "--json").json
    strict = desk.score("--blind", "strict", "--json").json
    without = flag["without_flagged"]
    assert (without["answers"], without["items"]) == (3, 0)
    assert without["best"] == strict["best"]
    assert {
        one["arm"]: (one["mean"], one["answered"], one["placed"]) for one in without["arms"]
    } == {one["arm"]["id"]: (one["mean"], one["answered"], one["placed"]) for one in strict["arms"]}
    assert strict["without_flagged"] is None
    page = pages(desk, flag["judging"]["id"])
    assert "Without the 3 answers sent with names: " in page
    assert "north: 5.00 (9) without them, 4.50 (12) with them" in page
    assert "south: 4" not in page.split("Without the 3 answers")[1].split("##")[0]


@pytest.mark.parametrize(
    ("own", "code", "said"),
    [
        (5, "identity_flagged_same", "the arms that may be best stay the same (north)"),
        (1, "identity_flagged_other", "instead of"),
    ],
)
def test_the_table_says_whether_the_names_decide(
    desk: Desk, serve: Serve, own: int, code: str, said: str
) -> None:
    """A warning of its own where other arms may be best without the flagged answers."""
    desk.make(named_on("m01") if own > 1 else named_on(*ITEMS[:6]))
    serve(by_tag(OpenAI=own))
    done = desk.score("--blind", "flag")
    found = desk.table().json
    assert code in {one["code"] for one in found["warnings"]}
    assert found["without_flagged"]["same"] is (own > 1)
    assert ("same arms may be best" if own > 1 else "names decide") in done.out
    assert said in pages(desk, found["judging"]["id"])


def test_compared_answers_are_left_out_with_their_items(desk: Desk, serve: Serve) -> None:
    """A share won is against the others, so an item goes whole."""
    desk.make(named_on("m01", "m02"))
    serve(plan("fours"))
    done = desk.score("--blind", "flag", "--mode", "pairwise", "--json")
    without = done.json["without_flagged"]
    assert (without["answers"], without["items"]) == (2, 2)
    assert {one["answered"] for one in without["arms"]} == {10}
    assert "2 answers sent with names, all 2 items that hold one" in pages(
        desk, done.json["judging"]["id"]
    )


def test_nothing_is_said_where_no_name_was_sent(desk: Desk, serve: Serve) -> None:
    """Neither where names are masked, nor where there are none; one item names no best arm."""
    desk.make(named_on("m01"))
    serve(by_tag())
    for blind in ("mask", "strict"):
        done = desk.score("--blind", blind, "--json")
        assert done.json["without_flagged"] is None
        assert "sent with names" not in pages(desk, done.json["judging"]["id"])
    desk.make({"north": HARBOUR, "south": MEADOW}, name="clean")
    clean = desk.judge(
        "score", desk.root / "runs/clean", "--rubric", "bulletin", "--blind", "flag", "--json"
    )
    assert clean.json["without_flagged"] is None
    desk.make({"north": NAMED, "south": MEADOW}, name="one")
    one = desk.judge(
        "score", desk.root / "runs/one", "--rubric", "bulletin", "--blind", "flag", "--json"
    )
    assert one.json["without_flagged"]["best"]["code"] == "too_few_arms"
    assert "identity_flagged" in {flag["code"] for flag in one.json["warnings"]}
    (report,) = (desk.root / "reports" / "one").glob("*/report.md")
    assert "who may be best is not printed (too few arms)" in report.read_text("utf-8")
    assert json.loads((report.parent / "result.json").read_text("utf-8"))["without_flagged"]
