"""Decide by its spelling and its neighbours whether a listed name names an author.

A first name or plain word is written in plain letters. Where the same word is written
with letters of another script, full-width ones, invisible characters or markup between
its letters, somebody wanted it read and not found: that is a model's name.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from judgebench.blind.names import Name, Weight

# Zero-width characters; soft hyphens and variation selectors are ordinary typography.
_ZERO_WIDTH = frozenset("\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u180e")
_MARKUP = frozenset("*`~<&\\%{")
_BLACK = range(0x1F150, 0x1F18A)
# Letters of Latin alphabets that have no decomposition.
_LATIN = frozenset("ßøłđðħŧæœŋþıĸſƒØŁĐÐĦŦÆŒŊÞ")

# "GPT 4", "Kimi K2", "gpt 4o", after one blank and with the rest of a version.
_NUMBER = re.compile(r"\s[kmrvx]?\d{1,2}o?(?![\d.,:%°]\d|[\d%°])")
# What is counted or measured: the number before it is no version.
_UNIT = re.compile(
    r"[^\S\n]{0,4}(?:%|°|€|\$|£)|"
    r"[^\S\n]{1,4}(?:times|years?|months?|weeks?|days?|hours?|minutes?|mins?|seconds?|secs?|points?|"
    r"metres?|meters?|miles?|feet|foot|inch(?:es)?|cm|mm|km|m|kg|g|lbs?|[kmgt]i?b|partitions?|"
    r"entries|disks?|discs?|drives?|plys?|plies|players?|layers?|levels?|ans|mois|jours|heures|"
    r"fois|jahre?|monate?|tage?|stunden|mal|veces|anos|anni|volte|let|lat)(?!\w)"
)
SENTENCE_START = re.compile(r"(?:^|[\n.!?:>])[\s\"'*_(-]{0,8}$")
_ARTICLE = re.compile(
    r"(?<!\w)(?:an?|the|this|that|one|each|every|no|any|another|your|my|our|his|her|its|their)"
    r"[^\S\n]{1,4}$"
)
# "Google's Gemini", "Anthropic Claude", "Meta AI's Llama".
_KIN_BEFORE = re.compile(
    r"(?<![a-z0-9])([a-z]{2,20})(?:[^\S\n]ai)?(?:'s?)?[^\S\n]{1,2}(?:(?:by|from|von|de)[^\S\n]{1,2})?"
    r"[\"'*_`(]{0,2}$"
)
# "Gemini by Google", "Claude (Anthropic)".
_KIN_AFTER = re.compile(
    r"(?:'s)?[^\S\n]{1,2}[\"'*_`(]{0,2}(?:(?:by|from|von|de)[^\S\n]{1,2})?([a-z]{2,20})(?![a-z])"
)
# The same where an earlier look has masked the neighbour.
_MASKED = re.compile(r"▢(?:'s)?[*_`\"]{0,3}[^\S\n]{1,2}$")
_REACH = 30


def is_number(name: Name, tail: str, text: str, end: int) -> bool:
    """Whether a bare number after a blank is the version of this name."""
    return name.numbered and _NUMBER.match(tail) is not None and _UNIT.match(text, end) is None


def is_plain_pair(name: Name, written: str, before: str) -> bool:
    """Whether a name that is written apart is two ordinary words."""
    first, *rest = written.split()
    if not rest:
        return False
    opens = SENTENCE_START.search(before) is not None
    if name.apart == "~~":
        return opens or first[0].islower()
    return rest[-1].islower() and (opens or _ARTICLE.search(before) is not None)


def has_kin(table: Mapping[str, Name], name: Name, text: str, start: int, end: int) -> bool:
    """Whether a name of the same family stands beside it: a vendor's before its model's."""
    if name.family is None:
        return False
    if name.weight is Weight.CONTEXT and _MASKED.search(text, max(0, start - _REACH), start):
        return True
    before = _KIN_BEFORE.search(text, max(0, start - _REACH), start)
    after = _KIN_AFTER.match(text, end)
    return any(
        (kin := table.get(found[1])) is not None
        and kin.family == name.family
        and kin.text != name.text
        for found in (before, after)
        if found is not None
    )


def is_disguised(name: Name, written: str) -> bool:
    """Whether a name is written with other letters than its own, or with markup inside."""
    return name.weight is not Weight.RARELY and _other_letters(written)


@lru_cache(maxsize=512)
def _other_letters(written: str) -> bool:
    if written.isascii():
        return not _MARKUP.isdisjoint(written)
    # A stroke or dots through a letter; an accent makes one character with it.
    written = unicodedata.normalize("NFC", written)
    return any(not sign.isascii() and _is_other(sign) for sign in written)


def _is_other(sign: str) -> bool:
    """Whether a character is no letter of a Latin alphabet, but stands for one."""
    if sign in _ZERO_WIDTH:
        return True
    if sign in _LATIN:
        return False
    if unicodedata.combining(sign):
        return True
    if not sign.isalnum():
        # Letters in circles and boxes are signs to Unicode, black ones without a letter inside.
        return unicodedata.normalize("NFKD", sign).isalnum() or ord(sign) in _BLACK
    plain = unicodedata.normalize("NFD", sign)
    accented = plain[0].isascii() and all(unicodedata.combining(mark) for mark in plain[1:])
    return not accented
