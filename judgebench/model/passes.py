"""What stands behind a figure: how much data there is, and which pass it is of."""

from collections.abc import Sequence
from enum import IntEnum

from judgebench.records import dataclass


class DataLevel(IntEnum):
    """What the data can carry (docs/statistics.md)."""

    E0 = 0
    """One item, one judging."""
    E1 = 1
    """One item, repeats or several judges."""
    E2 = 2
    """Two items."""
    E3 = 3
    """Three to five items."""
    E4 = 4
    """Six to 29 items."""
    E5 = 5
    """30 items or more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PassFacts:
    """Identity and state of one pass, for headings and the reproducibility record."""

    id: str
    judge_name: str
    judge_model: str
    judge_sha256: str
    rubric_name: str
    rubric_version: str
    ask_sha256: str
    sum_sha256: str
    prompt_version: str
    mode: str
    blinding: str
    seed: int
    repeats: int
    route: str
    recorded_at: str | None = None
    """When the replayed recording was made."""
    recording: str | None = None
    params_sent: str | None = None
    """Canonical JSON of the parameters really sent."""
    started_at: str | None = None
    finished_at: str | None = None
    planned: int = 0
    answered: int = 0
    complete: bool = False
    first_items: int = 0
    split_criteria: bool = False
    turns: int | None = None
    """Replies at most of a judge that read with tools; None where it had none."""

    @property
    def marks_only(self) -> bool:
        """Whether the marks were imported: no output was seen, none was checked."""
        return self.route in {"marks", "people"}

    @property
    def by_people(self) -> bool:
        """Whether persons gave the marks: then each repeat of a cell is one of them."""
        return self.route == "people"


def shown_first(passes: Sequence[PassFacts]) -> PassFacts:
    """The pass that is shown where none is named: the first whole one, else the fullest.

    People's marks are shown where they are asked for, or where there is nothing else.

    Args:
        passes: At least one, in the order of their start.
    """
    judged = [one for one in passes if not one.by_people] or passes
    return max(judged, key=lambda one: (one.complete, 0 if one.complete else one.answered))


@dataclass(frozen=True, kw_only=True, slots=True)
class Passes:
    """Every pass on a run, the unfinished and unused too, in the order of their start."""

    run_name: str
    passes: tuple[PassFacts, ...]
    marks: tuple[int | None, ...] = ()
    """Marks that were taken in, a value a pass; None of a pass that was judged here."""
