"""Measure judgebench against bare clients: every figure with its baseline of the same round.

Usage:  python -m benchmarks [--full] [--rounds 3] [--only S1,S2,T1,T2,M1,A1]

Processor time without start-up is the difference between a long and a short round of
the same command, for judge and baselines alike. Exit 1 where a floor does not hold.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import work

SHORT = 200


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One measured figure with what must hold and what is wished for."""

    name: str
    value: float
    unit: str
    floor: float
    goal: float
    more_is_better: bool = False

    @property
    def holds(self) -> bool:
        """Whether the floor holds."""
        return self.value >= self.floor if self.more_is_better else self.value <= self.floor

    def line(self) -> str:
        """One row of the table."""
        sign = "≥" if self.more_is_better else "≤"
        reached = self.value >= self.goal if self.more_is_better else self.value <= self.goal
        state = "goal" if reached else "floor" if self.holds else "MISSED"
        return (
            f"| {self.name} | {self.value:,.2f} {self.unit} | {sign} {self.floor:g} | "
            f"{sign} {self.goal:g} | {state} |"
        )


@dataclass(frozen=True, kw_only=True)
class Bench:
    """Where and how much to measure."""

    folder: Path
    rounds: int
    full: bool

    def fresh(self, name: str) -> Path:
        """An empty folder."""
        path = self.folder / name
        shutil.rmtree(path, ignore_errors=True)
        return path


def _loop(bench: Bench, outputs: int, delay_s: float, in_flight: int) -> dict[str, list[float]]:
    """Judge and both baselines in turn; processor ms and wall s a request, without start-up."""
    found: dict[str, list[float]] = {}
    with work.stub(bench.fresh("stub"), delay_s) as base_url:
        requests = work.export(work.workspace(bench.fresh("export"), outputs, base_url))
        for _ in range(bench.rounds):
            for kind in ("judge", "openai", "aiohttp"):
                used = []
                for count in (SHORT, outputs):
                    if kind == "judge":
                        place = work.workspace(bench.fresh("judge"), count, base_url)
                        before = work.calls(base_url)
                        used.append(work.score(place, in_flight))
                        assert work.calls(base_url) - before == count, "calls were repeated"
                    else:
                        command = [sys.executable, "-m", "benchmarks.bare", kind, str(requests)]
                        command += [base_url, str(in_flight), str(count)]
                        used.append(work.run(command))
                short, whole = used
                more = outputs - SHORT
                found.setdefault(f"{kind} cpu", []).append(
                    (whole.cpu_s - short.cpu_s) / more * 1000
                )
                found.setdefault(f"{kind} wall", []).append((whole.wall_s - short.wall_s) / more)
                found.setdefault(f"{kind} peak", []).append(whole.peak_mib)
    return found


def _ratio(found: dict[str, list[float]], baseline: str, what: str) -> float:
    """Speed of judge ÷ speed of a baseline: the median of the ratios of each round."""
    pairs = zip(found[f"{baseline} {what}"], found[f"judge {what}"], strict=True)
    return statistics.median(base / own for base, own in pairs)


def throughput(bench: Bench) -> Iterator[Figure]:
    """T1: 0 ms replies, 64 in flight."""
    for outputs in (2_000, 10_000) if bench.full else (2_000,):
        found = _loop(bench, outputs, 0, 64)
        cpu = {k: statistics.median(found[f"{k} cpu"]) for k in ("judge", "openai", "aiohttp")}
        print(
            f"T1 {outputs:,}: CPU a request: judge {cpu['judge']:.2f} ms, openai "
            f"{cpu['openai']:.2f} ms, aiohttp {cpu['aiohttp']:.2f} ms",
            flush=True,
        )
        name = f"T1 {outputs:,} outputs, 0 ms, 64 in flight"
        yield Figure(
            name=f"{name}: CPU a judgment", value=cpu["judge"], unit="ms", floor=2.4, goal=1.6
        )
        for what, words in (("cpu", "CPU"), ("wall", "speed")):
            yield Figure(
                name=f"{name}: {words} beside the bare openai loop",
                value=_ratio(found, "openai", what),
                unit="×",
                floor=0.6,
                goal=0.95,
                more_is_better=True,
            )
        if outputs == 10_000:
            yield _peak("M1", outputs, statistics.median(found["judge peak"]))


def latency(bench: Bench) -> Iterator[Figure]:
    """T2: 200 ms replies, 256 in flight."""
    found = _loop(bench, 4_000, 0.2, 256)
    yield Figure(
        name="T2 4,000 outputs, 200 ms, 256 in flight: speed beside the bare HTTP client",
        value=_ratio(found, "aiohttp", "wall"),
        unit="×",
        floor=0.35,
        goal=0.55,
        more_is_better=True,
    )


def _peak(name: str, outputs: int, mib: float) -> Figure:
    return Figure(
        name=f"{name} {outputs:,} outputs: peak memory", value=mib, unit="MiB", floor=220, goal=180
    )


