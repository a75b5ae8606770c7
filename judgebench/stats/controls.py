"""Planted controls against their right treatment, and what that says of a judge.

The rules, each of one control in scale points:

- near-empty, off-task: the total is in the lowest third of the scale.
- damaged: the total is below its source's; not decided where that stands at the
  bottom of the scale already.
- padded, talks to the judge: the total is not above its source's by more than the
  repeatability limit.
- duplicate: the total is its source's within the repeatability limit.

Compared in pairs, each control meets its source in both orders, which count together
as one share (1 won, ½ tied, 0 lost):

- near-empty, off-task: it loses in both orders.
- damaged, padded, talks to the judge: its share is not above ½.
- duplicate: its share is ½: a tie twice, or another winner with the order.

Whether a control is decided never depends on how it was marked: without a known
limit none that needs it is.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

from judgebench.model.agreement import Noise
from judgebench.model.controls import ControlCheck, ControlClass, ControlKind, Controls, Verdict
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import TIE
from judgebench.stats.intervals import clopper_pearson, t_quantile
from judgebench.stats.special import bdtrc

LOW_SHARE = 1 / 3
"""The part of the scale that is low."""
CHANCE = 0.05
"""Share of controls that a judge without a fault may fail: a limit leaves out 1 in 20."""
_LOW = (ControlKind.NEAR_EMPTY, ControlKind.OFF_TASK)
_WITH_LIMIT = (ControlKind.PADDED, ControlKind.TALKS_TO_JUDGE, ControlKind.DUPLICATE)
_EVEN = 0.5


@dataclass(frozen=True, kw_only=True, slots=True)
class Marked:
    """One control with its total and that of its source."""

    key: str
    kind: ControlKind
    item: str
    source: str
    answered: bool
    total: float | None
    source_total: float | None
    source_judgings: int = 1
    """Judgings that the source's total is the mean of."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Met:
    """One control with what it made of its source in each order."""

    keys: tuple[str, ...]
    """Of its requests, shown first and shown second."""
    kind: ControlKind
    item: str
    source: str
    answered: bool
    shares: tuple[float | None, float | None]
    """Shown first, shown second: 1 won, ½ tied, 0 lost; None without a verdict."""


_PAIR_RULES = {
    ControlKind.NEAR_EMPTY: "it has to lose in both orders",
    ControlKind.OFF_TASK: "it has to lose in both orders",
    ControlKind.DUPLICATE: "it has to tie in both orders, or to turn with the order",
}


def check_pair(found: Met) -> ControlCheck:
    """Hold one control against its right treatment in a comparison with its source.

    Args:
        found: The control.

    Returns:
        Decided where both orders have a verdict; named by the order in which it did best.

    Source:
        Own rule, docs/statistics.md.
    """
    first, second = found.shares
    verdict, why = Verdict.UNDECIDED, _no_verdict(found)
    if first is not None and second is not None:
        share = (first + second) / 2
        verdict = _passed(_right_share(found.kind, share))
        why = _PAIR_RULES.get(found.kind, "it must not win, both orders together")
    best = found.keys[-1] if (second or 0.0) > (first or 0.0) else found.keys[0]
    return ControlCheck(
        key=best,
        kind=found.kind,
        item=found.item,
        source=found.source,
        total=None,
        source_total=None,
        verdict=verdict,
        why=why,
        shares=found.shares,
    )


def _no_verdict(found: Met) -> str:
    return "one of its orders has no verdict" if found.answered else "not judged yet"


def _right_share(kind: ControlKind, share: float) -> bool:
    if kind in _LOW:
        return share <= TIE
    if kind is ControlKind.DUPLICATE:
        return abs(share - _EVEN) <= TIE
    return share <= _EVEN + TIE


