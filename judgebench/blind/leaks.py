"""Find what tells a judge who wrote a text.

A `Scanner` knows the maintained list and one run's own names. It first asks,
cheaply, whether a text holds any word worth a look; only then do the rules of
`judgebench.blind.rules` run. What stands in the item's own prompt or evidence
is spared, because a task may be about a vendor.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from judgebench.blind import rules
from judgebench.blind.disguise import Tokens, disguised
from judgebench.blind.fold import Folded, fold, words
from judgebench.blind.lexicon import Lexicon
from judgebench.blind.look import Found, Look
from judgebench.blind.names import Weight
from judgebench.blind.traces import traces
from judgebench.records import dataclass
from judgebench.text import one_line


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """One identity string in a text."""

    kind: str
    """``own-name``, ``name``, ``slug``, ``self-name``, ``trailer``, ``path``, ``user-agent``,
    ``code``, ``style-mark``, ``disguised`` or ``secret``."""
    start: int
    end: int
    shown: str
    """The words found, made safe for one line of a report; never sent to a judge."""


class Named(NamedTuple):
    """A known name in a folded text, as a word; it may be a plain word there."""

    start: int
    end: int
    weight: Weight
    """How much it says by itself."""


STYLE_MARK = "style-mark"
"""Kind of the marks of chat templates, which are never replaced."""


KEPT_BACK = "secret"
"""Kind of keys and passwords, which are replaced however a run is blinded."""


def names_of(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """The hits that name somebody: all but marks of chat templates and secrets."""
    return tuple(hit for hit in hits if hit.kind not in {STYLE_MARK, KEPT_BACK})


class Scanner:
    """Finds identity strings: the maintained list and one run's own names.

    Args:
        names: The run's names that count wherever they stand as words.
        in_context: The run's names that are ordinary words too.
    """

    def __init__(self, names: Sequence[str] = (), in_context: Sequence[str] = ()) -> None:
        self._lexicon = Lexicon(names, in_context)

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

    def words(self, folded: Folded) -> tuple[Named, ...]:
        """Every place of a folded text where a known name stands, whatever it means there."""
        plain, lexicon = folded.text, self._lexicon
        if not lexicon.worth_a_look(plain, Tokens(plain).words):
            return ()
        found = [
            Named(match.start(), match.end(), weight=lexicon.entry(match["name"]).weight)
            for match in lexicon.named.finditer(plain)
        ]
        patterns = [lexicon.inside, *([lexicon.own] if lexicon.own else [])]
        patterns += [] if plain.isascii() else [lexicon.other]
        found += [
            Named(match.start(), match.end(), weight=Weight.ANYWHERE)
            for pattern in patterns
            for match in pattern.finditer(plain)
        ]
        return tuple(sorted(found))

    def unspared(self, folded: Folded, found: Sequence[Named], *, spared: str) -> Iterator[Named]:
        """Those of `words` that the item's own texts do not hold.

        Args:
            folded: The text that they stand in.
            found: Places in it.
            spared: The item's own texts.
        """
        known = _spared_words(spared) if spared.strip() else ""
        return (one for one in found if words(folded.text[one.start : one.end]) not in known)

    def _all(self, text: str, folded: Folded) -> Iterator[Found]:
        plain = folded.text
        tokens = Tokens(plain)
        if self._lexicon.worth_a_look(plain, tokens.words):
            yield from Look(self._lexicon, text, folded).found()
        for match in traces(plain):
            start, end = match.span()
            yield Found(kind="user-agent", start=start, end=end, word=match.group())
        for match in rules.style_marks(plain):
            start, end = match.span()
            yield Found(kind=STYLE_MARK, start=start, end=end, word=match.group())
        yield from disguised(self._lexicon, text, folded, tokens)


@lru_cache(maxsize=8)
def _spared_words(spared: str) -> str:
    return words(spared)


def _is_spared(found: Found, known: str, spared: str) -> bool:
    """Whether the item's own texts hold these words, so that they say nothing."""
    if found.kind == "style-mark":
        return found.word in spared.lower()
    return words(found.word) in known


@lru_cache(maxsize=1024)
def shown(words_found: str) -> str:
    """Make what was found safe and short enough for a report."""
    return one_line(words_found, 80)


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
        Hit(kind=kind, start=start, end=end, shown=shown(text[start:end]))
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
        names: The run's own names, from `names.run_names`.
        in_context: Its ordinary words, from `names.run_names`.
        spared: The item's prompt and evidence, the rubric: their words say nothing.
    """
    return _scanner(tuple(names), tuple(in_context)).find(text, spared=spared)
