"""What a pass is and which requests it needs: identity, order, labels, repeats.

Everything here is a function of the run, the rubric, the judge and the seed, so
that a second start plans the same requests under the same keys.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import groupby, permutations

from judgebench.blind import order
from judgebench.model.nouns import Blinding, Judge, Mode, Part, Pass, Purpose, Request
from judgebench.model.rubric import Rubric
from judgebench.records import dataclass
from judgebench.text import digest

POINTWISE_LABEL = "answer"


@dataclass(frozen=True, kw_only=True, slots=True)
class Identity:
    """All that makes two passes the same but the seed."""

    run: str
    ask_sha256: str
    judge_sha256: str
    prompt_version: str
    mode: Mode
    blinding: Blinding
    split_criteria: bool

    def digest(self) -> str:
        """One hash over all of it."""
        return digest(
            [
                self.run,
                self.ask_sha256,
                self.judge_sha256,
                self.prompt_version,
                self.mode.value,
                self.blinding.value,
                self.split_criteria,
            ]
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One output that may be judged: not blocked, with the hash of its text as sent."""

    item: str
    item_sha256: str
    arm: str
    output_sha256: str
    sent_sha256: str
    evidence: bool = False
    reference: bool = False
    ambiguity: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Again:
    """Cells, as (item, arm), that are judged once more without counting towards ratings."""

    noise: frozenset[tuple[str, str]] = frozenset()
    """For repeatability."""
    drift: Mapping[tuple[str, str], Sequence[int]] = field(default_factory=dict)
    """For drift since the pass was extended: numbers of the judgings."""
    controls: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Ids of controls → numbers of the checks that judge them again."""


def make_pass(
    identity: Identity,
    judge: Judge,
    rubric: Rubric,
    *,
    seed: int | None,
    repeats: int,
    route: str,
    ordinal: int = 1,
) -> Pass:
    """Name a pass; without a seed one is derived, so that a later start finds the same."""
    chosen = seed if seed is not None else order.derive_seed(identity.digest(), str(ordinal))
    return Pass(
        id=digest([identity.digest(), chosen])[:12],
        run=identity.run,
        judge_name=judge.name,
        judge_sha256=judge.sha256,
        judge_model=judge.model,
        rubric_name=rubric.name,
        ask_sha256=rubric.ask_sha256,
        prompt_version=identity.prompt_version,
        mode=identity.mode,
        blinding=identity.blinding,
        seed=chosen,
        repeats=repeats,
        route=route,
        split_criteria=identity.split_criteria,
    )


def plan(
    judging: Pass,
    cells: Iterable[Cell],
    *,
    again: Again,
    criteria: Callable[[Cell], Sequence[str]],
) -> Iterator[Request]:
    """Every request of the pass.

    Args:
        judging: The pass.
        cells: Item by item (all cells of one item stand together).
        again: What is judged once more, and does not count towards ratings.
        criteria: Ids of the criteria that apply to the item of a cell; an item to which
            none applies is not asked about.
    """
    make = _MAKERS[judging.mode]
    for _, group in groupby(cells, key=lambda cell: cell.item):
        members = sorted(group, key=lambda cell: cell.arm)
        applying = criteria(members[0])
        together: Sequence[str | None] = (None,) if applying else ()
        for criterion in applying if judging.split_criteria else together:
            yield from make(judging, members, again, criterion)


def _pointwise(
    judging: Pass, members: Sequence[Cell], again: Again, criterion: str | None
) -> Iterator[Request]:
    for cell in members:
        for repeat, purpose in _repeats(judging, again, [(cell.item, cell.arm)]):
            part = _part(cell, POINTWISE_LABEL)
            rank = order.queue_rank(judging.seed, cell.item, cell.arm, repeat, purpose)
            yield _request(
                judging,
                (part,),
                cell,
                repeat=repeat,
                purpose=purpose,
                criterion=criterion,
                rank=rank,
            )


def _listwise(
    judging: Pass, members: Sequence[Cell], again: Again, criterion: str | None
) -> Iterator[Request]:
    first = members[0]
    by_arm = {cell.arm: cell for cell in members}
    for repeat, purpose in _repeats(judging, again, [(first.item, arm) for arm in by_arm]):
        labels = order.labels(judging.seed, first.item, sorted(by_arm), repeat)
        placed = order.positions(judging.seed, first.item, sorted(by_arm), repeat)
        parts = tuple(_part(by_arm[arm], labels[arm]) for arm in placed)
        rank = order.queue_rank(judging.seed, first.item, "", repeat, purpose)
        yield _request(
            judging, parts, first, repeat=repeat, purpose=purpose, criterion=criterion, rank=rank
        )


def _pairwise(
    judging: Pass, members: Sequence[Cell], again: Again, criterion: str | None
) -> Iterator[Request]:
    """Each pair of arms in both orders; all pairs of one item stand together in the queue."""
    for first, second in permutations(members, 2):
        # For the noise an item's pairs are all judged again or none.
        cells = [(first.item, first.arm)] if (first.item, second.arm) in again.noise else []
        shown = (first.arm, second.arm)
        # Labels are drawn for the request, so that no label follows an arm over its pairs.
        own = "\x1f".join((first.item, *shown))
        for repeat, purpose in _repeats(judging, again, cells):
            labels = order.labels(judging.seed, own, shown, repeat)
            yield _request(
                judging,
                tuple(_part(cell, labels[cell.arm]) for cell in (first, second)),
                first,
                repeat=repeat,
                purpose=purpose,
                criterion=criterion,
                rank=order.queue_rank(
                    judging.seed, first.item, "\x1f".join(shown), repeat, purpose
                ),
            )


_MAKERS = {
    Mode.POINTWISE: _pointwise,
    Mode.LISTWISE: _listwise,
    Mode.PAIRWISE: _pairwise,
}


def requests_an_item(mode: Mode, arms: int) -> int:
    """Requests for one item of so many unblocked arms, judged once."""
    each = {Mode.POINTWISE: arms, Mode.LISTWISE: min(arms, 1), Mode.PAIRWISE: arms * (arms - 1)}
    return each[mode]


def _repeats(
    judging: Pass, again: Again, cells: Sequence[tuple[str, str]]
) -> Iterator[tuple[int, Purpose]]:
    """Judgings of one request: those that count, then those that do not."""
    for repeat in range(1, judging.repeats + 1):
        yield repeat, Purpose.MAIN
    if any(cell in again.noise for cell in cells):
        yield judging.repeats + 1, Purpose.NOISE
    for repeat in sorted({r for cell in cells for r in again.drift.get(cell, ())}):
        yield repeat, Purpose.DRIFT


def _part(cell: Cell, label: str) -> Part:
    return Part(
        label=label,
        arm=cell.arm,
        output_sha256=cell.output_sha256,
        sent_sha256=cell.sent_sha256,
    )


def _request(
    judging: Pass,
    parts: tuple[Part, ...],
    cell: Cell,
    *,
    repeat: int,
    purpose: Purpose,
    criterion: str | None,
    rank: tuple[int, int],
) -> Request:
    return Request(
        key=request_key(
            judging.id,
            cell,
            parts,
            repeat=repeat,
            criterion=criterion,
            whole=judging.turns is not None,
        ),
        pass_id=judging.id,
        position=position(rank),
        item=cell.item,
        item_sha256=cell.item_sha256,
        parts=parts,
        repeat=repeat,
        purpose=purpose,
        criterion=criterion,
    )


def request_key(
    pass_id: str,
    cell: Cell,
    parts: Sequence[Part],
    *,
    repeat: int,
    criterion: str | None,
    whole: bool = False,
) -> str:
    """Key of a request: pass, item with its content, texts as sent in order, repeat, criterion.

    With `whole` also the outputs as delivered: a judge with tools reads what is not sent.

    The purpose is not part of it: a noise judging that a later ``--repeats``
    promotes to a main one is not asked again.
    """
    hasher = hashlib.sha256()
    for part in (
        pass_id,
        # Items of one content and arms of one text are requests of their own: each cell has
        # its own marks.
        cell.item,
        cell.item_sha256,
        str(repeat),
        criterion or "",
        *(f"{p.label}\x1f{p.arm}\x1f{p.sent_sha256}" for p in parts),
        *(p.output_sha256 for p in parts if whole),
    ):
        hasher.update(part.encode())
        hasher.update(b"\x1e")
    return hasher.hexdigest()[:32]


def position(rank: tuple[int, int]) -> int:
    """Place in the queue: a rank packed into one sortable 62-bit integer."""
    return ((rank[0] & 0xFFFFFFFFFF) << 22) | (rank[1] & 0x3FFFFF)
