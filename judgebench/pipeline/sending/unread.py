"""Replies that a kill left between arriving and being read: read now, never asked again."""

from judgebench.judges.ask import Answer
from judgebench.judges.validate import Reading, read_reply
from judgebench.judges.wire import Settled, first, request_sha256
from judgebench.model.nouns import RawReply
from judgebench.pipeline.planning.prepare import Prepared
from judgebench.pipeline.planning.standing import Standing
from judgebench.pipeline.sending.one_pass import PassJournal, Sending
from judgebench.store.store import Store
from judgebench.store.writer import Writer

_OK = 200


def read_unread(store: Store, sending: Sending, standing: Standing) -> int:
    """Read what came in before an earlier start ended.

    A reply that would have been asked again stays open: the next call goes out
    as if this one had just been read.

    Returns:
        How many requests are answered by it.
    """
    row = standing.row
    waiting = store.unread_replies(row.judging.id, retry=standing.retry)
    if not waiting:
        return 0
    settled = Settled.from_json(row.settled) if row.settled else first(standing.judge)
    open_requests = {
        request.key: request for request in store.iter_open(row.judging.id, retry=standing.retry)
    }
    done = 0
    with Writer(store) as writer:
        journal = PassJournal(store, writer, row.judging)
        for stored in waiting:
            request = open_requests.get(stored.reply.key)
            prepared = sending.prepare(request) if request else None
            # A conversation is walked again as a whole, with what it was answered, when it is sent.
            if not isinstance(prepared, Prepared) or prepared.toolbox:
                continue
            if request_sha256(prepared.rendered, prepared.form, settled) != stored.request_sha256:
                continue
            reading = _read(stored.reply, prepared, settled, standing)
            if reading is None:
                continue
            # Its call is among those that no judgment tells of yet: `finish` counts it.
            answer = Answer(reading=reading, calls=0)
            writer.put(journal.judged_op(sending.finish(prepared, answer))).result()
            done += 1
    return done


def _read(
    raw: RawReply, prepared: Prepared, settled: Settled, standing: Standing
) -> Reading | None:
    if raw.status != _OK:
        return None
    reading = read_reply(
        raw, prepared.form, wire_mode=settled.mode, asked_model=standing.judge.model
    )
    return None if reading.status == "retry" else reading
