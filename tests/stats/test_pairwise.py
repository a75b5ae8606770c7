"""Bradley–Terry, win rates and the order of both."""

import choix
import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.both_orders import order_counts, repeat_changes
from judgebench.stats.pairwise import (
    Comparisons,
    Strengths,
    bradley_terry,
    first_share,
    unlinked,
    win_rate,
)
from tests.stats import vectors
from tests.stats.compared import drawn, made


def baseball() -> Comparisons:
    """Every game its own item, the winner named first."""
    first, second = vectors.games(vectors.BASEBALL)
    rows = [(i, int(a), int(b), 1.0) for i, (a, b) in enumerate(zip(first, second, strict=True))]
    return made(rows, 7)


@pytest.mark.parametrize(
    ("rows", "n_arms", "order", "code"),
    [
        ([], 1, False, "too_few_arms"),
        ([(i, 0, 1, float(i % 2)) for i in range(5)], 2, False, "too_few_items"),
        ([(i, 0, 1, 1.0) for i in range(9)], 2, False, "disconnected"),
        ([(i, 0, 1, float(i % 2)) for i in range(9)], 3, False, "disconnected"),
        ([(i, 0, 1, float(i % 2)) for i in range(9)], 2, True, "order_not_recorded"),
        ([(i, 0, 1, o) for i in range(9) for o in (0.0, 1.0)], 2, False, "zero_spread"),
        ([(i, i % 2, 1 - i % 2, 1.0) for i in range(9)], 2, True, "not_finite"),
    ],
    ids=[
        "one-arm",
        "five-items",
        "never-lost",
        "stranger",
        "one-order",
        "equal-items",
        "first-wins",
    ],
)
def test_bradley_terry_refuses(
    rows: list[tuple[int, int, int, float]], n_arms: int, code: str, *, order: bool
) -> None:
    """Each way in which strengths are not determined has its code."""
    found = bradley_terry(made(rows, n_arms), order=order)
    assert isinstance(found, Refusal)
    assert (found.statistic, found.code) == ("bradley_terry", code)


def test_bradley_terry_refuses_where_one_coefficient_has_no_error() -> None:
    """Arms 0 and 1 tie on four items, 2 ties with each of them once: ties alone, so no spread."""
    rows = [(0, 0, 1, 0.5), (3, 2, 1, 0.0), (2, 0, 1, 0.5), (5, 1, 2, 0.0), (1, 0, 1, 0.5)]
    found = bradley_terry(made([*rows, (4, 0, 1, 0.5)], 3), order=False)
    assert isinstance(found, Refusal)
    assert found.code == "zero_spread"


def both_orders(won: set[int], items: int, *, tied: frozenset[int] = frozenset()) -> Comparisons:
    """Arm 0 beside 1 in both orders, the same verdict in each; 0 wins some items, some are tied."""
    rows = []
    for item in range(items):
        point = 0.5 if item in tied else float(item in won)
        rows += [(item, 0, 1, point), (item, 1, 0, 1 - point)]
    return made(rows, 2)


def test_an_order_that_no_item_moves_is_refused_alone() -> None:
    """17 of 20 in both orders: strengths and errors are those of a fit without such a term."""
    data = both_orders(set(range(20)) - {0, 5, 7}, 20)
    found = bradley_terry(data, reference=1)
    assert isinstance(found, Strengths)
    assert isinstance(found.order, Refusal)
    assert (found.order.statistic, found.order.code) == ("order", "zero_spread")
    plain = bradley_terry(data, reference=1, order=False)
    assert isinstance(plain, Strengths)
    one, other = found.arms[0], plain.arms[0]
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-9)
    fit = sm.GLM(
        data.outcome, np.where(data.first == 0, 1.0, -1.0), family=sm.families.Binomial()
    ).fit(
        tol=1e-14, maxiter=200, cov_type="cluster",
        cov_kwds={"groups": data.item, "use_correction": False},
    )  # fmt: skip
    half = stats.t.ppf(0.975, 19) * float(fit.bse[0]) * np.sqrt(20 / 19)
    assert one.value == pytest.approx(float(fit.params[0]), abs=1e-9)
    assert one.value == pytest.approx(float(np.log(17 / 3)), abs=1e-9)
    assert one.low == pytest.approx(float(fit.params[0]) - half, abs=1e-9)
    assert found.order_point == pytest.approx(0, abs=1e-9)


