"""One rule of rounding for every page: halves away from zero, on the decimal number."""

import pytest

from judgebench.reports.digits import fixed, plain, points, share, signed, usd


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (5.25, 1, "5.3"), (5.75, 1, "5.8"), (-5.25, 1, "-5.3"), (2.675, 2, "2.68"),
        (1.005, 2, "1.01"), (0.5, 0, "1"), (2.5, 0, "3"), (0.1 + 0.2 - 0.05, 1, "0.3"),
        (-0.004, 2, "0.00"), (-0.0, 1, "0.0"), (16.05 / 3, 2, "5.35"), (9.99499, 2, "9.99"),
        (999_999_999_999_999.0, 2, "999999999999999.00"),
    ],
)  # fmt: skip
def test_halves_go_away_from_zero(value: float, digits: int, shown: str) -> None:
    """A mean of 5.25 is 5.3 where one decimal is shown; what rounds to zero has no sign."""
    assert fixed(value, digits) == points(value, digits) == shown


def test_signs_shares_and_money_round_alike() -> None:
    """A difference, a share and a price follow the same rule."""
    assert (signed(0.125, 2), signed(-0.125, 2), signed(0.004, 2)) == ("+0.13", "-0.13", "0.00")
    assert (share(0.125), share(0.025), share(0.996)) == ("13 %", "3 %", "over 99 %")
    assert (usd(1.125), plain(1234.125), plain(3.0)) == ("$1.13", "1,234.13", "3")
