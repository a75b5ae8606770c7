"""Second opinions whole: rejudge, agree, juries and panels, with planted judges."""

import json
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.acceptance.desk import HARBOUR, MEADOW, QUARRY, THREE, Desk, finish, write
from tests.stub import StubServer

JSON = dict[str, object]
Marks = Mapping[str, int]
Open = Callable[..., dict[str, StubServer]]
QUICK = ("-q", "--no-html")
ITEMS = tuple(f"m{place}" for place in range(1, 7))
FIRST = {"tag-harbour": 5, "tag-meadow": 3, "tag-quarry": 1}
NEAR = {"tag-harbour": 5, "tag-meadow": 4, "tag-quarry": 1}
TURNED = {"tag-harbour": 1, "tag-meadow": 3, "tag-quarry": 5}


def planted(marks: Marks, rules: Sequence[JSON] = ()) -> JSON:
    """A judge that gives each text the mark that was planted for its tag."""
    made = [
        {"when_body_has": tag, "replies": [{"verdict": {"score": mark, "quotes": "real"}}]}
        for tag, mark in marks.items()
    ]
    return {"rules": [*rules, *made]}


@pytest.fixture
def judges(desk: Desk) -> Iterator[Open]:
    """Open planted judges by name and put them into judges.toml."""
    with ExitStack() as stack:

        def opened(*, rules: Sequence[JSON] = (), **marks: Marks) -> dict[str, StubServer]:
            """`rules` come before the marks of the last judge."""
            last = [*marks][-1]
            servers = {
                name: stack.enter_context(StubServer(planted(one, rules if name == last else ())))
                for name, one in marks.items()
            }
            text = "".join(
                f'[judges.{name}]\nmodel = "model-{name}"\nbase_url = "{server.base_url}"\n'
                "price = { input_usd = 1.0, output_usd = 2.0 }\n"
                for name, server in servers.items()
            )
            (desk.root / "judges.toml").write_text(text, encoding="utf-8")
            return servers

        yield opened


def several(desk: Desk, items: tuple[str, ...] = ITEMS) -> Path:
    """A run of three arms over several items, the item's name in each text."""
    return desk.make(
        {arm: {item: f"{item}: {text}" for item in items} for arm, text in THREE.items()}
    )


def second(desk: Desk, judges: Open, other: Marks, *words: str) -> str:
    """Judge by the first judge, then again by another; what the second pass prints."""
    judges(one=FIRST, other=other)
    assert desk.score("--judge", "one", *QUICK).code == 0
    said = desk.judge("rejudge", desk.run, "--judge", "other", *QUICK, *words)
    assert said.code == 0, said.err
    return said.out


def test_a_judge_that_agrees_holds(desk: Desk, judges: Open) -> None:
    """Same marks: HOLDS in the first lines, the sets side by side, shares beside chance."""
    several(desk)
    text = second(desk, judges, FIRST)
    assert "HOLDS: by both passes the same arm may be best" in text
    assert "may be best  1: north\n             2: north\n" in text
    assert "not ordered alike: 0 of 3 · separated and reversed: none" in text
    (row,) = [line for line in text.splitlines() if line.startswith("clarity")]
    assert row.split()[:9] == ["clarity", "100", "%", "33", "%", "100", "%", "33", "%"]
    assert len(text.splitlines()) <= 24
    assert max(map(len, text.splitlines())) <= 80


def test_a_planted_reversal_does_not_hold(desk: Desk, judges: Open) -> None:
    """Turned marks: DOES NOT HOLD, the pairs named with the gaps of both passes."""
    several(desk)
    text = second(desk, judges, TURNED)
    assert "DOES NOT HOLD: no arm may be best by all of these passes" in text
    assert "north − south +2.00*, -2.00*" in " ".join(text.split())
    assert "separated and reversed: 3" in text


def test_a_planted_shift_is_measured_with_its_sign(desk: Desk, judges: Open) -> None:
    """A judge that marks one arm one point higher: +0.33 on every criterion, order unhurt."""
    several(desk)
    second(desk, judges, NEAR)
    found = desk.judge("agree", desk.run, "--json").json
    assert found["verdict"] == "holds"
    for row in found["rows"]:
        assert row["shift"]["bias"]["value"] == pytest.approx(1 / 3)
        assert row["near"]["within"] == 1
        assert row["ordering"]["code"] == "too_few_items"
    assert [one["mean"] for one in found["raters"]] == [3, pytest.approx(10 / 3)]


