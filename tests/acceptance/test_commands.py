"""The command as a user meets it: exit codes, streams, places, names, locales."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.desk import (
    HARBOUR,
    MEADOW,
    QUARRY,
    THREE,
    WHOLE,
    Desk,
    always,
    empty_space,
    finish,
    plan,
    write,
)
from tests.stub import StubServer

Serve = Callable[..., StubServer]
LOCALES = [
    {"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
    {"LC_ALL": "C", "PYTHONUTF8": "1"},
]


@pytest.mark.parametrize("env", LOCALES)
def test_a_poor_locale_prints_without_a_fault(
    desk: Desk, serve: Serve, env: dict[str, str]
) -> None:
    """Signs that the terminal does not know are written as numbers; JSON is UTF-8 all the same."""
    desk.make({"north": HARBOUR, "süd-Ω": f"{HARBOUR}Grüße ✓ 電車 🚋\n"})
    serve(plan("fours"))
    first = finish(desk.spawn("score", desk.run, "--rubric", "bulletin", env=env))
    assert first.code == 0
    assert "north" in first.out
    shown = finish(desk.spawn("table", desk.run, "--json", env=env))
    assert shown.code == 0
    assert {arm["arm"]["id"] for arm in shown.json["arms"]} == {"north", "süd-Ω"}


def test_a_locale_that_cannot_name_a_file_is_one_line(desk: Desk, serve: Serve) -> None:
    """Where Python itself reads file names as ASCII, the message says what to set."""
    desk.make({"north": HARBOUR, "süd": MEADOW})
    serve(plan("fours"))
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    first = finish(desk.spawn("score", desk.run, "--rubric", "bulletin", env=env))
    assert first.code == 2
    assert "PYTHONUTF8=1" in first.err


def test_the_same_run_from_anywhere(desk: Desk, serve: Serve) -> None:
    """Relative, absolute, with a slash, from inside: one run, one pass, no second request."""
    desk.make(THREE)
    stub = serve(plan("fours"))
    assert desk.judge("score", "runs/bulletin/", "--rubric", "bulletin").code == 0
    inside = desk.root / "runs"
    ways: list[tuple[str, Path]] = [
        ("bulletin/", inside),
        ("./bulletin", inside),
        (".", inside / "bulletin"),
        ("../bulletin", inside / "bulletin"),
        (str(inside / "bulletin"), Path("/")),
    ]
    for word, cwd in ways:
        again = desk.judge("score", word, "--rubric", "bulletin", cwd=cwd)
        assert (again.code, word) == (0, word)
        shown = desk.judge("table", word, cwd=cwd)
        assert (shown.code, word) == (0, word)
        assert "bulletin · 3 arms" in shown.out
    assert len(stub.log) == 3
    assert desk.rows("SELECT count(*) FROM passes") == [(1,)]
    assert sorted(path.name for path in desk.root.iterdir()) == [
        "judges.toml", "judgments", "reports", "rubrics", "runs",
    ]  # fmt: skip


def test_a_run_that_was_never_judged(desk: Desk, serve: Serve) -> None:
    """No database, then a database without this run: one line each, exit 2, what to do."""
    desk.make(THREE)
    first = desk.judge("table", desk.run)
    assert first.code == 2
    assert "judge score" in first.err
    serve(plan("fours"))
    desk.score()
    desk.make(THREE, name="other")
    for words in (["table"], ["report"], ["table", "--json"]):
        found = desk.judge(words[0], desk.root / "runs" / "other", *words[1:])
        assert found.code == 2
        assert found.out == ""
        assert "judge score" in found.err
    assert desk.judge("table", desk.root / "runs" / "no-such").code == 2


def test_a_run_with_nothing_to_judge(desk: Desk, serve: Serve) -> None:
    """All blocked: a table that says why, no request, no winner, exit 0; check exits 1."""
    desk.make(
        {"north": None, "south": b""},
    )
    stub = serve(plan("fours"))
    first = desk.score()
    assert first.code == 0
    assert stub.log == []
    assert "missing" in first.out
    assert "empty" in first.out
    table = desk.table()
    assert table.code == 0
    assert [arm["mean"] for arm in table.json["arms"]] == [None, None]
    assert desk.judge("table", desk.run).out == first.out
    assert desk.judge("check", desk.run, "--rubric", "bulletin").code == 1


def test_exit_codes_of_gates(desk: Desk, serve: Serve) -> None:
    """1 below --fail-under or undecided, 3 above --max-judge-failures, 0 where allowed."""
    desk.make({"north": HARBOUR, "south": MEADOW, "east": QUARRY})
    serve(plan("cut"))
    assert desk.score().code == 3
    assert desk.score("--max-judge-failures", "1").code == 0
    refused = desk.score("--max-judge-failures", "1", "--fail-under", "3")
    assert refused.code == 1
    assert "cannot be decided" in refused.err
    desk.make(
        {
            "north": {f"m{n}": HARBOUR for n in range(6)},
            "south": {f"m{n}": MEADOW for n in range(6)},
        },
        name="six",
    )
    six = desk.root / "runs" / "six"
    serve(
        {
            "rules": [
                {"when_body_has": "tag-harbour", "replies": [{"verdict": {"score": 4}}]},
                {"replies": [{"verdict": {"score": 2}}]},
            ]
        },
        name="two",
    )
    assert desk.score("--fail-under", "1.5", run=six).code == 0
    below = desk.score("--fail-under", "3", run=six)
    assert below.code == 1
    assert "south" in below.err
    assert "--fail-under 3" in below.err


def test_blocked_judgments_are_asked_again_on_request(desk: Desk, serve: Serve) -> None:
    """--retry-blocked asks what was answered badly, and nothing that is scored."""
    desk.make(THREE)
    cut = plan("cut")
    cut["rules"][0]["replies"].append({"verdict": {"score": 4, "quotes": "real"}})
    stub = serve(cut)
    assert desk.score().code == 3
    assert desk.score().code == 3
    assert len(stub.log) == 3
    again = desk.score("--retry-blocked")
    assert again.code == 0
    assert len(stub.log) == 4
    assert desk.marks() == {arm: {4} for arm in THREE}
    assert desk.rows("SELECT count(*) FROM blocked") == [(0,)]


def test_a_budget_stops_and_the_next_start_goes_on(desk: Desk, serve: Serve) -> None:
    """--max-requests ends with exit 5 and a table of what there is; then only the rest is asked."""
    desk.make(THREE)
    stub = serve(plan("fours"))
    first = desk.score("--max-requests", "1")
    assert first.code == 5
    assert len(stub.log) == 1
    assert "unfinished" in first.out
    dry = desk.score("--dry-run")
    assert (dry.code, len(stub.log)) == (0, 1)
    assert "2 requests" in dry.out
    assert desk.score().code == 0
    assert len(stub.log) == 3


def test_a_dry_run_leaves_nothing_behind(desk: Desk, serve: Serve) -> None:
    """It opens no pass, makes no folder and changes no plan; a pass that is there is priced."""
    desk.make(THREE)
    stub = serve(plan("fours"))
    dry = desk.score("--dry-run")
    assert dry.code == 0
    assert "3 requests" in dry.out
    assert not list(desk.root.glob("judgments/*"))
    assert desk.score().code == 0
    other = desk.score("--dry-run", "--repeats", "2", "--mode", "listwise")
    assert other.code == 0
    assert desk.rows("SELECT count(*) FROM passes") == [(1,)]
    assert desk.rows("SELECT count(*) FROM requests") == [(3,)]
    assert len(stub.log) == 3


def test_nothing_is_announced_as_made_where_the_start_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a key no folder is made and none is promised; the start that goes on says so."""
    desk = Desk(empty_space(tmp_path, monkeypatch))
    folder = desk.root / "answers"
    for name, text in (("prompt.md", "Draft it."), ("a.md", HARBOUR), ("b.md", MEADOW)):
        write(folder / name, text)
    for words in ((), ("--dry-run",)):
        said = desk.judge("score", "answers", "--judge", "openai/model", *words)
        assert (said.code, "no workspace here" in said.err) == (0 if words else 2, False)
        assert not (desk.root / "judgments").exists()
    with StubServer(plan("fours")) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "key-for-a-stub")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        said = desk.judge("score", "answers", "--judge", "openai/model")
    assert "no workspace here: judgments/ and reports/ are made in" in said.err
    assert (desk.root / "judgments" / "judgments.duckdb").exists()


