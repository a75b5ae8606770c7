"""The only door to the prompt templates: allow-listed values become a request's two messages.

What is shown to a judge is the rubric, the item's prompt, evidence and reference,
and the answers' texts; nothing else has a parameter here. Values are put in
once and never evaluated: braces of a judged text reach the judge as braces.
The system message depends on rubric and criteria only and is built once; the
user message holds each text in a frame of its own.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judgebench.judges.reply import MOST_QUOTES, ReplyForm, protocol_sha256
from judgebench.judges.wire import Form
from judgebench.model.collected import Item
from judgebench.model.nouns import Mode, Rendered
from judgebench.model.rubric import Rubric, Scale
from judgebench.text import digest, one_line, sha256_text

if TYPE_CHECKING:
    from jinja2 import Environment, Template

_TEMPLATES = Path(__file__).parent / "templates"
_PARTS = ("system", "user")
NAME_LIMIT = 80
OTHER = "other"
"""Source of a quote that stands in the answer that this one is compared with."""


@cache
def _env() -> "Environment":
    # Imported here: a start with nothing left to ask renders nothing.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415

    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - reports escape, prompts must not
        keep_trailing_newline=True,
    )


@cache
def template(folder: str, part: str) -> "Template":
    """One of the templates of a folder."""
    return _env().get_template(f"{folder}/{part}.md.j2")


@cache
def prompt_version(mode: Mode) -> str:
    """What a judge is told, as 16 hexadecimal digits: both templates and the reply's shape."""
    return digest({"templates": sources_of(mode.value), "reply": protocol_sha256(mode)})[:16]


def sources_of(folder: str) -> dict[str, str]:
    """Hash of each template of a folder, as it stands in its file."""
    return {part: source_sha256(folder, part) for part in _PARTS}


def source_sha256(folder: str, part: str) -> str:
    """Hash of one template, as it stands in its file."""
    source = (_TEMPLATES / folder / f"{part}.md.j2").read_text(encoding="utf-8")
    return hashlib.sha256(source.encode()).hexdigest()


def points(value: float) -> str:
    """Write a mark as people do: 4, not 4.0."""
    return f"{value:g}"


def scale_words(scale: Scale) -> str:
    """Say in words which marks a scale has."""
    span = f"from {points(scale.low)} to {points(scale.high)}"
    if scale.step == 1 and float(scale.low).is_integer():
        return f"a whole number {span}"
    return f"a number {span} in steps of {points(scale.step)}"


@lru_cache(maxsize=256)
def _system(mode: Mode, rubric: "_Shown", criteria: tuple[str, ...]) -> tuple[str, str]:
    """The system message and its hash; `rubric` hashes by what is shown of it."""
    chosen = [rubric.rubric.criterion(name) for name in criteria]
    text = template(mode.value, "system").render(
        most=max(MOST_QUOTES, *(c.quotes for c in chosen)),
        intro=rubric.rubric.intro.strip(),
        marks=scale_words(rubric.rubric.scale),
        criteria=[
            {
                "id": c.id,
                "text": c.text.strip(),
                "quotes": c.quotes or "none needed",
                "anchors": [
                    {"mark": points(a.mark), "text": " ".join(a.text.split())}
                    for a in sorted(c.anchors, key=lambda anchor: anchor.mark)
                ],
            }
            for c in chosen
        ],
    )
    return text, sha256_text(text)


class _Shown:
    """A rubric that is equal to another where the same would be shown."""

    __slots__ = ("_key", "rubric")

    def __init__(self, rubric: Rubric) -> None:
        self.rubric = rubric
        self._key = (rubric.intro, rubric.scale, rubric.criteria)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shown) and self._key == other._key


def build(
    form: ReplyForm,
    rubric: Rubric,
    item: Item,
    parts: Sequence[tuple[str, str]],
    *,
    frame: str,
    criteria: tuple[str, ...],
    key: str = "",
) -> Rendered:
    """Build the messages of one request.

    Args:
        form: The reply that is asked for; its labels are those of `parts`.
        rubric: Intro, scale and criteria are shown.
        item: Prompt, evidence and reference are shown.
        parts: Label and text of each answer, in the order in which they are shown.
        frame: The unguessable word of this request's frames.
        criteria: Ids of the criteria that apply to the item.
        key: The request's key, taken over and not shown.

    Raises:
        ValueError: A text holds the frame's word, or the labels are not the form's.
    """
    if form.criteria != criteria or sorted(form.labels) != sorted(label for label, _ in parts):
        raise ValueError(f"the form asks for {form.labels} × {form.criteria}")
    values = shown(item, parts, frame=frame)
    system, system_sha256 = _system(form.mode, _Shown(rubric), criteria)
    user = template(form.mode.value, "user").render(**values, criteria=criteria)
    return rendered(
        form,
        key=key,
        system=system,
        user=user,
        sha256=said_sha256(system_sha256, user, form.schema_sha256),
    )


def said_sha256(system_sha256: str, user: str, schema_sha256: str) -> str:
    """Hash of what a request says and asks; its first and last part are hashed once a pass."""
    return sha256_text(f"{system_sha256}\n{sha256_text(user)}\n{schema_sha256}")


def rendered(form: Form, *, key: str, system: str, user: str, sha256: str = "") -> Rendered:
    """The request as it goes out.

    Args:
        form: The reply that is asked for.
        key: The request's key.
        system: Its first message.
        user: Its second.
        sha256: What `said_sha256` gives, where parts of it are known; made here where empty.
    """
    return Rendered(
        key=key,
        system=system,
        user=user,
        request_sha256=sha256 or said_sha256(sha256_text(system), user, digest(form.schema)),
    )


def shown(item: Item, parts: Sequence[tuple[str, str]], *, frame: str) -> dict[str, Any]:
    """What a user message shows of an item and its answers, each in a frame of its own.

    Raises:
        ValueError: A text holds the frame's word.
    """
    texts = [item.prompt, item.reference or "", *(text for _, text in parts)]
    texts += [piece.text for piece in item.evidence]
    if not frame or any(frame in text for text in texts):
        raise ValueError("the frame's word must not stand in a framed text")
    return {
        "frame": frame,
        "prompt": item.prompt,
        "evidence": [
            {"name": one_line(piece.name, NAME_LIMIT), "text": piece.text}
            for piece in item.evidence
        ],
        "reference": item.reference,
        "answers": [{"label": label, "text": text} for label, text in parts],
    }


def sources(item: Item, answer: str, *, other: str | None = None) -> Mapping[str, str]:
    """The texts that a quote may come from, by the name that its source has from this answer.

    Args:
        item: Prompt, evidence and reference.
        answer: The answer in question.
        other: The answer that it is compared with; None where it stands alone.
    """
    found = {"answer": answer, "prompt": item.prompt}
    if other is not None:
        found[OTHER] = other
    if item.evidence:
        found["evidence"] = "\n\n".join(piece.text for piece in item.evidence)
    if item.reference is not None:
        found["reference"] = item.reference
    return found
