"""What the sentences may and may not say."""

import dataclasses
import re

import pytest

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.passes import DataLevel
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import BlockedCount, PairResult, Result
from judgebench.model.sensitivity import GapDrivers, ItemInfluence
from judgebench.reports import (
    claims,
    contrasts,
    controls,
    fairness,
    flags,
    markdown,
    next_step,
    refusals,
    tables,
    terminal,
    terminal_page,
    wording,
)
from judgebench.reports.power_notes import power_note
from tests.reports import make
from tests.reports.test_gold import CASES, best_of_five, panel, partly_blocked, replay

NORTH_WINS = {("north", other) for other in make.NAMES[1:]}


@pytest.mark.parametrize("name", CASES)
def test_no_page_calls_anything_equal(name: str) -> None:
    """What is not separated is never equal, tied, or without difference."""
    result = CASES[name]()
    pages = [terminal.render(result), markdown.render(result)]
    # In a comparison a tie is a verdict of the judge; of arms it is said no more than elsewhere.
    tie = r"are tied|tied with" if result.comparing else "tie|tied"
    assert not re.search(rf"\b(equal|{tie}|no difference|winner is)\b", " ".join(pages))


@pytest.mark.parametrize("name", [name for name in CASES if name != "forty-items-one-best"])
def test_no_arm_is_called_best_unless_the_set_has_one_member(name: str) -> None:
    """Only the set of possible best can name one."""
    assert not re.search(r"\bis (the )?best\b", tables.answer(CASES[name]()))


def test_one_member_of_the_set_is_called_best() -> None:
    """Forty items, every other arm below."""
    assert "north is the best of these 5 arms (95 %" in tables.answer(best_of_five())


def test_a_set_of_one_that_the_pairs_do_not_show_is_said_with_its_reserve() -> None:
    """The set of possible best can be narrower than the pairs show one by one."""
    text = tables.answer(make.result(items=8, best=("north",)))
    assert "north alone may be best (95 %, from one side)" in text
    assert "it is not separated from harbour, meadow, granite and willow" in text
    assert "no arm is shown better" not in text
    assert "is the best" not in text


def test_a_pass_over_the_first_items_says_so() -> None:
    """A trial run is never read as the whole."""
    trial = dataclasses.replace(make.result(), judging=make.facts(first_items=5))
    assert "first 5 items only" in terminal.render(trial)


def test_no_best_while_an_arm_is_not_placed() -> None:
    """An arm with a ``?`` could still be the best."""
    whole = best_of_five()
    last = dataclasses.replace(whole.arms[-1], placed=False)
    left = tuple(
        dataclasses.replace(one, separated=False, firm=False) if one.second == "willow" else one
        for one in whole.pairs
    )
    text = tables.answer(dataclasses.replace(whole, arms=(*whole.arms[:-1], last), pairs=left))
    assert "best" not in text
    assert "north scores above every other placed arm" in text
    assert "Not placed: willow." in text


def test_an_arm_without_a_place_that_is_shown_below_is_in_nobodys_way() -> None:
    """Its place among the others is open, but not that north is above it."""
    whole = best_of_five()
    last = dataclasses.replace(whole.arms[-1], placed=False)
    text = tables.answer(dataclasses.replace(whole, arms=(*whole.arms[:-1], last)))
    assert "north is the best of these 5 arms" in text
    assert text.endswith("Not placed: willow.")


@pytest.mark.parametrize(
    ("separated", "firm", "p", "low", "words"),
    [
        (True, True, 0.01, 0.2, "separated"),
        (True, True, 0.04, -0.1, "separated (p is below 0.05, the wider interval holds 0)"),
        (False, True, 0.2, -0.4, "not separated"),
        (False, False, 0.2, -0.4, "not separated"),
        (False, False, 0.01, 0.2, "open: blocked answers could turn it"),
        (False, True, 0.062, 0.1, "not separated (the interval leaves out 0, p is not below 0.05)"),
        (None, True, None, 0.2, "-"),
    ],
)
def test_the_verdict_of_a_pair_says_why_it_differs_from_its_figures(
    *, separated: bool | None, firm: bool, p: float | None, low: float, words: str
) -> None:
    """Interval, p and verdict stand in one row: where they part, the row has the reason."""
    gap = Estimate(value=0.5, n=6, low=low, high=1.2, kind="t-simultaneous")
    pair = PairResult(
        first="north", second="willow", difference=gap, p_all_pairs=p, shared=6,
        separated=separated, firm=firm,
    )  # fmt: skip
    assert claims.verdict(pair) == words


