"""`judge rubric tune`: labels split once, a version judged on its part alone, and compared."""

import re

import pytest

from tests.acceptance.desk import HARBOUR, Desk
from tests.acceptance.marked import (
    ASKED,
    ITEMS,
    PLAN,
    Serve,
    anew,
    make_marked,
    take,
    tune,
)
from tests.stub import StubServer


@pytest.fixture
def marked(desk: Desk, serve: Serve) -> tuple[Desk, StubServer]:
    """A judged run that two people marked."""
    return make_marked(desk, serve)


def test_few_items_are_split_only_where_that_is_asked_for(desk: Desk, serve: Serve) -> None:
    """Ten marked items would leave a side without figures: the refusal counts them."""
    make_marked(desk, serve, ITEMS[:10])
    take(desk)
    refused = tune(desk)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "has 10 marked items, too few to split" in refused.err
    assert not desk.rows("SELECT * FROM label_splits")
    assert tune(desk, "--tune", "0.4").code == 0


def test_differences_stand_side_by_side_on_items_for_tuning_alone(
    marked: tuple[Desk, StubServer],
) -> None:
    """Grouped by criterion and direction, with the judge's words; what was shown is on record."""
    desk, stub = marked
    take(desk)
    calls = len(stub.log)
    short = tune(desk)
    assert short.code == 0, short.err
    assert len(short.out.splitlines()) <= 24
    assert max(map(len, short.out.splitlines())) <= 80
    assert not {"\x1b", "\u202e"} & set(short.all)
    assert re.search(r"^ tone +higher +\d+ of \d+ +\+", short.out, re.MULTILINE)
    assert "side by side, with all quotes: --extended" in short.out
    said = tune(desk, "--extended")
    assert said.code == 0, said.err
    assert "tone: judge higher on" in said.out
    assert "judge lower" not in said.out
    assert "“" in said.out
    assert "Shown before the split" in said.out
    assert not {"\x1b", "\u202e"} & set(said.all)
    assert "north" not in said.out
    assert max(map(len, said.out.splitlines())) <= 80
    assert len(stub.log) == calls
    found = tune(desk, "--json", "--reveal", "--top", "2").json
    tune_items = {row[0] for row in desk.rows("SELECT item FROM label_splits WHERE split = 'tune'")}
    assert found["split"]["tune"] == len(tune_items) > 0
    assert found["split"]["shown"][0]["labels"] == 336
    assert not found["split"]["made_now"]
    shown = [mark for group in found["groups"] for mark in group["shown"]]
    assert {mark["item"] for mark in shown} <= tune_items
    assert {mark["arm"] for mark in shown} <= {"north", "south"}
    assert all(len(group["shown"]) == 2 for group in found["groups"])
    assert all(mark["gap"] == mark["judge"] - mark["people_mean"] for mark in shown)


def test_every_look_before_the_split_is_kept_and_said(marked: tuple[Desk, StubServer]) -> None:
    """Later looks show more marks than the first did; none is forgotten."""
    desk, _ = marked
    text = (desk.root / "people.csv").read_text("utf-8")
    lines = text.splitlines()
    (desk.root / "people.csv").write_text("\n".join(lines[:13]), "utf-8")
    take(desk)
    (desk.root / "people.csv").write_text(text, "utf-8")
    take(desk)
    assert desk.judge("calibrate", "runs/bulletin", "--items", "m1").code == 0
    said = tune(desk, "--json")
    assert [one["labels"] for one in said.json["split"]["shown"]] == [12, 336, 12]
    words = " ".join(tune(desk).out.split())
    assert "Shown before the split, those for reporting among them: 336 marks beside" in words
    assert ", 3 times." in words
    # A look after the split is none before it.
    assert desk.judge("calibrate", "runs/bulletin").code == 0
    assert ", 3 times." in " ".join(tune(desk).out.split())


