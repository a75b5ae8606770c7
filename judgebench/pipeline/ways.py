"""Which way leads to a judge: plain HTTP where it can, instructor's client where it must."""

from contextlib import AbstractAsyncContextManager
from typing import Any

from judgebench.model import Judge


def way_to(judge: Judge, api_key: str, concurrency: int) -> AbstractAsyncContextManager[Any]:
    """An asynchronous context that gives the transport of a judge.

    Args:
        judge: With a base_url, its OpenAI-compatible endpoint is asked directly.
        api_key: Sent to that endpoint and nowhere else.
        concurrency: Connections at most.
    """
    # Imported here: the clients take a second, and a start with nothing to send needs none.
    if judge.base_url is not None:
        from judgebench.judges.transports.live import LiveTransport  # noqa: PLC0415

        return LiveTransport(judge, api_key, concurrency)
    from judgebench.judges.transports.provider import ProviderTransport  # noqa: PLC0415

    return ProviderTransport(judge, api_key or None)
