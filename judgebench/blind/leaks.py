"""Find what tells a judge who wrote a text.

A `Scanner` knows the maintained list and one run's own names. It first asks,
cheaply, whether a text holds any word worth a look; only then do the rules of
`judgebench.blind.rules` run. What stands in the item's own prompt or evidence
is spared, because a task may be about a vendor.
"""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from judgebench.blind import rules
from judgebench.blind.fold import Folded, fold, words
from judgebench.blind.names import Name, Weight, by_key, catalogue, pieces
from judgebench.text import one_line


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """One identity string in a text."""

    kind: str
    """``own-name``, ``name``, ``slug``, ``self-name``, ``trailer``, ``path``, ``user-agent``,
    ``code``, ``style-mark`` or ``disguised``."""
    start: int
    end: int
    shown: str
    """The words found, made safe for one line of a report; never sent to a judge."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """A hit in folded places, with the word that an item's prompt may spare."""

    kind: str
    start: int
    end: int
    word: str


_VARIANTS = (
    "mini|nano|micro|small|medium|large|xlarge|xl|ultra|pro|plus|max|turbo|flash|lite|light|fast|"
    "instant|thinking|think|reasoning|reasoner|preview|latest|experimental|exp|beta|chat|instruct|"
    "base|coder|code|codex|vision|vl|omni|audio|search|deep|research|sonnet|opus|haiku|scout|"
    "maverick|next|air|cli|agent|bot|sdk|oss|distill|high|low|swe|desktop|ai|tuned|hf|gguf|awq|"
    "gptq|fp8|int4|int8|it|online|live|api|premier|canvas|r|a"
)
# One step of a name's tail: a version, a size or a variant, joined or after one blank.
_STEP = (
    rf"(?:[-_.:/]|[^\S\n])?(?:(?:{_VARIANTS})(?![a-z])|v?\d{{1,8}}(?:[.p]\d{{1,3}}){{0,3}}"
    r"[a-z]{0,2}(?![a-z])|[a-z]\d{1,3}(?:\.\d)?(?![a-z0-9]))"
)
_TAIL = rf"(?:{_STEP}){{0,8}}(?:\[bot\])?"
_WORDS = re.compile(r"[a-z]{1,99}")
_DIGIT = re.compile(r"\d")
_DOTTED = re.compile(r"\d[.p]\d|\d{1,4}[bm]\b")
_VARIANT = re.compile(rf"(?<![a-z])(?:{_VARIANTS})(?![a-z])")
# English words among the variants: after a blank they need a capital to be a variant.
_SPACED_VARIANT = re.compile(r"^ (?:[A-Z]\w*)")
_O_SERIES = re.compile(r"(?<![a-z0-9])o[1345]-(?:mini|pro|preview|high|low|deep)(?![a-z])[\w.-]*")
_PATH_LEFT = re.compile(r"[\w.~-][/\\]$|^[/\\]$")
_SIGNATURE = re.compile(r"(?:^|\n)[^\S\n]*(?:[-~*_]{1,3}[^\S\n]*)$")
_CLOSING = re.compile(
    r"(?:regards|wishes|cheers|sincerely|yours|truly|thanks|love|grusse[n]?|grussen|saludos|"
    r"cordialement|attentamente|abracos|groet|pozdrawiam)[,.!]?\s{0,3}\n\s{0,8}[-*_]{0,2}$"
)
_LINE_END = re.compile(r"[^\S\n]*[*_.]{0,2}[^\S\n]*(?:\n|$)")
_WINDOW = 60
_LINE_WINDOW = 120
_MIN_BROKEN = 5
# People break these with a hyphen as ordinary words.
_ORDINARY_BREAKS = {"copilot", "minimax", "deepseek", "moonshot"}
_SPELLED_SHORTEST = 3


