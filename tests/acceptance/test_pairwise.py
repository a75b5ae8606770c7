"""`--mode pairwise` through whole commands: what is asked, what is found, what is refused."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.desk import HARBOUR, JSON, THREE, Desk, always
from tests.stub import StubServer

Serve = Callable[..., StubServer]
WORTH = {"north": 2.0, "south": 1.2, "east": 0.6, "west": 0.0}


def answers(items: int, worth: dict[str, float] | None = None) -> dict[str, dict[str, str]]:
    """Answers that say what they are worth, each with words of its own."""
    return {
        arm: {
            f"m{item:02}": f"The tram stop moves on Monday, note {arm[0]}{item}x{item * 37 % 11}. "
            f"This is worth {value}.\n"
            for item in range(1, items + 1)
        }
        for arm, value in (worth or WORTH).items()
    }


def prefer(rule: str) -> JSON:
    """A judge that compares by this rule of the stub."""
    return always(verdict={"prefer": rule, "quotes": "real"})


def pairs(desk: Desk, *words: str | Path) -> JSON:
    """Score in pairs without noise, and give the result."""
    done = desk.score("--mode", "pairwise", "--repeats", "1", "--json", *words)
    assert done.code == 0, done.err
    return done.json


def test_every_pair_is_asked_in_both_orders(desk: Desk, serve: Serve) -> None:
    """K(K-1) requests an item, two frames each, and no arm, path or model in any of them."""
    desk.make(answers(2))
    stub = serve(prefer("worth"))
    result = pairs(desk)
    assert len(stub.bodies) == 2 * 4 * 3
    assert result["counts"]["requests_planned"] == 24
    shown: Counter[tuple[str, str]] = Counter()
    for body in stub.bodies:
        user = body["messages"][-1]["content"]
        texts = [line.split("note ")[1][:2] for line in user.splitlines() if "note " in line]
        first, second = texts
        assert first[1] == second[1]
        shown[first, second] += 1
        assert not any(name in json.dumps(body) for name in ("north", "firm-", "model-0"))
    assert set(shown.values()) == {1}
    assert {(b, a) for a, b in shown} == set(shown)


def test_a_judge_that_calls_everything_a_tie_is_told_of_first(desk: Desk, serve: Serve) -> None:
    """All ties tell no arm apart; the warning stands first in table and JSON."""
    desk.make(answers(3))
    serve(prefer("tie"))
    assert pairs(desk)["warnings"][0]["code"] == "all_ties"
    said = desk.judge("table", desk.run)
    assert "all 36 comparisons are ties: these verdicts tell nothing" in said.out


def test_a_judge_that_goes_by_the_place_is_told_of_first(desk: Desk, serve: Serve) -> None:
    """Nearly every pair turns with the order: no lesser warning stands before it."""
    desk.make(answers(3))
    serve(prefer("first"))
    assert pairs(desk)["warnings"][0]["code"] == "order_turned"


def test_a_planted_order_of_arms_and_places_is_recovered(desk: Desk, serve: Serve) -> None:
    """Hidden worth gives the order of arms; a bonus of 0.5 for the first place is found as one."""
    desk.make(answers(24))
    serve(prefer("worth 0.5 0.6 0.1"))
    result = pairs(desk)
    assert [arm["arm"]["id"] for arm in result["arms"]] == list(WORTH)
    assert result["best"] == ["north"]
    found = result["comparing"]
    strengths = [arm["strength"] for arm in found["arms"]]
    # Worth is over the noise: 0.6 is one step of the log scale.
    for arm, one in zip(WORTH, strengths, strict=True):
        wanted = (WORTH[arm] - WORTH["north"]) / 0.6
        assert one["value"] == pytest.approx(wanted, abs=0.9)
    assert found["order"]["low"] < 0.5 / 0.6 < found["order"]["high"]
    assert found["first_share"]["low"] > 0.5
    assert found["both_orders"] == 24 * 6
    assert found["turned_first"] > 3 * found["turned_second"]
    assert "order_preference" in {flag["code"] for flag in result["warnings"]}


def test_a_judge_that_always_takes_the_first_prefers_no_arm(desk: Desk, serve: Serve) -> None:
    """Both orders cancel: all arms won half, every pair turned, and the first lines say so."""
    desk.make(answers(6))
    serve(prefer("first"))
    result = pairs(desk)
    assert {arm["mean"] for arm in result["arms"]} == {0.5}
    assert result["comparing"]["turned_first"] == result["comparing"]["both_orders"] == 36
    assert result["comparing"]["first_share"]["value"] == 1
    assert result["comparing"]["circular"]["code"] == "too_few_items"
    shown = desk.judge("table", desk.run).out
    assert "36 of 36 pairs turned" in shown
    assert len(shown.splitlines()) <= 24
    assert "is the best" not in shown


def test_a_judge_that_only_ties_shows_nothing(desk: Desk, serve: Serve) -> None:
    """All ties: half won, no pair turned, no strength apart and no arm above another."""
    desk.make(answers(6))
    serve(prefer("tie"))
    result = pairs(desk)
    found = result["comparing"]
    assert found["tied"] == found["comparisons"] == 72
    assert found["turned_first"] + found["turned_second"] + found["loosened"] == 0
    assert not any(pair["separated"] for pair in result["pairs"])


def test_arms_that_always_win_have_no_finite_strength(desk: Desk, serve: Serve) -> None:
    """Worth alone decides: shares won are given, strengths refused, the groups are named."""
    desk.make(answers(6))
    serve(prefer("worth"))
    result = pairs(desk)
    assert [arm["mean"] for arm in result["arms"]] == [1, 2 / 3, 1 / 3, 0]
    strength = result["comparing"]["arms"][0]["strength"]
    assert (strength["value"], strength["code"]) == (None, "disconnected")
    assert sorted(map(len, result["comparing"]["unlinked"])) == [1, 1, 1, 1]
    why = desk.judge("table", desk.run, "--why").out
    assert "no strength is finite" in " ".join(why.split())


def test_one_item_gives_no_rank_and_no_interval(desk: Desk, serve: Serve) -> None:
    """E0: shares won on this item, and nothing about others."""
    desk.make(THREE)
    serve(prefer("worth"))
    result = pairs(desk)
    assert result["level"] == 0
    assert all(arm["rank_low"] is None for arm in result["arms"])
    codes = {arm["strength"]["code"] for arm in result["comparing"]["arms"]}
    assert codes == {"too_few_items"}
    shown = desk.judge("table", desk.run).out
    assert "They do not say which" in shown


def test_a_blocked_answer_is_in_no_pair(desk: Desk, serve: Serve) -> None:
    """The others are compared among themselves; nothing is counted as lost."""
    made = answers(4)
    made["west"]["m02"] = ""
    desk.make(made)
    stub = serve(prefer("worth"))
    result = pairs(desk)
    assert len(stub.bodies) == 3 * 12 + 6
    west = next(arm for arm in result["arms"] if arm["arm"]["id"] == "west")
    assert (west["answered"], west["blocked"][0]["reason"]) == (3, "empty")
    lost = next(arm for arm in result["comparing"]["arms"] if arm["arm"] == "west")
    assert lost["won"] + lost["tied"] + lost["lost"] == 18


def test_an_early_stop_resumes_and_asks_nothing_twice(desk: Desk, serve: Serve) -> None:
    """A budget of requests leaves whole items; the next start asks the rest."""
    desk.make(answers(5))
    stub = serve(prefer("worth 0 0.5 0.1"))
    stopped = desk.score(
        "--mode", "pairwise", "--repeats", "1", "--max-requests", "26", "--concurrency", "1"
    )
    assert stopped.code == 5
    each = desk.rows(
        "SELECT item, count(DISTINCT key) FROM judgments WHERE status = 'ok' GROUP BY item"
    )
    assert sorted(count for _, count in each)[-2:] == [12, 12]
    pairs(desk)
    assert len(stub.bodies) == 60
    again = desk.score("--mode", "pairwise", "--repeats", "1")
    assert "nothing to do" in again.err
    assert len(stub.bodies) == 60


def test_a_bad_verdict_is_asked_again_and_then_blocks_both(desk: Desk, serve: Serve) -> None:
    """A label that is none of the two is no verdict; neither answer gains by it."""
    desk.make({"north": HARBOUR, "south": THREE["south"]})
    stub = serve(always(verdict={"prefer": "worth", "extra_fields": {"overall": "x"}}))
    done = desk.score("--mode", "pairwise")
    assert done.code == 3
    assert len(stub.bodies) == 2 * 3
    assert {reason for reason, _ in desk.blocked().values()} == {"judge_invalid"}
    assert desk.rows("SELECT count(*) FROM judgments WHERE status = 'ok'") == [(0,)]


def test_batch_files_and_a_replay_give_the_same_table(
    desk: Desk, serve: Serve, tmp_path: Path
) -> None:
    """Export, answers from elsewhere, import; the recording replays to the same figures."""
    desk.make(answers(3))
    serve(prefer("worth 0.2 0.5 0.1"))
    live = pairs(desk)
    stored = desk.judge("batch", "record", desk.run, "--out", tmp_path / "rec.jsonl")
    assert stored.code == 0, stored.err
    (desk.root / "judgments" / "judgments.duckdb").unlink()
    done = desk.score("--judge", f"replay:{tmp_path / 'rec.jsonl'}", "--json")
    assert done.code == 0, done.err
    assert done.json["comparing"] == live["comparing"]
    assert done.json["judging"]["mode"] == "pairwise"


def test_show_has_both_texts_and_hides_the_arms(desk: Desk, serve: Serve) -> None:
    """A comparison by its blind name: two texts with their quotes, verdicts by label."""
    desk.make(answers(1))
    serve(prefer("worth"))
    pairs(desk)
    listed = desk.judge("show", desk.run).out.splitlines()
    assert len(listed) == 2 + 12
    name, said = listed[2].split()[0], listed[2].split()[-1]
    assert said in {"first", "second", "tie"}
    blind = desk.judge("show", desk.run, name)
    assert blind.out.count("as it was sent") == 2
    assert blind.out.count("⟦") == 2 + 2
    assert "wins" in blind.out
    assert not any(arm in blind.out for arm in WORTH)
    (as_json,) = json.loads(desk.judge("show", desk.run, name, "--json").out)
    assert (as_json["arm"], as_json["other_arm"]) == (None, None)
    named = desk.judge("show", desk.run, "north", "m01").out
    assert named.count("verdict: north wins") == 6
    revealed = desk.judge("show", desk.run, "--reveal").out
    assert "north / south" in revealed


def test_check_names_the_number_of_requests(desk: Desk, serve: Serve) -> None:
    """K(K-1) an item is said before anything is paid."""
    desk.make(answers(2))
    serve(prefer("worth"))
    said = desk.judge("check", desk.run, "--rubric", "bulletin", "--mode", "pairwise").out
    assert "K(K-1) = 12 requests an item of 4 arms" in said
    assert "24 requests" in said


@pytest.mark.parametrize(
    ("words", "made", "said"),
    [
        ((), {"north": HARBOUR}, "compares two"),
        (("--empty-as", "minimum"), THREE, "gives none"),
    ],
)
def test_what_pairs_cannot_do_is_one_line(
    desk: Desk, serve: Serve, words: tuple[str, ...], made: dict[str, str], said: str
) -> None:
    """Exit 2, what is wrong and what to do; nothing is asked."""
    desk.make(made)
    stub = serve(prefer("worth"))
    done = desk.score("--mode", "pairwise", *words)
    assert done.code == 2
    assert said in done.err
    assert not stub.bodies


def test_imported_and_judged_pairs_make_the_same_table(
    desk: Desk, serve: Serve, tmp_path: Path
) -> None:
    """Verdicts written out and imported again give the figures of the judging itself."""
    desk.make(answers(8))
    serve(prefer("worth 0.3 0.5 0.1"))
    judged = pairs(desk)
    rows = desk.rows(
        "SELECT j.item, a.arm, b.arm, j.total FROM judgments j"
        " JOIN parts a ON j.key = a.key AND a.ordinal = 0"
        " JOIN parts b ON j.key = b.key AND b.ordinal = 1"
        " WHERE j.label = a.label"
    )
    file = tmp_path / "pairs.csv"
    lines = [f"{item},{one},{other},AB,{2 * won - 1}" for item, one, other, won in rows]
    file.write_text("\n".join(["item,a,b,order,mark", *lines]) + "\n", encoding="utf-8")
    done = desk.judge(
        "import", "marks", file, "--to", "runs/again", "--mark", "mark", "--item", "item",
        "--arm-a", "a", "--arm-b", "b", "--order", "order",
    )  # fmt: skip
    assert done.code == 0, done.err
    imported = desk.judge("table", "runs/again", "--json").json["comparing"]
    for name in ("comparisons", "tied", "both_orders", "turned_first", "turned_second", "loosened"):
        assert imported[name] == judged["comparing"][name]
    for one, other in zip(imported["arms"], judged["comparing"]["arms"], strict=True):
        assert one["arm"] == other["arm"]
        assert one["strength"]["value"] == pytest.approx(other["strength"]["value"])
        assert one["won"] == other["won"]


def test_the_reports_hold_the_comparisons(desk: Desk, serve: Serve) -> None:
    """report.md, ratings.csv and the page say who won against whom, and keep every text."""
    desk.make(answers(14))
    serve(prefer("worth 0.3 0.5 0.1"))
    result = pairs(desk)
    folder = next((desk.root / "reports").rglob("report.md")).parent
    report = (folder / "report.md").read_text(encoding="utf-8")
    for words in ("## Comparisons", "Share won per arm", "Turned with the order", "Circles"):
        assert words in report
    head, first = (folder / "ratings.csv").read_text(encoding="utf-8").splitlines()[:2]
    row = dict(zip(head.split(","), first.split(","), strict=True))
    best = result["comparing"]["arms"][0]
    assert (int(row["won"]), int(row["tied"])) == (best["won"], best["tied"])
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Against south, shown first" in page
    assert "the other answer" in page
    assert "Mean share won" in page


def test_criteria_asked_one_by_one_make_one_comparison(desk: Desk, serve: Serve) -> None:
    """Three requests a pair and order; the same shares as with all criteria in one."""
    desk.make(answers(3))
    stub = serve(prefer("worth 0.3 0.5 0.1"))
    whole = pairs(desk)
    single = pairs(desk, "--split-criteria")
    assert len(stub.bodies) == 36 + 3 * 36
    assert single["comparing"] == whole["comparing"]


def test_changed_weights_decide_again_without_a_request(desk: Desk, serve: Serve) -> None:
    """Who won is code's: another weight is another sum, from the verdicts that are there."""
    desk.make({"north": HARBOUR, "south": THREE["south"]})
    stub = serve(prefer("worth"))
    pairs(desk)
    rubric = desk.root / "rubrics" / "bulletin.yaml"
    text = rubric.read_text(encoding="utf-8")
    rubric.write_text(text.replace("- id: tone", "- id: tone\n    weight: 3"), encoding="utf-8")
    done = desk.score("--mode", "pairwise", "--repeats", "1")
    assert "made anew" in done.err
    assert len(stub.bodies) == 2
    assert {won for (won,) in desk.rows("SELECT total FROM judgments")} == {0.0, 1.0}


