"""Published sets: corrected means, correlations and fits, from marks as they are imported.

judgebench prints no correlation over pooled items, which rewards a judge that sees the
items' difficulty alone, and has no map from a judge's marks to people's. Those figures
are formed here from the stored marks: they hold that what is stored is what was published.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from scipy import optimize, special, stats

from judgebench.stats.arrays import FloatArray
from judgebench.stats.corrected import ppi
from tests.marks.space import Space
from tests.people.conftest import _empty
from tests.people.runs import axis, calibrated
from tests.people.test_published import SETS, expected

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SETS.is_dir(), reason="the published sets are not beside the clone"),
]

JUDGE = "Beluga-13B/p1"
LABELLED = 32
FORM = (
    "--item", "item_id", "--arm", "system", "--criterion", "dimension", "--rater", "rater",
    "--rater-kind", "rater_kind", "--mark", "score", "--scale", "1-5",
)  # fmt: skip
Cells = dict[tuple[str, str, str], dict[str, float]]
"""(judge, criterion, arm) → mean mark by item; people's under ``people``."""


@pytest.fixture(scope="module")
def hanna(tmp_path_factory: pytest.TempPathFactory) -> Space:
    """HANNA, imported."""
    space = _empty(tmp_path_factory.mktemp("hanna"))
    said = space.judge(
        "import", "marks", SETS / "hanna" / "judgments.parquet", "--to", "runs/hanna", *FORM
    )
    assert said.code == 0, said.err
    return space


@pytest.fixture(scope="module")
def cells(hanna: Space) -> Cells:
    """Every stored cell; marks off the scale are in none."""
    rows = hanna.ask(
        "SELECT CASE route WHEN 'people' THEN 'people' ELSE judge_name END, criterion, arm, item,"
        " avg(mark) FROM mark_rows JOIN passes USING (pass_id) WHERE mark IS NOT NULL GROUP BY ALL"
    )
    out: Cells = {}
    for who, criterion, arm, item, mark in rows:
        out.setdefault((who, criterion, arm), {})[item] = mark
    return out


def both(cells: Cells, arm: str, criterion: str = "engagement") -> tuple[FloatArray, FloatArray]:
    """People's and the judge's mark of an arm over all items, in their order."""
    people, judge = cells["people", criterion, arm], cells[JUDGE, criterion, arm]
    items = sorted(people)
    assert items == sorted(judge)
    return np.array([people[i] for i in items]), np.array([judge[i] for i in items])


def reference(y: FloatArray, f: FloatArray, u: FloatArray, weight: float) -> list[float]:
    """Point, low and high as ppi-python has them: divisor n, normal quantile."""
    value, _ = ppi(y, f, u, weight)
    rest = y - weight * f
    half = special.ndtri(0.975) * np.sqrt(rest.var() / y.size + weight**2 * u.var() / u.size)
    return [value, value - half, value + half]


def pooled_weight(y: FloatArray, f: FloatArray, u: FloatArray) -> float:
    """λ as ppi-python fits it: spread of the judge over labelled and other items."""
    cov = float(np.cov(y, f, ddof=0)[0, 1])
    spread = float(np.concatenate([f, u]).var(ddof=1))
    return float(np.clip(cov / ((1 + y.size / u.size) * spread), 0, 1))


def split(cells: Cells, name: str) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """People and judge on 32 labelled items, judge on the other 64, people's mean of all 96."""
    arms = [both(cells, arm) for arm in name.split(" minus ")]
    people, judge = (a[0] if len(arms) == 1 else a[0] - a[1] for a in zip(*arms, strict=True))
    assert people.size == 96
    return people[:LABELLED], judge[:LABELLED], judge[LABELLED:], float(people.mean())


def wanted_means() -> dict[str, Any]:
    """Points and intervals of ppi-python."""
    found: dict[str, Any] = expected("hanna")[
        "ppi_engagement_judge_Beluga-13B/p1_labelled_p00_p31"
    ]["values"]
    return found


@pytest.mark.parametrize("name", ["GPT-2", "HINT", "Human", "GPT-2 minus HINT"])
def test_corrected_means_of_hanna(cells: Cells, name: str) -> None:
    """Points and intervals from 32 labels at λ = 1, at the fitted λ, and of people alone."""
    want = wanted_means()[name]
    y, f, u, mean = split(cells, name)
    assert reference(y, f, u, 1.0) == pytest.approx(want["lam=1"], abs=1e-6)
    assert reference(y, f, u, pooled_weight(y, f, u)) == pytest.approx(want["lam=None"], abs=1e-6)
    if "classical" in want:
        assert reference(y, f, u, 0.0) == pytest.approx(want["classical"], abs=1e-6)
        assert mean == pytest.approx(want["mean_of_all_96"], abs=1e-6)


