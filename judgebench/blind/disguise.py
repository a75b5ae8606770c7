"""Undo disguises: names spelled letter by letter, broken, in digits, encoded or in halves."""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping

from judgebench.blind import rules
from judgebench.blind.fold import Folded, fold
from judgebench.blind.lexicon import Lexicon
from judgebench.blind.look import Found, Look
from judgebench.blind.markup import bare
from judgebench.blind.names import pieces

_OTHER = bytes(code if chr(code).isalpha() else 32 for code in range(128)) + b" " * 128
_UNLEET = bytes(_OTHER[ord(chr(code).translate(rules.UNLEET) or " ")] for code in range(128))
_UNLEET += b" " * 128
_ALNUM = bytes(code if chr(code).isalnum() else 32 for code in range(128)) + b" " * 128
# Letters and signs of an encoded word: C a capital, c any other, a blank what ends it.
_CASES = bytes(
    67 if chr(code).isupper() else 99 if chr(code).isalnum() or chr(code) in "+/_-" else 32
    for code in range(128)
)
_CASES += b" " * 128
_BREAKS = b"-*.|~+_^"
_WORD = re.compile(r"[a-z]+")
_ONE = re.compile(rb"(?<=[a-z])1(?=[a-z])")
_LONG_WORD = re.compile(r"\S{8,}")
_MIN_NAME = 5
_BY_WORDS = frozenset({"self-name", "trailer", "user-agent"})
"""Kinds of hits that the words before a name make."""
_REACH = 40


class Tokens:
    """The words of a folded text, as bytes: cheap enough for every text."""

    def __init__(self, plain: str) -> None:
        self.data = data = plain.encode("ascii", "replace")
        self.words = data.translate(_OTHER).split()
        self.unbroken = data.translate(_UNLEET, _BREAKS).split()

    def has_a_one_in_a_word(self) -> bool:
        """Whether a digit 1 stands between letters, drawn like an l."""
        return _ONE.search(self.data) is not None

    def has_single_letters(self) -> bool:
        """Whether three letters, and three signs of a spelled word, stand alone in a row."""
        # Digits count as well: the letters between those of a hexadecimal word are not alone.
        return _alone(self.words) and _alone(self.data.translate(_ALNUM).split())


def _alone(words: list[bytes]) -> bool:
    try:
        return b"\1\1\1" in bytes(map(len, words))
    except ValueError:  # a word of more than 255 letters
        return True


def maybe_encoded(text: str) -> bool:
    """Whether a word has a capital beyond its first letter, or an equals sign stands anywhere."""
    if "=" in text:
        return True
    cases = text.encode("ascii", "replace").translate(_CASES)
    return b"cC" in cases or b"CC" in cases


def disguised(lexicon: Lexicon, text: str, folded: Folded, tokens: Tokens) -> Iterator[Found]:
    """Every name in a disguise that folding does not undo."""
    plain = folded.text
    yield from without_markup(lexicon, text, folded, tokens)
    if tokens.has_single_letters():
        yield from _spelled(lexicon, plain)
    if lexicon.maybe_broken(tokens.unbroken) or tokens.has_a_one_in_a_word():
        yield from _broken(lexicon, plain)
    if not lexicon.mirrored.keys().isdisjoint(tokens.words):
        yield from _whole_words(lexicon.mirrored, plain)
    if not lexicon.drawn.keys().isdisjoint(tokens.words):
        yield from _drawn(lexicon, text, folded)
    if maybe_encoded(text) and not all(word[1:].islower() for word in _LONG_WORD.findall(text)):
        yield from encoded(lexicon, text, folded)
    if any(sign in plain for sign in rules.HALVES_SIGNS):
        for match in rules.HALVES.finditer(plain):
            key = match.group(1) + match.group(2)
            if lexicon.knows(key):
                yield Found(kind="disguised", start=match.start(), end=match.end(), word=key)


def _whole_words(keys: Mapping[bytes, str], plain: str) -> Iterator[Found]:
    for match in _WORD.finditer(plain):
        key = keys.get(match.group().encode())
        if key is not None:
            yield Found(kind="disguised", start=match.start(), end=match.end(), word=key)


def _drawn(lexicon: Lexicon, text: str, folded: Folded) -> Iterator[Found]:
    """Names with a capital I among small letters, which is drawn as an l."""
    for found in _whole_words(lexicon.drawn, folded.text):
        first, last = folded.back(found.start, found.end)
        if "I" in text[first + 1 : last] and not text[first:last].isupper():
            yield found


def without_markup(lexicon: Lexicon, text: str, folded: Folded, tokens: Tokens) -> Iterator[Found]:
    """Every name that markup or character references inside its letters keep apart."""
    other = bare(folded.text, tokens.data)
    if other is None or not lexicon.worth_a_look(other.text, Tokens(other.text).words):
        return
    for found in Look(lexicon, text, other.folded(folded)).found():
        around = _REACH if found.kind in _BY_WORDS else 0
        if other.changed_in(found.start, found.end, around=around):
            start, end = other.back(found.start, found.end, folded.text)
            yield Found(kind=found.kind, start=start, end=end, word=found.word)


def _spelled(lexicon: Lexicon, plain: str) -> Iterator[Found]:
    for match in rules.SPELLED.finditer(plain):
        places = [i for i in range(match.start(), match.end()) if plain[i].isalnum()]
        joined = "".join(plain[i] for i in places)
        for key in lexicon.spellable:
            at = joined.find(key)
            if at < 0:
                continue
            last = at + len(key)
            while last < len(places) and plain[places[last]].isdigit():
                last += 1
            yield Found(kind="disguised", start=places[at], end=places[last - 1] + 1, word=key)


def _broken(lexicon: Lexicon, plain: str) -> Iterator[Found]:
    for match in rules.BROKEN.finditer(plain):
        chunk = match.group()
        readings = () if chunk.isalpha() else (chunk, chunk.replace("1", "l"))
        keys = (reading.translate(rules.UNLEET) for reading in readings)
        key = next((key for key in keys if key in lexicon.joined), None)
        if key is not None:
            yield Found(kind="disguised", start=match.start(), end=match.end(), word=key)


def encoded(lexicon: Lexicon, text: str, folded: Folded) -> Iterator[Found]:
    """Words that a name is encoded in."""
    for match in rules.ENCODED.finditer(text):
        inner = _decoded(match.group())
        if inner is None:
            continue
        bare = "".join(pieces(inner))
        named = len(bare) >= _MIN_NAME and lexicon.knows(bare)
        if named or any(Look(lexicon, inner, fold(inner)).found()):
            start, end = folded.forth(match.start(), match.end())
            yield Found(kind="disguised", start=start, end=end, word=match.group().lower())


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
