"""What the page shows beside the figures, taken from a store that a real pass filled."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judgebench.errors import StoreError
from judgebench.model.exhibits import CellFact, Exhibits
from judgebench.pipeline.pages.exhibits import open_exhibits
from judgebench.pipeline.scoring.score import Outcome
from judgebench.pipeline.setting.choices import Reading
from tests.pipeline.made import META, answer, judge, make_run, make_workspace
from tests.stub import StubServer

# The second judging of north on i1 differs; south on i2 cites words that nobody wrote.
UNEVEN = {
    "rules": [
        {
            "when_body_has": "Sign northi1",
            "replies": [
                {"verdict": {"score": 9, "quotes": "real"}},
                {"verdict": {"score": 2, "quotes": "real"}},
            ],
        },
        {"when_body_has": "Sign southi2", "replies": [{"verdict": {"score": 6, "quotes": "fake"}}]},
        {"when_body_has": "Sign southi3", "replies": [{"verdict": {"score": 77}}]},
        {"replies": [{"verdict": {"score": 6, "quotes": "real"}}]},
    ]
}
CUT = META | {"finish_reason": "length"}


@pytest.fixture
def stub() -> Iterator[StubServer]:
    """Uneven marks."""
    with StubServer(UNEVEN) as server:
        yield server


@pytest.fixture
def home(tmp_path: Path, stub: StubServer) -> Path:
    """A workspace whose judge is the stub."""
    return make_workspace(tmp_path, stub.base_url)


def read(outcome: Outcome) -> Exhibits:
    """Everything of one pass, its answers included."""
    scene = outcome.scene
    assert outcome.result is not None
    pass_id = outcome.result.judging.id
    with open_exhibits(scene.workspace.database, scene.run_key, passes=[pass_id]) as found:
        answers = tuple(found.answers)
        return Exhibits(
            items=found.items,
            cells=found.cells,
            marks=found.marks,
            judged=found.judged,
            order=found.order,
            answers=answers,
        )


def cell(found: Exhibits, arm: str, item: str) -> CellFact:
    """One cell."""
    return next(one for one in found.cells if (one.arm, one.item) == (arm, item))


def test_what_a_reader_should_look_at_stands_first(home: Path) -> None:
    """Judgings that disagree, then marks without support; every judged answer is there."""
    outcome = judge(make_run(home), repeats=2, max_judge_failures=9)
    found = read(outcome)
    assert found.order[:2] == (("north", "i1"), ("south", "i2"))
    assert found.judged == len(found.order) == 6
    answers = list(found.answers)
    assert [(one.arm, one.item) for one in answers] == list(found.order)
    first = answers[0]
    assert {one.total for one in first.judgings} == {9.0, 2.0}
    assert first.text == answer("north", "i1")
    second = answers[1]
    assert all(mark.unsupported for one in second.judgings for mark in one.marks)
    failed = next(one for one in answers if (one.arm, one.item) == ("south", "i3"))
    assert {one.status for one in failed.judgings} == {"blocked"}
    assert read(outcome).order == found.order


def test_quotes_stand_at_their_places_in_the_text_as_sent(home: Path) -> None:
    """Each found quote's place holds its words, and the raw reply is the body as received."""
    found = read(judge(make_run(home), max_judge_failures=9))
    seen = 0
    for one in found.answers:
        for judging in one.judgings:
            for quote in (quote for mark in judging.marks for quote in mark.quotes):
                if quote.found and quote.source == "answer":
                    assert one.text[quote.start : quote.end].split() == quote.text.split()
                    seen += 1
            assert judging.status == "blocked" or '"choices"' in judging.reply
    assert seen >= 8


def test_cells_carry_totals_or_reasons(home: Path) -> None:
    """A mean over repeats, a blocked output, a judgment that failed, an output that looks cut."""
    texts = {("north", "i3"): "The reading room closes at four\n```text\nSign"}
    plain = {key: value for key, value in META.items() if key == "timeout_s"}
    metas = {("south", "i1"): CUT, ("north", "i3"): plain}
    run = make_run(home, texts=texts, metas=metas)
    outcome = judge(run, repeats=2, max_judge_failures=9)
    found = read(outcome)
    assert cell(found, "north", "i1") == CellFact(arm="north", item="i1", total=5.5, judgings=2)
    assert cell(found, "south", "i1").blocked == "length"
    assert cell(found, "south", "i1").total is None
    assert (cell(found, "south", "i3").blocked or "").startswith("judge_")
    assert cell(found, "north", "i3").suspect
    assert found.items == 3
    assert outcome.result is not None
    for arm in outcome.result.arms:
        totals = [
            one.total for one in found.cells if one.arm == arm.arm.id and one.total is not None
        ]
        assert sum(totals) / len(totals) == pytest.approx(arm.mean)


def test_counts_hold_every_mark_that_counts(home: Path) -> None:
    """They add up to the marks of the result, noise left out, unsupported ones as it is read."""
    outcome = judge(make_run(home), max_judge_failures=9)
    assert outcome.result is not None
    found = read(outcome)
    assert sum(one.count for one in found.marks) == outcome.result.checks.marks
    assert {one.judge for one in found.marks} == {"stub"}
    strict = judge(make_run(home), max_judge_failures=9, reading=Reading(require_quotes=True))
    less = read(strict)
    assert sum(one.count for one in less.marks) < sum(one.count for one in found.marks)


def test_criteria_asked_one_by_one_are_one_answer(home: Path) -> None:
    """Each judging names its criterion and holds its own mark alone."""
    found = read(judge(make_run(home), split_criteria=True, max_judge_failures=99))
    one = next(one for one in found.answers if (one.arm, one.item) == ("north", "i2"))
    assert len(one.judgings) > 1
    for judging in one.judgings:
        assert [mark.criterion for mark in judging.marks] == [judging.criterion]


def test_an_unknown_pass_is_an_error(home: Path) -> None:
    """The message names those that there are."""
    scene, wanted = judge(make_run(home), max_judge_failures=9).scene, "nothing"
    with (
        pytest.raises(StoreError, match="there are"),
        open_exhibits(scene.workspace.database, scene.run_key, passes=[wanted]),
    ):
        pass
