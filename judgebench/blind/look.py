"""Decide at each listed name whether it names an author here, or is a plain word."""

import re
from collections.abc import Iterator
from functools import cached_property

from judgebench.blind import rules, spelling
from judgebench.blind.fold import Folded
from judgebench.blind.introductions import Other, introduces
from judgebench.blind.lexicon import VARIANTS, Lexicon
from judgebench.blind.names import Name, Weight
from judgebench.blind.signing import heads, signs
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A hit in folded places, with the words that an item's prompt may spare."""

    kind: str
    start: int
    end: int
    word: str


Region = tuple[int, int, str]
_DIGIT = re.compile(r"\d")
_DOTTED = re.compile(r"\d[.p]\d|\d{1,4}[bm]\b")
_VARIANT = re.compile(rf"(?<![a-z])(?:{VARIANTS})(?![a-z])")
# English words among the variants: after a blank they need a capital to be a variant.
_SPACED_VARIANT = re.compile(r"^ (?:[A-Z]\w*)")
_O_SERIES = re.compile(
    r"(?<![a-z0-9])o[1345](?:-(?:mini|pro|preview|high|low|deep)(?![a-z])[\w.-]*|"
    r" (?:mini|preview)(?![a-z]))"
)
_PATH_LEFT = re.compile(r"[\w.~-][/\\]$|^[/\\]$")
_OPENS = re.compile(r"(?:^|[\n.!?,:;>(\"'#*_/-])\s*$")
_WINDOW = 60
_LINE_WINDOW = 120
_HOST = re.compile(r"\.(?:(?:google|microsoft)\.)?(?:com|ai|dev|cn|chat)(?![a-z])")
_DIVISION = re.compile(r" (?:cloud|web services)(?!\w)")
_PATH_RIGHT = re.compile(r"[/\\][\w.~-]")
_OUTPUT_FOLDER = re.compile(
    r"(?:runs?|outputs?|arms?|results?|answers?|models?|agents?)[/\\](?:[\w.-]{1,40}[/\\])?$"
)


