"""From a rendered request to the JSON body that an endpoint is sent.

What an endpoint takes is found out once a pass (`settle`) and kept with it as
`Settled`: how the reply's form is asked for, which parameters are sent, and whether
the schema keeps its bounds. Bounds are checked after the reply in any case.
"""

import json
from dataclasses import field
from typing import Any, Literal, Protocol

from judgebench.model.nouns import Judge, Rendered
from judgebench.records import dataclass
from judgebench.text import canonical_json, sha256_text

WireMode = Literal["json_schema", "tools", "json", "md_json"]
LEFT_OUT = "omit"
"""Written as the value of a parameter in judges.toml, it is not sent at all."""
LIMITS = ("max_tokens", "max_completion_tokens")
"""Spellings of the judge's own budget, of which one is sent."""

_ASK_JSON = (
    "\n\nAnswer with one JSON object and nothing else: no words before or after it. "
    "It must match this JSON Schema:\n"
)
_ASK_FENCED = (
    "\n\nAnswer with one JSON object in a ```json fence and nothing else: no words before "
    "or after it. It must match this JSON Schema:\n"
)


class Form(Protocol):
    """What is needed of a `reply.ReplyForm`."""

    @property
    def name(self) -> str:
        """Name of the function or schema."""
        ...

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema with bounds."""
        ...

    @property
    def plain_schema(self) -> dict[str, Any]:
        """JSON Schema without bounds."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Settled:
    """What an endpoint takes, as found out with the first request of a pass."""

    mode: WireMode
    params: dict[str, Any] = field(default_factory=dict)
    """Beside model and messages, as they are sent."""
    schema: Literal["full", "plain"] = "full"

    def as_json(self) -> str:
        """One spelling, for the store."""
        return canonical_json({"mode": self.mode, "params": self.params, "schema": self.schema})

    @classmethod
    def from_json(cls, text: str) -> "Settled":
        """Read what `as_json` wrote."""
        return cls(**json.loads(text))


def first(judge: Judge) -> Settled:
    """What is tried first: a JSON schema with bounds, temperature 0, the judge's own budget."""
    limit = "max_completion_tokens" if judge.provider == "openai" else "max_tokens"
    params: dict[str, Any] = {limit: judge.max_tokens, "temperature": 0} | judge.params
    if any(judge.params.get(name) == LEFT_OUT for name in LIMITS):
        params |= dict.fromkeys(LIMITS, LEFT_OUT)
    return Settled(
        mode="json_schema" if judge.wire_mode == "auto" else judge.wire_mode,  # type: ignore[arg-type]  # checked where it is read
        params={name: value for name, value in params.items() if value != LEFT_OUT},
    )


def body(rendered: Rendered, form: Form, *, judge: Judge, settled: Settled) -> dict[str, Any]:
    """The request as it goes out."""
    schema = form.schema if settled.schema == "full" else form.plain_schema
    return {
        "model": judge.model,
        "messages": [
            {"role": "system", "content": rendered.system + system_suffix(form, settled)},
            {"role": "user", "content": rendered.user},
        ],
        **settled.params,
        **_form_fields(settled.mode, form.name, schema),
    }


def _form_fields(mode: WireMode, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    if mode == "json_schema":
        wanted = {"name": name, "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": wanted}}
    if mode == "tools":
        function = {"name": name, "parameters": schema}
        return {
            "tools": [{"type": "function", "function": function}],
            "tool_choice": {"type": "function", "function": {"name": name}},
        }
    return {"response_format": {"type": "json_object"}} if mode == "json" else {}


def system_suffix(form: Form, settled: Settled) -> str:
    """What is added to the system message where a mode cannot carry the schema itself."""
    if settled.mode not in {"json", "md_json"}:
        return ""
    schema = form.schema if settled.schema == "full" else form.plain_schema
    asked = _ASK_JSON if settled.mode == "json" else _ASK_FENCED
    return asked + json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def request_sha256(rendered: Rendered, form: Form, settled: Settled) -> str:
    """Hash of the words sent: the rendered request's, and the suffix where there is one."""
    suffix = system_suffix(form, settled)
    if not suffix:
        return rendered.request_sha256
    return sha256_text(f"{rendered.request_sha256}\n{sha256_text(suffix)}")


def system_sha256(rendered: Rendered, form: Form, settled: Settled) -> str:
    """Hash of the system message as it is sent, with what a mode adds to it."""
    return sha256_text(rendered.system + system_suffix(form, settled))
