"""Live calls to an OpenAI-compatible endpoint: one HTTP request, one raw reply.

The request goes through openai's own client without its request transform and its
response model, and without a single retry of its own: attempts are counted in one
place above. Calls of a pass differ in body and idempotency key alone: openai's client
builds the first one, and those after it repeat its address and headers over the same
connections. A refusal, a lost connection or an exceeded time limit is a `RawReply`
like any other. The key stands in the Authorization header only; where a provider
repeats it in a body or an error, it is masked here, before anything is stored.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any, Self

import httpx2
import openai

try:
    from aiohttp import ClientError
except ImportError:  # pragma: no cover - the "aiohttp" extra is missing
    ClientError = httpx2.TransportError  # type: ignore[assignment,misc]  # says nothing more

from judgebench.judges.faults import retry_after_s
from judgebench.judges.transports.base import MAX_BODY_BYTES, KeyMask, Underway, timed_out
from judgebench.model.nouns import Judge, RawReply
from judgebench.text import one_line

_CONNECT_S = 10.0
_KEEP_ALIVE_S = 15.0
_SPARE_CONNECTIONS = 2
_WITHOUT_OPENAI: Any = dict.fromkeys(("OpenAI-Organization", "OpenAI-Project"), openai.omit)
# What runs where is nobody's business, and each header costs on each call.
_UNTOLD: Any = {
    f"X-Stainless-{name}": openai.omit
    for name in ("Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version", "Async")
}
_UNTOLD_A_CALL: Any = dict.fromkeys(
    ("x-stainless-retry-count", "x-stainless-read-timeout"), openai.omit
)
_KEY_HEADER = "Idempotency-Key"
# What is written anew for each call.
_OF_ONE_CALL = frozenset({b"idempotency-key", b"content-length"})
# What can go wrong on the way: wrapped by openai's client, or not.
_LOST = (openai.APIConnectionError, httpx2.HTTPError, httpx2.StreamError, ClientError, OSError)
# A broken body is "400, message: …" to the client below, and no such status ever came.
_NO_STATUS = re.compile(r"^\d{3}, message:\s*")


class TooLargeError(openai.OpenAIError):
    """A body longer than anybody wants to read; openai's client lets its own kind pass."""


class _Capped(httpx2.AsyncByteStream):
    """A response's bytes, with an end."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._inner:
            size += len(chunk)
            if size > MAX_BODY_BYTES:
                raise TooLargeError(f"the reply is longer than {MAX_BODY_BYTES >> 20} MiB")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _cap(response: httpx2.Response) -> None:
    """Bound a response before anything reads it."""
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Capped(response.stream)


class LiveTransport:
    """Calls a judge's endpoint; use it as an asynchronous context manager.

    Args:
        judge: Its endpoint and time limit.
        api_key: Sent in the Authorization header and nowhere else.
        concurrency: Calls at once; two more connections than that are ever open.
    """

    def __init__(self, judge: Judge, api_key: str, concurrency: int) -> None:
        self.timeout_s = judge.timeout_s
        self.mask = KeyMask(api_key)
        # OPENAI_ORG_ID and the like are for openai's endpoint, not for others.
        own = judge.provider == "openai"
        self._http = _http_client(concurrency)
        self._first: httpx2.Request | None = None
        self._headers: list[tuple[bytes, bytes]] = []
        self.client = openai.AsyncOpenAI(
            api_key=api_key or "none",
            base_url=judge.base_url,
            default_headers=_UNTOLD if own else {**_UNTOLD, **_WITHOUT_OPENAI},
            max_retries=0,
            timeout=httpx2.Timeout(None, connect=min(_CONNECT_S, judge.timeout_s)),
            http_client=self._http,
        )

    async def __aenter__(self) -> Self:
        """Itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close all connections."""
        await self.client.close()

    async def send(self, body: dict[str, Any], *, key: str, attempt: int) -> RawReply:
        """Make one call; see `base.Transport.send`."""
        call = Underway(key, attempt, self.mask)
        try:
            async with asyncio.timeout(self.timeout_s):
                response = await self._post(_encode(body), key)
            text = _text(response)
        except TimeoutError:
            return call.lost("timeout", timed_out(self.timeout_s))
        except TooLargeError as exc:
            return call.lost("unknown", str(exc))
        except _LOST as exc:
            return call.lost(*_lost(exc))
        wait = None
        if response.status_code != httpx2.codes.OK:
            wait = retry_after_s(response.headers.get("retry-after"), call.sent_at)
        return call.answered(response.status_code, text, retry_after_s=wait)

    async def _post(self, content: bytes, key: str) -> httpx2.Response:
        if self._first is not None:
            return await self._http.send(self._like_first(self._first, content, key))
        try:
            response = await self.client.post(
                "/chat/completions",
                cast_to=httpx2.Response,
                content=content,
                options={"headers": {_KEY_HEADER: key, **_UNTOLD_A_CALL}},
            )
        except openai.APIStatusError as exc:
            response = exc.response
        self._first = response.request
        self._headers = [
            (name, value)
            for name, value in response.request.headers.raw
            if name.lower() not in _OF_ONE_CALL
        ]
        return response

    def _like_first(self, first: httpx2.Request, content: bytes, key: str) -> httpx2.Request:
        """The first request again with another body, at a fifth of what building it takes."""
        own = (_KEY_HEADER.encode(), key.encode())
        return httpx2.Request(
            first.method,
            first.url,
            headers=[*self._headers, own],
            content=content,
            extensions=first.extensions,
        )


def _http_client(concurrency: int) -> httpx2.AsyncClient:
    """The fastest client that is installed, sized to the concurrency."""
    limits = httpx2.Limits(
        max_connections=concurrency + _SPARE_CONNECTIONS,
        max_keepalive_connections=concurrency + _SPARE_CONNECTIONS,
        keepalive_expiry=_KEEP_ALIVE_S,
    )
    # A redirect is an answer: following it could send the text to another host.
    options: dict[str, Any] = {
        "limits": limits,
        "follow_redirects": False,
        "event_hooks": {"response": [_cap]},
    }
    try:
        return openai.DefaultAioHttpClient(**options)
    except RuntimeError:
        # The "aiohttp" extra is missing; slower, and the same otherwise.
        return openai.DefaultAsyncHttpxClient(**options)


def _encode(body: dict[str, Any]) -> bytes:
    """A body as JSON; half a surrogate in a judged text is escaped, not an error."""
    try:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(body, separators=(",", ":")).encode()


def _text(response: httpx2.Response) -> str:
    """The body as text; JSON is UTF-8 whatever a header says."""
    return response.content.decode("utf-8", "replace")


def _lost(exc: Exception) -> tuple[str, str]:
    """Whether a request can have arrived before its connection was lost, and the words."""
    never_sent = False
    words = ""
    for cause in _causes(exc):
        kind = type(cause).__name__
        # aiohttp's names: its exceptions reach us wrapped, some as the opposite kind.
        never_sent |= "ConnectorError" in kind or kind == "ConnectionTimeoutError"
        never_sent |= type(cause) is httpx2.ConnectError
        words = _NO_STATUS.sub("", str(cause)) or kind
    if never_sent:
        return "connection", f"could not connect: {one_line(words)}"
    return "unknown", f"the connection was lost: {one_line(words)}"


def _causes(exc: BaseException) -> Iterator[BaseException]:
    """What openai's client wrapped, or the error itself, and what caused it."""
    wrapped = isinstance(exc, openai.APIConnectionError)
    cause: BaseException | None = exc.__cause__ if wrapped else exc
    while cause is not None:
        yield cause
        cause = cause.__cause__
