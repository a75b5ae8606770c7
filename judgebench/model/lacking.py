"""What arms without a place lack, each thing counted once."""

from collections.abc import Sequence

from judgebench.model.result import ArmResult, Result
from judgebench.records import dataclass
from judgebench.text import plural


@dataclass(frozen=True, kw_only=True, slots=True)
class Lacking:
    """Why some arms have no fair result on some items."""

    answers: int
    """Answers without one: blocked themselves, or at the judge."""
    comparisons: int
    """Of a run of comparisons, those of it that are blocked: each is of two arms, and is one."""
    never_given: int
    """Items of which imported marks hold no row; the most that one of the arms lacks."""
    alike: bool
    """All of the arms lack as many items."""
    marks_only: bool
    """Marks were given elsewhere: what has none is not blocked, it is without a total."""

    @property
    def blocked(self) -> str:
        """What is blocked, with its noun; empty where nothing is."""
        blocked = plural(self.answers, "blocked answer")
        unmarked = f"{plural(self.answers, 'answer')} without a total"
        parts = [
            *([unmarked if self.marks_only else blocked] if self.answers else ()),
            *([plural(self.comparisons, "blocked comparison")] if self.comparisons else ()),
        ]
        return " and ".join(parts)

    def never(self, of: str) -> str:
        """How many items were never given, out of so many."""
        return f"{'' if self.alike else 'up to '}{self.never_given:,} of {of}"

    @property
    def items(self) -> str:
        """Items that were never given, with their noun; empty where all were."""
        if not self.never_given:
            return ""
        return f"{'' if self.alike else 'up to '}{plural(self.never_given, 'item')}"


def lacking(result: Result, arms: Sequence[ArmResult]) -> Lacking:
    """What some arms of a result lack.

    Args:
        result: All of it.
        arms: Arms of it, such as those without a place.
    """
    never = {arm.never_given or 0 for arm in arms}
    lost = [arm for arm in arms if arm.lost]
    compared = result.comparing is not None
    answers = (
        sum(one.count for arm in lost for one in arm.blocked)
        if compared
        else sum(arm.lost for arm in lost)
    )
    at_the_judge = any(arm.judge_blocked for arm in lost)
    return Lacking(
        answers=answers,
        # Each blocks a judgment of both of its answers.
        comparisons=result.counts.judgments_blocked // 2 if compared and at_the_judge else 0,
        never_given=max(never, default=0),
        alike=len(never) < 2,  # noqa: PLR2004 - one number is the same for all
        marks_only=result.judging.marks_only,
    )
