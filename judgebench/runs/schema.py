"""run.yaml and meta.json as pydantic models, and their JSON Schemas.

run.yaml is written by people: an unknown key is a fault. meta.json is written
by collectors, which add keys of their own: those are passed over and named,
but a key that is known must have the right type.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from judgebench.formats.located import refuse_word
from judgebench.text import one_line, printable

MAX_ID = 120
MAX_COUNT = 2**53
MAX_SECONDS = 1e9


def _printable_id(text: str) -> str:
    if not text.strip() or text != text.strip():
        raise ValueError(f"is {one_line(repr(text), 40)}; write a name without blanks around it")
    if printable(text) != text:
        raise ValueError(
            f"is {one_line(text, 60)}, which holds invisible characters; use plain letters"
        )
    if len(text.encode("utf-8", "surrogatepass")) > MAX_ID:
        raise ValueError(f"is longer than {MAX_ID} bytes; write a shorter name")
    return text


def check_id(text: str) -> str:
    """Pass a name that can stand for a folder; anything that could lead elsewhere is refused.

    Raises:
        ValueError: with what is wrong and, after a semicolon, what to write.
    """
    _printable_id(text)
    if any(ch in text for ch in '/\\:*?"<>|') or text[0] in ".-~":
        raise ValueError(
            f"is {one_line(text, 60)}, which reads like a path or an option;"
            " use letters, digits, dots, dashes and underscores"
        )
    return text


def check_table_id(text: str) -> str:
    """Pass a name from a table, where ``/`` is common and never a path.

    Raises:
        ValueError: as `check_id`.
    """
    return _printable_id(text)


def check_arm_id(text: str) -> str:
    """Pass the name of an arm: a folder name that means nothing else inside a run.

    Raises:
        ValueError: as `check_id`.
    """
    if text.casefold() in {"items", "recorded"}:
        raise ValueError(f"is {text}, which is a folder of the run itself; name the arm otherwise")
    return check_id(text) if "/" not in text else _model_like(text)


def _model_like(text: str) -> str:
    # A declared arm of a table may be a model name such as vendor/model; the loader of
    # folders checks again with `check_id`.
    _printable_id(text)
    if any(part in {"", ".", ".."} for part in text.split("/")) or text[0] in "-~":
        raise ValueError(f"is {one_line(text, 60)}, which reads like a path; write a plain name")
    return check_id(text.replace("/", "_")) and text


def check_inside(text: str) -> str:
    """Pass a relative path that stays inside the run folder.

    Raises:
        ValueError: as `check_id`.
    """
    parts = text.split("/")
    if (
        not text
        or printable(text) != text
        or "\\" in text
        or text[0] in "/~"
        or any(part in {"", "."} or part == ".." for part in parts)
    ):
        raise ValueError(
            f"is {one_line(text, 60)}; write a path inside the run folder, such as answers/a.md"
        )
    return text


def _entry(value: object) -> object:
    return {"id": value} if isinstance(value, str) else value


def _switch(value: object) -> object:
    # A JSON or an older YAML reader gives a boolean; it means the same.
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else value


def _failure(value: object) -> object:
    return {"kind": "error", "message": value} if isinstance(value, str) else value


Inside = Annotated[str, AfterValidator(check_inside)]
Switch = Annotated[Literal["off", "on", "unknown"], BeforeValidator(_switch)]
Cwd = Literal["empty", "repo", "unknown"]
Count = Annotated[int, Field(ge=0, le=MAX_COUNT)]
Seconds = Annotated[float, Field(ge=0, le=MAX_SECONDS)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class UseCaseEntry(_Strict):
    """The place where a project calls a model."""

    key: str = Field(min_length=1, description="Name of the call, such as scan.calibrate.")
    project: str = Field(default="", description="The project that makes the call.")
    job: str = Field(default="", description="What an answer must do, in one or two sentences.")


class SettingsEntry(_Strict):
    """Fairness settings that held for all arms; leave out what is not known."""

    max_tokens: Annotated[int, Field(ge=1, le=MAX_COUNT)] | None = Field(
        default=None, description="Completion budget in tokens."
    )
    timeout_s: Annotated[float, Field(gt=0, le=MAX_SECONDS)] | None = Field(
        default=None, description="The client's limit for one call, in seconds."
    )
    cli_cwd: Cwd | None = Field(
        default=None, description="What the working folder of command-line arms held."
    )
    cache: Switch | None = Field(default=None, description="Whether cached answers were allowed.")
    fallback: Switch | None = Field(
        default=None, description="Whether another model could step in."
    )


ItemId = Annotated[str, BeforeValidator(refuse_word), AfterValidator(_printable_id)]


class ItemEntry(_Strict):
    """One prompt of the use case."""

    id: ItemId = Field(description="Name of the folder items/<id>, or of the item in a table.")
    prompt: Inside | None = Field(
        default=None, description="File with the prompt, where it is not items/<id>/prompt.md."
    )
    reference: Inside | None = Field(
        default=None, description="File with the reference, where not items/<id>/reference.md."
    )


class ArmEntry(_Strict):
    """Who answered: model, provider, harness and settings."""

    id: Annotated[str, BeforeValidator(refuse_word), AfterValidator(check_arm_id)] = Field(
        description="Name of the arm's folder, or of the arm in a table."
    )
    provider: str | None = Field(default=None, description="Who served the model.")
    model: str | None = Field(default=None, description="The model's name as exactly as known.")
    harness: str | None = Field(default=None, description="The program that called the model.")
    kind: Literal["api", "cli"] = Field(
        default="api", description="api: one bare call; cli: an agent or command-line tool."
    )
    params: dict[str, Any] = Field(
        default_factory=dict, description="Parameters of the call, such as temperature."
    )
    aliases: list[str] = Field(
        default_factory=list, description="Other names that would give this arm away."
    )
    note: str = Field(default="", description="The condition under which it answered, in words.")
    not_settable: list[Literal["max_tokens", "timeout_s"]] = Field(
        default_factory=list, description="Limits that this arm's harness cannot be given."
    )
    file: Inside | None = Field(
        default=None, description="The output's file, for a run of one item over files as they lie."
    )
    meta: Inside | None = Field(
        default=None,
        description="The output's record, beside `file`; left out where there is none.",
    )


class AmbiguityEntry(_Strict):
    """Something that the prompt left undefined."""

    what: str = Field(min_length=1, description="What is undefined, in words for the report.")
    undefined_fields: list[str] = Field(
        default_factory=list, description="Fields of the answer that are never compared."
    )
    items: list[str] = Field(default_factory=list, description="The items meant; empty means all.")


class RunFile(_Strict):
    """run.yaml: use case, fairness settings, items and arms of one run."""

    use_case: UseCaseEntry | None = Field(
        default=None, description="The use case; the folder's name stands in where it is left out."
    )
    settings: SettingsEntry = Field(
        default_factory=SettingsEntry, description="Fairness settings of the run."
    )
    items: list[Annotated[ItemEntry, BeforeValidator(_entry)]] | None = Field(
        default=None, description="Items in order; found from items/ where left out."
    )
    clusters: dict[ItemId, Annotated[list[ItemId], Field(min_length=1)]] = Field(
        default_factory=dict,
        description="Items that hang together, such as those about one document: a cluster's name "
        "and its items. An item in none is its own cluster. Never shown to a judge.",
    )
    arms: list[ArmEntry] | None = Field(
        default=None, description="Arms in order; found from the folders where left out."
    )
    canaries: list[Annotated[str, Field(min_length=3)]] = Field(
        default_factory=list,
        description="File names and symbols that only a reader of the repository could name.",
    )
    ambiguities: list[AmbiguityEntry] = Field(
        default_factory=list, description="What the prompt left undefined."
    )
    project_tokens: Annotated[int, Field(ge=1_000, le=10_000_000)] | None = Field(
        default=None,
        description="How much of a project folder a judge is shown, in tokens of four characters.",
    )
    overlay: Inside | None = Field(
        default=None,
        description="File inside the run that fills the parameters of a rubric of deductions.",
    )
    anchor: str | None = Field(
        default=None,
        min_length=1,
        description="The arm from whose total anchored tiers of a rubric are measured.",
    )
    replay: Inside | None = Field(
        default=None, description="Recorded replies that are used where no judge is named."
    )
    collected_at: str | None = Field(default=None, description="Day or time of the collection.")
    collector: str | None = Field(default=None, description="The program that collected the run.")


class _Measured(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, allow_inf_nan=False)


class UsageEntry(_Measured):
    """Token counts as the provider reported them."""

    prompt_tokens: Count | None = Field(default=None, description="Tokens of the prompt.")
    completion_tokens: Count | None = Field(default=None, description="Tokens of the completion.")
    reasoning_tokens: Count | None = Field(default=None, description="Tokens of reasoning.")


class FailureEntry(_Measured):
    """One failed call."""

    kind: str = Field(
        default="error",
        description="timeout, transport, http, content_filter, or the collector's own word.",
    )
    message: str = Field(default="", description="What the provider or the client said.")
    elapsed_s: Seconds | None = Field(default=None, description="Seconds until it failed.")


Failed = Annotated[FailureEntry, BeforeValidator(_failure)]


class MetaFile(_Measured):
    """meta.json: what a program measured about one output; all optional."""

    finish_reason: str | None = Field(default=None, description="As the provider spelt it.")
    usage: UsageEntry | None = Field(default=None, description="Token counts.")
    max_tokens: Annotated[int, Field(ge=1, le=MAX_COUNT)] | None = Field(
        default=None, description="The completion budget that was sent."
    )
    timeout_s: Annotated[float, Field(gt=0, le=MAX_SECONDS)] | None = Field(
        default=None, description="The client's limit, in seconds."
    )
    wall_s: Seconds | None = Field(default=None, description="Seconds from request to last byte.")
    ttft_s: Seconds | None = Field(default=None, description="Seconds to the first token.")
    cost_usd: Seconds | None = Field(default=None, description="Cost as the provider charged it.")
    error: Failed | None = Field(default=None, description="The error that ended the call.")
    reasoning_chars: Count | None = Field(
        default=None, description="Length of the reasoning field; it is never read as an answer."
    )
    prompt_sha256: Annotated[str, Field(pattern=r"^[0-9a-fA-F]{64}$")] | None = Field(
        default=None, description="SHA-256 of the prompt as it was sent, UTF-8."
    )
    cwd: Cwd | None = Field(default=None, description="What the working folder held.")
    attempts: list[Failed] | None = Field(
        default=None, description="Failed calls before the last one."
    )
    not_settable: list[str] | None = Field(
        default=None, description="Limits that this harness cannot be given."
    )


def json_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of run.yaml, for editors."""
    schema = RunFile.model_json_schema()
    # An item may be its id alone; the validator that allows it leaves no trace in the schema.
    item = schema["properties"]["items"]["anyOf"][0]
    item["items"] = {"anyOf": [{"type": "string"}, item["items"]]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