class Look:
    """One careful look at one text; what it needs twice is made once."""

    def __init__(self, lexicon: Lexicon, text: str, folded: Folded) -> None:
        self.lexicon, self.original, self.folded = lexicon, text, folded
        self.text = folded.text

    @cached_property
    def _openings(self) -> dict[int, str]:
        return rules.openings(self.text)

    @cached_property
    def _regions(self) -> list[Region]:
        return rules.keyed_regions(self.text)

    def found(self) -> Iterator[Found]:
        """Every hit, overlapping ones included."""
        plain = [("name", self.lexicon.inside), ("slug", _O_SERIES)]
        if self.lexicon.own is not None:
            plain.append(("own-name", self.lexicon.own))
        if "/" in self.text or any(sign in self.text for sign in rules.AGENT_FILE_SIGNS):
            plain.append(("path", rules.AGENT_FILES))
        for kind, pattern in plain:
            for match in pattern.finditer(self.text):
                yield self._hit(kind, match.start(), match.end())
        yield from self._listed()
        if not self.text.isascii():
            for match in self.lexicon.other.finditer(self.text):
                if hit := self._named(match, None):
                    yield hit

    def _listed(self) -> Iterator[Found]:
        at = 0
        for match in self.lexicon.named.finditer(self.text):
            while at < len(self._regions) and self._regions[at][1] <= match.start():
                at += 1
            region = self._regions[at] if at < len(self._regions) else None
            if region is not None and region[0] > match.start():
                region = None
            if hit := self._named(match, region):
                yield hit

    def _hit(self, kind: str, start: int, end: int) -> Found:
        return Found(kind=kind, start=start, end=end, word=self.text[start:end])

    def _named(self, match: re.Match[str], keyed: Region | None) -> Found | None:
        """What a listed name is at this place, or None where it is a plain word."""
        name = self.lexicon.entry(match["name"])
        tail = match["tail"]
        kind = self._by_context(name, match.start(), match.end(), keyed=keyed, bare=not tail)
        whole = self._whole(match)
        if kind is None and self._introduces(name, match.start(), whole):
            return self._hit("self-name", match.start(), whole)
        if kind is None and tail:
            # "I am Claude 3 times": a tail of plain words does not hide the context.
            kind = self._by_context(name, match.start(), match.end("name"), keyed=None, bare=True)
        if kind is None and self._is_slug(name, match):
            kind = "slug"
        if kind is None and self._is_place(name, match):
            kind = "path"
        if kind is None and name.weight is Weight.ANYWHERE:
            kind = None if self._is_plain(name, match) else "name"
        if kind is None and name.weight is Weight.CONTEXT and self._is_code(match):
            kind = "code"
        if kind is None:
            kind = self._by_spelling(name, match)
        return None if kind is None else self._hit(kind, match.start(), match.end())

    def _by_spelling(self, name: Name, match: re.Match[str]) -> str | None:
        """What spelling, number or neighbours make of a name that nothing else settled."""
        start, end = match.start(), match.end("name")
        written = self._written(start, end)
        if written in name.spellings:
            opens = spelling.SENTENCE_START.search(self.text, max(0, start - _WINDOW), start)
            return None if " " in written and opens else "name"
        if spelling.is_disguised(name, written):
            return "disguised"
        if spelling.is_number(name, match["tail"], self.text, match.end()):
            return "slug"
        table = self.lexicon.table
        if any(spelling.has_kin(table, name, self.text, start, at) for at in (end, match.end())):
            return "name"
        return None

    def _whole(self, match: re.Match[str]) -> int:
        """Where a name ends, with the division of a vendor that is written as one."""
        division = _DIVISION.match(self.text, match.end())
        if division is None or not self._written(match.end() + 1, match.end() + 2).isupper():
            return match.end()
        return division.end()

    def _introduces(self, name: Name, start: int, end: int) -> bool:
        """Whether the sentence around a name, written as one, presents the writer."""
        if not self._written(start, start + 1).isupper() or self._is_surname(end):
            return False
        return introduces(
            self.text,
            start,
            end,
            likely=name.weight is not Weight.RARELY,
            certain=name.spoken,
            name_at=self._other,
        )

    def _other(self, at: int) -> Other | None:
        """The listed name at a place."""
        match = self.lexicon.named.match(self.text, at)
        if match is None:
            return None
        weight = self.lexicon.entry(match["name"]).weight
        return Other(end=match.end(), likely=weight is not Weight.RARELY)

    def _written(self, start: int, end: int) -> str:
        first, last = self.folded.back(start, end)
        return self.original[first:last]

    def _is_plain(self, name: Name, match: re.Match[str]) -> bool:
        """Whether what surrounds a name that counts anywhere makes it ordinary words."""
        if rules.NOT_A_MODEL.match(self.text, match.end()):
            return True
        if not name.apart:
            return False
        before = self.text[max(0, match.start() - _WINDOW) : match.start()]
        return spelling.is_plain_pair(name, self._written(match.start(), match.end("name")), before)

    def _by_context(
        self, name: Name, start: int, end: int, *, keyed: Region | None, bare: bool
    ) -> str | None:
        if bare and self._is_surname(end):
            return None
        goes_on = rules.GOES_ON.match(self.text, end) is not None or not bare
        kind = self._by_opening(self._openings.get(start, ""), start, end, goes_on=goes_on)
        joined = self.text[end : end + 1] in {"-", "/", "_"}
        if kind is None and keyed is not None and (goes_on or joined):
            kind = keyed[2]
        if kind is None and heads(self.text, start, end):
            kind = "trailer"
        if kind is None and self._speaks(name, start, end):
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

    def _speaks(self, name: Name, start: int, end: int) -> bool:
        """Whether a name opens a sentence with "… here", or heads or signs the text."""
        before = self.text[max(0, start - _WINDOW) : start]
        if rules.SPEAKS.match(self.text, end) and _OPENS.search(before):
            return True
        return signs(
            self.text,
            start,
            end,
            likely=name.weight is not Weight.RARELY,
            certain=name.spoken,
        )

    def _has_speaker(self, start: int, end: int) -> bool:
        """Whether the line around a place speaks of its writer or of an assistant."""
        left = max(self.text.rfind("\n", 0, start), start - _LINE_WINDOW) + 1
        right = self.text.find("\n", end, end + _WINDOW)
        right = min(len(self.text), end + _WINDOW) if right < 0 else right
        return rules.SPEAKER.search(self.text, max(0, left), right) is not None

    def _is_surname(self, end: int) -> bool:
        """Whether a capital word follows, as in a person's name."""
        if self.text[end : end + 1] != " ":
            return False
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
            fraction = tail[1:3] == "0."
            return (not fraction and bool(_DOTTED.search(tail))) or (
                capital and name.weight is not Weight.RARELY and bool(_VARIANT.search(tail))
            )
        if name.weight is Weight.RARELY:
            return bool(_DOTTED.search(tail) or _VARIANT.search(tail)) and tail[0] in "-:"
        if tail[0] in "./" and not _DIGIT.search(tail):
            return False
        return tail[0] != "." or bool(_DOTTED.search(tail))

    def _is_place(self, name: Name, match: re.Match[str]) -> bool:
        """Whether the name is a folder, a host or a product token with its version."""
        before, after = self.text[max(0, match.start() - 2) : match.start()], match.end()
        if _HOST.match(self.text, after) or _HOST.match(self.text, match.end("name")):
            return name.weight is not Weight.RARELY
        if name.weight is Weight.RARELY:
            line = self.text[max(0, match.start() - _WINDOW) : match.start()]
            return _OUTPUT_FOLDER.search(line) is not None
        if _PATH_LEFT.search(before):
            return True
        return _PATH_RIGHT.match(self.text, after) is not None and not before[-1:].isalnum()

    def _is_code(self, match: re.Match[str]) -> bool:
        """Whether the name is called, as a client's class is."""
        return self.text[match.end() : match.end() + 1] == "("
