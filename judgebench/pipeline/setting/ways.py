"""Which way leads to a judge: plain HTTP where it can, instructor's client where it must."""

from contextlib import AbstractAsyncContextManager
from typing import Any

from judgebench.model.nouns import Judge


def way_to(judge: Judge, api_key: str, concurrency: int) -> AbstractAsyncContextManager[Any]:
    """An asynchronous context that gives the transport of a judge.

    Args:
        judge: With a base_url, its OpenAI-compatible endpoint is asked directly.
        api_key: Sent to that endpoint and nowhere else.
        concurrency: Connections at most.
    """
    if judge.base_url is not None:
        # The client costs a second to load, and a table or a replay needs none.
        from judgebench.judges.transports.live import LiveTransport  # noqa: PLC0415

        return LiveTransport(judge, api_key, concurrency)
    from judgebench.judges.transports.provider import (  # noqa: PLC0415 - heavy, and rarely used
        ProviderTransport,
    )

    return ProviderTransport(judge, api_key or None)
