"""A workspace, the stub as a process of its own, and `judge` as a process that may be killed."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judgebench.store.store import Store

ROOT = Path(__file__).resolve().parents[2]
JUDGE = [sys.executable, "-c", "from judgebench.cli.main import main; main()"]
ITEMS, ARMS = 10, ("north", "south")
CELLS = ITEMS * len(ARMS)
RUBRIC = """\
name: notice
version: "1"
intro: Judge a notice to customers.
scale: {min: 1, max: 5}
criteria:
  - id: clarity
    head: Clear
    text: Can a customer act on it at once?
    anchors: {1: They cannot, 3: With some thought, 5: At once}
    quotes: 1
  - id: tone
    head: Tone
    text: Is it polite?
    anchors: {1: It is rude, 3: It is dry, 5: It is kind}
    quotes: 1
"""


def outputs(items: int = ITEMS, arms: tuple[str, ...] = ARMS) -> list[dict[str, Any]]:
    """One row an output, each with words of its own."""
    return [
        {
            "item": f"n{item:02}",
            "arm": arm,
            "prompt": f"Tell the customers of depot {item} that it opens {item} minutes later.",
            "output": f"Dear customers,\nfrom Monday depot {item} opens {item} minutes later.\n"
            f"Our {arm} desk is sorry for the trouble number {item}.\n",
            "finish_reason": "stop",
            "completion_tokens": 40,
            "max_tokens": 400,
        }
        for item in range(1, items + 1)
        for arm in arms
    ]


def _is_whole(line: str) -> bool:
    return line.endswith("\n")


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a start ended."""

    code: int
    out: str
    err: str
    seconds: float


@dataclass
class Rig:
    """One workspace in a folder, judged through a stub that may serve others too."""

    folder: Path
    base_url: str
    log_file: Path
    key: str = "rig"
    rubric: str = RUBRIC
    run: Path = field(init=False)

    def __post_init__(self) -> None:
        """Write the workspace."""
        self.run = self.folder / "runs" / "notice"
        self.run.mkdir(parents=True)
        (self.folder / "rubric.yaml").write_text(self.rubric, encoding="utf-8")
        (self.folder / "judges.toml").write_text(
            f'[judges.stub]\nmodel = "stub"\nbase_url = "{self.base_url}"\n'
            'api_key_env = "RIG_KEY"\nmode = "json_schema"\n'
            "price = { input_usd = 1.0, output_usd = 2.0 }\n",
            encoding="utf-8",
        )
        self.write(outputs())

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Lay the run down."""
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (self.run / "outputs.jsonl").write_text(text, encoding="utf-8")

    @property
    def database(self) -> Path:
        """Where the judgments are."""
        return self.folder / "judgments" / "judgments.duckdb"

    def start(self, *extra: str, concurrency: int = 4) -> "subprocess.Popen[str]":
        """Begin to judge."""
        command = [*JUDGE, "score", "runs/notice", "--rubric", "rubric.yaml", "--judge", "stub"]
        command += ["--repeats", "1", "--concurrency", str(concurrency), *extra]
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env={**os.environ, "RIG_KEY": self.key, "PYTHONPATH": str(ROOT), "COLUMNS": "80"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self, process: "subprocess.Popen[str]") -> Done:
        """Wait for a start to end."""
        began = time.monotonic()
        out, err = process.communicate(timeout=120)
        seconds = time.monotonic() - began
        return Done(code=process.returncode, out=out, err=err, seconds=seconds)

    def score(self, *extra: str, concurrency: int = 4) -> Done:
        """Judge to the end."""
        return self.finish(self.start(*extra, concurrency=concurrency))

    def log(self) -> list[dict[str, Any]]:
        """What the stub has answered to this workspace, in the order of arrival."""
        mine = hashlib.sha256(f"Bearer {self.key}".encode()).hexdigest()[:12]
        if not self.log_file.exists():
            return []
        lines = self.log_file.read_text(encoding="utf-8").splitlines(keepends=True)
        # The stub may be writing the last line.
        rows = [row for row in map(json.loads, filter(_is_whole, lines)) if row["key_sha"] == mine]
        return sorted(rows, key=lambda row: float(row["in"]))

    def stored(self, copy: Path) -> tuple[set[str], set[str]]:
        """Keys of judgments and of replies on disk, read from a copy so that nothing is mended."""
        if not self.database.exists():
            return set(), set()
        copy.mkdir()
        for file in self.database.parent.glob("judgments.duckdb*"):
            shutil.copy(file, copy)
        with Store.open(copy / self.database.name) as store:
            con = store.cursor()
            judged = {key for (key,) in con.execute("SELECT key FROM judgments").fetchall()}
            replies = {key for (key,) in con.execute("SELECT key FROM replies").fetchall()}
            con.close()
        return judged, replies

    def report(self) -> Path:
        """Folder of the only pass's report."""
        (found,) = (self.folder / "reports" / "notice").iterdir()
        return found

    def result(self) -> dict[str, Any]:
        """The result as the report keeps it."""
        loaded: dict[str, Any] = json.loads((self.report() / "result.json").read_text("utf-8"))
        return loaded

    def ratings(self) -> bytes:
        """The table as a file."""
        return (self.report() / "ratings.csv").read_bytes()


@contextmanager
def stub(
    folder: Path, replies: list[dict[str, Any]], *, port: int = 0
) -> Iterator[tuple[str, Path]]:
    """Serve replies in turn from a process of its own; gives its address and its log."""
    plan, log = folder / "replies.json", folder / "requests.jsonl"
    plan.write_text(json.dumps({"rules": [{"replies": replies}]}), encoding="utf-8")
    command = [sys.executable, "-m", "tests.stub", str(plan), "--port", str(port)]
    with subprocess.Popen(
        [*command, "--log", str(log)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        if process.stdout is None:
            raise RuntimeError("the stub has no stdout")
        try:
            yield process.stdout.readline().strip(), log
        finally:
            process.send_signal(signal.SIGTERM)
