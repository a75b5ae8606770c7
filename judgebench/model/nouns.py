"""How it is judged and what comes of it: judge, pass, request, reply, mark, figure; frozen.

Nothing here reads a file or knows a statistic. ``None`` means *unknown* and is
never read as good, as zero or as a default.
"""

from dataclasses import field
from enum import StrEnum
from typing import Any

from judgebench.model.clusters import SPARE
from judgebench.model.collected import Block, Usage
from judgebench.model.findings import Checked
from judgebench.model.reasons import Reason
from judgebench.records import dataclass


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
    """A request as it goes out: messages, and the hash of all it asks; no identity in it."""

    key: str
    system: str
    user: str
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
    """Both ends are None where figures of this `kind` have no interval, or these data none."""
    high: float | None = None
    """None as `low`."""
    level: float = 0.95
    kind: str = ""
    """How the interval was made: ``t``, ``bounded``, ``exact``, ``jackknife`` …"""
    p: float | None = None
    """Of the test that it is the figure of; None where it is of none."""
    no_interval: str | None = field(default=None, metadata=SPARE)
    """Code of why these data give no interval to a figure that has one elsewhere."""

    def __post_init__(self) -> None:
        """A zero has no sign: what is taken the other way round would else be written ``-0.0``."""
        for name in ("value", "low", "high"):
            if getattr(self, name) == 0:
                object.__setattr__(self, name, 0.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class ObservedRank:
    """The place of an arm by the totals of this run alone, 1 the highest."""

    value: int
    tied: bool
    """Another arm has the same total in the digits that pages show, and the same rank."""


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
