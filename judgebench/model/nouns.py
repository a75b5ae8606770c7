"""The nouns of the product, frozen: what was run, what was asked, what was answered.

Nothing here reads a file or knows a statistic. ``None`` means *unknown* and is
never read as good, as zero or as a default.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from judgebench.model.findings import Checked
from judgebench.model.projects import Project
from judgebench.model.reasons import Reason


class Blinding(StrEnum):
    """What happens to identity strings in an output before it is sent."""

    MASK = "mask"
    FLAG = "flag"
    STRICT = "strict"


class Mode(StrEnum):
    """How many outputs share a request."""

    POINTWISE = "pointwise"
    LISTWISE = "listwise"
    PAIRWISE = "pairwise"
    """Two of an item's outputs side by side, each pair in both orders."""


class Purpose(StrEnum):
    """Why a request is in the plan."""

    MAIN = "main"
    """Counts towards ratings."""
    NOISE = "noise"
    """A second judging of a cell that serves repeatability only."""
    DRIFT = "drift"
    """An old cell judged again beside new ones, to see whether the judge still marks alike."""
    CONTROL = "control"
    """A planted output, which serves to know the judge only."""
    CONTRAST = "contrast"
    """In what outputs differ in kind; asked beside passes and in no plan of one."""


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
    project_tokens: int | None = None
    """How much of a project a judge is shown; None for the usual bound."""
    collected_at: str | None = None
    collector: str | None = None
    notes: tuple[str, ...] = ()
    """What the loader took and skipped, in words for the user."""
    declared: bool = True
    """False for a bare folder: fairness settings are unknown."""
    has_prompt: bool = True
    left_out: tuple[str, ...] = ()
    """Arms that it holds and that this load was not to take."""

    def arm(self, arm_id: str) -> Arm:
        """The arm of this id."""
        return next(arm for arm in self.arms if arm.id == arm_id)


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """US dollars a million tokens."""

    input_usd: float
    output_usd: float
    source: str = ""

    def words(self) -> str:
        """Where it is from and what it is, for reports."""
        rates = f"{self.input_usd:g} in, {self.output_usd:g} out per million tokens"
        return f"{self.source or 'judges.toml'}: {rates}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Judge:
    """A model at an endpoint with parameters: data, not code."""

    name: str
    """As the user named it."""
    model: str
    """The model name as it is sent."""
    provider: str
    base_url: str | None = None
    api_key_env: str | None = None
    wire_mode: str = "auto"
    """``auto``, ``json_schema``, ``tools``, ``json`` or ``md_json``."""
    params: dict[str, Any] = field(default_factory=dict)
    price: Price | None = None
    rpm: int | None = None
    tpm: int | None = None
    timeout_s: float = 120.0
    max_calls: int = 3
    max_tokens: int = 4096
    sha256: str = ""
    """Identity: model, endpoint, parameters, mode; never a key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pass:
    """One blind judging of one run by one judge under one rubric."""

    id: str
    run: str
    judge_name: str
    judge_sha256: str
    judge_model: str
    rubric_name: str
    ask_sha256: str
    prompt_version: str
    mode: Mode
    blinding: Blinding
    seed: int
    repeats: int
    route: str = "live"
    """``live``, ``batch`` or ``replay``; ``marks`` or ``people`` where imported; ``bridge``."""
    split_criteria: bool = False
    turns: int | None = None
    """Replies at most of a judge that reads a project with tools; None where it has none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One output inside a request."""

    label: str
    """Neutral name shown to the judge."""
    arm: str
    output_sha256: str
    sent_sha256: str
    """Hash of the text as sent, after masking."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What a pass plans and sends: which outputs, in which order, which repeat."""

    key: str
    pass_id: str
    position: int
    """Place in the shuffled queue, from 0."""
    item: str
    item_sha256: str
    parts: tuple[Part, ...]
    repeat: int
    purpose: Purpose = Purpose.MAIN
    criterion: str | None = None
    """One criterion only, with --split-criteria."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rendered:
    """A request as it goes out: messages, schema and their hash; no identity in it."""

    key: str
    system: str
    user: str
    schema: dict[str, Any]
    request_sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Intent:
    """One call that is about to go out, as it is written down before."""

    key: str
    """Of the request."""
    attempt: int
    """From 1, over all starts."""
    sent_at: float
    """Seconds since the epoch."""
    request_sha256: str
    system_sha256: str
    user_text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RawReply:
    """One call's answer before anybody looked at it."""

    key: str
    attempt: int
    status: int | None
    """HTTP status; None where no answer came."""
    body: str
    """The body as received; empty where none."""
    outcome: str
    """``received``, ``timeout``, ``connection`` or ``unknown`` (sent, answer unknown)."""
    error: str = ""
    elapsed_s: float = 0.0
    retry_after_s: float | None = None
    sent_at: float = 0.0
    """Seconds since the epoch."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Quote:
    """Words that the judge cites, with the place where code found them."""

    text: str
    source: str
    """``answer``, ``prompt``, ``evidence`` or ``reference`` as the judge claims."""
    start: int | None = None
    """Offset in the text as sent; None where it was not found."""
    end: int | None = None

    @property
    def found(self) -> bool:
        """Whether the words really stand in the text that they claim to come from."""
        return self.start is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """One criterion's score in one judgment."""

    criterion: str
    mark: float | None
    """Scale points; None where blocked."""
    rationale: str = ""
    quotes: tuple[Quote, ...] = ()
    blocked: Reason | None = None
    unsupported: bool = False
    """True where none, or not all, of the required quotes were found."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgment:
    """The reading of one reply for one output."""

    key: str
    label: str
    arm: str
    item: str
    repeat: int
    purpose: Purpose
    status: str
    """``ok`` or ``blocked``."""
    marks: tuple[Mark, ...] = ()
    findings: tuple[Checked, ...] = ()
    """Faults that its marks were counted from; empty where the judge gave the marks."""
    blocked: Block | None = None
    calls: int = 0
    in_doubt: int = 0
    """Calls that were sent and whose answer is unknown."""
    usage: Usage = field(default_factory=Usage)
    """Summed over all calls; None where any call did not report it."""
    model_answered: str | None = None
    fingerprint: str | None = None
    """The provider's system fingerprint where it gives one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """A figure that the data can carry."""

    value: float
    n: int
    """Statistical units behind it (items, unless the statistic says otherwise)."""
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    kind: str = ""
    """How the interval was made: ``t``, ``bounded``, ``exact``, ``jackknife`` …"""
    p: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """A figure that is not printed, and why."""

    statistic: str
    code: str
    """A `RefusalCode` value."""
    have: float
    need: float
    how: str = ""
    """How to get what is missing, in a few words."""
