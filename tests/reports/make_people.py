"""A judge against people, made by hand: one criterion with every figure, one refused."""

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.people import (
    AltTest,
    Axis,
    Beside,
    Calibration,
    Ceiling,
    Corrected,
    CorrectedArm,
    Counted,
    Excluded,
    Labels,
    Leaning,
    PeoplePair,
    Preferences,
    Standing,
)

SHOWN = "0123456789ab"


def wide(value: float, half: float = 0.5) -> Estimate:
    """A figure with an interval."""
    return Estimate(value=value, n=30, low=value - half, high=value + half, kind="t")


def refused(statistic: str, code: str = "too_few_items") -> Refusal:
    """A figure that is not printed."""
    return Refusal(statistic=statistic, code=code, have=5, need=10)


def corrected(value: float, half: float = 0.5) -> Corrected:
    """A figure as people would have it, the judge two points above."""
    return Corrected(
        estimate=wide(value, half),
        weight=0.5,
        rule="fitted",
        labels=30,
        others=30,
        raw=min(value + 2, 10),
        correlation=0.7,
        gain=0.9,
    )


def whole(name: str = "grounding", *, half: float = 0.5) -> Axis:
    """A criterion on which all is known."""
    return Axis(
        id=name,
        head=name,
        counted=Counted(people=2, items=30, cells=60, marks=120, twice=60, items_twice=30),
        standing=Standing.NOT,
        beside=Beside(
            bias=wide(2.0, half),
            mae=wide(2.0, half),
            limits_low=-half,
            limits_high=4.0 + half,
            slope=0.1,
            alpha=wide(0.4, 0.1),
            exact=0.2,
            exact_chance=0.1,
            ordering=wide(0.7, 0.1),
            items=30,
            cells=60,
        ),
        ceiling=Ceiling(
            person_mae=0.8,
            judge_mae=2.1,
            further=wide(1.3, half),
            person_ordering=0.7,
            judge_ordering=0.6,
            people=2,
            items=30,
        ),
        alt_test=AltTest(
            winning_rate=0.0,
            advantage=0.3,
            epsilon=0.15,
            passes=False,
            people=(
                Excluded(
                    person="ana", judge_wins=0.2, person_wins=0.8, items=30, p=0.9, rejected=False
                ),
            ),
            left_out=0,
        ),
        leanings=(Leaning(arm="north", gap=wide(0.7, half)),),
        people_alpha=wide(0.7, 0.1),
        same=0.4,
        same_pairs=60,
        icc_one=wide(0.7, 0.1),
        icc_one_mean=wide(0.8, 0.1),
        icc_absolute=wide(0.7, 0.1),
        arms=(
            CorrectedArm(arm="north", people=6.0, items=30, figure=corrected(6.0, half)),
            CorrectedArm(arm="willow", people=5.0, items=30, figure=corrected(5.0, half)),
        ),
        pairs=(
            PeoplePair(
                first="north",
                second="willow",
                shared=30,
                alone=wide(1.0, half),
                separated=True,
                corrected=corrected(1.0, half),
            ),
        ),
        best=("north",),
    )


def empty(name: str = "actionability") -> Axis:
    """A criterion on which nothing can be said yet."""
    no = refused
    return Axis(
        id=name,
        head=name,
        counted=Counted(people=1, items=5, cells=5, marks=5, twice=0, items_twice=0),
        standing=Standing.NOT_SHOWN,
        beside=no("judge_against_people"),
        ceiling=no("ceiling", "single_annotator"),
        alt_test=no("alt_test", "single_annotator"),
        leanings=no("leaning"),
        people_alpha=no("alpha", "single_annotator"),
        same=None,
        same_pairs=0,
        icc_one=no("icc"),
        icc_one_mean=no("icc"),
        icc_absolute=no("icc"),
        arms=(
            CorrectedArm(
                arm="north", people=6.0, items=5, figure=no("corrected", "labels_not_random")
            ),
        ),
        pairs=(),
        best=no("best"),
    )


def calibration(
    *axes: Axis, preferences: Preferences | None = None, sampling: str = "draw"
) -> Calibration:
    """A judge beside people on these criteria."""
    return Calibration(
        run_name="notice",
        pass_id=SHOWN,
        judge_name="meter",
        judge_model="meter-1",
        rubric_name="notice",
        rubric_version="1",
        scale_low=1.0,
        scale_high=10.0,
        labels=Labels(
            files=("people.csv",),
            people=("ana", "ben"),
            identified=True,
            blind="yes",
            items=30,
            items_all=60,
            drawn=30,
            sampling=sampling,
            split="all",
            tuned=False,
            splittable=True,
            off_scale=0,
            earlier_looks=0,
        ),
        axes=axes or (whole(), empty()),
        preferences=preferences,
        plan=None,
        needs=refused("alt_test", "single_annotator"),
    )
