"""What planted controls say of the judge, in words: the first lines and the table."""

from collections.abc import Sequence

from judgebench.model.agreement import Rater
from judgebench.model.card import CardControls
from judgebench.model.controls import ControlCheck, ControlKind, Controls
from judgebench.model.nouns import Estimate
from judgebench.model.result import Result
from judgebench.reports.digits import DASH, listed, plural, points, share
from judgebench.reports.naming import apart
from judgebench.text import one_line

KINDS = {
    ControlKind.NEAR_EMPTY: "near-empty",
    ControlKind.DAMAGED: "damaged",
    ControlKind.DUPLICATE: "duplicate",
    ControlKind.OFF_TASK: "off-task",
    ControlKind.TALKS_TO_JUDGE: "talks to the judge",
    ControlKind.PADDED: "padded",
}
"""Each kind as people read it; its code stands in JSON and CSV only."""
_EVEN = 0.5
_LINE = 80
_FEW_WORDS = {
    "the repeatability limit is unknown": "repeatability unknown",
    "its source stands at the bottom of the scale": "source at the lowest mark",
}
"""Reasons that are too long for the first lines."""
MOST_NAMED = 40
"""Failures that a report names one by one."""


def short(result: Result) -> str:
    """Controls in the first lines; empty where there is nothing to say of them."""
    if result.panel:
        return _short_panel(result.agreement.raters if result.agreement else ())
    found = result.controls
    if found is None:
        # A recording is what it is; imported marks had no judge to control.
        judging = result.judging
        no_word = judging.marks_only or judging.route == "replay"
        if no_word or not result.counts.requests_planned:
            return ""
        return "controls off"
    if not found.decided:
        return _why_open(f"controls: none of {found.planted:,} decided", found)
    ends = ""
    if isinstance(found.rate, Estimate):
        ends = f", 95 % [{points(found.rate.low, 2)}, {points(found.rate.high, 2)}]"
    said = f"controls: passed {found.passed:,} of {found.decided:,}{ends}"
    left = found.planted - found.decided
    return _why_open(f"{said}, {left:,} undecided", found) if left else said


def _why_open(words: str, found: Controls) -> str:
    """The same, with why controls are not decided where that is one reason with room here."""
    if len(found.undecided) != 1:
        return words
    why = found.undecided[0][0]
    whole = f"{words} ({_FEW_WORDS.get(why, why)})"
    return whole if len(whole) <= _LINE else words


def _short_panel(raters: Sequence[Rater]) -> str:
    """The controls of every judge of a panel, as counts."""
    told = [
        one
        for one in raters
        if one.controls is not None or not (one.facts.marks_only or one.facts.route == "replay")
    ]
    if told and all(one.controls is None for one in told):
        return "controls off"
    names = apart((one.name for one in told), 24)
    said = [f"{names[one.name]} {of_judge(one)}" for one in told]
    return f"controls passed: {listed(said)}" if said else ""


def of_judge(one: Rater) -> str:
    """Passed of decided, or why there is no such count."""
    found = one.controls
    if found is None:
        return "off"
    return f"{found.passed:,} of {found.decided:,}" if found.decided else "none decided"


def failing(result: Result) -> str:
    """The first lines' own line for judges that fail a kind of control; empty without one."""
    if result.panel:
        raters = result.agreement.raters if result.agreement else ()
        names = apart((one.name for one in raters), 24)
        told = [
            f"{names[one.name]} ({_counted(one.controls)})"
            for one in raters
            if one.controls is not None and failed_kinds(one.controls)
        ]
        return f"JUDGES FAIL CONTROLS: {listed(told, most=3)}" if told else ""
    found = result.controls
    if found is None or not failed_kinds(found):
        return ""
    return f"JUDGE FAILS CONTROLS: {_counted(found)}"


def _counted(found: Controls) -> str:
    return listed(failed_kinds(found), most=2)


HEADS = ("kind", "planted", "decided", "passed", "share (95 %)", "judge", "right treatment")
"""Of the table that `rows` fills."""


