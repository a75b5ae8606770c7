"""A stand-in for an OpenAI-compatible endpoint: scripted replies, faults, files and batches.

Usage:  python -m tests.stub replies.json [--port 0] [--log requests.jsonl]
                    [--criteria clarity,completeness,tone] [--verdict-file v.json]
or, in a test:  with StubServer(plan) as stub: … stub.base_url … stub.log

It binds to 127.0.0.1 and prints its base URL on the first line of stdout. A plan
is ``{"rules": [{"when_body_has": text, "replies": [reply, …]}]}``: the first rule
whose text is in the request answers, its replies in order, the last one repeating; with
``"by_turn": true`` the reply is that of the turn which the conversation has come to.

Keys of a reply
    verdict      a valid verdict made from the request's own JSON schema: ``score`` (a
                 value given as it is, "hash": drawn from the judged text, or
                 {"rules": [[pattern, score], …]}: of the first pattern that is found in
                 the prompt, a line ``=====`` and the judged text), ``text``,
                 ``quotes`` ("real": words of the judged text), ``boolean``,
                 ``extra_fields``, ``drop_last_criterion``, ``repeat_first_criterion``;
                 of projects ``findings``: by criterion the lists ``present`` and ``absent``;
                 of two answers ``prefer``: "first", "second", "tie", or "worth BONUS NOISE
                 TIES": by what the texts say that they are worth (`_Texts.better`), or
                 {"rules": …, "bonus": 0}: by rules as of ``score``, with so much more
                 for the first place;
                 asked for differences in kind ``contrasts`` (`_Texts.contrasts`)
    channel      auto, tool, content, fenced, reasoning or none
    cut, finish_reason, usage, model, before, after, second_call_score, tool_name,
    message, top, content      changes to that reply
    tool_calls   in place of a verdict: a list of [name, arguments], the arguments as a
                 mapping or as a text that is given as it is; where the report alone is
                 offered, the verdict beside it is given, if there is one
    status, json, text, content_type, headers, echo_key      an answer given as it is
    fault        reset_after_request, short_body, hang, trickle, endless
    delay, seconds, every      times in seconds
    repeat       how often this reply is given before the next one's turn

``GET /stats`` gives counts; the log has one line a request. A raw asyncio protocol
and no framework: benchmarks use it too.
"""

import argparse
import asyncio
import hashlib
import json
import math
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

JSON = dict[str, Any]
# Never the Authorization header itself: `key_sha` is enough to compare it.
_SHOWN = (b"host", b"user-agent", b"accept", b"content-type", b"accept-encoding")
DEFAULT_PLAN: JSON = {"rules": [{"replies": [{"verdict": {"score": 4, "quotes": "real"}}]}]}
DEFAULT_USAGE = {"prompt_tokens": 900, "completion_tokens": 120, "total_tokens": 1020}

_SCORE_WORD = re.compile(r"score|rating|points|grade", re.IGNORECASE)
_LABEL_WORD = re.compile(r"criter|^id$|^name$|^key$", re.IGNORECASE)
_PROMPT = re.compile(r"<<<(\w+):prompt\n(.*?)\n\1:prompt>>>", re.DOTALL)
_FRAME = re.compile(r"<<<(\w+):answer(?::([^\n]*))?\n(.*?)\n\1:answer(?::[^\n]*)?>>>", re.DOTALL)
_SLOT = re.compile(r'"@@(QUOTE|SCORE|WIN|RULE):([^@]*)@@"')
_WORTH = re.compile(r"worth (-?\d+(?:\.\d+)?)")
_BUILT_KEPT = 512
_READERS: dict[bool, str] = {True: "content", False: "tool"}


# --- verdicts -------------------------------------------------------------------


