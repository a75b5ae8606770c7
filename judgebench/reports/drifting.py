"""Drift → text: what the judge is now beside what it was, and whether that is drift."""

from judgebench.model.drifting import Drift, DriftCheck, DriftControls
from judgebench.model.nouns import Estimate, Refusal
from judgebench.reports import controls, refusals
from judgebench.reports.cells import wrap
from judgebench.reports.digits import decimals, listed, plural, points, signed
from judgebench.text import one_line

_WRAP = 80


def render(drift: Drift, *, width: int = _WRAP) -> str:
    """The check in a few lines, the verdict first."""
    digits = decimals(drift.scale_low, drift.scale_high)
    first = (
        f"{one_line(drift.run_name, 40)} · judge {one_line(drift.judge_name, 32)} · pass "
        f"{drift.pass_id} of {drift.judged_at} · {one_line(drift.rubric_name, 32)}"
    )
    lines = [
        verdict(drift),
        *([unlearned(drift.controls)] if drift.controls and drift.controls.failed else []),
        first,
        _gap(drift.now, digits, detectable=drift.detectable),
        _noise(drift, digits),
        *_same_day(drift, digits),
        *_controls(drift, digits),
        *_blocked(drift),
        *(f"Earlier check {one.number}, {one.at}: {_size(one, digits)}." for one in drift.earlier),
        "Nothing of this counts towards a rating.",
    ]
    return "\n".join(part for line in lines for part in wrap(line, width)) + "\n"


def verdict(drift: Drift) -> str:
    """What the check says, in a sentence."""
    digits = decimals(drift.scale_low, drift.scale_high)
    if drift.verdict == "new_judge":
        return (
            f"NEW JUDGE: it answered as {_listed(drift.answered_then)} then, and as "
            f"{_listed(drift.answered_now)} now. Marks of the two do not belong in one table."
        )
    if drift.verdict == "undecided":
        return "UNDECIDED: the anchors cannot carry an interval."
    if drift.verdict == "no_drift":
        return "NO DRIFT SEEN."
    gap = drift.now.gap
    way = "kinder" if isinstance(gap, Estimate) and gap.value > 0 else "stricter"
    size = points(abs(gap.value), digits) if isinstance(gap, Estimate) else ""
    return f"DRIFTED: the same judge marks {size} points {way} than it did."


def unlearned(found: DriftControls) -> str:
    """The kinds of control that the judge passed then and fails now, in a sentence."""
    now = {one.kind: one for one in found.now.classes}
    kinds = [f"{controls.KINDS[kind]} ({now[kind].counts})" for kind in found.failed]
    return f"CONTROLS FAILED that the same judge passed then: {listed(kinds)}."


def _controls(drift: Drift, digits: int) -> list[str]:
    """How many passed then and now, and each control that no longer passes."""
    found = drift.controls
    if found is None:
        return []
    passed = [f"{one.passed:,} of {one.decided:,}" for one in (found.then, found.now)]
    lines = [f"Controls judged again: then {passed[0]} passed, now {passed[1]}."]
    if found.moved:
        lines.append(
            f"Totals of sources from the pass are taken {signed(found.moved, digits)} points "
            "further there, as the anchors say."
        )
    run = one_line(drift.run_name, 40)
    lines += [
        "Passed then, failed now"
        + controls.failure(one, run=run, digits=digits).removeprefix("Failed")
        for one in found.lost[: controls.MOST_NAMED]
    ]
    if len(found.lost) > controls.MOST_NAMED:
        lines.append(f"{len(found.lost) - controls.MOST_NAMED:,} more of these: --json.")
    return lines + controls.not_decided(found.now)


def _listed(names: tuple[str, ...]) -> str:
    return listed([one_line(name, 60) for name in names]) or "nobody"


def _size(check: DriftCheck, digits: int) -> str:
    if isinstance(check.gap, Refusal):
        return f"{plural(check.answers, 'answer')}, {refusals.why(check.gap)}"
    gap = check.gap
    interval = (
        f" ({signed(gap.low, digits)} to {signed(gap.high, digits)})"
        if gap.low is not None and gap.high is not None
        else ""
    )
    return (
        f"{plural(check.answers, 'answer')} of {plural(gap.n, 'item')}, "
        f"{signed(gap.value, digits)} points{interval}"
    )


def _gap(check: DriftCheck, digits: int, *, detectable: float | None) -> str:
    words = f"Judged again, {check.at}: {_size(check, digits)}."
    if detectable is None:
        return words
    return (
        f"{words} A shift of {points(detectable, digits)} would be seen in 80 % of such checks (by "
        "the spread measured on these anchors)."
    )


def _noise(drift: Drift, digits: int) -> str:
    if isinstance(drift.noise, Refusal):
        return f"Re-scoring noise of the pass: not measured ({refusals.why(drift.noise)})."
    return (
        f"By re-scoring noise alone (sd of one scoring, measured in the pass: "
        f"{points(drift.noise.value, digits)}) the gap stays within "
        f"{points(drift.noise_reach, digits)} in 95 of 100 such checks."
    )


def _same_day(drift: Drift, digits: int) -> list[str]:
    gap = drift.same_day
    if isinstance(gap, Refusal):
        return []
    return [
        f"Between the two judgings of its noise cells, at one time: {signed(gap.value, digits)}."
    ]  # fmt: skip


def _blocked(drift: Drift) -> list[str]:
    if not drift.blocked:
        return []
    return [f"Without a mark on the judge's side: {plural(drift.blocked, 'request')}."]
