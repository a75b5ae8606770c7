"""Faults of one output or its record: that output is blocked, the others go on."""

import os
import threading
from pathlib import Path

import pytest

from judgebench.errors import RunError
from judgebench.model.collected import Output
from judgebench.model.reasons import Reason
from judgebench.runs.blocked import decide
from judgebench.runs.load import content_sha256, iter_outputs, load_item, load_run
from judgebench.runs.source import MAX_OUTPUT_BYTES
from judgebench.runs.survey import survey
from tests.runs.helpers import put

OUTSIDE = "STANDS-OUTSIDE"


def outputs(run: Path) -> dict[tuple[str, str], Output]:
    """Every output by arm and item."""
    return {(o.arm, o.item): o for o in iter_outputs(load_run(run))}


def only_fault(run: Path) -> Output:
    """The output of north for n1, after checking that no other one has a fault."""
    found = outputs(run)
    assert [key for key, o in found.items() if o.fault] == [("north", "n1")]
    return found["north", "n1"]


def outside(notice: Path) -> Path:
    """A file beside the run that no link may bring in."""
    return put(notice.parent / "outside/secret.txt", OUTSIDE)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("../../../outside/secret.txt", "leaves the run folder"),
        ("/etc/hostname", "absolute path"),
        ("output.md", "leads in a circle"),
        ("gone.md", "a link to nothing"),
        ("..", "a folder, not a file"),
        ("/dev/zero", "absolute path"),
    ],
)
def test_links_that_lead_elsewhere_block_one_output(notice: Path, target: str, words: str) -> None:
    """Out of the run, in a circle, to nothing, to a folder: unreadable, with the reason."""
    outside(notice)
    place = notice / "north/n1/output.md"
    place.unlink()
    place.symlink_to(target)
    output = only_fault(notice)
    assert output.fault is Reason.UNREADABLE
    assert output.text is None
    assert any(word in output.fault_detail for word in words.split("|"))
    assert OUTSIDE not in repr(output)
    run = load_run(notice)
    seen = survey(run, iter_outputs(run), lambda i: load_item(run, i))
    (block,) = decide(output, load_item(run, "n1"), run, seen)
    assert block.reason is Reason.UNREADABLE
    assert len(content_sha256(run)) == 64


@pytest.mark.parametrize("part", ["north", "north/n1"])
def test_a_folder_that_is_a_link_out_blocks_what_lies_under_it(notice: Path, part: str) -> None:
    """The check covers every component of the path, not the last alone."""
    outside(notice)
    place = notice / part
    place.rename(notice.parent / "moved")
    put(notice.parent / "outside/output.md", OUTSIDE)
    put(notice.parent / "outside/n1/output.md", OUTSIDE)
    place.symlink_to(notice.parent / "outside")
    found = outputs(notice)
    assert found["north", "n1"].fault is Reason.UNREADABLE
    assert found["south", "n1"].fault is None
    assert OUTSIDE not in repr(found)


def test_links_that_stay_inside_are_read(notice: Path) -> None:
    """A relative link to another file of the run is as good as the file; so is a hard link."""
    place = notice / "north/n1/output.md"
    place.unlink()
    place.symlink_to("../n2/../../north/n2/output.md")
    assert outputs(notice)["north", "n1"].text == "The room of north closes at two (n2).\n"
    place.unlink()
    os.link(notice / "south/n1/output.md", place)
    assert outputs(notice)["north", "n1"].text == "The room of south closes at two (n1).\n"


def test_a_pipe_never_hangs(notice: Path) -> None:
    """Nobody writes into it; it is named and left."""
    for name in ("output.md", "meta.json"):
        (notice / "north/n1" / name).unlink()
        os.mkfifo(notice / "north/n1" / name)
    output = only_fault(notice)
    assert "north/n1/meta.json is a pipe" in output.fault_detail
    assert "north/n1/output.md is a pipe" in output.fault_detail


def test_exchanging_a_file_for_a_link_while_reading_never_leads_out(notice: Path) -> None:
    """Two hundred reads against a writer that swaps file and link all the time."""
    outside(notice)
    place, stop = notice / "north/n1/output.md", threading.Event()

    def swap() -> None:
        plain, link = notice / "plain", notice / "link"
        while not stop.is_set():
            plain.write_text("plain")
            plain.replace(place)
            link.symlink_to("../../../outside/secret.txt")
            link.replace(place)

    thread = threading.Thread(target=swap)
    run = load_run(notice)
    thread.start()
    try:
        texts = [next(iter_outputs(run)).text for _ in range(200)]
    finally:
        stop.set()
        thread.join()
    assert OUTSIDE not in repr(texts)
    assert len(texts) == 200


