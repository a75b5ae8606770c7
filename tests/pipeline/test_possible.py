"""No interval and no gap goes beyond the scale."""

import dataclasses

import pytest

from judgebench.model.agreement import Gaps, Noise
from judgebench.model.nouns import Estimate, Refusal
from judgebench.pipeline.figures.possible import agreement, clipped, possible, reached, seen
from judgebench.reports import agree_figures, markdown, tables, terminal
from tests.reports import make, make_agreement

WIDE = Estimate(value=5.0, n=3, low=-14.0, high=24.0, kind="t")


def test_intervals_end_where_the_scale_does() -> None:
    """Differences of arms, pairs and criteria, means and totals, on every page alike."""
    whole = make.extended(make.result(items=5))
    arms = tuple(dataclasses.replace(arm, difference=WIDE) for arm in whole.arms)
    pairs = tuple(dataclasses.replace(pair, difference=WIDE) for pair in whole.pairs)
    found = possible(dataclasses.replace(whole, arms=arms, pairs=pairs))
    differences = [one.difference for one in found.arms]
    differences += [one.difference for one in found.pairs]
    assert {(one.low, one.high) for one in differences if isinstance(one, Estimate)} == {(-9, 9)}
    row = tables.rows(found)[1]
    assert row.difference == "+5.00 (-9.00 to +9.00)"
    for page in (terminal.render(found), markdown.render(found)):
        assert "14.0" not in page
        assert "24.0" not in page
    assert found.extended is not None
    means = [row.mean for one in found.extended.criteria for row in one.rows]
    assert all(one.high is None or one.high <= 10 for one in means if isinstance(one, Estimate))


def test_shares_end_at_none_and_all() -> None:
    """Also those against the reference arm."""
    whole = make.pairs()
    assert whole.comparing is not None
    wide = Estimate(value=0.5, n=8, low=-0.4, high=1.4)
    compared = tuple(
        dataclasses.replace(one, against_reference=wide) for one in whole.comparing.arms
    )
    comparing = dataclasses.replace(whole.comparing, arms=compared)
    found = possible(dataclasses.replace(whole, comparing=comparing)).comparing
    assert found is not None
    assert {found.arms[0].against_reference} == {dataclasses.replace(wide, low=0.0, high=1.0)}


def test_a_gap_wider_than_the_scale_is_refused_in_words() -> None:
    """1.88 of a share, 9.40 of nine points."""
    refused = seen(Estimate(value=9.4, n=3, kind="power"), 9.0)
    assert isinstance(refused, Refusal)
    whole = make.result(items=3, detectable=refused)
    assert tables.answer(whole) == (
        "3 items: no arm is shown better than another. "
        "No gap on this scale would be found reliably."
    )
    assert ("detectable gap", "no gap on this scale would be found reliably") in [
        (name, why.partition(" (")[0]) for name, why in tables.why(whole)
    ]
    assert "A true gap" not in markdown.render(whole)


@pytest.mark.parametrize("gap", [8.9, 9.0])
def test_a_gap_that_the_scale_holds_stays(gap: float) -> None:
    """Up to its whole width."""
    found = Estimate(value=gap, n=3, kind="power")
    assert seen(found, 9.0) is found


def test_what_has_no_interval_stays_as_it_is() -> None:
    """Refusals, values alone, and a value beyond the scale, which is not moved."""
    alone = Estimate(value=3.0, n=1)
    assert clipped(alone, 0, 1) is alone
    assert clipped(None, 0, 1) is None
    assert clipped(Estimate(value=1.2, n=3, low=0.9, high=1.5), 0, 1).high == 1.2


def test_gaps_between_passes_end_where_the_scale_does() -> None:
    """Shift, limits of agreement, repeatability limit, detectable gaps; all is "anything"."""
    whole = make_agreement.two()
    row, *rest = whole.rows
    assert isinstance(row.shift, Gaps)
    assert isinstance(row.noise, Noise)
    wide = dataclasses.replace(row.shift, bias=WIDE, low=-20.0, high=30.0)
    row = dataclasses.replace(row, shift=wide, noise=dataclasses.replace(row.noise, limit=12.0))
    found = agreement(dataclasses.replace(whole, rows=(row, *rest)))
    shift, noise = found.rows[0].shift, found.rows[0].noise
    assert isinstance(shift, Gaps)
    assert isinstance(shift.bias, Estimate)
    assert (shift.bias.low, shift.bias.high, shift.low, shift.high) == (-9, 9, -9, 9)
    assert agree_figures.shift(shift, found) == "+5.00 (anything)"
    assert isinstance(noise, Noise)
    assert noise.limit == 9
    assert "as anything on the scale (95 %)" in agree_figures.noise(noise, found)
    half = dataclasses.replace(shift, bias=dataclasses.replace(WIDE, low=1.0, high=9.0))
    assert agree_figures.shift(half, found) == "+5.00 ±4.00"
    cut = dataclasses.replace(shift, bias=dataclasses.replace(WIDE, low=-2.0, high=9.0))
    assert agree_figures.shift(cut, found) == "+5.00 (-2.00 to +9.00)"
    assert (reached(9.5, 9.0), reached(3.0, 9.0), reached(None, 9.0)) == (None, 3.0, None)
