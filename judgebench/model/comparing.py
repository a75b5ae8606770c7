"""What only comparisons of two arms can tell: figures without words."""

from dataclasses import field

from judgebench.model.clusters import SPARE
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ComparedArm:
    """One arm in the comparisons with the others."""

    arm: str
    won: int
    tied: int
    lost: int
    strength: Estimate | Refusal
    """Bradley–Terry–Davidson, log scale, against the reference arm."""
    against_reference: Estimate | Refusal
    """Share won of the comparisons with the reference arm, over items."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparing:
    """What only comparisons of two arms can tell."""

    arms: tuple[ComparedArm, ...]
    """In the order of the table."""
    comparisons: int
    """Verdicts that count, of whole comparisons."""
    tied: int
    first_share: Estimate | Refusal
    """Share won by the arm seen first: ½ where the order means nothing."""
    place_shift: float | None
    """The most that the place may add to a difference of two arms' shares, where orders do not
    vary; None where no order is on record. Of some orders only, it is of the known ones."""
    order: Estimate | Refusal
    """Log odds that the first place adds, from the fit of the strengths."""
    both_orders: int
    """Pairs of one item that were judged in both orders."""
    turned_first: int
    """Of these, won by whichever was seen first."""
    turned_second: int
    """Of these, won by whichever was seen second."""
    loosened: int
    """Of these, a tie in one order only."""
    again: int
    """Second judgings of a pair by one rater, in the same order where orders are on record."""
    again_changed: int
    """Of these, with another verdict."""
    circular: Estimate | Refusal
    """Share of decided triads that go round in a circle; `n` counts triads."""
    circular_expected: float | None
    """The share that the strengths alone would show; None without them, or with two arms:
    `circular`, or the strengths of the arms, have the code."""
    meetings_fewest: int
    """Comparisons of the two arms that met least."""
    meetings_most: int
    unlinked: tuple[tuple[str, ...], ...]
    """Groups of arms between which no strength is determined; empty where all are linked."""
    never_met: tuple[tuple[str, ...], ...] | None = field(default=None, metadata=SPARE)
    """Groups that no chain of comparisons joins; None where one chain joins all arms."""

    @property
    def order_unknown(self) -> bool:
        """Whether it is not on record of every comparison who was seen first."""
        code = RefusalCode.ORDER_NOT_RECORDED.value
        return isinstance(self.first_share, Refusal) and self.first_share.code == code

    @property
    def turned(self) -> int:
        """Pairs in which the other arm won once the order was another."""
        return self.turned_first + self.turned_second
