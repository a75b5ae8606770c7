"""A provider's batch endpoint: files handed in, watched, fetched; through openai's client.

Apart from the files of the batch format, so that who only reads a recording loads no client.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Self

import openai
from openai.types import Batch

from judgebench.errors import JudgeSetupError
from judgebench.judges.transports.base import KeyMask
from judgebench.judges.transports.batch import URL
from judgebench.model.nouns import Judge
from judgebench.records import dataclass
from judgebench.text import one_line

_DONE = frozenset({"completed", "failed", "expired", "cancelled"})
_CALL_S = 60.0
_READ_RETRIES = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchState:
    """How far a provider is with a batch."""

    id: str
    status: str
    total: int = 0
    completed: int = 0
    failed: int = 0
    output_file_id: str | None = None
    error_file_id: str | None = None
    message: str = ""
    """Why it failed as a whole, in the provider's words."""

    @property
    def done(self) -> bool:
        """Whether nothing further will come."""
        return self.status in _DONE


class BatchEndpoint:
    """A provider's ``/v1/batches``; use it as an asynchronous context manager.

    Args:
        judge: Its endpoint.
        api_key: Sent in the Authorization header and nowhere else.
    """

    def __init__(self, judge: Judge, api_key: str) -> None:
        self._judge, self._mask = judge, KeyMask(api_key)
        self._client = openai.AsyncOpenAI(
            api_key=api_key or "none", base_url=judge.base_url, max_retries=0, timeout=_CALL_S
        )
        # Reading again costs nothing, so here the client may.
        self._reading = self._client.with_options(max_retries=_READ_RETRIES)

    async def __aenter__(self) -> Self:
        """Itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close all connections."""
        await self._client.close()

    async def submit(self, path: Path) -> BatchState:
        """Hand in one file of requests.

        Raises:
            JudgeSetupError: The endpoint refuses, or has no batches.
        """
        async with self._said():
            file = await self._client.files.create(file=path, purpose="batch")
            batch = await self._client.batches.create(
                input_file_id=file.id, endpoint=URL, completion_window="24h"
            )
        return self._state(batch)

    async def state(self, batch_id: str) -> BatchState:
        """Ask how far it is."""
        async with self._said():
            return self._state(await self._reading.batches.retrieve(batch_id))

    async def wait(
        self, batch_id: str, *, every_s: float, tell: Callable[[BatchState], None]
    ) -> BatchState:
        """Ask again and again until nothing further will come."""
        while True:
            state = await self.state(batch_id)
            tell(state)
            if state.done:
                return state
            await asyncio.sleep(every_s)

    async def download(self, state: BatchState, folder: Path) -> tuple[Path, ...]:
        """Fetch output and error file of a batch, where there are any."""
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        paths = []
        for kind, file_id in (("output", state.output_file_id), ("error", state.error_file_id)):
            if file_id is None:
                continue
            path = folder / f"{_file_name(state.id)}-{kind}.jsonl"
            temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
            async with (
                self._said(),
                self._reading.files.with_streaming_response.content(file_id) as content,
            ):
                await content.stream_to_file(temporary)
            temporary.replace(path)
            paths.append(path)
        return tuple(paths)

    @contextlib.asynccontextmanager
    async def _said(self) -> AsyncIterator[None]:
        """An error of the client as one line for the user."""
        name = one_line(self._judge.name, 60)
        try:
            yield
        except openai.APIStatusError as exc:
            words = one_line(self._mask(exc.response.text), 200).rstrip(" .")
            raise JudgeSetupError(
                f"{name}: the batch endpoint answered {exc.status_code}: {words}; "
                "check key and base_url, and whether this endpoint has batches"
            ) from None
        except openai.APIConnectionError as exc:
            words = one_line(self._mask(str(exc.__cause__ or exc)), 200).rstrip(" .")
            raise JudgeSetupError(
                f"{name}: the batch endpoint cannot be reached: {words}; run the same command again"
            ) from None

    def _state(self, batch: Batch) -> BatchState:
        counts = batch.request_counts
        errors = batch.errors.data if batch.errors and batch.errors.data else []
        words = "; ".join(error.message for error in errors if error.message)
        return BatchState(
            id=batch.id,
            status=batch.status,
            total=counts.total if counts else 0,
            completed=counts.completed if counts else 0,
            failed=counts.failed if counts else 0,
            output_file_id=batch.output_file_id,
            error_file_id=batch.error_file_id,
            message=one_line(self._mask(words)),
        )


def _file_name(batch_id: str) -> str:
    """An id as the provider gives it, as part of a file's name."""
    return "".join(ch if ch.isascii() and (ch.isalnum() or ch in "-_") else "_" for ch in batch_id)[
        :80
    ]
