"""Controls on their way into a plan: chosen, made of real outputs, masked, put in requests.

In listwise mode a control shares its request with its source and with nothing else, so
that the lists that ratings come from are as they would be without. In pairs it meets its
source and nothing else, in both orders.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import permutations, product

from judgebench.blind import controls, order
from judgebench.blind.controls import Made, Source
from judgebench.model.collected import Locator
from judgebench.model.controls import Control, ControlKind, Planted
from judgebench.model.nouns import Mode, Part, Pass, Purpose, Request
from judgebench.pipeline.planning.carried import OWN
from judgebench.pipeline.planning.plan import POINTWISE_LABEL, Cell, position, request_key
from judgebench.pipeline.planning.prepare import Preparer
from judgebench.pipeline.setting.projects import spared_text
from judgebench.records import dataclass
from judgebench.runs import load
from judgebench.text import digest, sha256_text

_ALONE = 0
"""Where ordinary requests have the number of their repeat: labels and order of their own."""
_TEXTS_HELD = 256
_KEPT_AT_ONCE = 256


@dataclass(frozen=True, kw_only=True)
class Field:
    """What controls are made from."""

    preparer: Preparer
    cells: Callable[[], Iterator[Cell]]
    """Every output that may be judged."""
    criteria: Callable[[Cell], Sequence[str]]
    """Ids of the criteria that apply to the item of a cell."""
    locate: Callable[[Sequence[str]], dict[str, dict[str, Locator]]]
    """Item → arm → where its output stands."""
    keep: Callable[[Sequence[Control]], None]
    """Stores controls with their texts."""


def judgings(requests: Iterator[Request], count: list[int]) -> Iterator[Request]:
    """Pass requests on and count them; those that ask for one criterion each count as one.

    What is judged again for drift is of an extension, and counts for nothing here.

    Args:
        requests: Item by item, and inside an item criterion by criterion.
        count: The count so far is its only member.
    """
    item: str | None = None
    first: str | None = None
    for request in requests:
        if request.purpose is Purpose.DRIFT:
            yield request
            continue
        if request.item != item:
            item, first = request.item, request.criterion
        count[0] += request.criterion == first
        yield request


@dataclass(frozen=True, kw_only=True)
class Before:
    """Controls that a pass has already: they stay, whatever is added to the run."""

    controls: Sequence[Control] = ()
    same: bool = True
    """Whether as many are wanted as the pass had; else these are the ones that were judged."""


def make_controls(
    field: Field,
    judged: int,
    *,
    wanted: int | None,
    before: Before,
) -> list[Control]:
    """Make and keep the controls of a pass, the same for the same run, seed and number.

    Args:
        field: The run and what may be judged of it.
        judged: Judgings that the pass has without controls.
        wanted: How many were asked for; None for the rule.
        before: What the pass has already; others stand in for those whose source has changed
            or is gone.

    Returns:
        The controls without their texts, which are kept.
    """
    judging = field.preparer.judging
    # Of comparisons a judging is both orders of a pair, as a control is.
    judgings_ = judged // 2 if judging.mode is Mode.PAIRWISE else judged
    had = before.controls
    count = len(had) if before.same else 0
    count = count or max(len(had), controls.how_many(judgings_, wanted))
    if not count:
        return []
    kept = _as_they_were(field, had)
    if len(kept) == count:
        return kept
    listed = controls.shortlist(judging.seed, _sources(field), count)
    if had and before.same:
        wished = dict(Counter(one.kind for one in had if one not in kept))
    else:
        quotas = controls.quotas(count, items=len({one.item for one in listed}))
        wished = controls.beside(quotas, Counter(one.kind for one in kept))
    maker = _Maker(field, listed, kept)
    taken = {Source(one.item, one.source_arm, one.source_sent_sha256) for one in kept}
    planted = controls.plant(judging.seed, listed, wished, maker.make, taken=taken)
    maker.flush()
    return [*kept, *planted]


def make_again(field: Field, recorded: Sequence[Planted]) -> list[Control]:
    """Make the controls that a recording holds, of the same outputs as then.

    Returns:
        The controls without their texts, which are kept; one whose output is gone is left out.
    """
    named = {(one.item, one.source_arm) for one in recorded}
    named |= {(one.donor_item or "", one.donor_arm or "") for one in recorded}
    found = {
        (one.item, one.arm): one for one in _sources(field) if (one.item, one.arm) in named
    }  # fmt: skip
    maker = _Maker(field, sorted(found.values()))
    made = []
    for one in recorded:
        source = found.get((one.item, one.source_arm))
        donor = found.get((one.donor_item or "", one.donor_arm or ""))
        if source is None or (donor is None and one.donor_item is not None):
            continue
        made.append(maker.make(one.kind, source, donor))
    maker.flush()
    return [one for one in made if one is not None]


def _sources(field: Field) -> Iterator[Source]:
    return (
        Source(cell.item, cell.arm, cell.sent_sha256)
        for cell in field.cells()
        if field.criteria(cell)
    )


def _as_they_were(field: Field, before: Sequence[Control]) -> list[Control]:
    """Controls whose source is in the run and says what it said."""
    wanted = {Source(one.item, one.source_arm, one.source_sent_sha256) for one in before}
    there = {source for source in _sources(field) if source in wanted} if wanted else set()
    return [
        one
        for one in before
        if Source(one.item, one.source_arm, one.source_sent_sha256) in there
    ]  # fmt: skip


class _Maker:
    """Reads outputs as they are sent, and makes controls of them."""

    def __init__(
        self, field: Field, listed: Sequence[Source], kept: Sequence[Control] = ()
    ) -> None:
        self.preparer, self.listed, self._keep = field.preparer, listed, field.keep
        self._made: list[Control] = []
        self._there = {(one.kind, one.item, one.source_arm) for one in kept}
        self.seed = field.preparer.judging.seed
        found = field.locate(sorted({one.item for one in listed}))
        self._locators = {(item, arm): at for item, row in found.items() for arm, at in row.items()}
        self._text = lru_cache(maxsize=_TEXTS_HELD)(self._read)

    def make(
        self, kind: ControlKind, source: Source, donor: Source | None = None
    ) -> Control | None:
        """One control; None where it cannot be made of this source, or is there already."""
        if (kind, source.item, source.arm) in self._there:
            return None
        made: Made | None
        if donor is not None:
            made = controls.given(self._text(donor))
        elif kind is ControlKind.OFF_TASK:
            found = self._off_task(source)
            donor, made = found or (None, None)
        else:
            made = self._twin(kind, source)
        if made is None:
            return None
        # What a source is sent as is whole already; anything else is masked like any output.
        text = made.text if kind is ControlKind.DUPLICATE else self._masked(made.text, source)
        control = Control(
            id=_id(kind, source, text),
            kind=kind,
            item=source.item,
            source_arm=source.arm,
            source_sent_sha256=source.sent_sha256,
            donor_item=donor.item if donor else None,
            donor_arm=donor.arm if donor else None,
            text=text,
            sent_sha256=sha256_text(text),
            note=made.note,
            by_pairs=self.preparer.judging.mode is Mode.PAIRWISE,
        )
        self._made.append(control)
        if len(self._made) >= _KEPT_AT_ONCE:
            self.flush()
        return replace(control, text="")

    def flush(self) -> None:
        """Keep what was made."""
        if self._made:
            self._keep(self._made)
        self._made = []

    def _twin(self, kind: ControlKind, source: Source) -> Made | None:
        if kind is ControlKind.NEAR_EMPTY:
            return controls.near_empty(self.seed, source)
        text = self._text(source)
        if kind is ControlKind.DAMAGED:
            given = spared_text(self.preparer.item(source.item))
            return controls.damaged(self.seed, text, given=given)
        if kind is ControlKind.PADDED:
            return controls.padded(self.seed, text)
        if kind is ControlKind.TALKS_TO_JUDGE:
            return controls.talks_to_judge(self.seed, text)
        return Made(text, "the same text once more")

    def _off_task(self, source: Source) -> tuple[Source, Made] | None:
        givers = controls.donors(self.seed, source, self.listed)
        found = controls.off_task(self._text(source), [self._text(one) for one in givers])
        return (givers[found[0]], found[1]) if found else None

    def _read(self, source: Source) -> str:
        place = self._locators[source.item, source.arm]
        output = load.read_output(
            self.preparer.run, arm=source.arm, item=source.item, locator=place
        )
        item = self.preparer.item(source.item)
        return self.preparer.as_planned(output, item, source.sent_sha256)

    def _masked(self, text: str, source: Source) -> str:
        spared = spared_text(self.preparer.item(source.item))
        return self.preparer.masker.mask(text, spared=spared).text


def _id(kind: ControlKind, source: Source, text: str) -> str:
    made_of = [kind.value, source.item, source.arm, source.sent_sha256, sha256_text(text)]
    return f"(control) {kind.value} {digest(made_of)[:12]}"


def control_requests(
    field: Field, planted: Sequence[Control], again: Mapping[str, Sequence[int]]
) -> Iterator[Request]:
    """The requests of controls, in the same shuffled queue as all others.

    Args:
        field: The run and what may be judged of it.
        planted: The controls.
        again: Ids → numbers of the checks that ask the very same once more.
    """
    judging = field.preparer.judging
    by_source = {(one.item, one.source_arm) for one in planted}
    cells = {
        (cell.item, cell.arm): cell
        for cell in field.cells()
        if (cell.item, cell.arm) in by_source
    }  # fmt: skip
    for control in planted:
        cell = cells[control.item, control.source_arm]
        applying = field.criteria(cell)
        together: Sequence[str | None] = (None,)
        asked = product(
            _parts(judging, control, cell),
            applying if judging.split_criteria else together,
            (OWN, *again.get(control.id, ())),
        )
        for parts, criterion, repeat in asked:
            shown = "\x1f".join(part.arm for part in parts)
            name = shown if judging.mode is Mode.PAIRWISE else control.id
            rank = order.queue_rank(judging.seed, control.item, name, repeat, Purpose.CONTROL.value)
            yield Request(
                key=request_key(judging.id, cell, parts, repeat=repeat, criterion=criterion),
                pass_id=judging.id,
                position=position(rank),
                item=control.item,
                item_sha256=cell.item_sha256,
                parts=parts,
                repeat=repeat,
                purpose=Purpose.CONTROL,
                criterion=criterion,
            )


def _parts(judging: Pass, control: Control, cell: Cell) -> list[tuple[Part, ...]]:
    """What stands in the requests of a control: one, or of a pair both orders."""
    own = {"output_sha256": control.sent_sha256, "sent_sha256": control.sent_sha256}
    if judging.mode is Mode.POINTWISE:
        return [(Part(label=POINTWISE_LABEL, arm=control.id, **own),)]
    source = {"output_sha256": cell.output_sha256, "sent_sha256": cell.sent_sha256}
    hashes = {control.id: own, cell.arm: source}

    def labelled(shown: Sequence[str], drawn_for: str) -> tuple[Part, ...]:
        labels = order.labels(judging.seed, drawn_for, list(hashes), _ALONE)
        return tuple(Part(label=labels[name], arm=name, **hashes[name]) for name in shown)

    if judging.mode is Mode.LISTWISE:
        placed = order.positions(judging.seed, cell.item, list(hashes), _ALONE)
        return [labelled(placed, cell.item)]
    return [labelled(shown, "\x1f".join((cell.item, *shown))) for shown in permutations(hashes)]