class Builder:
    """Makes one valid instance of a JSON schema, with chosen scores and texts.

    What depends on the judged text is left as a slot, so that an instance is made
    once for a schema and filled for each request.
    """

    def __init__(self, schema: JSON, spec: JSON, criteria: list[str]) -> None:
        self.root, self.spec, self.criteria = schema, spec, criteria

    def build(self) -> Any:  # noqa: ANN401 - any JSON value
        """The instance."""
        return self._any(self.root, "", "")

    def _resolve(self, node: Any) -> Any:  # noqa: ANN401 - any JSON value
        while isinstance(node, dict) and "$ref" in node:
            target: Any = self.root
            for part in node["$ref"].lstrip("#/").split("/"):
                target = target[part]
            node = target
        return node

    def _any(self, node: Any, name: str, owner: str) -> Any:  # noqa: ANN401 - any JSON value
        node = self._resolve(node)
        for key in ("anyOf", "oneOf", "allOf"):
            if key in node:
                options = [self._resolve(option) for option in node[key]]
                solid = [option for option in options if option.get("type") != "null"]
                return self._any((solid or options)[0], name, owner)
        if "const" in node:
            return node["const"]
        if node.get("enum"):
            return self._pick(node["enum"], name)
        return self._typed(node, name, owner)

    def _typed(self, node: JSON, name: str, owner: str) -> Any:  # noqa: ANN401 - any JSON value
        kind = node.get("type")
        if isinstance(kind, list):
            kind = next((one for one in kind if one != "null"), "null")
        if kind == "object" or "properties" in node:
            return self._object(node, owner)
        if kind == "array":
            return self._array(node, name, owner)
        if kind in {"integer", "number"}:
            return self._number(node, name, owner)
        if kind == "boolean":
            return bool(self.spec.get("boolean", False))
        return None if kind == "null" else self.spec.get("text", "stub rationale")

    def _pick(self, values: list[Any], name: str) -> Any:  # noqa: ANN401 - any JSON value
        if "tie" in values:
            prefer = self.spec.get("prefer", "worth")
            if isinstance(prefer, dict):
                return "@@WIN:rules@@"
            places = {"first": 0, "second": 1, "tie": values.index("tie")}
            return values[places[prefer]] if prefer in places else f"@@WIN:{prefer}@@"
        wanted = self.spec.get("score")
        return wanted if _SCORE_WORD.search(name) and wanted in values else values[0]

    def _number(self, node: JSON, name: str, owner: str) -> Any:  # noqa: ANN401 - any JSON value
        low = node.get("minimum", node.get("exclusiveMinimum", 0))
        if _SCORE_WORD.search(name) and "score" in self.spec:
            if isinstance(self.spec["score"], dict) and "rules" in self.spec["score"]:
                return f"@@RULE:{owner}@@"
            if self.spec["score"] == "hash":
                return f"@@SCORE:{owner}:{low}:{node.get('maximum', 5)}@@"
            return self.spec["score"]
        return low if isinstance(low, int | float) and low > 1 else 1

    def _object(self, node: JSON, owner: str) -> JSON:
        props = node.get("properties", {})
        out = {key: self._any(value, key, _owner(owner, key)) for key, value in props.items()}
        if not props and isinstance(node.get("additionalProperties"), dict):
            out = {one: self._any(node["additionalProperties"], one, one) for one in self.criteria}
        for key, value in self.spec.get("extra_fields", {}).items():
            out.setdefault(key, value)
        if self.spec.get("drop_last_criterion"):
            named = [key for key in out if key in self.criteria]
            for key in named[-1:]:
                del out[key]
        return out

    def _array(self, node: JSON, name: str, owner: str) -> list[Any]:
        item = self._resolve(node.get("items", {}))
        if name == "quotes" and self.spec.get("quotes") == "real":
            sources = item.get("properties", {}).get("source", {}).get("enum", ["answer"])
            if sources[0] == "answer":
                return [{"text": f"@@QUOTE:{owner}@@", "source": "answer"}]
            return [{"text": f"@@QUOTE:{label}@@", "source": label} for label in sources[:2]]
        if "fault" in item.get("properties", {}):
            found = self.spec.get("findings", {}).get(owner.partition("/")[0], {})
            given: list[Any] = found.get(name, [])
            return given
        names, label = self._rows(item)
        if label is None:
            return [self._any(item, name, owner) for _ in range(max(1, node.get("minItems", 1)))]
        rows = [{**self._any(item, name, owner), label: one} for one in names]
        if self.spec.get("drop_last_criterion"):
            rows = rows[:-1]
        return rows + rows[:1] if self.spec.get("repeat_first_criterion") else rows

    def _rows(self, item: JSON) -> tuple[list[str], str | None]:
        label = None
        for key, raw in item.get("properties", {}).items():
            value = self._resolve(raw)
            if value.get("enum") and all(isinstance(one, str) for one in value["enum"]):
                return list(value["enum"]), key
            if _LABEL_WORD.search(key) and value.get("type") == "string":
                label = key
        return self.criteria, label


