"""Recorded replies: no call, no key, and never another judge under this one's name.

A recording is a batch output file ``NAME.jsonl``, which other tools can read, and
beside it ``NAME.json``: who answered, when, to which words, and under which settings.
A replay takes seed and settings from there, so that its requests have the same keys;
a reply counts only for a request with the same words. What is not recorded stays open.
"""

import dataclasses
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from judgebench.errors import ImportFileError, RecordingError
from judgebench.judges import wire
from judgebench.judges.transports import batch
from judgebench.judges.transports.batch import BatchReplies
from judgebench.model.controls import Planted
from judgebench.model.nouns import Blinding, Judge, Mode, RawReply
from judgebench.text import one_line

_ASKED = {"marks": "marks", "contrasts": "differences in kind"}
_HEADER_MOST_BYTES = 256 * 1024 * 1024


class RecordingHeader(BaseModel):
    """What stands beside recorded replies."""

    model_config = ConfigDict(extra="forbid")

    format: Literal[1] = 1
    asked: Literal["marks", "contrasts"] = "marks"
    """What was asked for: marks, or differences in kind, of which no rubric was shown."""
    judge: str
    """The judge's name as the user gave it."""
    model: str
    """The model's name as it was sent."""
    provider: str = ""
    judge_sha256: str
    conditions: str = ""
    """How the replies came about, in words for the reader of a table."""
    recorded_at: str
    run: str
    pass_id: str = ""
    rubric: str = ""
    rubric_version: str = ""
    ask_sha256: str
    prompt_version: str
    mode: Mode
    repeats: int = Field(ge=1, le=100)
    noise: bool = False
    """Some cells were judged once more, for repeatability only."""
    noisy: tuple[tuple[str, str], ...] | None = None
    """Which ones, as item and arm: an extended pass has those that it drew first. None: by rule."""
    controls: int = Field(default=0, ge=0)
    """Planted controls of the pass."""
    planted: tuple[Planted, ...] = ()
    """Which ones: a pass that was extended has those that it was begun with."""
    seed: int = Field(ge=0, lt=2**48)
    blinding: Blinding = Blinding.MASK
    split_criteria: bool = False
    tools: bool = False
    """The judge read with tools: requests and replies are turns, from the second one on KEY.N."""
    wire_mode: Literal["json_schema", "tools", "json", "md_json"]
    wire_schema: Literal["full", "plain"] = "full"
    params: dict[str, Any] = Field(default_factory=dict)
    """Parameters really sent."""
    requests: dict[str, str]
    """Hash of the words asked, by request key."""

    @property
    def settled(self) -> wire.Settled:
        """How the requests went out."""
        return wire.Settled(mode=self.wire_mode, params=self.params, schema=self.wire_schema)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Recording:
    """Recorded replies with their header."""

    path: Path
    header: RecordingHeader
    replies: BatchReplies

    def judge(self) -> Judge:
        """The judge that answered; it is asked nothing."""
        return Judge(
            name=self.header.judge,
            model=self.header.model,
            provider=self.header.provider,
            wire_mode=self.header.wire_mode,
            params=self.header.params,
            max_calls=1,
            sha256=self.header.judge_sha256,
        )

    def check(self, *, prompt_version: str, ask_sha256: str, asked: str = "marks") -> None:
        """Refuse a recording of other questions, other prompts or another rubric.

        Raises:
            RecordingError: Names both versions.
        """
        if self.header.asked != asked:
            command = {"marks": "judge score", "contrasts": "judge compare"}
            raise RecordingError(
                self.path,
                f"holds no {_ASKED[asked]} but {_ASKED[self.header.asked]}",
                f"{command[self.header.asked]} reads it",
            )
        if self.header.ask_sha256 != ask_sha256:
            rubric = one_line(f"{self.header.rubric} {self.header.rubric_version}".strip(), 80)
            raise RecordingError(
                self.path,
                f"was recorded under another rubric ({rubric or 'unnamed'}, "
                f"{self.header.ask_sha256[:12]}; asked now: {ask_sha256[:12]})",
                "give that one with --rubric, or name a live judge",
            )
        if self.header.prompt_version != prompt_version:
            raise self.stale(prompt_version)

    def stale(self, prompt_version: str) -> RecordingError:
        """The error for a recording that answers other words."""
        return RecordingError(
            self.path,
            f"is stale: of prompt version {one_line(self.header.prompt_version, 40)}, "
            f"now it is {prompt_version}",
            "record again, or name a live judge",
        )


