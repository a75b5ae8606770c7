"""Measure, print, and write the table into docs/statistics.md."""

import argparse
import sys
import time
from pathlib import Path

from benchmarks.coverage.measure import (
    Decisions,
    Shares,
    decisions,
    mean_coverage,
    pair_coverage,
)
from benchmarks.coverage.scenarios import SCENARIOS, SIZES

BEGIN, END = "<!-- coverage:begin -->", "<!-- coverage:end -->"
RUNS = {"short": (600, 150, 60), "full": (10_000, 2_000, 1_000)}
DECIDED = ("mid", "ceiling", "heavy ties", "one arm erratic")
DECIDED_SIZES = (3, 5, 6, 10, 30)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _share_table(title: str, rows: list[Shares]) -> list[str]:
    head = "| scenario | items | runs | judgebench | normal z | percentile bootstrap | raw rows |"
    out = [f"**{title}**", "", head, "| --- " * 7 + "|"]
    for row in rows:
        cells = (row.ours, row.z, row.bootstrap, row.rows)
        shown = " | ".join(map(_percent, cells))
        out.append(f"| {row.scenario} | {row.n} | {row.runs} | {shown} |")
    return [*out, ""]


def _decision_table(rows: list[Decisions]) -> list[str]:
    head = '| scenario | items | runs | any false "above" | uncorrected t | best kept in its set |'
    out = ["**Five arms, % of runs**", "", head, "| --- " * 6 + "|"]
    for row in rows:
        shown = " | ".join(map(_percent, (row.false_above, row.uncorrected, row.best_kept)))
        out.append(f"| {row.scenario} | {row.n} | {row.runs} | {shown} |")
    return [*out, ""]


def tables(form: str) -> str:
    """Measure everything and give the tables as Markdown."""
    pair_runs, mean_runs, decision_runs = RUNS[form]
    pairs, means, decided = [], [], []
    for scenario in SCENARIOS:
        for n in SIZES:
            pairs.append(pair_coverage(scenario, n, pair_runs))
            means.append(mean_coverage(scenario, n, mean_runs))
            print(pairs[-1], means[-1], file=sys.stderr, flush=True)
        if scenario.name in DECIDED:
            decided += [decisions(scenario, n, decision_runs) for n in DECIDED_SIZES]
            print(*decided[-len(DECIDED_SIZES) :], sep="\n", file=sys.stderr, flush=True)
    lines = [
        f"Measured by `python -m benchmarks.coverage --{form}`; seeds are fixed in the code.",
        "",
    ]
    lines += _share_table("Difference of two arms: % of 95 % intervals that hold the truth", pairs)
    lines += _share_table("Mean of one arm", means)
    return "\n".join(lines + _decision_table(decided)).rstrip()


def put(page: str, text: str) -> str:
    """Replace what stands between the two marks of a page."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}"


def main() -> None:
    """Parse, measure, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    form = parser.add_mutually_exclusive_group(required=True)
    form.add_argument("--full", action="store_const", const="full", dest="form")
    form.add_argument("--short", action="store_const", const="short", dest="form")
    parser.add_argument("--docs", type=Path, default=Path("docs/statistics.md"))
    chosen = parser.parse_args()
    started = time.monotonic()
    text = tables(chosen.form)
    chosen.docs.write_text(put(chosen.docs.read_text(encoding="utf-8"), text), encoding="utf-8")
    print(text)
    print(f"{time.monotonic() - started:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
