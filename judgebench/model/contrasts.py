"""How the outputs of a run differ in kind: what a judge said of it, and what code checked.

A *contrast* is one such difference on one item: of a closed list of kinds, with two or
more sides, each with a quote of every output on it. Sides name outputs by label while
nothing is revealed, and by arm once code has put the names back.
"""

from dataclasses import field
from enum import StrEnum

from judgebench.records import dataclass


class ContrastKind(StrEnum):
    """What outputs can differ in; counted over items, since words of a judge cannot be."""

    STRUCTURE = "structure"
    FORMAT = "format"
    LENGTH = "length"
    DEPTH = "depth"
    EVIDENCE_USE = "evidence_use"
    HEDGING = "hedging"
    TONE = "tone"
    OMISSION = "omission"
    ERROR = "error"
    READING = "reading"
    OTHER = "other"

    @property
    def words(self) -> str:
        """As it stands in a sentence."""
        return _WORDS.get(self, self.value)

    @property
    def meaning(self) -> str:
        """What a judge is told of it; ``more`` and ``less`` are of this."""
        return _MEANINGS[self]


_WORDS = {
    ContrastKind.EVIDENCE_USE: "evidence use",
    ContrastKind.READING: "reading of the task",
    ContrastKind.OTHER: "another kind",
}
_MEANINGS = {
    ContrastKind.STRUCTURE: "how the content is arranged: steps, sections, order, one block",
    ContrastKind.FORMAT: "lists, tables, headings, code, JSON against running text",
    ContrastKind.LENGTH: "how much is written for the same content",
    ContrastKind.DEPTH: "how far it goes into causes, cases, consequences",
    ContrastKind.EVIDENCE_USE: "how much it leans on prompt and evidence, and names its sources",
    ContrastKind.HEDGING: "how much is left uncertain, conditional, or warned about",
    ContrastKind.TONE: "register and address: formal, warm, blunt, promotional",
    ContrastKind.OMISSION: "what was asked for and is left out",
    ContrastKind.ERROR: "statements that prompt, evidence or reference contradict",
    ContrastKind.READING: "what the task is taken to be",
    ContrastKind.OTHER: "a difference in kind that none of these names",
}

AMOUNTS = ("more", "less", "different")
"""How much of the kind a side has, beside the others."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SideQuote:
    """Words of one output, as a judge cites them."""

    name: str
    """Label of the output, or its arm where names are put back."""
    text: str
    found: bool
    """They stand in that output, as it was sent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """Outputs that are alike in one contrast."""

    amount: str
    """One of `AMOUNTS`."""
    trait: str
    """What they do, in the judge's words."""
    quotes: tuple[SideQuote, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Outputs on this side, each once."""
        return tuple(dict.fromkeys(quote.name for quote in self.quotes))


@dataclass(frozen=True, kw_only=True, slots=True)
class Contrast:
    """One difference in kind on one item."""

    kind: str
    """A `ContrastKind` value."""
    sides: tuple[Side, ...]
    item: str = ""
    contradicted: bool = False
    """Code measures otherwise: which texts are longer is no matter of opinion."""

    @property
    def supported(self) -> bool:
        """Every quote of it was found in the output that it is of, and code does not differ."""
        return not self.contradicted and all(
            quote.found for side in self.sides for quote in side.quotes
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ContrastArm:
    """How often one arm stood on which side of one kind, in items."""

    arm: str
    more: int
    less: int
    different: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ContrastCount:
    """One kind over all items; only contrasts whose quotes were found count."""

    kind: str
    items: int
    arms: tuple[ContrastArm, ...]
    """Arms that stood on any side of it, in the order of the run."""
    example: Contrast


@dataclass(frozen=True, kw_only=True, slots=True)
class Unusable:
    """A request that the judge gave no usable answer to."""

    key: str
    """How its key begins: the name by which its reply is shown."""
    item: str
    reason: str
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Contrasts:
    """How the outputs of a run differ in kind, as one judge says."""

    run_name: str
    pass_id: str
    judge_name: str
    judge_model: str
    route: str
    """``live`` or ``replay``."""
    recorded_at: str | None
    prompt_version: str
    seed: int
    arms: tuple[str, ...]
    planned: int
    """Items that are to be compared; each is one request."""
    answered: int
    """Of these, items with an answer of the judge."""
    blocked: int
    """Of these, items without one for a reason on the judge's side."""
    left_out: int
    """Items of the run with fewer than two outputs that may be compared."""
    not_drawn: int
    """Items that could be compared and were not drawn."""
    unlike: int
    """Answered items with a supported contrast."""
    counts: tuple[ContrastCount, ...]
    """The kind that recurs most first."""
    contrasts: tuple[Contrast, ...] = field(repr=False)
    """All of them, the unsupported too."""
    calls: int
    cost_usd: float | None
    """None where unknown."""
    unusable: tuple[Unusable, ...] = ()
    """Requests without a usable answer of the judge."""

    @property
    def unsupported(self) -> int:
        """Contrasts that are not supported: shown, and in no count."""
        return sum(not one.supported for one in self.contrasts)
