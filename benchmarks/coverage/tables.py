"""What was measured, as Markdown."""

from dataclasses import dataclass

from benchmarks.coverage.clustered import ClusterRow
from benchmarks.coverage.decide import Decisions
from benchmarks.coverage.goals import Goal, goals, usual
from benchmarks.coverage.measure import Shares
from benchmarks.coverage.power import OwnPowers, Powers

BEGIN, END = "<!-- coverage:begin -->", "<!-- coverage:end -->"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _row(scenario: str, n: int, runs: int, *shares: float | None) -> str:
    return f"| {scenario} | {n} | {runs:,} | {' | '.join(map(_percent, shares))} |"


def _share_table(title: str, rows: list[Shares]) -> list[str]:
    head = "| scenario | items | runs | judgebench | normal z | percentile bootstrap | raw rows |"
    out = [f"**{title}**", "", head, "| --- " * 7 + "|"]
    out += [_row(r.scenario, r.n, r.runs, r.ours, r.z, r.bootstrap, r.rows) for r in rows]
    return [*out, ""]


def _decision_table(rows: list[Decisions]) -> list[str]:
    head = '| scenario | items | runs | any false "above" | uncorrected t | best kept in its set |'
    out = ["**Five arms, % of runs**", "", head, "| --- " * 6 + "|"]
    out += [_row(r.scenario, r.n, r.runs, r.false_above, r.uncorrected, r.best_kept) for r in rows]
    return [*out, ""]


def _power_table(rows: list[Powers]) -> list[str]:
    head = (
        "| scenario | items | runs | one planned pair | one of ten pairs "
        "| gap found in 80 %, one pair | one of ten |"
    )
    title = "**A true gap of the detectable difference is found, % of runs (said: 80)**"
    left = "The last two: the smallest gap that is found in 80 %, in % of the printed one."
    out = [title, "", left, "", head, "| --- " * 7 + "|"]
    out += [_row(r.scenario, r.n, r.runs, r.one, r.ten, r.one_needs, r.ten_needs) for r in rows]
    return [*out, ""]


def _own_table(rows: list[OwnPowers]) -> list[str]:
    head = (
        "| scenario | items | runs | print a gap | of them widened | its power on average "
        "| nine runs in ten | in the range named | resampled: on average | nine runs in ten |"
    )
    title = "**The gap that a run prints from its own few items is really found, %**"
    out = [title, "", head, "| --- " * 10 + "|"]
    for r in rows:
        own, again = _range(r.low, r.high), _range(r.resampled_low, r.resampled_high)
        out.append(
            f"| {r.scenario} | {r.n} | {r.runs:,} | {_percent(r.printed)} | {_percent(r.widened)} "
            f"| {_percent(r.mean)} | {own} | {_percent(r.held)} "
            f"| {_percent(r.resampled_mean)} | {again} |"
        )
    return out


def _cluster_table(rows: list[ClusterRow]) -> list[str]:
    head = (
        "| clusters of | clusters | runs | differences, by cluster | by item | means, by cluster "
        '| any false "above", by cluster | by item | best kept in its set | detectable gap found |'
    )
    title = "**Items in clusters, five arms, % of runs** (ICC 0.3; of near copies 0.9)"
    out = [title, "", head, "| --- " * 10 + "|"]
    return out + [
        _row(
            r.scenario, r.n, r.runs, r.ours, r.items, r.mean, r.false_above, r.items_above,
            r.best_kept, r.power,
        )
        for r in rows
    ]  # fmt: skip


def _range(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{100 * low:.0f}–{100 * high:.0f}"


def _goal_table(rows: list[Goal]) -> list[str]:
    head = "| goal (99 % Monte-Carlo band allowed) | worst cell, % of runs | |"
    out = ["| --- " * 3 + "|"]
    out += [f"| {row.what} | {row.worst} | {_verdict(row)} |" for row in rows]
    return [head, *out, ""]


def _verdict(row: Goal) -> str:
    if row.met:
        return "met"
    return f"**missed** in {len(row.missed)}: {'; '.join(row.missed)}"


def _usual_table(rows: list[Goal]) -> list[str]:
    head = "| the usual choice, same runs and bars | worst cell, % of runs | cells that miss |"
    out = ["| --- " * 3 + "|"]
    out += [f"| {row.what} | {row.worst} | {len(row.missed)} of {row.cells} |" for row in rows]
    return [head, *out, ""]


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Everything that was measured."""

    pairs: list[Shares]
    means: list[Shares]
    tail: list[Shares]
    decided: list[Decisions]
    powers: list[Powers]
    own: list[OwnPowers]
    clusters: list[ClusterRow]

    def goals(self) -> list[Goal]:
        """How each goal went."""
        return goals(self.pairs, self.means, self.tail, self.decided, self.powers, self.clusters)

    def markdown(self, form: str) -> str:
        """The tables as Markdown."""
        lines = [
            f"Measured by `python -m benchmarks.coverage --{form}`; seeds are fixed in the code.",
            "",
            *_goal_table(self.goals()),
            *_usual_table(usual(self.pairs, self.means, self.decided, self.clusters)),
        ]
        title = "Difference of two arms: % of 95 % intervals that hold the truth"
        lines += _share_table(title, self.pairs)
        lines += _share_table("Mean of one arm", self.means)
        title = "Skewed mean of one arm: bounded interval up to 300 items, Student's t from 301"
        lines += _share_table(title, self.tail)
        lines += _decision_table(self.decided)
        lines += _power_table(self.powers)
        lines += [*_own_table(self.own), "", *_cluster_table(self.clusters)]
        return "\n".join(lines).rstrip()


def put(page: str, text: str) -> str:
    """Replace what stands between the two marks of a page."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}"