def test_ties_and_covariates_that_no_item_moves_are_refused_alone() -> None:
    """One tie an item and verdicts that change: strengths stand, the tie parameter does not."""
    rows = [(item, 0, 1, 0.5) for item in range(12)]
    rows += [(item, 1, 0, float(item % 2)) for item in range(12)]
    found = bradley_terry(made(rows, 2), order=False)
    assert isinstance(found, Strengths)
    assert isinstance(found.ties, Refusal)
    assert found.ties_point is not None
    assert found.arms[1].low is not None
    data = both_orders(set(range(15)), 20)
    held = bradley_terry(data, order=False, covariates=np.ones((data.item.size, 1)))
    assert isinstance(held, Strengths)
    assert isinstance(held.covariates[0], Refusal)


@pytest.mark.parametrize("order", [False, True])
def test_ties_alone_tell_no_strength(
    order: bool,  # noqa: FBT001 - each of both
) -> None:
    """Any strengths explain them, with ties that are likely enough: none is the right one."""
    pairs = [(0, 0, 2), (1, 0, 1), (2, 1, 2), (2, 2, 1), (3, 1, 2), (4, 1, 2), (5, 2, 1)]
    rows = [(item, *arms, 0.5) for item, a, b in pairs for arms in ((a, b), (b, a))]
    found = bradley_terry(made(rows, 3), order=order)
    assert isinstance(found, Refusal)
    assert found.code == "zero_spread"


def test_bradley_terry_equals_agresti_s_baseball() -> None:
    """Log strengths and model standard errors, Baltimore 0."""
    found = bradley_terry(baseball(), reference=6, order=False)
    assert isinstance(found, Strengths)
    values = [one.value for one in found.arms]
    expected = [1.58136, 1.43641, 1.29449, 1.24762, 1.10770, 0.68385, 0]
    assert values == pytest.approx(expected, abs=1e-5)
    errors = [0.34326, 0.33957, 0.33667, 0.33586, 0.33388, 0.33188, 0]
    assert found.model_se == pytest.approx(errors, abs=1e-5)
    assert (found.order, found.ties) == (None, None)


def test_bradley_terry_equals_choix() -> None:
    """The same games, another library."""
    first, second = vectors.games(vectors.BASEBALL)
    expected = choix.ilsr_pairwise(7, list(zip(first, second, strict=True)), alpha=0.0, tol=1e-14)
    found = bradley_terry(baseball(), reference=2, order=False)
    assert isinstance(found, Strengths)
    values = np.array([one.value for one in found.arms])
    assert values == pytest.approx(expected - expected[2], abs=1e-9)
    assert found.arms[2].low is None


def test_bradley_terry_finds_order_and_ties_that_were_planted() -> None:
    """Sixty items, both orders, first place worth 0.4, ties at −0.5: inside their intervals."""
    found = bradley_terry(drawn(3, 60, [0.0, 0.8, -0.5], 0.4, -0.5))
    assert isinstance(found, Strengths)
    assert isinstance(found.order, Estimate)
    assert isinstance(found.ties, Estimate)
    truths = ((found.arms[1], 0.8), (found.arms[2], -0.5), (found.order, 0.4), (found.ties, -0.5))
    for one, truth in truths:
        assert one.low is not None
        assert one.high is not None
        assert one.low < truth < one.high
        assert one.kind == "sandwich"


def test_bradley_terry_interval_widens_where_items_repeat_themselves() -> None:
    """The same 12 items written four times: the sandwich stays, the model's own error halves."""
    once = drawn(5, 12, [0.0, 0.7], 0.0, -9.0)
    rows = np.tile(np.arange(once.item.size), 4)
    again = Comparisons(
        item=once.item[rows],
        first=once.first[rows],
        second=once.second[rows],
        outcome=once.outcome[rows],
        n_arms=2,
    )
    one, many = bradley_terry(once), bradley_terry(again)
    assert isinstance(one, Strengths)
    assert isinstance(many, Strengths)
    assert many.arms[1].low == pytest.approx(one.arms[1].low, abs=1e-9)
    assert many.model_se[1] == pytest.approx(one.model_se[1] / 2, abs=1e-9)


def test_bradley_terry_raises_on_a_reference_off_the_axis() -> None:
    """There is no eighth team."""
    with pytest.raises(ValueError, match="no arm"):
        bradley_terry(baseball(), reference=7)