def test_all_passes_on_a_run_are_listed(desk: Desk, serve: Serve) -> None:
    """With judge, mode and state, and which of them a table shows by itself."""
    desk.make(THREE)
    serve(plan("fours"))
    assert desk.score("-q").code == 0
    assert desk.score("-q", "--seed", "7", "--max-requests", "1").code == 5
    listed = desk.judge("table", desk.run, "--passes")
    assert listed.code == 0
    lines = listed.out.splitlines()
    assert "2 passes" in lines[0]
    assert lines[3].split()[-2:] == ["3/3", "shown"]
    assert lines[4].split()[-2:] == ["1/3", "unfinished"]
    assert max(len(line) for line in lines) <= 80
    told = desk.judge("table", desk.run, "--passes", "--json").json
    assert [one["complete"] for one in told["passes"]] == [True, False]
    ids = [line.split()[0] for line in lines[3:]]
    assert desk.judge("table", desk.run, "--pass", ids[1]).code == 0


def test_a_run_that_is_not_there_names_those_that_are(desk: Desk) -> None:
    """One line, with what may have been meant."""
    desk.make(THREE)
    said = desk.judge("check", desk.root / "runs" / "nothing")
    assert said.code == 2
    assert "name a run folder: runs/bulletin" in said.err


def test_a_run_without_a_job_is_judged_by_the_plain_rubric(desk: Desk, serve: Serve) -> None:
    """run.yaml alone makes no use case."""
    desk.make(THREE)
    serve(plan("fours"))
    (desk.run / "run.yaml").write_text("use_case: {key: bulletin}\n")
    assert "rubric answer" in desk.judge("check", desk.run).out
    (desk.run / "run.yaml").write_text("use_case: {key: bulletin, job: A notice.}\n")
    assert "rubric usecase" in desk.judge("check", desk.run).out


