"""What a start loads: the everyday commands do not wait for clients that they do not use."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAIN = "from judgebench.cli.main import main; main()"
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
    assert "click" in found
    assert not found & set(HEAVY)


@pytest.mark.parametrize("command", ["score", "table", "report", "check", "show"])
def test_the_help_of_a_command_loads_no_client(command: str) -> None:
    """Clients and price lists are loaded when a request is about to go out, not before."""
    found = imported(command, "--help")
    assert not found & set(CLIENTS)
