"""From a name to a judge: judges.toml, ``provider/model``, or a recording.

A judge is data: a table of judges.toml or a name as `instructor.from_provider`
spells it. Its key is never part of it: only the name of the environment variable
is, and `api_key` reads that when a request is about to go out.
"""

import dataclasses
import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path

from judgebench.errors import JudgeConfigError
from judgebench.judges.identity import judge_sha256
from judgebench.judges.judges_file import (
    JudgeTable,
    PriceTable,
    checked_url,
    line_of,
    load_judges,
)
from judgebench.judges.providers import PROVIDERS, Provider, is_near
from judgebench.model.collected import Run
from judgebench.model.nouns import Judge, Price
from judgebench.records import dataclass
from judgebench.text import one_line

REPLAY = "replay:"
NO_KEY = "no-key-needed"
"""What is sent where an endpoint on this machine or network asks for no key."""
ENDPOINT = "endpoint"
"""The provider of a judge that judges.toml gives a `base_url`."""
_HOW_NAMED = "write provider/model, such as openai/MODEL, or a name from judges.toml"
_NAMES_SHOWN = 8
_HOW_LISTED = "give it a table with model and base_url in judges.toml (judge explain judges)"


class NoJudgeError(JudgeConfigError):
    """Nobody was named at all; what would name somebody is in order as far as it is there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplayChoice:
    """Recorded replies are to be read; nothing is sent."""

    path: Path
    given: Path | None = None
    """As it was named, where that is another path."""


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
        where = f"{judges_toml}:{line_of(str(judges_toml), 'default')}: default"
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
    if not slash:
        near = _like(name, [*listed, *(f"{one}/MODEL" for one in PROVIDERS)])
        fix = f"did you mean {near}?" if near else _how_named(listed)
        problem = f'"{shown}" is no known judge' if name.strip() else "no judge is named"
        return JudgeConfigError(where, problem, fix)
    if provider in PROVIDERS:
        return JudgeConfigError(where, f'"{shown}" names no model', f"write {shown}MODEL")
    near = _like(provider, list(PROVIDERS))
    fix = f"did you mean {near}/{one_line(model, 60)}?" if near else _HOW_LISTED
    return JudgeConfigError(where, f'"{one_line(provider, 60)}" is no known provider', fix)


def _how_named(listed: Sequence[str]) -> str:
    """How a judge is named, with the names that judges.toml gives."""
    shown = ", ".join(one_line(name, 40) for name in listed[:_NAMES_SHOWN])
    more = " …" if len(listed) > _NAMES_SHOWN else ""
    return _HOW_NAMED + (f": {shown}{more}" if shown else "")


def _like(name: str, known: list[str]) -> str:
    """The known name that one is most like; empty where it is like none."""
    return next(iter(difflib.get_close_matches(name, known, n=1, cutoff=0.6)), "")


def _from_table(name: str, table: JudgeTable, path: str, env: Mapping[str, str]) -> Judge:
    provider, slash, model = table.model.partition("/")
    if table.base_url is None and not (slash and provider in PROVIDERS and model):
        raise JudgeConfigError(
            path,
            f'is "{one_line(table.model, 80)}", and there is no base_url',
            "write provider/model, or add base_url",
            line=line_of(path, "judges", name, "model"),
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
            line=line_of(where, "judges", name),
            key=f"judges.{one_line(name, 60)}.api_key_env",
        )


def _env_url(url: str) -> str:
    try:
        return checked_url(url)
    except ValueError as exc:
        problem, _, fix = str(exc).partition("; ")
        raise JudgeConfigError("OPENAI_BASE_URL", problem, fix) from None


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