ODD = [
    (b"caf\xe9 closes at two", "byte 4 0xe9 is not UTF-8"),
    ("Closes at two.".encode("utf-16-le"), "is NUL"),
    ("Closes".encode("utf-32"), "is NUL"),
    (b"\xff\xfe\x00\xd8", "is not UTF-16"),
    (bytes(range(256)), "is not UTF-8"),
    (b"closes\0at two", "character 7 is NUL"),
]


@pytest.mark.parametrize(("raw", "words"), ODD)
def test_bytes_that_are_no_text_block_one_output(notice: Path, raw: bytes, words: str) -> None:
    """Refused, not repaired; the hash of the bytes as delivered is kept."""
    before = outputs(notice)["north", "n1"].sha256
    put(notice / "north/n1/output.md", raw)
    output = only_fault(notice)
    assert output.fault is Reason.UNREADABLE
    assert words in output.fault_detail
    assert output.sha256 != before
    assert len(output.sha256) == 64


def test_known_encodings_are_read(notice: Path) -> None:
    """UTF-8 with a mark, UTF-16 of both orders: the text without the mark."""
    for encoding in ("utf-8-sig", "utf-16"):
        put(notice / "north/n1/output.md", "Café – zwei.".encode(encoding))
        assert outputs(notice)["north", "n1"].text == "Café – zwei."
    put(notice / "north/n1/output.md", b"\xfe\xff" + "Café".encode("utf-16-be"))
    assert outputs(notice)["north", "n1"].text == "Café"


def test_a_file_beyond_the_limit_is_not_read(notice: Path) -> None:
    """300 MB in one line: the size is named, and no memory is taken (the file is sparse)."""
    with (notice / "north/n1/output.md").open("wb") as file:
        file.truncate(300_000_000)
    output = only_fault(notice)
    assert f"300,000,000 bytes long; at most {MAX_OUTPUT_BYTES:,}" in output.fault_detail
    put(notice / "north/n1/output.md", b"x" * MAX_OUTPUT_BYTES)
    assert outputs(notice)["north", "n1"].fault is None


def test_two_outputs_for_one_cell_are_named(notice: Path) -> None:
    """Which of the two is the answer is not guessed."""
    put(notice / "north/n1/output.txt", "another")
    detail = only_fault(notice).fault_detail
    assert detail == "north/n1 holds output.md and output.txt: one output is expected"


def project_of(notice: Path) -> Output:
    """The output of an arm that is a project folder."""
    return next(one for one in iter_outputs(load_run(notice)) if one.project is not None)


def test_a_project_folder_is_an_output(notice: Path) -> None:
    """Its text is what a judge is shown, and every file counts for its hash and the run's."""
    (notice / "north/n1/output.md").unlink()
    put(notice / "north/n1/project/main.py", "print()")
    output, before = project_of(notice), content_sha256(load_run(notice))
    assert output.fault is None
    assert "1| print()" in (output.text or "")
    assert output.locator.path == "north/n1/project"
    put(notice / "north/n1/project/main.py", "print(1)")
    assert project_of(notice).sha256 != output.sha256
    assert content_sha256(load_run(notice)) != before


def test_a_project_that_leads_out_of_the_run_blocks_one_output(notice: Path) -> None:
    """A link to a folder elsewhere is not read, not even for the run's hash."""
    outside(notice)
    (notice / "north/n1/output.md").unlink()
    (notice / "north/n1/project").symlink_to("../../../outside")
    output = only_fault(notice)
    assert output.fault is Reason.UNREADABLE
    assert "leaves the run folder" in output.fault_detail
    assert OUTSIDE not in repr(output)
    assert len(content_sha256(load_run(notice))) == 64


def test_a_project_without_a_visible_line_is_empty(notice: Path) -> None:
    """The list of its files is no answer."""
    (notice / "north/n1/output.md").unlink()
    put(notice / "north/n1/project/main.py", " \n")
    assert project_of(notice).text == ""


def test_a_missing_and_an_empty_output_are_told_apart(notice: Path) -> None:
    """No file is missing; zero bytes are a text without content."""
    (notice / "north/n1/output.md").unlink()
    assert only_fault(notice).fault is Reason.MISSING
    put(notice / "north/n1/output.md", b"")
    empty = outputs(notice)["north", "n1"]
    assert (empty.fault, empty.text) == (None, "")