def test_a_version_is_judged_on_items_for_tuning_and_not_paid_twice(
    marked: tuple[Desk, StubServer],
) -> None:
    """A budget stops it, the next start goes on, a third sends nothing; the rest comes later."""
    desk, stub = marked
    take(desk)
    tune(desk)
    anew(desk)
    plan = tune(desk, "--rubric", "bulletin", "--dry-run")
    assert plan.code == 0
    assert "to send" in plan.out
    before = len(stub.log)
    stopped = tune(desk, "--rubric", "bulletin", "--max-requests", "5")
    assert stopped.code == 5
    assert len(stub.log) == before + 5
    done = tune(desk, "--rubric", "bulletin", "--json")
    assert done.code == 0, done.err
    sent = len(stub.log) - before
    tune_items = desk.rows("SELECT item FROM label_splits WHERE split = 'tune'")
    judged = desk.rows(
        "SELECT DISTINCT j.item FROM judgments AS j JOIN passes AS p ON j.pass_id = p.pass_id"
        " WHERE p.pass_id = ? AND j.purpose <> 'control'", done.json["version"]["pass_id"],
    )  # fmt: skip
    assert sorted(judged) == sorted(tune_items)
    assert sent <= 2 * len(tune_items) + 12  # the noise cells
    again = tune(desk, "--rubric", "rubrics/bulletin.yaml")
    assert again.code == 0
    # The next command names the version as it was typed, and the pass that it is held against.
    base = done.json["base"]["pass_id"]
    printed = again.out.replace(" \\\n", " ")
    assert f"--pass {base} --rubric rubrics/bulletin.yaml --report\n" in re.sub(" +", " ", printed)
    assert len(stub.log) == before + sent
    rows = {row["criterion"]: row for row in done.json["rows"]}
    assert rows["tone"]["before"]["bias"]["value"] == pytest.approx(2, abs=0.5)
    assert rows["tone"]["after"]["bias"]["value"] == pytest.approx(0, abs=0.5)
    assert rows["tone"]["change"]["high"] < 0
    assert rows["total"]["change"]["high"] < 0
    assert rows["total"]["before"]["bias"]["value"] == pytest.approx(2, abs=0.6)
    assert done.json["looked_at"] == "tune"
    assert done.json["tried"] == 1
    # The report split goes into the same pass, and only that is sent.
    before = len(stub.log)
    whole = desk.score("--no-html")
    assert whole.code == 0, whole.err
    passes = desk.rows("SELECT pass_id, state FROM passes WHERE route <> 'people'")
    assert len(passes) == 2
    assert {state for _, state in passes} == {"complete"}
    assert len(stub.log) - before < 2.5 * (len(ITEMS) - len(tune_items)) + 20


def test_a_changed_rubric_of_the_same_number_is_said_and_raised_without_a_request(
    marked: tuple[Desk, StubServer],
) -> None:
    """Its hash is that of `rubric list --stored`; the number is raised later and costs nothing."""
    desk, stub = marked
    take(desk)
    tune(desk)
    anew(desk, version="1")
    done = tune(desk, "--rubric", "bulletin")
    assert done.code == 0, done.err
    words = " ".join(done.out.split())
    hashes = re.search(r"by hash: (\S+\+\S+) before, (\S+\+\S+) now", words)
    assert hashes is not None
    stored = desk.judge("rubric", "list", "--stored").out
    assert all(one in stored for one in hashes.groups())
    before = len(stub.log)
    path = desk.root / "rubrics" / "bulletin.yaml"
    path.write_text(path.read_text("utf-8").replace('version: "1"', 'version: "2"'), "utf-8")
    raised = tune(desk, "--rubric", "bulletin")
    assert raised.code == 0, raised.err
    assert "Version 2 of bulletin" in " ".join(raised.out.split())
    assert "known apart" not in raised.out
    assert len(stub.log) == before


