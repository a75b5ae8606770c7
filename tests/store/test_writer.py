"""The writing thread: order, commits, repeats, errors."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from judgebench.errors import StoreError
from judgebench.model.collected import Block, Usage
from judgebench.model.nouns import Intent, Quote
from judgebench.model.reasons import Reason
from judgebench.store.store import Store
from judgebench.store.writer import Op, Writer
from tests.store import build


@pytest.fixture
def asked(store: Store) -> None:
    """A plan of four requests."""
    store.set_plan(build.PID, build.requests(4))


def clock_of(*times: float) -> Callable[[], float]:
    """A clock that shows these times, one a look."""
    return iter(times).__next__


def intend(writer: Writer, n: int = 0, *, attempt: int = 1, sent_at: float = 100.0) -> None:
    """Write the intention to send a request."""
    writer.put(
        writer.intend_op(
            build.PID,
            Intent(
                key=build.request(n).key,
                attempt=attempt,
                sent_at=sent_at,
                request_sha256="r",
                system_sha256="s",
                user_text="judge this",
            ),
        )
    ).result()


async def kept(writer: Writer, op: Op) -> None:
    """Hand in an operation from an event loop and wait until it is on disk."""
    await writer.put_soon(op)


@pytest.mark.usefixtures("asked")
def test_a_call_is_in_doubt_until_its_reply_is_stored(store: Store) -> None:
    """An intention without a reply is what a kill leaves behind."""
    request = build.request(0)
    with Writer(store) as writer:
        intend(writer)
        (doubt,) = store.in_doubt(build.PID)
        assert (doubt.key, doubt.attempt, doubt.sent_at) == (request.key, 1, 100.0)
        writer.put(writer.reply_op(build.PID, build.reply(request))).result()
    assert store.in_doubt(build.PID) == []
    assert store.last_attempts(build.PID) == {request.key: 1}


@pytest.mark.usefixtures("asked")
def test_an_unread_reply_is_found_until_it_is_judged(store: Store) -> None:
    """A reply that was paid for is read after a kill, not asked for again."""
    request = build.request(0)
    with Writer(store) as writer:
        intend(writer)
        writer.put(
            writer.reply_op(build.PID, build.reply(request, body='{"x": "é\U0001f600"}'))
        ).result()
        (unread,) = store.unread_replies(build.PID)
        assert unread.reply == build.reply(request, body='{"x": "é\U0001f600"}')
        assert unread.request_sha256 == "r"
        writer.put(
            writer.judged_op(build.PID, [build.judgment(request)], totals=[build.total()])
        ).result()
    assert store.unread_replies(build.PID) == []
    assert store.last_attempts(build.PID) == {}


@pytest.mark.usefixtures("asked")
def test_a_reply_that_never_came_is_not_unread(store: Store) -> None:
    """A broken connection leaves nothing to read and nothing in doubt."""
    request = build.request(0)
    lost = build.reply(request, status=None, body="", outcome="connection", error="reset")
    with Writer(store) as writer:
        intend(writer)
        writer.put(writer.reply_op(build.PID, lost)).result()
    assert store.unread_replies(build.PID) == []
    assert store.in_doubt(build.PID) == []


@pytest.mark.usefixtures("asked")
def test_a_repeated_judgment_replaces_itself(store: Store) -> None:
    """Written twice, alone or in one commit, it stands once, with its last marks."""
    request = build.request(0)
    with Writer(store) as writer:
        for mark in (4.0, 3.0):
            intend(writer)
            writer.put(writer.reply_op(build.PID, build.reply(request))).result()
            writer.put(
                writer.judged_op(build.PID, [build.judgment(request, mark=mark)], cost_usd=0.5)
            ).result()
        for mark in (2.0, 1.0):
            last = writer.put(
                writer.judged_op(build.PID, [build.judgment(request, mark=mark)], cost_usd=0.5)
            )
        last.result()
    marks = store.rows("marks_to_total", pass_id=build.PID)
    assert [row[4] for row in marks] == [1.0] * 4
    assert store.records("costs", pass_id=build.PID)[0]["cost_usd"] == 0.5
    assert store.records("checks", pass_id=build.PID)[0]["quotes_found"] == 4


@pytest.mark.usefixtures("asked")
def test_what_was_asked_again_counts_twice_in_the_costs(store: Store) -> None:
    """A judgment whose request was sent again leaves what it cost."""
    request = build.request(0)
    blocked = build.judgment(
        request,
        status="blocked",
        blocked=Block(reason=Reason.JUDGE_INVALID, message="no score"),
        marks=(),
        usage=Usage(prompt_tokens=100, completion_tokens=10),
    )
    with Writer(store, clock=clock_of(105.0, 110.0, 205.0, 210.0)) as writer:
        intend(writer, sent_at=100.0)
        writer.put(writer.reply_op(build.PID, build.reply(request))).result()
        writer.put(writer.judged_op(build.PID, [blocked], cost_usd=0.25)).result()
        intend(writer, attempt=2, sent_at=200.0)
        again = (Reason.JUDGE_INVALID,)
        assert store.unread_replies(build.PID, retry=again) == []
        writer.put(writer.reply_op(build.PID, build.reply(request, attempt=2))).result()
        (unread,) = store.unread_replies(build.PID, retry=again)
        assert unread.reply.attempt == 2
        writer.put(writer.judged_op(build.PID, [build.judgment(request)], cost_usd=0.5)).result()
    costs = store.records("costs", pass_id=build.PID)[0]
    assert (costs["cost_usd"], costs["calls"], costs["prompt_tokens"]) == (0.75, 2, 800)


@pytest.mark.usefixtures("asked")
def test_a_shared_request_is_paid_once(store: Store) -> None:
    """Two outputs in one request: two judgments, one cost."""
    request = build.request(0)
    both = [
        build.judgment(request, label="A", arm="north"),
        build.judgment(request, label="B", arm="south"),
    ]
    with Writer(store) as writer:
        writer.put(
            writer.judged_op(build.PID, both, totals=[build.total(), None], cost_usd=0.5)
        ).result()
        assert writer.stored == 2
    costs = store.records("costs", pass_id=build.PID)[0]
    assert (costs["requests"], costs["cost_usd"], costs["prompt_tokens"]) == (1, 0.5, 700)


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("text", ["half \ud83d", "nul \x00", "\u202e", "x" * 1_000_000])
def test_odd_texts_are_stored(store: Store, text: str) -> None:
    """Half surrogates become escapes; everything else comes back to the letter."""
    request = build.request(0)
    with Writer(store) as writer:
        intend(writer)
        writer.put(writer.reply_op(build.PID, build.reply(request, body=text))).result()
    (unread,) = store.unread_replies(build.PID)
    assert unread.reply.body == text.encode("utf-8", "backslashreplace").decode()


@pytest.mark.usefixtures("asked")
def test_quotes_come_back_with_their_places(store: Store) -> None:
    """A found quote has both offsets, another one none."""
    request = build.request(0)
    judged = build.judgment(request)
    mark = judged.marks[0]
    lost = Quote(text="not there", source="evidence")
    with Writer(store) as writer:
        changed = build.judgment(
            request,
            marks=(
                type(mark)(
                    criterion="tone",
                    mark=None,
                    quotes=(*mark.quotes, lost),
                    blocked=Reason.CANNOT_JUDGE,
                    unsupported=True,
                ),
            ),
        )
        writer.put(writer.judged_op(build.PID, [changed])).result()
    found = store.rows("show_marks", pass_id=build.PID, arm="north", item="i0")
    assert [row[7:] for row in found] == [
        ("these words", "answer", 3, 14),
        ("not there", "evidence", None, None),
    ]
    assert found[0][3:5] == (None, "cannot_judge")


@pytest.mark.usefixtures("asked")
def test_an_event_loop_waits_for_the_disk(store: Store) -> None:
    """Many tasks hand in operations; each goes on once its own is stored."""

    async def one(writer: Writer, n: int) -> None:
        request = build.request(n)
        await kept(writer, writer.reply_op(build.PID, build.reply(request)))
        await kept(writer, writer.judged_op(build.PID, [build.judgment(request)]))

    async def main() -> None:
        with Writer(store) as writer:
            await asyncio.gather(*(one(writer, n) for n in range(4)))
            assert writer.stored == 4
            assert writer.commits < 8

    asyncio.run(main())
    assert build.judgment_count(store) == 4


def test_a_closed_writer_takes_nothing(store: Store) -> None:
    """What comes after the end is refused, not lost in silence."""
    writer = Writer(store)
    writer.close()
    writer.close()
    with pytest.raises(StoreError, match="closed"):
        intend(writer)
    with pytest.raises(StoreError, match="closed"):
        asyncio.run(kept(writer, Op(tables={})))


def test_after_an_error_nothing_further_is_accepted(store: Store, path: Path) -> None:
    """The first failure ends the writer; the message counts what is stored."""
    request = build.request(0)
    with Writer(store) as writer:
        writer.put(writer.judged_op(build.PID, [build.judgment(request)])).result()
        store.cursor().execute("DROP VIEW calls; DROP TABLE sends")
        with pytest.raises(StoreError, match="of this start 1 judgment stored"):
            intend(writer)
        with pytest.raises(StoreError, match="judgment stored"):
            asyncio.run(kept(writer, writer.judged_op(build.PID, [build.judgment(request)])))
        assert writer.error is not None
        assert "\n" not in str(writer.error)
    assert path.exists()


def test_an_error_reaches_a_waiting_event_loop(store: Store) -> None:
    """A task that waits for the disk is told, and does not wait for ever."""
    store.cursor().execute("DROP TABLE replies CASCADE")

    async def main() -> None:
        with Writer(store) as writer:
            await kept(writer, writer.reply_op(build.PID, build.reply(build.request(0))))

    with pytest.raises(StoreError, match="stored"):
        asyncio.run(main())