def _owner(owner: str, key: str) -> str:
    """Top-level key and the one below it: which answer, which criterion."""
    return f"{owner}/{key}" if owner and "/" not in owner else owner or key


def schema_of(request: JSON) -> tuple[JSON | None, str | None]:
    """The JSON schema that a request asks for, and the function's name if it is one."""
    tools = request.get("tools") or []
    if tools:
        # The report is offered last, behind what a judge may read with.
        function = tools[-1].get("function", {})
        return function.get("parameters"), function.get("name", "verdict")
    wanted = request.get("response_format") or {}
    if wanted.get("type") == "json_schema":
        return wanted.get("json_schema", {}).get("schema"), None
    return _schema_in_words(request), None


def _schema_in_words(request: JSON) -> JSON | None:
    """A schema that stands as the last line of a system message (plain JSON modes)."""
    for message in request.get("messages", ()):
        if message.get("role") == "system" and isinstance(message.get("content"), str):
            last = message["content"].rstrip().rsplit("\n", 1)[-1]
            if last.startswith("{"):
                found: JSON = json.loads(last)
                return found
    return None


class _Texts:
    """The judged texts of a request, read when a slot wants them."""

    def __init__(self, request: JSON, spec: JSON) -> None:
        self.spec = spec
        messages = request.get("messages") or [{}]
        content = messages[-1].get("content")
        text = content if isinstance(content, str) else json.dumps(content)
        self.by_label = {m[2] or "": m[3] for m in _FRAME.finditer(text)} or {"": text}
        prompt = _PROMPT.search(text)
        self.prompt = prompt[2] if prompt else ""

    def of(self, owner: str) -> str:
        """The text that a slot is about."""
        label = owner.partition("/")[0]
        return self.by_label.get(label) or next(iter(self.by_label.values()))

    def better(self, rule: str) -> str:
        """The label that wins, or a tie, as ``worth``, or ``worth BONUS NOISE TIES`` draws it.

        A logistic draw from the difference in worth, with a bonus for the first place;
        drawn from the two texts, so that the same request gives the same verdict.
        """
        numbers = [float(word) for word in rule.split()[1:]] + [0.0] * 3
        bonus, noise, ties = numbers[:3]
        (first, one), (second, other) = tuple(self.by_label.items())[:2]
        if rule == "rules":
            given = self.spec["prefer"]
            value, less = (
                self._ruled(f"{self.prompt}\n=====\n{text}", given["rules"])
                for text in (one, other)
            )
            value += given.get("bonus", 0)
            return "tie" if value == less else first if value > less else second
        drawn = hashlib.sha256(f"{one}\n{other}".encode("utf-8", "replace")).digest()
        share = (int.from_bytes(drawn[:6], "big") + 1) / (2**48 + 2)
        gap = _worth(one) - _worth(other) + bonus + noise * math.log(share / (1 - share))
        return "tie" if abs(gap) <= ties else first if gap > 0 else second

    def contrasts(self) -> list[JSON]:
        """Differences in kind, as ``contrasts`` of the plan draws them.

        Each is {"kind", "more": pattern} with what else is to be as it is given: texts in
        which the pattern is found stand on one side, the others on the other. Without a
        plan the longest text has more length. What has one side only is left out.
        """
        longest = max(self.by_label.values(), key=len)
        rules = self.spec.get("contrasts", [{"kind": "length", "more": re.escape(longest)}])
        made = []
        for rule in rules:
            sides = [
                {
                    "quotes": [
                        {"answer": label, "text": rule.get("quote") or _quote(text)}
                        for label, text in self.by_label.items()
                        if bool(re.search(rule["more"], text)) is has
                    ],
                    "trait": rule.get("traits", ["has more of it", "has less of it"])[not has],
                    "amount": rule.get("amounts", ["more", "less"])[not has],
                }
                for has in (True, False)
            ]
            if all(side["quotes"] for side in sides):
                made.append({"kind": rule["kind"], "sides": sides})
        return made

    def fill(self, match: re.Match[str]) -> str:
        """The JSON text for one slot."""
        kind, rest = match[1], json.loads(f'"{match[2]}"')
        if kind == "QUOTE":
            return json.dumps(_quote(self.of(rest)), ensure_ascii=False)
        if kind == "WIN":
            return json.dumps(self.better(rest))
        if kind == "RULE":
            shown = f"{self.prompt}\n=====\n{self.of(rest)}"
            return str(self._ruled(shown, self.spec["score"]["rules"]))
        owner, low, high = rest.rsplit(":", 2)
        drawn = hashlib.sha256(f"{owner}\n{self.of(owner)}".encode("utf-8", "replace")).digest()[0]
        return str(int(low) + drawn % (int(high) - int(low) + 1))

    def _ruled(self, shown: str, rules: list[tuple[str, int]]) -> int:
        """The score that rules give a text."""
        return next(score for pattern, score in rules if re.search(pattern, shown))


