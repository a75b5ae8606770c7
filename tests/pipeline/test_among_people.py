"""Agreement of people is of the metric that their scale asks for, as everywhere else."""

import numpy as np
import pytest

from judgebench.model.nouns import Estimate, Refusal
from judgebench.pipeline.jury.rater_cells import units_of
from judgebench.pipeline.people.among_people import people_agreement
from judgebench.stats import agreement, human
from judgebench.stats.agreement import Metric


@pytest.mark.parametrize(("span", "metric"), [(9, "ordinal"), (20, "ordinal"), (100, "interval")])
def test_alpha_of_people_is_ordinal_on_a_scale_of_ten_else_interval(
    span: float, metric: Metric
) -> None:
    """Of people among themselves and beside a judge: the α that `judge agree` prints too."""
    rng = np.random.default_rng(int(span))
    truth = rng.beta(0.6, 0.6, (2, 24, 1)) * span
    people = np.clip(np.rint(truth + rng.normal(0, span / 8, (2, 24, 3))), 0, span)
    units, items = units_of(np.moveaxis(people, 2, 0))
    expected = {
        name: agreement.alpha(units, metric=name, items=items) for name in ("ordinal", "interval")
    }
    found = people_agreement(people, identified=True, span=span)
    assert expected["ordinal"] != expected["interval"]
    assert found.alpha == expected[metric]
    held = human.beside(people, people[:, :, 0], span=span)
    assert not isinstance(held, Refusal)
    assert isinstance(held.alpha, Estimate)
    pair = np.stack([people[:, :, 0], people.mean(axis=2)], axis=-1).reshape(-1, 2)
    two = agreement.alpha(pair, metric=metric, items=items)
    assert isinstance(two, Estimate)
    assert held.alpha.value == pytest.approx(two.value, abs=1e-12)
