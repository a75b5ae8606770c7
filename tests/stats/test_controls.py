"""Right treatment of planted controls, and when a judge fails a kind of them."""

import numpy as np
import pytest

from judgebench.model.agreement import Noise
from judgebench.model.controls import ControlKind, Verdict
from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats import controls
from judgebench.stats.controls import Marked, Met
from judgebench.stats.repeatability import rescoring_sd

UNKNOWN = Refusal(statistic="repeatability", code="too_few_repeats", have=0, need=10)
KIND = ControlKind


def noise(sd: float = 0.5, cells: int = 40) -> Noise:
    """A judge with a spread of about `sd`."""
    rng = np.random.default_rng(5)
    found = rescoring_sd(rng.normal(5, sd, (cells, 2)), step=0.01)
    assert isinstance(found, Noise)
    return found


def marked(kind: ControlKind, total: float | None, source: float | None = 6.0) -> Marked:
    """One answered control."""
    return Marked(
        key="k", kind=kind, item="i", source="north", answered=True, total=total,
        source_total=source,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "total", "source", "verdict"),
    [
        (KIND.NEAR_EMPTY, 4.0, 6.0, "passed"),
        (KIND.NEAR_EMPTY, 4.1, 6.0, "failed"),
        (KIND.NEAR_EMPTY, 1.0, None, "passed"),
        (KIND.OFF_TASK, 3.0, 1.0, "passed"),
        (KIND.OFF_TASK, 9.0, 9.0, "failed"),
        (KIND.DAMAGED, 5.9, 6.0, "passed"),
        (KIND.DAMAGED, 6.0, 6.0, "failed"),
        (KIND.DAMAGED, 1.0, 1.0, "undecided"),
        (KIND.DAMAGED, 3.0, None, "undecided"),
        (KIND.PADDED, 2.0, 6.0, "passed"),
        (KIND.PADDED, 6.5, 6.0, "passed"),
        (KIND.PADDED, 8.5, 6.0, "failed"),
        (KIND.TALKS_TO_JUDGE, 10.0, 6.0, "failed"),
        (KIND.TALKS_TO_JUDGE, 5.0, 6.0, "passed"),
        (KIND.DUPLICATE, 6.5, 6.0, "passed"),
        (KIND.DUPLICATE, 3.0, 6.0, "failed"),
        (KIND.DUPLICATE, 9.0, 6.0, "failed"),
        (KIND.DUPLICATE, None, 6.0, "undecided"),
    ],
)
def test_each_kind_has_its_right_treatment(
    kind: ControlKind, total: float | None, source: float | None, verdict: str
) -> None:
    """Low, below, not above, the same: on a scale of 1 to 10 with a limit of about 1.4."""
    found = controls.check(marked(kind, total, source), noise(), low=1, high=10)
    assert found.verdict == verdict
    assert found.why


@pytest.mark.parametrize("kind", [KIND.PADDED, KIND.TALKS_TO_JUDGE, KIND.DUPLICATE])
@pytest.mark.parametrize("total", [1.0, 6.0, 10.0])
def test_without_a_limit_nothing_that_needs_it_is_decided(kind: ControlKind, total: float) -> None:
    """Not even what any limit would let pass: else only passes would be counted."""
    found = controls.check(marked(kind, total), UNKNOWN, low=1, high=10)
    assert (found.verdict, found.why) == ("undecided", "the repeatability limit is unknown")


def test_the_limit_is_students_and_never_below_the_one_that_pages_print() -> None:
    """It nears 2.77 sd, for one and one and for a mean of many; few degrees widen it."""
    many = noise(cells=4000)
    assert controls.limit_of(many) == pytest.approx(many.limit, rel=0.001)
    assert controls.limit_of(many, judgings=10_000) == many.limit
    few = noise(cells=12)
    found = controls.limit_of(few)
    assert found is not None
    assert found > few.limit
    assert controls.limit_of(UNKNOWN) is None


def test_the_limit_shown_is_that_of_the_noise_and_a_control_says_its_own() -> None:
    """A summary has the limit that every page has; the reason of a control names both."""
    spread = noise(cells=12)
    assert isinstance(spread, Noise)
    one = controls.check(marked(KIND.DUPLICATE, 6.0), spread, low=1, high=10)
    found = controls.summary([one], spread)
    assert found is not None
    assert (found.limit, found.floored) == (spread.limit, spread.floored)
    own = controls.limit_of(spread)
    assert one.why.startswith(f"its limit is {own:.2f} (repeatability limit {spread.limit:.2f};")


def test_a_judge_without_fault_is_seldom_named() -> None:
    """Each kind that needs a limit: at most 1 pass in 20 is a false alarm."""
    rng = np.random.default_rng(11)
    for decided in (1, 2, 5, 16, 60):
        failures = rng.binomial(decided, 0.05, 4000)
        named = [controls.fails(KIND.DUPLICATE, decided - int(k), decided) for k in failures]
        assert np.mean(named) <= 0.06


def test_duplicates_of_an_even_judge_pass_nineteen_in_twenty() -> None:
    """The limit from 12 cells leaves out about 1 in 20, not more."""
    rng = np.random.default_rng(3)
    passed = 0
    for _ in range(2000):
        spread = rescoring_sd(rng.normal(5, 0.7, (12, 2)), step=0.01)
        one, other = rng.normal(5, 0.7, 2)
        found = controls.check(
            marked(KIND.DUPLICATE, float(one), float(other)), spread, low=-9, high=19
        )
        passed += found.verdict is Verdict.PASSED
    assert 0.935 <= passed / 2000 <= 0.965