META = [
    (b'{"finish_reason": "sto', "is not valid JSON"),
    (b'{"note": "half \\ud835 here"}', "half a surrogate pair"),
    (b'{"finish_reason": "stop", "finish_reason": "length"}', "finish_reason stands twice"),
    (b"[1]", "is no JSON object"),
    (b"\xff\xff", "is not text"),
    (b"[" * 100_000, "nested too deeply|not valid JSON"),
    (b'{"finish_reason": 5}', "finish_reason is 5"),
    (b'{"usage": {"completion_tokens": "70"}}', "usage.completion_tokens is '70'"),
    (b'{"usage": {"completion_tokens": true}}', "usage.completion_tokens is True"),
    (b'{"usage": {"completion_tokens": -1}}', "usage.completion_tokens is -1"),
    (b'{"wall_s": NaN}', "wall_s is nan"),
    (b'{"cwd": "home"}', "cwd is 'home'"),
    (b'{"max_tokens": 1' + b"0" * 5_000 + b"}", "not valid JSON"),
    (b'{"prompt_sha256": "abc"}', "prompt_sha256 is 'abc'"),
]


@pytest.mark.parametrize(("raw", "words"), META)
def test_a_broken_record_blocks_its_output_alone(notice: Path, raw: bytes, words: str) -> None:
    """A record that cannot be trusted is no record; the message names file and key."""
    put(notice / "north/n1/meta.json", raw)
    output = only_fault(notice)
    assert output.fault is Reason.UNREADABLE
    assert output.fault_detail.startswith("north/n1/meta.json ")
    assert any(word in output.fault_detail for word in words.split("|"))


def test_a_record_is_read_whole_and_foreign_keys_are_named(notice: Path) -> None:
    """Every documented key arrives; a collector's own keys do no harm."""
    put(
        notice / "north/n1/meta.json",
        {
            "finish_reason": "stop",
            "usage": {"prompt_tokens": 1, "completion_tokens": 2, "reasoning_tokens": 3},
            "max_tokens": 400,
            "timeout_s": 60,
            "wall_s": 1.5,
            "ttft_s": 0.5,
            "cost_usd": 0.25,
            "error": "usage window",
            "reasoning_chars": 9,
            "prompt_sha256": "A" * 64,
            "cwd": "empty",
            "attempts": [{"kind": "transport", "message": "reset", "elapsed_s": 3}],
            "not_settable": ["timeout_s"],
            "latency_s": 3.2,
        },
    )
    output = outputs(notice)["north", "n1"]
    record = output.record
    assert output.fault is None
    assert output.fault_detail == "record_keys: latency_s"
    assert (record.usage.reasoning_tokens, record.timeout_s, record.ttft_s) == (3, 60.0, 0.5)
    assert record.error is not None
    assert (record.error.kind, record.error.message) == ("error", "usage window")
    assert record.attempts[0].elapsed_s == 3.0
    assert record.prompt_sha256 == "a" * 64
    assert record.not_settable == ("timeout_s",)


def test_limits_that_an_arm_cannot_be_given_reach_its_records(notice: Path) -> None:
    """run.yaml states it once for the arm."""
    text = (notice / "run.yaml").read_text()
    put(notice / "run.yaml", text.replace("note: plain", "not_settable: [max_tokens]"))
    found = outputs(notice)
    assert found["north", "n1"].record.not_settable == ("max_tokens",)
    assert found["south", "n1"].record.not_settable == ()


@pytest.mark.parametrize("name", ["prompt.md", "reference.md", "evidence/hours.txt", "evidence"])
def test_an_item_that_leads_out_stops_the_run(notice: Path, name: str) -> None:
    """Items are the run's own: no judge sees a text from elsewhere as prompt or evidence."""
    outside(notice)
    place = notice / "items/n1" / name
    place.rename(notice.parent / "moved")
    place.symlink_to(notice.parent / "outside/secret.txt")
    with pytest.raises(RunError, match="absolute path"):
        load_item(load_run(notice), "n1")


def test_run_yaml_that_leads_out_is_refused(notice: Path) -> None:
    """run.yaml is read through the same door."""
    (notice / "run.yaml").rename(notice.parent / "run.yaml")
    (notice / "run.yaml").symlink_to("../run.yaml")
    with pytest.raises(RunError, match=r"run\.yaml: is a link that leaves the run folder"):
        load_run(notice)


def test_a_prompt_that_is_no_text_stops_the_run(notice: Path) -> None:
    """The message names the byte and what to do."""
    put(notice / "items/n1/prompt.md", b"\xff")
    with pytest.raises(RunError, match=r"prompt\.md: is not text: .*save it as UTF-8"):
        load_item(load_run(notice), "n1")
