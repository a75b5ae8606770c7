"""Outputs that are empty, nearly empty, not text, or far too much."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.acceptance.desk import DATA, HARBOUR, WHOLE, Desk, always, plan, write
from tests.peak import needs_proc, peak
from tests.stub import StubServer

Serve = Callable[..., StubServer]
KEYS = json.loads((DATA / "keys.json").read_text(encoding="utf-8"))
GENEROUS = {"verdict": {"score": 5, "quotes": "real"}}


def test_an_empty_answer_is_never_the_judges_to_mark(desk: Desk, serve: Serve) -> None:
    """No file, no bytes, nothing visible: no request, told apart; a colon is judged, flagged."""
    desk.make(
        {
            "north": None,
            "south": b"",
            "east": b" \n\xe2\x80\x8b\xef\xbb\xbf\xc2\xa0\n",
            "west": ":\n",
        }
    )
    stub = serve(always(**GENEROUS))
    first = desk.score("--accept-cut")
    assert first.code == 0
    assert len(stub.log) == 1
    assert {arm: reason for arm, (reason, _) in desk.blocked().items()} == {
        "north": "missing",
        "south": "empty",
        "east": "empty",
    }
    assert set(desk.marks()) == {"west"}
    report = next((desk.root / "reports").rglob("report.md")).read_text(encoding="utf-8")
    assert "1 answer of west with almost no content" in report
    warned = [one["code"] for one in desk.table().json["warnings"]]
    assert "almost_no_content" in warned


def test_the_minimum_by_rule_needs_no_request(desk: Desk, serve: Serve) -> None:
    """--empty-as minimum: the model's own empty answer is the lowest mark, and marked as such."""
    desk.make({"north": HARBOUR, "south": b""})
    stub = serve(always(**GENEROUS))
    first = desk.score("--empty-as", "minimum")
    assert first.code == 0
    assert len(stub.log) == 1
    assert desk.table().arm("south")["mean"] == 1
    assert desk.table().arm("north")["mean"] == 5
    assert "minimum" in first.out or "empty" in first.out


def test_every_empty_text_is_empty_and_no_other(desk: Desk, serve: Serve) -> None:
    """Invisible characters of all kinds are no answer; a single visible one goes to the judge."""
    texts = {f"e{n:02}": text for n, text in enumerate(KEYS["empty"])} | {
        f"n{n:02}": text for n, text in enumerate(KEYS["nearly"])
    }
    desk.make(texts)
    stub = serve(always(**GENEROUS))
    desk.score("--accept-cut")
    blocked = desk.blocked()
    assert set(blocked) == {arm for arm in texts if arm.startswith("e")}
    assert {reason for reason, _ in blocked.values()} <= {"empty", "unreadable"}
    assert set(desk.marks()) == {arm for arm in texts if arm.startswith("n")}
    assert len(stub.log) >= len(KEYS["nearly"])


def test_bytes_that_are_not_clean_text_touch_no_other_arm(desk: Desk, serve: Serve) -> None:
    """Each ends scored or blocked with a reason; the files stay as they are."""
    texts = {
        "bad-utf8": b"The stop moves. caf\xe9 \xff\xfe\x80\n",
        "utf16": "\ufeffThe stop moves on Monday.\n".encode("utf-16-le"),
        "nul": b"The stop\x00 moves on Monday.\n",
        "binary": bytes(range(256)) * 4,
        "bom": b"\xef\xbb\xbfThe stop moves on Monday.\n",
        "half": HARBOUR,
        "broken": HARBOUR,
        "listed": HARBOUR,
        "long-word": "x" * 200_000 + "\n",
        "good": HARBOUR,
    }
    run = desk.make(
        texts,
        records={
            "half": b'{"finish_reason": "stop", "error": {"kind": "\\ud83d", "message": "x"}}',
            "broken": b'{"finish_reason": "sto',
            "listed": b"[1, 2]",
        },
    )
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    stub = serve(plan("fours"))
    first = desk.score("--accept-cut")
    assert first.code in {0, 3}
    done = set(desk.blocked()) | set(desk.marks())
    assert done == set(texts)
    assert all(message for _, message in desk.blocked().values())
    assert desk.marks()["good"] == {4}
    assert desk.marks()["bom"] == {4}
    assert desk.blocked()["bad-utf8"][0] == "unreadable"
    assert desk.blocked()["binary"][0] == "unreadable"
    assert len(stub.log) == len(desk.marks())
    assert {path: path.read_bytes() for path in before} == before
    assert desk.table().code == 0


@needs_proc
def test_a_large_folder_and_a_large_file(desk: Desk, serve: Serve) -> None:
    """60 MB of one line and an unreadable project are blocked, other projects are packed."""
    run = desk.make({"lines": None, "many": None, "deep": None, "names": None, "good": HARBOUR})
    with (run / "good" / "m1" / "meta.json").open() as handle:
        assert json.load(handle) == WHOLE
    big = run / "lines" / "m1" / "output.md"
    big.parent.mkdir(parents=True, exist_ok=True)
    with big.open("wb") as sparse:
        sparse.truncate(60_000_000)
        sparse.write(b"x" * 1_000_000)
    modules = run / "many" / "m1" / "project" / "node_modules"
    modules.mkdir(parents=True)
    for n in range(1500):
        (modules / f"m{n}.js").write_bytes(b"module.exports = 1\n")
    write(run / "many/m1/project/index.js", "console.log('the real work, tag-many')\n")
    write(run / "deep/m1/project" / "/".join(["level"] * 70) / "file.txt", "far below, tag-deep\n")
    write(run / "names/m1/project" / ("n" * 251 + ".txt"), "long name, tag-names\n")
    write(run / "names/m1/project/line\nbreak.txt", "one\n")
    write(run / "names/m1/project/esc\x1b[2J.txt", "two\n")
    stub = serve(plan("fours"))
    words = ("score", run, "--rubric", "bulletin", "--accept-cut")
    first = peak("from judgebench.cli.main import main", "main()", *words, cwd=desk.root)
    assert first.code in {0, 3}
    assert desk.blocked()["lines"][0] == "unreadable"
    assert set(desk.marks()) == {"good", "many", "names"}
    assert set(desk.blocked()) == {"lines", "deep"}
    assert desk.blocked()["deep"][0] == "unreadable"
    assert "deeper than" in desk.blocked()["deep"][1]
    assert "tag-many" in json.dumps(stub.bodies)
    assert "module.exports" not in json.dumps(stub.bodies)
    assert "\x1b[2J" not in first.out + first.err
    assert first.mib < 300


def test_a_link_out_of_the_run_is_not_followed(desk: Desk, serve: Serve, tmp_path: Path) -> None:
    """A text outside the run folder never reaches the judge."""
    run = desk.make({"north": HARBOUR, "south": None})
    secret = tmp_path / "outside.txt"
    secret.write_text("the words outside\n", encoding="utf-8")
    (run / "south" / "m1").mkdir(exist_ok=True, parents=True)
    (run / "south" / "m1" / "output.md").symlink_to(secret)
    stub = serve(plan("fours"))
    assert desk.score().code == 0
    assert desk.blocked()["south"][0] == "unreadable"
    assert "the words outside" not in json.dumps(stub.bodies)
