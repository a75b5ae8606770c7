"""What a person sees who marks answers by hand: one blinded answer with its questions."""

from judgebench.model.collected import Evidence
from judgebench.model.rubric import Anchor
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """One criterion as it is asked of a person, with what that person said so far."""

    id: str
    text: str
    anchors: tuple[Anchor, ...]
    mark: float | None = None
    cannot_judge: bool = False

    @property
    def answered(self) -> bool:
        """Whether there is a mark, or the word that there can be none."""
        return self.cannot_judge or self.mark is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelProgress:
    """How far one person is."""

    answers: int
    """Answers with something said on every question."""
    answers_all: int
    items: int
    """Items of which that holds for all answers."""
    items_all: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Packet:
    """One answer under a neutral label; nothing here says whose it is, or what a judge said."""

    number: int
    """From 1, in this person's order."""
    of: int
    item: str
    label: str
    intro: str
    prompt: str
    evidence: tuple[Evidence, ...]
    reference: str | None
    output: str
    questions: tuple[Question, ...]
    marks: tuple[float, ...]
    """Every mark of the scale, lowest first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """What a person says on one question of one answer."""

    item: str
    label: str
    criterion: str
    mark: float | None = None
    cannot_judge: bool = False
    """With neither a mark nor this, what was said before is taken back."""
