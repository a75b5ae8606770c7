"""What the user chose for one pass; every choice that moves a figure stands in the report."""

from dataclasses import field
from pathlib import Path

from judgebench.model.nouns import Blinding, Mode
from judgebench.model.rubric import Rubric
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """Choices about how stored judgments are read; they cost no request."""

    empty_as_minimum: bool = False
    """The model's own empty answers count as the scale's minimum, by rule."""
    accept_cut: bool = False
    """Outputs that look cut are taken as whole."""
    block_cut: bool = False
    """Outputs that look cut are blocked."""
    require_quotes: bool = False
    """A mark whose required quotes were not found is blocked."""

    def as_dict(self) -> dict[str, bool]:
        """The choices that differ from the default."""
        names = ("empty_as_minimum", "accept_cut", "block_cut", "require_quotes")
        return {name: True for name in names if getattr(self, name)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Where:
    """Which run, and how its folder is to be read."""

    run: Path
    arms: tuple[str, ...] = ()
    prompt: Path | None = None
    no_prompt: bool = False
    columns: dict[str, str] = field(default_factory=dict)
    overlay: Path | None = None
    """What fills the rubric's parameters; None for what run.yaml names, if anything."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Choices:
    """All that `judge score` was told."""

    where: Where
    rubric: str | Rubric | None = None
    """Its name or file; whole where a stored pass fixes it."""
    judge: str | None = None
    mode: Mode | None = None
    repeats: int | None = None
    """None: once, and the noise cells twice."""
    seed: int | None = None
    blinding: Blinding = Blinding.MASK
    split_criteria: bool = False
    reading: Reading = field(default_factory=Reading)
    controls: int | None = None
    """Planted controls; None: as the pass was begun, else by the rule."""
    retry_blocked: bool = False
    concurrency: int = 16
    timeout_s: float | None = None
    budget_usd: float | None = None
    max_requests: int | None = None
    max_judge_failures: int = 0
    fail_under: float | None = None
    tools: bool = False
    """The judge may read more of projects that the budget does not show whole."""
    probe_blindness: bool = False
    """After marking, the judge is asked who wrote some outputs."""
    require_controls: bool = False
    dry_run: bool = False
    fresh: bool = False
    """A new pass even where one of this identity exists."""
    items: frozenset[str] | None = None
    """Only these items, unless the pass was begun on others too; None for all."""
    beside: str | None = None
    """The pass that is to be judged again: never this one; the newest other one goes on."""
