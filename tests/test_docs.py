"""Every command of README and docs runs, and what the pages show is what the tool says."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from judgebench.cli.main import COMMANDS
from tests.stub import StubServer

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
JUDGE = Path(sys.executable).with_name("judge")
REPLIES = {"rules": [{"replies": [{"verdict": {"score": "hash", "quotes": "real"}}]}]}
ANSWER = "A kettle heats water for tea. It stands on the stove. Fill it, wait, pour. ({})"
TABLE = "<!-- table: "


def commands(page: Path) -> list[tuple[str, int]]:
    """Commands of the console blocks of a page with the exit code that the page states."""
    found: list[tuple[str, int]] = []
    for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], 0))
            elif line.startswith("# exit ") and found:
                found[-1] = (found[-1][0], int(line.removeprefix("# exit ")))
    return found


def test_console_blocks_are_found() -> None:
    """The README has commands, so a change of its form cannot empty the tests below."""
    assert len(commands(ROOT / "README.md")) >= 8


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as the pages assume it: the sample, five answers, a CSV of outputs."""
    for name in ("runs", "rubrics", "judges.toml"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name)
        else:
            shutil.copy(source, tmp_path / name)
    answers = tmp_path / "answers"
    answers.mkdir()
    (answers / "prompt.md").write_text("What is a kettle for? Three sentences.\n")
    for name in ("first", "second", "third", "fourth", "fifth"):
        (answers / f"{name}.md").write_text(ANSWER.format(name) + "\n")
    rows = ["item,arm,prompt,output"]
    rows += [
        f'i{item},{arm},What is a kettle for?,"{ANSWER.format(arm + str(item))}"'
        for item in range(4)
        for arm in ("red", "blue")
    ]
    (tmp_path / "outputs.csv").write_text("\n".join(rows) + "\n")
    shutil.copy(ROOT / "tests" / "data" / "verify" / "scores.json", tmp_path)
    (tmp_path / "people.csv").write_text("\n".join(marks_of_people()) + "\n")
    return tmp_path


def marks_of_people() -> list[str]:
    """Two people on every item and two arms of the sample."""
    items = sorted(path.name for path in (ROOT / "runs" / "2026-09-05" / "items").iterdir())
    return ["item,arm,rater,score"] + [
        f"{item},{arm},{who},{6 + (at + place + turn) % 4}"
        for at, item in enumerate(items)
        for place, arm in enumerate(("plain", "terse"))
        for turn, who in enumerate(("ana", "ben"))
    ]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """A stub endpoint that stands for any provider."""
    with StubServer(REPLIES) as server:
        yield server.base_url


def passes_of(folder: Path, run: str, *, env: dict[str, str]) -> list[str]:
    """Ids of the passes on a run, the newest last."""
    done = subprocess.run(
        [JUDGE, "table", run, "--passes", "--json"], cwd=folder, env=env, capture_output=True,
        text=True, check=True, timeout=60,
    )  # fmt: skip
    return [one["id"] for one in json.loads(done.stdout)["passes"]]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_the_page_run(page: Path, folder: Path, endpoint: str) -> None:
    """Each command, in the order of the page, ends with the exit code that the page states."""
    env = os.environ | {"OPENAI_API_KEY": "key-for-a-stub", "OPENAI_BASE_URL": endpoint}
    env.pop("JUDGE_MODEL", None)
    for command, code in commands(page):
        words = shlex.split(command)
        if words[0] == "make":
            assert f"\n{words[1]}:" in (ROOT / "Makefile").read_text(encoding="utf-8")
            continue
        assert words[0] == "judge", command
        if "PASS" in words:
            (newest,) = passes_of(folder, words[2], env=env)[-1:]
            words = [newest if word == "PASS" else word for word in words]
        done = subprocess.run(
            [JUDGE, *words[1:]], cwd=folder, env=env, capture_output=True, text=True,
            check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == code, f"{command}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("page", "tables"), [("README.md", 2), ("docs/deductions.md", 1)])
def test_the_tables_of_a_page_are_what_the_commands_print(
    folder: Path, page: str, tables: int
) -> None:
    """The samples' real tables, and what a second opinion says of one."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = text.split(TABLE)[1:]
    assert len(blocks) == tables
    env = {k: v for k, v in os.environ.items() if k not in {"OPENAI_API_KEY", "JUDGE_MODEL"}}
    for block in blocks:
        command, _, rest = block.partition(" -->")
        shown = rest[: rest.index("<!-- end of table -->")].strip()
        shown = shown.removeprefix("```text\n").removesuffix("```")
        done = subprocess.run(
            [JUDGE, *shlex.split(command)[1:]], cwd=folder, env=env, capture_output=True, text=True,
            check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stdout == shown


def test_every_command_has_help_and_stands_in_the_documentation() -> None:
    """`judge NAME --help` works for every command, and some page names it."""
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    for name in COMMANDS:
        done = subprocess.run(
            [JUDGE, name, "--help"], capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr
        assert "Usage: judge" in done.stdout
        assert f"judge {name}" in pages, name


def test_links_between_pages_lead_somewhere() -> None:
    """Relative links of README and docs name files that exist."""
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_commands_page_is_generated() -> None:
    """docs/commands.md is what `python -m judgebench.cli.docs` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "judgebench.cli.docs"], capture_output=True, text=True,
        check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
