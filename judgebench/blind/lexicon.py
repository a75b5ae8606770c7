"""The names that one scanner looks for, compiled: the maintained list and a run's own."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_lowercase

from judgebench.blind.names import Name, Weight, by_key, catalogue, pieces
from judgebench.blind.rules import AGENTS

VARIANTS = (
    "mini|nano|micro|small|medium|large|xlarge|xl|ultra|pro|plus|max|turbo|flash|lite|light|fast|"
    "instant|thinking|think|reasoning|reasoner|preview|latest|experimental|exp|beta|chat|instruct|"
    "base|coder|code|codex|vision|vl|omni|audio|search|deep|research|sonnet|opus|haiku|scout|"
    "maverick|next|air|cli|agent|bot|sdk|oss|distill|high|low|swe|desktop|ai|tuned|hf|gguf|awq|"
    "gptq|fp8|int4|int8|it|online|live|api|premier|canvas|r|a"
)
# One step of a name's tail: a version, a size or a variant, joined or after one blank.
_STEP = (
    rf"(?:[-_.:/]|[^\S\n])?(?:(?:{VARIANTS})(?![a-z])|v?\d{{1,8}}(?:[.p]\d{{1,3}}){{0,3}}"
    rf"(?:[a-z]{{0,2}}(?![a-z])|(?=(?:{VARIANTS})(?![a-z])))|[a-z]\d{{1,3}}(?:\.\d)?(?![a-z0-9]))"
)
_TAIL = rf"(?:{_STEP}){{0,8}}(?:\[bot\])?"
_FIRST_WORD = re.compile(r"[a-z]{1,99}")
_MIN_BROKEN = 5
_MIN_SPELLED = 3
# Shorter ones are words when they are turned around (korg).
_MIN_MIRRORED = 6
# People break these with a hyphen as ordinary words.
_ORDINARY_BREAKS = frozenset({"copilot", "minimax", "moonshot", "opencode"})
# First words that stand in every other text: the whole name calls for a look instead.
_COMMON = frozenset({"chat", "code", "deep", "open", "x"})
# Written on to a name these make other words more often than variants.
_NOT_JOINED = frozenset({"r", "a", "it"})


def _alternation(texts: Iterable[str]) -> str:
    """One alternation of names, grouped by first letter, longest first."""
    groups: dict[str, list[str]] = {}
    for text in sorted(set(texts), key=lambda t: (-len(t), t)):
        parts = [re.escape(part) for part in re.split(r"[\s\-]+", text) if part]
        joined = r"(?:\s{1,3}|[\-_/.])?".join(parts)
        groups.setdefault(text[0], []).append(joined)
    return "|".join(f"(?={re.escape(first)})(?:{'|'.join(g)})" for first, g in groups.items())


def _joined_words(latin: Iterable[str], table: Mapping[str, Name]) -> Iterator[str]:
    """Names and what is written on to them without a sign between: ClaudeCode, KimiK2."""
    for text in latin:
        key = "".join(pieces(text))
        if "-" in text:
            yield key
        if not key.isalpha() or table[key].weight is Weight.RARELY:
            continue
        yield from (key + variant for variant in VARIANTS.split("|") if variant not in _NOT_JOINED)
        yield from (key + letter for letter in ascii_lowercase)


class Lexicon:
    """What to look for, in the forms that the looking needs.

    Args:
        names: The run's names that count wherever they stand as words.
        in_context: The run's names that are ordinary words too.
    """

    def __init__(self, names: Sequence[str], in_context: Sequence[str]) -> None:
        own = [text for text in (" ".join(pieces(name)) for name in names) if text]
        weak = [text for text in (" ".join(pieces(name)) for name in in_context) if text]
        self.table: dict[str, Name] = dict(by_key())
        for text in weak:
            key = text.replace(" ", "")
            self.table.setdefault(key, Name(text=key, family=None, weight=Weight.RARELY))
        self.own_keys = frozenset(text.replace(" ", "") for text in own)
        listed = [name.text for name in catalogue()] + weak
        latin = [text for text in listed if text.isascii()]
        other = [text for text in listed if not text.isascii()]
        inside = [name.text.replace("-", "") for name in catalogue() if name.inside]
        self.named = re.compile(
            rf"(?<![a-z0-9])(?P<name>{_alternation(latin)})(?P<tail>{_TAIL})(?![a-z0-9])"
        )
        self.other = re.compile(rf"(?P<name>{_alternation(other)})(?P<tail>{_TAIL})")
        self.inside = re.compile(rf"[a-z]{{0,30}}(?:{'|'.join(inside)})[a-z]{{0,30}}")
        self.own = re.compile(rf"(?<![^\W_])(?:{_alternation(own)})(?![^\W_])") if own else None
        words = [word for text in (*latin, *own) for word in _FIRST_WORD.findall(text)[:1]]
        words = [word for word in words if word not in _COMMON]
        words += _joined_words(latin, self.table)
        words += [agent + suffix for agent in AGENTS for suffix in ("", "rules", "ignore", "modes")]
        self._triggers = frozenset(word.encode() for word in words)
        # What the word search cannot see: parts of words, names that open with a digit.
        self._signs = (
            *inside,
            *(
                between.join(text.split("-"))
                for text in latin
                for between in " -."
                if text.split("-")[0] in _COMMON
            ),
            *("agents.md", "agent.md", ".github"),
            *(text.split(" ")[0] for text in own if not _FIRST_WORD.match(text)),
        )
        self._other_signs = tuple(other)
        self._spellable = self._keys(_MIN_SPELLED)
        self.joined = frozenset(self._keys(_MIN_BROKEN)) - _ORDINARY_BREAKS
        self._joined_words = frozenset(key.encode() for key in self.joined)
        self.mirrored = {
            key[::-1].encode(): key for key in self.joined if len(key) >= _MIN_MIRRORED
        }
        self.drawn = {key.replace("l", "i").encode(): key for key in self.joined if "l" in key[1:]}
        self._entries: dict[str, Name] = {}

    def _keys(self, shortest: int) -> tuple[str, ...]:
        listed = (key for key, name in self.table.items() if name.weight < Weight.RARELY)
        return tuple(
            key
            for key in (*listed, *self.own_keys)
            if len(key) >= shortest and key.isascii() and key.isalpha()
        )

    @property
    def spellable(self) -> tuple[str, ...]:
        """Keys that are looked for letter by letter."""
        return self._spellable

    def worth_a_look(self, plain: str, tokens: Sequence[bytes]) -> bool:
        """Whether a folded text, or one of its words, calls for the rules."""
        if not self._triggers.isdisjoint(tokens) or any(sign in plain for sign in self._signs):
            return True
        return not plain.isascii() and any(sign in plain for sign in self._other_signs)

    def maybe_broken(self, tokens: Sequence[bytes]) -> bool:
        """Whether words with their breaks closed hold a name."""
        return not self._joined_words.isdisjoint(tokens)

    def entry(self, written: str) -> Name:
        """The entry of a listed name as it stands in a folded text."""
        found = self._entries.get(written)
        if found is None:
            found = self._entries[written] = self.table["".join(pieces(written))]
        return found

    def knows(self, key: str) -> bool:
        """Whether these letters are a name of any weight."""
        return key in self.table or key in self.own_keys
