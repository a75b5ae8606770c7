"""Rows of the table whose interval leaves out 0 and that are not told apart: why not."""

from collections.abc import Iterator

from judgebench.model.nouns import Estimate
from judgebench.model.result import PairResult, Result
from judgebench.reports import claims
from judgebench.reports.blocks import p_words
from judgebench.reports.digits import listed
from judgebench.reports.naming import apart
from judgebench.reports.wording import arm_ids

_NAMED = 3


def told(result: Result) -> list[str]:
    """A line for each reason, with the arms whose difference to the reference it holds for."""
    found = dict(_beside(result))
    if not found:
        return []
    names = apart(arm_ids(result), 24)
    held = [arm for arm, pair in found.items() if pair.firm]
    open_ = [arm for arm, pair in found.items() if not pair.firm]
    lines = []
    if held:
        said = listed([f"{names[arm]} (p {p_words(found[arm].p_all_pairs)})" for arm in held])
        lines.append(
            f"not separated though ± leaves out 0: {said}; the test over all pairs decides"
        )
    if open_:
        what = "answers without a total" if result.judging.marks_only else "blocked answers"
        said = listed([names[arm] for arm in open_], most=_NAMED)
        lines.append(f"open though ± leaves out 0: {said}; {what} could turn it")
    return lines


def _beside(result: Result) -> Iterator[tuple[str, PairResult]]:
    """Arms that are not separated from the reference by more than their interval says."""
    for pair in result.pairs:
        gap = pair.strength or pair.difference
        if result.reference not in {pair.first, pair.second} or pair.separated is not False:
            continue
        if not isinstance(gap, Estimate) or gap.low is None or gap.high is None:
            continue
        if not gap.low <= 0 <= gap.high and (pair.firm or claims.low_p(pair)):
            other = pair.second if pair.first == result.reference else pair.first
            yield other, pair
