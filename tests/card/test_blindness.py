"""A judge that knows its authors is told from one that guesses; nothing of it is a mark."""

import json
from pathlib import Path
from typing import Any

import pytest

from judgebench.judges import identify
from judgebench.judges.identify import AuthorForm
from judgebench.model.collected import Arm
from judgebench.model.nouns import RawReply
from judgebench.pipeline.scoring.blindness import candidates
from tests.acceptance.desk import Desk
from tests.card.conftest import Judging
from tests.card.planted import Seen, runs
from tests.stub import StubServer

OVER_ALL = "generated_from"
ARMS = ("north", "south", "west")


def by_worth(seen: Seen) -> float:
    """Marks that are beside the point here."""
    return seen.worth


def knowing(answer: str, authors: dict[str, str]) -> str:
    """Names the author that the answer itself tells."""
    arm = answer.partition("says ")[2].partition(";")[0]
    place = ARMS.index(arm)
    return next(letter for letter, text in authors.items() if text == f"model model-{place} by "
                f"firm-{place}")  # fmt: skip


def guessing(_answer: str, authors: dict[str, str]) -> str:
    """Names one author whatever it reads: right in exactly one of three, without chance."""
    return min(authors, key=authors.__getitem__)


def names(stub: StubServer, rule: Any) -> None:  # noqa: ANN401 - a function
    """From now on authors are named by this rule."""
    stub.script.names = rule  # type: ignore[attr-defined] # a planted script has one