def test_the_report_split_is_looked_at_once_and_a_second_look_is_said(
    marked: tuple[Desk, StubServer],
) -> None:
    """First, then beside a third version; calibrate says it too, and what served for tuning."""
    desk, _ = marked
    take(desk)
    tune(desk)
    anew(desk)
    first = tune(desk, "--rubric", "bulletin", "--report")
    assert first.code == 0, first.err
    assert "on the report split" in first.out
    assert "First look at the report split" in first.out
    beside = desk.judge("calibrate", "runs/bulletin", "--pass", _newest(desk), "--json").json
    assert beside["labels"]["split"] == "report"
    assert beside["labels"]["look"] == 1
    assert not beside["labels"]["tuned"]
    assert beside["labels"]["seen_at"] is not None
    assert beside["labels"]["tuned_items"] > 0
    anew_text = (desk.root / "rubrics" / "bulletin.yaml").read_text("utf-8")
    (desk.root / "rubrics" / "bulletin.yaml").write_text(
        anew_text.replace("Anew:", "Anew: quite").replace('"2"', '"3"'), "utf-8"
    )
    second = tune(desk, "--rubric", "bulletin", "--report")
    assert second.code == 0, second.err
    words = " ".join(second.out.split())
    assert "Second look at the report split (before: 20" in words
    third = " ".join(
        desk.judge("calibrate", "runs/bulletin", "--pass", _newest(desk)).out.split()
    )  # fmt: skip
    assert "report split, second look" in third
    assert "served for tuning the rubric (tuned_on_these_labels): left out" in third
    looks = desk.rows("SELECT what, split FROM tune_looks ORDER BY look")
    assert looks == [("answers", "tune"), ("report", "report"), ("report", "report")]
    assert len(desk.rows("SELECT DISTINCT source FROM rubrics WHERE name = 'bulletin'")) == 3


def _newest(desk: Desk) -> str:
    found = desk.rows("SELECT pass_id FROM passes WHERE route <> 'people' ORDER BY ordinal")
    return str(found[-1][0])


def test_other_sums_cost_no_request(marked: tuple[Desk, StubServer]) -> None:
    """Weights are compared on the marks that are there; the very same rubric is refused."""
    desk, stub = marked
    take(desk)
    same = tune(desk, "--rubric", "bulletin")
    assert same.code == 2
    assert "was judged with this very rubric" in same.err
    path = desk.root / "rubrics" / "bulletin.yaml"
    text = path.read_text("utf-8").replace('"1"', '"1b"')
    path.write_text(f"{text}gates:\n  - {{criterion: tone, below: 3, cap: 1}}\n", "utf-8")
    calls = len(stub.log)
    said = tune(desk, "--rubric", "bulletin", "--json")
    assert said.code == 0, said.err
    rows = {row["criterion"]: row for row in said.json["rows"]}
    assert list(rows) == [*ASKED, "total"]
    assert all(rows[name]["change"]["value"] == 0 for name in ASKED)
    assert rows["total"]["change"]["low"] is not None
    assert rows["total"]["change"]["value"] > 0, (
        "a gate that people's marks fire and the judge's do not"
    )
    page = " ".join(tune(desk, "--rubric", "bulletin").out.split())
    assert "nothing was judged" in page
    assert "total: each version's own weights, gates and caps, on people's marks too." in page
    assert len(stub.log) == calls
    path.write_text(text.replace("max: 5", "max: 7"), "utf-8")
    scaled = tune(desk, "--rubric", "bulletin")
    assert scaled.code == 2
    assert "was marked on 1-5, this version marks on 1-7" in scaled.err


