"""The default pages of the sample runs: at most 24 lines of 80 columns each."""

import csv
import shutil
from pathlib import Path

import pytest

from judgebench.reports.cells import width
from tests.acceptance.desk import Desk, Said

ROOT = Path(__file__).parents[2]
RUN = "runs/2026-09-05"
LINES, COLUMNS = 24, 80


def replay(run: str, name: str) -> str:
    """A recording of a sample run as --judge is given it."""
    return f"replay:{run}/recorded/{name}.jsonl"


def unjudged(folder: Path) -> Desk:
    """A workspace with the sample runs, and nothing judged."""
    desk = Desk(folder)
    for name in ("runs", "rubrics"):
        shutil.copytree(ROOT / name, desk.root / name)
    (desk.root / "judges.toml").write_text("", encoding="utf-8")
    return desk


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A workspace with the sample runs, judged from their recordings."""
    desk = unjudged(tmp_path_factory.mktemp("samples"))
    one = "runs/single-item"
    assert desk.judge("score", one, "-q", "--judge", replay(one, "pointwise")).code == 0
    assert desk.judge("score", RUN, "-q", "--judge", replay(RUN, "pointwise")).code == 0
    return desk


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """All that the sample runs have on record, judged from it."""
    desk = unjudged(tmp_path_factory.mktemp("judged"))
    code = "runs/code-sample"
    for words in (
        ("score", RUN, "-q", "--judge", replay(RUN, "pointwise")),
        ("rejudge", RUN, "-q", "--judge", replay(RUN, "listwise")),
        ("score", code, "-q", "--rubric", "code-8d"),
        ("score", "runs/single-item", "-q", "--judge", replay("runs/single-item", "pointwise")),
        ("compare", RUN, "-q"),
    ):
        assert desk.judge(*words).code == 0, words
    return desk


def fits(said: Said) -> None:
    """No page is longer or wider than a terminal."""
    assert said.code == 0, said.err
    lines = said.out.splitlines()
    assert len(lines) <= LINES
    assert [line for line in lines if width(line) > COLUMNS] == []


PAGES = (
    ("check", RUN),
    ("check", RUN, "--judge", "openai/gpt-5-mini"),
    ("check", RUN, "--judge", "openai/gpt-5-mini", "--mode", "pairwise"),
    ("check", "runs/single-item"),
    ("check", "runs/code-sample", "--rubric", "code-8d"),
    ("table", RUN),
    ("table", RUN, "--passes"),
    ("table", RUN, "--why"),
    ("table", "runs/code-sample"),
    ("agree", RUN),
    ("agree", "runs/single-item"),
    ("agree", "runs/code-sample"),
    ("biases", RUN),
    ("biases", RUN, "--pass", "LISTWISE"),
    ("biases", "runs/single-item"),
    ("biases", "runs/code-sample"),
    ("power", RUN),
    ("compare", RUN),
    ("report", RUN),
    ("calibrate", RUN),
    ("verify", RUN),
)
# Lists of all that there is, and an answer as it was sent: as long as they are.
LONG = (
    ("show", RUN),
    ("show", "runs/code-sample"),
    ("--help",),
)


@pytest.mark.parametrize("page", [*PAGES, *LONG], ids=" ".join)
def test_default_pages_fit(
    judged: Desk, page: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 100 columns no page is longer than 24 lines or wider than the terminal."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("OPENAI_API_KEY", "no-key")
    monkeypatch.delenv("JUDGE_CONTROLS", raising=False)
    passes = judged.rows("SELECT pass_id FROM passes WHERE mode = 'listwise'")
    said = judged.judge(*(passes[0][0] if word == "LISTWISE" else word for word in page))
    assert said.code == 0, said.err
    lines = said.out.splitlines()
    assert page in LONG or len(lines) <= LINES, said.out
    assert [line for line in lines if width(line) > 100 and not line.startswith("Next:")] == []


def test_our_words_in_a_shown_judgment_fit(judged: Desk) -> None:
    """Reasons, quotes and findings are broken into lines; answers and replies stand as sent."""
    for run, words in ((RUN, ("plain", "billing-export")), ("runs/code-sample", ("plain", "item"))):
        whole = judged.judge("show", run, *words)
        assert whole.code == 0, whole.err
        head = whole.out.split("the answer as it was sent")[0].split("\n      | ")[0]
        assert max(map(width, head.splitlines())) <= COLUMNS


def test_pages_of_one_pass_fit(samples: Desk) -> None:
    """Table, biases and agreement, of ten items and of one."""
    for run in (RUN, "runs/single-item"):
        for command in ("table", "agree", "biases"):
            fits(samples.judge(command, run))


def test_pages_of_a_second_pass_and_of_people_fit(samples: Desk) -> None:
    """Rejudged in listwise mode, then marked by three people."""
    fits(samples.judge("rejudge", RUN, "-q", "--judge", replay(RUN, "listwise")))
    marks = samples.rows(
        "SELECT item, arm, criterion, round(avg(mark)) FROM marks WHERE run = '2026-09-05' "
        "AND mark IS NOT NULL GROUP BY ALL ORDER BY ALL"
    )
    with (samples.root / "people.csv").open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(("item", "arm", "criterion", "rater", "mark"))
        for at, (item, arm, criterion, mark) in enumerate(marks):
            for turn, who in enumerate(("ann", "ben", "cyd")):
                given = min(10, max(1, int(mark) + (at + turn) % 3 - 1))
                sheet.writerow((item, arm, criterion, who, given))
    fits(samples.judge("calibrate", RUN, "--human", "people.csv", "--blind", "yes"))
    for command in ("table", "agree"):
        fits(samples.judge(command, RUN))