def test_a_set_that_grows_is_mostly(desk: Desk, judges: Open) -> None:
    """A second judge that cannot part the first two arms: MOSTLY, what both sets hold is named."""
    several(desk)
    text = second(desk, judges, {"tag-harbour": 5, "tag-meadow": 5, "tag-quarry": 1})
    assert "MOSTLY: north may be best by both passes, but the sets differ" in text


def test_one_item_refuses_the_verdict_and_says_what_can_be_said(desk: Desk, judges: Open) -> None:
    """One prompt carries no set: why, and how the arms stand on this item by each pass."""
    desk.make(THREE)
    text = " ".join(second(desk, judges, TURNED).split())
    assert "HOLD" not in text
    assert "needs ≥ 3 items, have 1" in text
    assert "On this item 3 of 3 pairs of arms are not ordered alike" in text
    assert "order here 1: north > south > east 2: east > south > north" in text


def test_ties_are_no_order_that_another_judge_shares(desk: Desk, judges: Open) -> None:
    """On one item a constant judge orders nothing alike; two of them order nothing at all."""
    desk.make(THREE)
    flat = dict.fromkeys(FIRST, 4)
    judges(one=FIRST, other=flat, third=flat)
    for name in ("one", "other", "third"):
        assert desk.score("--judge", name, *QUICK, "--repeats", "1").code == 0
    one, two, three = (row[0] for row in desk.rows("SELECT pass_id FROM passes ORDER BY ordinal"))
    found = desk.judge("agree", desk.run, "--pass", f"{one},{two}", "--json").json
    assert (found["pairs_turned"], found["pairs_compared"]) == (3, 3)
    said = desk.judge("agree", desk.run, "--pass", f"{two},{three}")
    assert "arm pairs marked by both passes and ordered by any: none" in said.out


def test_two_items_refuse_the_verdict_too(desk: Desk, judges: Open) -> None:
    """Two items stand side by side, no more."""
    several(desk, ITEMS[:2])
    text = " ".join(second(desk, judges, FIRST).split())
    assert "needs ≥ 3 items, have 2" in text
    assert "On these 2 items all 3 pairs of arms are ordered alike" in text


def test_a_fresh_pass_has_its_own_seed_and_nothing_of_the_old(desk: Desk, judges: Open) -> None:
    """The second judge is asked the same of every answer, under another seed and other frames."""
    several(desk)
    servers = judges(one=FIRST, other=FIRST)
    desk.score("--judge", "one", *QUICK, "--repeats", "1")
    desk.judge("rejudge", desk.run, "--judge", "other", *QUICK, "--repeats", "1")
    seeds = desk.rows("SELECT DISTINCT seed FROM passes")
    assert len(seeds) == 2
    bodies = [
        {body["messages"][-1]["content"] for body in servers[name].bodies}
        for name in ("one", "other")
    ]
    assert len(bodies[0]) == len(bodies[1]) == 18
    assert not bodies[0] & bodies[1]


def test_a_page_of_one_judge_is_named_by_the_judge(desk: Desk, judges: Open) -> None:
    """Table and report show that judge's first complete pass; an unknown judge is one line."""
    several(desk, ITEMS[:3])
    judges(one=FIRST, other=TURNED)
    desk.score("--judge", "one", *QUICK)
    desk.score("--judge", "other", *QUICK)
    (other,) = (
        row[0] for row in desk.rows("SELECT pass_id FROM passes WHERE judge_name = 'other'")
    )
    named = desk.judge("table", desk.run, "--judge", "other", "--json")
    assert other in named.out
    assert named.out == desk.judge("table", desk.run, "--pass", other, "--json").out
    assert desk.judge("report", desk.run, "--judge", "other", "--no-html").code == 0
    for page in ("power", "biases"):
        alike = [
            desk.judge(page, desk.run, *words, "--json").out
            for words in (("--judge", "other"), ("--pass", other))
        ]
        assert alike[0] == alike[1]
    unknown = desk.judge("table", desk.run, "--judge", "nobody")
    assert (unknown.code, unknown.err.count("\n")) == (2, 1)
    assert "judges there: one, other" in unknown.err
    for words in (["table", "--judge"], ["report", "--judge"], ["biases", "--judge", ""]):
        unnamed = desk.judge(words[0], desk.run, *words[1:])
        assert (unnamed.code, unnamed.err.count("\n")) == (2, 1)
        assert "--judge names nobody; judges there: one, other" in unnamed.err
    for words in (["table"], ["table", "--panel"], ["report"], ["agree"], ["power"], ["show"]):
        unnamed = desk.judge(words[0], desk.run, *words[1:], "--pass")
        assert (unnamed.code, unnamed.err.count("\n")) == (2, 1)
        assert "no pass is named; there are " in unnamed.err
        assert f"{other} (other)" in unnamed.err
    both = desk.judge("report", desk.run, "--judge", "other", "--panel")
    assert both.code == 2
    assert "--judge names one pass" in both.err


