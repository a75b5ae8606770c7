"""Spreads that plans assume of shares won, held against published comparisons."""

import os
from itertools import combinations
from pathlib import Path

import duckdb
import numpy as np
import pytest

from judgebench.stats.share_spreads import share_spreads

ROOT = Path(__file__).parents[2]
SETS = Path(os.environ.get("JUDGEBENCH_SHARED", ROOT.parent / "shared")) / "data" / "human"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SETS.is_dir(), reason="the published sets are not beside the clone"),
]


def outcomes(name: str, which: str) -> dict[str, dict[tuple[str, str], float]]:
    """By item and pair, the mean share that the first of the pair won."""
    read = "read_json_auto" if name.endswith("l") else "read_parquet"
    rows = duckdb.execute(
        f"SELECT item_id, system, avg((score + 1) / 2) FROM {read}('{SETS / name}') "  # noqa: S608 - our own words
        f"WHERE {which} AND score IN (-1, 0, 1) AND system LIKE '%|%' GROUP BY ALL"
    ).fetchall()
    found: dict[str, dict[tuple[str, str], float]] = {}
    for item, system, share in rows:
        first, _, second = system.partition("|")
        found.setdefault(item, {})[first, second] = share
    return found


def worst(found: dict[str, dict[tuple[str, str], float]], arms: tuple[str, ...]) -> float:
    """The largest spread of a difference of two of these arms, over items with all pairs."""
    pairs = [*combinations(arms, 2)]
    whole = [one for one in found.values() if one.keys() >= set(pairs)]
    shares = {arm: np.zeros(len(whole)) for arm in arms}
    for a, b in pairs:
        won = np.array([one[a, b] for one in whole])
        shares[a] += won / (len(arms) - 1)
        shares[b] += (1 - won) / (len(arms) - 1)
    return max(float((shares[a] - shares[b]).std(ddof=1)) for a, b in pairs)


@pytest.mark.parametrize("many", [2, 3, 4, 6])
def test_what_is_assumed_holds_the_worst_pairs_of_mt_bench(many: int) -> None:
    """GPT-4's verdicts on 160 items, of every so many of its six arms."""
    found = outcomes("mt_bench/judgments.jsonl", "rater_kind = 'llm'")
    arms = sorted({arm for one in found.values() for pair in one for arm in pair})
    low, high = share_spreads(many)[0], share_spreads(many)[-1]
    spreads = [worst(found, some) for some in combinations(arms, many)]
    assert low < max(spreads) < high


@pytest.mark.parametrize("name", ["llmbar", "judgebench"])
def test_what_is_assumed_holds_single_pairs(name: str) -> None:
    """One rater's verdicts on two answers an item: decisive ones spread by 1."""
    raters = duckdb.execute(
        f"SELECT DISTINCT rater FROM '{SETS / name}/judgments.parquet' WHERE system LIKE '%|%'"  # noqa: S608 - as above
    ).fetchall()
    for (rater,) in raters:
        found = outcomes(f"{name}/judgments.parquet", f"rater = '{rater}'")
        (arms,) = {pair for one in found.values() for pair in one}
        assert worst(found, arms) < share_spreads(2)[-1] * 1.01