def test_a_set_of_several_names_who_is_above_whom() -> None:
    """All losers by name up to four, by number from five on."""
    many = tuple(f"arm-{n}" for n in range(9))
    below = make.result(items=9, names=many, separated={("arm-0", f"arm-{n}") for n in range(3, 9)})
    assert "arm-0 scores above 6 of 8 other arms" in tables.answer(below)
    every = make.result(items=8, separated=NORTH_WINS, best=("north", "harbour"))
    assert "north scores above every other arm" in tables.answer(every)


def test_a_pair_that_is_turned_round_counts_for_the_higher_arm() -> None:
    """Second above first: the difference is negative."""
    whole = make.result(items=8, names=("north", "harbour", "meadow"))
    pair = dataclasses.replace(
        whole.pairs[0], separated=True, difference=Estimate(value=-2.0, n=8, low=-3, high=-1)
    )
    text = tables.answer(dataclasses.replace(whole, pairs=(pair, *whole.pairs[1:])))
    assert "harbour scores above north" in text


def test_panel_says_these_judges_and_one_judge_says_this_judge() -> None:
    """Whose scores they are stands in the sentence."""
    assert "as scored by these 2 judges" in tables.answer(panel())
    assert "as scored by this judge" in tables.answer(partly_blocked())


def test_nothing_separated_without_a_known_gap_says_no_more() -> None:
    """A refused detectable difference is not invented."""
    text = tables.answer(make.result(detectable=make.refused("detectable")))
    assert text == "5 items: no arm is shown better than another."


def test_failed_kinds_of_control_are_words_and_never_cut_inside_one() -> None:
    """A long list of kinds says how many more there are; codes stand in no sentence."""
    codes = ("near_empty", "damaged", "duplicate", "off_task", "talks_to_judge", "padded")
    kinds = ", ".join(f"{code} 12 of 34" for code in codes)
    text = flags.sentence(make.flag("controls_failed", 1, kinds=kinds))
    assert text == (
        "the judge fails planted controls: near-empty 12 of 34, damaged 12 of 34 and 4 more "
        "(report.md)"
    )
    two = flags.sentence(make.flag("controls_failed", 1, kinds="off_task 0 of 3, padded 0 of 2"))
    assert "controls: off-task 0 of 3 and padded 0 of 2 (report.md)" in two
    many = ", ".join(f"arm-{at}" for at in range(20))
    assert re.search(
        r"family as (arm-\d+, )+…$", flags.sentence(make.flag("same_family", 1, arms=many))
    )


def test_a_rank_from_1_without_a_star_is_explained_within_24_lines() -> None:
    """The line stands where such a rank does; on a full page warnings go to report.md."""
    said = "rank from 1 without *: the rank allows it, the test of the best does not"
    whole = partly_blocked()
    north, harbour, *rest = whole.arms
    assert said not in terminal.render(whole)
    open_rank = dataclasses.replace(harbour, rank_low=1, may_be_best=False)
    long = "a name as long as names of models with their settings can be"
    flagged = dataclasses.replace(
        whole,
        arms=(north, open_rank, *rest),
        warnings=tuple(
            make.flag("controls_failed_by", 1, judge=long, kinds="padded 0 of 2", key="9bcc3e03")
            for _ in range(9)
        ),
    )
    for columns in (40, 60, 80):
        run = "a folder/with a long name/of many words/run"
        lines = terminal.render(flagged, width=columns, run=run).splitlines()
        assert len(lines) <= 24
        assert said[: columns - 1].strip() in " ".join(" ".join(lines).split())
    lines = terminal.render(flagged, width=60, run="a/" + "word " * 60).splitlines()
    assert "! 9 warnings: report.md" in lines