def test_pairs_are_refused_before_anything_is_paid(desk: Desk, judges: Open) -> None:
    """A pass that compares gives no marks to hold against marks: no call is made for it."""
    several(desk, ITEMS[:2])
    servers = judges(one=FIRST, other=NEAR)
    desk.score("--judge", "one", *QUICK)
    said = desk.judge("rejudge", desk.run, "--judge", "other", "--mode", "pairwise", *QUICK)
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert "leave --mode away" in said.err
    assert not servers["other"].log


def test_a_second_start_only_compares(desk: Desk, judges: Open) -> None:
    """The same command again sends nothing; --fresh opens a further pass."""
    several(desk)
    servers = judges(one=FIRST, other=FIRST)
    desk.score("--judge", "one", *QUICK)
    first = desk.judge("rejudge", desk.run, "--judge", "other", *QUICK)
    sent = len(servers["other"].log)
    again = desk.judge("rejudge", desk.run, "--judge", "other", *QUICK)
    assert (again.out, len(servers["other"].log)) == (first.out, sent)
    further = desk.judge("rejudge", desk.run, "--judge", "other", "--fresh")
    assert further.code == 0
    ((base,),) = desk.rows("SELECT pass_id FROM passes ORDER BY started_at LIMIT 1")
    assert f"a new pass, beside {base}: judge other in place of one" in further.err
    assert len(servers["other"].log) == 2 * sent
    assert desk.rows("SELECT count(*), count(DISTINCT seed) FROM passes") == [(3, 3)]


def test_an_interrupted_pass_goes_on(desk: Desk, judges: Open) -> None:
    """Ended by a budget: exit 5, no verdict; the same command finishes that very pass."""
    several(desk)
    servers = judges(one=FIRST, other=FIRST)
    desk.score("--judge", "one", *QUICK, "--repeats", "1")
    words = ("rejudge", desk.run, "--judge", "other", "--repeats", "1", "-q")
    short = desk.judge(*words, "--max-requests", "5")
    assert short.code == 5
    assert "HOLD" not in short.out
    done = desk.judge(*words)
    assert done.code == 0
    assert "HOLDS" in done.out
    assert len(servers["other"].log) == 18
    assert desk.rows("SELECT count(*) FROM passes") == [(2,)]


def test_the_same_judge_again_is_another_pass_and_no_second_opinion(
    desk: Desk, judges: Open
) -> None:
    """A judge may judge again; the view says that it is one judge in two passes."""
    several(desk)
    judges(one=FIRST)
    desk.score("--judge", "one", *QUICK)
    said = desk.judge("rejudge", desk.run, "--judge", "one", *QUICK)
    assert said.code == 0
    assert "One judge in 2 passes" in said.out
    ((seed,),) = desk.rows("SELECT seed FROM passes WHERE ordinal = 1")
    same = desk.judge("rejudge", desk.run, "--judge", "one", "--fresh", "--seed", str(seed))
    assert same.code == 2
    assert "has this judge and this seed already" in same.err


def test_a_dry_run_prices_and_sends_nothing(desk: Desk, judges: Open) -> None:
    """What a second opinion would cost is told before it is paid."""
    several(desk)
    servers = judges(one=FIRST, other=FIRST)
    desk.score("--judge", "one", *QUICK)
    said = desk.judge("rejudge", desk.run, "--judge", "other", "--dry-run")
    assert said.code == 0
    assert "18 requests to send" in said.out
    assert "USD" in said.out
    assert servers["other"].log == []