def _worth(text: str) -> float:
    """What a text says that it is worth; else something drawn from its words."""
    found = _WORTH.search(text)
    if found:
        return float(found[1])
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()[0] / 64


def _quote(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if len(line.strip()) >= 8]
    return lines[len(text) % len(lines)][:60].strip() if lines else text.strip()[:60]


# --- the script -----------------------------------------------------------------


@dataclass
class Script:
    """A plan with its state: whose turn it is, what was asked, how much at once."""

    plan: JSON
    criteria: list[str] = field(default_factory=lambda: ["clarity", "completeness", "tone"])
    verdict_file: str = ""
    log_file: str = ""
    keep_log: bool = True

    def __post_init__(self) -> None:
        """Lay out the turns."""
        self.rules: list[JSON] = self.plan["rules"]
        self.used = [0] * len(self.rules)
        self.turns = [
            [reply for reply in rule["replies"] for _ in range(reply.get("repeat", 1))]
            for rule in self.rules
        ]
        self.log: list[JSON] = []
        self.bodies: list[JSON] = []
        self.count = self.connections = self.in_flight = self.in_flight_max = 0
        self.complete = 0
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, JSON] = {}
        self._log_path = Path(self.log_file) if self.log_file else None
        self.open: set[_Connection] = set()
        self._built: dict[tuple[bytes, int], str] = {}

    def stats(self) -> JSON:
        """Counts so far."""
        return {
            "count": self.count,
            "complete": self.complete,
            "connections": self.connections,
            "in_flight": self.in_flight,
            "in_flight_max": self.in_flight_max,
        }

    def choose(self, text: str) -> tuple[int | None, int, JSON]:
        """The rule for a request text, which turn of it, and the reply."""
        for place, rule in enumerate(self.rules):
            marker = rule.get("when_body_has")
            if marker is None or marker in text:
                turns = self.turns[place]
                at = _turn_of(text) if rule.get("by_turn") else self.used[place]
                reply = turns[min(at, len(turns) - 1)]
                self.used[place] += 1
                return place, self.used[place], reply
        return None, 0, {"status": 404, "json": {"error": {"message": "no rule matches"}}}

    def write(self, row: JSON) -> None:
        """Keep one line of the log."""
        self.complete += bool(row["complete"])
        if self.keep_log:
            self.log.append(row)
        if self._log_path:
            with self._log_path.open("a", encoding="utf-8") as handle:
                handle.write(json.dumps(row) + "\n")

    def verdict(self, raw: bytes, request: JSON, spec: JSON) -> str:
        """The text of a verdict, as the request's schema wants it."""
        schema, _ = schema_of(request)
        if schema and "differences" in schema.get("properties", {}):
            return json.dumps({"differences": _Texts(request, spec).contrasts()})
        key = (_schema_slice(raw), id(spec))
        built = self._built.get(key)
        if built is None:
            built = self._instance(request, spec)
            if len(self._built) >= _BUILT_KEPT:
                self._built.clear()
            self._built[key] = built
        return _SLOT.sub(_Texts(request, spec).fill, built) if "@@" in built else built

    def _instance(self, request: JSON, spec: JSON) -> str:
        schema, _ = schema_of(request)
        if schema:
            value = Builder(schema, spec, self.criteria).build()
        elif self.verdict_file:
            value = json.loads(Path(self.verdict_file).read_text(encoding="utf-8"))
        else:
            value = {"score": spec.get("score", 3), "reason": spec.get("text", "stub rationale")}
        return json.dumps(value, ensure_ascii=spec.get("ascii", True))

    def completion(self, raw: bytes, request: JSON, reply: JSON) -> JSON:
        """The chat completion for a "verdict" reply, in the asked-for channel."""
        offered = len(request.get("tools") or []) > 1
        if "tool_calls" in reply and (offered or "verdict" not in reply):
            return self._envelope(request, reply, _calling(reply["tool_calls"]))
        spec = reply["verdict"]
        text = self.verdict(raw, request, spec)
        if "cut" in reply:
            text = text[: max(1, int(len(text) * reply["cut"]))]

        def marked(words: str) -> str:
            if "@@VERDICT_MAX@@" not in words:
                return words
            return words.replace("@@VERDICT_MAX@@", self._instance(request, {**spec, "score": 5}))

        before, after = marked(reply.get("before", "")), marked(reply.get("after", ""))
        _, tool = schema_of(request)
        channel = reply.get("channel", "auto")
        if channel == "auto":
            channel = _READERS[tool is None]
        message: JSON = {"role": "assistant", "content": None}
        if channel == "tool":
            calls = [before + text + after]
            if "second_call_score" in reply:
                second = {**spec, "score": reply["second_call_score"]}
                calls.append(self._instance(request, second))
            name = reply.get("tool_name", tool or "verdict")
            message["tool_calls"] = [
                {
                    "id": f"call_{place}",
                    "type": "function",
                    "function": {"name": name, "arguments": arguments},
                }
                for place, arguments in enumerate(calls)
            ]
        elif channel == "reasoning":
            message["content"] = reply.get("content")
            message["reasoning_content"] = message["reasoning"] = before + text + after
        else:
            inner = {"content": text, "fenced": f"```json\n{text}\n```", "none": ""}[channel]
            message["content"] = before + inner + after
        return self._envelope(request, reply, message)

    def _envelope(self, request: JSON, reply: JSON, message: JSON) -> JSON:
        message.update(reply.get("message", {}))
        finish = reply.get("finish_reason", "stop")
        return {
            "id": f"stub-{self.count}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": reply.get("model", request.get("model", "stub")),
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": reply.get("usage", DEFAULT_USAGE),
            **reply.get("top", {}),
        }

    # --- batches ---

    def run_batch(self, batch_id: str) -> None:
        """Answer every line of a batch's input; failures go to an error file."""
        batch = self.batches[batch_id]
        good: list[str] = []
        bad: list[str] = []
        for line in self.files[batch["input_file_id"]].splitlines():
            row = json.loads(line)
            raw = json.dumps(row["body"], ensure_ascii=False).encode()
            self.count += 1
            _, _, reply = self.choose(raw.decode())
            status = reply.get("status", 200)
            body = self.completion(raw, row["body"], reply) if "verdict" in reply else reply["json"]
            out = {
                "id": f"batch_req_{self.count}",
                "custom_id": row["custom_id"],
                "response": {"status_code": status, "request_id": "r", "body": body},
                "error": None,
            }
            (good if status == 200 else bad).append(json.dumps(out))
        # The order of a batch's replies is not the order of its requests.
        for name, lines in (("output_file_id", good[::-1]), ("error_file_id", bad)):
            if lines:
                batch[name] = f"file-{batch_id}-{name}"
                self.files[batch[name]] = ("\n".join(lines) + "\n").encode()
        batch["status"] = "completed"
        total = len(good) + len(bad)
        batch["request_counts"] = {"total": total, "completed": len(good), "failed": len(bad)}


