"""Which requests a question in what outputs differ in kind needs: draw, labels, order, keys.

A function of run, judge and seed alone, so that a second start asks for nothing twice.
"""

from collections.abc import Sequence
from itertools import groupby

from judgebench.blind import order
from judgebench.errors import RecordingError
from judgebench.judges import contrast
from judgebench.model import Blinding, Judge, Mode, Part, Pass, Purpose, Request
from judgebench.pipeline.choices import Reading
from judgebench.pipeline.contrast_recording import ContrastRecording
from judgebench.pipeline.plan import Cell, position
from judgebench.pipeline.scene import Scene
from judgebench.pipeline.standing import cells, reading_of
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


def comparable_items(store: Store, run_key: str) -> tuple[dict[str, list[Cell]], int]:
    """Items with two outputs or more that may be compared, and how many items have fewer."""
    groups = groupby(cells(store, run_key), key=lambda cell: cell.item)
    members = {item: list(group) for item, group in groups}
    found = {item: group for item, group in members.items() if len(group) > 1}
    total = len(store.rows("items", run=run_key))
    return found, total - len(found)


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


def recorded(requests: Sequence[Request], recording: ContrastRecording) -> list[Request]:
    """The requests that a recording answers.

    Raises:
        RecordingError: It answers none of them.
    """
    found = [one for one in requests if one.key in recording.keys]
    if requests and not found:
        raise RecordingError(
            recording.path,
            "answers nothing that would be asked now: it is of another run, or the outputs have "
            "changed",
            "record it again",
        )
    return found