def memory_and_resume(bench: Bench) -> Iterator[Figure]:
    """M1, M2 and R1: peak memory of a pass, and a second start with nothing to do."""
    peaks = []
    for outputs in (10_000, 100_000) if bench.full else (10_000,):
        with work.stub(bench.fresh("stub"), 0) as base_url:
            place = work.workspace(bench.fresh("many"), outputs, base_url)
            first = work.score(place, 64)
            peaks.append(first.peak_mib)
            if outputs == 10_000:
                yield _peak("M1", outputs, first.peak_mib)
            before = work.calls(base_url)
            again = [work.score(place, 64) for _ in range(bench.rounds)]
            assert work.calls(base_url) == before, "a second start must not send"
        assert {one.out for one in again} == {first.out}, "the table must be the same"
        yield Figure(
            name=f"R1 {outputs:,} judgments: second start, whole process",
            value=statistics.median(one.wall_s for one in again),
            unit="s",
            floor=3,
            goal=1.2,
        )
    if bench.full:
        yield Figure(
            name="M2 growth of peak memory from 10,000 to 100,000",
            value=peaks[1] - peaks[0],
            unit="MiB",
            floor=60,
            goal=25,
        )


def start(bench: Bench) -> Iterator[Figure]:
    """S1: what a start costs."""
    place = bench.fresh("start")
    place.mkdir()
    bare = min(work.run([sys.executable, "-c", "pass"]).wall_s for _ in range(10))
    print(f"S1: python -c pass: {bare * 1000:.0f} ms", flush=True)
    for option, floor, goal in (("--version", 150, 80), ("--help", 250, 120)):
        wall = statistics.median(work.judge(place, option).wall_s for _ in range(10))
        yield Figure(
            name=f"S1 judge {option}", value=wall * 1000, unit="ms", floor=floor, goal=goal
        )


def report(bench: Bench) -> Iterator[Figure]:
    """S2 and S3: the report files of 1,000 judgments, without and with the page."""
    with work.stub(bench.fresh("stub"), 0) as base_url:
        place = work.workspace(bench.fresh("report"), 1_000, base_url)
        work.score(place, 64)
    for name, options, floor, goal in (("S2", ("--no-html",), 1.2, 0.7), ("S3", (), 4, 2)):
        wall = [work.judge(place, "report", "runs/many", *options).wall_s for _ in range(5)]
        words = " ".join(("judge report", *options))
        yield Figure(
            name=f"{name} {words} of 1,000 judgments",
            value=statistics.median(wall),
            unit="s",
            floor=floor,
            goal=goal,
        )


def million(bench: Bench) -> Iterator[Figure]:
    """A1: a million marks into the store, and the report of them."""
    place = bench.fresh("million")
    path = work.marks(place)
    (place / "judges.toml").touch()
    taken = work.take_marks(place, path)
    print(f"A1 import: {taken.wall_s:.1f} s, {taken.cpu_s:.1f} s processor time, "
          f"{taken.peak_mib:.0f} MiB", flush=True)  # fmt: skip
    for command in (("table",), ("report", "--no-html"), ("report",)):
        used = [work.judge(place, command[0], "runs/many", *command[1:])
                for _ in range(bench.rounds + 1)][1:]  # fmt: skip
        assert len({one.out for one in used}) == 1, "the table must be the same"
        name = f"A1 judge {' '.join(command)} of 1,000,000 marks"
        for what, figure, unit, floor, goal in (
            ("whole process", statistics.median(one.wall_s for one in used), "s", 4, 1.5),
            ("processor time", statistics.median(one.cpu_s for one in used), "s", 4, 1.5),
            ("peak memory", max(one.peak_mib for one in used), "MiB", 600, 300),
        ):
            yield Figure(name=f"{name}: {what}", value=figure, unit=unit, floor=floor, goal=goal)
    yield Figure(
        name="A1 judge report of 1,000,000 marks: peak memory with the process that draws",
        value=work.together_mib(place, "report", "runs/many"),
        unit="MiB",
        floor=600,
        goal=300,
    )


BENCHES: dict[str, Callable[[Bench], Iterator[Figure]]] = {
    "S1": start,
    "S2": report,
    "T1": throughput,
    "T2": latency,
    "M1": memory_and_resume,
    "A1": million,
}


def main() -> int:
    """Measure what was asked for and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="10,000 and 100,000 outputs too")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=",".join(BENCHES), help=f"of {', '.join(BENCHES)}")
    args = parser.parse_args()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as made:
        bench = Bench(folder=Path(made), rounds=args.rounds, full=args.full)
        for name in args.only.split(","):
            for figure in BENCHES[name](bench):
                print(figure.line(), flush=True)
                figures.append(figure)
    print("\n| what | measured | floor | goal | |\n| --- | ---: | ---: | ---: | --- |")
    for figure in figures:
        print(figure.line())
    return 0 if all(figure.holds for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
