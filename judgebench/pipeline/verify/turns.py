"""The words of a conversation's last request, followed from its first one turn by turn."""

import json
from collections.abc import Iterable
from dataclasses import field

from judgebench.judges.converse import next_sha256
from judgebench.judges.toolbox import toolset_sha256
from judgebench.judges.toolcalls import talked
from judgebench.records import dataclass
from judgebench.store.store import Store
from judgebench.text import sha256_text


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredTalk:
    """The turns before one report."""

    first_text: str = field(repr=False)
    """The user message of the first request."""
    steps: tuple[tuple[str, str], ...] = field(repr=False)
    """Of each turn the reply, and what was sent in answer."""


def read_talks(store: Store, pass_id: str) -> dict[str, StoredTalk]:
    """The conversations of a pass by the keys of their requests."""
    found: dict[str, StoredTalk] = {}
    for key, _, first, body, got in store.stream("verify_turns", pass_id=pass_id):
        before = found[key].steps if key in found else ()
        found[key] = StoredTalk(first_text=first, steps=(*before, (body, got)))
    return found


def last_hashes(talk: StoredTalk, asked: Iterable[str], report: str) -> list[str]:
    """Hashes that the last request may have, for each hash of the first request by itself.

    Args:
        talk: The turns.
        asked: Hashes that the first request has without its tools.
        report: Name of the function that takes the report.
    """
    found = []
    for start in asked:
        sha256 = sha256_text(f"{start}\n{toolset_sha256()}")
        for body, got in talk.steps:
            sha256 = next_sha256(sha256, _said(body, report), got)
        found.append(sha256)
    return found


def _said(body: str, report: str) -> object:
    """The message of a stored reply as it was sent back; nothing where it cannot be read."""
    try:
        message = json.loads(body)["choices"][0]["message"]
    except (ValueError, LookupError, TypeError):
        return None
    return talked(message, report).said if isinstance(message, dict) else None
