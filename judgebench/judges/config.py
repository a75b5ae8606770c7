"""From a name to a judge: judges.toml, ``provider/model``, or a recording.

A judge is data: a table of judges.toml or a name as `instructor.from_provider`
spells it. Its key is never part of it: only the name of the environment variable
is, and `api_key` reads that when a request is about to go out.
"""

import dataclasses
import difflib
import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

from judgebench import formats, toml
from judgebench.errors import JudgeConfigError
from judgebench.judges import wire
from judgebench.judges.identity import judge_sha256
from judgebench.model import Judge, Price, Run
from judgebench.text import one_line

DEFAULT_MAX_TOKENS = 4096
REPLAY = "replay:"
NO_KEY = "no-key-needed"
"""What is sent where an endpoint on this machine or network asks for no key."""
ENDPOINT = "endpoint"
"""The provider of a judge that judges.toml gives a `base_url`."""
_NAME_LIMIT = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Provider:
    """Where a provider's models are asked, and which variable holds the key."""

    base_url: str | None = None
    """Its OpenAI-compatible endpoint; None where it has none and instructor's client serves."""
    api_key_env: str | None = None


PROVIDERS: dict[str, Provider] = {
    "openai": Provider(base_url="https://api.openai.com/v1", api_key_env="OPENAI_API_KEY"),
    "openrouter": Provider(
        base_url="https://openrouter.ai/api/v1", api_key_env="OPENROUTER_API_KEY"
    ),
    "together": Provider(base_url="https://api.together.xyz/v1", api_key_env="TOGETHER_API_KEY"),
    "fireworks": Provider(
        base_url="https://api.fireworks.ai/inference/v1", api_key_env="FIREWORKS_API_KEY"
    ),
    "groq": Provider(base_url="https://api.groq.com/openai/v1", api_key_env="GROQ_API_KEY"),
    "deepseek": Provider(base_url="https://api.deepseek.com", api_key_env="DEEPSEEK_API_KEY"),
    "mistral": Provider(base_url="https://api.mistral.ai/v1", api_key_env="MISTRAL_API_KEY"),
    "xai": Provider(base_url="https://api.x.ai/v1", api_key_env="XAI_API_KEY"),
    "cerebras": Provider(base_url="https://api.cerebras.ai/v1", api_key_env="CEREBRAS_API_KEY"),
    "perplexity": Provider(base_url="https://api.perplexity.ai", api_key_env="PERPLEXITY_API_KEY"),
    "google": Provider(
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        api_key_env="GOOGLE_API_KEY",
    ),
    "gemini": Provider(
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        api_key_env="GEMINI_API_KEY",
    ),
    "anyscale": Provider(
        base_url="https://api.endpoints.anyscale.com/v1", api_key_env="ANYSCALE_API_KEY"
    ),
    "ollama": Provider(base_url="http://localhost:11434/v1"),
    "anthropic": Provider(api_key_env="ANTHROPIC_API_KEY"),
    "cohere": Provider(api_key_env="CO_API_KEY"),
    "writer": Provider(api_key_env="WRITER_API_KEY"),
    "azure_openai": Provider(api_key_env="AZURE_OPENAI_API_KEY"),
    "databricks": Provider(api_key_env="DATABRICKS_TOKEN"),
    "bedrock": Provider(),
    "vertexai": Provider(),
    "litellm": Provider(),
}
"""By the names that `instructor.from_provider` knows."""

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


def _params(params: dict[str, JsonValue]) -> dict[str, JsonValue]:
    for key, value in params.items():
        if key in wire.LIMITS and value == wire.LEFT_OUT:
            continue
        if key in _RESERVED:
            raise ValueError(f"holds {key}; take it out: {_RESERVED[key]}")
    return params


