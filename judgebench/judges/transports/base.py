"""One protocol for all ways to a judge, and the loop that they run in."""

import asyncio
import importlib
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar, cast

from judgebench.model import RawReply

T = TypeVar("T")
MAX_BODY_BYTES = 8 * 1024 * 1024
"""The longest reply that is read."""

MAX_BODY_BYTES = 8 * 1024 * 1024
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
            found += [key[:12], key[-8:]]
        self._found = tuple(found)

    def __call__(self, text: str) -> str:
        """The text without the key."""
        for part in self._found:
            if part in text:
                text = text.replace(part, MASKED)
        return text


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
