"""judges.toml: what may stand in it, and reading it."""

import re
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

from judgebench import toml
from judgebench.errors import JudgeConfigError
from judgebench.formats.check import validate
from judgebench.formats.located import Located, decode
from judgebench.judges import wire
from judgebench.text import one_line

DEFAULT_MAX_TOKENS = 4096
_NAME_LIMIT = 200
_RESERVED = {
    "model": "it has a key of its own",
    "messages": "judgebench writes them",
    "tools": "judgebench writes them",
    "tool_choice": "judgebench writes it",
    "response_format": "judgebench writes it",
    "stream": "replies are read whole",
    "n": "a request has one reply",
    "max_tokens": "write max_tokens beside params",
    "max_completion_tokens": "write max_tokens beside params",
    "api_key": "write api_key_env, the name of an environment variable",
}
"""Keys of `params` that are not the user's, and why."""


def _params(params: dict[str, JsonValue]) -> dict[str, JsonValue]:
    for key, value in params.items():
        if key in wire.LIMITS and value == wire.LEFT_OUT:
            continue
        if key in _RESERVED:
            raise ValueError(f"holds {key}; take it out: {_RESERVED[key]}")
    return params


def checked_url(url: str) -> str:
    """An address of an endpoint, without a slash at its end.

    Raises:
        ValueError: It is none, or holds what does not belong there.
    """
    if re.search(r"[\s\x00-\x1f]", url):
        raise ValueError("holds a blank; write it without")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.scheme not in {"http", "https"} or not host:
        raise ValueError(
            f"is {one_line(url, 80)}; write it as http://HOST:PORT/v1 or https://HOST/v1"
        )
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("holds a user, a query or a fragment; write a key by api_key_env")
    return url.rstrip("/")


def _name(name: str) -> str:
    if not name or len(name) > _NAME_LIMIT or re.search(r"[\s\x00-\x1f]", name):
        raise ValueError(
            f'is "{one_line(name, 60)}"; write 1 to {_NAME_LIMIT} characters without blanks'
        )
    return name


def _variable(name: str) -> str:
    if name and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        # Not quoted: a key was probably written where its variable's name belongs.
        raise ValueError("is no name of a variable; write that name, never the key itself")
    return name


Name = Annotated[str, AfterValidator(_name)]
Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1)]


class PriceTable(BaseModel):
    """US dollars a million tokens."""

    model_config = ConfigDict(extra="forbid")

    input_usd: Amount
    output_usd: Amount


class JudgeTable(BaseModel):
    """One ``[judges.NAME]`` of judges.toml."""

    model_config = ConfigDict(extra="forbid")

    model: Name = Field(description="provider/model, or with base_url the name as it is sent")
    base_url: Annotated[str, AfterValidator(checked_url)] | None = Field(
        default=None, description="Any OpenAI-compatible endpoint, such as http://localhost:8000/v1"
    )
    api_key_env: Annotated[str, AfterValidator(_variable)] | None = Field(
        default=None, description='Variable that holds the key; "" where none is needed'
    )
    mode: Literal["auto", "json_schema", "tools", "json", "md_json"] = Field(
        default="auto", description="How the reply's form is asked for; auto tries"
    )
    params: Annotated[dict[str, JsonValue], AfterValidator(_params)] = Field(
        default_factory=dict, description="Sent as they are, such as temperature or seed"
    )
    price: PriceTable | None = None
    rpm: Count | None = Field(default=None, description="Requests a minute, at most")
    tpm: Count | None = Field(default=None, description="Tokens a minute, at most")
    timeout_s: Annotated[float, Field(gt=0, le=86_400)] = 120.0
    max_calls: Annotated[int, Field(ge=1, le=10)] = Field(
        default=3, description="Calls for one request, at most, all retries counted"
    )
    max_tokens: Count = Field(
        default=DEFAULT_MAX_TOKENS, description="The judge's own budget for one reply"
    )


class JudgesFile(BaseModel):
    """The whole of judges.toml."""

    model_config = ConfigDict(extra="forbid", title="judges.toml")

    default: Name | None = Field(default=None, description="The judge used where none is named")
    judges: dict[Name, JudgeTable] = Field(default_factory=dict)


def json_schema() -> dict[str, Any]:
    """JSON Schema of judges.toml, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | (
        JudgesFile.model_json_schema()
    )


def load_judges(path: Path | None) -> JudgesFile:
    """Read judges.toml; where there is none, there are no judges in it.

    Raises:
        JudgeConfigError: With line and key.
    """
    if path is None or not path.is_file():
        return JudgesFile()
    try:
        raw = path.read_bytes()
    except OSError as exc:
        raise JudgeConfigError(path, f"cannot be read ({exc.strerror})", "check it") from None
    return validate(JudgesFile, _read(raw, path), JudgeConfigError)


def _read(raw: bytes, path: Path) -> Located:
    return toml.parse_toml(decode(raw, path, JudgeConfigError), path, JudgeConfigError)


def line_of(path: Path | str, *key: str) -> int:
    """The line of a key, read once more where it is at fault; 0 where no file named the judge."""
    file = Path(path)
    return _read(file.read_bytes(), file).line(key) if file.is_file() else 0
