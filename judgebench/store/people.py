"""Rows about people: files of marks, draws, and what was shown when."""

from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class HumanFileRow:
    """A file of marks by people that was taken in; fields are columns of `human_files`."""

    run: str
    sha256: str
    name: str
    blind: str
    scale_low: float
    scale_high: float
    identified: bool
    raters: int
    marks: int
    blanks: int
    taken_at: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenRow:
    """One mark of people as a file gave it; fields are columns of `given_marks`."""

    item: str
    arm: str
    other: str
    criterion: str
    rater: str
    mark: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PacketRow:
    """One answer that could have been drawn; fields are columns of `packet_draws`."""

    item: str
    arm: str
    stratum: int
    probability: float
    population: int
    chosen: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class TuneLookRow:
    """One look at labels while a rubric is tuned; fields are columns of `tune_looks`."""

    run: str
    what: str
    split: str
    base_pass: str
    pass_id: str | None
    rubric_name: str
    ask_sha256: str
    sum_sha256: str
    labels: int
    shown_at: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawRow:
    """Items drawn with equal chance, in the order of the draw."""

    run: str
    draw: str
    items: tuple[str, ...]
    probability: float
    arms: str
    """JSON list."""
    seed: int
    drawn_at: str


@dataclass(frozen=True, kw_only=True, slots=True)
class LookRow:
    """Marks by people that were shown beside a pass; fields are columns of `looks`."""

    run: str
    pass_id: str
    rubric_name: str
    ask_sha256: str
    split: str
    labels: int
    shown_at: str
