"""No gap, width or leaning beside people goes beyond what the scale holds."""

import dataclasses

from judgebench.model.biases import Biases, BiasRow
from judgebench.model.draws import PacketPrecision, Packets, Precision, Sample
from judgebench.model.nouns import Estimate, Mode, Refusal
from judgebench.model.people import (
    Beside,
    Ceiling,
    Corrected,
    PreferencePair,
    Preferences,
    Standing,
)
from judgebench.pipeline.people.possible_people import biases, calibration, packets, sample
from judgebench.reports.sample import render
from tests.reports import make_people

SHOWN = "0123456789ab"


def ends(found: object) -> tuple[float | None, float | None]:
    """Both ends of an interval."""
    assert isinstance(found, Estimate)
    return found.low, found.high


def test_a_judge_beside_people_stays_on_the_scale() -> None:
    """Gaps within nine points of a scale from 1 to 10, means on it, leanings within twice that."""
    made = make_people.calibration(make_people.whole(half=40.0), make_people.empty())
    first, second = calibration(made).axes
    assert isinstance(first.beside, Beside)
    assert isinstance(first.ceiling, Ceiling)
    assert not isinstance(first.leanings, Refusal)
    assert ends(first.beside.bias) == (-9, 9)
    assert ends(first.beside.mae) == (0, 9)
    assert (first.beside.limits_low, first.beside.limits_high) == (-9, 9)
    assert ends(first.ceiling.further) == (-9, 9)
    assert ends(first.leanings[0].gap) == (-18, 18)
    assert isinstance(first.arms[0].figure, Corrected)
    assert ends(first.arms[0].figure.estimate) == (1, 10)
    assert ends(first.pairs[0].alone) == (-9, 9)
    assert isinstance(first.pairs[0].corrected, Corrected)
    assert ends(first.pairs[0].corrected.estimate) == (-9, 9)
    assert second == made.axes[1]


def test_shares_of_preferences_end_at_none_and_all() -> None:
    """People's and the judge's."""
    no = make_people.refused("vote_agreement")
    pair = PreferencePair(
        first="north", second="willow", share=make_people.wide(0.9, 0.3),
        judge=make_people.wide(0.1, 0.3), comparisons=12,
    )  # fmt: skip
    made = make_people.calibration(
        preferences=Preferences(
            pairs=(pair,), comparisons=12, people=2, agreement=no, decided=no, among=no,
            among_decided=no, alt_test=no, standing=Standing.NOT_SHOWN,
        )
    )  # fmt: skip
    found = calibration(made).preferences
    assert found is not None
    assert ends(found.pairs[0].share) == (0.6000000000000001, 1.0)
    assert ends(found.pairs[0].judge)[0] == 0.0


def test_labels_buy_no_width_beyond_the_scale() -> None:
    """Of items and of single answers."""
    drawn = Sample(
        run_name="r", pass_id=SHOWN, draw="d", items=("a",), arms=("x", "y"), population=9,
        probability=0.1, seed=0, already=False, scale_low=1, scale_high=3, spread=9,
        spread_from="judge", correlation=0.5, correlation_known=False, minutes=6,
        rows=(Precision(labels=10, half_width=2.5, people_half_width=7.0, minutes=60),),
    )  # fmt: skip
    row = sample(drawn).rows[0]
    assert (row.half_width, row.people_half_width) == (2.0, 2.0)
    said = " ".join(render(dataclasses.replace(drawn, spread_from="floor")).split())
    assert "the floor of rounding, above what the judge's marks spread" in said
    single = Packets(
        run_name="r", pass_id=SHOWN, draw="d", packets=(), arms=(), seed=0, already=False,
        scale_low=1, scale_high=3, minutes=3,
        rows=(PacketPrecision(labels=10, half_width=1.5, people_half_width=7.0),),
    )  # fmt: skip
    one = packets(single).rows[0]
    assert (one.half_width, one.people_half_width) == (1.5, 2.0)


def probed(*rows: BiasRow, mode: Mode = Mode.POINTWISE) -> Biases:
    """Probes on a scale from 1 to 10."""
    made = Biases(
        run_name="r", pass_id=SHOWN, judge_name="j", judge_model="m", rubric_name="r",
        rubric_version="1", mode=mode, scale_low=1.0, scale_high=10.0, arms=3, items=10,
        reference="", references=(), family=None, own_arms=(), styled=0, rows=rows,
    )  # fmt: skip
    return biases(made)


def test_probes_end_where_marks_and_shares_do() -> None:
    """Leniency, a family's lean, the first place; a correlation stays, a refusal stays."""
    far = make_people.wide(0.1, 30.0)
    row = BiasRow(probe="leniency", unit="points", effect=far, detectable=12.0)
    correlation = dataclasses.replace(row, probe="halo", unit="mean correlation")
    refused = dataclasses.replace(row, effect=make_people.refused("length"), detectable=None)
    found = probed(
        row,
        dataclasses.replace(row, probe="family"),
        dataclasses.replace(row, probe="first_place", unit="share"),
        correlation,
        refused,
    ).rows
    assert [ends(one.effect) for one in found[:3]] == [(-9, 9), (-18, 18), (-0.5, 0.5)]
    assert [one.detectable for one in found[:3]] == [None, 12.0, None]
    assert found[3:] == (correlation, refused)
    (shares,) = probed(row, mode=Mode.PAIRWISE).rows
    assert ends(shares.effect) == (-1, 1)