def header_path(path: Path) -> Path:
    """Where the header of a recording stands."""
    return path.with_suffix(".json")


def load(path: Path) -> Recording:
    """Open a recording.

    Raises:
        RecordingError: Header or replies are missing, damaged, or do not belong together.
    """
    if path == header_path(path):
        raise RecordingError(
            path,
            "is the header of a recording",
            f"name {path.with_suffix('.jsonl').name} beside it",
        )
    header = _header(header_path(path))
    try:
        replies = batch.read_replies([path], known=header.requests.keys())
    except ImportFileError as exc:
        raise RecordingError(path, str(exc).partition(": ")[2], "record it again") from None
    for what, keys in (
        ("replies to unknown requests", replies.unknown),
        ("two replies to one request", replies.duplicates),
    ):
        if keys:
            raise RecordingError(
                path,
                f"holds {what} ({one_line(keys[0], 40)}, {len(keys)} in all)",
                f"it does not belong to {header_path(path).name}; record it again",
            )
    return Recording(path=path, header=header, replies=replies)


def _header(path: Path) -> RecordingHeader:
    try:
        if path.stat().st_size > _HEADER_MOST_BYTES:
            raise RecordingError(path, "is too large for a header", "record it again")
        return RecordingHeader.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise RecordingError(
            path, "is missing", "a recording is two files, NAME.jsonl and NAME.json"
        ) from None
    except OSError as exc:
        raise RecordingError(path, f"cannot be read ({exc.strerror})", "check it") from None
    except ValidationError as exc:
        first = exc.errors(include_url=False)[0]
        key = one_line(".".join(str(part) for part in first["loc"]), 80)
        raise RecordingError(
            path, one_line(first["msg"], 120), "record it again", key=key
        ) from None


def write(path: Path, header: RecordingHeader, replies: Iterable[RawReply]) -> int:
    """Write a recording: of each request the last stored reply, where one came at all.

    Returns:
        How many replies it holds.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = [
        one.with_name(f".{one.name}.{os.getpid()}.part") for one in (path, header_path(path))
    ]
    count = 0
    try:
        with temporary[0].open("wb") as handle:
            for raw in (one for one in replies if one.status is not None):
                handle.write(batch.reply_line(raw))
                count += 1
        temporary[1].write_text(header.model_dump_json(indent=1) + "\n", encoding="utf-8")
        temporary[0].replace(path)
        temporary[1].replace(header_path(path))
    finally:
        for one in temporary:
            one.unlink(missing_ok=True)
    return count


class ReplayTransport:
    """Gives recorded replies to the requests that they were given to.

    Args:
        recording: The replies.
        prompt_version: The version of the words that are asked now.
    """

    def __init__(self, recording: Recording, *, prompt_version: str) -> None:
        self._recording, self._version = recording, prompt_version

    def holds(self, key: str, request_sha256: str) -> bool:
        """Whether there is a reply to this request.

        Raises:
            RecordingError: There is one, to other words.
        """
        recorded = self._recording.header.requests.get(key)
        if recorded is None or key not in self._recording.replies:
            return False
        if recorded != request_sha256:
            raise self._recording.stale(self._version)
        return True

    async def send(self, body: dict[str, Any], *, key: str, attempt: int) -> RawReply:
        """The recorded reply; see `base.Transport.send`."""
        del body
        return self._recording.replies.raw(key, attempt=attempt)


class ImportedTransport:
    """Gives the replies of batch files to the requests that are waiting for them.

    Args:
        replies: Read from the files.
        request_sha256: Hash of the words that were asked, by request key, as exported.
    """

    def __init__(self, replies: BatchReplies, *, request_sha256: dict[str, str]) -> None:
        self._replies, self._asked = replies, request_sha256

    def holds(self, key: str, request_sha256: str) -> bool:
        """Whether there is a reply to this request.

        Raises:
            RecordingError: There is one, to other words than would be asked now.
        """
        if key not in self._replies:
            return False
        if self._asked.get(key, request_sha256) != request_sha256:
            raise RecordingError(
                self._replies.paths[0],
                "is stale: rubric, run or prompts have changed",
                "export the batch again",
            )
        return True

    async def send(self, body: dict[str, Any], *, key: str, attempt: int) -> RawReply:
        """The reply; see `base.Transport.send`."""
        del body
        return self._replies.raw(key, attempt=attempt)
