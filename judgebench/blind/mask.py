"""Replace what names an author by one neutral mark, and keep the way back.

The mark is the same for every arm and every kind of hit, so that nothing about
what stood there is left but that something did. Masking what is masked changes
nothing, and every place of the masked text leads back to the delivered one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from judgebench.blind.leaks import KEPT_BACK, STYLE_MARK, Hit, Scanner, names_of, shown
from judgebench.blind.names import run_names
from judgebench.model.collected import Run
from judgebench.model.nouns import Blinding
from judgebench.records import dataclass
from judgebench.secrets import find_secrets

NEUTRAL = "▢▢▢"
"""Stands for every masked string; documented, and told to the judge as such."""

# A name that only stands out once another is gone is found by looking again.
_ROUNDS = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class Segment:
    """A stretch of the masked text and the stretch of the original that it stands for."""

    start: int
    end: int
    original_start: int
    original_end: int
    masked: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Masked:
    """A text as it is sent, with what was found in it."""

    text: str
    hits: tuple[Hit, ...]
    """In places of the original text."""
    segments: tuple[Segment, ...]
    """Gapless over the masked text, in order; empty for an empty text."""

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Where the span `start` to `end` of the masked text stands in the original.

        A span that touches a neutral mark covers all that the mark stands for.

        Raises:
            ValueError: The span is not inside the masked text.
        """
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"no span {start} to {end} in a text of {len(self.text)} characters")
        if not self.segments:
            return 0, 0
        starts = [segment.start for segment in self.segments]
        first = self.segments[bisect_right(starts, min(start, len(self.text) - 1)) - 1]
        last = self.segments[max(bisect_left(starts, end) - 1, 0)] if end > start else first
        begin = first.original_start + (0 if first.masked else start - first.start)
        if end == start and not first.masked:
            return begin, begin
        return begin, last.original_end if last.masked else last.original_end - (last.end - end)


class Masker:
    """Looks for identity strings of one run, and masks them where blinding asks for it.

    Args:
        run: The run whose arms must not be recognised.
        blinding: `MASK` replaces; `FLAG` and `STRICT` leave the text and report the hits.
    """

    def __init__(self, run: Run, blinding: Blinding) -> None:
        names = run_names(run)
        self._scanner = Scanner(names.anywhere, names.in_context)
        self._blinding = blinding

    def mask(self, text: str, *, spared: str) -> Masked:
        """Find identity strings in `text`, and replace them under `MASK`; secrets always.

        Marks of chat templates are found and left where they stand: they say little of who
        wrote, and an answer that plays with them is judged as it was delivered.

        Args:
            text: One output as delivered.
            spared: The item's own prompt and evidence, whose words are left alone.
        """
        keys = tuple(
            Hit(kind=KEPT_BACK, start=start, end=end, shown="a key or password")
            for start, end in find_secrets(text)
        )
        found = self._scanner.find(text, spared=spared)
        hits = _clear(found, keys)
        marks = tuple(hit for hit in hits if hit.kind == STYLE_MARK)
        named = names_of(hits) if self._blinding is Blinding.MASK else ()
        gone = _sorted(*named, *keys)
        if not gone:
            return _apply(text, hits, replace=False)
        masked = _apply(text, gone, replace=True)
        for _ in range(_ROUNDS if named else 0):
            more = names_of(self._scanner.find(masked.text, spared=spared))
            if not more:
                break
            gone = _union(text, gone, masked, more)
            masked = _apply(text, gone, replace=True)
        rest = marks if self._blinding is Blinding.MASK else hits
        return replace(masked, hits=_sorted(*gone, *_clear(rest, gone)))


def _sorted(*hits: Hit) -> tuple[Hit, ...]:
    return tuple(sorted(hits, key=lambda hit: hit.start))


def _clear(hits: Sequence[Hit], others: Sequence[Hit]) -> tuple[Hit, ...]:
    """Those hits that share no character with any of the others."""
    starts: list[int] = []
    ends: list[int] = []
    for one in _sorted(*others):
        if ends and one.start < ends[-1]:
            ends[-1] = max(ends[-1], one.end)
        else:
            starts.append(one.start)
            ends.append(one.end)
    return tuple(
        hit for hit in hits if not (at := bisect_left(starts, hit.end)) or ends[at - 1] <= hit.start
    )


def _union(
    text: str, hits: tuple[Hit, ...], masked: Masked, more: tuple[Hit, ...]
) -> tuple[Hit, ...]:
    """Earlier hits and those of the masked text, in places of the original."""
    spans = [(hit.start, hit.end, hit.kind) for hit in hits]
    spans += [(*masked.back(hit.start, hit.end), hit.kind) for hit in more]
    out: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]), out[-1][2])
        else:
            out.append((start, end, kind))
    return tuple(
        Hit(kind=kind, start=start, end=end, shown=shown(text[start:end]))
        for start, end, kind in out
    )


def _apply(text: str, hits: tuple[Hit, ...], *, replace: bool) -> Masked:
    """Build the masked text and its segments from hits that do not overlap."""
    parts: list[str] = []
    segments: list[Segment] = []
    here = last = 0

    def add(part: str, start: int, end: int, *, masked: bool) -> None:
        nonlocal here
        if part:
            parts.append(part)
            segments.append(
                Segment(
                    start=here,
                    end=here + len(part),
                    original_start=start,
                    original_end=end,
                    masked=masked,
                )
            )
            here += len(part)

    for hit in hits if replace else ():
        add(text[last : hit.start], last, hit.start, masked=False)
        add(NEUTRAL, hit.start, hit.end, masked=True)
        last = hit.end
    add(text[last:], last, len(text), masked=False)
    return Masked(text="".join(parts), hits=hits, segments=tuple(segments))
