"""Labels by people: coverage of corrected differences, means by strata, gates; planned widths."""

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import ndtr, stdtrit

from benchmarks.coverage.scenarios import generator
from judgebench.model.nouns import Refusal
from judgebench.stats.arrays import FloatArray
from judgebench.stats.corrected import corrected_difference, corrected_mean
from judgebench.stats.gates import corrected_share
from judgebench.stats.strata import Stratum, stratified_mean

FAVOUR = 0.8
"""Points by which the judge marks the first arm too high."""
ITEMS = 300


@dataclass(frozen=True, kw_only=True)
class PeopleShares:
    """Shares of runs whose 95 % interval held the truth."""

    n: int
    runs: int
    corrected: float
    judge_only: float
    people_only: float
    width: float
    """Mean half width as a share of that of people alone."""


def _two_arms(rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """People and judge on two equal arms, integers from 1 to 10; the judge is compressed."""
    hard = rng.normal(0, 1.2, ITEMS)
    cells = 6.0 + hard + rng.normal(0, 0.8, (2, ITEMS))
    people = cells + rng.normal(0, 0.7, (2, ITEMS))
    judge = 2.4 + 0.6 * cells + rng.normal(0, 0.6, (2, ITEMS))
    judge[0] += FAVOUR
    return np.clip(np.rint(people), 1, 10), np.clip(np.rint(judge), 1, 10)


def corrected_coverage(n: int, *, runs: int, picked: bool = False) -> PeopleShares:
    """Difference of two equal arms when the judge favours one of them.

    Args:
        n: Labelled items of 300.
        runs: Simulated runs.
        picked: Label the items with the lowest marks of the first arm, not random ones.
    """
    rng = generator("people", n, picked)
    hits = np.zeros(3)
    widths = []
    for _ in range(runs):
        people, judge = _two_arms(rng)
        order = np.argsort(judge[0]) if picked else rng.permutation(ITEMS)
        drawn = np.zeros(ITEMS, dtype=bool)
        drawn[order[:n]] = True
        shown = np.where(drawn, people, np.nan)
        found = corrected_difference(shown, judge, drawn, floor=1 / 6)
        if isinstance(found, Refusal):
            continue
        low, high = found.estimate.low, found.estimate.high
        hits += [
            low is not None and high is not None and low <= 0 <= high,
            _covers(judge[0] - judge[1]),
            _covers((people[0] - people[1])[drawn]),
        ]
        widths.append(found.gain)
    shares = hits / runs
    return PeopleShares(
        n=n, runs=runs, corrected=shares[0], judge_only=shares[1], people_only=shares[2],
        width=float(np.mean(widths)),
    )  # fmt: skip


def _covers(d: FloatArray) -> bool:
    half = float(stdtrit(d.size - 1, 0.975)) * d.std(ddof=1) / d.size**0.5
    return bool(abs(d.mean()) <= half)


def labels_width(n: int, *, rho: float, sd: float, items: int, runs: int) -> float:
    """Mean half width at `n` labels, people and judge normal with this correlation."""
    rng = generator("width", n, rho)
    halves = []
    for _ in range(runs):
        y = rng.normal(0, sd, items)
        f = rho * y + (1 - rho**2) ** 0.5 * rng.normal(0, sd, items)
        found = corrected_mean(y[:n], f[:n], f[n:])
        if not isinstance(found, Refusal) and found.estimate.high is not None:
            halves.append(found.estimate.high - found.estimate.value)
    return float(np.mean(halves))


def gate_coverage(share: float, *, sensitivity: float, specificity: float, runs: int) -> float:
    """Coverage of a corrected share of passes; 60 labelled answers, 400 judged."""
    rng = generator("gate", share, sensitivity, specificity)
    hits = given = 0
    for _ in range(runs):
        positive = int(rng.binomial(400, share))
        passed = int(rng.binomial(positive, sensitivity))
        passed += int(rng.binomial(400 - positive, 1 - specificity))
        found = corrected_share(
            passed=passed, judged=400,
            both_passed=int(rng.binomial(30, sensitivity)), people_passed=30,
            both_failed=int(rng.binomial(30, specificity)), people_failed=30,
        )  # fmt: skip
        if isinstance(found, Refusal):
            continue
        given += 1
        low, high = found.share.low, found.share.high
        hits += low is not None and high is not None and low <= share <= high
    return hits / given


@dataclass(frozen=True, kw_only=True)
class StrataShares:
    """Shares of runs whose 95 % interval held the mean of answers to come."""

    each: tuple[int, ...]
    answers: int
    runs: int
    corrected: float
    judge_only: float
    unweighted: float
    """All labels taken as one random sample, which they are not."""
    width: float
    """Mean half width as a share of that of people alone, by the same strata."""


def _rounded_mean(mean: float, sd: float) -> float:
    """Expectation of a normal value that is rounded and held within 1 and 10."""
    steps = np.arange(1, 10) + 0.5
    # E = 1 + sum over k of P(mark > k).
    return 1.0 + float(np.sum(1 - ndtr((steps - mean) / sd)))


def stratified_coverage(each: tuple[int, ...], *, answers: int, runs: int) -> StrataShares:
    """Mean of one arm whose answers were drawn by thirds of the judge's marks.

    Args:
        each: Labels in the lowest, the middle and the highest third.
        answers: Answers that the judge marked, 0.8 points too high and compressed.
        runs: Simulated runs.
    """
    rng = generator("strata", *each, answers)
    truth = _rounded_mean(6.0, 1.5)
    hits, widths = np.zeros(3), []
    for _ in range(runs):
        worth = rng.normal(6.0, 1.5, answers)
        people = np.clip(np.rint(worth), 1, 10)
        judge = 2.4 + FAVOUR + 0.6 * worth + rng.normal(0, 0.8, answers)
        judge = np.clip(np.rint(judge), 1, 10)
        # Equal marks stand in a random order, so that thirds do not follow the answers' names.
        order = np.lexsort((rng.random(answers), judge))
        strata = [
            Stratum(y=people[mine[:n]], f=judge[mine[:n]], u=judge[mine[n:]])
            for members, n in zip(np.array_split(order, 3), each, strict=True)
            for mine in (rng.permutation(members),)
        ]
        found = stratified_mean(strata, floor=1 / 12)
        if isinstance(found, Refusal):
            continue
        low, high = found.estimate.low, found.estimate.high
        hits += [
            low is not None and high is not None and low <= truth <= high,
            _covers(judge - truth),
            _covers(np.concatenate([one.y for one in strata]) - truth),
        ]
        widths.append(found.gain)
    shares = hits / runs
    return StrataShares(
        each=each, answers=answers, runs=runs, corrected=shares[0], judge_only=shares[1],
        unweighted=shares[2], width=float(np.mean(widths)),
    )  # fmt: skip


STRATA = (
    ((10, 10, 10), 60),
    ((10, 10, 10), 300),
    ((20, 20, 20), 90),
    ((20, 20, 20), 300),
    ((33, 33, 33), 300),
    ((40, 10, 10), 300),
    ((10, 10, 40), 300),
)
"""Labels in each third, and answers."""


def _strata_table(runs: int) -> list[str]:
    lines = [
        "",
        (
            "**Mean of one arm from answers drawn by thirds of the judge's marks, the judge marks "
            "0.8 points too high, % of runs whose 95 % interval holds the truth**"
        ),
        "",
        (
            "| labels in the thirds | answers | runs | judge alone | labels without weights | "
            "corrected | its width, people = 1 |"
        ),
        "| --- " * 7 + "|",
    ]
    for each, answers in STRATA:
        one = stratified_coverage(each, answers=answers, runs=runs)
        shares = (one.judge_only, one.unweighted, one.corrected)
        shown = " | ".join(f"{100 * share:.1f}" for share in shares)
        labels = ", ".join(map(str, each))
        lines.append(f"| {labels} | {answers} | {runs:,} | {shown} | {one.width:.2f} |")
    return lines


BEGIN, END = "<!-- people:begin -->", "<!-- people:end -->"
SIZES = (10, 15, 20, 30, 50, 100)
RUNS = {"short": 500, "full": 10_000}


def table(form: str) -> str:
    """Measure everything and give the tables as Markdown."""
    runs = RUNS[form]
    lines = [
        f"Measured by `python -m benchmarks.coverage.people --{form}`; seeds stand in the code.",
        "",
        (
            "**Difference of two equal arms, 300 items, the judge marks one of them 0.8 points too "
            "high, % of runs whose 95 % interval holds zero**"
        ),
        "",
        "| labels | runs | judge alone | people alone | corrected | its width, people = 1 |",
        "| --- " * 6 + "|",
    ]
    for n in SIZES:
        found = corrected_coverage(n, runs=runs)
        shares = (found.judge_only, found.people_only, found.corrected)
        shown = " | ".join(f"{100 * share:.1f}" for share in shares)
        lines.append(f"| {n} | {runs:,} | {shown} | {found.width:.2f} |")
    picked = corrected_coverage(50, runs=runs, picked=True)
    lines += [
        "",
        (
            "With 50 labels on the items that the judge marked lowest, instead of random ones: "
            f"people alone {100 * picked.people_only:.1f}, corrected "
            f"{100 * picked.corrected:.1f}. That is why hand-picked marks are refused."
        ),
        *_strata_table(runs),
        "",
        (
            "**Share of passes, 400 judged answers, 30 that people passed and 30 that they failed, "
            "% of runs whose 95 % interval holds the truth**"
        ),
        "",
        "| true share | sensitivity | specificity | covered |",
        "| --- " * 4 + "|",
    ]
    for share in (0.1, 0.3, 0.5, 0.8):
        for se, sp in ((0.9, 0.8), (0.7, 0.95)):
            held = gate_coverage(share, sensitivity=se, specificity=sp, runs=runs)
            lines.append(f"| {share:g} | {se:g} | {sp:g} | {100 * held:.1f} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, print, and write the tables into docs/people.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", dest="form", action="store_const", const="short")
    parser.add_argument("--full", dest="form", action="store_const", const="full")
    parser.add_argument("--write", action="store_true", help="into docs/people.md")
    given = parser.parse_args()
    made = table(given.form or "short")
    print(made)
    if given.write:
        path = Path(__file__).parents[2] / "docs" / "people.md"
        page = path.read_text("utf-8")
        before, rest = page.split(BEGIN)
        path.write_text(f"{before}{BEGIN}\n{made}\n{END}{rest.split(END)[1]}", "utf-8")


if __name__ == "__main__":
    main()