def test_no_judge_is_a_usage_error(desk: Desk, judges: Open) -> None:
    """Who is to judge again is never guessed."""
    several(desk)
    judges(one=FIRST)
    desk.score("--judge", "one", *QUICK)
    said = desk.judge("rejudge", desk.run)
    assert said.code == 2
    assert "--judge PROVIDER/MODEL" in said.err


def test_a_recording_is_replayed_as_a_second_opinion(desk: Desk, judges: Open) -> None:
    """`--judge replay:FILE` compares a recorded judge; the base's own recording is refused."""
    several(desk)
    servers = judges(one=FIRST, other=TURNED)
    for name in ("other", "one"):
        desk.score("--judge", name, "-q", "--repeats", "1")
        words = ("--rubric", "bulletin", "--out", f"{name}.jsonl")
        assert desk.judge("batch", "record", desk.run, *words).code == 0
        shutil.rmtree(desk.root / "judgments")
    desk.score("--judge", "replay:one.jsonl", "-q")
    sent = len(servers["other"].log)
    said = desk.judge("rejudge", desk.run, "--judge", "replay:other.jsonl", "-q")
    assert said.code == 0, said.err
    assert "DOES NOT HOLD" in said.out
    assert "replay recorded" in said.out
    assert len(servers["other"].log) == sent
    own = desk.judge("rejudge", desk.run, "--judge", "replay:one.jsonl", "-q")
    assert own.code == 2
    assert "is to be judged again" in own.err


def test_splits_are_listed_with_commands_that_work(desk: Desk, judges: Open) -> None:
    """`--split` names the cells with the widest gap; each command shows that judgment."""
    several(desk)
    text = second(desk, judges, TURNED, "--split")
    lines = text.splitlines()
    assert any(line.startswith("north m1: clarity 5.0 and 1.0") for line in lines)
    command = next(line for line in lines if line.startswith("  judge show"))
    words = command.split()[1:]
    shown = desk.judge(*words)
    assert shown.code == 0
    assert "clarity: " in shown.out


def test_agree_on_one_pass_says_what_is_needed(desk: Desk, judges: Open) -> None:
    """A single judge: itself is measured, the rest is refused with the command that helps."""
    several(desk)
    judges(one=FIRST)
    desk.score("--judge", "one", "-q", "--repeats", "2")
    said = desk.judge("agree", desk.run)
    assert said.code == 0
    assert "One pass alone" in said.out
    assert "The judge against itself" in said.out
    assert "judge rejudge" in said.out
    found = desk.judge("agree", desk.run, "--json").json
    assert found["verdict"]["code"] == "too_few_judges"
    assert {row["alpha"]["code"] for row in found["rows"]} == {"too_few_judges"}
    assert found["sampled"]["code"] == found["parts"]["code"] == "too_few_judges"
    whole = desk.judge("agree", desk.run, "--extended")
    assert "Repeats cannot reveal this judge's own lean" in whole.out


def test_named_passes_are_compared_and_the_first_is_the_base(desk: Desk, judges: Open) -> None:
    """--pass A,B: the shift turns its sign with the order; faults are one line."""
    several(desk)
    second(desk, judges, NEAR)
    one, other = (row[0] for row in desk.rows("SELECT pass_id FROM passes ORDER BY ordinal"))
    signs = []
    for names in (f"{one},{other}", f"{other},{one}"):
        found = desk.judge("agree", desk.run, "--pass", names, "--json").json
        signs.append(found["rows"][-1]["shift"]["bias"]["value"])
    assert signs == [pytest.approx(1 / 3), pytest.approx(-1 / 3)]
    for names, words in ((f"{one},{one}", "twice"), ("zzz", "no pass is named zzz")):
        said = desk.judge("agree", desk.run, "--pass", names)
        assert said.code == 2
        assert words in said.err