def said(found: Controls | CardControls) -> str:
    """How many passed, with what is not decided."""
    words = f"Planted controls: {found.planted:,}, decided {found.decided:,}"
    if found.decided:
        words += f", passed {found.passed:,} of {found.decided:,}"
    if isinstance(found.rate, Estimate):
        words += f" ({share(found.rate.low)} to {share(found.rate.high)}, exact)"
    return words + ". They are in no rating."


def rows(found: Controls | CardControls) -> list[tuple[str, ...]]:
    """One row a kind: planted, decided, passed, share with its interval, reading, treatment."""
    return [
        (
            KINDS[one.kind],
            f"{one.planted:,}",
            f"{one.decided:,}",
            f"{one.passed:,}",
            DASH
            if not isinstance(one.rate, Estimate)
            else f"{share(one.rate.value)} ({share(one.rate.low)} to {share(one.rate.high)})",
            "fails" if one.failed else "passes" if one.decided else DASH,
            one.kind.pair_treatment if found.by_pairs else one.kind.treatment,
        )
        for one in found.classes
    ]


def notes(found: Controls, *, run: str, digits: int) -> list[str]:
    """The limit, each failure by name, and why others are not decided."""
    if found.by_pairs:
        lines = ["Each was compared with its source and with nothing else, in both orders."]
    elif found.limit is None:
        lines = ["Repeatability limit: unknown; what needs it is not decided (--repeats)."]
    else:
        limit = points(found.limit, digits)
        how = "the floor by the step of the scale" if found.floored else "measured on this judge"
        lines = [
            (
                f"Repeatability limit, {how}: two judgings of one text differ by more than "
                f"{limit} points in 1 of 20. A control's own limit is near it: by Student's t, and "
                "less where its source was judged more often."
            )
        ]
    lines += [failure(one, run=run, digits=digits) for one in found.failures[:MOST_NAMED]]
    if len(found.failures) > MOST_NAMED:
        lines.append(f"{len(found.failures) - MOST_NAMED:,} more failures: result.json.")
    return lines + not_decided(found)


def not_decided(found: Controls | CardControls) -> list[str]:
    """Why controls are not decided, a line a reason."""
    return [f"Not decided, {plural(n, 'control')}: {why}." for why, n in found.undecided]


def failed_kinds(found: Controls | CardControls) -> list[str]:
    """Kinds that the judge fails, each with its counts."""
    return [
        f"{KINDS[one.kind]} {one.counts}"
        for one in found.classes
        if one.failed
    ]  # fmt: skip


def words(kind: str) -> str:
    """A kind in words; a code that this version does not know stays as it is."""
    known = {one.value: name for one, name in KINDS.items()}
    return known.get(kind, kind)


def counts_in_words(kinds: str) -> str:
    """Kinds with their counts as a flag holds them, in words: of many, how many more."""
    told = [one.partition(" ") for one in kinds.split(", ")]
    return listed([f"{words(kind)} {counts}".strip() for kind, _, counts in told], most=2)


def _did(share: float | None) -> str:
    """What one comparison came to."""
    if share is None:
        return "undecided"
    return "tied" if share == _EVEN else "won" if share > _EVEN else "lost"


def failure(one: ControlCheck, *, run: str, digits: int) -> str:
    """One control that was not treated rightly, with the command that shows it."""
    if one.shares:
        words = " and ".join(
            f"{_did(share)} shown {place}"
            for share, place in zip(one.shares, ("first", "second"), strict=True)
        )
        return (
            f"Failed: {KINDS[one.kind]} on {one_line(one.item, 40)}, {words} ({one.why}): "
            f"judge show {run} {one.key[:8]}"
        )
    source = "" if one.source_total is None else f", its source {points(one.source_total, digits)}"
    return (
        f"Failed: {KINDS[one.kind]} on {one_line(one.item, 40)}, total "
        f"{points(one.total, digits)}{source} ({one.why}): judge show {run} {one.key[:8]}"
    )