def kept(desk: Desk) -> dict[str, Any]:
    """The figures beside the report."""
    (path,) = (desk.root / "reports" / "bulletin").glob("*/blindness.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def figures(desk: Desk) -> dict[str, Any]:
    """The table but for what the probe adds to it, and the hash over all."""
    found: dict[str, Any] = desk.table().json
    return {key: value for key, value in found.items() if key not in {"blindness", OVER_ALL}}


def test_a_judge_that_knows_its_authors_is_not_blind(desk: Desk, judging: Judging) -> None:
    """All of 60 outputs are named; the marks and the pass are as without the probe."""
    desk.make(runs(24, ARMS))
    stub = judging(by_worth)
    names(stub, knowing)
    assert desk.score().code == 0
    before, asked = figures(desk), len(stub.log)
    said = desk.score("--probe-blindness")
    assert said.code == 0, said.err
    assert len(stub.log) == asked + 60
    found = kept(desk)
    assert (found["asked"], found["right"], found["unanswered"]) == (60, 60, 0)
    assert found["accuracy"]["low"] > 0.9
    assert found["chance"] == pytest.approx(1 / 3)
    assert {arm["asked"] for arm in found["arms"]} == {20}
    assert "NOT BLIND" in said.err
    assert figures(desk) == before
    assert desk.rows("SELECT count(*) FROM requests") == [(84,)]
    again = desk.score("--probe-blindness")
    assert len(stub.log) == asked + 60
    assert "NOT BLIND" in again.err


def pages(desk: Desk, folder: str = "*") -> tuple[str, str]:
    """report.md and report.html, white space folded."""
    (path,) = (desk.root / "reports" / "bulletin").glob(f"{folder}/report.md")
    texts = (one.read_text(encoding="utf-8") for one in (path, path.with_name("report.html")))
    first, second = (" ".join(text.split()) for text in texts)
    return first, second


def test_the_report_says_what_came_of_the_probe(desk: Desk, judging: Judging) -> None:
    """Accuracy beside chance and the leak scan, in both pages, by score and by report."""
    desk.make(runs(4, ARMS))
    names(judging(by_worth), knowing)
    assert desk.score().code == 0
    assert "NOT BLIND" not in pages(desk)[0]
    assert desk.score("--probe-blindness").code == 0
    said = (
        "NOT BLIND: the judge recognises authors better than chance: 12 of 12 outputs (100 %, "
        "exact 95 % 74 % to 100 %; chance 33 %). The leak scan had found 0 identity strings in "
        "0 outputs of these."
    )
    for text in pages(desk):
        assert said in text.replace("\\", "").replace("&#39;", "'")
    assert desk.score().code == 0
    assert said in pages(desk)[0]
    assert desk.judge("report", desk.run).code == 0
    assert said in pages(desk)[0]
    assert desk.judge("verify", desk.run).code == 0


def test_a_probe_of_answers_that_changed_is_said_to_be_of_others(
    desk: Desk, judging: Judging
) -> None:
    """After an answer changed, the figure stands as what it was; a probe again makes it new."""
    run = desk.make(runs(4, ARMS))
    names(judging(by_worth), knowing)
    assert desk.score("--probe-blindness").code == 0
    since = "The run has changed since: these are its answers as they were then."
    assert not any(since in text for text in pages(desk))
    first = next(path for path in sorted(run.rglob("output.md")))
    first.write_text(f"{first.read_text('utf-8')} And one line more.\n", encoding="utf-8")
    assert desk.score().code == 0
    assert all(since in text for text in pages(desk))
    assert desk.score("--probe-blindness").code == 0
    assert not any(since in text for text in pages(desk))


@pytest.mark.parametrize("damaged", [b"{", b"\xff", b""])
def test_a_probe_that_cannot_be_read_is_said(desk: Desk, judging: Judging, damaged: bytes) -> None:
    """A report names the file and the command, which writes it again without a call."""
    desk.make(runs(4, ARMS))
    stub = judging(by_worth)
    names(stub, knowing)
    assert desk.score("--probe-blindness").code == 0
    asked = len(stub.log)
    (path,) = (desk.root / "judgments" / "blindness").glob("*.json")
    path.write_bytes(damaged)
    assert desk.judge("report", desk.run).code == 0
    said = f"Blindness: judgments/blindness/{path.name} cannot be read."
    for text in (page.replace("\\", "") for page in pages(desk)):
        assert "NOT BLIND" not in text
        assert said in text
        assert "judge score bulletin --probe-blindness" in text
    assert desk.table().json["probes_unread"] == [f"judgments/blindness/{path.name}"]
    assert desk.score("--probe-blindness").code == 0
    assert len(stub.log) == asked
    assert "NOT BLIND" in pages(desk)[0]
    assert "cannot be read" not in pages(desk)[0]


def test_a_judge_that_guesses_is_not_seen_to_know(desk: Desk, judging: Judging) -> None:
    """Chance lies in the exact interval; places of letters say nothing."""
    desk.make(runs(24, ARMS))
    stub = judging(by_worth)
    names(stub, guessing)
    said = desk.score("--probe-blindness")
    assert said.code == 0, said.err
    found = kept(desk)
    assert found["accuracy"]["low"] < 1 / 3 < found["accuracy"]["high"]
    assert "is not seen to recognise authors" in " ".join(said.err.split())
    body = next(one for one in stub.bodies if "Possible authors" in one["messages"][-1]["content"])
    text = body["messages"][-1]["content"]
    assert "model model-1 by firm-1" in text
    assert "clarity" not in text


def test_a_probe_that_a_budget_ended_goes_on(desk: Desk, judging: Judging) -> None:
    """Calls of the marking count too; the next start asks only for the rest."""
    desk.make(runs(4, ARMS))
    stub = judging(by_worth)
    names(stub, knowing)
    said = desk.score("--probe-blindness", "--max-requests", "17")
    assert said.code == 5, said.err
    assert len(stub.log) == 17
    assert "Traceback" not in said.err
    said = desk.score("--probe-blindness")
    assert said.code == 0, said.err
    assert len(stub.log) == 24
    assert kept(desk)["right"] == 12


def test_a_half_line_of_a_kill_is_asked_again(desk: Desk, judging: Judging) -> None:
    """Only what is whole on disk counts as answered."""
    desk.make(runs(4, ARMS))
    stub = judging(by_worth)
    names(stub, knowing)
    assert desk.score("--probe-blindness").code == 0
    asked = len(stub.log)
    (path,) = (desk.root / "judgments" / "blindness").glob("*.jsonl")
    text = path.read_text(encoding="utf-8")
    path.write_text(text[:-40], encoding="utf-8")
    assert desk.score("--probe-blindness").code == 0
    assert len(stub.log) == asked + 1
    assert kept(desk)["asked"] == 12


def test_a_letter_that_is_none_is_no_answer(desk: Desk, judging: Judging) -> None:
    """An author outside of the list is asked for twice, then counted apart."""
    desk.make(runs(2, ARMS))
    stub = judging(by_worth)
    names(stub, lambda _answer, _authors: "Z")
    said = desk.score("--probe-blindness")
    assert said.code == 0, said.err
    assert len(stub.log) == 6 + 12
    assert (kept(desk)["asked"], kept(desk)["unanswered"]) == (0, 6)
    assert "not measured" in said.err


def test_what_cannot_be_asked_is_refused_before_anything_is_sent(
    desk: Desk, judging: Judging
) -> None:
    """One arm leaves nothing to choose from, and a recording has no such answers."""
    desk.make(runs(2, ("north",)))
    stub = judging(by_worth)
    said = desk.score("--probe-blindness")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "needs 2 to 26 arms" in said.err
    assert desk.judge("init").code == 0
    (desk.root / "judges.toml").write_text("")
    said = desk.judge("score", Path("runs/single-item"), "--probe-blindness")
    assert said.code == 2
    assert "a recording holds no such answers" in said.err
    assert stub.log == []


def test_an_endpoint_that_refuses_is_asked_once(desk: Desk, judging: Judging) -> None:
    """A refused key at the probe ends it in one line; the table stands."""
    desk.make(runs(2, ARMS))
    refusal = {"status": 401, "json": {"error": {"message": "no"}}}
    verdict = {"verdict": {"score": 3, "quotes": "real"}}
    plan = {"rules": [
        {"when_body_has": "Possible authors", "replies": [refusal]}, {"replies": [verdict]},
    ]}  # fmt: skip
    stub = judging(by_worth, plan=plan)
    said = desk.score("--probe-blindness")
    assert said.code != 0
    assert len(stub.log) == 6 + 1
    assert "the blindness probe was refused" in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    ("message", "author"),
    [
        ({"content": '{"author": "B"}'}, "B"),
        ({"content": '```json\n{"author": "A"}\n```'}, "A"),
        ({"content": None, "tool_calls": [{"function": {"arguments": '{"author": "B"}'}}]}, "B"),
        ({"content": '{"author": "B", "author": "A"}'}, None),
        ({"content": '{"author": "C"}'}, None),
        ({"content": '{"author": "A", "why": "x"}'}, None),
        ({"content": "A"}, None),
        ({"content": None}, None),
    ],
)
def test_a_reply_names_exactly_one_author(message: dict[str, Any], author: str | None) -> None:
    """Fences and tool calls are read; a second letter, another key or none is no answer."""
    raw = RawReply(
        key="k", attempt=1, status=200, outcome="received",
        body=json.dumps({"choices": [{"message": message}]}),
    )  # fmt: skip
    assert identify.read_author(raw, AuthorForm(letters=("A", "B"))) == author


