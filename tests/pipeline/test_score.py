"""The main job over a stub: what is blocked, stored, counted, printed and asked again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judgebench.errors import (
    BudgetStop,
    GateError,
    JudgeConfigError,
    JudgeFailures,
    RubricError,
    RunError,
)
from judgebench.model.nouns import Blinding, Estimate, Mode, Refusal
from judgebench.pipeline.pages.stored import stored_result
from judgebench.pipeline.setting.choices import Reading
from judgebench.reports import flags
from tests.pipeline.made import META, answer, judge, make_run, make_workspace, rows
from tests.stub import StubServer

HASHED = {"rules": [{"replies": [{"verdict": {"score": "hash", "quotes": "real"}}]}]}
NINE = tuple(f"i{n}" for n in range(9))


@pytest.fixture
def stub() -> Iterator[StubServer]:
    """Marks from a hash of the text, quotes from the text."""
    with StubServer(HASHED) as server:
        yield server


@pytest.fixture
def home(tmp_path: Path, stub: StubServer) -> Path:
    """A workspace whose judge is the stub."""
    return make_workspace(tmp_path, stub.base_url)


def test_every_answer_is_judged_once_and_a_second_start_asks_nothing(
    home: Path, stub: StubServer
) -> None:
    """Six cells, six calls; then none, and the same result."""
    run = make_run(home)
    first = judge(run)
    assert first.result is not None
    assert first.result.counts.judgments_scored == 6
    assert len(stub.log) == 6
    second = judge(run)
    assert len(stub.log) == 6
    assert second.result == first.result


def test_the_public_view_and_the_table_give_the_same_means(home: Path) -> None:
    """`ratings` in SQL equals the table's means, with gates, repeats and a blocked cell."""
    metas = {("north", "i2"): META | {"finish_reason": "length"}}
    outcome = judge(make_run(home, items=NINE, metas=metas), repeats=2)
    assert outcome.result is not None
    found = {
        arm: (mean, items) for arm, mean, items in rows(
            home, "SELECT arm, mean_total, items FROM ratings"
        )
    }  # fmt: skip
    for arm in outcome.result.arms:
        mean, items = found[arm.arm.id]
        assert arm.mean == pytest.approx(mean, abs=1e-12)
        assert arm.answered == items
    assert found["north"][1] == 8


def test_a_cut_answer_is_blocked_before_anything_is_paid(home: Path, stub: StubServer) -> None:
    """No request, no number, the reason with tokens beside the cap."""
    metas = {
        ("north", "i1"): META | {"finish_reason": "length", "usage": {"completion_tokens": 400}}
    }
    outcome = judge(make_run(home, metas=metas))
    assert outcome.result is not None
    assert len(stub.log) == 5
    north = next(arm for arm in outcome.result.arms if arm.arm.id == "north")
    (block,) = north.blocked
    assert (block.reason, block.count, north.answered) == ("length", 1, 2)
    assert "400" in block.message
    assert north.worst_low is not None
    assert north.worst_high is not None
    assert north.worst_low < north.worst_high


def test_an_arm_with_many_blocked_items_stands_without_a_place(home: Path) -> None:
    """Under 95 % answered and a place that depends on the blocked cells: no rank, `?`."""
    metas = {
        ("north", item): META | {"error": {"kind": "transport", "message": "reset"}}
        for item in NINE[:4]
    }
    outcome = judge(make_run(home, items=NINE, metas=metas))
    assert outcome.result is not None
    north = next(arm for arm in outcome.result.arms if arm.arm.id == "north")
    assert not north.placed
    assert (north.rank_low, north.may_be_best) == (None, None)
    held = next(one for one in outcome.result.warnings if one.code == "half_blocked")
    assert flags.sentence(held).endswith("north; collect its 4 blocked answers again")


def test_two_items_give_no_interval(home: Path) -> None:
    """Differences are refused with the code and what is needed."""
    outcome = judge(make_run(home, items=("i1", "i2")))
    assert outcome.result is not None
    other = outcome.result.arms[1]
    assert isinstance(other.difference, Refusal)
    assert (other.difference.code, other.difference.need) == ("too_few_items", 3)
    assert isinstance(outcome.result.best, Refusal)


