"""What differs between two rubrics, place by place.

Both are laid out as places with words; a place that stands on one side only was
added or removed. A criterion that is gone, beside a new one of nearly the same
words, was renamed.
"""

from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from judgebench.model.deductions import DeductionCriterion, Entry, FileGroup
from judgebench.model.rubric import Criterion, Rubric
from judgebench.model.versions import Part, RubricChange
from judgebench.records import dataclass

ALIKE = 0.8
"""Share of words from which a new criterion is an old one under another name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Place:
    part: Part
    words: str
    asks: bool


_Places = dict[str, _Place]


def changes(old: Rubric, new: Rubric) -> tuple[RubricChange, ...]:
    """Every place in which two rubrics differ, criteria first.

    A renamed criterion is one change of its name; its other places are compared
    under the new name.
    """
    names = dict(renamed(old, new))
    before, after = _places(_under(old, names)), _places(new)
    out = [
        RubricChange(part=Part.CRITERIA, place=f"{a} → {b}", before=a, after=b, asks=True)
        for a, b in names.items()
    ]
    for place in dict.fromkeys((*before, *after)):
        one, other = before.get(place), after.get(place)
        if one == other:
            continue
        shown = one or other
        if shown is None or _inside(place, before, after):
            continue
        out.append(
            RubricChange(
                part=shown.part, place=place, before=one.words if one else None,
                after=other.words if other else None, asks=shown.asks,
            )
        )  # fmt: skip
    return tuple(sorted(out, key=lambda change: _ORDER[change.part]))


_ORDER = {Part.CRITERIA: 0, Part.SCALE: 1, Part.WORDS: 2, Part.SUMS: 3}


def _inside(place: str, before: _Places, after: _Places) -> bool:
    """Whether it belongs to a criterion that is on one side only, which is said once."""
    owner, dot, _ = place.partition(".")
    return bool(dot) and (owner in before) != (owner in after)


def renamed(old: Rubric, new: Rubric) -> tuple[tuple[str, str], ...]:
    """Criteria that stand under another name with nearly the same words, most alike first."""
    gone = _only(old, new)
    come = _only(new, old)
    pairs = sorted(
        ((_likeness(a, b), a.id, b.id) for a in gone for b in come), key=lambda one: -one[0]
    )
    out: list[tuple[str, str]] = []
    for share, a, b in pairs:
        taken = {name for pair in out for name in pair}
        if share >= ALIKE and a not in taken and b not in taken:
            out.append((a, b))
    return tuple(out)


def same_questions(old: Rubric, new: Rubric) -> tuple[str, ...]:
    """Criteria of both that are asked letter for letter alike, on the same scale."""
    if old.scale != new.scale or (old.deductions is None) != (new.deductions is None):
        return ()
    before = {one.id: _question(old, one) for one in old.criteria}
    return tuple(
        one.id for one in new.criteria if before.get(one.id) == _question(new, one)
    )  # fmt: skip


def _question(rubric: Rubric, one: Criterion) -> _Places:
    return {
        place: words
        for place, words in _places(rubric).items()
        if place.startswith(f"{one.id}.") and words.asks
    }


def _only(one: Rubric, other: Rubric) -> list[Criterion]:
    known = {criterion.id for criterion in other.criteria}
    return [criterion for criterion in one.criteria if criterion.id not in known]


def _likeness(a: Criterion, b: Criterion) -> float:
    return SequenceMatcher(a=_words(a), b=_words(b), autojunk=False).ratio()


def _words(one: Criterion) -> list[str]:
    texts = (one.text, *(anchor.text for anchor in one.anchors))
    return [word for text in texts for word in text.split()]


def _under(rubric: Rubric, names: dict[str, str]) -> Rubric:
    """The rubric with its criteria under their new names."""

    def now(name: str | None) -> str:
        return names.get(name or "", name or "")

    return replace(
        rubric,
        criteria=tuple(replace(one, id=now(one.id)) for one in rubric.criteria),
        gates=tuple(replace(one, criterion=now(one.criterion)) for one in rubric.gates),
        caps=tuple(
            replace(one, criterion=now(one.criterion), target=now(one.target))
            for one in rubric.caps
        ),
    )


def _places(rubric: Rubric) -> _Places:
    out: _Places = {}
    scale = rubric.scale
    out["name"] = _Place(part=Part.SUMS, words=rubric.name, asks=False)
    out["version"] = _Place(part=Part.SUMS, words=rubric.version, asks=False)
    if rubric.intro:
        out["intro"] = _Place(part=Part.WORDS, words=rubric.intro, asks=True)
    out["scale"] = _Place(
        part=Part.SCALE,
        words=f"{scale.low:g} to {scale.high:g}, step {scale.step:g}",
        asks=rubric.deductions is None,  # else it follows from the maxima, which no judge sees
    )
    out["order of criteria"] = _Place(
        part=Part.CRITERIA, words=", ".join(one.id for one in rubric.criteria), asks=True
    )
    for one in rubric.criteria:
        out[one.id] = _Place(part=Part.CRITERIA, words=one.id, asks=True)
        keys = None if rubric.deductions is None else {f"{one.id}.text", f"{one.id}.head"}
        out |= {key: place for key, place in _criterion(one) if keys is None or key in keys}
    for words in _rules(rubric):
        out[words] = _Place(part=Part.SUMS, words=words, asks=False)
    if rubric.deductions is not None:
        for n, group in enumerate(rubric.deductions.reading, 1):
            out[f"reading {n}"] = _Place(part=Part.WORDS, words=_group(group), asks=True)
        for counted in rubric.deductions.criteria:
            out |= dict(_counted(counted))
    return out


def _criterion(one: Criterion) -> Iterator[tuple[str, _Place]]:
    def place(key: str, words: str, *, part: Part, asks: bool) -> tuple[str, _Place]:
        return f"{one.id}.{key}", _Place(part=part, words=words, asks=asks)

    yield place("text", one.text, part=Part.WORDS, asks=True)
    for anchor in one.anchors:
        yield place(f"anchors.{anchor.mark:g}", anchor.text, part=Part.WORDS, asks=True)
    yield place("quotes", f"{one.quotes}", part=Part.CRITERIA, asks=True)
    yield place("applies", one.applies.value, part=Part.CRITERIA, asks=True)
    yield place("weight", f"{one.weight:g}", part=Part.SUMS, asks=False)
    if one.head:
        yield place("head", one.head, part=Part.SUMS, asks=False)


def _rules(rubric: Rubric) -> Iterator[str]:
    for gate in rubric.gates:
        yield f"gate: {gate.criterion} below {gate.below:g} holds the total at {gate.cap:g}"
    for cap in rubric.caps:
        yield f"cap: {cap.criterion} below {cap.below:g} holds {cap.target} at {cap.cap:g}"
    for tier in rubric.tiers:
        yield f"tier: {tier.name} from {tier.at_least:g}"
    if rubric.deductions is not None:
        for tier in rubric.deductions.anchored:
            yield f"tier: {tier.name} from {tier.at_least:+g} of the anchor"
        for limit in (*rubric.deductions.caps, *rubric.deductions.gates):
            yield limit.words


def _group(one: FileGroup) -> str:
    bound = "" if one.lines is None else f", {one.lines} lines each"
    return f"{', '.join(one.paths)} {'last' if one.last else 'first'}{bound}"


def _counted(one: DeductionCriterion) -> Iterator[tuple[str, _Place]]:
    def sums(key: str, words: str) -> tuple[str, _Place]:
        return f"{one.id}.{key}", _Place(part=Part.SUMS, words=words, asks=False)

    yield sums("max", f"{one.maximum:g}")
    yield sums("floor", f"{one.floor:g}")
    if one.other is not None:
        words = f"{one.other.points:g} each, at most {one.other.at_most:g}"
        yield sums("other", words)
    for entry in one.entries:
        yield from _entry(one.id, entry)


def _entry(criterion: str, entry: Entry) -> Iterator[tuple[str, _Place]]:
    start = f"{criterion}.{entry.id}"
    yield f"{start}.when", _Place(part=Part.WORDS, words=entry.when, asks=True)
    shown = (entry.counts.value, entry.evidence.value, *entry.patterns, *entry.paths)
    yield f"{start}.shown by", _Place(part=Part.CRITERIA, words=", ".join(shown), asks=True)
    costs = f"{entry.points:g}, floor {entry.floor:g}"
    unless = f", unless {', '.join(entry.unless)}" if entry.unless else ""
    yield f"{start}.points", _Place(part=Part.SUMS, words=costs + unless, asks=False)
