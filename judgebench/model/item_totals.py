"""Totals of single items, for a table of items: values without words."""

from judgebench.model.nouns import Refusal
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class CriterionMedians:
    """Median mark of every item and arm on one criterion."""

    criterion: str
    medians: tuple[tuple[float | None, ...], ...]
    """A row an item, a value an arm; None where a cell has fewer than three scored judgments."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemTotals:
    """Mean total of every item and arm of one pass, for a table of items."""

    run_name: str
    pass_id: str
    scale_low: float
    scale_high: float
    arms: tuple[str, ...]
    """In the order of the table."""
    items: tuple[str, ...]
    totals: tuple[tuple[float | None, ...], ...]
    """A row an item, a value an arm; None where nothing was scored."""
    medians: tuple[tuple[float | None, ...], ...] | Refusal
    """Median total of the judgments of each cell, all judges and repeats together; None where a
    cell has fewer than three scored ones (``too_few_repeats``)."""
    marks_only: bool = False
    """Marks that were brought in without their outputs, which nobody checked."""
    panel: tuple[str, ...] = ()
    """Judges whose totals are averaged; empty where it is one pass."""
    tiers: tuple[tuple[str | None, ...], ...] = ()
    """The tier of each of them; empty where the rubric has none."""
    criterion_medians: tuple[CriterionMedians, ...] = ()
    """The same of the marks on each criterion; empty where `medians` is refused."""
