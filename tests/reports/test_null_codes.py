"""Every null of result.json: a code says why, or its field says what null means."""

import ast
import dataclasses
import functools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

import judgebench.model
from judgebench.model.extended import CriterionRow, PairExtra, RepeatExtra
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.result import ArmResult, CriterionMean, JudgeChecks, PairResult, Result
from judgebench.pipeline.jury.agree import AgreeChoices, agree
from judgebench.pipeline.pages.power import PowerChoices, power_of
from judgebench.reports import json
from tests.marks.space import Space, grid
from tests.reports import make, make_audit
from tests.reports.test_gold import partly_blocked

ROOT = Path(__file__).parents[2]
RUNS = ROOT / "runs"
LONG = "runs/2026-09-05"
SHORT = "runs/single-item"
FIGURES = {bool, int, float, Estimate, Refusal}


def refused(value: object) -> bool:
    """Whether it is null with a code."""
    return isinstance(value, Refusal) and bool(value.code)


def _extended_max_t(_: PairExtra, whole: Result) -> bool:
    return whole.extended is not None and refused(whole.extended.max_t)


def _pair_of(one: PairExtra, whole: Result) -> bool:
    pairs = [pair for pair in whole.pairs if {pair.first, pair.second} == {one.first, one.second}]
    return all(refused(pair.difference) for pair in pairs)


def _row(one: CriterionRow, whole: Result) -> bool:
    assert whole.extended is not None
    of = next(each for each in whole.extended.criteria if one in each.rows)
    return one.arm == of.reference or refused(one.difference)


def _ranked(one: CriterionRow, whole: Result) -> bool:
    placed = {arm.arm.id: arm.place_code for arm in whole.arms}
    return refused(one.mean) or refused(one.difference) or placed[one.arm] is not None


Beside = Callable[[Any, Result], bool]
BESIDE: dict[tuple[type, str], Beside] = {
    (ArmResult, "mean"): lambda one, _: refused(one.total),
    (ArmResult, "median"): lambda one, _: refused(one.total),
    (ArmResult, "uncapped"): lambda one, _: refused(one.total),
    (ArmResult, "gated_share"): lambda one, _: refused(one.total),
    (ArmResult, "may_be_best"): lambda one, _: bool(one.place_code),
    (ArmResult, "rank_low"): lambda one, _: bool(one.place_code),
    (ArmResult, "rank_high"): lambda one, _: bool(one.place_code),
    (CriterionMean, "mean"): lambda one, _: one.n == 0,
    (JudgeChecks, "quotes_found"): lambda one, _: refused(one.length_baseline),
    (JudgeChecks, "marks_unsupported"): lambda one, _: refused(one.length_baseline),
    (PairResult, "p_all_pairs"): lambda one, _: refused(one.difference),
    (PairResult, "separated"): lambda one, _: refused(one.difference),
    (PairExtra, "p_holm"): _pair_of,
    (PairExtra, "p_max_t"): _extended_max_t,
    (CriterionRow, "p_holm"): _row,
    (CriterionRow, "separated"): _row,
    (CriterionRow, "may_be_best"): _ranked,
    (CriterionRow, "rank_low"): _ranked,
    (CriterionRow, "rank_high"): _ranked,
    (RepeatExtra, "limit"): lambda one, _: refused(one.sd),
    (RepeatExtra, "exact_share"): lambda one, _: refused(one.sd),
}
"""Fields that hold no code themselves, and where the code of their null stands."""


@functools.cache
def explained() -> frozenset[tuple[str, str]]:
    """Class and field, where the model's own words say what its null means."""
    out = set()
    for path in Path(judgebench.model.__file__).parent.glob("*.py"):
        for one in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(one, ast.ClassDef):
                whole = ast.get_docstring(one) or ""
                out |= {
                    (one.name, name)
                    for name, words in _fields(one)
                    if "None" in words or "None" in whole
                }
    return frozenset(out)


def _fields(one: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for at, line in enumerate(one.body):
        if not (isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)):
            continue
        after = one.body[at + 1] if at + 1 < len(one.body) else None
        words = after.value if isinstance(after, ast.Expr) else None
        known = isinstance(words, ast.Constant) and isinstance(words.value, str)
        yield line.target.id, str(words.value) if known else ""  # type: ignore[union-attr]  # a Constant, by `known`


def nulls(value: object) -> Iterator[tuple[Any, str]]:
    """Every object with a figure that is null."""
    if isinstance(value, dict | tuple):
        for one in value.values() if isinstance(value, dict) else value:
            yield from nulls(one)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            inner = getattr(value, field.name)
            if inner is None and FIGURES & set(get_args(field.type)):
                yield value, field.name
            elif inner is not None:
                yield from nulls(inner)


def unexplained(whole: Result) -> set[str]:
    """Nulls of a result that neither a code nor the model's words explain."""
    out = set()
    for one, name in nulls(whole):
        beside = BESIDE.get((type(one), name))
        words = (type(one).__name__, name) in explained()
        if not (beside(one, whole) if beside else words):
            out.add(f"{type(one).__name__}.{name}")
    return out