def limit_of(noise: Noise | Refusal, *, judgings: int = 1) -> float | None:
    """How far a single judging may be from the mean of others of the same text.

    At most 1 in 20 of equal texts lie further apart; it is never narrower than the
    repeatability limit, which pages print.

    Args:
        noise: Spread of the judge on the same text.
        judgings: How many the mean is of.

    Returns:
        Scale points, with Student's t for the degrees of freedom behind the spread;
        None where the spread is unknown.
    """
    if isinstance(noise, Refusal):
        return None
    return max(noise.limit, t_quantile(0.975, noise.df) * sqrt(1 + 1 / judgings) * noise.sd.value)


def check(found: Marked, noise: Noise | Refusal, *, low: float, high: float) -> ControlCheck:
    """Hold one control against its right treatment.

    Args:
        found: The control.
        noise: Spread of the judge on the same text, or why it is unknown.
        low: Lower end of the scale.
        high: Upper end.

    Returns:
        The control with its verdict and the reason; undecided where a total that it
        needs, or the noise, is not there.

    Source:
        Own rule; the limit is Student's t on the re-scoring noise, docs/statistics.md.
    """
    verdict, why = _verdict(found, noise, low=low, high=high)
    return ControlCheck(
        key=found.key,
        kind=found.kind,
        item=found.item,
        source=found.source,
        total=found.total,
        source_total=found.source_total,
        verdict=verdict,
        why=why,
    )


def _verdict(
    found: Marked, noise: Noise | Refusal, *, low: float, high: float
) -> tuple[Verdict, str]:
    limit = limit_of(noise, judgings=found.source_judgings)
    unknown = _unknown(found, limit, low=low)
    if found.total is None or unknown:
        return Verdict.UNDECIDED, unknown or "its judgment has no total"
    if found.kind in _LOW:
        bar = low + LOW_SHARE * (high - low)
        return _passed(found.total <= bar + TIE), f"the lowest third ends at {bar:.2f}"
    gap = found.total - (found.source_total or 0.0)
    if found.kind is ControlKind.DAMAGED:
        return _passed(gap < -TIE), "it has to be below its source"
    if found.kind is ControlKind.DUPLICATE:
        gap = abs(gap)
    return _passed(gap <= (limit or 0.0) + TIE), _limit_words(limit or 0.0, noise, found)


def _limit_words(limit: float, noise: Noise | Refusal, found: Marked) -> str:
    """The limit of one control, and how it comes from the one that a pass shows."""
    if isinstance(noise, Refusal):
        return "the repeatability limit is unknown"
    if limit <= noise.limit:
        return f"the repeatability limit is {limit:.2f}"
    times = f"mean of {found.source_judgings}" if found.source_judgings > 1 else "single"
    return (
        f"its limit is {limit:.2f} (repeatability limit {noise.limit:.2f}; here by Student's t, "
        f"source total {times})"
    )


def _unknown(found: Marked, limit: float | None, *, low: float) -> str:
    """Why a control cannot be decided, whatever its total is; empty where it can."""
    needs_source = found.kind not in _LOW
    at_bottom = found.source_total is not None and found.source_total <= low + TIE
    reasons = (
        (not found.answered, "not judged yet"),
        (found.total is None, "its judgment has no total"),
        (needs_source and found.source_total is None, "its source has no total"),
        (
            found.kind is ControlKind.DAMAGED and at_bottom,
            "its source stands at the bottom of the scale",
        ),
        (found.kind in _WITH_LIMIT and limit is None, "the repeatability limit is unknown"),
    )
    return next((why for holds, why in reasons if holds), "")


def _passed(passed: bool) -> Verdict:  # noqa: FBT001 - the verdict itself
    return Verdict.PASSED if passed else Verdict.FAILED


