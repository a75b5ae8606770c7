"""Blindness → text: could the judge tell who wrote what it marked?"""

from judgebench.model.blindness import Blindness
from judgebench.model.nouns import Refusal
from judgebench.model.result import Result
from judgebench.reports import refusals
from judgebench.reports.cells import wrap
from judgebench.reports.digits import plural, share
from judgebench.reports.naming import apart
from judgebench.reports.wording import run_word
from judgebench.text import one_line

_WRAP = 80
FILE = "blindness.json"


def of_report(result: Result) -> list[str]:
    """What a report says of each judge that was probed."""
    several = len(result.blindness) > 1
    names = apart((one.judge_name for one in result.blindness), 40)
    lines = []
    for found in result.blindness:
        whose = f"{names[found.judge_name]}: " if several else ""
        lines.append(f"{whose}{_first(found)} {_scan(found)}{_unanswered(found)}{_stale(found)}")
    lines += [
        f"Blindness: {one_line(path, 120)} cannot be read. Its answers are kept beside it: "
        f"`judge score {run_word(result, '')} --probe-blindness` writes it anew from them."
        for path in result.probes_unread
    ]
    return lines


def render(found: Blindness, *, width: int = _WRAP) -> str:
    """A few lines, the answer first."""
    lines = [_first(found), _scan(found)]
    arms = apart((arm.arm for arm in found.arms), 40)
    lines += [said] if (said := _unanswered(found).strip()) else []
    lines += [
        f"{arms[arm.arm]}: recognised {arm.right} of {arm.asked}, named {arm.named} times."
        for arm in found.arms
        if found.seen_through
    ]
    return "\n".join(part for line in lines for part in wrap(line, width)) + "\n"


def _first(found: Blindness) -> str:
    if isinstance(found.accuracy, Refusal):
        return f"Blindness: not measured ({refusals.why(found.accuracy)})."
    verdict = (
        "NOT BLIND: the judge recognises authors better than chance"
        if found.seen_through
        else "Blindness: the judge is not seen to recognise authors better than chance"
    )
    return (
        f"{verdict}: {found.right} of {plural(found.asked, 'output')} "
        f"({share(found.accuracy.value)}, exact 95 % {share(found.accuracy.low)} to "
        f"{share(found.accuracy.high)}; chance {share(found.chance)})."
    )


def _unanswered(found: Blindness) -> str:
    if not found.unanswered:
        return ""
    return f" Without a usable answer: {plural(found.unanswered, 'output')}, not counted."


def _stale(found: Blindness) -> str:
    if not found.stale:
        return ""
    return " The run has changed since: these are its answers as they were then."


def _scan(found: Blindness) -> str:
    return (
        f"The leak scan had found {plural(found.scan_finds, 'identity string')} in "
        f"{plural(found.scan_outputs, 'output')} of these."
    )