def test_another_rubric_is_never_compared(desk: Desk, judges: Open) -> None:
    """Marks under another rubric are listed as not compared, and refused where they are named."""
    several(desk)
    judges(one=FIRST)
    desk.score("--judge", "one", *QUICK)
    desk.judge("score", desk.run, "--judge", "one", "--rubric", "answer", "-q")
    found = desk.judge("agree", desk.run, "--json").json
    assert len(found["raters"]) == len(found["others"]) == 1
    ids = ",".join(row[0] for row in desk.rows("SELECT pass_id FROM passes ORDER BY ordinal"))
    said = desk.judge("agree", desk.run, "--pass", ids)
    assert said.code == 2
    assert "cannot be compared: another rubric" in said.err


def test_comparisons_of_pairs_are_no_marks_to_compare(desk: Desk, judges: Open) -> None:
    """A pass over pairs is refused alone, and left aside where there are marks."""
    several(desk, ITEMS[:3])
    judges(one=FIRST)
    words = ("--judge", "one", *QUICK)
    desk.score(*words, "--mode", "pairwise", "--max-judge-failures", "99", "--repeats", "1")
    alone = desk.judge("agree", desk.run)
    assert alone.code == 2
    # No other pass could be named.
    assert "compares pairs and gives no marks; judge the answers one by one" in alone.err
    desk.score(*words)
    found = desk.judge("agree", desk.run, "--json").json
    assert [one["facts"]["mode"] for one in found["raters"]] == ["pointwise"]
    assert len(found["others"]) == 1
    for view in ((), ("--extended",)):
        assert "compares pairs, gives no marks" in desk.judge("agree", desk.run, *view).out


def test_a_jury_is_a_pass_each_and_a_panel_of_equal_weight(desk: Desk, judges: Open) -> None:
    """Several --judge: one pass a judge, then their mean, named in the heading."""
    several(desk)
    judges(one=FIRST, two=NEAR, three=TURNED)
    said = desk.score(
        *("--judge", "one", "--judge", "two", "--judge", "three", "--json", "--repeats", "1")
    )
    assert said.code == 0, said.err
    found = said.json
    assert [one["judge_name"] for one in found["panel"]] == ["one", "two", "three"]
    assert found["counts"]["judges"] == 3
    means = {arm["arm"]["id"]: arm["mean"] for arm in found["arms"]}
    assert means == {
        "north": pytest.approx(11 / 3), "south": pytest.approx(10 / 3),
        "east": pytest.approx(7 / 3),
    }  # fmt: skip
    assert "panel_split" in {one["code"] for one in found["warnings"]}
    assert "one_judge" not in {one["code"] for one in found["warnings"]}
    table = desk.judge("table", desk.run, "--panel")
    assert "panel of judges one, two and three" in table.out
    assert "as scored by these 3 judges" in table.out or "no arm is shown" in table.out
    (folder,) = (desk.root / "reports" / "bulletin").glob("panel-*")
    page = (folder / "report.md").read_text(encoding="utf-8")
    assert "## Cells with the widest split, to be read by a person" in page
    assert "## The panel without each judge" in page
    assert json.loads((folder / "result.json").read_text("utf-8"))["agreement"]["judges"] == 3
    again = desk.judge("report", desk.run, "--panel")
    assert again.code == 0
    assert (folder / "report.md").read_text(encoding="utf-8") == page


def test_a_judge_of_a_panel_that_gives_one_mark_is_named(desk: Desk, judges: Open) -> None:
    """Its marks tell nothing, which the panel's mean would hide: the first warning says so."""
    several(desk)
    judges(one=FIRST, flat=dict.fromkeys(FIRST, 4))
    said = desk.score("--judge", "one", "--judge", "flat", "--repeats", "1")
    assert said.code == 0, said.err
    assert "judge flat gave mark 4 every time" in said.out
    found = desk.judge("table", desk.run, "--panel", "--json").json
    assert found["warnings"][0]["code"] == "constant_panelist"
    assert [one["share"] for one in found["checks"]["modal_marks"]] == [pytest.approx(1 / 3), 1]
    (folder,) = (desk.root / "reports" / "bulletin").glob("panel-*")
    page = (folder / "report.md").read_text(encoding="utf-8")
    assert "Most frequent mark of flat: 4, in 100 % of 54." in page


