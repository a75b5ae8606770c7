"""Every query answers as its header says."""

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench.model.collected import Block
from judgebench.model.nouns import Intent, Mark, Purpose, Quote
from judgebench.model.reasons import Reason
from judgebench.store import batches, sql
from judgebench.store.docs import storage_markdown
from judgebench.store.store import Store
from judgebench.store.writer import Writer
from tests.store import build

ROOT = Path(__file__).parents[2]
FILES = sorted(
    Path(str(entry))
    for folder in ("queries", "statements")
    for entry in files("judgebench.store").joinpath(folder).iterdir()
)


@pytest.fixture
def judged(store: Store) -> Store:
    """Two arms on four items; one output and one judgment blocked, one cell judged twice."""
    outputs = [
        build.output_row(
            arm,
            f"i{n}",
            wall_s=float(n),
            cost_usd=0.5,
            completion_tokens=10 * n,
            reasoning_tokens=2 * n if n else None,
            flags='["looks_cut: open fence"]' if n == 3 else "[]",
        )
        for arm in ("south", "north")
        for n in range(4)
    ]
    blocks = '[{"reason":"length","message":"cut at 512"}]'
    outputs[1] = replace(outputs[1], blocked="length", blocks=blocks)
    store.replace_outputs(build.RUN, outputs)
    asked = [build.request(n, arm=arm) for arm in ("south", "north") for n in range(4)]
    del asked[1]
    noise = replace(
        build.request(9), item="i0", repeat=2, purpose=Purpose.NOISE, parts=asked[3].parts
    )
    store.set_plan(build.PID, [*asked, noise])
    with Writer(store) as writer:
        for n, request in enumerate(asked):
            judgment = build.judgment(request, mark=float(1 + n % 5))
            if n == 6:
                blocked = Block(reason=Reason.JUDGE_REFUSED, message="I will not")
                judgment = replace(judgment, status="blocked", blocked=blocked, marks=())
            total = build.total(1 + n % 5) if n != 6 else None
            writer.put(writer.judged_op(build.PID, [judgment], totals=[total], cost_usd=0.125))
        again = build.judgment(noise, mark=5.0)
        writer.put(
            writer.judged_op(build.PID, [again], totals=[build.total(5.0)], cost_usd=0.125)
        ).result()
    return store


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_query_file_has_its_header(path: Path) -> None:
    """A sentence under its name, what it needs, what it gives; at most eighty lines."""
    text = path.read_text()
    assert text.startswith(f"-- {path.stem}: ")
    assert "-- Needs: " in text
    assert "-- Gives: " in text
    assert text.count("\n") <= 80
    head = " ".join(line for line in text.splitlines() if line.startswith("--"))
    if "Needs: the columns of" not in head:
        assert set(re.findall(r"\$(\w+)", text)) == set(re.findall(r"\$(\w+)", head))


def test_the_storage_page_is_the_schema() -> None:
    """docs/storage.md is made from the comments, to the letter."""
    page = (ROOT / "docs" / "storage.md").read_text()
    assert page == storage_markdown(), "run: python -m judgebench.store.docs > docs/storage.md"


def test_ratings_average_repeats_before_items(judged: Store) -> None:
    """The public view leaves noise and blocked judgments out and counts them."""
    found = judged.cursor().execute(
        "SELECT arm, mean_total, items, judgments_blocked FROM ratings ORDER BY arm"
    )
    assert found.fetchall() == [("north", 10 / 3, 3, 1), ("south", 2.0, 3, 0)]


def test_the_public_views_answer(judged: Store) -> None:
    """marks, blocked and calls hold what was judged, by run and pass."""
    con = judged.cursor()
    assert con.execute("SELECT count(*) FROM marks WHERE run = 'autumn'").fetchall() == [(28,)]
    blocked = "SELECT what, arm, item, reason FROM blocked ORDER BY what"
    assert con.execute(blocked).fetchall() == [
        ("judgment", "north", "i3", "judge_refused"),
        ("output", "south", "i1", "length"),
    ]
    assert con.execute("SELECT count(*) FROM calls").fetchall() == [(0,)]


def test_cells_and_marks_come_as_codes(judged: Store) -> None:
    """Arms and items by their place in the run, ordered, with the length of the output."""
    cells = judged.columns("cells", pass_id=build.PID, run=build.RUN)
    assert cells["arm"].tolist() == [0, 0, 0, 1, 1, 1]
    assert cells["item"].tolist() == [0, 2, 3, 0, 1, 2]
    assert cells["total"].tolist() == [1, 2, 3, 4, 5, 1]
    assert set(cells["chars"].tolist()) == {100}
    marks = judged.columns(
        "mark_codes", pass_id=build.PID, run=build.RUN, criteria=["tone", "clarity"]
    )
    assert len(marks["mark"]) == 14
    assert set(marks["criterion"].tolist()) == {0, 1}
    assert marks["noise"].sum() == 2