def _turn_of(text: str) -> int:
    """How many turns of a conversation lie behind a request."""
    try:
        messages = json.loads(text)["messages"]
    except (ValueError, KeyError):
        return 0
    return sum(message.get("role") == "assistant" for message in messages)


def _calling(calls: list[Any]) -> JSON:
    """A message that calls tools."""
    listed = [
        {
            "id": f"call_{place}_{name}",
            "type": "function",
            "function": {
                "name": name,
                "arguments": given if isinstance(given, str) else json.dumps(given),
            },
        }
        for place, (name, given) in enumerate(calls)
    ]
    return {"role": "assistant", "content": None, "tool_calls": listed}


def _schema_slice(raw: bytes) -> bytes:
    """The part of a body from its schema on: equal schemas are built once.

    Inside a JSON text these marks cannot occur unescaped, so no message has them.
    """
    for mark in (b'"response_format":', b'"tools":'):
        at = raw.find(mark)
        if at >= 0:
            return raw[at:]
    return hashlib.sha256(raw).digest()


# --- the wire -------------------------------------------------------------------


class _Connection(asyncio.Protocol):
    """One keep-alive connection; requests on it are answered one after the other."""

    def __init__(self, script: Script, loop: asyncio.AbstractEventLoop) -> None:
        self.script, self.loop = script, loop
        self.buffer = b""
        self.open = False
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection."""
        self.transport, self.open = transport, True  # type: ignore[assignment]  # TCP gives one
        self.script.connections += 1
        self.script.open.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone; what was to be written is dropped."""
        del exc
        self.open = False
        self.script.open.discard(self)

    def data_received(self, data: bytes) -> None:
        """Collect bytes and answer each whole request."""
        self.buffer = self.buffer + data if self.buffer else data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end]
            lines = (line.partition(b":") for line in head.split(b"\r\n")[1:])
            names = {name.strip().lower(): value.strip() for name, _, value in lines}
            size = int(names.get(b"content-length", b"0"))
            if len(self.buffer) < end + 4 + size:
                return
            body = self.buffer[end + 4 : end + 4 + size]
            self.buffer = self.buffer[end + 4 + size :]
            method, path, _ = head.split(b"\r\n", 1)[0].decode().split(" ", 2)
            self._route(method, path, names, body)

    def _route(self, method: str, path: str, names: Mapping[bytes, bytes], body: bytes) -> None:
        if method == "POST" and path.endswith("/chat/completions"):
            self._judge(names, body)
        elif path.endswith("/stats"):
            self._send(200, json.dumps(self.script.stats()).encode())
        elif path.endswith("/models"):
            listed = {"object": "list", "data": [{"id": "stub", "object": "model"}]}
            self._send(200, json.dumps(listed).encode())
        else:
            self._send(*_files_and_batches(self.script, method, path, (names, body)))

    def _judge(self, names: Mapping[bytes, bytes], raw: bytes) -> None:
        script = self.script
        script.count += 1
        script.in_flight += 1
        script.in_flight_max = max(script.in_flight_max, script.in_flight)
        try:
            request = json.loads(raw)
        except ValueError:
            request = {}
        text = raw.decode("utf-8", "replace")
        # Markers are looked for in the texts, so escapes of the writer are undone first.
        if "\\u" in text:
            text = json.dumps(request, ensure_ascii=False)
        if script.keep_log:
            script.bodies.append(request)
        place, nth, reply = script.choose(text)
        authorization = names.get(b"authorization", b"")
        row = {
            "n": script.count,
            "rule": place,
            "nth_of_rule": nth,
            "in": time.time(),
            "body_sha": hashlib.sha256(raw).hexdigest()[:16],
            "key_sha": hashlib.sha256(authorization).hexdigest()[:12],
            "idempotency": names.get(b"idempotency-key", b"").decode() or None,
            "headers": {name.decode(): names[name].decode() for name in names if name in _SHOWN},
            "model": request.get("model"),
            "params": sorted(key for key in request if key != "messages"),
            "connection": id(self),
        }
        delay = reply.get("delay", 0)
        if delay:
            self.loop.call_later(delay, self._answer, (raw, request), reply, row, authorization)
        else:
            self._answer((raw, request), reply, row, authorization)

    def _answer(
        self, asked: tuple[bytes, JSON], reply: JSON, row: JSON, authorization: bytes
    ) -> None:
        fault = reply.get("fault")
        if fault:
            self._break(fault, reply, row)
            return
        kind = "application/json"
        if reply.get("echo_key"):
            key = authorization.decode().removeprefix("Bearer ")
            body = json.dumps(reply["json"]).replace("@@KEY@@", key).encode()
        elif "verdict" in reply or "tool_calls" in reply:
            body = json.dumps(self.script.completion(*asked, reply)).encode()
        elif "text" in reply:
            body, kind = reply["text"].encode(), reply.get("content_type", "text/html")
        else:
            body = json.dumps(reply.get("json", {})).encode()
        status = reply.get("status", 401 if reply.get("echo_key") else 200)
        done = self.open
        self._send(status, body, kind, reply.get("headers", {}))
        self._end(row, complete=done)

    def _end(self, row: JSON, *, complete: bool) -> None:
        self.script.in_flight -= 1
        row.update(out=time.time(), complete=complete)
        self.script.write(row)

    def _break(self, fault: str, reply: JSON, row: JSON) -> None:
        if fault == "reset_after_request":
            self.transport.abort()
            self._end(row, complete=False)
        elif fault == "short_body":
            self._raw(200, 100_000, b'{"id":"x","object":"chat.completion","choi')
            self.transport.close()
            self._end(row, complete=False)
        elif fault == "endless":
            self._raw(reply.get("status", 200), 10**9, b"")
            self._pour(row)
        else:
            if fault == "trickle":
                self._raw(200, 100_000, b"")
            left = int(reply.get("seconds", 600) / reply.get("every", 1.0))
            self._wait(fault, left, reply.get("every", 1.0), row)

    def _wait(self, fault: str, left: int, every: float, row: JSON) -> None:
        """Keep a call open, with a byte now and then or none, until the client gives up."""
        if left <= 0 or not self.open:
            self.transport.close()
            self._end(row, complete=False)
            return
        if fault == "trickle":
            self.transport.write(b" ")
        self.loop.call_later(every, self._wait, fault, left - 1, every, row)

    def _pour(self, row: JSON) -> None:
        """Send more than anybody wants to read."""
        if not self.open:
            self._end(row, complete=False)
            return
        if self.transport.get_write_buffer_size() < 1_000_000:
            self.transport.write(b" " * 500_000)
        self.loop.call_later(0.001, self._pour, row)

    def _raw(self, status: int, length: int, body: bytes) -> None:
        head = f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n"
        self.transport.write(f"{head}content-length: {length}\r\n\r\n".encode() + body)

    def _send(
        self,
        status: int,
        body: bytes,
        kind: str = "application/json",
        headers: Mapping[str, Any] | None = None,
    ) -> None:
        more = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
        head = (
            f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\n"
            f"content-length: {len(body)}\r\n{more}\r\n"
        )
        if self.open:
            self.transport.write(head.encode() + body)