def test_unlinked_names_the_groups() -> None:
    """0 and 1 beat each other, 2 only loses, 3 never met anyone; a tie links both ways."""
    rows = [(0, 0, 1, 1.0), (0, 1, 0, 1.0), (1, 0, 2, 1.0)]
    assert unlinked(made(rows, 4)) == ((0, 1), (2,), (3,))
    assert unlinked(made([*rows, (2, 2, 3, 0.5)], 4)) == ((0, 1), (2, 3))


@pytest.mark.parametrize(
    ("rows", "match"),
    [
        ([(0, 0, 0, 1.0)], "itself"),
        ([(0, 0, 3, 1.0)], "axis"),
        ([(0, 0, 1, 0.7)], "outcome"),
    ],
)
def test_comparisons_check_their_columns(
    rows: list[tuple[int, int, int, float]], match: str
) -> None:
    """An arm against itself, off the axis, a score as outcome."""
    with pytest.raises(ValueError, match=match):
        made(rows, 2)
    with pytest.raises(ValueError, match="shape"):
        Comparisons(
            item=np.arange(2),
            first=np.zeros(1, dtype=np.int64),
            second=np.ones(1, dtype=np.int64),
            outcome=np.ones(1),
            n_arms=2,
        )


def test_win_rate_averages_within_items_first() -> None:
    """Item 0 was judged four times, the others once: each counts once; a tie is half."""
    rows = [(0, 0, 1, 1.0)] * 4 + [(1, 1, 0, 1.0), (2, 0, 1, 0.5), (3, 2, 1, 1.0)]
    found = win_rate(made(rows, 3), arm=0)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(0.5)
    assert found.n == 3
    assert isinstance(win_rate(made(rows, 3), arm=0, against=2), Refusal)


def test_win_rate_of_an_arm_that_always_won_is_no_certainty() -> None:
    """Three of three: the exact lower end, 0.025^(1/3)."""
    found = win_rate(made([(i, 1, 0, 0.0) for i in range(3)], 2), arm=0)
    assert isinstance(found, Estimate)
    assert (found.value, found.high, found.kind) == (1.0, 1.0, "bounded")
    assert found.low == pytest.approx(0.025 ** (1 / 3), abs=0.01)


def test_win_rate_covers_an_arm_that_collapses_on_some_items() -> None:
    """Nine of ten on an item, nothing on one in eight: Student's t covered 73 to 90 %."""
    rng, runs, items, covered = np.random.default_rng(8), 300, 8, 0
    for _ in range(runs):
        chance = np.where(rng.random(items) < 0.12, 0.0, 0.9)
        rows = [
            (item, 0, 1, float(rng.random() < chance[item]))
            for item in range(items)
            for _ in range(10)
        ]
        found = win_rate(made(rows, 2), arm=0)
        assert isinstance(found, Estimate)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.88 * 0.9 <= found.high
    assert covered / runs >= 0.95 - 2.576 * (0.05 * 0.95 / runs) ** 0.5


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 8),
            st.integers(0, 2),
            st.integers(1, 2),
            st.sampled_from([0.0, 0.5, 1.0]),
        ),
        max_size=40,
    ),
    st.booleans(),
)
def test_bradley_terry_lets_no_number_out_that_is_none(
    rows: list[tuple[int, int, int, float]],
    order: bool,  # noqa: FBT001 - hypothesis fills in order
) -> None:
    """Any comparisons: a refusal, or finite strengths within intervals."""
    found = bradley_terry(made([(i, a, (a + b) % 3, o) for i, a, b, o in rows], 3), order=order)
    if isinstance(found, Refusal):
        return
    for one in found.arms[1:]:
        assert one.low is not None
        assert one.high is not None
        assert np.isfinite([one.value, one.low, one.high]).all()


def test_order_counts_tell_a_turned_verdict_from_one_that_stands() -> None:
    """Four pairs in both orders: same, first twice, second twice, a tie once; one in one order."""
    rows = [
        (0, 0, 1, 1.0), (0, 1, 0, 0.0),
        (1, 0, 1, 1.0), (1, 1, 0, 1.0),
        (2, 0, 1, 0.0), (2, 1, 0, 0.0),
        (3, 0, 1, 0.5), (3, 1, 0, 0.0),
        (4, 0, 1, 1.0),
    ]  # fmt: skip
    found = order_counts(made(rows, 2))
    assert (found.pairs, found.same, found.first, found.second) == (4, 1, 1, 1)
    assert (found.turned, found.loosened) == (2, 1)