def test_noise_pairs_both_judgings(judged: Store) -> None:
    """The cell that was judged twice, and no other."""
    assert judged.rows("noise", pass_id=build.PID, run=build.RUN) == [(1, 0, 4.0, 5.0)]


def test_blocked_are_counted_with_an_example(judged: Store) -> None:
    """By arm and reason, for outputs and for judgments."""
    plain = {"strict": False, "block_cut": False, "minimum": False}
    assert judged.rows("blocked_outputs", run=build.RUN, **plain) == [
        ("south", "length", 1, "i1", "cut at 512")
    ]
    all_there = {"needed": ["tone", "clarity"], "quotes": True}
    assert judged.rows("blocked_judgments", pass_id=build.PID, **all_there) == [
        ("north", "judge_refused", 1, "i3", "I will not")
    ]


def test_checks_tell_of_the_judge(judged: Store) -> None:
    """Its most frequent mark, its quotes, who answered."""
    (found,) = judged.records("checks", pass_id=build.PID)
    assert (found["marks"], found["modal_mark"]) == (28, 1.0)
    assert found["modal_share"] == pytest.approx(8 / 28)
    assert (found["quotes"], found["quotes_found"], found["unsupported"]) == (28, 28, 0)
    assert found["answered_by"] == ["stub-1"]


def test_context_has_medians_and_known_sums(judged: Store) -> None:
    """Reported beside the rating: seconds, tokens, cost, reasoning, suspects."""
    south, north = judged.records("context", run=build.RUN)
    assert (south["arm"], north["arm"]) == ("south", "north")
    assert (north["wall_s"], north["completion_tokens"], north["chars"]) == (1.5, 15.0, 100.0)
    assert (north["cost_usd"], north["known"], north["suspects"]) == (2.0, 4, 1)
    assert north["reasoning_ratio"] == pytest.approx(0.25)


def test_the_best_quote_is_the_most_telling(store: Store) -> None:
    """Found in the answer, at the mark furthest from the arm's own mean."""
    asked = build.request(0)
    store.set_plan(build.PID, [asked])
    here = {"source": "answer", "start": 0, "end": 4}
    marks = (
        Mark(criterion="tone", mark=4.0, quotes=(Quote(text="middling", **here),)),  # type: ignore[arg-type]  # values by name
        Mark(criterion="depth", mark=4.0, quotes=(Quote(text="middling", **here),)),  # type: ignore[arg-type]  # values by name
        Mark(criterion="truth", mark=1.0, quotes=(Quote(text="telling", **here),)),  # type: ignore[arg-type]  # values by name
        Mark(criterion="clarity", mark=4.0, quotes=(Quote(text="made up", source="answer"),)),
    )
    with Writer(store) as writer:
        writer.put(writer.judged_op(build.PID, [build.judgment(asked, marks=marks)])).result()
    assert store.rows("quotes_best", pass_id=build.PID, n=1) == [
        ("north", "i0", "truth", 1.0, "telling")
    ]


def test_show_has_the_whole_exchange(store: Store) -> None:
    """System and user text as sent, the raw reply, the reading."""
    asked = build.request(0)
    store.set_plan(build.PID, [asked])
    store.put_prompt("s", "You judge.")
    with Writer(store) as writer:
        writer.put(
            writer.intend_op(
                build.PID,
                Intent(
                    key=asked.key,
                    attempt=1,
                    sent_at=1.0,
                    request_sha256="r",
                    system_sha256="s",
                    user_text="this",
                ),
            )
        )
        writer.put(writer.reply_op(build.PID, build.reply(asked, body="raw")))
        writer.put(
            writer.judged_op(build.PID, [build.judgment(asked)], totals=[build.total()])
        ).result()
    (found,) = store.records("show", pass_id=build.PID, arm="north", item="i0")
    assert (found["system"], found["user_text"], found["body"]) == ("You judge.", "this", "raw")
    assert (found["outcome"], found["http_status"], found["total"]) == ("received", 200, 4.0)
    assert len(store.rows("show_marks", pass_id=build.PID, arm="north", item="i0")) == 4


def test_a_query_that_is_not_there_is_our_fault() -> None:
    """Names come from code, so a wrong one is no message for a user."""
    with pytest.raises(FileNotFoundError):
        sql.query("no_such_question")


@settings(max_examples=50, deadline=None)
@given(st.lists(st.one_of(st.none(), st.text()), min_size=1, max_size=5))
def test_texts_become_columns(texts: list[str | None]) -> None:
    """Any text can be handed to the driver; gaps stay gaps."""
    made = batches.columns("totals", [("k", t, 1.0, None, "[]", None, False) for t in texts])
    assert [value is None for value in made["label"]] == [text is None for text in texts]
    for value in made["label"]:
        assert value is None or isinstance(value.encode(), bytes)
    assert np.ma.getmaskarray(made["uncapped"]).all()
