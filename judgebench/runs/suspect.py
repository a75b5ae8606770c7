"""Signs that an answer was cut off, where no finish reason says how it ended.

Suspicion never blocks: it is a flag that a person settles. Everything here is
a rule over one text and a few counts of its siblings on the same item.
"""

import json
import re

from judgebench.records import dataclass

FEW_SIGNS = 3
_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})", re.MULTILINE)
_PAIRS = {")": "(", "]": "[", "}": "{"}
_ENDS = frozenset(".!?…:;)]}>\"'`*_|”’»。！？）」』】-=~%$#/\\")
_SHORT_LINE = 40
_EMOTICON = re.compile(r"[:;=8][-o']?[(\[{]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Habit:
    """How one text ends, or how many of several texts do so."""

    texts: int = 0
    parses: int = 0
    """Texts that are JSON as a whole."""
    ends: int = 0
    """Texts whose last line has an end."""

    def __add__(self, other: "Habit") -> "Habit":
        """Count two together."""
        return Habit(
            texts=self.texts + other.texts,
            parses=self.parses + other.parses,
            ends=self.ends + other.ends,
        )

    def __sub__(self, other: "Habit") -> "Habit":
        """Take one out again."""
        return Habit(
            texts=max(0, self.texts - other.texts),
            parses=max(0, self.parses - other.parses),
            ends=max(0, self.ends - other.ends),
        )


NO_HABIT = Habit()
"""Of no answer."""


def habit(text: str) -> Habit:
    """How this text ends."""
    return Habit(texts=1, parses=int(_is_json(text)), ends=int(_has_end(text)))


def looks_cut(text: str, *, siblings: Habit) -> str | None:
    """The first sign that `text` was cut off, in words; None where there is none.

    Args:
        text: One answer.
        siblings: The other arms' answers to the same item.
    """
    body = text.rstrip()
    if not body:
        return None
    if len(_FENCE.findall(body)) % 2:
        return "a code fence is left open"
    if siblings.parses and _looks_like_json(body) and not _is_json(body):
        return "its JSON does not parse, while that of others does"
    if (json_like := _looks_like_json(body)) or body[-1] not in ".!?…。":
        bracket = _open_bracket(body if json_like else _last_paragraph(body), strict=json_like)
    else:
        bracket = None
    if bracket:
        return f"a bracket {bracket} is left open at its end"
    if siblings.texts and siblings.ends * 2 > siblings.texts and not _has_end(body):
        return "its last line has no end, while those of others have one"
    return None


def almost_nothing(text: str) -> bool:
    """Say whether fewer than three letters or digits stand in `text`."""
    signs = 0
    for ch in text:
        if ch.isalnum():
            signs += 1
            if signs >= FEW_SIGNS:
                return False
    return True


def _unfenced(text: str) -> str:
    body = text.strip()
    found = re.fullmatch(r"(?:```|~~~)[a-zA-Z]*\n(.*?)\n?(?:```|~~~)", body, re.DOTALL)
    return found.group(1) if found else body


def _looks_like_json(text: str) -> bool:
    return _unfenced(text).lstrip()[:1] in {"{", "["}


def _is_json(text: str) -> bool:
    if not _looks_like_json(text):
        return False
    try:
        json.loads(_unfenced(text))
    except (ValueError, RecursionError):
        return False
    return True


def _last_paragraph(text: str) -> str:
    """The last paragraph without the brackets of emoticons."""
    return _EMOTICON.sub("", re.split(r"\n\s*\n", text)[-1])


def _open_bracket(text: str, *, strict: bool) -> str | None:
    """The last bracket that is never closed; closing ones without partner are passed over.

    Args:
        text: The text to look through.
        strict: Kinds must agree; in prose ``[0, 1)`` is an interval and closes.
    """
    stack: list[str] = []
    for ch in text:
        if ch in "([{":
            stack.append(ch)
        elif ch in _PAIRS and stack and (not strict or stack[-1] == _PAIRS[ch]):
            stack.pop()
    return stack[-1] if stack else None


def _has_end(text: str) -> bool:
    """Whether the last line has an end; short lines, headings and lists need none."""
    last = text.rstrip().rsplit("\n", 1)[-1].strip()
    if not last:
        return False
    listed = re.match(r"([-*+•#>|]|\d+[.)])\s?", last) is not None
    return last[-1] in _ENDS or not last[-1].isalnum() or (listed and len(last) < _SHORT_LINE)
