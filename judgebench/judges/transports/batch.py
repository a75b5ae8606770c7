"""The same plan through files in the OpenAI batch format.

A request is one JSON line with ``custom_id`` (the request's key), ``method``, ``url``
and ``body``; a reply is one with ``custom_id`` and ``response`` or ``error``, in any
order, in as many files as there are. Whatever answered them (the batch endpoint, another
machine, a person with a chat window) is no business of this module. Files are read line
by line; only the places of lines are held.
"""

import json
import os
from collections.abc import (
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import field
from pathlib import Path
from typing import Any, Final

from judgebench.errors import ImportFileError
from judgebench.judges import wire
from judgebench.judges.transports.base import MAX_BODY_BYTES
from judgebench.model.nouns import Judge, RawReply, Rendered
from judgebench.records import dataclass
from judgebench.text import one_line

URL: Final = "/v1/chat/completions"
MOST_REQUESTS = 50_000
"""Requests in one file, as OpenAI's endpoint takes them."""
MOST_BYTES = 190_000_000
_OK = 200


# --- writing requests -----------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Exported:
    """Files of requests."""

    paths: tuple[Path, ...]
    request_sha256: Mapping[str, str]
    """Hash of what was asked, by request key."""


def export(
    plan: Iterable[tuple[Rendered, wire.Form]],
    path: Path,
    *,
    judge: Judge,
    settled: wire.Settled,
) -> Exported:
    """Write requests to `path`, and to ``NAME.2.jsonl`` … where one file does not take all.

    Either all files are there in the end, or none is new.
    """
    writer = _Parts(path)
    hashes: dict[str, str] = {}
    try:
        for rendered, form in plan:
            body = wire.body(rendered, form, judge=judge, settled=settled)
            row = {"custom_id": rendered.key, "method": "POST", "url": URL, "body": body}
            writer.add(_line(row))
            hashes[rendered.key] = wire.request_sha256(rendered, form, settled)
    except BaseException:
        writer.drop()
        raise
    return Exported(paths=writer.finish(), request_sha256=hashes)


def _line(row: Mapping[str, Any]) -> bytes:
    """One JSON line; half a surrogate in a text is escaped, not an error."""
    try:
        text = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        text = json.dumps(row, separators=(",", ":")).encode()
    return text + b"\n"


class _Parts:
    """Files under other names until all of them are whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files: list[tuple[Path, Path]] = []
        self._count = self._bytes = 0
        self._open()

    def _open(self) -> None:
        number = len(self._files) + 1
        name = self._path.name if number == 1 else f"{self._path.stem}.{number}{self._path.suffix}"
        final = self._path.with_name(name)
        temporary = final.with_name(f".{name}.{os.getpid()}.part")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._handle = temporary.open("wb")
        self._files.append((temporary, final))
        self._count = self._bytes = 0

    def add(self, line: bytes) -> None:
        if self._count >= MOST_REQUESTS or (self._count and self._bytes + len(line) > MOST_BYTES):
            self._handle.close()
            self._open()
        self._handle.write(line)
        self._count += 1
        self._bytes += len(line)

    def drop(self) -> None:
        self._handle.close()
        for temporary, _ in self._files:
            temporary.unlink(missing_ok=True)

    def finish(self) -> tuple[Path, ...]:
        self._handle.close()
        for temporary, final in self._files:
            temporary.replace(final)
        return tuple(final for _, final in self._files)


def reply_line(raw: RawReply) -> bytes:
    """One reply as a line of a batch's output file."""
    try:
        body: Any = json.loads(raw.body)
    except ValueError:
        body = raw.body
    response = {"status_code": raw.status, "request_id": "", "body": body}
    return _line({"id": "", "custom_id": raw.key, "response": response, "error": None})


# --- reading replies ------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class _Place:
    file: int
    offset: int
    size: int


@dataclass(frozen=True, kw_only=True)
class BatchReplies:
    """Replies in batch files, found by request key."""

    paths: tuple[Path, ...]
    places: Mapping[str, _Place] = field(repr=False)
    unknown: tuple[str, ...] = ()
    """Ids that no request has, in the order met."""
    duplicates: tuple[str, ...] = ()
    """Ids that came twice with different replies; the first good one stands."""
    failed: Mapping[str, str] = field(default_factory=dict)
    """Requests that got no reply (expired, cancelled), with the reason; they stay open."""

    def __contains__(self, key: str) -> bool:
        """Whether there is a reply to this request."""
        return key in self.places

    def __len__(self) -> int:
        """How many requests have a reply."""
        return len(self.places)

    def keys(self) -> Iterator[str]:
        """Keys of requests with a reply."""
        return iter(self.places)

    def raw(self, key: str, *, attempt: int = 1) -> RawReply:
        """The reply to one request, unread.

        Raises:
            KeyError: There is none.
        """
        place = self.places[key]
        with self.paths[place.file].open("rb") as handle:
            handle.seek(place.offset)
            row = json.loads(handle.read(place.size))
        response = row["response"]
        body = response.get("body")
        return RawReply(
            key=key,
            attempt=attempt,
            status=response["status_code"],
            body=body if isinstance(body, str) else json.dumps(body, ensure_ascii=False),
            outcome="received",
        )


def read_replies(paths: Sequence[Path], *, known: Collection[str] | None = None) -> BatchReplies:
    """Find the replies in output and error files, in whatever order they come.

    Args:
        paths: Output files, error files, both.
        known: Keys of the requests that were asked; None takes every id.

    Raises:
        ImportFileError: A file cannot be read, or a line is no reply.
    """
    reader = _Reader(known)
    for number, path in enumerate(paths):
        reader.read(number, path)
    return BatchReplies(
        paths=tuple(paths),
        places=reader.places,
        unknown=tuple(reader.unknown),
        duplicates=tuple(reader.duplicates),
        failed={key: why for key, why in reader.failed.items() if key not in reader.places},
    )


class _Reader:
    """Collects the places of replies."""

    def __init__(self, known: Collection[str] | None) -> None:
        self._known = known
        self._lines: dict[str, tuple[int, bool]] = {}
        self.places: dict[str, _Place] = {}
        self.failed: dict[str, str] = {}
        self.unknown: dict[str, None] = {}
        self.duplicates: dict[str, None] = {}

    def read(self, number: int, path: Path) -> None:
        try:
            with path.open("rb") as handle:
                offset = 0
                for at, line in enumerate(_lines(handle, path), start=1):
                    if line.strip():
                        row = _row(line, path, at)
                        self._take(row, _Place(file=number, offset=offset, size=len(line)), line)
                    offset += len(line)
        except OSError as exc:
            raise ImportFileError(
                path, f"cannot be read ({exc.strerror})", "check the path"
            ) from None

    def _take(self, row: dict[str, Any], place: _Place, line: bytes) -> None:
        key = row["custom_id"]
        if self._known is not None and key not in self._known:
            self.unknown[key] = None
            return
        response = row.get("response")
        if not response:
            self.failed[key] = _reason(row.get("error"))
            return
        good = response["status_code"] == _OK
        before = self._lines.get(key)
        if before is None or (good and not before[1]):
            self.places[key], self._lines[key] = place, (hash(line), good)
        elif before != (hash(line), good) and good:
            self.duplicates[key] = None


def _lines(handle: Any, path: Path) -> Iterator[bytes]:  # noqa: ANN401 - a binary file
    most = 2 * MAX_BODY_BYTES
    while line := handle.readline(most + 1):
        if len(line) > most:
            raise ImportFileError(path, f"has a line over {most >> 20} MiB", "is it a batch file?")
        yield line


def _row(line: bytes, path: Path, at: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise ImportFileError(
            path, "is no JSON", "give the output file of a batch, one reply a line", line=at
        ) from None
    if not isinstance(row, dict) or not isinstance(row.get("custom_id"), str):
        raise ImportFileError(
            path, "has no custom_id", "keep the custom_id of the exported request", line=at
        )
    response = row.get("response")
    if response is None:
        if "body" in row and "error" not in row:
            raise ImportFileError(
                path, "holds a request and no reply", "give the output file", line=at
            )
        return row
    status = response.get("status_code") if isinstance(response, dict) else None
    if type(status) is not int or "body" not in response:
        raise ImportFileError(
            path,
            "has a response without status_code and body",
            'write "response": {"status_code": 200, "body": {…}}',
            line=at,
            key="response",
        )
    return row


def _reason(error: Any) -> str:  # noqa: ANN401 - any JSON value
    words = error.get("message") or error.get("code") if isinstance(error, dict) else error
    return one_line(str(words or "no reply and no reason"))