def test_arms_that_read_alike_are_told_apart() -> None:
    """Two conditions of one model carry their ids; what is unknown is called by its id."""
    arms = (
        Arm(id="a", model="m", provider="p"), Arm(id="b", model="m", provider="p"),
        Arm(id="c"), Arm(id="d", model="m", harness="h"),
    )  # fmt: skip
    assert candidates(arms) == {
        "a": "model m by p (a)", "b": "model m by p (b)", "c": "arm c", "d": "model m in h",
    }  # fmt: skip


def test_a_plan_prices_the_probe(desk: Desk, judging: Judging) -> None:
    """Check and dry run count its requests and their cost; what was answered is not counted."""
    desk.make(runs(12, ARMS))
    stub = judging(by_worth, more="price = { input_usd = 1.0, output_usd = 2.0 }")
    names(stub, guessing)
    plain = desk.judge("check", desk.run, "--json").json["estimated"]
    probed = desk.judge("check", desk.run, "--probe-blindness", "--json").json["estimated"]
    assert probed["requests"] == plain["requests"] + 36
    assert (plain["probe"], probed["probe"]) == (0, 36)
    assert probed["prompt_tokens"] > plain["prompt_tokens"]
    assert probed["cost_usd"] > plain["cost_usd"]
    said = desk.judge("check", desk.run, "--probe-blindness").out
    assert f"{probed['requests']} requests (blindness probe: 36)" in said
    assert "--probe-blindness" in said.splitlines()[-1]
    dry = desk.score("--probe-blindness", "--dry-run").out
    assert f"{probed['requests']} requests to send (blindness probe: 36)" in dry
    assert len(stub.log) == 0
    assert desk.score().code == 0
    assert "36 requests to send (blindness probe: 36)" in desk.score(
        "--probe-blindness", "--dry-run"
    ).out  # fmt: skip
    assert desk.score("--probe-blindness").code == 0
    asked = len(stub.log)
    assert asked == probed["requests"]
    assert "0 requests to send" in desk.score("--probe-blindness", "--dry-run").out
    assert len(stub.log) == asked


def test_a_check_refuses_a_probe_of_a_recording(desk: Desk) -> None:
    """As `judge score` does, in one line; without a judge it counts all the same."""
    desk.make(runs(3, ARMS))
    found = desk.judge("check", desk.run, "--probe-blindness", "--json").json
    assert found["judge"] == "not named"
    assert found["estimated"]["probe"] == 9
    assert desk.judge("init").code == 0
    said = desk.judge("check", desk.root / "runs" / "single-item", "--probe-blindness")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "a recording holds no such answers" in said.err


def test_the_panel_says_it_of_each_judge(desk: Desk, judging: Judging) -> None:
    """Two judges of one panel: each by its name, the one that knows and the one that guesses."""
    desk.make(runs(4, ARMS))
    names(judging(by_worth, name="first"), knowing)
    toml = desk.root / "judges.toml"
    first = toml.read_text(encoding="utf-8")
    names(judging(by_worth, name="second"), lambda _answer, authors: min(authors))
    second = toml.read_text(encoding="utf-8")
    toml.write_text(first + second[second.index("[judges.") :], encoding="utf-8")
    said = desk.score("--probe-blindness", "--judge", "first", "--judge", "second")
    assert said.code == 0, said.err
    text, _ = pages(desk, "panel-*")
    assert "first: NOT BLIND: the judge recognises authors better than chance: 12 of 12" in text
    assert "second: Blindness: the judge is not seen to recognise authors" in text
