"""What finds add to the totals of a pass: audits, the anchor of its tiers, the tiers."""

from collections.abc import Sequence
from functools import cached_property

from judgebench.model.audits import Anchor, Audit
from judgebench.model.nouns import Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.audits.told import Audits, panel_of_audits
from judgebench.pipeline.figures.marked import CountedMarks, Marks, PanelMarks
from judgebench.records import dataclass
from judgebench.store.passes import PassRow
from judgebench.text import one_line

Tiers = tuple[tuple[str | None, ...], ...]
"""Item by item, the tier of each arm; None where it has none."""


@dataclass(frozen=True, kw_only=True)
class Audited:
    """A pass, or a panel of them, whose marks were counted from finds.

    Args:
        audits: What was counted.
        arms: Their ids by their index.
        items: Their ids by their index.
        named: The arm that the run declares as the anchor; None where it declares none.
    """

    audits: Audits
    arms: Sequence[str]
    items: Sequence[str]
    named: str | None

    @cached_property
    def anchor(self) -> Anchor | None:
        """What tiers are measured from; None where the rubric measures them from nothing."""
        return self.audits.anchor(self.arms, self.items, self.named)

    def audit(self, order: Sequence[int], *, planned: int) -> Audit:
        """Every project with its finds, arms in the order of the table.

        Args:
            order: Indices of the arms.
            planned: Judgings of each project that were to be made.
        """
        return self.audits.audit(
            order, self.arms, self.items, planned=planned, anchor=self.anchor
        )  # fmt: skip

    def no_anchor(self) -> tuple[Refusal, ...]:
        """That there are no tiers, where they are measured from a total that is not there."""
        anchor = self.anchor
        if anchor is None or any(total is not None for _, total in anchor.totals):
            return ()
        how = "" if anchor.arm is None else f"{one_line(anchor.arm, 40)} needs a total"
        code = RefusalCode.NO_ANCHOR.value
        return (Refusal(statistic="tier", code=code, have=0, need=1, how=how),)

    def tiers(self, totals: Sequence[Sequence[float | None]]) -> Tiers:
        """Tiers of totals, item by item; empty where they are measured from no anchor."""
        anchor = self.anchor
        if anchor is None:
            return ()
        return tuple(
            tuple(self.audits.tier(total, item, anchor) for total in row)
            for item, row in zip(self.items, totals, strict=True)
        )


def audits_of(marks: Marks, panel: Sequence[PassRow]) -> Audits | None:
    """What was counted from finds, of a pass or of all judges of a panel.

    Args:
        marks: Marks that count.
        panel: The passes of a panel; empty where there is one judge.
    """
    judges = marks.judges if isinstance(marks, PanelMarks) else (marks,)
    counted = [one.audits for one in judges if isinstance(one, CountedMarks)]
    if len(counted) < len(judges):
        return None
    if not panel:
        return counted[0]
    return panel_of_audits(
        [
            (row.judging.judge_name, row.judging.repeats, audits)
            for row, audits in zip(panel, counted, strict=True)
        ]
    )
