"""What a start loads: the everyday commands do not wait for clients that they do not use."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAIN = "from judgebench.cli.start import main; main()"
HEAVY = ("openai", "instructor", "duckdb", "numpy", "scipy", "pydantic", "jinja2")
CLIENTS = ("openai", "instructor", "genai_prices", "aiohttp", "httpx2")
_LINE = re.compile(r"^import time:\s+\d+ \|\s+\d+ \|\s+(\S+)$", re.MULTILINE)


def imported(*command: str) -> set[str]:
    """Top-level packages that a command of `judge` imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", MAIN, *command],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.partition(".")[0] for name in _LINE.findall(done.stderr)}


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_version_and_help_load_nothing_heavy(option: str) -> None:
    """Neither clients nor the database nor any arithmetic is imported to print a line."""
    found = imported(option)
    assert "judgebench" in found
    assert ("click" in found) == (option == "--help")
    assert not found & set(HEAVY)


def test_both_ways_to_the_version_say_the_same() -> None:
    """Alone it is answered before anything loads; the group's own option agrees."""
    alone, within = (
        subprocess.run(
            [sys.executable, "-c", f"from {module} import main; main()", "--version"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for module in ("judgebench.cli.start", "judgebench.cli.main")
    )
    assert re.fullmatch(r"judge \d+\.\d+\.\d+\S*\n", alone)
    assert alone == within


@pytest.mark.parametrize("command", ["score", "table", "report", "check", "show"])
def test_the_help_of_a_command_loads_no_client(command: str) -> None:
    """Clients and price lists are loaded when a request is about to go out, not before."""
    found = imported(command, "--help")
    assert not found & set(CLIENTS)


@pytest.mark.parametrize("command", ["score", "check"])
@pytest.mark.parametrize("bad", ["run", "rubric"])
def test_a_refused_file_loads_neither_database_nor_clients(
    tmp_path: Path, command: str, bad: str
) -> None:
    """What a bad run.yaml or rubric needs to be refused is a parser, and nothing else."""
    run = tmp_path / "run"
    (run / "north").mkdir(parents=True)
    (run / "prompt.md").write_text("Say it.\n")
    (run / "north" / "output.md").write_text("It.\n")
    (run / "run.yaml").write_text("use_case: 3\n" if bad == "run" else "use_case: {key: k}\n")
    rubric = tmp_path / "rubric.yaml"
    rubric.write_text("nmae: x\n")
    script = (
        "import sys\nfrom judgebench.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as exc:\n"
        f"    print(exc.code, *sorted(set({[*CLIENTS, 'duckdb', 'scipy', 'numpy']}) "
        "& set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, command, str(run), "--rubric", str(rubric)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "2\n"
    assert f"{bad}.yaml" in done.stderr


@pytest.mark.parametrize("package", ["click", "judgebench.cli.main", "judgebench.cli.check"])
def test_an_interrupt_while_modules_load_is_one_line(package: str) -> None:
    """Ctrl-C in the first moment ends with 130 and no traceback, as it does later."""
    script = (
        "import sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {package!r}:\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Stop())\n"
        "from judgebench.cli.start import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "check", "nowhere"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130
    assert done.stderr.strip() == "judge: interrupted; the same command goes on from here"
