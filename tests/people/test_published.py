"""Published figures of judges against people, reproduced by `judge calibrate`."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.marks.space import Space
from tests.people.runs import axis, calibrated

ROOT = Path(__file__).parents[2]
SETS = Path(os.environ.get("JUDGEBENCH_SHARED", ROOT.parent / "shared")) / "data" / "human"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SETS.is_dir(), reason="the published sets are not beside the clone"),
]


def expected(name: str) -> dict[str, Any]:
    """What a set says is to be reproduced."""
    found: dict[str, Any] = json.loads((SETS / name / "expected.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def bench(space: Space) -> Space:
    """MT-bench: 3,355 votes of people, GPT-4 on every pair."""
    said = space.judge(
        "import", "marks", SETS / "mt_bench" / "judgments.jsonl", "--item", "item_id", "--pair",
        "system", "--rater", "rater", "--rater-kind", "rater_kind", "--mark", "score",
        "--to", "runs/mt",
    )  # fmt: skip
    assert said.code == 0, said.err
    return space


def test_agreement_table_of_mt_bench(bench: Space) -> None:
    """All eight cells of the paper's table, and their votes to the unit."""
    rows = [row for row in expected("mt_bench")["agreement_votes"]["values"] if "published" in row]
    assert len(rows) == 8
    names = {("gpt-4-pair", "S1"): "agreement", ("gpt-4-pair", "S2"): "decided",
             ("expert", "S1"): "among", ("expert", "S2"): "among_decided"}  # fmt: skip
    for turn in (1, 2):
        found = calibrated(
            bench, "--pass", "gpt-4-pair", "--people", "expert_*", "--items", f"*-t{turn}",
            run="runs/mt",
        )["preferences"]  # fmt: skip
        for row in (row for row in rows if row["turn"] == turn):
            cell = found[names[row["a"], row["setup"]]]
            assert cell["n"] == row["votes"]
            assert cell["value"] == pytest.approx(row["agree"], abs=5e-5)


@pytest.mark.parametrize(("epsilon", "winning"), [("0", 0.0), ("0.1", 1 / 3), ("0.2", 1.0)])
def test_alternative_annotator_test_on_mt_bench(bench: Space, epsilon: str, winning: float) -> None:
    """ρ 0.866922 and ω 0, 1/3, 1 for three people, each with n, wins and p."""
    found = calibrated(
        bench, "--pass", "gpt-4-pair", "--people", "author_0,author_4,expert_24", "--independent",
        "--epsilon", epsilon, run="runs/mt",
    )["preferences"]["alt_test"]  # fmt: skip
    assert found["advantage"] == pytest.approx(0.866922, abs=1e-6)
    assert found["winning_rate"] == pytest.approx(winning)
    want = expected("mt_bench")["alt_test_gpt4_pair"]["values"]["per_rater"]
    for row in found["people"]:
        one = want[row["person"]]
        assert (row["judge_wins"], row["person_wins"]) == pytest.approx(
            (one["rho_llm"], one["rho_human"]), abs=1e-6
        )
        if epsilon == "0.2":
            assert row["p"] == pytest.approx(one["p_eps_0_2"], rel=1e-5)


@pytest.mark.parametrize("epsilon", ["0.1", "0.15", "0.2"])
def test_alternative_annotator_test_of_all_people_on_mt_bench(bench: Space, epsilon: str) -> None:
    """ρ 0.861339 and ω of the 49 people with 30 votes or more; the other 16 are counted."""
    found = calibrated(
        bench, "--pass", "gpt-4-pair", "--independent", "--epsilon", epsilon, run="runs/mt"
    )["preferences"]["alt_test"]
    want = expected("mt_bench")["alt_test_gpt4_pair"]["values"]["all_49_raters_with_30_or_more"]
    assert found["advantage"] == pytest.approx(want["advantage_probability"], abs=1e-6)
    assert found["winning_rate"] == pytest.approx(want["winning_rate"][f"eps={epsilon}"], abs=1e-6)
    assert (len(found["people"]), found["left_out"]) == (49, 16)


def test_reliability_of_hanna(space: Space) -> None:
    """ICC(1,1) and ordinal α as published; ICC(A,1) refused; marks off the scale are said."""
    said = space.judge(
        "import", "marks", SETS / "hanna" / "judgments.parquet", "--item", "item_id", "--arm",
        "system", "--criterion", "dimension", "--rater", "rater", "--rater-kind", "rater_kind",
        "--mark", "score", "--scale", "1-5", "--to", "runs/hanna",
    )  # fmt: skip
    assert said.code == 0, said.err
    assert "1,051 marks" in said.out
    found = calibrated(space, "--pass", "Beluga-13B/p1", "--slots", run="runs/hanna")
    for name, want in expected("hanna")["reliability_per_dimension"]["values"].items():
        one = axis(found, name)
        assert one["icc_one"]["value"] == pytest.approx(want["icc11"], abs=1e-6)
        assert one["icc_one_mean"]["value"] == pytest.approx(want["icc1k"], abs=1e-6)
        assert one["people_alpha"]["value"] == pytest.approx(want["alpha_ordinal"], abs=1e-6)
        assert one["icc_absolute"]["code"] == "raters_not_identified"
        assert one["alt_test"]["code"] == "raters_not_identified"
    ((off, _),) = space.ask(
        "SELECT count(*) FILTER (reason = 'off_scale'), count(*) FROM mark_rows AS m JOIN passes"
        " AS p ON m.pass_id = p.pass_id WHERE p.judge_name = 'Beluga-13B/p1'"
    )
    assert found["labels"]["off_scale"] == off