def test_every_noise_figure_says_that_it_is_measured() -> None:
    """Repeatability, its limit and the detectable gap stand beside what they come from."""
    whole = partly_blocked()
    limited = dataclasses.replace(make.planted(), limit=0.5)
    page = markdown.render(make.extended(dataclasses.replace(whole, controls=limited)))
    for words in (
        "Repeatability limit, measured on this judge: two judgings of one text differ by more",
        "is found in 80 % of such runs (by the spread measured on the worst pair, north and willow",
        "with that spread: about",
        "Measured on answers that were scored again: noise is the standard deviation",
    ):
        assert words in page
    text = tables.answer(make.result(detectable=Estimate(value=1.5, n=5, kind="power")))
    assert text.endswith(
        "A true gap below 1.50 points would usually be missed (by the spread measured on the worst "
        "pair, north and willow, over 5 shared items)."
    )
    two = make.result(names=("north", "harbour"), detectable=Estimate(value=1.5, n=5, kind="power"))
    assert tables.answer(two).endswith("(by the spread measured over 5 shared items).")


def test_a_detectable_gap_of_few_items_says_how_roughly_it_is_known() -> None:
    """Few items tell the spread only roughly, and the power at the gap with it."""
    few, many = (Estimate(value=1.0, n=items, kind="power") for items in (5, 30))
    assert power_note(few, 1).startswith(
        "5 items tell the spread only roughly, so it may really be 23 to 99 %"
    )
    assert "14 to 99 %" in power_note(few, 10)
    assert power_note(many, 1) == ""


def test_one_arm_or_one_with_marks_has_nothing_beside_it() -> None:
    """No comparison of one."""
    assert "nothing to compare" in tables.answer(make.result(names=("north",)))


def test_nothing_scored_says_on_which_side() -> None:
    """All outputs blocked, all judgments blocked, or not judged yet: three sentences."""
    blocked = make.all_blocked()
    assert "all 24 answers are blocked (21 length, 3 provider_window)" in tables.answer(blocked)
    judge_side = (BlockedCount(reason="judge_invalid", count=8, message="no JSON"),)
    arms = tuple(
        dataclasses.replace(arm, blocked=(), judge_blocked=judge_side) for arm in blocked.arms
    )
    counts = dataclasses.replace(blocked.counts, outputs_blocked=0, judgments_blocked=24)
    failed = dataclasses.replace(blocked, arms=arms, counts=counts)
    assert "(24 judge_invalid)" in tables.answer(failed)
    assert "8 unjudged" in terminal.render(failed)
    assert "judgments blocked 24" in terminal.render(failed)
    counts = dataclasses.replace(counts, judgments_blocked=0, requests_planned=24)
    fresh = dataclasses.replace(failed, arms=blocked.arms, counts=counts)
    assert tables.answer(fresh) == "Nothing has been judged yet."
    assert tables.next_step(fresh)[0] == "judge score notice --judge acme/marker-2"


def test_replay_always_says_so_with_judge_and_date() -> None:
    """In every view and in the report, also where the date is unknown."""
    for view in terminal.VIEWS:
        text = terminal.render(replay(), view=view)
        assert "replay of judge acme/marker-2 recorded on 2026-09-05" in text
    assert "replay of judge acme/marker-2 recorded on 2026-09-05" in markdown.render(replay())
    assert "recorded on an unknown date" in wording.replay(make.facts(route="replay"))
    one = make.facts(route="replay", recorded_at="2026-08-01")
    both = dataclasses.replace(panel(), panel=(make.facts(), one))
    assert "recorded on 2026-08-01" in terminal.render(both)


def _cli(result: Result, cwd: str | None) -> Result:
    settings = dataclasses.replace(result.settings, cli_cwd=cwd)
    arm = dataclasses.replace(
        result.arms[0], arm=dataclasses.replace(result.arms[0].arm, kind="cli")
    )
    return dataclasses.replace(result, settings=settings, arms=(arm, *result.arms[1:]))


@pytest.mark.parametrize(
    ("cwd", "words"),
    [
        ("empty", "CLI arms in an empty folder"),
        ("repo", "CLI arms in a folder that was not empty"),
        ("unknown", "not reproducible: folder of CLI arms unknown"),
        (None, "not reproducible: folder of CLI arms unknown"),
    ],
)
def test_fairness_line_names_the_folder_of_cli_arms(cwd: str | None, words: str) -> None:
    """Empty, not empty or unknown; unknown marks the table."""
    result = _cli(make.result(), cwd)
    assert words in fairness.fairness(result)
    assert "Working folder of CLI arms" in markdown.render(result)


