"""The question who wrote an answer: its messages, the form of its reply, and how that is read.

Marks nothing and is never part of a pass's requests; it tells how blind the judge was.
"""

import re
from collections.abc import Sequence
from typing import Any

from judgebench import strict
from judgebench.judges import prompts
from judgebench.judges.envelope import READ
from judgebench.model.nouns import RawReply, Rendered
from judgebench.records import dataclass
from judgebench.text import one_line

FOLDER = "identify"
MOST_AUTHORS = 26
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class AuthorForm:
    """The reply asked for: the letter of one author."""

    letters: tuple[str, ...]
    name: str = "author"

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the reply; it has no bounds."""
        return {
            "type": "object",
            "properties": {"author": {"type": "string", "enum": list(self.letters)}},
            "required": ["author"],
            "additionalProperties": False,
        }

    @property
    def plain_schema(self) -> dict[str, Any]:
        """The same."""
        return self.schema


def letters(count: int) -> tuple[str, ...]:
    """Letters of so many authors.

    Raises:
        ValueError: There are more than letters.
    """
    if count > MOST_AUTHORS:
        raise ValueError(f"at most {MOST_AUTHORS} authors, got {count}")
    return tuple(chr(ord("A") + at) for at in range(count))


def build(
    form: AuthorForm, *, prompt: str, answer: str, authors: Sequence[str], frame: str, key: str
) -> Rendered:
    """Build the messages of one question.

    Args:
        form: Its letters are those of `authors`, in their order.
        prompt: Of the item; empty where it is not known.
        answer: The text as the judge saw it.
        authors: What each possible author is called.
        frame: The unguessable word of this request's frames.
        key: The request's key, taken over and not shown.

    Raises:
        ValueError: A text holds the frame's word.
    """
    if not frame or any(frame in text for text in (prompt, answer)):
        raise ValueError("the frame's word must not stand in a framed text")
    system = prompts.template(FOLDER, "system").render()
    user = prompts.template(FOLDER, "user").render(
        frame=frame,
        prompt=prompt,
        answer=answer,
        authors=[
            {"letter": letter, "text": one_line(text, 160)}
            for letter, text in zip(form.letters, authors, strict=True)
        ],
    )
    return prompts.rendered(form, key=key, system=system, user=user)


def read_author(raw: RawReply, form: AuthorForm) -> str | None:
    """The letter that a reply names; None where it names none, or not exactly one."""
    try:
        body = strict.loads_keys(raw.body, READ)
        message = body["choices"][0]["message"]
        calls = message.get("tool_calls") or []
        text = calls[0]["function"]["arguments"] if calls else message["content"]
        fenced = _FENCE.match(text)
        found = strict.loads(fenced[1] if fenced else text)
    except (strict.StrictFault, KeyError, IndexError, TypeError, AttributeError):
        return None
    if len(calls) > 1 or not isinstance(found, dict) or set(found) != {"author"}:
        return None
    return found["author"] if found["author"] in form.letters else None
