"""The server behind the page: on the loopback address, for whoever knows the token.

Every request must carry the token in its path and this server's own name in its
Host header, so that neither another user of the machine nor a page from elsewhere
(by whatever name it resolves to this address) reads or writes anything.
"""

import json
import secrets
import threading
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol, Self
from urllib.parse import parse_qs, urlencode, urlsplit

from judgebench.errors import JudgebenchError
from judgebench.model.labelling import LabelProgress, Packet, Said
from judgebench.records import dataclass
from judgebench.text import one_line
from judgebench.web import pages

ADDRESS = "127.0.0.1"
MOST_BYTES = 65_536
"""Of a request's body."""
IDLE_S = 30.0
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": pages.POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Desk(Protocol):
    """Where answers come from and marks go to; several threads ask it."""

    def people(self) -> tuple[str, ...]:
        """Everybody who marked something."""

    def rater(self, name: str) -> str | None:
        """A person's name as it is stored; None where it is none."""

    def packet(self, rater: str, number: int) -> Packet | None:
        """One answer of a person's order, counted from 1."""

    def first_open(self, rater: str, *, after: int = 0) -> int | None:
        """Number of an answer with an open question."""

    def progress(self, rater: str) -> LabelProgress:
        """How far one person is."""

    def save(self, rater: str, said: Said) -> LabelProgress | None:
        """Store what a person says; None where it fits no question."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Reply:
    """What goes back."""

    status: HTTPStatus
    kind: str = "text/plain; charset=utf-8"
    body: bytes = b""
    to: str | None = None


def _page(body: bytes) -> _Reply:
    return _Reply(status=HTTPStatus.OK, kind="text/html; charset=utf-8", body=body)


def _json(status: HTTPStatus, value: object) -> _Reply:
    return _Reply(status=status, kind="application/json", body=pages.as_json(value))


def _refused(status: HTTPStatus) -> _Reply:
    return _Reply(status=status, body=f"{status.phrase}\n".encode())


class LabelServer(ThreadingHTTPServer):
    """The pages of one desk.

    Args:
        desk: Where answers come from and marks go to.
        rater: The one person who marks; None asks for a name.
        title: Heads the pages.
        port: To listen on; 0 for any that is free.
    """

    daemon_threads = True

    def __init__(self, desk: Desk, *, rater: str | None, title: str, port: int = 0) -> None:
        super().__init__((ADDRESS, port), _Handler)
        self.desk, self.rater, self.title = desk, rater, title
        self.token = secrets.token_urlsafe(24)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.1,), daemon=True)

    @property
    def url(self) -> str:
        """Where the page is, with the token."""
        return f"http://{ADDRESS}:{self.server_port}/{self.token}/"

    @cached_property
    def hosts(self) -> frozenset[str]:
        """Names that a request may call this server by."""
        return frozenset(f"{name}:{self.server_port}" for name in (ADDRESS, "localhost"))

    def __enter__(self) -> Self:
        """Serve in a thread."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop listening; a mark that is being stored is stored."""
        self.shutdown()
        self._thread.join()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - of the base
        """Say nothing: a browser that hangs up is no fault of the user's."""


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: LabelServer
    server_version, sys_version = "judge", ""
    protocol_version = "HTTP/1.1"
    timeout = IDLE_S

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - of the base
        """Keep the token out of terminals and logs."""

    def do_GET(self) -> None:
        self._reply(self._found(self._get))

    def do_POST(self) -> None:
        # A body that is not read would be taken for the next request.
        self.close_connection = True
        self._reply(self._found(self._post))

    def _reply(self, reply: _Reply) -> None:
        self.send_response(reply.status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", reply.kind)
        self.send_header("Content-Length", str(len(reply.body)))
        if reply.to is not None:
            self.send_header("Location", reply.to)
        self.end_headers()
        self.wfile.write(reply.body)

    # ---- who may ask

    def _found(self, answer: Any) -> _Reply:  # noqa: ANN401 - a bound method
        if self.headers.get_all("Host", []) not in [[host] for host in self.server.hosts]:
            return _refused(HTTPStatus.MISDIRECTED_REQUEST)
        parts = urlsplit(self.path)
        _, token, *rest = (*parts.path.split("/"), "")
        if not secrets.compare_digest(token.encode(), self.server.token.encode()):
            return _refused(HTTPStatus.NOT_FOUND)
        asked = {name: found[0] for name, found in parse_qs(parts.query).items()}
        try:
            reply: _Reply = answer(rest[0], asked)
        except JudgebenchError as exc:
            return self._failed(str(exc))
        return reply

    def _failed(self, why: str) -> _Reply:
        if self.command == "POST":
            return _json(HTTPStatus.SERVICE_UNAVAILABLE, {"problem": one_line(why, 300)})
        body = pages.render("problem.html", base=self._base, title=self.server.title, problem=why)
        return _Reply(
            status=HTTPStatus.SERVICE_UNAVAILABLE, kind="text/html; charset=utf-8", body=body
        )

    @property
    def _base(self) -> str:
        return f"/{self.server.token}/"

    # ---- pages

    def _get(self, name: str, asked: dict[str, str]) -> _Reply:
        if (found := pages.asset(name)) is not None:
            return _Reply(status=HTTPStatus.OK, kind=found[0], body=found[1])
        if name not in {"", "answer", "next"}:
            return _refused(HTTPStatus.NOT_FOUND)
        rater = self._rater(asked)
        if rater is None:
            return self._who()
        number = _number(asked.get("n", ""))
        if name != "answer" or number is None:
            return self._first(rater, after=number or 0)
        return self._answer(rater, number)

    def _rater(self, asked: dict[str, str]) -> str | None:
        if self.server.rater is not None:
            return self.server.rater
        return self.server.desk.rater(asked.get("rater", ""))

    def _who(self) -> _Reply:
        return _page(
            pages.render(
                "who.html",
                base=self._base,
                title=self.server.title,
                people=[(one, self._to(one, None)) for one in self.server.desk.people()],
            )
        )

    def _to(self, rater: str, number: int | None, name: str = "answer") -> str:
        values = {"rater": rater} | ({} if number is None else {"n": str(number)})
        return f"{self._base}{name}?{urlencode(values)}"

    def _first(self, rater: str, *, after: int) -> _Reply:
        number = self.server.desk.first_open(rater, after=after)
        if number is None:
            progress = self.server.desk.progress(rater)
            return _page(
                pages.render(
                    "done.html", base=self._base, title=self.server.title, rater=rater,
                    progress=progress, first=self._to(rater, 1),
                )
            )  # fmt: skip
        return _Reply(status=HTTPStatus.SEE_OTHER, to=self._to(rater, number))

    def _answer(self, rater: str, number: int) -> _Reply:
        packet = self.server.desk.packet(rater, number)
        if packet is None:
            return self._first(rater, after=0)
        return _page(
            pages.render(
                "answer.html",
                base=self._base,
                title=self.server.title,
                rater=rater,
                packet=packet,
                progress=self.server.desk.progress(rater),
                keys=pages.mark_keys(packet.marks),
                before=self._to(rater, number - 1) if number > 1 else "",
                after=self._to(rater, number + 1) if number < packet.of else "",
                open=self._to(rater, number, "next"),
            )
        )

    # ---- marks

    def _post(self, name: str, asked: dict[str, str]) -> _Reply:
        origin = self.headers.get("Origin")
        if origin is not None and origin.removeprefix("http://") not in self.server.hosts:
            return _refused(HTTPStatus.FORBIDDEN)
        if name != "mark" or self.headers.get_content_type() != "application/json":
            return _refused(HTTPStatus.NOT_FOUND)
        rater, said = self._rater(asked), self._said()
        if rater is None or said is None:
            return _refused(HTTPStatus.BAD_REQUEST)
        progress = self.server.desk.save(rater, said)
        if progress is None:
            return _refused(HTTPStatus.BAD_REQUEST)
        return _json(
            HTTPStatus.OK, {"answers": progress.answers, "answers_all": progress.answers_all}
        )

    def _said(self) -> Said | None:
        length = _number(self.headers.get("Content-Length", ""))
        if length is None or length > MOST_BYTES:
            return None
        try:
            body = json.loads(self.rfile.read(length))
        except ValueError:
            return None
        return said_of(body)


def said_of(body: object) -> Said | None:
    """What a page sent, if it has the form of what a page sends."""
    names = ("item", "label", "criterion")
    if not isinstance(body, dict) or set(body) != {*names, "mark", "cannot_judge"}:
        return None
    mark, cannot = body["mark"], body["cannot_judge"]
    if not all(isinstance(body[name], str) for name in names) or not isinstance(cannot, bool):
        return None
    if mark is not None and (isinstance(mark, bool) or not isinstance(mark, int | float)):
        return None
    return Said(
        item=body["item"],
        label=body["label"],
        criterion=body["criterion"],
        mark=None if mark is None else float(mark),
        cannot_judge=cannot,
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else None  # noqa: PLR2004 - no page has more