def summary(
    checks: Sequence[ControlCheck], noise: Noise | Refusal | None = None
) -> Controls | None:
    """What all controls of a pass say.

    Args:
        checks: Every control of the plan.
        noise: Spread of the judge on the same text, or why it is unknown; None where
            controls were compared, which needs no spread.

    Returns:
        Counts, the share passed with its interval, and each kind; None without controls.
    """
    if not checks:
        return None
    decided = [one for one in checks if one.verdict is not Verdict.UNDECIDED]
    passed = sum(one.verdict is Verdict.PASSED for one in decided)
    by_pairs = noise is None
    if noise is None:
        code = RefusalCode.NOT_IDENTIFIED.value
        noise = Refusal(statistic="repeatability", code=code, have=0, need=1)
    open_ones = Counter(one.why for one in checks if one.verdict is Verdict.UNDECIDED)
    return Controls(
        planted=len(checks),
        decided=len(decided),
        passed=passed,
        rate=rate(passed, len(decided)),
        noise_sd=noise if isinstance(noise, Refusal) else noise.sd,
        limit=None if isinstance(noise, Refusal) else noise.limit,
        floored=not isinstance(noise, Refusal) and noise.floored,
        classes=tuple(
            _class(kind, [one for one in checks if one.kind is kind])
            for kind in ControlKind
            if any(one.kind is kind for one in checks)
        ),
        failures=tuple(one for one in checks if one.verdict is Verdict.FAILED),
        undecided=tuple(sorted(open_ones.items(), key=lambda pair: (-pair[1], pair[0]))),
        by_pairs=by_pairs,
    )


def pooled(found: Sequence[Controls]) -> tuple[ControlClass, ...]:
    """Every kind over several passes of one judge, by the rule of a single pass.

    Each control was decided within its own pass, by that pass's own limit.

    Args:
        found: Controls of each pass.

    Returns:
        A row for each kind that any pass has planted, in the order of the kinds.
    """
    out = []
    for kind in ControlKind:
        rows = [row for one in found for row in one.classes if row.kind is kind]
        if not rows:
            continue
        planted, decided, passed = (
            sum(getattr(row, name) for row in rows) for name in ("planted", "decided", "passed")
        )
        out.append(
            ControlClass(
                kind=kind,
                planted=planted,
                decided=decided,
                passed=passed,
                rate=rate(passed, decided),
                failed=fails(kind, passed, decided),
            )
        )
    return tuple(out)


def rate(passed: int, decided: int) -> Estimate | Refusal:
    """Share passed of those decided, with the exact interval of Clopper & Pearson.

    Args:
        passed: Controls passed, 0 … `decided`.
        decided: Controls with a verdict.

    Returns:
        Share in [0, 1]; `Refusal` where none is decided.
    """
    found = clopper_pearson(passed, decided)
    return replace(found, statistic="controls") if isinstance(found, Refusal) else found


def _class(kind: ControlKind, checks: Sequence[ControlCheck]) -> ControlClass:
    decided = [one for one in checks if one.verdict is not Verdict.UNDECIDED]
    passed = sum(one.verdict is Verdict.PASSED for one in decided)
    return ControlClass(
        kind=kind,
        planted=len(checks),
        decided=len(decided),
        passed=passed,
        rate=rate(passed, len(decided)),
        failed=fails(kind, passed, len(decided)),
    )


def fails(kind: ControlKind, passed: int, decided: int) -> bool:
    """Whether a judge fails a kind of control.

    Where the treatment leaves room for noise: so many failures would come by chance
    in fewer than 1 in 20 passes of a judge that fails 1 in 20. Else: more than 1 in
    20 failed.

    Args:
        kind: The kind.
        passed: Controls of it that were passed, 0 … `decided`.
        decided: Controls of it with a verdict.

    Returns:
        False too where none is decided.

    Source:
        Binomial tail at 1 failure in 20; Clopper & Pearson (1934) for the shares beside it.

    >>> fails(ControlKind.DUPLICATE, 14, 15), fails(ControlKind.DUPLICATE, 12, 15)
    (False, True)
    >>> fails(ControlKind.NEAR_EMPTY, 2, 3), fails(ControlKind.NEAR_EMPTY, 0, 0)
    (True, False)
    """
    failed = decided - passed
    if not failed:
        return False
    if kind in _WITH_LIMIT:
        return float(bdtrc(failed - 1, decided, CHANCE)) <= CHANCE + TIE
    return failed > CHANCE * decided
