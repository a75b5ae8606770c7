"""One protocol for all ways to a judge, and the loop that they run in."""

import asyncio
import base64
import importlib
import time
from collections.abc import Coroutine, Iterator
from typing import Any, Protocol, TypeVar, cast
from urllib.parse import quote

from judgebench.model.nouns import RawReply

T = TypeVar("T")
MAX_BODY_BYTES = 8 * 1024 * 1024
"""The longest reply that is read."""
MASKED = "[key]"
_WHOLE_KEY_FROM, _PARTS_FROM = 8, 20


class Transport(Protocol):
    """A way to a judge: one call, one raw reply, nothing tried again."""

    async def send(self, body: dict[str, Any], *, key: str, attempt: int) -> RawReply:
        """Make one call.

        Args:
            body: The chat completion request, as `wire.body` makes it.
            key: The request's key; the same for all its attempts.
            attempt: Number of this call, from 1.

        Returns:
            What came back, unread. Refusals, lost connections and time limits are
            replies too, never exceptions.
        """
        ...


class OfflineTransport(Protocol):
    """A way that makes no call: one stored reply a request, asked once."""

    async def send(self, body: dict[str, Any], *, key: str, attempt: int) -> RawReply:
        """Give the stored reply."""
        ...

    def holds(self, key: str, request_sha256: str) -> bool:
        """Whether there is a reply to this request.

        Raises:
            RecordingError: There is one, but to a request with other words.
        """
        ...


class KeyMask:
    """Takes a key, or a telling part of it, out of texts."""

    def __init__(self, key: str) -> None:
        found: list[str] = []
        # A key of a few letters ("none", "ollama") is no secret, and a word of the language.
        if len(key) >= _WHOLE_KEY_FROM:
            found.append(key)
        if len(key) >= _PARTS_FROM:
            found += [key[:12], key[-8:], *_encoded(key)]
        self._found = tuple(found)

    def __call__(self, text: str) -> str:
        """The text without the key."""
        for part in self._found:
            if part in text:
                text = text.replace(part, MASKED)
        return text


def _encoded(key: str) -> Iterator[str]:
    """How a key reads in an address and inside of base64 text, as basic authorization has it."""
    yield quote(key, safe="")
    raw = key.encode()
    for before in range(3):
        coded = base64.b64encode(b"\0" * before + raw).decode()
        # The first and the last signs hold bits of what stands around the key.
        yield coded[(0, 2, 3)[before] : (len(raw) + before) * 8 // 6]


class Underway:
    """One call from the moment it goes out: its clock, and what may not be kept of it.

    Args:
        key: The request's key.
        attempt: Number of this call, from 1.
        mask: Takes the judge's key out of what is kept.
    """

    def __init__(self, key: str, attempt: int, mask: KeyMask) -> None:
        self._key, self._attempt, self._mask = key, attempt, mask
        self.sent_at = time.time()
        """Seconds since the epoch."""
        self._started = time.perf_counter()

    def answered(self, status: int, body: str, *, retry_after_s: float | None = None) -> RawReply:
        """A status and a body came, whatever they say."""
        return self._reply("received", status=status, body=body, retry_after_s=retry_after_s)

    def lost(self, outcome: str, error: str) -> RawReply:
        """No answer came; `outcome` is one of `RawReply`, `error` its words."""
        return self._reply(outcome, error=error)

    def _reply(
        self,
        outcome: str,
        *,
        status: int | None = None,
        body: str = "",
        error: str = "",
        retry_after_s: float | None = None,
    ) -> RawReply:
        return RawReply(
            key=self._key,
            attempt=self._attempt,
            status=status,
            body=self._mask(body),
            outcome=outcome,
            error=self._mask(error),
            elapsed_s=time.perf_counter() - self._started,
            retry_after_s=retry_after_s,
            sent_at=self.sent_at,
        )


def timed_out(limit_s: float) -> str:
    """What is said of a call that its clock ended."""
    return f"no complete answer within {limit_s:g} s"


def offline(transport: Transport) -> OfflineTransport | None:
    """The transport as one that makes no call, if it is such a one.

    By name: the check of a protocol at run time costs as much as reading a reply.
    """
    return cast("OfflineTransport", transport) if hasattr(transport, "holds") else None


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, on uvloop where it is installed."""
    try:
        factory = importlib.import_module("uvloop").new_event_loop
    except ImportError:
        factory = None
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(main)
