"""Published sets through the commands: the figures that their authors, or libraries, give.

The sets are no part of the repository. What is not repeated here: correlations pooled
over items, calibration maps and corrections by human marks, which are not this tool's;
the order of systems by τ-b (equal means tie here); the alternative annotator test;
agreement counted vote by vote.
"""

import csv
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from judgebench.model import Estimate, Refusal
from judgebench.pipeline.gather import FloatArray
from judgebench.stats import agreement, pairwise
from judgebench.stats.icc import icc
from tests.marks.space import Space

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("JUDGEBENCH_SHARED", ROOT.parent / "shared"))
SETS = SHARED / "data" / "human"
CODING = SHARED / "data" / "llm-coding-benchmark"
NAMES = ("--criterion", "dimension", "--rater", "rater", "--rater-kind", "rater_kind")
FORM = ("--item", "item_id", *NAMES, "--mark", "score")

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SETS.is_dir(), reason="the published sets are not beside the clone"),
]


def expected(name: str) -> dict[str, Any]:
    """The figures to meet, by their names."""
    loaded = json.loads((SETS / name / "expected.json").read_text(encoding="utf-8"))
    return {key: one["values"] for key, one in loaded.items()}


def table_of(name: str) -> list[dict[str, str]]:
    """A table taken from the source."""
    with (SETS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def value(found: object) -> float:
    """The figure; a refusal fails the test."""
    assert isinstance(found, Estimate), found
    return found.value


def pivot(
    rows: list[tuple[Any, ...]], parse: Callable[[Any], float] = float
) -> tuple[FloatArray, list[Any], list[Any]]:
    """Rows of (unit, rater, mark) as an array of units × raters with both names."""
    units, raters = sorted({row[0] for row in rows}), sorted({row[1] for row in rows})
    place = {unit: at for at, unit in enumerate(units)}
    of_rater = {rater: at for at, rater in enumerate(raters)}
    out = np.full((len(units), len(raters)), np.nan)
    for unit, rater, mark in rows:
        if mark is not None:
            out[place[unit], of_rater[rater]] = parse(mark)
    return out, units, raters


@pytest.fixture(scope="module")
def hanna(tmp_path_factory: pytest.TempPathFactory) -> Space:
    """Stories rated by three people and twenty judges."""
    space = empty(tmp_path_factory.mktemp("hanna"))
    said = space.judge(
        "import", "marks", SETS / "hanna" / "judgments.parquet", "--to", "runs/given", *FORM,
        "--arm", "system", "--scale", "1-5",
    )  # fmt: skip
    assert said.code == 0, said.err
    assert "off the scale: 1,051 marks, left out" in said.out
    return space


def empty(folder: Path) -> Space:
    """A workspace in this folder."""
    (folder / "judges.toml").touch()
    return Space(folder)


def people(space: Space, criterion: str) -> FloatArray:
    """Units × persons of one criterion."""
    rows = space.ask(
        "SELECT concat(item, '/', arm), label, mark FROM mark_rows JOIN passes USING (pass_id)"
        " WHERE route = 'people' AND criterion = $criterion",
        criterion=criterion,
    )
    return pivot(rows)[0]


def test_hanna_reliability_of_slots(hanna: Space) -> None:
    """ICC(1,1) and ICC(1,3) as published, negative ones too; the other forms are refused."""
    for name, want in expected("hanna")["reliability_per_dimension"].items():
        marks = people(hanna, name)
        assert marks.shape == (1056, 3)
        found = icc(marks, identified=False)
        assert not isinstance(found, Refusal)
        assert found.one.value == pytest.approx(want["icc11"], abs=1e-6), name
        assert found.one_mean.value == pytest.approx(want["icc1k"], abs=1e-6), name
        assert [found.one.low, found.one.high] == pytest.approx(want["icc11_ci"], abs=1e-4)
        assert isinstance(found.absolute, Refusal)
        assert found.absolute.code == "raters_not_identified"
        for metric in ("interval", "ordinal", "nominal"):
            alpha = value(agreement.alpha(marks, metric=metric))
            assert alpha == pytest.approx(want[f"alpha_{metric}"], abs=1e-6), (name, metric)


def test_hanna_weighted_kappa_of_slots(hanna: Space) -> None:
    """Quadratic-weighted κ of each two slots."""
    for name, want in expected("hanna")["quadratic_weighted_kappa"].items():
        marks = people(hanna, name)
        for pair, figure in want.items():
            first, second = int(pair[1]) - 1, int(pair[3]) - 1
            found = value(agreement.quadratic_kappa(marks[:, first], marks[:, second]))
            assert found == pytest.approx(figure, abs=1e-6), (name, pair)


def test_hanna_table_of_systems(hanna: Space) -> None:
    """All 66 means of the paper's table stand in `judge table`."""
    shown = hanna.table("--pass", "people")
    means = {
        (arm["arm"]["id"], one["criterion"]): one["mean"]
        for arm in shown["arms"]
        for one in arm["criteria"]
    }
    rows = table_of("hanna/published_table.csv")
    assert len(rows) == len(means) == 66
    for row in rows:
        found = means[row["system"], row["dimension"]]
        assert found == pytest.approx(float(row["mean"]), abs=1e-6)
        assert found == pytest.approx(float(row["published_mean"]), abs=0.00501)


def test_hanna_marks_off_the_scale_are_reported_for_each_judge(hanna: Space) -> None:
    """The counts of the source, by judge; none of them in a mean."""
    rows = hanna.ask(
        "SELECT judge_name, count(*) FROM mark_rows JOIN passes USING (pass_id)"
        " WHERE reason = 'off_scale' GROUP BY judge_name"
    )
    assert dict(rows) == expected("hanna")["off_scale_scores"]
    flags = hanna.table("--pass", "Llama-13B/p4")["warnings"]
    assert next(one for one in flags if one["code"] == "off_scale")["facts"]["marks"] == 182
    (worst,) = hanna.ask("SELECT min(mark) FROM mark_rows")
    assert worst == (1.0,)


def test_summeval_alpha_of_experts(tmp_path: Path) -> None:
    """α of three experts at three levels for each dimension, and pooled."""
    space = empty(tmp_path)
    said = space.judge(
        "import", "marks", SETS / "summeval" / "judgments.parquet", "--to", "runs/given", *FORM,
        "--arm", "system", "--scale", "1-5",
    )  # fmt: skip
    assert "16 arms, 100 items, 19,200 marks" in said.out
    for metric, want in expected("summeval")["alpha"].items():
        marks = {name: people(space, name) for name in ("coherence", "consistency", "fluency")}
        marks["relevance"] = people(space, "relevance")
        for name, found in marks.items():
            alpha = value(agreement.alpha(found, metric=metric))
            assert alpha == pytest.approx(want[name], abs=5.1e-5), (name, metric)
        pooled = value(agreement.alpha(np.concatenate(list(marks.values())), metric=metric))
        assert pooled == pytest.approx(want["all_6400_units_pooled"], abs=5.1e-5), metric


@pytest.fixture(scope="module")
def mt_bench(tmp_path_factory: pytest.TempPathFactory) -> Space:
    """Pairs voted on by 65 people, and by GPT-4 in both orders."""
    space = empty(tmp_path_factory.mktemp("mt_bench"))
    said = space.judge(
        "import", "marks", SETS / "mt_bench" / "judgments.jsonl", "--to", "runs/given", *FORM,
        "--pair", "system",
    )  # fmt: skip
    assert said.code == 0, said.err
    assert "6 arms, 160 items, 5,755 marks" in said.out
    return space


def votes(space: Space, route: str, who: str = "%") -> list[tuple[str, str, str, str, float]]:
    """Comparisons: item, rater, first arm, second arm, share of the first."""
    return space.ask(
        "SELECT a.item, a.label[:-3], a.arm, b.arm, a.mark FROM mark_rows AS a"
        " JOIN mark_rows AS b ON a.pass_id = b.pass_id AND a.key = b.key AND b.label LIKE '% b'"
        " JOIN passes AS p ON a.pass_id = p.pass_id"
        " WHERE a.label LIKE '% a' AND p.route = $route AND a.label LIKE $who ORDER BY ALL",
        route=route, who=who,
    )  # fmt: skip


def strengths(rows: list[tuple[str, str, str, str, float]]) -> dict[str, float]:
    """Bradley–Terry strengths of decided votes, mean zero."""
    arms = sorted({arm for row in rows for arm in row[2:4]})
    items = sorted({row[0] for row in rows})
    decided = [row for row in rows if row[4] != 0.5]
    found = pairwise.bradley_terry(
        pairwise.Comparisons(
            item=np.array([items.index(row[0]) for row in decided]),
            first=np.array([arms.index(row[2]) for row in decided]),
            second=np.array([arms.index(row[3]) for row in decided]),
            outcome=np.array([row[4] for row in decided]),
            n_arms=len(arms),
        ),
        order=False,
    )
    assert not isinstance(found, Refusal)
    values = np.array([one.value for one in found.arms])
    return dict(zip(arms, values - values.mean(), strict=True))


@pytest.mark.parametrize(
    ("name", "route", "who", "n"),
    [
        ("experts (2094 decided votes)", "people", "expert%", 2094),
        ("all humans (2575)", "people", "%", 2575),
        ("gpt-4-pair (1800)", "marks", "%", 1800),
    ],
)
def test_mt_bench_strengths(mt_bench: Space, name: str, route: str, who: str, n: int) -> None:
    """Strengths from stored comparisons, to the four decimals that are given."""
    rows = votes(mt_bench, route, who)
    assert sum(row[4] != 0.5 for row in rows) == n
    want = expected("mt_bench")["bradley_terry_log_strength_mean_zero"][name]
    assert strengths(rows) == pytest.approx(want, abs=1.01e-4)


def test_mt_bench_people_among_themselves_and_with_gpt_4(mt_bench: Space) -> None:
    """α of 65 raters on 1,814 pairs; κ of their majority with GPT-4."""
    cast = votes(mt_bench, "people")
    assert len(cast) == 3355
    rows = [(f"{item} {a} {b}", rater, 2 * mark - 1) for item, rater, a, b, mark in cast]
    marks, units, raters = pivot(rows)
    assert marks.shape == (1814, 65)
    assert len(raters) == 65
    wanted = expected("mt_bench")
    for metric, figure in wanted["human_alpha"].items():
        found = value(agreement.alpha(marks, metric=metric))
        assert found == pytest.approx(figure, abs=1e-6), metric
    judged = {f"{item} {a} {b}": 2 * mark - 1 for item, _, a, b, mark in votes(mt_bench, "marks")}
    assert len(judged) == 2400
    counts: dict[str, list[int]] = {unit: [0, 0, 0] for unit in units}
    for unit, _, vote in rows:
        counts[unit][int(vote) + 1] += 1
    # No majority counts as a tie.
    majority = np.array(
        [
            float(np.argmax(c)) - 1 if c.count(max(c)) == 1 else 0.0
            for c in counts.values()
        ]
    )  # fmt: skip
    model = np.array([judged[unit] for unit in counts])
    want = wanted["majority_vs_gpt4"]
    assert float(np.mean(majority == model)) == pytest.approx(want["agreement"], abs=1e-6)
    kappa = agreement.cohen_kappa(majority, model, categories=np.array([-1.0, 0.0, 1.0]))
    assert value(kappa) == pytest.approx(want["cohen_kappa"], abs=1e-6)


def test_llmbar_both_orders_of_every_judge(tmp_path: Path) -> None:
    """All 325 rows of the source's table: right in each order, in both, and κ between orders."""
    space = empty(tmp_path)
    said = space.judge(
        "import", "marks", SETS / "llmbar" / "judgments.parquet", "--to", "runs/given", *FORM,
        "--pair", "system", "--order", "order",
    )  # fmt: skip
    assert said.code == 0, said.err
    assert "no mark in 134 rows: blocked as no_verdict" in said.out
    given = space.ask(
        "SELECT judge_name, item, label LIKE '% second', mark FROM mark_rows"
        " JOIN passes USING (pass_id) WHERE arm = 'output_1'"
    )
    marks = {(who, item, second): mark for who, item, second, mark in given}
    items = sorted({item for who, item, _ in marks if who == "people"})
    assert len(items) == 419
    gold = {item: marks["people", item, False] for item in items}
    rows = table_of("llmbar/published.csv")
    assert len(rows) == 325
    for rater in ("GPT-4/CoT", "GPT-4/Vanilla", "ChatGPT-0301/CoT"):
        said = space.judge("table", "runs/given", "--pass", rater, "--json")
        found = json.loads(said.out)["comparing"]
        turned = found["turned_first"] + found["turned_second"]
        same = sum(int(row["same_both_orders"]) for row in rows if row["rater"] == rater)
        assert found["both_orders"] - turned - found["loosened"] == same, rater
    for row in rows:
        mine = [item for item in items if item.startswith(row["subset"])]
        orders = [[marks[row["rater"], item, second] for item in mine] for second in (False, True)]
        right = [
            [mark is not None and mark == gold[item] for mark, item in zip(one, mine, strict=True)]
            for one in orders
        ]
        found = [
            len(mine), sum(right[0]), sum(right[1]),
            sum(a and b for a, b in zip(*right, strict=True)),
        ]  # fmt: skip
        names = ("n", "correct_12", "correct_21", "correct_both")
        assert found == [int(row[name]) for name in names], row
        # The source takes "no verdict" and "not output 1" for one class.
        first, second = (np.array([float(mark == 1) for mark in one]) for one in orders)
        kappa = agreement.cohen_kappa(first, second, categories=np.array([0.0, 1.0]))
        if isinstance(kappa, Estimate):
            assert kappa.value == pytest.approx(float(row["kappa_between_orders"]), abs=1e-8)
    llmbar_order_12(marks, items, gold)


def llmbar_order_12(
    marks: dict[tuple[str, str, bool], float | None], items: list[str], gold: dict[str, float]
) -> None:
    """Six judges under one prompt, first order: right answers, κ with the label, α among them."""
    wanted = expected("llmbar")
    columns = []
    for who, want in wanted["vanilla_order_12"].items():
        found = np.array([np.nan if (m := marks[who, i, False]) is None else m for i in items])
        label = np.array([gold[item] for item in items])
        there = np.isfinite(found)
        assert int(there.sum()) == want["n"]
        right = float(np.mean(found[there] == label[there]))
        assert right == pytest.approx(want["accuracy"], abs=1e-6)
        kappa = agreement.cohen_kappa(found, label, categories=np.array([0.0, 1.0]))
        assert value(kappa) == pytest.approx(want["kappa"], abs=1e-6), who
        columns.append(found)
    block = np.stack(columns, axis=1)
    for subset, want in wanted["alpha_nominal_six_vanilla_judges_order_12"].items():
        mine = [at for at, item in enumerate(items) if subset == "all" or item.startswith(subset)]
        alpha = value(agreement.alpha(block[mine], metric="nominal"))
        assert alpha == pytest.approx(want, abs=1e-6), subset


def test_judgebench_two_games(tmp_path: Path) -> None:
    """Right where the right answer wins more of two orders; a part of the file is taken."""
    space = empty(tmp_path)
    said = space.judge(
        "import", "marks", SETS / "judgebench" / "judgments.parquet", "--to", "runs/given",
        *FORM, "--pair", "system", "--order", "order", "--keep", "dimension=correctness",
    )  # fmt: skip
    assert said.code == 0, said.err
    assert "no mark in 13 rows: blocked as no_verdict" in said.out
    given = space.ask(
        "SELECT judge_name, item, label, mark FROM mark_rows JOIN passes USING (pass_id)"
        " WHERE arm = 'A'"
    )
    gold = {item: mark for who, item, _, mark in given if who == "people"}
    assert len(gold) == 620
    judge = "arena_hard/o1-mini-2024-09-12"
    games: dict[str, dict[str, float | None]] = {}
    for who, item, label, mark in given:
        if who == judge:
            games.setdefault(item, {})[label.rsplit(" ", 1)[1]] = mark
    assert len(games) == 350
    won = sum(
        sum((m is not None) * (m - 0.5) for m in two.values() if m is not None)
        * (gold[item] - 0.5) > 0
        for item, two in games.items()
    )  # fmt: skip
    want = expected("judgebench")["accuracy_percent"][judge]
    assert 100 * won / 350 == pytest.approx(want["overall"], abs=0.005)
    turned = sum(two["first"] != two["second"] for two in games.values())
    assert turned == want["order_inconsistent"]
    rows = [
        (item, who, mark)
        for who, item, label, mark in given
        if who != "people" and item.startswith("gpt-") and label.endswith(" first")
    ]
    marks, _, raters = pivot(rows)
    assert (marks.shape[0], len(raters)) == (350, 6)
    alpha = value(agreement.alpha(marks, metric="nominal"))
    figure = json.loads((SETS / "judgebench" / "expected.json").read_text(encoding="utf-8"))
    wanted = figure["alpha_nominal_six_judges_gpt_items_order_AB"]["values"]
    assert alpha == pytest.approx(wanted, abs=1e-6)


def test_coding_second_opinions(tmp_path: Path) -> None:
    """Eight second opinions: 7.1 points lower on average, 7.9 apart; one task is no ranking."""
    space = empty(tmp_path)
    records = json.loads((CODING / "scores.json").read_text(encoding="utf-8"))
    opinions = records["second_opinions"]
    assert len(opinions) == 8
    path = space.csv(
        [(one["slug"], who, one[who]) for one in opinions for who in ("first", "second")],
        head=("slug", "rater", "total"),
    )
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--arm", "slug", "--rater", "rater",
        "--mark", "total", "--scale", "0-100",
    )  # fmt: skip
    assert "8 arms, 1 items, 16 marks, scale 0 to 100" in said.out
    rows = space.ask("SELECT arm, label, mark FROM mark_rows")
    marks, _, raters = pivot(rows)
    assert raters == ["first", "second"]
    limits = agreement.limits_of_agreement(marks[:, 1], marks[:, 0])
    assert not isinstance(limits, Refusal)
    assert limits.bias.value == pytest.approx(-7.1, abs=0.05)
    close = agreement.closeness(marks)
    assert not isinstance(close, Refusal)
    assert close.gap == pytest.approx(7.9, abs=0.05)
    shown = space.judge("table", "runs/given", "--pass", "first").out
    assert "do not say which arm is better on other prompts" in " ".join(shown.split())


def test_coding_dimensions_of_the_second_rubric(tmp_path: Path) -> None:
    """Forty-three records with ten dimensions go in as one item; their sums are the totals."""
    space = empty(tmp_path)
    with (CODING / "scores_v2.csv").open(encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file))
    names = list(records[0])[8:18]
    whole = [row for row in records if all(row[name] for name in names)]
    assert len(whole) == 43
    path = space.csv(
        [(f"{r['slug']} ({r['condition']})", name, r[name]) for r in whole for name in names],
        head=("arm", "criterion", "mark"),
    )
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--arm", "arm", "--criterion", "criterion",
        "--mark", "mark", "--scale", "0-15",
    )  # fmt: skip
    assert said.code == 0, said.err
    sums = dict(space.ask("SELECT arm, sum(mark) FROM mark_rows GROUP BY arm"))
    for row in whole:
        assert sums[f"{row['slug']} ({row['condition']})"] == float(row["total"])