def test_few_items_refuse_the_comparison_by_code(desk: Desk, serve: Serve) -> None:
    """Four items: marks are shown, figures are refused, nothing is made up."""
    desk.make({"north": {item: f"{HARBOUR} {item}" for item in ITEMS[:4]}})
    serve(PLAN)
    assert desk.score("--no-html").code == 0
    rows = [f"{item},north,ana,tone,2" for item in ITEMS[:4]]
    (desk.root / "people.csv").write_text(
        "item,arm,rater,criterion,score\n" + "\n".join(rows), encoding="utf-8"
    )
    take(desk)
    anew(desk)
    said = tune(desk, "--rubric", "bulletin", "--tune", "0.9", "--json")
    assert said.code == 0, said.err
    (row,) = said.json["rows"]
    assert row["change"]["code"] in {"too_few_items", "no_human_labels"}
    assert "needs ≥ " in tune(desk, "--rubric", "bulletin").out


def test_what_cannot_be_tuned_is_one_line(desk: Desk, serve: Serve) -> None:
    """No marks, another judge, no rubric, usage."""
    desk.make({"north": {item: f"{HARBOUR} {item}" for item in ITEMS[:4]}})
    stub = serve(PLAN)
    for words, why in (((), "nothing is stored"), (("--report",), "name the changed rubric")):
        said = tune(desk, *words)
        assert said.code == 2
        assert why in said.err or "never judged" in said.err
    assert desk.score("--no-html").code == 0
    assert "has no marks by people" in tune(desk).err
    (desk.root / "people.csv").write_text(
        "item,arm,rater,criterion,score\nm1,north,ana,tone,2\n", encoding="utf-8"
    )
    take(desk)
    anew(desk)
    (desk.root / "judges.toml").write_text(
        f'default = "other"\n[judges.other]\nmodel = "other"\nbase_url = "{stub.base_url}"\n',
        encoding="utf-8",
    )
    few = tune(desk, "--rubric", "bulletin")
    assert few.code == 2
    assert "has 1 marked item" in few.err
    said = tune(desk, "--tune", "0.4", "--rubric", "bulletin", "--judge", "other")
    assert said.code == 2
    assert "would judge; name that judge" in said.err


def test_a_listwise_pass_is_tuned_and_a_pairwise_one_is_refused(desk: Desk, serve: Serve) -> None:
    """A version is asked as the pass was; comparisons have no marks to hold against people."""
    _, stub = make_marked(desk, serve, ITEMS[:13])
    desk.database.unlink()
    assert desk.score("--no-html", "--mode", "pairwise").code == 0
    assert desk.score("--no-html", "--mode", "listwise").code == 0
    (listwise,) = desk.rows("SELECT pass_id FROM passes WHERE mode = 'listwise'")
    (pairwise,) = desk.rows("SELECT pass_id FROM passes WHERE mode = 'pairwise'")
    words = ("--pass", listwise[0])
    taken = desk.judge("calibrate", "runs/bulletin", "--human", "people.csv", *words)
    assert taken.code == 0, taken.err
    refused = tune(desk, "--pass", pairwise[0])
    assert refused.code == 2
    assert "has no pass of a judge that marks answers" in refused.err
    assert refused.err.count("\n") == 1
    first = tune(desk, "--tune", "0.8", *words)
    assert first.code == 0, first.err
    assert re.search(r"^ tone +higher ", first.out, re.MULTILINE)
    assert (
        f"  judge rubric tune runs/bulletin --rubric bulletin --pass {listwise[0]}\n" in first.out
    )
    anew(desk)
    before = len(stub.log)
    made = tune(desk, "--rubric", "bulletin", "--json", *words)
    assert made.code == 0, made.err
    tune_items = desk.rows("SELECT item FROM label_splits WHERE split = 'tune'")
    assert len(stub.log) - before < 2 * len(tune_items), "one request asks for both answers"
    modes = desk.rows(
        "SELECT mode FROM passes WHERE pass_id = ?", made.json["version"]["pass_id"]
    )  # fmt: skip
    assert modes == [("listwise",)]
    rows = {row["criterion"]: row for row in made.json["rows"]}
    assert rows["total"]["change"]["n"] == len(tune_items)
