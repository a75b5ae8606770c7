"""What a page shows beside the figures: single cells, counts of marks, judged answers.

It stays outside `Result`: it grows with the run, and the texts are read few at a time.
"""

from collections.abc import Iterable

from judgebench.model.nouns import Mark
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class CellFact:
    """One arm on one item: a total, or why there is none."""

    arm: str
    item: str
    total: float | None = None
    """Mean total of its judgings, scale points."""
    median: float | None = None
    """Median of these; None where they are fewer than three."""
    judgings: int = 0
    """Judgings that count towards the total."""
    blocked: str | None = None
    """Reason code of the output or, where that is fair, of its judgment."""
    suspect: bool = False
    """The output looks cut."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MarkCount:
    """How often one judge gave one mark on one criterion."""

    judge: str
    criterion: str
    mark: float
    count: int
    verdict: str = ""
    """Of a comparison: which of two was better; each verdict is counted once."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ExhibitMark(Mark):
    """One criterion of one judging, its quotes placed in the answer shown."""

    labels: tuple[str, ...] = ()
    """Of passages of faults: fault and place, one for each of `quotes`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judging:
    """One judgment of one answer, with the reply that it was read from."""

    repeat: int
    purpose: str
    criterion: str | None
    """The only criterion asked for, where they are asked one by one."""
    status: str
    reason: str | None
    message: str | None
    total: float | None
    marks: tuple[ExhibitMark, ...]
    reply: str
    """The body as received; empty where nothing came."""
    against: str | None = None
    """The arm that it was compared with; None where it was marked by itself."""
    shown_first: bool | None = None
    """Of a comparison: whether the judge saw it first; None where that is unknown."""
    judge: str | None = None
    """Whose judgment it is; None where the page is of one judge."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Exhibit:
    """One judged answer with all its judgings."""

    arm: str
    item: str
    text: str
    """The answer as the judge was sent it; quotes are placed in it."""
    judgings: tuple[Judging, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Exhibits:
    """All that a page shows beside a `Result`."""

    items: int
    """Items of the run; `cells` may hold fewer."""
    cells: tuple[CellFact, ...]
    """Item by item, in the order of the run."""
    marks: tuple[MarkCount, ...]
    judged: int
    """Answers with a judgment; `order` may hold fewer."""
    order: tuple[tuple[str, str], ...]
    """Arm and item of judged answers: the widest disagreement between judgings first,
    then marks without the support they need, then at random from the pass's seed."""
    answers: Iterable[Exhibit]
    """The judged answers in that order, read as they are taken; it can be gone through once."""