def test_unequal_repeats_give_no_judge_more_weight(desk: Desk, judges: Open) -> None:
    """A judge that scored five times weighs as much as one that scored once."""
    several(desk)
    judges(one=FIRST, other=TURNED)
    desk.score("--judge", "one", "-q", "--repeats", "5")
    desk.score("--judge", "other", *QUICK, "--repeats", "1")
    found = desk.judge("table", desk.run, "--panel", "--json").json
    assert {arm["mean"] for arm in found["arms"]} == {3}


def test_a_panel_says_the_scorings_of_each_judge_and_refuses_what_it_lacks(
    desk: Desk, judges: Open
) -> None:
    """One judge scored once, the other twice: both are said; options without effect are refused."""
    several(desk, ITEMS[:3])
    judges(one=FIRST, two=NEAR)
    desk.score("--judge", "one", *QUICK, "--repeats", "1")
    desk.score("--judge", "two", *QUICK, "--repeats", "2")
    assert "2 judges · 1 and 2 scorings" in desk.judge("table", desk.run, "--panel").out
    for words in (("report", desk.run, "--extended"), ("table", desk.run, "--accept-cut")):
        said = desk.judge(*words, "--panel")
        assert said.code == 2
        assert "--panel does not go with" in said.err
        assert "--panel does not go with" in desk.judge(words[0], "--help").out


def test_a_panel_has_totals_item_by_item_and_a_page(desk: Desk, judges: Open) -> None:
    """Means of both judges for every cell, and one page on which each answer has both judges."""
    several(desk, ITEMS[:3])
    judges(one=FIRST, two=NEAR)
    both = ("--judge", "one", "--judge", "two")
    assert desk.score(*both, "-q", "--repeats", "1").code == 0
    said = desk.judge("table", desk.run, "--panel", "--items")
    assert said.out.splitlines()[1] == "panel of judges one and two"
    found = desk.judge("table", desk.run, "--panel", "--items", "--json").json
    assert found["panel"] == ["one", "two"]
    totals = dict(zip(found["arms"], zip(*found["totals"], strict=True), strict=True))
    assert totals["south"] == (3.5, 3.5, 3.5)
    assert totals["north"] == (5, 5, 5)
    (folder,) = (desk.root / "reports" / "bulletin").glob("panel-*")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "panel of judges one and two" in page
    assert page.count("<h3>one, judging 1: total ") == page.count("<h3>two, judging 1: total ") == 9
    # On south the judges split: it stands before the others.
    (first, *_) = page.split("<details><summary><b>")[1:]
    assert first.startswith("south</b>")
    assert "clarity, two" in page
    (folder / "report.html").unlink()
    again = desk.judge("report", desk.run, "--panel", "--no-html")
    assert not (folder / "report.html").exists()
    assert desk.judge("report", desk.run, "--panel").code == again.code == 0
    assert (folder / "report.html").read_text(encoding="utf-8") == page


def test_a_page_of_a_panel_tells_a_cell_that_one_judge_lacks(desk: Desk, judges: Open) -> None:
    """It has no total, the reason of the judge that lacks it, and the words of the other."""
    several(desk, ITEMS[:3])
    filtered = {"status": 400, "json": {"error": {
        "message": "Input is flagged.", "code": "content_filter"}}}  # fmt: skip
    judges(one=FIRST, other=FIRST, rules=[{"when_body_has": "m1: Tram", "replies": [filtered]}])
    desk.score("--judge", "one", *QUICK, "--repeats", "1")
    desk.score("--judge", "other", *QUICK, "--repeats", "1", "--max-judge-failures", "9")
    assert desk.judge("report", desk.run, "--panel").code == 0
    (folder,) = (desk.root / "reports" / "bulletin").glob("panel-*")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "judge_filter" in page
    items = desk.judge("table", desk.run, "--panel", "--items", "--json").json
    assert dict(zip(items["arms"], items["totals"][0], strict=True))["east"] is None


def test_a_cell_that_one_judge_lacks_is_left_out_of_the_panel(desk: Desk, judges: Open) -> None:
    """With one voice less it would be another panel: left out, counted, said."""
    several(desk)
    filtered = {"status": 400, "json": {"error": {
        "message": "Input is flagged.", "code": "content_filter"}}}  # fmt: skip
    judges(one=FIRST, other=FIRST, rules=[{"when_body_has": "m1: Tram", "replies": [filtered]}])
    desk.score("--judge", "one", *QUICK, "--repeats", "1")
    desk.score("--judge", "other", *QUICK, "--repeats", "1", "--max-judge-failures", "9")
    found = desk.judge("table", desk.run, "--panel", "--json").json
    answered = {arm["arm"]["id"]: arm["answered"] for arm in found["arms"]}
    assert answered == {"north": 6, "south": 6, "east": 5}
    flags = {one["code"]: one["facts"] for one in found["warnings"]}
    assert flags["panel_partial"] == {"cells": 1}