def test_streams_are_kept_apart(desk: Desk, serve: Serve) -> None:
    """--json: stdout is JSON alone, also at exit 3; -q: nothing on stderr but errors."""
    desk.make(THREE)
    serve(plan("cut"))
    first = desk.score("--json")
    assert first.code == 3
    assert first.json["schema"] == 1
    assert "judge: " in first.err
    quiet = desk.score("-q")
    assert quiet.code == 3
    assert len(quiet.err.splitlines()) == 1
    desk.make({"north": HARBOUR}, name="good")
    good = desk.score("-q", "--json", run=desk.root / "runs" / "good")
    assert (good.code, good.err) == (0, "")
    assert good.json["counts"]["judgments_scored"] == 1
    checked = desk.judge("check", desk.run, "--rubric", "bulletin", "--json")
    assert checked.code == 0
    assert checked.json
    for shown in (first, quiet, good):
        assert "\x1b[" not in shown.all


@pytest.mark.parametrize(
    "words",
    [
        ["score"],
        ["score", "no-such-run"],
        ["scroe", "x"],
        ["score", "runs/bulletin", "--rubric", "no-such"],
        ["score", "runs/bulletin", "--rubric", "bulletin", "--judge", "nobody"],
        ["score", "runs/bulletin", "--rubric", "bulletin", "--judge", "replay:none.jsonl"],
        ["score", "runs/bulletin", "--rubric", "bulletin", "--repeats", "0"],
        ["score", "runs/bulletin", "--rubric", "bulletin", "--arms", "nobody"],
        ["score", "runs/bulletin", "--rubric", "bulletin", "--budget-usd", "1"],
        ["score", "runs/bulletin", "--rubric", "bulletin", "--map", "nonsense"],
        ["table", "runs/bulletin", "--pass", "zzz"],
        ["show", "runs/bulletin", "--judgment", "zzz"],
        ["check", "runs/bulletin/run.yaml/x"],
        ["rubric", "lint", "no-such.yaml"],
        ["import", "nothing", "a", "b"],
    ],
)
def test_a_wrong_word_is_one_line_and_exit_2(desk: Desk, serve: Serve, words: list[str]) -> None:
    """Whatever is misspelt or missing: exit 2, `judge: …`, nothing sent, nothing scored."""
    desk.make(THREE)
    stub = serve(plan("fours"))
    found = desk.judge(*words)
    assert found.code == 2
    assert found.out == ""
    assert found.err.startswith("judge: ")
    assert len(found.err.splitlines()) == 1
    assert stub.log == []


def test_a_broken_judges_toml_names_its_place(desk: Desk) -> None:
    """An unknown key, a key in the file, bad TOML: exit 2 with the file's name."""
    desk.make(THREE)
    for text in (
        '[judges.a]\nmodel = "m"\nbase_ur = "http://127.0.0.1:1/v1"\n',
        '[judges.a]\nmodel = "m"\napi_key = "abcdefgh"\n',
        "[judges.a\n",
        '[judges.a]\nmodel = "m"\nbase_url = "ftp://127.0.0.1/v1"\n',
        b"\xff\xfe",
    ):
        content = text if isinstance(text, bytes) else text.encode()
        (desk.root / "judges.toml").write_bytes(content)
        found = desk.score("--judge", "a")
        assert found.code == 2
        assert "judges.toml" in found.err
        assert "abcdefgh" not in found.err


