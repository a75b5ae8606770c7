"""A pass that has requests without an answer never looks finished."""

from collections.abc import Callable
from pathlib import Path

from tests.acceptance.desk import HARBOUR, QUARRY, THREE, Desk, plan
from tests.stub import StubServer

Serve = Callable[..., StubServer]


def recorded(desk: Desk, serve: Serve) -> Path:
    """A recording of three replies, and a workspace that has never seen them."""
    desk.make(THREE)
    serve(plan("fours"))
    assert desk.score().code == 0
    done = desk.judge("batch", "record", desk.run, "--rubric", "bulletin", "--out", "rec.jsonl")
    assert done.code == 0, done.err
    for path in (desk.root / "judgments").iterdir():
        path.unlink()
    return desk.root / "rec.jsonl"


def test_a_recording_that_lacks_replies_is_said_and_can_be_completed(
    desk: Desk, serve: Serve
) -> None:
    """Exit 3 with the count and the command; the exported rest, answered, ends with 0."""
    recording = recorded(desk, serve)
    lines = recording.read_text("utf-8").splitlines(keepends=True)
    recording.write_text("".join(lines[1:]), encoding="utf-8")
    for _ in range(2):
        found = desk.score("--judge", "replay:rec.jsonl")
        assert found.code == 3
        (line,) = [one for one in found.err.splitlines() if one.startswith("judge: ")]
        assert "unfinished: 1 of 3 requests have no reply in" in line
        assert "--judge replay:" in line
        assert "UNFINISHED: requests 2 of 3" in "\n".join(found.out.splitlines()[:3])
    (report,) = (desk.root / "reports" / "bulletin").glob("*/report.md")
    assert "UNFINISHED" in "\n".join(report.read_text("utf-8").splitlines()[:12])
    judge = ("--rubric", "bulletin", "--judge", "replay:rec.jsonl")
    assert (
        "1 request " in desk.judge("batch", "export", desk.run, *judge, "--out", "open.jsonl").out
    )
    (desk.root / "back.jsonl").write_text(lines[0], encoding="utf-8")
    done = desk.judge("batch", "import", desk.run, "back.jsonl", "--rubric", "bulletin")
    assert (done.code, done.err) == (0, done.err)
    assert "UNFINISHED" not in done.out
    assert desk.score("--judge", "replay:rec.jsonl").code == 0


def test_a_recording_is_exported_as_what_it_lacks(desk: Desk, serve: Serve) -> None:
    """A whole recording leaves nothing to export, whether or not it was replayed before."""
    recorded(desk, serve)
    judge = ("--rubric", "bulletin", "--judge", "replay:rec.jsonl", "--out", "open.jsonl")
    assert "0 requests" in desk.judge("batch", "export", desk.run, *judge).out


def test_an_early_stop_places_nobody(desk: Desk, serve: Serve) -> None:
    """A few cells of many far apart: UNFINISHED first of all, every arm stands as ?, no best."""
    texts = {"north": HARBOUR, "east": QUARRY}
    desk.make(
        {arm: {f"m{at:02}": f"{at} {text}" for at in range(40)} for arm, text in texts.items()}
    )
    far = [
        {"when_body_has": "tag-harbour", "replies": [{"verdict": {"score": 5, "quotes": "real"}}]},
        {"replies": [{"verdict": {"score": 1, "quotes": "real"}}]},
    ]
    serve({"rules": far})
    said = desk.score("--max-requests", "24", "--repeats", "1")
    assert said.code == 5
    assert "UNFINISHED" in said.out.splitlines()[0]
    found = desk.table().json
    assert all(arm["answered"] >= 6 and not arm["placed"] for arm in found["arms"])
    assert all(arm["rank_low"] is None for arm in found["arms"])
    assert not any(arm["may_be_best"] for arm in found["arms"])
    assert "Not placed: north and east" in " ".join(said.out.split())


def test_an_import_of_a_part_is_unfinished(desk: Desk, serve: Serve) -> None:
    """Replies to some requests of a batch: exit 3, and the rest is named."""
    lines = recorded(desk, serve).read_text("utf-8").splitlines(keepends=True)
    judge = ("--rubric", "bulletin", "--judge", "replay:rec.jsonl")
    (desk.root / "rec.jsonl").write_text("", encoding="utf-8")
    assert "3 requests" in desk.judge("batch", "export", desk.run, *judge, "--out", "o.jsonl").out
    (desk.root / "part.jsonl").write_text(lines[0], encoding="utf-8")
    found = desk.judge("batch", "import", desk.run, "part.jsonl", "--rubric", "bulletin")
    assert found.code == 3
    assert "unfinished: 2 of 3 requests" in found.err


def test_reports_name_a_recording_by_its_place_in_the_workspace(
    desk: Desk, serve: Serve, tmp_path: Path
) -> None:
    """No path of this machine in any report; one from elsewhere stands as it was given."""
    inside = recorded(desk, serve)
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    for path in (inside, inside.with_suffix(".json")):
        (outside / path.name).write_bytes(path.read_bytes())
    for given, shown in (
        (str(inside), "rec.jsonl"),
        ("runs/../rec.jsonl", "rec.jsonl"),
        ("../elsewhere/rec.jsonl", "../elsewhere/rec.jsonl"),
    ):
        found = desk.score("--judge", f"replay:{given}", "--json")
        assert (found.code, found.json["judging"]["recording"]) == (0, shown)
        (report,) = (desk.root / "reports" / "bulletin").glob("*/report.md")
        assert f"| recording | {shown} |" in report.read_text("utf-8").replace("\\", "")
        for page in report.parent.glob("*.[mhj]*"):
            assert str(tmp_path) not in page.read_text("utf-8"), page
        for path in (desk.root / "judgments").iterdir():
            path.unlink()


def test_a_request_that_got_no_answer_is_open_on_every_page(desk: Desk, serve: Serve) -> None:
    """The table, the list of passes and the next step say the same: the rest is asked again."""
    desk.make({"north": HARBOUR, "east": QUARRY})
    broken = {"when_body_has": "tag-harbour", "replies": [{"text": "<html>busy"}]}
    serve({"rules": [broken, {"replies": [{"verdict": {"score": 4, "quotes": "real"}}]}]})
    said = desk.score()
    assert said.code == 3
    assert "UNFINISHED: requests 1 of 2" in said.out.splitlines()[0]
    assert "asks the rest: 1 request" in " ".join(said.out.split())
    assert "1/2  shown, unfinished" in desk.judge("table", desk.run, "--passes").out


def test_where_no_pass_is_whole_the_fullest_is_shown(desk: Desk, serve: Serve) -> None:
    """A judge that never answered does not hide the marks of one that began later."""
    desk.make({"north": HARBOUR, "east": QUARRY})
    serve({"rules": [{"replies": [{"status": 401, "json": {"error": {"message": "no"}}}]}]})
    assert desk.score().code == 2
    assert "Nothing has been judged yet" in desk.judge("table", desk.run).out
    serve({"rules": [{"replies": [{"verdict": {"score": 4, "quotes": "real"}}]}]}, name="later")
    assert desk.score("--judge", "later", "--max-requests", "1").code == 5
    assert "UNFINISHED: requests 1 of 2" in desk.judge("table", desk.run).out
    assert "1/2  shown, unfinished" in desk.judge("table", desk.run, "--passes").out