HEAD = ("item", "arm", "criterion", "rater", "mark", "kind")
THREE = ("north", "south", "west")
GIVEN: dict[str, list[tuple[object, ...]]] = {
    "marks": grid(arms=THREE),
    "one item": grid(items=1),
    "two items": grid(items=2),
    "one arm": grid(arms=("north",)),
    "people": [(*row, "human") for row in grid(raters=("ann", "bo"))],
    "constant": [(f"i{n}", arm, "c", "m", 8) for n in range(9) for arm in THREE],
    "one item not blocked": [
        (f"i{n}", arm, "c", "m", "" if n else 5) for n in range(4) for arm in THREE
    ],
    "an arm blocked": [
        (f"i{n}", arm, "c", "m", "" if arm == "west" else 4 + n % 4)
        for n in range(7)
        for arm in THREE
    ],
    "disconnected": [(f"i{n}", THREE[n % 2], "c", "m", n % 5 + 1) for n in range(9)],
}


@pytest.mark.parametrize("name", GIVEN)
def test_marks_have_a_reason_for_every_null(tmp_path: Path, name: str) -> None:
    """Runs of marks alone, plain and degenerate, with all further figures."""
    (tmp_path / "runs").mkdir()
    space = Space(tmp_path)
    rows = [row if len(row) == len(HEAD) else (*row, "llm") for row in GIVEN[name]]
    taken = space.take(space.csv(rows, head=HEAD), "--scale", "1-10", "--rater-kind", "kind")
    assert taken.code == 0, taken.err
    assert unexplained(read(space, "runs/given")) == set()


def read(space: Space, run: str) -> Result:
    """What `judge table --extended --json` prints, read back."""
    said = space.judge("table", run, "--json", "--extended")
    assert said.code == 0, said.err
    return json.load_result(said.out)


@pytest.mark.parametrize("run", [LONG, SHORT])
def test_the_sample_runs_have_a_reason_for_every_null(tmp_path: Path, run: str) -> None:
    """A run judged from its recording, of ten items and of one."""
    shutil.copytree(RUNS, tmp_path / "runs")
    shutil.copytree(ROOT / "rubrics", tmp_path / "rubrics")
    (tmp_path / "judges.toml").touch()
    space = Space(tmp_path)
    assert (
        space.judge("score", run, "-q", "--judge", f"replay:{run}/recorded/pointwise.jsonl").code
        == 0
    )
    assert unexplained(read(space, run)) == set()


@pytest.mark.parametrize(
    "made",
    [
        make.pairs,
        lambda: make.pairs(items=1),
        make.all_blocked,
        make_audit.audited,
        lambda: dataclasses.replace(make.result(), strengths=make.strengths("plackett-luce")),
        lambda: dataclasses.replace(
            make.pairs(), strengths=make.unlinked_strengths("bradley-terry")
        ),
    ],
    ids=["pairs", "one item in pairs", "all blocked", "projects", "lists", "equal length"],
)
def test_other_kinds_have_a_reason_for_every_null(made: Callable[[], Result]) -> None:
    """Comparisons, projects, and a run in which nothing was scored."""
    assert unexplained(made()) == set()


ROW = {"shift", "ordering", "kappa", "tau", "w_items", "swaps"}


@pytest.mark.parametrize("raters", [("ann",), ("ann", "bo"), ("ann", "bo", "cy")])
@pytest.mark.parametrize("kind", ["human", "llm"])
def test_agreement_and_plan_have_a_reason_for_every_null(
    tmp_path: Path, kind: str, raters: tuple[str, ...]
) -> None:
    """A row of `agree` leaves out what so many raters have not; else a code or words say why."""
    (tmp_path / "runs").mkdir()
    space = Space(tmp_path)
    rows = [(*row, kind) for row in grid(arms=THREE, raters=raters)]
    taken = space.take(space.csv(rows, head=HEAD), "--scale", "1-10", "--rater-kind", "kind")
    assert taken.code == 0, taken.err
    found = agree(tmp_path / "runs/given", tmp_path, AgreeChoices())
    bare = {(type(one).__name__, name) for one, name in nulls(found)}
    assert {f"{of}.{name}" for of, name in bare - explained()} == set()
    said = space.json("agree")
    assert [
        key for row in (*said["rows"], *said["by_arm"]) for key in ROW if row.get(key, 0) is None
    ] == []
    pair = len(raters) == 2
    assert all(("kappa" in row, "shift" in row) == (pair, pair) for row in said["rows"])
    plan = power_of(tmp_path / "runs/given", tmp_path, PowerChoices())
    bare = {(type(one).__name__, name) for one, name in nulls(plan)}
    assert {f"{of}.{name}" for of, name in bare - explained()} == set()


def test_a_null_without_a_reason_is_found() -> None:
    """A rank that is missing without a code is one."""
    whole = partly_blocked()
    first = dataclasses.replace(whole.arms[0], rank_low=None, place_code=None)
    broken = dataclasses.replace(whole, arms=(first, *whole.arms[1:]))
    assert "ArmResult.rank_low" in unexplained(broken)
