"""The next step of a report: one command that helps most from here, and what it costs."""

import math
import shlex
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from judgebench.blind.order import noise_count
from judgebench.model.nouns import Refusal
from judgebench.model.passes import DataLevel
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import Result
from judgebench.reports.digits import plural, usd
from judgebench.reports.wording import agreeing, run_word, scored, unless_first
from judgebench.text import one_line

NOTHING: Mapping[str, str] = MappingProxyType({})
_PAST_ITEMS = frozenset(
    {
        RefusalCode.NOT_IDENTIFIED.value,
        RefusalCode.DISCONNECTED.value,
        RefusalCode.UNEQUAL_OPPONENTS.value,
    }
)
USUAL_AUDITS = 3
"""Judgings of a project where nobody says how many."""


def next_step(result: Result, run: str = "", given: Mapping[str, str] = NOTHING) -> tuple[str, str]:
    """One command that helps most from here, and what it costs.

    Args:
        result: What is known.
        run: The run as the user typed it; its name where that is not known.
        given: Options of judging as the user typed them, by their names.
    """
    name, counts = run_word(result, run), result.counts
    if result.judging.marks_only:
        return _of_marks(result, name, agreeing(result, run))
    if counts.outputs and counts.outputs_blocked >= counts.outputs:
        return f"judge check {name}{_where(given)}", "costs nothing; says what to collect again"
    left = counts.requests_planned - counts.requests_answered
    if open_ := [one for one in result.panel if one.answered < one.planned]:
        # One judge is asked at a time, and by its own name.
        result = replace(result, judging=open_[0])
        left = open_[0].planned - open_[0].answered
    same = f"judge score {name}{_judge(result)}{_asked(result, given)}"
    if left > 0 and result.judging.route != "replay":
        return same, f"asks the rest: {price(result, left)}"
    if (mended := _without_place(result, name, given, same=same)) is not None:
        return mended
    if result.level == DataLevel.E0 and scored(result) and result.judging.route != "replay":
        return _of_one_item(result, name, given)
    return _next_judging(result, name, given)


def _of_marks(result: Result, name: str, agree: str) -> tuple[str, str]:
    """What helps where marks were given elsewhere: nothing more can be asked."""
    if result.panel:
        return _of_panel(result, name)
    if agree:
        return agree, "costs nothing; whether the other judges say the same"
    if result.checks.modal_share == 1 and not result.panel:
        return "judge import marks --help", "another file: these marks are all the same"
    if _past_items(result):
        return f"judge table {name}{_of_pass(result)} --why", "costs nothing; what is not known"
    return f"judge power {name}{_of_pass(result)}", "costs nothing; how many items a gap needs"


def _past_items(result: Result) -> bool:
    """Whether the place may have decided, or opponents, so that no number of items is told."""
    found = result.items_needed
    return isinstance(found, Refusal) and found.code in _PAST_ITEMS


def _without_place(
    result: Result, name: str, given: Mapping[str, str], *, same: str
) -> tuple[str, str] | None:
    """What gives arms their place that lack it; None where all have it, or nothing would."""
    if any(arm.suspects and not arm.placed for arm in result.arms):
        return f"{same} --accept-cut", "or --block-cut; costs nothing"
    held = [arm for arm in result.arms if not arm.placed]
    blocked = sum(one.count for arm in held for one in arm.blocked)
    if blocked:
        what = plural(blocked, "blocked answer")
        return f"judge check {name}{_where(given)}", f"costs nothing; {what} to collect again"
    failed = sum(one.count for arm in held for one in arm.judge_blocked)
    if result.judging.mode == "pairwise":
        # Two judgments hang on one reply, and all that failed are asked again.
        failed = result.counts.judgments_blocked // 2 if failed else 0
    if failed and result.judging.route != "replay" and not result.panel:
        return f"{same} --retry-blocked", f"asks again: {price(result, failed)}"
    return None


def _of_one_item(result: Result, name: str, given: Mapping[str, str]) -> tuple[str, str]:
    """What adds most where there is one item: others, and to an audit of one project audits."""
    if result.audit is None:
        return f"judge power {name}{unless_first(result)}", (
            "how many items to add, as items/ID/prompt.md and ARM/ID/output.md; free"
        )
    again = f"judge score {name}{_judge(result)}{_asked(result, given, but=('--repeats',))}"
    return f"{again} --repeats 3", price(result, 2 * result.counts.requests_planned)


def _of_pass(result: Result) -> str:
    """Whose marks are meant, where others stand beside them on this run."""
    if any(one.code == "passes_unused" for one in result.warnings):
        return f" --pass {shlex.quote(one_line(result.judging.id, 60))}"
    return ""