def test_a_changed_answer_is_asked_again_and_the_old_judgment_is_kept(
    home: Path, stub: StubServer
) -> None:
    """One request; the superseded judgment stays in the store and out of the table."""
    run = make_run(home)
    judge(run)
    (run / "north" / "i1" / "output.md").write_text("It closes early. Quite another text.\n")
    said: list[str] = []
    outcome = judge(run, said=said)
    assert len(stub.log) == 7
    assert outcome.result is not None
    assert outcome.result.counts.judgments_scored == 6
    assert any("superseded" in line for line in said)
    assert rows(home, "SELECT count(*) FROM judgments") == [(7,)]


def test_an_added_arm_costs_its_own_requests_and_three_old_ones(
    home: Path, stub: StubServer
) -> None:
    """Three more requests in the same pass, and three for drift."""
    run = make_run(home)
    first = judge(run)
    make_run(home, arms=("north", "south", "west"))
    second = judge(run)
    assert len(stub.log) == 12
    assert second.result is not None
    assert first.result is not None
    assert second.result.judging.id == first.result.judging.id


def test_a_removed_arm_leaves_the_table(home: Path, stub: StubServer) -> None:
    """Nothing is asked; what it had is kept and left out."""
    run = make_run(home, arms=("north", "south", "west"))
    judge(run)
    calls = len(stub.log)
    for path in sorted((run / "west").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    (run / "west").rmdir()
    outcome = judge(run)
    assert len(stub.log) == calls
    assert outcome.result is not None
    assert {arm.arm.id for arm in outcome.result.arms} == {"north", "south"}


def test_more_repeats_keep_what_was_judged(home: Path, stub: StubServer) -> None:
    """Six calls, then six more for the second judging; cells average both."""
    run = make_run(home)
    judge(run)
    outcome = judge(run, repeats=2)
    assert len(stub.log) == 12
    assert outcome.result is not None
    assert outcome.result.counts.judgments_scored == 12
    assert outcome.result.counts.repeats == 2


def test_noise_cells_serve_repeatability_only(home: Path, stub: StubServer) -> None:
    """24 cells: 12 of them twice; the means rest on the first judgings."""
    items = tuple(f"i{n:02}" for n in range(12))
    outcome = judge(make_run(home, items=items))
    assert len(stub.log) == 36
    assert outcome.result is not None
    assert outcome.result.counts.noise_cells == 12
    assert outcome.result.counts.judgments_scored == 24


def test_a_new_rubric_weight_recomputes_and_asks_nothing(home: Path, stub: StubServer) -> None:
    """Only what the judge is shown costs requests."""
    run = make_run(home)
    (home / "rubrics").mkdir()
    rubric = home / "rubrics" / "mine.yaml"
    text = (
        "name: mine\nversion: '1'\nscale: {min: 1, max: 10}\ncriteria:\n"
        '  - {id: a, text: "Is it clear to a visitor?", weight: 1}\n'
        '  - {id: b, text: "Is it complete for a visitor?", weight: 1}\n'
    )
    rubric.write_text(text)
    first = judge(run, rubric="mine")
    rubric.write_text(text.replace("weight: 1", "weight: 3", 1))
    second = judge(run, rubric="mine")
    assert len(stub.log) == 6
    assert first.result is not None
    assert second.result is not None
    assert first.result.judging.id == second.result.judging.id
    assert {a.arm.id: a.mean for a in first.result.arms} != {
        a.arm.id: a.mean for a in second.result.arms
    }
    means = dict(rows(home, "SELECT arm, mean_total FROM ratings"))
    assert means == {arm.arm.id: pytest.approx(arm.mean, abs=1e-12) for arm in second.result.arms}


def test_another_judge_or_rubric_is_another_pass(home: Path) -> None:
    """Both passes are kept; the report lists them; the first complete one is the default."""
    run = make_run(home)
    said: list[str] = []
    first = judge(run, said=said)
    assert not [line for line in said if "new pass" in line]
    second = judge(run, rubric="usecase", said=said)
    assert first.result is not None
    beside = f"a new pass, beside {first.result.judging.id}"
    assert f"{beside}: rubric usecase in place of answer" in said
    judge(run, mode=Mode.LISTWISE, said=said)
    assert f"{beside}: mode listwise in place of pointwise" in said
    judge(run, fresh=True, said=said)
    assert f"{beside}: asked for anew, under another seed" in said
    judge(run, said=said)
    assert len([line for line in said if "new pass" in line]) == 3
    assert second.result is not None
    assert len(second.result.passes) == 2
    _, shown = stored_result(run, home)
    assert shown.judging.id == first.result.judging.id
    _, named = stored_result(run, home, pass_id=second.result.judging.id[:6])
    assert named.judging.id == second.result.judging.id


def test_listwise_asks_one_request_an_item(home: Path, stub: StubServer) -> None:
    """Three items, three calls, six judgments; labels are neutral."""
    outcome = judge(make_run(home), mode=Mode.LISTWISE)
    assert len(stub.log) == 3
    assert outcome.result is not None
    assert outcome.result.counts.judgments_scored == 6
    labels = {label for (label,) in rows(home, "SELECT DISTINCT label FROM judgments")}
    assert not labels & {"north", "south"}


def test_split_criteria_totals_are_made_of_all_requests_of_a_cell(
    home: Path, stub: StubServer
) -> None:
    """Four requests a cell, one total."""
    outcome = judge(make_run(home), split_criteria=True)
    assert len(stub.log) == 24
    assert outcome.result is not None
    assert outcome.result.counts.judgments_scored == 6
    assert all(arm.answered == 3 for arm in outcome.result.arms)


def test_a_budget_of_calls_stops_balanced_and_resumes(home: Path, stub: StubServer) -> None:
    """Exactly that many calls, complete items, then the rest."""
    run = make_run(home)
    outcome = judge(run, max_requests=4, concurrency=1)
    assert isinstance(outcome.error, BudgetStop)
    assert len(stub.log) == 4
    assert outcome.result is not None
    assert sorted(arm.answered for arm in outcome.result.arms) == [2, 2]
    done = judge(run)
    assert len(stub.log) == 6
    assert done.error is None


def test_a_budget_in_dollars_needs_a_price(home: Path) -> None:
    """Exit 2 naming the key, before anything is sent."""
    with pytest.raises(JudgeConfigError, match=r"judges\.stub\.price"):
        judge(make_run(home), budget_usd=1.0)


def test_cost_is_summed_from_the_prices_of_judges_toml(tmp_path: Path, stub: StubServer) -> None:
    """900 + 120 tokens a call at 1 and 10 dollars a million."""
    home = make_workspace(tmp_path, stub.base_url)
    toml = home / "judges.toml"
    toml.write_text(toml.read_text() + "price = { input_usd = 1.0, output_usd = 10.0 }\n")
    outcome = judge(make_run(home))
    assert outcome.result is not None
    assert outcome.result.money.cost_usd == pytest.approx(6 * (900 + 1200) / 1e6)


def test_masked_names_are_counted_and_not_sent(home: Path) -> None:
    """An answer that says who it is reaches the judge without the name."""
    texts = {("north", "i1"): "I am ChatGPT, made by OpenAI. The room closes at four.\n"}
    outcome = judge(make_run(home, texts=texts))
    assert outcome.result is not None
    assert "identity_masked" in {flag.code for flag in outcome.result.warnings}
    sent = "".join(text for (text,) in rows(home, "SELECT user_text FROM calls"))
    assert "The room closes at four" in sent
    assert "ChatGPT" not in sent
    assert "OpenAI" not in sent


def test_strict_blinding_blocks_an_answer_that_names_its_author(
    home: Path, stub: StubServer
) -> None:
    """`identity_leak`, and no request for it."""
    texts = {("north", "i1"): "I am ChatGPT, made by OpenAI. The room closes at four.\n"}
    outcome = judge(make_run(home, texts=texts), blinding=Blinding.STRICT)
    assert outcome.result is not None
    north = next(arm for arm in outcome.result.arms if arm.arm.id == "north")
    assert [block.reason for block in north.blocked] == ["identity_leak"]
    assert len(stub.log) == 5


def test_an_empty_answer_counts_as_the_minimum_only_by_rule(home: Path, stub: StubServer) -> None:
    """Blocked by default; with the rule the cell is the scale's minimum, without a request."""
    run = make_run(home, texts={("north", "i1"): "\u200b\n"})
    outcome = judge(run)
    assert outcome.result is not None
    north = next(arm for arm in outcome.result.arms if arm.arm.id == "north")
    assert [block.reason for block in north.blocked] == ["empty"]
    ruled = judge(run, reading=Reading(empty_as_minimum=True))
    assert len(stub.log) == 5
    assert ruled.result is not None
    north = next(arm for arm in ruled.result.arms if arm.arm.id == "north")
    assert north.answered == 3
    assert "empty_as_minimum" in {flag.code for flag in ruled.result.warnings}


def test_a_suspected_cut_holds_the_place_until_it_is_accepted(home: Path) -> None:
    """`looks_cut` counts in the first lines; --accept-cut places the arm."""
    meta = {name: value for name, value in META.items() if name != "finish_reason"}
    texts = {("north", "i1"): answer("north", "i1") + "```python\nprint('open"}
    run = make_run(home, texts=texts, metas={("north", "i1"): meta})
    outcome = judge(run)
    assert outcome.result is not None
    north = next(arm for arm in outcome.result.arms if arm.arm.id == "north")
    assert (north.suspects, north.placed) == (1, False)
    accepted = judge(run, reading=Reading(accept_cut=True))
    assert accepted.result is not None
    assert next(arm for arm in accepted.result.arms if arm.arm.id == "north").placed
    blocked = judge(run, reading=Reading(block_cut=True))
    assert blocked.result is not None
    north = next(arm for arm in blocked.result.arms if arm.arm.id == "north")
    assert [block.reason for block in north.blocked] == ["looks_cut"]


def test_judge_failures_are_counted_and_end_with_an_error(tmp_path: Path) -> None:
    """A judgment without a valid verdict is blocked; more than allowed is exit 3."""
    rules = {
        "rules": [
            {"when_body_has": "northi1", "replies": [{"verdict": {"score": 99}}]},
            *HASHED["rules"],
        ]
    }
    with StubServer(rules) as stub:
        run = make_run(make_workspace(tmp_path, stub.base_url))
        outcome = judge(run)
        assert isinstance(outcome.error, JudgeFailures)
        assert "1 of 6 judgments (judge_invalid 1)" in str(outcome.error)
        assert "with --retry-blocked" in str(outcome.error)
        assert outcome.result is not None
        assert outcome.result.counts.judgments_blocked == 1
        allowed = judge(run, max_judge_failures=1)
        assert allowed.error is None
        calls = len(stub.log)
        judge(run, retry_blocked=True)
        assert len(stub.log) == calls + 3


def test_intervals_and_ranks_appear_from_three_items(home: Path) -> None:
    """Paired differences with intervals, a set of possible best, ranks for placed arms."""
    outcome = judge(make_run(home, items=NINE, arms=("north", "south", "west")))
    assert outcome.result is not None
    assert isinstance(outcome.result.best, tuple)
    assert all(isinstance(arm.total, Estimate) for arm in outcome.result.arms)
    assert all(arm.rank_low is not None for arm in outcome.result.arms)


def test_a_run_that_is_not_there_is_one_line(home: Path) -> None:
    """The path and what to do."""
    with pytest.raises(RunError, match="is not there"):
        judge(home / "runs" / "nowhere")


def test_gate_needs_a_rating(home: Path) -> None:
    """--fail-under fails below, and cannot be decided where the rating is refused."""
    from judgebench.cli.run_score import check_gate  # noqa: PLC0415 - the command's own gate

    three = judge(make_run(home)).result
    assert three is not None
    check_gate(three, 1.0)
    with pytest.raises(GateError, match="below"):
        check_gate(three, 10.0)


CONDITIONAL = """\
name: part
scale: {min: 1, max: 10}
criteria:
  - {id: sense, text: Does it make sense., anchors: {2: No., 9: Yes.}}
  - {id: facts, text: Does it agree., applies: evidence, anchors: {2: No., 9: Yes.}}
"""


@pytest.mark.parametrize("mode", list(Mode))
def test_criteria_one_by_one_are_asked_only_where_they_apply(
    home: Path, stub: StubServer, mode: Mode
) -> None:
    """A criterion that needs evidence is asked for the item with evidence and for no other."""
    run = make_run(home)
    (run / "items" / "i2" / "evidence").mkdir()
    (run / "items" / "i2" / "evidence" / "hours.md").write_text("Open until four.\n")
    (home / "part.yaml").write_text(CONDITIONAL)
    outcome = judge(run, rubric=str(home / "part.yaml"), split_criteria=True, mode=mode)
    assert outcome.result is not None
    assert len(stub.log) == {Mode.POINTWISE: 8, Mode.LISTWISE: 4, Mode.PAIRWISE: 8}[mode]
    assert all(arm.answered == 3 for arm in outcome.result.arms)
    assert rows(home, "SELECT DISTINCT item FROM mark_rows WHERE criterion = 'facts'") == [("i2",)]


def test_an_item_to_which_no_criterion_applies_is_not_asked_about(
    home: Path, stub: StubServer
) -> None:
    """Nothing could be marked: no request is planned, and where none is left it is an error."""
    run = make_run(home)
    (home / "part.yaml").write_text(
        "".join(line for line in CONDITIONAL.splitlines(keepends=True) if "sense" not in line)
    )
    with pytest.raises(RubricError, match="no criterion"):
        judge(run, rubric=str(home / "part.yaml"))
    (run / "items" / "i2" / "evidence").mkdir()
    (run / "items" / "i2" / "evidence" / "hours.md").write_text("Open until four.\n")
    outcome = judge(run, rubric=str(home / "part.yaml"))
    assert outcome.result is not None
    assert len(stub.log) == 2
    assert all(arm.answered == 1 for arm in outcome.result.arms)


def test_a_pass_counts_what_its_own_choices_block(home: Path) -> None:
    """Blinding and reading of a later start on the same run do not reach an earlier table."""
    texts = {("north", "i1"): "As ChatGPT by OpenAI I say: it closes at four.\n"}
    texts[("south", "i2")] = "See this:\n```\nopen (\n"
    run = make_run(home, texts=texts, metas={("south", "i2"): {}})

    def told(pass_id: str) -> list[tuple[str, int, list[str]]]:
        _, found = stored_result(run, home, pass_id=pass_id)
        return sorted(
            (arm.arm.id, arm.answered, [block.reason for block in arm.blocked])
            for arm in found.arms
        )

    masked = judge(run).result
    strict = judge(run, blinding=Blinding.STRICT).result
    assert masked is not None
    assert strict is not None
    open_table: list[tuple[str, int, list[str]]] = [("north", 3, []), ("south", 3, [])]
    assert told(masked.judging.id) == open_table
    judge(run, mode=Mode.LISTWISE, reading=Reading(block_cut=True))
    assert told(strict.judging.id) == [("north", 2, ["identity_leak"]), ("south", 3, [])]
    cut = judge(run, reading=Reading(block_cut=True)).result
    assert cut is not None
    judge(run, blinding=Blinding.STRICT)
    assert told(cut.judging.id) == [("north", 3, []), ("south", 2, ["looks_cut"])]


def test_an_empty_answer_with_the_minimum_is_not_blocked_too(home: Path) -> None:
    """Answered and blocked add up to the outputs, in counts and in the arm's row."""
    run = make_run(home, texts={("north", "i1"): ""})
    plain = judge(run).result
    ruled = judge(run, reading=Reading(empty_as_minimum=True)).result
    for found, blocked in ((plain, 1), (ruled, 0)):
        assert found is not None
        assert found.counts.outputs_blocked == blocked
        assert sum(arm.answered for arm in found.arms) + blocked == found.counts.outputs


def test_what_was_not_asked_yet_is_not_said_to_be_blocked(home: Path) -> None:
    """A pass that a budget stopped: cells are open, and the flag says so."""
    run = make_run(home, items=NINE)
    found = judge(run, max_requests=9, repeats=1).result
    assert found is not None
    codes = {flag.code for flag in found.warnings}
    assert found.counts.outputs_blocked == 0
    assert "unfinished" in codes
    assert "half_blocked" not in codes


def drift_calls(folder: Path) -> int:
    """Requests for drift in the plan."""
    ((found,),) = rows(folder, "SELECT count(*) FROM requests WHERE purpose = 'drift' AND current")
    assert isinstance(found, int)
    return found


TEN = tuple(f"i{n:02}" for n in range(10))


def test_an_added_arm_has_a_tenth_of_the_old_cells_judged_again(
    home: Path, stub: StubServer
) -> None:
    """20 old cells: three again beside the ten new ones, and none of them counts."""
    judge(make_run(home, items=TEN), repeats=1)
    assert drift_calls(home) == 0
    run = make_run(home, items=TEN, arms=("north", "south", "west"))
    outcome = judge(run, repeats=1)
    assert len(stub.log) == 20 + 10 + 3
    assert drift_calls(home) == 3
    assert outcome.result is not None
    assert outcome.result.checks.drift_cells == 3
    assert outcome.result.checks.drift_points == 0
    assert outcome.result.counts.judgments_scored == 30
    assert "drift" not in {warning.code for warning in outcome.result.warnings}


def test_an_extension_is_planned_once(home: Path, stub: StubServer) -> None:
    """A second start asks nothing; another arm is another extension with cells of its own."""
    judge(make_run(home, items=TEN), repeats=1)
    run = make_run(home, items=TEN, arms=("north", "south", "west"))
    judge(run, repeats=1)
    judge(run, repeats=1)
    assert len(stub.log) == 33
    run = make_run(home, items=TEN, arms=("north", "south", "west", "east"))
    judge(run, repeats=1)
    assert len(stub.log) == 33 + 10 + 3
    assert drift_calls(home) == 6


def test_a_changed_answer_is_no_extension(home: Path, stub: StubServer) -> None:
    """Nothing was added: only the changed answer is asked about."""
    judge(make_run(home, items=TEN), repeats=1)
    judge(make_run(home, items=TEN, texts={("north", "i03"): "Closed on Friday.\n"}), repeats=1)
    assert len(stub.log) == 21


def test_more_repeats_after_an_extension_stay_apart_from_it(home: Path, stub: StubServer) -> None:
    """A judging for drift never becomes one that counts."""
    judge(make_run(home, items=TEN), repeats=1)
    run = make_run(home, items=TEN, arms=("north", "south", "west"))
    judge(run, repeats=1)
    outcome = judge(run, repeats=3)
    assert len(stub.log) == 90 + 3
    assert outcome.result is not None
    assert outcome.result.counts.judgments_scored == 90
    assert outcome.result.counts.repeats == 3


def test_an_added_item_of_a_listwise_pass_has_old_lists_judged_again(
    home: Path, stub: StubServer
) -> None:
    """Ten lists, then two new ones and as many old ones as cover three cells."""
    judge(make_run(home, items=TEN), repeats=1, mode=Mode.LISTWISE)
    outcome = judge(make_run(home, items=(*TEN, "j1", "j2")), repeats=1, mode=Mode.LISTWISE)
    assert len(stub.log) == 10 + 2 + 2
    assert outcome.result is not None
    assert outcome.result.checks.drift_cells == 4


def test_an_added_arm_of_a_listwise_pass_leaves_no_old_list(home: Path, stub: StubServer) -> None:
    """Every list is another one: all are judged, and there is nothing to hold them against."""
    judge(make_run(home, items=TEN), repeats=1, mode=Mode.LISTWISE)
    run = make_run(home, items=TEN, arms=("north", "south", "west"))
    outcome = judge(run, repeats=1, mode=Mode.LISTWISE)
    assert len(stub.log) == 20
    assert outcome.result is not None
    assert outcome.result.checks.drift is None


def test_a_judge_that_became_kinder_is_named(tmp_path: Path) -> None:
    """All old answers get two points more the second time: that is said before anything else."""
    replies = [
        {"verdict": {"score": score, "quotes": "real"}, "repeat": times}
        for score, times in ((5, 60), (7, 100))
    ]
    items = tuple(f"i{n:02}" for n in range(30))
    with StubServer({"rules": [{"replies": replies}]}) as stub:
        judge(make_run(make_workspace(tmp_path, stub.base_url), items=items), repeats=1)
        run = make_run(tmp_path, items=items, arms=("north", "south", "west"))
        outcome = judge(run, repeats=1)
    assert outcome.result is not None
    found = outcome.result.checks.drift
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(2)
    warned = [w for w in outcome.result.warnings if w.code == "drift"]
    assert [w.facts for w in warned] == [{"points": 2.0, "answers": 6}]


def test_an_added_arm_keeps_the_second_judgings_that_were_paid(
    home: Path, stub: StubServer
) -> None:
    """24 cells with 12 twice; 12 more ask for themselves and for drift, and leave none out."""
    items = tuple(f"i{n:02}" for n in range(12))
    judge(make_run(home, items=items))
    assert len(stub.log) == 36
    outcome = judge(make_run(home, items=items, arms=("north", "south", "west")))
    assert len(stub.log) == 36 + 12 + 3
    assert outcome.result is not None
    assert outcome.result.counts.noise_cells == 12
    assert "superseded" not in {warning.code for warning in outcome.result.warnings}
