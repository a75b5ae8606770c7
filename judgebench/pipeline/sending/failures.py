"""What the judge failed at, in one line: how much, why, and how to go on."""

from collections.abc import Mapping

from judgebench.errors import JudgeFailures
from judgebench.model.reasons import Reason
from judgebench.records import dataclass
from judgebench.text import one_line, plural


@dataclass(frozen=True, kw_only=True, slots=True)
class Failed:
    """What one judge was asked and gave no usable answer to."""

    judge: str
    """As the user named it."""
    noun: str
    """What is counted, in the singular."""
    reasons: Mapping[str, int]
    """Reason → how many, `beside` included."""
    asked: int = 0
    """How many there are in all, `beside` left out; 0 where that is not counted."""
    beside: int = 0
    """Of the failed, controls and repeats."""
    example: str = ""
    """What was wrong with one of them, in words."""
    shown_by: str = ""
    """The command that shows the reply of that one."""
    replayed: bool = False
    """Its replies come from a recording, which asking again does not change."""

    @property
    def count(self) -> int:
        """How many failed."""
        return sum(self.reasons.values())


def check_failures(failed: Failed, *, allowed: int) -> JudgeFailures | None:
    """Hold what failed against --max-judge-failures; None where it is within.

    Args:
        failed: Of one judge.
        allowed: So many are put up with.
    """
    if failed.count <= allowed:
        return None
    by_count = sorted(failed.reasons.items(), key=lambda one: (-one[1], one[0]))
    why = ", ".join(f"{reason} {count:,}" for reason, count in by_count if count)
    own = failed.count - failed.beside
    what = (
        f"{own:,} of {plural(failed.asked, failed.noun)}"
        if failed.asked
        else plural(own, failed.noun)
    )
    beside = f" and {plural(failed.beside, 'control or repeat', 'controls or repeats')}"
    said = f"; the first: {one_line(failed.example, 120)}" if failed.example else ""
    seen = f"{failed.shown_by} shows its reply; " if failed.shown_by else ""
    return JudgeFailures(
        f"blocked on the side of judge {one_line(failed.judge, 40)}: {what}"
        f"{beside if failed.beside else ''} ({why}{said}), allowed: {allowed:,} "
        f"(--max-judge-failures); {seen}{_go_on(failed)}"
    )


def _go_on(failed: Failed) -> str:
    """What asks again, by what the failures are."""
    there = {Reason(reason) for reason, count in failed.reasons.items() if count}
    if failed.replayed:
        return "so it was recorded: --judge PROVIDER/MODEL asks anew (judge explain blocked)"
    again = {reason for reason in there if reason.of_judge}
    if not again:
        return "judge explain blocked says why; asking again changes nothing"
    how = "" if all(reason.asked_again for reason in again) else " with --retry-blocked"
    which = "them" if again == there else f"those of {', '.join(sorted(again))}"
    mend = "" if how == "" else _mend(again)
    return f"the same command{how} asks {which} again{mend}"


def _mend(again: set[Reason]) -> str:
    """What must be changed first, where the same request would fail in the same way."""
    if Reason.JUDGE_LENGTH in again:
        return ", once max_tokens in judges.toml is raised for judge_length"
    return " (judge explain blocked)"