def test_unknown_records_are_named_where_the_settings_are_known() -> None:
    """The run says empty, the records do not all say so."""
    result = dataclasses.replace(
        _cli(make.result(), "empty"), reproducible=False, unknowns={"cwd": 3, "model": 0}
    )
    assert "(not on record for all)" in fairness.fairness(result)
    assert "not reproducible: cwd unknown" in fairness.fairness(result)
    bare = dataclasses.replace(make.result(), reproducible=False)
    assert fairness.fairness(bare).endswith("· not reproducible")


def test_next_step_fits_the_state_of_the_pass() -> None:
    """Resume, decide on cut answers, add items, another judge, look: with a price."""
    whole = make.result(items=8, separated=NORTH_WINS)
    counts = dataclasses.replace(whole.counts, requests_answered=30)
    unfinished = dataclasses.replace(whole, counts=counts)
    assert tables.next_step(unfinished, "runs/my notice") == (
        "judge score 'runs/my notice' --judge acme/marker-2",
        "asks the rest: 10 requests, about $0.04",
    )
    assert "requests 30 of 40" in terminal.render(unfinished)
    assert "--accept-cut" in tables.next_step(partly_blocked())[0]
    assert tables.next_step(make.result(items=1)) == (
        "judge power notice",
        "how many items to add, as items/ID/prompt.md and ARM/ID/output.md; free",
    )
    money = dataclasses.replace(whole.money, cost_usd=None)
    unpriced = dataclasses.replace(whole, money=money)
    assert tables.next_step(unpriced)[1] == "40 requests to another judge, price unknown"
    assert next_step.price(unpriced, 3) == "3 requests, price unknown"
    cheap = dataclasses.replace(whole, money=dataclasses.replace(whole.money, cost_usd=0.001))
    assert next_step.price(cheap, 1) == "1 request, under $0.01"
    both = panel()
    assert tables.next_step(both)[0] == "judge agree notice --split"
    # A judge of the panel that has not answered all is asked by its own name.
    late = dataclasses.replace(both.panel[1], judge_name="firm/late", planned=40, answered=31)
    asked = tables.next_step(dataclasses.replace(both, panel=(both.panel[0], late)))
    assert asked[0].startswith("judge score notice --judge firm/late")
    assert asked[1].startswith("asks the rest: 9 requests")
    # Imported raters are a panel too; where nothing parts the arms more items would.
    given = tuple(dataclasses.replace(one, route="marks") for one in both.panel)
    given_panel = dataclasses.replace(both, panel=given, judging=given[0])
    assert tables.next_step(given_panel)[0] == "judge agree notice --split"
    apart = tuple(dataclasses.replace(one, separated=False) for one in given_panel.pairs)
    names = tuple(arm.arm.id for arm in given_panel.arms[:2])
    same = dataclasses.replace(given_panel, pairs=apart, best=names, warnings=())
    assert tables.next_step(same)[0] == "judge power notice --judges 2"


def test_the_next_command_asks_what_this_pass_was_asked() -> None:
    """Whatever is no default stands in it, as typed where that is known; a seed does not."""
    facts = make.facts(mode="listwise", blinding="strict", split_criteria=True, repeats=2)
    clear = make.result(items=8, separated=NORTH_WINS)
    whole = dataclasses.replace(clear, judging=facts, has_prompt=False)
    given = {"--arms": "--arms a,b", "--seed": "--seed 3", "--rubric": "--rubric own/r.yaml"}
    command, _ = next_step.next_step(whole, "runs/my notice", given)
    assert command == (
        "judge score 'runs/my notice' --judge PROVIDER/MODEL --mode listwise --blind strict "
        "--split-criteria --no-prompt --arms a,b --rubric own/r.yaml --repeats 2"
    )
    page = terminal.render(whole, run="runs/my notice", given=given)
    shown = " ".join(page[page.index("Next: ") :].replace("\\\n", "").split())
    assert shown.startswith(f"Next: {command} (")


