"""Nouns in, answers out: runs, plans, passes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from judgebench.model.collected import Block
from judgebench.model.nouns import Intent, Judge
from judgebench.model.reasons import Reason
from judgebench.model.rubric import Rubric, Scale, Total
from judgebench.store.judgments import TotalRow
from judgebench.store.rows import PlanChange
from judgebench.store.store import Store
from judgebench.store.writer import Writer
from tests.store import build


def write(store: Store, *judgments: object) -> None:
    """Write judgments and wait until they are on disk."""
    with Writer(store) as writer:
        for one in judgments:
            writer.put(writer.judged_op(build.PID, [one], totals=[build.total()])).result()  # type: ignore[list-item]


def test_a_pass_comes_back_as_it_was_put(store: Store) -> None:
    """Identity, seed of 48 bits, state and counts survive the file."""
    assert store.find_passes(build.RUN) == [build.pass_row()]
    store.set_settled(build.PID, '{"mode":"tools"}')
    store.set_plan(build.PID, build.requests(2))
    store.finish_pass(build.PID, finished_at="later", content_sha256="c")
    facts = store.find_passes(build.RUN)[0].facts()
    assert (facts.complete, facts.planned, facts.answered) == (True, 2, 0)
    assert (facts.params_sent, facts.finished_at) == ('{"mode":"tools"}', "later")


def test_a_repeated_pass_keeps_its_start(store: Store) -> None:
    """A second start writes names and sums, never the time of the first start."""
    again = replace(build.pass_row(), started_at="later", sum_sha256="new", ordinal=9)
    store.put_pass(again)
    (found,) = store.find_passes(build.RUN)
    assert (found.started_at, found.ordinal) == (build.pass_row().started_at, 1)
    assert found.sum_sha256 == "new"


def test_run_rubric_judge_and_prompt_are_kept_under_their_hashes(store: Store) -> None:
    """What is put twice stands once, with the newest words."""
    for text in ("one", "two"):
        store.put_run(
            build.RUN, text, facts={"a": 1}, use_case="desk.reply", updated_at="2026-09-05"
        )
        store.put_prompt(build.sha("s"), "system")
        store.put_judge(
            Judge(name=text, model="stub-1", provider="local", sha256="j"), {"model": "stub-1"}
        )
    assert store.rows("run", run=build.RUN) == [("two", "desk.reply", '{"a":1}', "2026-09-05")]


def test_a_plan_is_read_back_in_the_order_of_the_queue(store: Store) -> None:
    """Requests come by position, with their parts, whatever order they were planned in."""
    asked = [build.request(n) for n in range(4)]
    change = store.set_plan(build.PID, reversed(asked))
    assert change == PlanChange(
        new=4, kept=0, superseded=0, superseded_answered=0, answered=0, open=4
    )
    assert list(store.iter_open(build.PID)) == asked


def test_parts_keep_the_order_shown_to_the_judge(store: Store) -> None:
    """In listwise requests the order of the parts is part of the blinding."""
    first, second = build.request(0).parts[0], build.request(0, arm="south").parts[0]
    asked = replace(build.request(0), parts=(replace(first, label="Z"), replace(second, label="B")))
    store.set_plan(build.PID, [asked])
    assert list(store.iter_open(build.PID)) == [asked]


def test_open_requests_cross_the_size_of_a_chunk(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each comes once, also where two share a position at the border of a chunk."""
    monkeypatch.setattr("judgebench.store.store.CHUNK", 3)
    asked = [replace(build.request(n), position=n // 2) for n in range(9)]
    store.set_plan(build.PID, asked)
    found = list(store.iter_open(build.PID))
    assert sorted(one.key for one in found) == sorted(one.key for one in asked)
    assert [one.position for one in found] == sorted(one.position for one in asked)


def test_the_same_plan_changes_nothing(store: Store) -> None:
    """A second start finds what is answered and asks for the rest only."""
    store.set_plan(build.PID, build.requests(3))
    write(store, build.judgment(build.request(1)))
    assert store.set_plan(build.PID, build.requests(3)) == PlanChange(
        new=0, kept=3, superseded=0, superseded_answered=0, answered=1, open=2
    )
    assert [one.item for one in store.iter_open(build.PID)] == ["i0", "i2"]


def test_a_changed_text_supersedes_its_judgment(store: Store) -> None:
    """The old judgment is kept and left out; when the text returns, so does it."""
    store.set_plan(build.PID, build.requests(2))
    write(store, *(build.judgment(one) for one in build.requests(2)))
    edited = [build.request(0), build.request(1, text="edited")]
    change = store.set_plan(build.PID, edited)
    assert (change.new, change.kept, change.superseded) == (1, 1, 1)
    assert (change.superseded_answered, change.open) == (1, 1)
    assert store.rows("superseded", pass_id=build.PID) == [(1,)]
    assert len(store.columns("cells", pass_id=build.PID, run=build.RUN)["total"]) == 1
    back = store.set_plan(build.PID, build.requests(2))
    assert (back.new, back.answered, back.open) == (0, 2, 0)
    assert len(store.columns("cells", pass_id=build.PID, run=build.RUN)["total"]) == 2


def test_a_promoted_noise_judging_counts_from_then_on(store: Store) -> None:
    """More repeats turn it into a main one without asking again, marks included."""
    asked = build.request(0, purpose="noise")
    store.set_plan(build.PID, [asked])
    write(store, build.judgment(asked))
    assert len(store.columns("cells", pass_id=build.PID, run=build.RUN)["total"]) == 0
    assert store.set_plan(build.PID, [build.request(0)]).answered == 1
    assert len(store.columns("cells", pass_id=build.PID, run=build.RUN)["total"]) == 1
    codes = store.columns("mark_codes", pass_id=build.PID, run=build.RUN, criteria=["clarity"])
    assert codes["noise"].tolist() == [False]


def test_a_new_request_opens_a_complete_pass(store: Store) -> None:
    """A pass is complete for the content that it was finished with, no other."""
    store.set_plan(build.PID, build.requests(1))
    write(store, build.judgment(build.request(0)))
    store.finish_pass(build.PID, finished_at="then", content_sha256="c")
    store.set_plan(build.PID, build.requests(1))
    assert store.find_passes(build.RUN)[0].state == "complete"
    store.set_plan(build.PID, build.requests(2))
    (found,) = store.find_passes(build.RUN)
    assert (found.state, found.finished_at, found.content_sha256) == ("open", None, None)


def test_a_plan_that_fails_half_way_leaves_the_old_one(store: Store) -> None:
    """All or nothing: an error while planning changes no request."""
    store.set_plan(build.PID, build.requests(2))

    def broken() -> object:
        yield build.request(7)
        raise KeyError("broken")

    with pytest.raises(KeyError):
        store.set_plan(build.PID, broken())  # type: ignore[arg-type]  # a failing plan
    assert list(store.iter_open(build.PID)) == list(build.requests(2))


@pytest.mark.parametrize(
    ("reason", "retry", "is_open"),
    [
        (Reason.JUDGE_TRANSPORT, (), True),
        (Reason.JUDGE_TIMEOUT, (), True),
        (Reason.JUDGE_INVALID, (), False),
        (Reason.JUDGE_INVALID, (Reason.JUDGE_INVALID,), True),
    ],
)
def test_only_judgments_without_an_answer_are_asked_again(
    store: Store, reason: Reason, retry: tuple[Reason, ...], *, is_open: bool
) -> None:
    """A blocked judgment is final unless no answer came or the user asks for it."""
    asked = build.request(0)
    store.set_plan(build.PID, [asked])
    blocked = Block(reason=reason, message="said so")
    write(store, build.judgment(asked, status="blocked", blocked=blocked, marks=()))
    assert list(store.iter_open(build.PID, retry=retry)) == ([asked] if is_open else [])
    assert store.progress(build.PID, retry=retry) == (1, 0 if is_open else 1)


def test_replaced_outputs_keep_what_is_gone(store: Store) -> None:
    """Changed rows are written anew, equal ones stay, lost ones are no longer current."""
    store.replace_outputs(build.RUN, [build.output_row("north", f"i{n}") for n in range(3)])
    changed = build.output_row("north", "i1", sha256="new", blocked="length", wall_s=2.5)
    rows = [build.output_row("north", "i0"), changed, build.output_row("south", "i0")]
    store.replace_outputs(build.RUN, iter(rows))
    assert list(store.known_outputs(build.RUN).values()) == rows
    store.replace_outputs(build.RUN, [build.output_row("north", f"i{n}") for n in range(3)])
    assert len(store.known_outputs(build.RUN)) == 3


def test_outputs_of_another_run_are_left_alone(store: Store) -> None:
    """Two runs in one file do not retire each other's outputs."""
    store.replace_outputs("other", [build.output_row("north", "i0", run="other")])
    store.replace_outputs(build.RUN, [])
    assert len(store.known_outputs("other")) == 1


def test_totals_are_made_anew_without_a_request(store: Store) -> None:
    """Changed sums replace totals and the pass's hash; marks stay as they are."""
    asked = build.request(0)
    store.set_plan(build.PID, [asked])
    write(store, build.judgment(asked))
    rubric = Rubric(
        name="notice",
        version="2",
        scale=Scale(low=1, high=5),
        criteria=(),
        ask_sha256="a",
        sum_sha256="s2",
    )
    store.put_rubric(rubric)
    fresh = Total(value=2.0, uncapped=3.0, fired=("tone below 2",), tier="weak", reweighted=True)
    store.replace_totals(
        build.PID, [TotalRow(key=asked.key, label="answer", total=fresh)], rubric=rubric
    )
    cells = store.columns("cells", pass_id=build.PID, run=build.RUN)
    assert (cells["total"].tolist(), cells["fired"].tolist()) == ([2.0], [True])
    assert store.find_passes(build.RUN)[0].sum_sha256 == "s2"
    marks = store.rows("marks_to_total", pass_id=build.PID)
    assert {row[4] for row in marks} == {4.0}


def test_columns_are_arrays_and_gaps_are_masked(store: Store) -> None:
    """Codes follow the run's order of arms and items, not the alphabet."""
    asked = [build.request(0, arm="north"), build.request(1, arm="south")]
    store.set_plan(build.PID, asked)
    write(store, *map(build.judgment, asked))
    cells = store.columns("cells", pass_id=build.PID, run=build.RUN)
    assert cells["arm"].tolist() == [0, 1]
    assert cells["item"].tolist() == [1, 0]
    assert np.ma.getmaskarray(cells["chars"]).tolist() == [True, True]


def test_what_is_committed_survives_a_second_opening(store: Store, path: Path) -> None:
    """A plan is there after the file was closed."""
    store.set_plan(build.PID, build.requests(2))
    store.close()
    with Store.open(path, read_only=True) as again:
        assert len(list(again.iter_open(build.PID))) == 2


def write_long_replies(store: Store, count: int, size: int) -> None:
    """Keep replies of which each is `size` characters long and no two are alike."""
    with Writer(store) as writer:
        for n in range(count):
            asked, body = build.request(n), (f"{build.sha(str(n))} " * (1 + size // 65))[:size]
            call = Intent(key=asked.key, attempt=1, sent_at=1.0, request_sha256="r",
                          system_sha256="s", user_text="u")  # fmt: skip
            writer.put(writer.intend_op(build.PID, call)).result()
            writer.put(writer.reply_op(build.PID, build.reply(asked, body=body))).result()


def test_a_packed_store_holds_little_of_what_was_written(store: Store) -> None:
    """Packing writes the rows into the file and lets go of them in memory."""
    write_long_replies(store, 100, 50_000)
    held = "SELECT sum(memory_usage_bytes) FROM duckdb_memory()"
    ((before,),) = store.cursor().execute(held).fetchall()
    store.pack()
    ((after,),) = store.cursor().execute(held).fetchall()
    assert after < before / 2
    ((found, *_),) = store.cursor().execute("SELECT count(*) FROM replies").fetchall()
    assert found == 100


def test_long_texts_beyond_the_usual_memory_are_read(store: Store) -> None:
    """A question that does not get by with the usual limit is asked again with more."""
    write_long_replies(store, 60, 400_000)
    store.pack()
    store.cursor().execute("SET memory_limit = '12MB'")
    (one,) = store.earlier_replies(build.request(7).key)
    assert len(one.raw.body or "") == 400_000


def test_nothing_is_drawn_beside_an_answer(store: Store) -> None:
    """DuckDB draws no progress bar into what is piped on."""
    query = "SELECT current_setting('enable_progress_bar')"
    assert store.cursor().execute(query).fetchall() == [(False,)]