def _judge(result: Result) -> str:
    """The judge as it is typed again; a recording is found by itself."""
    judging = result.judging
    return (
        ""
        if judging.route == "replay"
        else f" --judge {shlex.quote(one_line(judging.judge_name, 60))}"
    )


def _where(given: Mapping[str, str]) -> str:
    """What was given of how the run's folder is read."""
    names = ("--arms", "--prompt", "--no-prompt", "--map")
    return "".join(f" {given[name]}" for name in names if name in given)


def _asked(result: Result, given: Mapping[str, str], *, but: tuple[str, ...] = ()) -> str:
    """Options that ask the same: as they were given, else where no run has them by default."""
    default, judging = "usecase" if result.declared else "answer", result.judging
    options = {}
    if judging.rubric_name != default:
        options["--rubric"] = f"--rubric {shlex.quote(one_line(judging.rubric_name, 60))}"
    if judging.mode != "pointwise":
        options["--mode"] = f"--mode {one_line(judging.mode, 12)}"
    if judging.blinding != "mask":
        options["--blind"] = f"--blind {one_line(judging.blinding, 12)}"
    if judging.split_criteria:
        options["--split-criteria"] = "--split-criteria"
    if judging.turns is not None:
        options["--tools"] = "--tools auto"
    if not result.has_prompt:
        options["--no-prompt"] = "--no-prompt"
    words = {**options, **given}
    usual = result.audit is not None and judging.repeats == USUAL_AUDITS
    if (judging.repeats > 1 and not usual) or "--repeats" in given:
        words["--repeats"] = f"--repeats {judging.repeats}"
    return "".join(f" {word}" for name, word in words.items() if name not in but)


def _as_often(result: Result, given: Mapping[str, str]) -> str:
    """``--repeats 1``, where a pass without it would judge cells again for the noise."""
    cells = sum(arm.answered for arm in result.arms)
    known = result.judging.repeats > 1 or "--repeats" in given or result.counts.noise_cells
    return "" if known or not noise_count(cells) else " --repeats 1"


def _of_panel(result: Result, name: str) -> tuple[str, str]:
    """What helps where several judges have judged: more items, or where they part."""
    if _undecided(result):
        return f"judge power {name} --judges {len(result.panel)}", (
            "costs nothing; how many items would part the arms for as many judges"
        )
    if result.agreement is not None and not result.agreement.cells_split:
        return f"judge agree {name}", "costs nothing; what the judges share"
    alone = result.judging.marks_only
    what = "cells whose marks differ" if alone else "cells to read for yourself"
    return f"judge agree {name} --split", f"costs nothing; {what}"


def _next_judging(result: Result, name: str, given: Mapping[str, str]) -> tuple[str, str]:
    """The judging that would add most, once this one is complete."""
    counts = result.counts
    if result.panel:
        return _of_panel(result, name)
    if _undecided(result):
        return f"judge power {name}{_of_pass(result)}", (
            "costs nothing; how many items or repeats would part the arms"
        )
    # The order of a pass is its own: a seed that was given is of this one.
    asked = _asked(result, given, but=("--seed",))
    other = f"judge score {name} --judge PROVIDER/MODEL{asked}{_as_often(result, given)}"
    requests = plural(max(counts.requests_planned - counts.requests_drift, 1), "request")
    requests = f"{requests} to another judge"
    if result.judging.route == "replay":
        return other, requests
    if counts.judges == 1 and scored(result):
        took = result.money.cost_usd
        here = f", here {usd(took)}" if took is not None else ", price unknown"
        return other, requests + here
    return f"judge show {name}{unless_first(result)}", "costs nothing"


_OF_JUDGE = frozenset({"constant_judge", "modal_share", "controls_failed", "all_ties", "drift"})
"""Warnings by which it is the judge that tells too little, and another one that helps."""


def _undecided(result: Result) -> bool:
    """Whether nothing is shown of the arms, and not for the judge's sake."""
    if isinstance(result.best, Refusal) or len(result.best) < 2:  # noqa: PLR2004 - one is best
        return False
    if any(pair.separated for pair in result.pairs):
        return False
    return not any(one.code in _OF_JUDGE for one in result.warnings)


def price(result: Result, requests: int) -> str:
    """What so many further requests would cost, by what this pass took a call."""
    what = plural(requests, "request")
    money = result.money
    if money.cost_usd is None or not money.calls or not math.isfinite(money.cost_usd):
        return f"{what}, price unknown"
    cost = usd(money.cost_usd / money.calls * requests)
    return f"{what}, {cost if cost.startswith('under') else f'about {cost}'}"