def test_the_summary_counts_names_and_bounds() -> None:
    """Counts with the exact interval, kinds in order, failures kept, the rest explained."""
    checks = [
        controls.check(one, UNKNOWN, low=1, high=10)
        for one in (
            marked(KIND.NEAR_EMPTY, 1.0),
            marked(KIND.NEAR_EMPTY, 9.0),
            marked(KIND.DAMAGED, 4.0),
            marked(KIND.DUPLICATE, 6.0),
        )
    ]
    found = controls.summary(checks, UNKNOWN)
    assert found is not None
    assert (found.planted, found.decided, found.passed) == (4, 3, 2)
    assert isinstance(found.rate, Estimate)
    # R: binom.test(2, 3)$conf.int
    assert found.rate.low == pytest.approx(0.09429932, abs=1e-7)
    assert found.rate.high == pytest.approx(0.99159624, abs=1e-7)
    assert [(one.kind, one.failed) for one in found.classes] == [
        ("near_empty", True), ("damaged", False), ("duplicate", False),
    ]  # fmt: skip
    assert isinstance(found.classes[2].rate, Refusal)
    assert [one.total for one in found.failures] == [9.0]
    assert found.undecided == (("the repeatability limit is unknown", 1),)
    assert found.limit is None


def test_no_control_is_no_summary() -> None:
    """Where nothing was planted nothing is said."""
    assert controls.summary([], UNKNOWN) is None


@pytest.mark.parametrize(
    ("kind", "shares", "verdict"),
    [
        (KIND.NEAR_EMPTY, (0.0, 0.0), "passed"),
        (KIND.NEAR_EMPTY, (0.5, 0.0), "failed"),
        (KIND.OFF_TASK, (1.0, 0.0), "failed"),
        (KIND.OFF_TASK, (0.0, None), "undecided"),
        (KIND.DAMAGED, (0.0, 0.0), "passed"),
        (KIND.DAMAGED, (0.5, 0.5), "passed"),
        (KIND.DAMAGED, (1.0, 0.0), "passed"),
        (KIND.DAMAGED, (1.0, 0.5), "failed"),
        (KIND.PADDED, (0.5, 0.0), "passed"),
        (KIND.PADDED, (0.5, 1.0), "failed"),
        (KIND.TALKS_TO_JUDGE, (1.0, 1.0), "failed"),
        (KIND.TALKS_TO_JUDGE, (0.0, 1.0), "passed"),
        (KIND.DUPLICATE, (0.5, 0.5), "passed"),
        (KIND.DUPLICATE, (1.0, 0.0), "passed"),
        (KIND.DUPLICATE, (0.0, 1.0), "passed"),
        (KIND.DUPLICATE, (0.5, 1.0), "failed"),
        (KIND.DUPLICATE, (0.0, 0.0), "failed"),
        (KIND.DUPLICATE, (None, None), "undecided"),
    ],
)
def test_each_kind_has_its_right_treatment_in_pairs(
    kind: ControlKind, shares: tuple[float | None, float | None], verdict: str
) -> None:
    """Lose twice, not win over both orders, or come out even: both orders decide together."""
    found = controls.check_pair(met(kind, shares))
    assert found.verdict == verdict
    assert found.shares == shares
    assert found.why
    # It is named by the order in which it did best.
    assert found.key == ("two" if (shares[1] or 0) > (shares[0] or 0) else "one")


def met(
    kind: ControlKind, shares: tuple[float | None, float | None], *, answered: bool = True
) -> Met:
    """One control beside its source."""
    return Met(
        keys=("one", "two"), kind=kind, item="i", source="north", answered=answered, shares=shares
    )


def test_pairs_need_no_noise_and_say_why_one_is_not_decided() -> None:
    """Comparisons have no limit; what is not judged is told from what has no verdict."""
    checks = [
        controls.check_pair(met(KIND.PADDED, (0.0, 0.0))),
        controls.check_pair(met(KIND.PADDED, (0.0, None))),
        controls.check_pair(met(KIND.PADDED, (None, None), answered=False)),
    ]
    found = controls.summary(checks)
    assert found is not None
    assert (found.by_pairs, found.limit) == (True, None)
    assert (found.planted, found.decided, found.passed) == (3, 1, 1)
    assert dict(found.undecided) == {"one of its orders has no verdict": 1, "not judged yet": 1}


def test_kinds_are_pooled_over_passes_by_their_counts() -> None:
    """Two of three near-empty ones and none of one: two of four, which fails."""
    passes = [
        controls.summary([controls.check(marked(KIND.NEAR_EMPTY, total), noise(), low=1, high=10)
                          for total in totals], noise())
        for totals in ((1.0, 1.0, 9.0), (9.0,))
    ]  # fmt: skip
    (row,) = controls.pooled([one for one in passes if one is not None])
    assert (row.planted, row.decided, row.passed, row.failed) == (4, 4, 2, True)
    assert isinstance(row.rate, Estimate)
    # Clopper & Pearson at two of four.
    assert row.rate.low == pytest.approx(0.0676, abs=1e-4)