def test_an_arm_that_comes_later_costs_its_own_pairs(desk: Desk, serve: Serve) -> None:
    """Old comparisons stay; the new arm meets each old one in both orders."""
    desk.make(answers(3, {"north": 2.0, "south": 1.0}))
    stub = serve(prefer("worth"))
    pairs(desk)
    assert len(stub.bodies) == 6
    desk.make(answers(3, {"north": 2.0, "south": 1.0, "east": 0.5}))
    result = pairs(desk)
    assert len(stub.bodies) == 6 + 3 * 4
    assert result["counts"]["requests_answered"] == 18


def test_power_counts_whole_judgings_of_pairs(desk: Desk, serve: Serve) -> None:
    """Requests of a plan are K(K-1) an item, and comparisons of a cell are no repeats."""
    desk.make(answers(6))
    serve(prefer("worth 0.3 0.5 0.1"))
    pairs(desk)
    said = desk.judge("power", desk.run)
    assert said.code == 0
    assert "1 scoring each" in said.out


def test_one_item_less_is_told_of_shares_won(desk: Desk, serve: Serve) -> None:
    """The extended view says whether a single item turns the order of the first two arms."""
    desk.make(answers(6))
    serve(prefer("worth 0.3 0.5 0.1"))
    pairs(desk)
    shown = desk.judge("table", desk.run, "--extended")
    assert shown.code == 0
    assert "One item less" in shown.out
    assert "nothing to vary" not in shown.out


def test_people_s_marks_are_not_held_against_comparisons(
    desk: Desk, serve: Serve, tmp_path: Path
) -> None:
    """A share won is no mark: one line says what to do."""
    desk.make(answers(2))
    serve(prefer("worth"))
    pairs(desk)
    people = tmp_path / "people.csv"
    people.write_text("item,arm,rater,criterion,mark\nm01,north,p,clarity,4\n", encoding="utf-8")
    said = desk.judge("calibrate", desk.run, "--human", people)
    assert said.code == 2
    assert "compares pairs" in said.err
