"""What helps a refused figure where marks came from elsewhere: no answer is judged again."""

from dataclasses import fields, is_dataclass, replace
from typing import TypeVar, cast

from judgebench.model.nouns import Refusal
from judgebench.model.reasons import RefusalCode

Found = TypeVar("Found")
_HOW = {
    RefusalCode.BLOCKED_SHARE_HIGH: "marks for the cells that have none",
    RefusalCode.TOO_FEW_REPEATS: "second marks of the same rater: --scoring at the import",
    RefusalCode.NO_HUMAN_LABELS: "marks of people in the file: --rater-kind at the import",
    RefusalCode.TOO_FEW_JUDGES: "marks of another rater in the file",
}

_MORE_OF = frozenset({"repeatability", "swap_share"})
"""Figures of marks that were given twice: where some are, more of the same are lacking."""


def reworded(found: Found) -> Found:
    """The same figures; refusals name what helps a run of marks."""
    if isinstance(found, Refusal):
        if found.have and found.statistic in _MORE_OF:
            return cast("Found", replace(found, how="more items that a rater marked twice"))
        how = _HOW.get(RefusalCode(found.code)) if found.code in set(RefusalCode) else None
        return cast("Found", replace(found, how=how) if how else found)
    if isinstance(found, tuple):
        return cast("Found", tuple(map(reworded, found)))
    if is_dataclass(found) and not isinstance(found, type):
        old = {one.name: getattr(found, one.name) for one in fields(found)}
        new = {name: made for name, was in old.items() if (made := reworded(was)) is not was}
        return replace(found, **new) if new else found
    return found