def _files_and_batches(
    script: Script, method: str, path: str, sent: tuple[Mapping[bytes, bytes], bytes]
) -> tuple[int, bytes]:
    parts = path.strip("/").split("/")
    if method == "POST" and parts[-1] == "files":
        file_id = f"file-{len(script.files)}"
        script.files[file_id] = _uploaded(*sent)
        return 200, json.dumps(_file_facts(script, file_id)).encode()
    if method == "POST" and parts[-1] == "batches":
        return 200, json.dumps(_new_batch(script, json.loads(sent[1]))).encode()
    if parts[-1] == "content" and parts[-2] in script.files:
        return 200, script.files[parts[-2]]
    if parts[-1] in script.batches:
        batch = script.batches[parts[-1]]
        batch["polls"] -= 1
        if batch["polls"] <= 0 and batch["status"] == "in_progress":
            script.run_batch(parts[-1])
        return 200, json.dumps(batch).encode()
    return 404, b'{"error": {"message": "no such path"}}'


def _uploaded(names: Mapping[bytes, bytes], body: bytes) -> bytes:
    """The one file of a multipart body."""
    boundary = b"--" + names[b"content-type"].split(b"boundary=")[1].strip(b'"')
    for part in body.split(boundary):
        head, _, content = part.partition(b"\r\n\r\n")
        if b"filename=" in head:
            return content.removesuffix(b"\r\n")
    return b""