def test_hints_name_the_pass_where_another_one_is_shown_by_itself() -> None:
    """The first complete pass needs no name; any other does, and a panel of some of them."""
    first, other = make.facts(), make.facts(id="p-other")
    whole = dataclasses.replace(make.result(), judging=first, passes=(first, other))
    assert tables.why_hint(whole) == "judge table notice --why"
    second = dataclasses.replace(whole, judging=other)
    assert tables.why_hint(second) == "judge table notice --pass p-other --why"
    assert tables.arms_hint(second) == "judge table notice --pass p-other --arms"
    third = make.facts(id="p-third")
    both = dataclasses.replace(whole, panel=(first, other), passes=(first, other, third))
    assert tables.why_hint(both) == "judge table notice --panel --pass p-4be1,p-other --why"


def test_the_next_requests_are_those_of_a_fresh_pass() -> None:
    """Old answers judged again for drift are not asked; where there was no noise, none is added."""
    whole = make.result(items=8, separated=NORTH_WINS)
    counts = dataclasses.replace(whole.counts, requests_planned=43, requests_answered=43,
        requests_drift=3, noise_cells=0)  # fmt: skip
    command, cost = next_step.next_step(dataclasses.replace(whole, counts=counts))
    assert command.endswith(" --judge PROVIDER/MODEL --repeats 1")
    assert cost.startswith("40 requests to another judge, ")


@pytest.mark.parametrize("code", flags.SENTENCES)
def test_every_flag_has_a_sentence_even_without_its_facts(code: str) -> None:
    """A fact that is missing reads ``some``; no brace is left over."""
    text = flags.sentence(make.flag(code, 1))
    assert text
    assert not set("{}") & set(text)


def test_flags_count_with_nouns_and_show_shares_in_per_cent() -> None:
    """One call, two calls; 0.714 is 71 %."""
    assert flags.sentence(make.flag("calls_in_doubt", 1, calls=1)).startswith("1 call ")
    assert flags.sentence(make.flag("passes_unused", 1, passes=2)).startswith("2 other passes ")
    assert "mark 8 in 71 %" in flags.sentence(make.flag("modal_share", 1, mark=8, share=0.714))
    assert flags.sentence(make.flag("new_code", 1, arm="x", share=0.5)) == (
        "new code: arm x, share 50 %"
    )
    assert flags.sentence(make.flag("new_code", 1)) == "new code"


def test_flags_stand_most_harmful_first_and_the_rest_is_counted() -> None:
    """Three on the page, all in the report."""
    page = terminal.render(partly_blocked())
    assert page.index("not placed (?): meadow") < page.index("may be cut off")
    assert "(+1 more in report.md)" in page
    assert "- not reproducible: timeout" in markdown.render(partly_blocked())


@pytest.mark.parametrize("code", RefusalCode)
def test_every_refusal_says_why_in_words(code: RefusalCode) -> None:
    """No code, no brace, no number that is none."""
    text = refusals.why(Refusal(statistic="x", code=code, have=1, need=float("inf")))
    assert text
    assert not re.search(r"[{}_]|inf|nan", text)


def test_a_refusal_of_another_package_keeps_its_own_words() -> None:
    """Unknown codes and own advice are shown, braces and all."""
    found = Refusal(statistic="my_own", code="odd{0}", have=1.5, need=2, how="ask twice")
    assert refusals.name(found) == "my own"
    assert refusals.why(found) == "odd{0}: needs 2, have 1.50 (ask twice)"


def test_what_only_some_arms_lack_is_not_called_not_printed() -> None:
    """Their own rows show it."""
    whole = make.result(refusals=())
    lacking = dataclasses.replace(whole.arms[0], total=make.refused("total"))
    some = dataclasses.replace(whole, arms=(lacking, *whole.arms[1:]))
    assert tables.refused(some) == ()
    page = terminal.render(some, view="why")
    assert "of single arms:\nintervals of north" in page
    assert "Not printed" not in terminal.render(some)


def test_levels_decide_the_columns() -> None:
    """Ranks from three items on; quotes at one item only."""
    one, two, five = (tables.shape(make.result(items=n)) for n in (1, 2, 5))
    assert (one.quotes, one.ranks, one.differences) == (True, False, False)
    assert (two.quotes, two.ranks) == (False, False)
    assert (five.quotes, five.ranks, five.differences) == (False, True, True)
    forced = dataclasses.replace(make.result(items=5), level=DataLevel.E2)
    assert "rank" not in terminal.render(forced).splitlines()[7]


