"""Alpha, kappa and ICC beside public packages: the same data, in turn, in the same round.

Usage:  python -m benchmarks.agreement [--rounds 60]

Each has a few milliseconds of processor time in each of many rounds, after calls that are
not timed, and the best of its rounds counts: other programs can only make a round slower,
so the ratio is the same on a busy machine as long as some rounds are left alone.

The references are development tools (evalica, scikit-learn, statsmodels) and, where they
happen to be installed, krippendorff and pingouin, whose licence (GPL) keeps them out of
everything here. Ours always makes the interval, as the product prints no figure without it.
It is held against the fastest that gives the value alone, and, as like against like, against
those that give an interval too: evalica's bootstrap, here of 200 draws in place of its 5,000,
and the standard error of statsmodels. Marks are whole on a scale of ten, whole on 0–100 (with
and without gaps), and means of criteria that are hardly ever equal; the references hold a
table of all levels, so those of 40,000 units are ours alone. Exit 1 where ours takes more
than a fifth of the fastest reference with an interval, or of any where none has one.
"""

import argparse
import importlib
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judgebench.model.nouns import Refusal
from judgebench.stats import agreement, icc

MOST = 0.2
"""Our time ÷ that of the fastest reference."""
CLOSE = 1e-9
LEAST_S = 0.003
"""Processor time of each in each round, seconds: as many calls as that takes."""
WARMING_S = 0.0005
"""As much again that is not timed: the one before has filled the caches with its own."""
FloatArray = NDArray[np.float64]
Timed = tuple[str, Callable[[], float]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """What raters mark on."""

    name: str
    low: int
    high: int
    whole: bool = True
    gaps: float = 0.0


TEN = Scale(name="1–10", low=1, high=10)
HUNDRED = Scale(name="0–100", low=0, high=100)
SCALES = (
    TEN,
    HUNDRED,
    Scale(name="0–100 with gaps", low=0, high=100, gaps=0.2),
    Scale(name="continuous", low=0, high=100, whole=False),
)
MOST_DIFFERENT = 5_000
"""Different marks up to which the references are asked."""
DRAWS = 200
"""Resamples of a reference's bootstrap: few, which favours it."""
WHOLE = " with its interval"
"""Ends the name of a reference that gives one."""


def marks(units: int, raters: int, scale: Scale = TEN) -> FloatArray:
    """Marks by raters who agree in part, each with a severity of its own."""
    rng = np.random.default_rng(units)
    truth, severity = rng.normal(5.5, 1.5, (units, 1)), rng.normal(0, 0.5, (1, raters))
    found = (truth + severity + rng.normal(0, 1, (units, raters))) * (scale.high / 10)
    found = np.clip(np.rint(found) if scale.whole else found, scale.low, scale.high)
    found[rng.random(found.shape) < scale.gaps] = np.nan
    return np.asarray(found, dtype=np.float64)


def module(name: str) -> Any:  # noqa: ANN401 - packages without types
    """A package, or None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def value(found: Any) -> float:  # noqa: ANN401 - an estimate
    """The figure."""
    if isinstance(found, Refusal):
        raise TypeError(f"refused: {found.code}")
    return float(found.value)


def of_alpha(x: FloatArray, metric: Any) -> list[Timed]:  # noqa: ANN401 - a literal
    """Ours first, then every reference that is there."""
    found: list[Timed] = [("judgebench", lambda: value(agreement.alpha(x, metric=metric)))]
    if np.unique(x).size > MOST_DIFFERENT:
        return found
    evalica, krippendorff = module("evalica"), module("krippendorff")
    if evalica is not None:
        frame = module("pandas").DataFrame(x.T)
        found.append(("evalica", lambda: float(evalica.alpha(frame, distance=metric).alpha)))
        found.append((
            f"evalica{WHOLE}",
            lambda: float(
                evalica.alpha_bootstrap(
                    frame, distance=metric, n_resamples=DRAWS, random_state=1
                ).alpha
            ),
        ))  # fmt: skip
    if krippendorff is not None:
        found.append((
            "krippendorff",
            lambda: float(krippendorff.alpha(x.T, level_of_measurement=metric)),
        ))  # fmt: skip
    return found


def of_kappa(x: FloatArray, scale: Scale, weights: Any) -> list[Timed]:  # noqa: ANN401 - a literal
    """Two raters, on all levels of the scale."""
    a, b = np.ascontiguousarray(x[:, 0]), np.ascontiguousarray(x[:, 1])
    levels = np.arange(scale.low, scale.high + 1)
    whole = (a.astype(np.int64), b.astype(np.int64))
    found: list[Timed] = [
        (
            "judgebench",
            lambda: value(agreement.cohen_kappa(a, b, categories=levels * 1.0, weights=weights)),
        )
    ]
    metrics, rater = module("sklearn.metrics"), module("statsmodels.stats.inter_rater")
    if metrics is not None:
        named = None if weights == "none" else weights
        found.append((
            "scikit-learn",
            lambda: float(metrics.cohen_kappa_score(*whole, weights=named, labels=levels)),
        ))  # fmt: skip
    # Its weights are of the levels that were used: on 0–100 another figure.
    if rater is not None and (weights == "none" or np.unique(x[:, :2]).size == levels.size):
        kind = {"none": None, "linear": "linear", "quadratic": "fc"}[weights]

        def by_statsmodels() -> float:
            # Its table holds only the levels that were used: the weights then agree.
            table, _ = rater.to_table(np.stack(whole, axis=1))
            return float(rater.cohens_kappa(table, wt=kind, return_results=False))

        def with_interval() -> float:
            table, _ = rater.to_table(np.stack(whole, axis=1))
            return float(rater.cohens_kappa(table, wt=kind).kappa)

        found += [("statsmodels", by_statsmodels), (f"statsmodels{WHOLE}", with_interval)]
    return found


def of_icc(x: FloatArray) -> list[Timed]:
    """ICC(A,1); a two-way analysis of variance by statsmodels where nothing else is there."""

    def ours() -> float:
        found = icc.icc(x)
        if isinstance(found, Refusal):
            raise TypeError(f"refused: {found.code}")
        return value(found.absolute)

    timed: list[Timed] = [("judgebench", ours)]
    pingouin, ols = module("pingouin"), module("statsmodels.formula.api")
    if pingouin is None and ols is None:
        return timed
    n, k = x.shape
    long = module("pandas").DataFrame({
        "unit": np.repeat(np.arange(n), k), "rater": np.tile(np.arange(k), n), "mark": x.ravel(),
    })  # fmt: skip
    if pingouin is not None:

        def by_pingouin() -> float:
            table = pingouin.intraclass_corr(long, targets="unit", raters="rater", ratings="mark")
            return float(table["ICC"].iloc[1])

        timed.append(("pingouin", by_pingouin))
    if ols is not None and n <= 200:

        def by_statsmodels() -> float:
            fit = ols.ols("mark ~ C(unit) + C(rater)", long).fit()
            anova = importlib.import_module("statsmodels.stats.anova").anova_lm(fit)
            units, raters, rest = anova["mean_sq"]
            return float((units - rest) / (units + (k - 1) * rest + k * (raters - rest) / n))

        timed.append(("statsmodels ANOVA", by_statsmodels))
    return timed


def _calls(compute: Callable[[], float], seconds: float) -> int:
    """How many take so long; at least one."""
    began = time.process_time()
    compute()
    return max(1, round(seconds / max(time.process_time() - began, 1e-5)))


def _best(timed: list[Timed], rounds: int) -> dict[str, float]:
    """Processor time of a call in the best round of each, all in turn in each round."""
    best = {who: math.inf for who, _ in timed}
    turns = [(who, f, _calls(f, LEAST_S), _calls(f, WARMING_S)) for who, f in timed]
    for _ in range(rounds):
        for who, compute, calls, warming in turns:
            if calls > 1:
                for _ in range(warming):
                    compute()
            began = time.process_time()
            for _ in range(calls):
                compute()
            best[who] = min(best[who], (time.process_time() - began) / calls)
    return best


def _beside(best: dict[str, float], ours: float) -> tuple[str, str, float]:
    """References with their times, ours as a part of the fastest, and that part."""
    if not best:
        return "–", "–", math.nan
    ratio = ours / min(best.values())
    said = f"{ratio:.3f}" + ("" if ratio <= MOST else " **missed**")
    return ", ".join(f"{who} {1000 * took:.2f} ms" for who, took in best.items()), said, ratio


def measure(name: str, timed: list[Timed], rounds: int) -> bool:
    """Time each; prints one row, whether ours is fast enough."""
    figures = {who: compute() for who, compute in timed}  # Loads and warms up.
    best = _best(timed, rounds)
    ours = best.pop("judgebench")
    # The analysis of variance of pingouin comes with its interval.
    whole = {
        who.removesuffix(WHOLE): took
        for who, took in best.items()
        if who.endswith(WHOLE) or who == "pingouin"
    }
    alone = {who: took for who, took in best.items() if not who.endswith(WHOLE)}
    references, said, ratio = _beside(alone, ours)
    likes, like_said, like = _beside(whole, ours)
    print(f"| {name} | {1000 * ours:.3f} ms | {references} | {said} | {likes} | {like_said} |",
          flush=True)  # fmt: skip
    apart = max(abs(figure - figures["judgebench"]) for figure in figures.values())
    if apart > CLOSE:
        print(f"  figures differ by {apart:.3g}: {figures}")
        return False
    decides = ratio if math.isnan(like) else like
    return math.isnan(decides) or decides <= MOST


def measured(units: int, raters: int, scale: Scale, rounds: int) -> bool:
    """Alpha on one scale; kappa on whole marks and ICC too, where no mark is missing."""
    x, good = marks(units, raters, scale), True
    size = f"{scale.name}, {units:,} × "
    for metric in ("nominal", "ordinal", "interval"):
        good &= measure(f"alpha, {metric}, {size}{raters}", of_alpha(x, metric), rounds)
    if scale.gaps:
        return good
    if scale.whole:
        for weights in ("none", "linear", "quadratic"):
            timed = of_kappa(x, scale, weights)
            good &= measure(f"kappa, {weights}, {size}2", timed, rounds)
    return measure(f"ICC, {size}{raters}", of_icc(x), rounds) and good


def main() -> int:
    """Measure all of them on two sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    rounds = parser.parse_args().rounds
    for name in ("evalica", "scikit-learn", "statsmodels", "krippendorff", "pingouin"):
        try:
            print(f"{name} {version(name)}")
        except PackageNotFoundError:
            print(f"{name} is not installed")
    print(
        "\n| what | ours with its interval, processor time | the value alone | ratio | "
        "with an interval | ratio |"
    )
    print("| --- | ---: | --- | ---: | --- | ---: |")
    good = True
    for units, raters in ((1_000, 3), (40_000, 5)):
        for scale in SCALES:
            good &= measured(units, raters, scale, rounds)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
