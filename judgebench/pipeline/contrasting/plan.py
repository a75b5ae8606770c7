"""Which requests a question in what outputs differ in kind needs: draw, labels, order, keys.

A function of run, judge and seed alone, so that a second start asks for nothing twice.
"""

import heapq
from collections.abc import Iterator, Sequence
from itertools import groupby

from judgebench.blind import order
from judgebench.errors import RecordingError
from judgebench.judges import contrast
from judgebench.model.nouns import Blinding, Judge, Mode, Part, Pass, Purpose, Request
from judgebench.pipeline.contrasting.recording import ContrastRecording
from judgebench.pipeline.planning.plan import Cell, position
from judgebench.pipeline.planning.wanted import cells
from judgebench.pipeline.setting.choices import Reading
from judgebench.pipeline.setting.reading import reading_of
from judgebench.pipeline.setting.scene import Scene
from judgebench.records import dataclass
from judgebench.store.store import Store
from judgebench.text import digest


def as_judged(
    store: Store, scene: Scene, recording: ContrastRecording | None
) -> tuple[Blinding, Reading]:
    """How the run was read for its ratings: masked and blocked alike here."""
    judged = [row for row in store.find_passes(scene.run_key) if not row.facts().marks_only]
    row = next((one for one in judged if one.state == "complete"), judged[0] if judged else None)
    reading = reading_of(row) if row else Reading()
    if recording:
        return recording.blinding, reading
    return (row.judging.blinding if row else Blinding.MASK), reading


def contrast_pass(scene: Scene, judge: Judge, pass_id: str, blinding: Blinding, seed: int) -> Pass:
    """The question as a pass, so that outputs are read and masked as for one."""
    return Pass(
        id=pass_id,
        run=scene.run_key,
        judge_name=judge.name,
        judge_sha256=judge.sha256,
        judge_model=judge.model,
        rubric_name="",
        ask_sha256="",
        prompt_version=contrast.prompt_version(),
        mode=Mode.LISTWISE,
        blinding=blinding,
        seed=seed,
        repeats=1,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawn:
    """The requests of a question, and what is not among them."""

    requests: list[Request]
    left_out: int
    """Items with fewer than two outputs that may be compared."""
    not_drawn: int
    """Items that could be compared and were not drawn."""


def draw(
    store: Store, judging: Pass, most: int, recording: ContrastRecording | None = None
) -> Drawn:
    """Draw the items that are asked about; fewer of them are always among the more.

    Args:
        store: The run was taken in.
        judging: The question.
        most: Items at most.
        recording: Only what it answers is asked, however many that are.

    Raises:
        RecordingError: It answers nothing that would be asked.
    """
    comparable = [0]
    groups = _groups(store, judging.run, comparable)
    if recording:
        found = [one for one in (contrast_request(judging, members) for members in groups)
                 if one.key in recording.keys]  # fmt: skip
        if comparable[0] and not found:
            raise _of_another(recording)
    else:

        def rank(members: Sequence[Cell]) -> tuple[int, str]:
            item = members[0].item
            return order.derive_seed(str(judging.seed), "contrast", item), item

        # A run may have more items than can be held.
        found = [contrast_request(judging, one) for one in heapq.nsmallest(most, groups, key=rank)]
    total = len(store.rows("items", run=judging.run))
    return Drawn(
        requests=found,
        left_out=total - comparable[0],
        not_drawn=comparable[0] - len(found),
    )


def _groups(store: Store, run_key: str, count: list[int]) -> Iterator[list[Cell]]:
    """The outputs of each item that has two or more that may be compared; counted."""
    for _, group in groupby(cells(store, run_key), key=lambda cell: cell.item):
        members = list(group)
        if len(members) > 1:
            count[0] += 1
            yield members


def contrast_request(judging: Pass, members: Sequence[Cell]) -> Request:
    """All outputs of an item, under labels and in an order drawn for it."""
    first = members[0]
    by_arm = {cell.arm: cell for cell in members}
    labels = order.labels(judging.seed, first.item, sorted(by_arm), 1)
    parts = tuple(
        Part(
            label=labels[arm],
            arm=arm,
            output_sha256=by_arm[arm].output_sha256,
            sent_sha256=by_arm[arm].sent_sha256,
        )
        for arm in order.positions(judging.seed, first.item, sorted(by_arm), 1)
    )
    key = digest(
        [
            judging.id,
            first.item,
            first.item_sha256,
            [[p.label, p.arm, p.sent_sha256] for p in parts],
        ]
    )[:32]
    rank = order.queue_rank(judging.seed, first.item, "", 1, Purpose.CONTRAST)
    return Request(
        key=key,
        pass_id=judging.id,
        position=position(rank),
        item=first.item,
        item_sha256=first.item_sha256,
        parts=parts,
        repeat=1,
        purpose=Purpose.CONTRAST,
    )


def _of_another(recording: ContrastRecording) -> RecordingError:
    return RecordingError(
        recording.path,
        "answers nothing that would be asked now",
        "record it again",
    )