def test_a_mean_or_median_of_what_is_there_is_printed_on_every_page() -> None:
    """Arithmetic needs no number of items; only its interval is refused."""
    whole = make.extended(make.result(items=5))
    found = whole.extended
    assert found is not None
    arms = tuple(
        dataclasses.replace(arm, median=make.refused("median", have=5, need=6))
        for arm in found.arms
    )
    rows = tuple(
        dataclasses.replace(row, mean=make.refused("mean", code="no_variation"))
        for row in found.criteria[0].rows
    )
    criteria = (dataclasses.replace(found.criteria[0], rows=rows),)
    whole = dataclasses.replace(
        whole, extended=dataclasses.replace(found, arms=arms, criteria=criteria)
    )
    page = markdown.render(whole)
    assert "| north | 8.50 (interval not printed: too few items) |" in page.replace("\\_", "_")
    assert "8.00 (interval not printed: nothing varies)" in page.replace("\\_", "_")
    assert "not printed (nothing varies)" not in page.replace("\\_", "_")


def test_shares_have_two_digits_everywhere() -> None:
    """A share won stands beside those of the criteria in one form."""
    row = tables.rows(make.pairs())[0]
    figures = [row.total.split()[0], *row.criteria]
    assert [len(one.partition(".")[2]) for one in figures] == [2] * len(figures)


def test_the_length_baseline_says_which_items_it_counts() -> None:
    """Six items may be there, and none of them tells of length."""
    words = refusals.why(make.refused("length_baseline", have=0, need=5))
    assert words == (
        "needs ≥ 5 items with three scored arms that differ in length and in total, have 0 "
        "(add items, or arms)"
    )


def test_how_many_more_warnings_there_are_is_never_cut() -> None:
    """The sentence gives way, between words, and the note stays whole."""
    known = [
        make.flag(code, 1, arm="x" * 20, arms="y" * 24)
        for code in sorted(flags.SENTENCES)
        if code not in terminal_page.OF_STARTS
    ]
    for first in range(len(known) - 3):
        whole = make.result(items=5, warnings=tuple(known[first : first + 4]))
        page = " ".join(terminal.render(whole).split())
        assert "(+1 more in report.md)" in page


@pytest.mark.parametrize("columns", [40, 80])
def test_the_command_of_a_flag_names_the_run_and_is_never_cut(columns: int) -> None:
    """On lines of its own, whole, with the run as it was typed; a shell takes it as it stands."""
    flag = make.flag("controls_failed", 1, kinds="padded 0 of 2", key="9bcc3e03")
    whole = dataclasses.replace(make.result(items=8), warnings=(flag,))
    run = "a folder/with a long name/of many words and more of them/runs/one"
    lines = terminal.render(whole, width=columns, run=run)
    assert f"judge show '{run}' 9bcc3e03" in lines.replace(" \\\n    ", " ")
    assert flags.command(make.flag("replay", 1), "r") == ""


def test_controls_that_are_not_decided_are_said_with_their_reason() -> None:
    """In the first lines, and wherever a kind is counted; more reasons than one are report.md's."""
    made = make.planted()
    duplicate = dataclasses.replace(made.classes[1], planted=3, decided=2, passed=0, failed=True)
    found = dataclasses.replace(made, classes=(made.classes[0], duplicate))
    assert controls.failed_kinds(found) == ["near-empty 1 of 2", "damaged 0 of 2 decided"]
    first = controls.short(make.result(controls=found))
    assert first.endswith("passed 2 of 3, 95 % [0.09, 0.99], 1 undecided (repeatability unknown)")
    two = dataclasses.replace(found, undecided=(("not judged yet", 1), ("its source", 1)))
    assert controls.short(make.result(controls=two)).endswith(", 1 undecided")
    none = dataclasses.replace(found, decided=0, undecided=(("not judged yet", 4),))
    said = controls.short(make.result(controls=none))
    assert said == "controls: none of 4 decided (not judged yet)"