def test_a_panel_needs_two_judges(desk: Desk, judges: Open) -> None:
    """One judge, one judge twice, one judge named twice: refused in one line."""
    several(desk)
    judges(one=FIRST)
    assert desk.score("--judge", "one", "--judge", "one").code == 2
    desk.score("--judge", "one", *QUICK)
    desk.judge("rejudge", desk.run, "--judge", "one", *QUICK)
    said = desk.judge("table", desk.run, "--panel")
    assert said.code == 2
    assert "needs 2 judges" in said.err
    ids = ",".join(row[0] for row in desk.rows("SELECT pass_id FROM passes ORDER BY ordinal"))
    named = desk.judge("report", desk.run, "--panel", "--pass", ids)
    assert named.code == 2
    assert "one voice" in named.err


def test_three_judges_are_a_sample(desk: Desk, judges: Open) -> None:
    """From three judges up: two-way intervals, leave-one-out, components, designs with cost."""
    several(desk)
    judges(one=FIRST, two=NEAR, three=TURNED)
    words = [w for name in ("one", "two", "three") for w in ("--judge", name)]
    desk.score(*words, *QUICK, "--repeats", "2")
    found = desk.judge("agree", desk.run, "--json", "--delta", "4").json
    assert found["judges"] == 3
    assert {one["difference"]["kind"] for one in found["sampled"]} == {"items-and-judges"}
    assert [one["judge"] for one in found["left_out"]] == ["one", "two", "three"]
    assert [one["same"] for one in found["left_out"]].count(True) < 3
    assert found["parts"]["n_judges"] == 3
    assert found["parts"]["arm_judge"] > 0
    assert found["parts"]["dropped"] == 0
    grid = found["designs"]["grid"]
    assert {(one["judges"], one["repeats"]) for one in grid} >= {(1, 1), (5, 3)}
    assert all(one["cost_usd"] > 0 for one in grid)
    assert found["designs"]["wished"] == 4
    assert found["w_totals"]["n"] == 3
    assert len(found["pairs"]) == 3
    whole = desk.judge("agree", desk.run, "--extended")
    assert "Judges as a sample of judges" in whole.out
    page = desk.judge("agree", desk.run, "--markdown")
    assert page.out.startswith("# Agreement of passes on bulletin\n")


def test_the_order_of_the_arms_is_told_criterion_by_criterion(desk: Desk, judges: Open) -> None:
    """Two passes: kappa, tau-b and swaps a row; each arm by itself; three: Kendall's W."""
    several(desk)
    judges(one=FIRST, two=NEAR, three=TURNED)
    for name in ("one", "two"):
        assert desk.score("--judge", name, *QUICK, "--repeats", "2").code == 0
    found = desk.judge("agree", desk.run, "--json").json
    assert len(found["rows"]) > 1
    for row in found["rows"]:
        assert -1 <= row["tau"]["value"] <= 1
        assert "w_items" not in row
        assert 0 <= row["swaps"]["value"] <= 1
    assert {row["criterion"] for row in found["by_arm"]} == set(THREE)
    assert all("tau" not in row for row in found["by_arm"])
    said = desk.judge("agree", desk.run, "--extended").out
    assert "Order of the arms, criterion by criterion" in said
    assert "Arm by arm" in said
    assert desk.score("--judge", "three", *QUICK, "--repeats", "2").code == 0
    found = desk.judge("agree", desk.run, "--json").json
    assert all(0 <= row["w_items"]["value"] <= 1 for row in found["rows"])
    assert all("kappa" not in row for row in found["rows"])
    assert all(-1 <= pair["tau"]["value"] <= 1 for pair in found["pairs"])