def test_calibrate_corrects_hanna(cells: Cells, tmp_path: Path) -> None:
    """From marks on 32 stories alone `judge calibrate` gives these means, in intervals by t.

    Two points are the published ones, where the judge adds nothing; λ of the third is by the
    labelled items alone. Every interval is wider than the published one and holds the mean
    that people gave to all 96 stories.
    """
    space = _empty(tmp_path)
    said = space.judge(
        "import", "marks", space.jsonl(labelled_rows()), "--to", "runs/hanna", *FORM
    )  # fmt: skip
    assert said.code == 0, said.err
    found = calibrated(
        space, "--pass", JUDGE, "--slots", "--labels", "random", run="runs/hanna"
    )  # fmt: skip
    one = axis(found, "engagement")
    weights = {}
    for row in one["arms"]:
        name, figure = row["arm"], row["figure"]
        want, (y, f, u, mean) = wanted_means()[name], split(cells, row["arm"])
        low, high = figure["estimate"]["low"], figure["estimate"]["high"]
        point, _ = ppi(y, f, u, figure["weight"])
        assert figure["estimate"]["value"] == pytest.approx(point, abs=1e-9)
        assert low < mean < high
        assert high - low > want["lam=None"][2] - want["lam=None"][1]
        weights[name] = figure["weight"]
        if not figure["weight"]:
            assert point == pytest.approx(want["lam=None"][0], abs=1e-6)
    assert weights == pytest.approx({"GPT-2": 0.0, "HINT": 0.373475, "Human": 0.0}, abs=1e-6)
    gap = one["pairs"][0]
    assert (gap["first"], gap["second"]) == ("GPT-2", "HINT")
    assert gap["corrected"]["rule"] == "people"
    assert gap["corrected"]["estimate"]["value"] == pytest.approx(27.25 / 24, abs=1e-9)


def labelled_rows() -> list[dict[str, Any]]:
    """Engagement: the judge's marks of three systems, people's on the first 32 items."""
    with duckdb.connect() as con:
        rows = con.execute(
            "SELECT item_id, system, dimension, rater, rater_kind, score FROM read_parquet($path)"
            " WHERE dimension = 'engagement' AND system IN ('GPT-2', 'HINT', 'Human') AND"
            " (rater = $judge OR rater_kind = 'human' AND item_id < 'p32') ORDER BY ALL",
            {"path": str(SETS / "hanna" / "judgments.parquet"), "judge": JUDGE},
        ).fetchall()
    names = ("item_id", "system", "dimension", "rater", "rater_kind", "score")
    return [dict(zip(names, row, strict=True)) for row in rows]


@pytest.mark.parametrize("form", ["kendall", "spearman", "pearson"])
def test_correlations_over_the_pool_of_hanna(form: str) -> None:
    """Judges with people's means over 960 stories, marks off the scale counted as by the source."""
    of: dict[str, Callable[[FloatArray, FloatArray], float]] = {
        "kendall": lambda a, b: float(stats.kendalltau(a, b).statistic),
        "spearman": lambda a, b: float(stats.spearmanr(a, b).statistic),
        "pearson": lambda a, b: float(stats.pearsonr(a, b).statistic),
    }
    with duckdb.connect() as con:
        rows = con.execute(
            "SELECT j.rater, j.dimension, j.score, h.mean FROM read_parquet($path) AS j JOIN"
            " (SELECT item_id, system, dimension, avg(score) AS mean FROM read_parquet($path)"
            " WHERE rater_kind = 'human' GROUP BY ALL) AS h USING (item_id, system, dimension)"
            " WHERE j.rater_kind = 'llm' AND system <> 'Human'",
            {"path": str(SETS / "hanna" / "judgments.parquet")},
        ).fetchall()
    pooled: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for rater, criterion, mark, mean in rows:
        pooled.setdefault((rater, criterion), []).append((mark, round(mean, 9)))
    wanted = expected("hanna")["judge_vs_human_mean_excluding_system_Human"]["values"]
    for rater, by in wanted.items():
        for criterion, want in by.items():
            marks, means = np.array(pooled[rater, criterion]).T
            assert marks.size == 960
            found = of[form](marks, means)
            assert found == pytest.approx(want[f"overall_{form}"], abs=1e-6), (rater, criterion)


def test_fits_of_people_by_judges_on_hanna(cells: Cells) -> None:
    """Raw, constant, linear and isotonic errors on the second half, and cells without a mark.

    510 of 528 cells stand where the judge's others lie off the scale: these are in no figure.
    """
    wanted = expected("hanna")["calibration_train_p00_p47_test_p48_p95_on_scale_only"]["values"]
    assert len(wanted) == 6
    arms = sorted({arm for _, _, arm in cells})
    for name, want in wanted.items():
        judge, criterion = name.split(" ")
        rows = [
            (item, mark, cells["people", criterion, arm][item])
            for arm in arms
            for item, mark in cells[judge, criterion, arm].items()
        ]
        half = [
            (np.array([m for _, m, _ in side]), np.array([p for _, _, p in side]))
            for side in (
                [row for row in rows if row[0] < "p48"],
                [row for row in rows if row[0] >= "p48"],
            )
        ]
        (x, y), (x2, y2) = half
        assert (x.size, x2.size) == (want["n_train"], want["n_test"]), name
        line = stats.linregress(x, y)
        at, levels = isotonic(x, y)
        figures = {
            "rmse_raw": rmse(x2, y2),
            "rmse_constant": rmse(np.full(y2.shape, y.mean()), y2),
            "rmse_linear": rmse(line.intercept + line.slope * x2, y2),
            "slope": line.slope,
            "intercept": line.intercept,
            "rmse_isotonic": rmse(np.interp(x2, at, levels), y2),
        }
        assert figures == pytest.approx({key: want[key] for key in figures}, abs=1e-6), name
        for mark, level in want["iso_at"].items():
            assert np.interp(float(mark), at, levels) == pytest.approx(level, abs=1e-6)


def isotonic(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Least squares of a rising step through the means at each x."""
    at, group, count = np.unique(x, return_inverse=True, return_counts=True)
    means = np.bincount(group, weights=y) / count
    return at, optimize.isotonic_regression(means, weights=count).x


def rmse(a: FloatArray, b: FloatArray) -> float:
    """Root of the mean squared gap."""
    return float(np.sqrt(np.mean((a - b) ** 2)))
