"""Memory for long texts: what is written and read beyond the usual limit of DuckDB."""

import subprocess
import sys
from pathlib import Path

import pytest

from judgebench.errors import StoreError
from judgebench.model.nouns import Intent
from judgebench.store.batches import SPECS, columns
from judgebench.store.room import LITTLE, USUAL, needed
from judgebench.store.store import Store
from judgebench.store.writer import Writer
from tests.store import build

LONG = 1_000_000


def long_text(n: int, size: int = LONG) -> str:
    """A text of its own that zstd cannot make away with."""
    pieces = (build.sha(f"{n} {k}") for k in range(size // 64 // 8 + 1))
    return ("".join(pieces) * 8)[:size]


def send(writer: Writer, numbers: range, size: int = LONG) -> None:
    """Write prompts of so many characters, and wait for all of them."""
    waiting = [
        writer.put(
            writer.intend_op(
                build.PID,
                Intent(
                    key=build.request(n).key,
                    attempt=1,
                    sent_at=1.0,
                    request_sha256="r",
                    system_sha256="s",
                    user_text=long_text(n, size),
                ),
            )
        )
        for n in numbers
    ]
    for one in waiting:
        one.result()


def limit(store: Store) -> str:
    """What DuckDB may take."""
    ((found,),) = store.cursor().execute("SELECT current_setting('memory_limit')").fetchall()
    return str(found)


def kept(store: Store) -> int:
    """Prompts that are stored whole."""
    query = "SELECT count(*) FROM sends WHERE strlen(user_text) = ?"
    store.room.at_least(store.cursor())
    ((found,),) = store.cursor().execute(query, [LONG]).fetchall()
    return int(found)


def test_prompts_of_a_megabyte_are_all_stored(store: Store, path: Path) -> None:
    """Checkpoints of more text than the usual limit holds find the room they need."""
    store.pack()
    little = limit(store)
    with Writer(store) as writer:
        for start in range(0, 96, 16):
            send(writer, range(start, start + 16))
        assert writer.error is None
    assert limit(store) != little
    store.pack()
    assert limit(store) == little
    with Writer(store) as writer:
        # What the next start adds is packed with what stands there.
        send(writer, range(96, 106))
    store.close()
    with Store.open(path) as again:
        assert kept(again) == 106


def test_a_journal_of_long_texts_is_no_damaged_one(tmp_path: Path) -> None:
    """One commit beyond the usual limit, then a kill: all of it is there at the next start."""
    path = tmp_path / "j.duckdb"
    code = """
import os, sys
from pathlib import Path
from judgebench.store.store import Store
from judgebench.store.batches import SPECS, columns
from judgebench.store.writer import Writer
from tests.store import build, test_room
store = Store.open(Path(sys.argv[1]))
store.put_pass(build.pass_row())
store.cursor().execute("SET checkpoint_threshold = '1GB'; SET memory_limit = '1GB'")
store.room.at_least(store.cursor(), 1_000_000_000)
with store.together():
    store._fill("sends", ((build.PID, build.request(n).key, 1, 1.0, "r", "s",
                           test_room.long_text(n)) for n in range(80)))
os._exit(9)
"""
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == 9
    assert Path(f"{path}.wal").stat().st_size > USUAL
    with Store.open(path, read_only=True) as reader:
        assert reader.notes == ()
    with Store.open(path) as store:
        assert store.notes == ()
        assert kept(store) == 80
        store.pack()
    assert not Path(f"{path}.wal").exists()


def test_a_stream_of_long_texts_is_asked_again_with_more_memory(store: Store) -> None:
    """Each row comes once, in order, though the first attempt had no room."""
    store.set_plan(build.PID, build.requests(40))
    with Writer(store) as writer:
        send(writer, range(40), 10)
        for n in range(40):
            reply = build.reply(build.request(n), body=long_text(n, 400_000))
            writer.put(writer.reply_op(build.PID, reply)).result()
    store.pack()
    store.cursor().execute("SET memory_limit = '12MB'")
    found = list(store.stream("recordable", pass_id=build.PID))
    assert [row[0] for row in found] == [build.request(n).key for n in range(40)]
    assert {len(row[-1]) for row in found} == {400_000}


def test_short_texts_take_no_more_memory(store: Store) -> None:
    """The limit stays where it was, however many texts of the usual length there are."""
    store.pack()
    little = limit(store)
    with Writer(store) as writer:
        for start in range(0, 5_000, 500):
            send(writer, range(start, start + 500), 3_000)
    assert limit(store) == little


@pytest.mark.parametrize(("judgments", "size"), [(10_000, 8_000_000), (0, 0)])
def test_little_is_enough_for_short_texts(judgments: int, size: int) -> None:
    """Three keys a judgment and prompts of four thousand characters need no more."""
    assert needed(size, 3 * judgments) <= LITTLE


def test_each_key_and_each_long_text_needs_its_memory() -> None:
    """A million judgments need room for all of their keys, and long texts come on top."""
    many = 3_000_000
    assert needed(0, many) - needed(0, 0) >= 92 * many
    long = 1_000_000_000
    assert needed(long, many) - needed(0, many) >= 1.2 * long
    assert needed(long, 0) > USUAL


def test_a_pass_of_very_many_requests_goes_on(store: Store) -> None:
    """The keys of what is stored are held together, and little has no room for them."""
    con = store.cursor()
    con.execute("SET memory_limit = '1GB'")
    con.execute(
        "INSERT INTO sends SELECT 'other', left(sha256(i::VARCHAR), 32), 1, 1.0, 'r', 's', 'u'"
        " FROM range(400_000) AS t (i)"
    )
    store.pack()
    little = limit(store)
    with Writer(store) as writer:
        for start in range(0, 6_000, 500):
            send(writer, range(start, start + 500), 100)
        assert writer.error is None
    assert limit(store) != little


def test_a_plan_of_very_many_requests_makes_room_for_their_keys(store: Store) -> None:
    """The limit rises while a plan is collected, before its keys are made."""
    row = tuple(build.request(0).key if kind == "t" else 1 for _, kind in SPECS["new_requests"])
    made = columns("new_requests", [row] * 100_000)
    before = limit(store)
    for _ in range(4):
        store.room.take(store.cursor(), "new_requests", made)
    assert limit(store) != before


def test_what_no_memory_holds_is_one_line(store: Store, path: Path) -> None:
    """Where no step is left, the question ends in words that say what to do."""
    store.set_plan(build.PID, build.requests(4))
    with Writer(store) as writer:
        for n in range(4):
            send(writer, range(n, n + 1), 10)
            reply = build.reply(build.request(n), body=long_text(n, 4_000_000))
            writer.put(writer.reply_op(build.PID, reply)).result()
    store.pack()
    while store.room.more(store.cursor()):
        pass
    store.cursor().execute("SET memory_limit = '8MB'")
    with pytest.raises(StoreError, match="memory is too small") as refused:
        list(store.stream("recordable", pass_id=build.PID))
    assert str(refused.value).startswith(f"{path}: ")
    with pytest.raises(StoreError, match="memory is too small"):
        store.rows("recordable", pass_id=build.PID)