@pytest.mark.parametrize(("way", "rho"), [("higher", 0.85), ("lower", -0.7)])
def test_a_length_baseline_says_its_direction(way: str, rho: float) -> None:
    """Where short answers stand higher, no warning says that long ones do."""
    said = flags.sentence(make.flag("length_baseline", 9, rho=rho, way=way))
    assert said.startswith(f"longer answers got {way} totals (mean rank correlation {rho:.2f})")
    assert said.endswith("length may explain them, or the arm")


@pytest.mark.parametrize("name", ["acme/marker-2", "acme/a-name-that-leaves-no-room"])
def test_the_count_of_controls_stays_with_the_judge(name: str) -> None:
    """A line that says what a judge fails says that alone, however long the judge's name is."""
    found = make.result(controls=make.planted())
    found = dataclasses.replace(found, judging=make.facts(judge_name=name))
    lines = wording.headline(found)
    at = next(at for at, line in enumerate(lines) if line.startswith("JUDGE FAILS CONTROLS"))
    assert "passed" not in lines[at]
    assert lines[at + 1].startswith(f"judge {name}")
    assert "controls: passed 2 of 3" in " ".join(lines[at + 1 : at + 3])


def test_a_recommendation_names_what_speaks_against_it() -> None:
    """The warnings that bear on who is best stand in it, the strongest two, and no others."""
    whole = dataclasses.replace(partly_blocked(), tradeoff=make.tradeoff())
    flagged = dataclasses.replace(
        whole,
        warnings=(
            make.flag("length_baseline", 9, rho=0.85, way="higher"),
            make.flag("same_family", 6, judge="acme/marker-2", arms="north"),
            make.flag("cost_unknown", 2, requests=4),
            make.flag("order_turned", 20, turned=3, pairs=4),
        ),
    )
    said = contrasts.advice(flagged)
    assert said.endswith(
        "What speaks against it: the judge acme/marker-2 is of the same family as north; longer "
        "answers got higher totals (mean rank correlation 0.85): length may explain them, or the "
        "arm."
    )
    assert "speaks against" not in contrasts.advice(dataclasses.replace(whole, warnings=()))


def test_what_is_blocked_is_said_plainly_in_a_wide_and_in_a_narrow_column() -> None:
    """Two reasons are named, more are counted; no sum with a plus stands for them."""
    arm = partly_blocked().arms[0]

    def cells(*reasons: str) -> tuple[str, str]:
        counts = tuple(BlockedCount(reason=one, count=1, message="") for one in reasons)
        row = tables.row_of(partly_blocked(), dataclasses.replace(arm, blocked=counts))
        return row.blocked, row.blocked_narrow

    assert cells() == ("", "")
    assert cells("empty") == ("1 empty", "1 empty")
    assert cells("empty", "timeout") == ("1 empty, 1 timeout", "2 mixed")
    assert cells("empty", "timeout", "length") == ("1 empty, 2 other", "3 mixed")


def test_the_next_step_fits_the_largest_trouble() -> None:
    """Blocked answers are collected again; arms that nothing parts are planned for."""
    whole = partly_blocked()
    whole_arms = tuple(dataclasses.replace(arm, suspects=0) for arm in whole.arms)
    blocked = dataclasses.replace(whole, arms=whole_arms)
    command, cost = tables.next_step(blocked, "runs/given")
    assert command == "judge check runs/given"
    assert cost.endswith("blocked answers to collect again")
    open_ = make.result(items=8)
    command, cost = tables.next_step(open_, "runs/given")
    assert command == "judge power runs/given"
    assert "would part the arms" in cost
    constant = dataclasses.replace(open_, warnings=(make.flag("constant_judge", 1, mark=4),))
    command, cost = tables.next_step(constant, "runs/given")
    assert "--judge PROVIDER/MODEL" in command
    assert "to another judge" in cost
    clear = best_of_five()
    assert "to another judge" in tables.next_step(clear, "runs/given")[1]


def test_an_order_that_the_reference_turns_is_explained() -> None:
    """A row above another that won more often against the reference says why."""
    whole = make.pairs()
    assert whole.comparing is not None
    north, harbour, meadow, *rest = whole.comparing.arms
    turned = dataclasses.replace(
        whole.comparing,
        arms=(
            north,
            dataclasses.replace(harbour, against_reference=Estimate(value=0.21, n=6)),
            dataclasses.replace(meadow, against_reference=Estimate(value=0.33, n=6)),
            *(dataclasses.replace(one, against_reference=Estimate(value=0, n=6)) for one in rest),
        ),
    )
    assert "though it won" not in markdown.render(whole)
    page = markdown.render(dataclasses.replace(whole, comparing=turned))
    assert "harbour is above meadow, though it won 21 % and not 33 % of these." in page