def test_an_endpoint_that_is_not_there(desk: Desk) -> None:
    """Connection refused at the first request: exit 2, nothing blocked, the address named."""
    desk.make(THREE)
    desk.toml("http://127.0.0.1:9/v1")
    found = desk.score()
    assert found.code == 2
    assert "127.0.0.1:9" in found.err
    assert desk.rows("SELECT count(*) FROM blocked") == [(0,)]


def test_a_refused_key_ends_at_once_and_is_never_shown(desk: Desk, serve: Serve) -> None:
    """401 that echoes the key: one call, exit 2, the key in no stream, file or row."""
    key = "sk-test-0123456789abcdefghij"
    desk.make(THREE)
    stub = serve(
        always(status=401, echo_key=True, json={"error": {"message": "Bad key @@KEY@@"}}),
        more='api_key_env = "BULLETIN_KEY"',
    )
    found = desk.judge("score", desk.run, "--rubric", "bulletin", BULLETIN_KEY=key)
    assert found.code == 2
    assert len(stub.log) == 1
    assert key not in found.all
    assert "BULLETIN_KEY" in found.err
    kept = b"".join(path.read_bytes() for path in desk.root.rglob("*") if path.is_file())
    assert key.encode() not in kept
    assert b"BULLETIN_KEY" in kept


def test_hostile_names_are_refused_or_shown_safely(desk: Desk, serve: Serve) -> None:
    """Names that act on a terminal, leave the folder or look like options."""
    serve(plan("fours"))
    for place, name in enumerate(("a\x1b[2Jb", "../up", "-rf", "a\nb", "items", " x", "x" * 300)):
        head = {
            "use_case": {"key": "k"},
            "items": ["m1"],
            "arms": [{"id": name}, {"id": "good"}],
        }
        run = desk.root / "runs" / f"hostile{place}"
        (run / "items" / "m1").mkdir(parents=True)
        (run / "items" / "m1" / "prompt.md").write_text("Say it.\n", encoding="utf-8")
        (run / "run.yaml").write_text(json.dumps(head), encoding="utf-8")
        found = desk.score(run=run)
        assert found.code == 2, name
        assert "run.yaml" in found.err
        assert "\x1b" not in found.all
        assert len(found.err.splitlines()) == 1
    desk.make({"[bold]x": HARBOUR, "<b>y": MEADOW, "=1+1": QUARRY, "東京": HARBOUR}, records={})
    shown = desk.score()
    if shown.code == 0:
        assert "[bold]x" in shown.out
    else:
        assert "run.yaml" in shown.err
    desk.make(
        {"[bold]x": HARBOUR, "=1+1": QUARRY, "東京": HARBOUR}, name="odd", records={"東京": WHOLE}
    )
    odd = desk.score(run=desk.root / "runs" / "odd")
    assert odd.code == 0
    assert "[bold]x" in odd.out
    assert "東京" in odd.out
    assert "'=1+1" in next((desk.root / "reports" / "odd").rglob("ratings.csv")).read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("group", [(), ("judges",), ("batch",), ("rubric",)])
def test_a_group_alone_shows_its_help(desk: Desk, group: tuple[str, ...]) -> None:
    """As many lines as the help has, not one that starts like a fault; exit 2 as click has it."""
    said = desk.judge(*group)
    assert said.code == 2
    assert said.err.startswith("Usage: ")
    assert said.err.rstrip() == desk.judge(*group, "--help").out.rstrip()


@pytest.mark.parametrize(
    ("toml", "place"),
    [
        ('default = "stub"\n[judges.stub]\nrpm = 0\nmodel = "openai/x"\n', ":3: judges.stub.rpm"),
        ('default = "stub"\n[judges.stub\n', "judges.toml:2"),
        ('default = "other"\n[judges.stub]\nmodel = "openai/x"\n', 'default: "other" is no known'),
    ],
)
def test_check_says_what_is_wrong_with_judges_toml(desk: Desk, toml: str, place: str) -> None:
    """A judge that cannot be read is not one that is not named: one line with its place, exit 2."""
    desk.make(THREE)
    (desk.root / "judges.toml").write_text(toml, encoding="utf-8")
    said = desk.judge("check", desk.run, "--rubric", "bulletin")
    assert said.code == 2
    assert place in said.err
    assert len(said.err.strip().splitlines()) == 1
    (desk.root / "judges.toml").write_text("", encoding="utf-8")
    assert desk.judge("check", desk.run, "--rubric", "bulletin").code == 0