def test_a_judge_that_scored_once_leaves_the_components_to_the_others(
    desk: Desk, judges: Open
) -> None:
    """Two judges scored twice, a third once: the block is of the two, and the third is named."""
    several(desk)
    judges(one=FIRST, two=NEAR, three=TURNED)
    desk.score("--judge", "one", "--judge", "two", *QUICK, "--repeats", "2")
    desk.score("--judge", "three", *QUICK, "--repeats", "1")
    found = desk.judge("agree", desk.run, "--json").json
    assert found["judges"] == 3
    assert (found["parts"]["n_judges"], found["parts"]["n_repeats"]) == (2, 2)
    assert found["parts"]["without"] == ["three"]
    assert found["designs"]["grid"]
    said = " ".join(desk.judge("agree", desk.run, "--extended").out.split())
    assert "Left out whole: three." in said


def test_a_plan_counts_judges_and_not_their_passes(desk: Desk, judges: Open) -> None:
    """A judge that judged in two ways is one, for `judge power` as for the panel."""
    several(desk)
    judges(one=FIRST, two=NEAR)
    assert desk.score("--judge", "one", *QUICK).code == 0
    assert desk.score("--judge", "one", "--mode", "listwise", *QUICK).code == 0
    said = desk.judge("power", desk.run, "--judges", "3")
    assert "needs ≥ 2 judges, have 1" in " ".join(said.out.split())
    assert "judges together" not in said.out
    assert "there is 1" in desk.judge("table", desk.run, "--panel").err
    assert desk.score("--judge", "two", *QUICK).code == 0
    assert "2 judges together" in desk.judge("power", desk.run, "--judges", "3").out


def test_a_budget_is_one_for_the_whole_jury(desk: Desk, judges: Open) -> None:
    """--max-requests counts the calls of all judges together."""
    several(desk)
    servers = judges(one=FIRST, two=FIRST)
    said = desk.score(
        *("--judge", "one", "--judge", "two", "-q", "--repeats", "1", "--max-requests", "20")
    )
    assert said.code == 5
    assert (len(servers["one"].log), len(servers["two"].log)) == (18, 2)


def test_names_that_look_like_markup_or_a_shell_are_only_names(desk: Desk, judges: Open) -> None:
    """A command for a cell of such an arm works as it is printed; a page holds no element."""
    arms = {"a <b>$(x)": HARBOUR, "-south": QUARRY, "east": MEADOW}
    rows = [
        {"item": f"{item}; <i>", "arm": arm, "prompt": "Tell.", "output": f"{item}: {text}"}
        for item in ITEMS
        for arm, text in arms.items()
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    write(desk.run / "outputs.jsonl", lines)
    text = second(desk, judges, TURNED, "--split")
    commands = [line for line in text.splitlines() if line.startswith("  judge show")]
    for start in ("'a <b>$(x)'", "-- -south"):
        command = next(line for line in commands if start in line)
        shown = desk.judge(*shlex.split(command)[1:])
        assert shown.code == 0, shown.err
    page = desk.judge("agree", desk.run, "--markdown")
    assert "<b>" not in page.out


def test_the_table_goes_to_a_file_as_it_goes_to_a_terminal(desk: Desk, judges: Open) -> None:
    """The installed program prints the same page, and -q leaves stderr empty."""
    several(desk)
    text = second(desk, judges, FIRST)
    done = finish(desk.spawn("agree", desk.run))
    assert (done.out.replace(str(desk.run), ""), done.err) == (text.replace(str(desk.run), ""), "")


def test_judges_that_tell_nothing_apart_have_no_answer_that_holds(desk: Desk, judges: Open) -> None:
    """Constant marks: no HOLDS, no order of equal arms, and all cells are 100 %, not less."""
    several(desk)
    same = dict.fromkeys(FIRST, 4)
    judges(one=same, two=same, three=same)
    for name in ("one", "two", "three"):
        assert desk.score("--judge", name, *QUICK).code == 0
    text = " ".join(desk.judge("agree", desk.run).out.split())
    assert "NOTHING TO HOLD: none of the 3 passes shows any arm better than another." in text
    assert " HOLDS" not in text
    assert "total 100 % 100 % 100 % 100 %" in text, text
    extended = " ".join(desk.judge("agree", desk.run, "--extended").out.split())
    assert extended.count(" = ") == 2 * 3
    assert " > " not in extended.partition("Marks, criterion by criterion")[0]
