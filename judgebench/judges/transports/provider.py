"""Providers without an OpenAI-compatible endpoint, through instructor's own clients.

`instructor.from_provider` sends the request and reads the reply in one step, so the raw
reply reaches the store only after the provider's client and instructor have held it: a
kill between the arrival of a reply and its writing loses that reply, and the request is
asked again by the next start (docs/judges.md names this window). Everywhere else the
live transport is used. instructor asks again nothing by itself, and what it says about a
verdict is not believed: only the words of the completion are taken, and our reader reads
them. A second verdict is therefore seen only where the provider's completion shows it.
"""

import asyncio
import json
import logging
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, create_model

from judgebench.errors import JudgeSetupError
from judgebench.judges.faults import retry_after_s
from judgebench.judges.transports.base import KeyMask, Underway, timed_out
from judgebench.model.nouns import Judge, RawReply
from judgebench.text import canonical_json, one_line

_OURS = frozenset({"model", "messages", "tools", "tool_choice", "response_format"})
_OK = 200


class _Anything(BaseModel):
    """Takes whatever the judge wrote; reading it strictly is the business of `validate`."""

    model_config = ConfigDict(extra="allow")


class ProviderTransport:
    """Calls a judge through instructor's client for its provider.

    Args:
        judge: Provider, model and time limit.
        api_key: Given to the provider's client; None leaves it to the environment.
        options: More for the provider's client, such as ``base_url``.
    """

    def __init__(self, judge: Judge, api_key: str | None, **options: Any) -> None:  # noqa: ANN401
        import instructor  # noqa: PLC0415 - a second, and only this transport wants it

        # Failed calls are logged there with the words of models; they are ours to keep.
        logging.getLogger("instructor").setLevel(logging.CRITICAL)
        self._mask = KeyMask(api_key or "")
        self._timeout_s = judge.timeout_s
        self._models: dict[str, Any] = {}
        self._wrap = instructor.openai_schema
        if api_key:
            options["api_key"] = api_key
        try:
            self._client: Any = instructor.from_provider(
                f"{judge.provider}/{judge.model}", async_client=True, **options
            )
        except Exception as exc:
            if not _is_configuration(exc):
                raise
            raise JudgeSetupError(
                f"{one_line(judge.name, 60)}: {one_line(self._mask(str(exc)), 200)}; "
                "install the provider's package, or give an OpenAI-compatible base_url"
            ) from None

        inner = getattr(self._client, "client", None)
        if inner is not None and isinstance(getattr(inner, "max_retries", None), int):
            # The clients of most providers ask again by themselves; calls are counted above.
            inner.max_retries = 0

    async def __aenter__(self) -> Self:
        """Itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the provider's client, where it can be closed."""
        close = getattr(getattr(self._client, "client", None), "close", None)
        if close is not None and asyncio.iscoroutine(closing := close()):
            await closing

    async def send(self, body: dict[str, Any], *, key: str, attempt: int) -> RawReply:
        """Make one call; see `base.Transport.send`."""
        call = Underway(key, attempt, self._mask)
        try:
            async with asyncio.timeout(self._timeout_s):
                text = await self._complete(body)
        except TimeoutError:
            return call.lost("timeout", timed_out(self._timeout_s))
        except Exception as exc:  # noqa: BLE001 - each provider's client has errors of its own
            status, text, wait = _refusal(exc, call.sent_at)
            if status is None:
                return call.lost("unknown", one_line(str(_root(exc)) or type(exc).__name__))
            return call.answered(status, text, retry_after_s=wait)
        return call.answered(_OK, text)

    async def _complete(self, body: dict[str, Any]) -> str:
        """The completion as JSON of the one form that our reader knows."""
        try:
            verdict, completion = await self._client.create_with_completion(
                response_model=self._model(body),
                messages=body["messages"],
                max_retries=0,
                **{name: value for name, value in body.items() if name not in _OURS},
            )
        except Exception as exc:
            # instructor's own: a reply came, and could not be read as it wanted.
            completion = getattr(exc, "last_completion", None)
            if completion is None:
                raise
            verdict = None
        return _envelope(completion, verdict)

    def _model(self, body: dict[str, Any]) -> Any:  # noqa: ANN401 - a made model
        """A model whose schema is the request's own; made once a schema."""
        name, schema = _schema(body)
        known = canonical_json(schema)
        if known not in self._models:
            titled = {"title": name, **schema}
            made = create_model(name, __base__=_Anything)
            made.model_json_schema = classmethod(lambda _cls, *_a, **_k: titled)  # type: ignore[assignment, method-assign]  # the point of it
            self._models[known] = self._wrap(made)
        return self._models[known]


def _schema(body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Name and schema that a request asks for."""
    if tools := body.get("tools"):
        function = tools[0]["function"]
        return function["name"], function["parameters"]
    wanted = body.get("response_format", {}).get("json_schema")
    if wanted:
        return wanted["name"], wanted["schema"]
    return "marks", {"type": "object"}


def _envelope(completion: Any, verdict: BaseModel | None) -> str:  # noqa: ANN401 - any provider's
    """A completion as chat completion JSON; one of another form is kept beside it."""
    dumped = completion.model_dump(mode="json") if isinstance(completion, BaseModel) else None
    if isinstance(dumped, dict) and isinstance(dumped.get("choices"), list):
        return json.dumps(dumped, ensure_ascii=False)
    facts = dumped if isinstance(dumped, dict) else {}
    content = None if verdict is None else json.dumps(verdict.model_dump(), ensure_ascii=False)
    finish = facts.get("stop_reason") or facts.get("finish_reason") or "stop"
    return json.dumps(
        {
            "object": "chat.completion",
            "model": facts.get("model"),
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish,
                    "message": {"role": "assistant", "content": content},
                }
            ],
            "usage": facts.get("usage"),
            "provider": dumped if dumped is not None else str(completion),
        },
        ensure_ascii=False,
    )


def _root(exc: BaseException) -> BaseException:
    """The first error of a chain that knows an HTTP status, or the one that began it."""
    cause = exc
    while True:
        if isinstance(getattr(cause, "status_code", None), int) or cause.__cause__ is None:
            return cause
        cause = cause.__cause__


def _refusal(exc: BaseException, now: float) -> tuple[int | None, str, float | None]:
    """Status, body and wait of a provider's refusal; no status where no answer came."""
    root = _root(exc)
    status = getattr(root, "status_code", None)
    if not isinstance(status, int):
        return None, "", None
    response = getattr(root, "response", None)
    headers = getattr(response, "headers", None) or {}
    text = getattr(response, "text", "")
    return (
        status,
        text if isinstance(text, str) and text else json.dumps({"error": {"message": str(root)}}),
        retry_after_s(headers.get("retry-after"), now),
    )


def _is_configuration(exc: Exception) -> bool:
    """Whether instructor says that a package, a provider or a key is missing."""
    if isinstance(exc, ImportError | ValueError):
        return True
    return type(exc).__name__ in {"ConfigurationError", "OpenAIError", "ClientError"}
