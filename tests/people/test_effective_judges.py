"""How many independent judges a jury is worth, once people's marks were shown beside it."""

import json
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pytest

from judgebench.stats.arrays import FloatArray
from tests.marks.space import COLUMNS, Space
from tests.people.runs import ARMS, CRITERIA, TRUTH, calibrated, sheet

ITEMS = 20
Errors = Callable[[np.random.Generator], FloatArray]


def jury(space: Space, errors: Errors) -> None:
    """Import three judges whose errors against the truth are drawn by a rule, a column a judge."""
    drawn = errors(np.random.default_rng(21))
    rows = [
        (f"q{i}", arm, criterion, f"judge-{j}",
         int(np.clip(round(TRUTH[a, i] + drawn[a, i, j]), 1, 10)))
        for i in range(ITEMS) for a, arm in enumerate(ARMS)
        for criterion in CRITERIA for j in range(3)
    ]  # fmt: skip
    said = space.judge(
        "import", "marks", space.csv(rows, name="r.csv"), *COLUMNS, "--mark", "mark",
        "--scale", "1-10",
    )  # fmt: skip
    assert said.code == 0, said.err


def agreed(space: Space) -> dict[str, Any]:
    """`judge agree --json`."""
    said = space.judge("agree", "runs/r", "--json")
    assert said.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


def apart(rng: np.random.Generator) -> FloatArray:
    """Each errs by itself."""
    return rng.normal(0, 1.2, (3, ITEMS, 3))


def alike(rng: np.random.Generator) -> FloatArray:
    """All err together."""
    return rng.normal(0, 1.2, (3, ITEMS, 1)) + rng.normal(0, 0.1, (3, ITEMS, 3))


@pytest.mark.parametrize(("errors", "low", "high"), [(apart, 1.8, 3.0), (alike, 1.0, 1.5)])
def test_judges_that_err_alike_are_one_voice(
    space: Space, errors: Errors, low: float, high: float
) -> None:
    """Refused before people marked; then near 3 for judges that err apart, near 1 for one voice."""
    jury(space, errors)
    assert agreed(space)["effective"]["code"] == "no_human_labels"
    path = sheet(space, [f"q{i}" for i in range(15)])
    calibrated(space, "--human", path)
    one = agreed(space)["effective"]
    assert low <= one["value"] <= high
    assert one["n"] == 45
    text = " ".join(space.judge("agree", "runs/r", "--extended").out.split())
    assert "of 3 judges, by their errors against people on 45 answers" in text


def test_marks_of_people_are_not_shown_by_it_first(space: Space) -> None:
    """While calibrate has not shown them beside one of the passes, the number is refused."""
    jury(space, apart)
    calibrated(space, "--human", sheet(space, [f"q{i}" for i in range(15)]))
    with duckdb.connect(str(space.root / "judgments" / "judgments.duckdb")) as base:
        base.execute("DELETE FROM looks")
    assert agreed(space)["effective"]["code"] == "not_compared"
    text = " ".join(space.judge("agree", "runs/r", "--extended").out.split())
    assert "people's marks have not been shown beside this judge yet" in text