def _alternation(texts: Iterable[str]) -> str:
    """One alternation of names, grouped by first letter, longest first."""
    groups: dict[str, list[str]] = {}
    for text in sorted(set(texts), key=lambda t: (-len(t), t)):
        parts = [re.escape(part) for part in re.split(r"[\s\-]+", text) if part]
        joined = r"[\s\-_/.]?".join(parts)
        groups.setdefault(text[0], []).append(joined)
    return "|".join(f"(?={re.escape(first)})(?:{'|'.join(g)})" for first, g in groups.items())


class Scanner:
    """Finds identity strings: the maintained list and one run's own names.

    Args:
        names: The run's names that count wherever they stand as words.
        in_context: The run's names that are ordinary words too.
    """

    def __init__(self, names: Sequence[str] = (), in_context: Sequence[str] = ()) -> None:
        own = [text for text in (" ".join(pieces(name)) for name in names) if text]
        self._table = dict(by_key())
        for text in in_context:
            key = "".join(pieces(text))
            self._table.setdefault(key, Name(text=key, family=None, weight=Weight.RARELY))
        self._own_keys = {text.replace(" ", "") for text in own}
        listed = [name.text for name in catalogue()] + [" ".join(pieces(n)) for n in in_context]
        latin = [text for text in listed if text.isascii()]
        other = [text for text in listed if not text.isascii()]
        first_words = [_WORDS.findall(text)[:1] for text in [*latin, *own]]
        self._triggers = frozenset(word for found in first_words for word in found)
        inside = [name.text.replace("-", "") for name in catalogue() if name.inside]
        self._inside = re.compile(rf"[a-z]{{0,30}}(?:{'|'.join(inside)})[a-z]{{0,30}}")
        # What the word search cannot see: parts of words, other scripts, names of digits.
        self._signs = (
            *inside,
            "agents.md",
            "agent.md",
            ".github",
            *(text.replace(" ", "")[:2] for text in own if not _WORDS.match(text)),
        )
        self._other_signs = tuple(other)
        self._named = re.compile(
            rf"(?<![a-z0-9])(?P<name>{_alternation(latin)})(?P<tail>{_TAIL})(?![a-z0-9])"
        )
        self._other = re.compile(rf"(?P<name>{_alternation(other)})(?P<tail>{_TAIL})")
        self._own = re.compile(rf"(?<![^\W_])(?:{_alternation(own)})(?![^\W_])") if own else None
        self._joined = frozenset(
            key
            for key, name in self._table.items()
            if name.weight < Weight.RARELY
            and len(key) >= _MIN_BROKEN
            and key not in _ORDINARY_BREAKS
        ) | {key for key in self._own_keys if len(key) > _MIN_BROKEN and key.isalpha()}

    def find(self, text: str, *, spared: str = "") -> tuple[Hit, ...]:
        """All identity strings of a text, in order, without overlaps.

        Args:
            text: What is looked at.
            spared: The item's own prompt and evidence: words that stand there are left alone.
        """
        folded = fold(text)
        found = list(self._all(text, folded))
        if not found:
            return ()
        if spared.strip():
            known = _spared_words(spared)
            found = [one for one in found if not _is_spared(one, known, spared)]
        hits = []
        for one in found:
            start, end = folded.back(one.start, one.end)
            hits.append((start, end, one.kind))
        return _merged(text, hits)

    def _all(self, text: str, folded: Folded) -> Iterator[_Found]:
        plain = folded.text
        tokens = _WORDS.findall(plain)
        if self._worth_a_look(plain, tokens):
            yield from _Look(self, text, folded).found()
        if any(sign in plain for sign in rules.STYLE_SIGNS):
            for match in rules.STYLE.finditer(plain):
                yield _Found(
                    kind="style-mark", start=match.start(), end=match.end(), word=match.group()
                )
        yield from self._disguised(text, folded, tokens)

    def _worth_a_look(self, plain: str, tokens: list[str]) -> bool:
        if not self._triggers.isdisjoint(tokens) or any(sign in plain for sign in self._signs):
            return True
        return not plain.isascii() and any(sign in plain for sign in self._other_signs)

    def _disguised(self, text: str, folded: Folded, tokens: list[str]) -> Iterator[_Found]:
        plain = folded.text
        if b"\1\1\1" in bytes(map(len, tokens)):
            yield from self._spelled(plain)
        if not self._joined.isdisjoint(_WORDS.findall(plain.translate(rules.UNLEET))):
            yield from self._broken(plain)
        yield from self._encoded(text, folded)
        if "ends with" in plain or "ending with" in plain or "ends in" in plain:
            for match in rules.HALVES.finditer(plain):
                key = match.group(1) + match.group(2)
                if key in self._table or key in self._own_keys:
                    yield _Found(kind="disguised", start=match.start(), end=match.end(), word=key)

    def _spelled(self, plain: str) -> Iterator[_Found]:
        """Names written letter by letter."""
        for match in rules.SPELLED.finditer(plain):
            places = [i for i in range(match.start(), match.end()) if plain[i].isalnum()]
            joined = "".join(plain[i] for i in places)
            for key in self._spellable:
                at = joined.find(key)
                if at >= 0:
                    last = at + len(key)
                    while last < len(places) and plain[places[last]].isdigit():
                        last += 1
                    start, end = places[at], places[last - 1] + 1
                    yield _Found(kind="disguised", start=start, end=end, word=key)

    @cached_property
    def _spellable(self) -> tuple[str, ...]:
        return tuple(
            key
            for key, name in self._table.items()
            if name.weight < Weight.RARELY and len(key) >= _SPELLED_SHORTEST and key.isascii()
        ) + tuple(key for key in self._own_keys if len(key) > _SPELLED_SHORTEST)

    def _broken(self, plain: str) -> Iterator[_Found]:
        """Names with signs between their letters, or digits for letters."""
        for match in rules.BROKEN.finditer(plain):
            chunk = match.group()
            if chunk.isalpha():
                continue
            for reading in (chunk, chunk.replace("1", "l")):
                key = reading.translate(rules.UNLEET)
                if key in self._joined:
                    yield _Found(kind="disguised", start=match.start(), end=match.end(), word=key)
                    break

    def _encoded(self, text: str, folded: Folded) -> Iterator[_Found]:
        """Base64 of a text that names somebody."""
        for match in rules.ENCODED.finditer(text):
            inner = _decoded(match.group())
            if inner is None:
                continue
            bare = "".join(pieces(inner))
            look = _Look(self, inner, fold(inner))
            if (bare in self._table and len(bare) >= _MIN_BROKEN) or any(look.found()):
                start, end = match.span()
                if folded.places is not None:
                    # Encoded text is ASCII, so each of its characters kept a place.
                    start = _place(folded.places, start)
                    end = _place(folded.places, end - 1) + 1
                yield _Found(kind="disguised", start=start, end=end, word=match.group().lower())