def _base_url(url: str) -> str:
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
    base_url: Annotated[str, AfterValidator(_base_url)] | None = Field(
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


class NoJudgeError(JudgeConfigError):
    """Nobody was named at all; what would name somebody is in order as far as it is there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplayChoice:
    """Recorded replies are to be read; nothing is sent."""

    path: Path
    given: Path | None = None
    """As it was named, where that is another path."""


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
    return formats.validate(JudgesFile, _read(raw, path), JudgeConfigError)


def _read(raw: bytes, path: Path) -> formats.Located:
    return toml.parse_toml(formats.decode(raw, path, JudgeConfigError), path, JudgeConfigError)


def _line(path: Path | str, *key: str) -> int:
    """The line of a key, read once more where it is at fault; 0 where no file named the judge."""
    file = Path(path)
    return _read(file.read_bytes(), file).line(key) if file.is_file() else 0


def resolve_judge(
    name: str | None, *, judges_toml: Path | None, env: Mapping[str, str], run: Run | None
) -> Judge | ReplayChoice:
    """Find out who judges.

    In this order: `name`, the variable ``JUDGE_MODEL``, the default of judges.toml, the
    run's own recorded replies.

    Raises:
        NoJudgeError: Nothing is named.
        JudgeConfigError: The name is not known, or judges.toml cannot be used.
    """
    if name is not None:
        return _named(name, "--judge", judges_toml=judges_toml, env=env)
    if wanted := env.get("JUDGE_MODEL", "").strip():
        return _named(wanted, "JUDGE_MODEL", judges_toml=judges_toml, env=env)
    if wanted := load_judges(judges_toml).default or "":
        where = f"{judges_toml}:{_line(str(judges_toml), 'default')}: default"
        return _named(wanted, where, judges_toml=judges_toml, env=env)
    if run is not None and run.replay is not None:
        return ReplayChoice(path=run.replay)
    raise NoJudgeError(
        "--judge",
        "no judge is named",
        "write --judge openai/MODEL, or set JUDGE_MODEL (judge explain judges)",
    )


def _named(
    name: str, where: str, *, judges_toml: Path | None, env: Mapping[str, str]
) -> Judge | ReplayChoice:
    if name.startswith(REPLAY):
        return _replay(name.removeprefix(REPLAY), where)
    listed = load_judges(judges_toml).judges
    if name in listed:
        return _from_table(name, listed[name], str(judges_toml), env)
    provider, slash, model = name.partition("/")
    if slash and provider in PROVIDERS and model:
        return _judge(name, JudgeTable(model=name), where, env)
    raise _unknown(name, where, list(listed))


def _replay(file: str, where: str) -> ReplayChoice:
    if not Path(file).is_file():
        raise JudgeConfigError(
            where, f'there is no recording "{one_line(file, 120)}"', "write replay:FILE"
        )
    return ReplayChoice(path=Path(file))


def _unknown(name: str, where: str, listed: list[str]) -> JudgeConfigError:
    shown = one_line(name, 80)
    provider, slash, model = name.partition("/")
    if slash and provider in PROVIDERS and not model:
        return JudgeConfigError(where, f'"{shown}" names no model', f"write {shown}MODEL")
    known = [*listed, *(f"{one}/MODEL" for one in PROVIDERS)] if not slash else list(PROVIDERS)
    near = difflib.get_close_matches(provider if slash else name, known, n=1, cutoff=0.6)
    if slash:
        fix = (
            f"did you mean {near[0]}/{one_line(model, 60)}?"
            if near
            else ("give it a table with model and base_url in judges.toml (judge explain judges)")
        )
        return JudgeConfigError(where, f'"{one_line(provider, 60)}" is no known provider', fix)
    fix = (
        f"did you mean {near[0]}?"
        if near
        else ("write provider/model, such as openai/MODEL, or a name from judges.toml")
    )
    return JudgeConfigError(where, f'"{shown}" is no known judge', fix)


def _from_table(name: str, table: JudgeTable, path: str, env: Mapping[str, str]) -> Judge:
    provider, slash, model = table.model.partition("/")
    if table.base_url is None and not (slash and provider in PROVIDERS and model):
        raise JudgeConfigError(
            path,
            f'is "{one_line(table.model, 80)}", and there is no base_url',
            "write provider/model, or add base_url",
            line=_line(path, "judges", name, "model"),
            key=f"judges.{one_line(name, 60)}.model",
        )
    return _judge(name, table, path, env)


def _judge(name: str, table: JudgeTable, where: str, env: Mapping[str, str]) -> Judge:
    if table.base_url is None:
        provider_name, _, model = table.model.partition("/")
        provider = PROVIDERS[provider_name]
        base_url = provider.base_url
        if provider_name == "openai" and (other := env.get("OPENAI_BASE_URL", "").strip()):
            base_url = _env_url(other)
    else:
        provider_name, model, base_url = ENDPOINT, table.model, table.base_url
        provider = Provider()
    key_env = provider.api_key_env if table.api_key_env is None else table.api_key_env or None
    if key_env is None and base_url is not None and not is_near(base_url):
        _need_key_name(name, table, where)
    judge = Judge(
        name=name,
        model=model,
        provider=provider_name,
        base_url=base_url,
        api_key_env=key_env,
        wire_mode=table.mode,
        params=dict(table.params),
        price=_price(table.price),
        rpm=table.rpm,
        tpm=table.tpm,
        timeout_s=table.timeout_s,
        max_calls=table.max_calls,
        max_tokens=table.max_tokens,
    )
    return dataclasses.replace(judge, sha256=judge_sha256(judge))


def _price(table: PriceTable | None) -> Price | None:
    if table is None:
        return None
    return Price(input_usd=table.input_usd, output_usd=table.output_usd, source="judges.toml")


def _need_key_name(name: str, table: JudgeTable, where: str) -> None:
    if table.api_key_env is None:
        raise JudgeConfigError(
            where,
            f"is missing, and {one_line(str(table.base_url), 80)} is not on this network",
            'write the variable with the key, or "" for none',
            line=_line(where, "judges", name),
            key=f"judges.{one_line(name, 60)}.api_key_env",
        )


def _env_url(url: str) -> str:
    try:
        return _base_url(url)
    except ValueError as exc:
        problem, _, fix = str(exc).partition("; ")
        raise JudgeConfigError("OPENAI_BASE_URL", problem, fix) from None


def is_near(base_url: str) -> bool:
    """Whether an endpoint is on this machine or in a private network: no key is expected."""
    host = (urlsplit(base_url).hostname or "").rstrip(".")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".localhost", ".internal", ".lan"))
    return address.is_loopback or address.is_private or address.is_link_local


def api_key(judge: Judge, env: Mapping[str, str]) -> str:
    """The judge's key, from the environment.

    Raises:
        JudgeConfigError: The variable is not set, or holds what cannot be sent.
    """
    if judge.api_key_env is None:
        return NO_KEY
    key = env.get(judge.api_key_env, "").strip()
    if not key:
        if judge.base_url is not None and is_near(judge.base_url):
            return NO_KEY
        raise JudgeConfigError(
            judge.api_key_env,
            f"is not set, and {one_line(judge.name, 80)} needs a key",
            f"set it (export {judge.api_key_env}=…)",
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise JudgeConfigError(
            judge.api_key_env,
            "holds a blank or a character that cannot be sent",
            "set it to the key alone",
        )
    return key
