"""What was run and what came of it: run, items, arms, outputs and their records; frozen.

Nothing here reads a file. ``None`` means *unknown* and is never read as good, as zero or
as a default.
"""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from judgebench.model.projects import Project
from judgebench.model.reasons import Reason
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Token counts as the provider reports them; None where it does not."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """One recorded error of an arm's call."""

    kind: str
    """``timeout``, ``transport``, ``http``, ``content_filter`` or the collector's own word."""
    message: str = ""
    elapsed_s: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """What a program measured about one output (meta.json). None is unknown."""

    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    max_tokens: int | None = None
    timeout_s: float | None = None
    wall_s: float | None = None
    ttft_s: float | None = None
    cost_usd: float | None = None
    error: Failure | None = None
    reasoning_chars: int | None = None
    prompt_sha256: str | None = None
    cwd: str | None = None
    """``empty``, ``repo`` or ``unknown``; None where nothing was recorded."""
    attempts: tuple[Failure, ...] = ()
    not_settable: tuple[str, ...] = ()
    """Limits that this arm's harness cannot be given (``max_tokens``, ``timeout_s``)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Fairness settings of a run; None is unknown."""

    max_tokens: int | None = None
    timeout_s: float | None = None
    cli_cwd: str | None = None
    cache: str | None = None
    fallback: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class UseCase:
    """One place where a project calls a model."""

    key: str
    project: str = ""
    job: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Arm:
    """Who answered: model × provider × harness × settings."""

    id: str
    provider: str | None = None
    model: str | None = None
    harness: str | None = None
    kind: str = "api"
    """``api`` or ``cli``."""
    params: dict[str, Any] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    note: str = ""
    """The condition under which it answered, in words, for the report."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ambiguity:
    """Something that the prompt left undefined; such fields are never compared."""

    what: str
    undefined_fields: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    """The items meant; empty means all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One folder of collected outputs; the outputs themselves are read lazily."""

    name: str
    path: Path
    use_case: UseCase
    settings: Settings
    arms: tuple[Arm, ...]
    items: tuple[str, ...]
    """Item ids in the run's order. For `outputs.jsonl` runs they are in first-seen order."""
    form: str = "items"
    """``items``, ``single``, ``bare`` or ``table`` (outputs.jsonl or CSV)."""
    canaries: tuple[str, ...] = ()
    ambiguities: tuple[Ambiguity, ...] = ()
    replay: Path | None = None
    """Default recording, inside the run folder."""
    overlay: Path | None = None
    """What fills the parameters of a rubric of deductions, inside the run folder."""
    anchor: str | None = None
    """The arm from whose total anchored tiers are measured."""
    clusters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Items that hang together, by the name of their cluster; an item in none is its own."""
    project_tokens: int | None = None
    """How much of a project a judge is shown; None for the usual bound."""
    collected_at: str | None = None
    collector: str | None = None
    notes: tuple[str, ...] = ()
    """What the loader took and skipped, in words for the user."""
    declared: bool = True
    """False for a bare folder: fairness settings are unknown."""
    kinds_unsaid: tuple[str, ...] = ()
    """Arms of which nobody says whether they are of a CLI."""
    has_prompt: bool = True
    left_out: tuple[str, ...] = ()
    """Arms that it holds and that this load was not to take."""
    _by_id: dict[str, Arm] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        """Arms are looked up for every output: never by a walk through all of them."""
        object.__setattr__(self, "_by_id", {arm.id: arm for arm in self.arms})

    def arm(self, arm_id: str) -> Arm:
        """The arm of this id."""
        return self._by_id[arm_id]


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """One piece of material supplied with an item."""

    name: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One concrete prompt with what it could lean on."""

    id: str
    prompt: str
    evidence: tuple[Evidence, ...] = ()
    reference: str | None = None
    sha256: str = ""
    """Hash over prompt, evidence and reference."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Locator:
    """Where an output's text stands, so that it can be read again later."""

    path: str
    """Relative to the run folder."""
    offset: int | None = None
    """Byte offset of the line in a table; None for a file of its own."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Output:
    """What one arm returned for one item, with its record."""

    arm: str
    item: str
    text: str | None
    """As delivered, decoded; None where there is no text or it cannot be read."""
    sha256: str
    """Of the bytes as delivered; of nothing where there are none."""
    record: Record
    locator: Locator
    fault: Reason | None = None
    """`UNREADABLE` or `MISSING` when the loader could not read it."""
    fault_detail: str = ""
    project: Project | None = field(default=None, repr=False)
    """Its files where it is a folder; `text` is then what a judge is shown of them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """One reason why there is no fair result, with the facts that show it."""

    reason: Reason
    message: str
    """One line that quotes the facts: finish reason, tokens beside the cap, seconds."""
