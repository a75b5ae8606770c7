"""The work that is measured: a run of answers, a judge at the stub, the requests as a file."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
JUDGE = (sys.executable, "-c", "from judgebench.cli.start import main; main()")
ARMS = ("a", "b", "c", "d", "e")
PROMPT_FILL = "The reader has asked for a short and exact account of it. " * 8
LINE = "It follows from the second point that part {} is to be changed first.\n"
CHOSEN = ("--rubric", "answer", "--judge", "stub", "--repeats", "1", "--controls", "0")
PAGE = os.sysconf("SC_PAGE_SIZE")
"""Bytes."""
WITHOUT_CACHE = "PYTHONDONTWRITEBYTECODE"


@dataclass(frozen=True, kw_only=True)
class Used:
    """What a finished process took."""

    wall_s: float
    cpu_s: float
    peak_mib: float
    out: str


def run(command: Sequence[str], *, cwd: Path = ROOT) -> Used:
    """Run a command to its end and take its time, processor time and peak memory.

    Raises:
        RuntimeError: It failed.
    """
    env = {key: value for key, value in os.environ.items() if key != WITHOUT_CACHE}
    env |= {"PYTHONPATH": str(ROOT), "COLUMNS": "80"}
    out = cwd / ".out"
    with out.open("wb") as sink:
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=cwd, env=env, stdout=sink, stderr=subprocess.PIPE)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    words = process.stderr.read().decode() if process.stderr else ""
    if process.stderr:
        process.stderr.close()
    text = out.read_text(encoding="utf-8")
    out.unlink()
    if process.returncode:
        raise RuntimeError(f"{command[-1]}: exit {process.returncode}: {words[-500:]}")
    return Used(
        wall_s=wall,
        cpu_s=usage.ru_utime + usage.ru_stime,
        peak_mib=usage.ru_maxrss / 1024,
        out=text,
    )


@contextmanager
def stub(folder: Path, delay_s: float) -> Iterator[str]:
    """The stub in a process of its own, pinned away from what is measured where it can be."""
    folder.mkdir(parents=True, exist_ok=True)
    plan = folder / "replies.json"
    reply = {"verdict": {"score": "hash", "quotes": "real"}, "delay": delay_s}
    plan.write_text(json.dumps({"rules": [{"replies": [reply]}]}), encoding="utf-8")
    command = [sys.executable, "-m", "tests.stub", str(plan)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def calls(base_url: str) -> int:
    """Requests that the stub has answered in full."""
    with urllib.request.urlopen(f"{base_url}/stats") as answer:  # noqa: S310 - loopback
        complete: int = json.load(answer)["complete"]
    return complete


def workspace(folder: Path, outputs: int, base_url: str) -> Path:
    """A workspace with one run of `outputs` answers by five arms, to be judged at `base_url`."""
    run_folder = folder / "runs" / "many"
    run_folder.mkdir(parents=True)
    with (run_folder / "outputs.jsonl").open("w", encoding="utf-8") as file:
        for number in range(outputs):
            item, arm = number // len(ARMS), ARMS[number % len(ARMS)]
            row = {
                "item": f"i{item:06}",
                "arm": arm,
                "prompt": f"Explain topic {item}. {PROMPT_FILL}",
                "output": f"Topic {item}, answer {number}.\n"
                + "".join(LINE.format(part) for part in range(16)),
                "finish_reason": "stop",
                "completion_tokens": 300,
                "max_tokens": 1000,
            }
            file.write(json.dumps(row) + "\n")
    (folder / "judges.toml").write_text(
        f'[judges.stub]\nmodel = "stub"\nbase_url = "{base_url}"\napi_key_env = ""\n'
        'mode = "json_schema"\nprice = { input_usd = 1.0, output_usd = 2.0 }\n',
        encoding="utf-8",
    )
    return folder


def marks(folder: Path, *, items: int = 5_000, repeats: int = 5) -> Path:
    """A CSV of marks: 8 arms, 5 criteria and `repeats` marks of each; the path of the file."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(1)
    shape = (items, 8, 5, repeats)
    level = 5 + rng.normal(0, 0.4, (1, 8, 1, 1)) + rng.normal(0, 1, (items, 1, 1, 1))
    given = np.clip(np.rint(level + rng.normal(0, 1.3, shape)), 1, 10).astype(int)
    path = folder / "marks.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("item,arm,criterion,scoring,mark\n")
        for item, of_item in enumerate(given):
            file.writelines(
                f"item-{item:05},arm-{arm},criterion-{criterion},{scoring},{mark}\n"
                for arm, of_arm in enumerate(of_item)
                for criterion, of_criterion in enumerate(of_arm)
                for scoring, mark in enumerate(of_criterion)
            )
    return path


def take_marks(folder: Path, path: Path) -> Used:
    """`judge import marks` of that file."""
    return judge(
        folder, "import", "marks", str(path), "--to", "runs/many", "--item", "item",
        "--arm", "arm", "--criterion", "criterion", "--scoring", "scoring", "--mark", "mark",
        "--scale", "1-10",
    )  # fmt: skip


def judge(folder: Path, *command: str) -> Used:
    """Run one command of `judge` in a workspace."""
    return run([*JUDGE, *command], cwd=folder)


def together_mib(folder: Path, *command: str) -> float:
    """Most memory of `judge` and of what it has started, at one moment; not timed.

    Pages that two of them share count in each.
    """
    env = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "80"}
    most = 0.0
    with subprocess.Popen(
        [*JUDGE, *command], cwd=folder, env=env, stdout=subprocess.DEVNULL
    ) as process:
        while process.poll() is None:
            most = max(most, sum(map(_resident_mib, _family(process.pid))))
            time.sleep(0.005)
    return most


def _family(pid: int) -> Iterator[int]:
    """A process and all that came of it."""
    yield pid
    with suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
            yield from _family(int(child))


def _resident_mib(pid: int) -> float:
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE / 2**20
    return 0.0


def score(folder: Path, in_flight: int) -> Used:
    """Judge all of it under the packaged rubric of four criteria."""
    return judge(
        folder, "score", "runs/many", *CHOSEN, "-q", "--concurrency", str(in_flight),
    )  # fmt: skip


def export(folder: Path) -> Path:
    """The very requests that `judge score` would send, one a line."""
    made = folder / "requests.jsonl"
    judge(
        folder, "batch", "export", "runs/many", *CHOSEN, "--out", str(made),
    )  # fmt: skip
    return next(folder.glob("requests*.jsonl"))
