"""Baselines: the same requests by a bare client, nothing checked, nothing stored.

Usage:  python -m benchmarks.bare openai|aiohttp REQUESTS.jsonl BASE_URL IN_FLIGHT [LIMIT]
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

Ask = Callable[[dict[str, Any]], Awaitable[object]]


def bodies(path: Path, limit: int) -> Iterator[dict[str, Any]]:
    """The bodies of a batch file, read as they are needed."""
    with path.open(encoding="utf-8") as file:
        for line in islice(file, limit):
            yield json.loads(line)["body"]


async def work(ask: Ask, todo: Iterator[dict[str, Any]], in_flight: int) -> int:
    """A fixed number of workers on one iterator."""
    done = 0

    async def worker() -> None:
        nonlocal done
        for body in todo:
            await ask(body)
            done += 1

    await asyncio.gather(*(worker() for _ in range(in_flight)))
    return done


async def with_openai(todo: Iterator[dict[str, Any]], base_url: str, in_flight: int) -> int:
    """The loop that most people write."""
    import openai  # noqa: PLC0415 - the other baseline must not pay for it

    async with openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0) as client:

        async def ask(body: dict[str, Any]) -> None:
            answer = await client.chat.completions.create(**body)
            json.loads(answer.choices[0].message.content)

        return await work(ask, todo, in_flight)


async def with_aiohttp(todo: Iterator[dict[str, Any]], base_url: str, in_flight: int) -> int:
    """As little as HTTP takes."""
    import aiohttp  # noqa: PLC0415 - the other baseline must not pay for it

    connector = aiohttp.TCPConnector(limit=in_flight)
    async with aiohttp.ClientSession(connector=connector) as client:

        async def ask(body: dict[str, Any]) -> None:
            async with client.post(f"{base_url}/chat/completions", json=body) as answer:
                json.loads((await answer.json())["choices"][0]["message"]["content"])

        return await work(ask, todo, in_flight)


def main() -> None:
    """Ask them all and say how many were answered."""
    kind, requests, base_url, in_flight, *limit = sys.argv[1:]
    client = {"openai": with_openai, "aiohttp": with_aiohttp}[kind]
    todo = bodies(Path(requests), int(limit[0]) if limit else sys.maxsize)
    print(asyncio.run(client(todo, base_url, int(in_flight))))


if __name__ == "__main__":
    main()