def _file_facts(script: Script, file_id: str) -> JSON:
    return {
        "id": file_id,
        "object": "file",
        "bytes": len(script.files[file_id]),
        "created_at": int(time.time()),
        "filename": "batch.jsonl",
        "purpose": "batch",
        "status": "processed",
    }


def _new_batch(script: Script, asked: JSON) -> JSON:
    batch_id = f"batch-{len(script.batches)}"
    script.batches[batch_id] = {
        "id": batch_id,
        "object": "batch",
        "created_at": int(time.time()),
        "status": "in_progress",
        "polls": script.plan.get("polls", 2),
        **asked,
        **script.plan.get("batch", {}),
    }
    return script.batches[batch_id]


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop  # noqa: PLC0415 - only if it is there
    except ImportError:
        return asyncio.new_event_loop()
    made: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    return made


class StubServer:
    """The stub in a thread of this process; use it as a context manager.

    Args:
        plan: As in the module's docstring; every request is marked 4 without one.
        criteria: Names used where a schema lists rows instead of properties.
    """

    def __init__(self, plan: JSON | None = None, *, criteria: str = "") -> None:
        self.script = Script(plan or DEFAULT_PLAN)
        if criteria:
            self.script.criteria = criteria.split(",")
        self.loop = _new_loop()
        self.base_url = ""
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._ready = threading.Event()
        self._server: asyncio.Server

    @property
    def log(self) -> list[JSON]:
        """One entry a request, in the order in which they ended."""
        return self.script.log

    @property
    def bodies(self) -> list[JSON]:
        """The requests as they came, in that order."""
        return self.script.bodies

    @property
    def in_flight_max(self) -> int:
        """The most requests that were open at once."""
        return self.script.in_flight_max

    def _serve(self) -> None:
        asyncio.set_event_loop(self.loop)
        self._server = self.loop.run_until_complete(start(self.script, 0))
        port = self._server.sockets[0].getsockname()[1]
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self._ready.set()
        self.loop.run_forever()
        self._server.close()
        for connection in tuple(self.script.open):
            connection.transport.abort()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()

    def __enter__(self) -> Self:
        """Start to serve."""
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop, and close what is open."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(10)


async def start(script: Script, port: int) -> asyncio.Server:
    """Begin to serve a script on the loopback interface."""
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: _Connection(script, loop), "127.0.0.1", port)


def main(argv: list[str] | None = None, *, until: Callable[[], None] | None = None) -> None:
    """Serve a replies file until the process is stopped."""
    parser = argparse.ArgumentParser()
    parser.add_argument("replies")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log", default="")
    parser.add_argument("--criteria", default="clarity,completeness,tone")
    parser.add_argument("--verdict-file", default="")
    args = parser.parse_args(argv)
    script = Script(
        json.loads(Path(args.replies).read_text(encoding="utf-8")),
        criteria=[one for one in args.criteria.split(",") if one],
        verdict_file=args.verdict_file,
        log_file=args.log,
        keep_log=False,
    )
    loop = _new_loop()
    server = loop.run_until_complete(start(script, args.port))
    sys.stdout.write(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1\n")
    sys.stdout.flush()
    try:
        (until or loop.run_forever)()
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