def _place(places: tuple[int, ...], wanted: int) -> int:
    """Where the character `wanted` of the text stands in the folded one."""
    low, high = 0, len(places) - 1
    while low < high:
        middle = (low + high) // 2
        if places[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def _decoded(code: str) -> str | None:
    """The text behind a base64 word, or None where there is none."""
    if not (_mixed(code) or code.endswith("=")):
        return None
    body = code.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        raw = base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
        inner = raw.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None
    return inner if inner.isprintable() or "\n" in inner else None


def _mixed(code: str) -> bool:
    """Whether a word has small and capital letters beyond a leading capital."""
    rest = code[1:]
    return rest != rest.lower() and rest != rest.upper()


class _Look:
    """One careful look at one text; what it needs twice is made once."""

    def __init__(self, scanner: Scanner, text: str, folded: Folded) -> None:
        self.scanner, self.original, self.folded = scanner, text, folded
        self.text = folded.text

    @cached_property
    def openings(self) -> dict[int, str]:
        return rules.openings(self.text)

    @cached_property
    def regions(self) -> list[tuple[int, int, str]]:
        return rules.keyed_regions(self.text)

    def found(self) -> Iterator[_Found]:
        """Every hit, overlapping ones included."""
        scanner = self.scanner
        if scanner._own is not None:
            for match in scanner._own.finditer(self.text):
                yield self._hit("own-name", match.start(), match.end())
        region = 0
        for match in scanner._named.finditer(self.text):
            while region < len(self.regions) and self.regions[region][1] <= match.start():
                region += 1
            keyed = self.regions[region] if region < len(self.regions) else None
            if keyed is not None and keyed[0] > match.start():
                keyed = None
            if hit := self._named(match, keyed):
                yield hit
        for match in scanner._inside.finditer(self.text):
            yield self._hit("name", match.start(), match.end())
        if not self.text.isascii():
            for match in scanner._other.finditer(self.text):
                if hit := self._named(match, None):
                    yield hit
        for match in _O_SERIES.finditer(self.text):
            yield self._hit("slug", match.start(), match.end())
        if any(sign in self.text for sign in rules.AGENT_FILE_SIGNS) or "/" in self.text:
            for match in rules.AGENT_FILES.finditer(self.text):
                yield self._hit("path", match.start(), match.end())

    def _hit(self, kind: str, start: int, end: int) -> _Found:
        return _Found(kind=kind, start=start, end=end, word=self.text[start:end])

    def _named(self, match: re.Match[str], keyed: tuple[int, int, str] | None) -> _Found | None:
        """What a listed name is at this place, or None where it is a plain word."""
        name = self.scanner._table["".join(pieces(match["name"]))]
        tail = match["tail"]
        kind = self._by_context(match.start(), match.end(), keyed, bare=not tail)
        if kind is None and tail:
            # "I am Claude 3 times": a tail of plain words does not hide the context.
            kind = self._by_context(match.start(), match.end("name"), None, bare=True)
        if kind is None and self._is_slug(name, match):
            kind = "slug"
        if kind is None and self._is_place(name, match):
            kind = "path"
        if kind is None and name.weight is Weight.ANYWHERE:
            kind = None if rules.NOT_A_MODEL.match(self.text, match.end()) else "name"
        if kind is None and name.weight is Weight.CONTEXT and self._is_code(match):
            kind = "code"
        return None if kind is None else self._hit(kind, match.start(), match.end())

    def _by_context(
        self, start: int, end: int, keyed: tuple[int, int, str] | None, *, bare: bool
    ) -> str | None:
        if bare and self._is_surname(end):
            return None
        goes_on = rules.GOES_ON.match(self.text, end) is not None or not bare
        kind = self._by_opening(self.openings.get(start, ""), start, end, goes_on=goes_on)
        if kind is None and keyed is not None and goes_on:
            kind = keyed[2]
        if kind is None and self._speaks(start, end):
            kind = "self-name"
        return kind

    def _by_opening(self, opening: str, start: int, end: int, *, goes_on: bool) -> str | None:
        if opening == "self" and goes_on:
            return "self-name"
        if opening == "credit" and goes_on:
            return "trailer"
        if opening == "role" and rules.FIRST_PERSON.match(self.text, end):
            return "self-name"
        if opening == "here" and rules.SPEAKS.match(self.text, end):
            return "self-name"
        made = opening == "made" or rules.MADE.match(self.text, end) is not None
        if made and self._has_speaker(start, end):
            return "self-name"
        return None

    def _speaks(self, start: int, end: int) -> bool:
        """Whether a name opens a sentence with "… here", or signs the text."""
        before = self.text[max(0, start - _WINDOW) : start]
        if rules.SPEAKS.match(self.text, end) and re.search(r"(?:^|[\n.!?,:;>(\"'-])\s*$", before):
            return True
        if not _LINE_END.match(self.text, end):
            return False
        return bool(_SIGNATURE.search(before) and before.strip(" \n")[-1:] in set("-~")) or bool(
            _CLOSING.search(before)
        )

    def _has_speaker(self, start: int, end: int) -> bool:
        """Whether the line around a place speaks of its writer or of an assistant."""
        left = max(self.text.rfind("\n", 0, start), start - _LINE_WINDOW) + 1
        right = self.text.find("\n", end, end + _WINDOW)
        right = min(len(self.text), end + _WINDOW) if right < 0 else right
        return rules.SPEAKER.search(self.text, max(0, left), right) is not None

    def _is_surname(self, end: int) -> bool:
        """Whether a capital word follows, as in a person's name."""
        at = self.folded.back(end - 1, end)[1]
        follows = rules.SURNAME.match(self.original, at) is not None
        return follows and rules.NOT_SURNAME.match(self.original, at) is None

    def _is_slug(self, name: Name, match: re.Match[str]) -> bool:
        """Whether version, size or variant make the name a model's."""
        tail = match["tail"]
        if not tail or (match["name"].startswith("o") and len(match["name"]) == 2):  # noqa: PLR2004
            return False
        if tail[0].isspace():
            at = self.folded.back(match.end("name") - 1, match.end("name"))[1]
            capital = _SPACED_VARIANT.match(self.original[at : at + 20]) is not None
            return bool(_DOTTED.search(tail)) or (
                capital and name.weight is not Weight.RARELY and bool(_VARIANT.search(tail))
            )
        if name.weight is Weight.RARELY:
            return bool(_DOTTED.search(tail) or _VARIANT.search(tail)) and tail[0] in "-_:"
        if tail[0] in "./" and not _DIGIT.search(tail):
            return False
        return tail[0] != "." or bool(_DOTTED.search(tail))

    def _is_place(self, name: Name, match: re.Match[str]) -> bool:
        """Whether the name is a folder, a host or a product token with its version."""
        before, after = self.text[max(0, match.start() - 2) : match.start()], match.end()
        if re.compile(r"\.(?:com|ai|dev|cn|chat)(?![a-z])").match(self.text, after):
            return name.weight is not Weight.RARELY
        if name.weight is Weight.RARELY:
            runs = re.search(
                r"(?:runs?|outputs?|arms?|results?|answers?|models?|agents?)[/\\](?:[\w.-]{1,40}[/\\])?$",
                self.text[max(0, match.start() - _WINDOW) : match.start()],
            )
            return runs is not None
        if _PATH_LEFT.search(before):
            return True
        return re.compile(r"[/\\][\w.~-]").match(self.text, after) is not None and (
            not before[-1:].isalnum()
        )

    def _is_code(self, match: re.Match[str]) -> bool:
        """Whether the name is called, as a client's class is."""
        return self.text[match.end() : match.end() + 1] == "("


@lru_cache(maxsize=8)
def _spared_words(spared: str) -> str:
    return words(spared)


def _is_spared(found: _Found, known: str, spared: str) -> bool:
    """Whether the item's own texts hold these words, so that they say nothing."""
    if found.kind == "style-mark":
        return found.word in spared.lower()
    return words(found.word) in known


def _merged(text: str, hits: list[tuple[int, int, str]]) -> tuple[Hit, ...]:
    """Hits in order, overlapping or touching ones made one; the widest names the kind."""
    out: list[tuple[int, int, str, int]] = []
    for start, end, kind in sorted(hits, key=lambda h: (h[0], h[0] - h[1], h[2] == "name")):
        if out and start <= out[-1][1]:
            first, last, old, width = out[-1]
            better = end - start > width
            out[-1] = (
                first,
                max(last, end),
                kind if better else old,
                max(width, end - start),
            )
        else:
            out.append((start, end, kind, end - start))
    return tuple(
        Hit(kind=kind, start=start, end=end, shown=one_line(text[start:end], 80))
        for start, end, kind, _ in out
    )


@lru_cache(maxsize=16)
def _scanner(names: tuple[str, ...], in_context: tuple[str, ...]) -> Scanner:
    return Scanner(names, in_context)


def scan(
    text: str, *, names: Sequence[str] = (), in_context: Sequence[str] = (), spared: str = ""
) -> tuple[Hit, ...]:
    """Look once more at a text as it would be sent: by the same rules.

    Args:
        text: The rendered request, or any text.
        names: The run's own names, from `names.identity_names`.
        in_context: Its ordinary words, from `names.run_names`.
        spared: The item's prompt and evidence, the rubric: their words say nothing.
    """
    return _scanner(tuple(names), tuple(in_context)).find(text, spared=spared)