def test_order_counts_pair_repeats_in_their_order() -> None:
    """The second judging of one order meets the second of the other."""
    rows = [(0, 0, 1, 1.0), (0, 0, 1, 0.0), (0, 1, 0, 0.0), (0, 1, 0, 1.0)]
    assert order_counts(made(rows, 2)).same == 2


def test_repeat_changes_count_second_judgings_of_one_order_only() -> None:
    """The other order is no repeat; each repeat is compared with the one before it."""
    rows = [(0, 0, 1, 1.0), (0, 1, 0, 1.0), (0, 0, 1, 1.0), (0, 0, 1, 0.5), (1, 0, 1, 0.0)]
    assert repeat_changes(made(rows, 2)) == (1, 2)


def test_first_share_is_half_where_the_order_means_nothing() -> None:
    """Both orders of a pair cancel, whoever is stronger; below three items it is refused."""
    rows = [(i, a, b, float(a < b)) for i in range(3) for a, b in ((0, 1), (1, 0))]
    found = first_share(made(rows, 2))
    assert isinstance(found, Estimate)
    assert (found.value, found.n, found.low) == (0.5, 3, None)
    refused = first_share(made(rows[:4], 2))
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.have, refused.need) == ("too_few_items", 2, 3)


def test_a_covariate_is_the_slope_of_a_logit() -> None:
    """Length decides, strengths do not: statsmodels' logit gives the same to 1e-9."""
    rng = np.random.default_rng(8)
    rows, z = [], []
    for item in range(60):
        for a, b in ((0, 1), (1, 2), (2, 0)):
            gap = float(rng.normal())
            rows.append((item, a, b, float(rng.random() < 1 / (1 + np.exp(-1.2 * gap)))))
            z.append([gap])
    data, covariates = made(rows, 3), np.array(z)
    found = bradley_terry(data, order=False, covariates=covariates)
    assert isinstance(found, Strengths)
    arms = np.eye(3)[:, 1:]
    x = np.hstack([arms[data.first] - arms[data.second], covariates])
    fit = sm.Logit(data.outcome, x).fit(disp=False, method="newton", tol=1e-12)
    covariate = found.covariates[0]
    assert isinstance(covariate, Estimate)
    got = [found.arms[1].value, found.arms[2].value, covariate.value]
    assert got == pytest.approx(fit.params, abs=1e-9)
    assert covariate.low is not None
    assert covariate.low > 0


def test_a_covariate_needs_ten_items_and_one_row_each() -> None:
    """Six items carry strengths, but not the control for length."""
    data = drawn(2, 8, [0.0, 0.3], 0.1, -1.0)
    z = np.random.default_rng(1).normal(size=(data.item.size, 1))
    assert isinstance(bradley_terry(data), Strengths)
    found = bradley_terry(data, covariates=z)
    assert isinstance(found, Refusal)
    assert (found.code, found.have, found.need) == ("too_few_items", 8, 10)
    with pytest.raises(ValueError, match="covariates of shape"):
        bradley_terry(data, covariates=z[1:])


@pytest.mark.parametrize("seed", range(12))
def test_the_share_of_the_first_is_student_s_t_of_scipy_over_items(seed: int) -> None:
    """Three to six items, ties among the outcomes, unequal numbers of comparisons."""
    rng = np.random.default_rng(seed)
    rows = [
        (item, 0, 1, float(rng.choice([0.0, 0.5, 1.0])))
        for item in range(3 + seed % 4)
        for _ in range(1 + int(rng.integers(3)))
    ]
    found = first_share(made(rows, 2))
    assert isinstance(found, Estimate)
    items = sorted({row[0] for row in rows})
    each = [float(np.mean([row[3] for row in rows if row[0] == item])) for item in items]
    assert found.value == pytest.approx(np.mean(each), abs=1e-12)
    if found.low is None or found.high is None:
        assert np.ptp(each) == 0
        return
    known = stats.ttest_1samp(each, 0).confidence_interval()
    assert found.low == pytest.approx(max(0.0, known.low), abs=1e-9)
    assert found.high == pytest.approx(min(1.0, known.high), abs=1e-9)
