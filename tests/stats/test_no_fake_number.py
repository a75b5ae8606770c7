"""Degenerate runs through every figure; ``python -m benchmarks.fuzz`` is the long form."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks.fuzz import figures
from benchmarks.fuzz.stored import stored_faults
from judgebench import stats
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode

DOCS = Path(__file__).parents[2] / "docs" / "statistics.md"
HELPERS = {
    "arrays", "carried", "controls", "davidson", "effects", "human", "gates", "special", "strata",
    "versions",
    "share_spreads",
    "benjamini_yekutieli", "best_weight", "ppi",
    "corrected_mean", "expected_half_width", "labels_needed", "t_quantile", "skewness", "allows",
    "too_few_items", "holm", "max_t", "clustered_max_t", "step_down", "cr2",
    "shared_differences", "every_gap", "quick_gaps", "mid_ranks",
    "spearman", "item_mean", "tau_b", "mean_squares",
    "complete_block", "largest_block",
    "linked_groups", "mean_difference",
    "t_power", "power_range", "wished_gaps", "point_of_ten", "beaten_by", "item_share",
    "renumbered", "rule_power", "sign_blocks", "p_of", "probes", "beyond", "may_stand_in",
    "equal_ends", "least_p", "told_by_flips",
}  # fmt: skip
"""What figures are made of, what takes no data of a run, and what needs people's files."""


@pytest.mark.parametrize("block", range(3))
def test_no_figure_of_a_degenerate_run_is_fake(block: int) -> None:
    """50 runs a block: one item, one judge, constant marks, all blocked, one unit, strangers."""
    figured = refused = 0
    for seed in range(50 * block, 50 * (block + 1)):
        some, more, wrong = figures.run(seed)
        assert wrong == []
        figured, refused = figured + some, refused + more
    assert figured > 500
    assert refused > 2000


@pytest.mark.parametrize("seed", [6, 281, 1244, 4090])
def test_runs_that_once_had_a_fake_number_have_none(seed: int) -> None:
    """Reliability of rounding, an interval of one point, all units of α of one item."""
    assert figures.run(seed)[2] == []


@pytest.mark.parametrize("seed", [0, 1, 2, 6, 7, 8])
def test_no_fake_number_comes_through_the_store(seed: int) -> None:
    """From marks of judges, of people and of pairs to result.json, CSV and the pages."""
    assert stored_faults(seed) == []


def test_every_figure_of_the_room_is_tried() -> None:
    """A new public function is either tried or named as a helper."""
    source = inspect.getsource(figures)
    missing = []
    for found in pkgutil.iter_modules(stats.__path__):
        module = importlib.import_module(f"judgebench.stats.{found.name}")
        missing += [
            f"{found.name}.{name}"
            for name, one in inspect.getmembers(module, inspect.isfunction)
            if one.__module__ == module.__name__
            and not name.startswith("_")
            and not {name, found.name} & HELPERS
            and f"{found.name}.{name}(" not in source
        ]
    assert missing == []


def test_every_figure_of_the_page_names_its_source() -> None:
    """The docstring of each function that docs/statistics.md names says where it is from."""
    rooms = {
        found.name: importlib.import_module(f"judgebench.stats.{found.name}")
        for found in pkgutil.iter_modules(stats.__path__)
    }
    named = [
        getattr(rooms[room], name)
        for room, name in re.findall(r"`([a-z_]+)\.([a-z_0-9]+)`", DOCS.read_text(encoding="utf-8"))
        if name != "csv" and room in rooms
    ]
    assert len(named) > 40
    assert [one.__name__ for one in named if "Source:" not in str(one.__doc__)] == []


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        (Estimate(value=float("nan"), n=3), "not finite"),
        (Estimate(value=1.0, n=3, low=1.0, high=1.0), "without a width"),
        (Estimate(value=1.0, n=3, low=0.5), "one end"),
        (Estimate(value=1.0, n=3, p=0.0), "p outside"),
        (Estimate(value=9.0, n=3, low=1.0, high=2.0), "outside of its interval"),
        (Refusal(statistic="x", code="who_knows", have=0, need=1), "unknown code"),
        (Refusal(statistic="x", code="too_few_items", have=3, need=3), "there are enough"),
    ],
)
def test_the_fuzz_sees_what_is_fake(found: Estimate | Refusal, fault: str) -> None:
    """Each kind of fault is told."""
    totals = figures.degenerate(np.random.default_rng(1))
    assert any(fault in one for one in figures.faults("x", found, totals))


def test_docs_name_every_refusal_code() -> None:
    """A code in a file must be found in the manual."""
    text = DOCS.read_text(encoding="utf-8")
    codes = {code.value for code in RefusalCode}
    assert [code for code in sorted(codes) if f"`{code}`" not in text] == []
