"""A workspace on disk, the `judge` command in it, and what stands in its database."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import duckdb
import pytest

from judgebench.cli.main import main
from tests.clock import HANG_S

JSON = dict[str, Any]
DATA = Path(__file__).parent.parent / "data" / "acceptance"
PROMPT = "Write three sentences: the tram stop at the market moves on Monday, why, until when.\n"
WHOLE: JSON = {
    "finish_reason": "stop",
    "usage": {"prompt_tokens": 50, "completion_tokens": 60},
    "max_tokens": 400,
    "timeout_s": 60,
    "wall_s": 2.5,
}
HARBOUR = (
    "From Monday the market stop stands forty metres down the street. New rails are being laid. "
    "It returns on the ninth. (tag-harbour)\n"
)
MEADOW = (
    "The tram stop moves on Monday because of works on the rails. Please walk to the corner. "
    "All is as before from the ninth. (tag-meadow)\n"
)
QUARRY = "Tram stop elsewhere soon, look for signs. (tag-quarry)\n"
THREE = {"north": HARBOUR, "south": MEADOW, "east": QUARRY}


def empty_space(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace without runs and rubrics, in which no judge is known from outside."""
    for name in ("JUDGE_MODEL", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    root = folder / "space"
    for name in ("rubrics", "runs"):
        (root / name).mkdir(parents=True)
    return root


def bulletin_desk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> "Desk":
    """An empty workspace with the rubric `bulletin`."""
    root = empty_space(folder, monkeypatch)
    shutil.copy(DATA / "rubric.yaml", root / "rubrics" / "bulletin.yaml")
    return Desk(root)


def plan(name: str) -> JSON:
    """Replies from tests/data/acceptance."""
    loaded: JSON = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def always(**reply: Any) -> JSON:  # noqa: ANN401 - keys of a reply
    """A plan with one reply for everything."""
    return {"rules": [{"replies": [reply]}]}


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> JSON:
        """Stdout as JSON, which must be all of it."""
        loaded: JSON = json.loads(self.out)
        return loaded

    @property
    def all(self) -> str:
        """Both streams."""
        return self.out + self.err

    def arm(self, name: str) -> JSON:
        """One arm of a result printed with --json."""
        return next(arm for arm in self.json["arms"] if arm["arm"]["id"] == name)


@dataclass(frozen=True)
class Desk:
    """A workspace: rubrics/bulletin.yaml, judges.toml with the judge `stub`, and runs."""

    root: Path

    @property
    def database(self) -> Path:
        """The workspace's database."""
        return self.root / "judgments" / "judgments.duckdb"

    @property
    def run(self) -> Path:
        """The run that most tests judge."""
        return self.root / "runs" / "bulletin"

    def toml(self, base_url: str, /, *, name: str = "stub", more: str = "") -> None:
        """Write judges.toml with one judge."""
        (self.root / "judges.toml").write_text(
            f'default = "{name}"\n[judges.{name}]\nmodel = "stub-judge"\n'
            f'base_url = "{base_url}"\n{more}\n',
            encoding="utf-8",
        )

    def make(
        self,
        outputs: Mapping[str, Any],
        *,
        records: Mapping[str, Any] | None = None,
        name: str = "bulletin",
        prompt: str = PROMPT,
        arms: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Path:
        """Make a run of one item or more.

        Args:
            outputs: Arm to text or bytes, to None (no file), or to a mapping from items to these.
            records: Arm to its meta.json (mapping, bytes or None); `WHOLE` where not named.
            name: Folder below runs/.
            prompt: Of every item.
            arms: More keys of an arm in run.yaml.
        """
        run = self.root / "runs" / name
        cells = {
            arm: value if isinstance(value, Mapping) else {"m1": value}
            for arm, value in outputs.items()
        }
        items = list(dict.fromkeys(item for row in cells.values() for item in row))
        told = [
            {"id": arm, "provider": f"firm-{place}", "model": f"model-{place}"}
            | dict((arms or {}).get(arm, {}))
            for place, arm in enumerate(cells)
        ]
        head = {
            "use_case": {"key": "notice.write", "job": "Tell people where the tram stops."},
            "settings": {"max_tokens": 400, "timeout_s": 60, "cli_cwd": "empty"},
            "items": items,
            "arms": told,
        }
        write(run / "run.yaml", json.dumps(head))
        for item in items:
            write(run / "items" / item / "prompt.md", prompt)
        for arm, row in cells.items():
            for item, text in row.items():
                write(run / arm / item / "output.md", text)
                write(run / arm / item / "meta.json", (records or {}).get(arm, WHOLE))
        return run

    def judge(self, *words: str | Path, cwd: Path | None = None, **env: str) -> Said:
        """Run `judge` in this process, as the installed script does."""
        out, err = io.StringIO(), io.StringIO()
        given = {"NO_COLOR": "1", **env}
        code = 0
        with (
            contextlib.chdir(cwd or self.root),
            mock.patch.dict(os.environ, given),
            mock.patch.object(sys, "argv", ["judge", *map(str, words)]),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                main()
            except SystemExit as exc:
                code = int(exc.code or 0)
        return said(code, out.getvalue(), err.getvalue())

    def score(self, *words: str | Path, run: Path | None = None) -> Said:
        """`judge score` with the rubric of this workspace."""
        return self.judge("score", run or self.run, "--rubric", "bulletin", *words)

    def table(self, *words: str, run: Path | None = None) -> Said:
        """`judge table --json`."""
        return self.judge("table", run or self.run, "--json", *words)

    def spawn(
        self, *words: str | Path, env: Mapping[str, str] | None = None
    ) -> subprocess.Popen[str]:
        """Start the installed `judge` as a process of its own."""
        program = shutil.which("judge", path=str(Path(sys.executable).parent)) or "judge"
        return subprocess.Popen(
            [program, *map(str, words)],
            cwd=self.root,
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Ask the database."""
        with duckdb.connect(self.database, read_only=True) as found:
            return found.execute(sql, values).fetchall()

    def blocked(self) -> dict[str, tuple[str, str]]:
        """Arm to (reason, message) of the view `blocked`."""
        found = self.rows("SELECT arm, reason, message FROM blocked ORDER BY arm, item")
        return {arm: (reason, message) for arm, reason, message in found}

    def marks(self) -> dict[str, set[float | None]]:
        """Arm to its marks in the view `marks`."""
        got: dict[str, set[float | None]] = {}
        for arm, mark in self.rows("SELECT arm, mark FROM marks"):
            got.setdefault(arm, set()).add(mark)
        return got

    def spent(self) -> dict[str, tuple[int, int, int | None]]:
        """Arm to (calls, calls in doubt, prompt and completion tokens) of its judgments."""
        found = self.rows(
            "SELECT arm, calls, in_doubt, prompt_tokens + completion_tokens FROM judgments"
        )
        return {arm: (calls, doubt, tokens) for arm, calls, doubt, tokens in found}


def finish(process: subprocess.Popen[str], timeout_s: float = 4 * HANG_S) -> Said:
    """Wait for a spawned command."""
    out, err = process.communicate(timeout=timeout_s)
    return said(process.returncode, out, err)


def said(code: int, out: str, err: str) -> Said:
    """What a command said; a traceback is never an answer."""
    assert "Traceback" not in out + err, err
    assert "judge: internal" not in err, err
    return Said(code, out, err)


def write(path: Path, content: str | bytes | Mapping[str, Any] | None) -> None:
    """Write a file with its folders; a mapping becomes JSON, None nothing."""
    if content is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Mapping):
        content = json.dumps(content)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def per_rule(log: list[JSON]) -> dict[int, int]:
    """How many requests each rule of a plan answered."""
    counts: dict[int, int] = {}
    for row in log:
        counts[row["rule"]] = counts.get(row["rule"], 0) + 1
    return counts
