"""Measure, print, and write the table into docs/statistics.md."""

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.coverage.goals import Goal, goals
from benchmarks.coverage.measure import (
    Decisions,
    Powers,
    Shares,
    decisions,
    mean_coverage,
    pair_coverage,
    power_found,
)
from benchmarks.coverage.scenarios import SCENARIOS, SIZES

BEGIN, END = "<!-- coverage:begin -->", "<!-- coverage:end -->"
RUNS = {"short": (600, 150, 60, 600), "full": (10_000, 10_000, 10_000, 10_000)}
"""Runs of a cell: differences, means, decisions, power."""
DECIDED_SIZES = (2, 3, 5, 6, 10, 30, 100)
SLOW, SLOW_SHARE = 100, 10
"""At so many items a decision takes a third of a second: a tenth of the runs."""
POWER_SIZES = (3, 5, 10, 30, 100)


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


def _power_table(rows: list[Powers]) -> list[str]:
    head = "| scenario | items | runs | one planned pair | one of ten pairs |"
    title = "**A true gap of the detectable difference is found, % of runs (said: 80)**"
    out = ["", title, "", head, "| --- " * 5 + "|"]
    for row in rows:
        shown = " | ".join(map(_percent, (row.one, row.ten)))
        out.append(f"| {row.scenario} | {row.n} | {row.runs} | {shown} |")
    return out


def _goal_table(rows: list[Goal]) -> list[str]:
    head = "| goal (99 % Monte-Carlo band allowed) | worst cell, % of runs | |"
    out = ["| --- " * 3 + "|"]
    out += [f"| {row.what} | {row.worst} | {'met' if row.met else '**missed**'} |" for row in rows]
    return [head, *out, ""]


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Everything that was measured."""

    pairs: list[Shares]
    means: list[Shares]
    decided: list[Decisions]
    powers: list[Powers]

    def goals(self) -> list[Goal]:
        """How each goal went."""
        return goals(self.pairs, self.means, self.decided, self.powers)

    def markdown(self, form: str) -> str:
        """The tables as Markdown."""
        lines = [
            f"Measured by `python -m benchmarks.coverage --{form}`; seeds are fixed in the code.",
            "",
            *_goal_table(self.goals()),
        ]
        title = "Difference of two arms: % of 95 % intervals that hold the truth"
        lines += _share_table(title, self.pairs)
        lines += _share_table("Mean of one arm", self.means)
        lines += _decision_table(self.decided)
        return "\n".join(lines + _power_table(self.powers)).rstrip()


def measure(form: str) -> Measured:
    """Measure all cells of all scenarios."""
    pair_runs, mean_runs, decision_runs, power_runs = RUNS[form]
    found = Measured(pairs=[], means=[], decided=[], powers=[])
    for scenario in SCENARIOS:
        for n in SIZES:
            found.pairs.append(pair_coverage(scenario, n, pair_runs))
            found.means.append(mean_coverage(scenario, n, mean_runs))
            print(found.pairs[-1], found.means[-1], file=sys.stderr, flush=True)
        for n in DECIDED_SIZES:
            runs = decision_runs // SLOW_SHARE if n >= SLOW else decision_runs
            found.decided.append(decisions(scenario, n, runs))
            print(found.decided[-1], file=sys.stderr, flush=True)
        if not scenario.blocks:
            found.powers.extend(power_found(scenario, n, power_runs) for n in POWER_SIZES)
    return found


def put(page: str, text: str) -> str:
    """Replace what stands between the two marks of a page."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}"


def main() -> int:
    """Parse, measure, write; 1 where a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    form = parser.add_mutually_exclusive_group(required=True)
    form.add_argument("--full", action="store_const", const="full", dest="form")
    form.add_argument("--short", action="store_const", const="short", dest="form")
    parser.add_argument("--docs", type=Path, default=Path("docs/statistics.md"))
    chosen = parser.parse_args()
    started = time.monotonic()
    found = measure(chosen.form)
    text = found.markdown(chosen.form)
    chosen.docs.write_text(put(chosen.docs.read_text(encoding="utf-8"), text), encoding="utf-8")
    print(text)
    print(f"{time.monotonic() - started:.0f} s", file=sys.stderr)
    return 0 if all(one.met for one in found.goals()) else 1


if __name__ == "__main__":
    sys.exit(main())