def test_a_page_that_is_not_the_first_shown_is_named_in_the_next_step() -> None:
    """A bare command would read the healthy pass beside it."""
    one = make.result()
    beside = make.facts(id="other", complete=True)
    mine = dataclasses.replace(one.judging, complete=False)
    made = dataclasses.replace(one, judging=mine, passes=(beside, mine))
    assert wording.unless_first(made) == f" --pass {mine.id}"
    assert wording.unless_first(one) == ""


@pytest.mark.parametrize("statistic", ["bradley_terry", "length_control", "plackett_luce"])
def test_a_strength_is_refused_for_one_reason_in_cells_and_sentences(statistic: str) -> None:
    """Where one arm won every comparison, arms do share items."""
    found = make.refused(statistic, code="disconnected", have=2, need=1)
    assert "shared items" not in refusals.short(found)
    assert refusals.short(found).startswith("some arms")
    assert refusals.why(found).startswith("some arms")


def test_the_report_explains_a_rank_from_1_without_a_star() -> None:
    """The sentence of the terminal's legend, at more length."""
    whole = partly_blocked()
    north, harbour, *rest = whole.arms
    open_rank = dataclasses.replace(harbour, rank_low=1, may_be_best=False)
    said = "A rank from 1 without"
    assert said not in markdown.render(whole)
    assert said in markdown.render(dataclasses.replace(whole, arms=(north, open_rank, *rest)))


def test_the_observed_rank_of_unequal_items_is_said_as_it_is_taken() -> None:
    """Not by the means that stand beside it: by differences on shared items."""
    whole = best_of_five()
    assert "how the totals of this run stand" in markdown.render(whole)
    last = dataclasses.replace(whole.arms[-1], shared=30, answered=30)
    text = markdown.render(dataclasses.replace(whole, arms=(*whole.arms[:-1], last)))
    assert "stand by the total of north plus the paired difference to it on shared items" in text
    assert "how the totals of this run stand" not in text


def test_names_of_what_is_not_printed_are_counted_as_they_are_read() -> None:
    """A comma inside a name would make two of one."""
    for statistic in ("rank", "best", "totals", "components"):
        assert "," not in refusals.name(make.refused(statistic, have=1))


def test_why_counts_what_is_not_printed_as_the_table_does() -> None:
    """One figure that two reasons refuse is one figure on both pages."""
    twice = tuple(
        make.refused("noise", code=one, have=1) for one in ("too_few_items", "no_variation")
    )
    whole = dataclasses.replace(best_of_five(), refusals=twice)
    assert len(tables.why(whole)) == len(tables.refused(whole)) + 1
    page = terminal.render(whole, view="why")
    assert f"{len(tables.refused(whole))} figure" in page


@pytest.mark.parametrize(("turning", "which"), [(1, "1 item"), (3, "any one of 3 items")])
def test_items_that_decide_a_sign_are_counted_in_plain_words(turning: int, which: str) -> None:
    """One item and several, each with its own grammar."""
    influence = ItemInfluence(item="i5", difference=-0.1, turns=True)
    drivers = GapDrivers(
        first="north", second="harbour", difference=0.1, shared=6, turning=turning,
        items=(influence,),
    )  # fmt: skip
    ((said, lines),) = tables.sensitivity(dataclasses.replace(make.result(), drivers=drivers))
    assert f"; leaving out {which} would change the sign of the difference." in said
    assert lines == ("Without i5: -0.10 (turned)",)


def test_a_pass_of_given_marks_has_no_requests_that_were_answered() -> None:
    """Of people, who were sent nothing, "0 of 0" would read as if nothing were there."""
    given = make.facts(id="given", planned=0, answered=0)
    found = make.result()
    page = markdown.render(dataclasses.replace(found, passes=(*found.passes, given)))
    assert "none: marks were given" in page
    assert "0 of 0" not in page
