"""What is legal in a rubric but unwise: one line each, in the rubric's order.

A lint never stops a judging. It says what tends to make marks noisy, equal or
without effect, so that the author can decide.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from judgebench.model.deductions import Counts, DeductionCriterion, Entry, FileGroup
from judgebench.model.facts import Check, CheckKind
from judgebench.model.rubric import Applies, Criterion, Rubric

SHORT_QUESTION = 15
FEW_LINES = 20
EVERYTHING = frozenset({"*", "**", "**/*"})
SHORT_PATTERN = 4
HEAVY_SHARE = 0.8
FINE_SCALE = 7
"""From this many marks on, anchors on neighbouring marks are hard to tell apart."""
TOO_FINE_SCALE = 21
HEAD_WIDTH = 9

_VERSION = re.compile(r"""(^|[{,])\s*["']?version["']?\s*:""", re.MULTILINE)


def lint(rubric: Rubric) -> tuple[str, ...]:
    """Say what is unwise in `rubric`, one line each; empty where nothing is."""
    return tuple(_of_deductions(rubric) if rubric.deductions else _lines(rubric))


def _lines(rubric: Rubric) -> Iterator[str]:
    yield from _whole(rubric)
    for criterion in rubric.criteria:
        yield from _question(criterion)
        yield from _anchors(criterion, rubric)
        yield from _weight(criterion, rubric)
    yield from _heads(rubric)
    yield from _rules(rubric)
    yield from _tiers(rubric)


def _of_deductions(rubric: Rubric) -> Iterator[str]:
    yield from _no_version(rubric)
    for criterion in rubric.deductions.criteria if rubric.deductions else ():
        for entry in criterion.entries:
            yield from _entry(entry, criterion)
        yield from _catalogue(criterion)
    for one in rubric.criteria:
        yield from _question(one)
    yield from _heads(rubric)
    yield from _tiers(rubric)
    for check in rubric.deductions.checks if rubric.deductions else ():
        yield from _check(check)
    yield from _reading(rubric.deductions.reading if rubric.deductions else ())


def _reading(groups: Sequence[FileGroup]) -> Iterator[str]:
    above: set[str] = set()
    for group in groups:
        for path in group.paths:
            if path.casefold() in above:
                yield f"reading: {path} stands in a group above, which has these files"
            elif path in EVERYTHING:
                yield f"reading: {path} names every file; groups below it are never reached"
        above.update(path.casefold() for path in group.paths)
        if group.lines is not None and group.lines < FEW_LINES:
            yield (
                f"reading: {', '.join(group.paths)} shows {group.lines} lines; "
                "what stands below them cannot be found"
            )


def _check(check: Check) -> Iterator[str]:
    if len(check.text.strip()) < SHORT_QUESTION:
        yield f"{check.id}: its text is very short; the judge reads it beside the answer"
    if check.kind is CheckKind.PATTERN and not check.paths:
        yield f"{check.id}: its patterns are looked for in every file; paths keep them to some"
    if check.kind is CheckKind.PATTERN and any(len(one) < SHORT_PATTERN for one in check.patterns):
        yield f"{check.id}: a very short pattern fits by chance"


def _entry(entry: Entry, criterion: DeductionCriterion) -> Iterator[str]:
    if len(entry.when.strip()) < SHORT_QUESTION:
        yield f"{entry.id}: its condition is very short; say what the judge should look for"
    if entry.points > criterion.maximum:
        yield (
            f"{entry.id}: costs {entry.points:g} points of the {criterion.maximum:g} "
            f"that {criterion.id} has"
        )


def _catalogue(criterion: DeductionCriterion) -> Iterator[str]:
    endless = any(entry.counts is Counts.PER_FIND for entry in criterion.entries)
    whole = sum(entry.points for entry in criterion.entries)
    whole += criterion.other.at_most if criterion.other else 0
    if not endless and whole < criterion.maximum / 2:
        yield (
            f"{criterion.id}: all its faults together cost {whole:g} "
            f"of {criterion.maximum:g} points"
        )
    if criterion.other is None:
        yield f"{criterion.id}: only the catalogue counts; faults outside it cost nothing"


def _no_version(rubric: Rubric) -> Iterator[str]:
    if rubric.source and not _VERSION.search(rubric.source):
        yield 'no version: write one, such as version: "1", so that reports can name it'


def _whole(rubric: Rubric) -> Iterator[str]:
    yield from _no_version(rubric)
    if _n_marks(rubric) > TOO_FINE_SCALE:
        yield f"scale: {_n_marks(rubric)} marks are more than a judge tells apart; use 5 to 10"
    if all(criterion.quotes == 0 for criterion in rubric.criteria):
        yield "quotes: no criterion asks for one, so no mark can be checked against the text"
    if all(criterion.applies is not Applies.ALWAYS for criterion in rubric.criteria):
        yield "applies: every criterion is conditional, so some items may have no total"


def _n_marks(rubric: Rubric) -> int:
    return round((rubric.scale.high - rubric.scale.low) / rubric.scale.step) + 1


def _question(criterion: Criterion) -> Iterator[str]:
    if len(criterion.text.strip()) < SHORT_QUESTION:
        yield f"{criterion.id}: its question is very short; say what the judge should look for"


def _anchors(criterion: Criterion, rubric: Rubric) -> Iterator[str]:
    marks = [anchor.mark for anchor in criterion.anchors]
    if not marks:
        yield f"{criterion.id}: no anchors; say what is seen at a low, a middle and a high mark"
        return
    if len(marks) == 1:
        yield f"{criterion.id}: one anchor alone leaves the rest of the scale to taste"
    step = rubric.scale.step
    near = [(a, b) for a, b in pairwise(marks) if b - a < step * 1.5]
    if near and _n_marks(rubric) >= FINE_SCALE:
        low, high = near[0]
        yield f"{criterion.id}: anchors {low:g} and {high:g} are neighbours; leave a mark between"
    middle = (rubric.scale.low + rubric.scale.high) / 2
    if len(marks) > 1 and (marks[0] > middle or marks[-1] < middle):
        yield f"{criterion.id}: all anchors stand in one half of the scale"
    texts = Counter(" ".join(anchor.text.split()).lower() for anchor in criterion.anchors)
    if max(texts.values()) > 1:
        yield f"{criterion.id}: two anchors have the same text, so their marks mean the same"


def _weight(criterion: Criterion, rubric: Rubric) -> Iterator[str]:
    largest = max(one.weight for one in rubric.criteria)
    whole = sum(one.weight / largest for one in rubric.criteria)
    share = criterion.weight / largest / whole
    if share > HEAVY_SHARE and len(rubric.criteria) > 1:
        yield f"{criterion.id}: holds {share:.0%} of the weight; the others hardly count"
    read = {gate.criterion for gate in rubric.gates} | {cap.criterion for cap in rubric.caps}
    if criterion.weight == 0 and criterion.id not in read:
        yield f"{criterion.id}: weight 0 and no gate or cap reads it; it is asked and never counts"


def _heads(rubric: Rubric) -> Iterator[str]:
    for criterion in rubric.criteria:
        if not criterion.head and len(criterion.id) > HEAD_WIDTH:
            yield f"{criterion.id}: too long for a table; add a head (up to {HEAD_WIDTH} letters)"
    heads = Counter(c.head or c.id[:HEAD_WIDTH] for c in rubric.criteria)
    for head, count in heads.items():
        if count > 1:
            yield f"head: {count} columns would be called {head}; give each a head of its own"


def _rules(rubric: Rubric) -> Iterator[str]:
    low, high = rubric.scale.low, rubric.scale.high
    for gate in rubric.gates:
        if gate.below <= low:
            yield f"gates: no {gate.criterion} mark lies below {gate.below:g}; it never works"
        elif gate.cap >= high:
            yield f"gates: a cap of {gate.cap:g} holds nothing down"
    for cap in rubric.caps:
        if cap.below <= low:
            yield f"caps: no {cap.criterion} mark lies below {cap.below:g}; it never works"
        elif cap.cap >= high:
            yield f"caps: a cap of {cap.cap:g} holds nothing down"
        elif cap.criterion == cap.target:
            yield f"caps: {cap.criterion} holds itself down; move its anchors instead"


def _tiers(rubric: Rubric) -> Iterator[str]:
    anchored = rubric.deductions.anchored if rubric.deductions else ()
    if anchored and anchored[-1].at_least > -rubric.scale.high:
        yield f"anchored_tiers: totals under {anchored[-1].at_least:+g} have no name"
    if rubric.tiers and rubric.tiers[-1].at_least > rubric.scale.low:
        lowest = rubric.tiers[-1].at_least
        yield f"tiers: totals below {lowest:g} have no name"
