"""The blindness probe: after marking, the judge is asked who wrote some of the outputs.

Kept in a file of its own, `judgments/blindness/<pass>.jsonl`, never among judgments. As in
a pass, an intention is on disk before its call and a reply before it is read, and what was
answered is not asked again.
"""

import asyncio
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, field
from pathlib import Path
from typing import Any, TextIO

from judgebench.blind import order
from judgebench.errors import JudgebenchError, StoreError
from judgebench.judges import faults, identify, wire
from judgebench.judges.budget import Limits
from judgebench.judges.envelope import usage_of
from judgebench.judges.identify import AuthorForm
from judgebench.judges.transports.base import Transport, run
from judgebench.model.blindness import Blindness, NamedArm
from judgebench.model.collected import Arm, Usage
from judgebench.model.nouns import Judge, Pass, RawReply, Rendered
from judgebench.pipeline.figures.probed import FOLDER
from judgebench.pipeline.planning.prepare import Preparer
from judgebench.pipeline.planning.wanted import locators
from judgebench.pipeline.setting.scene import Scene
from judgebench.records import dataclass
from judgebench.runs import load
from judgebench.stats.intervals import clopper_pearson
from judgebench.store.passes import PassRow
from judgebench.store.store import Store
from judgebench.text import digest, sha256_text

MOST_OUTPUTS = 60
CALLS = 2
"""Calls at most for one output; then it has no answer."""
_OK = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """One output, and who may have written it."""

    key: str
    arm: str
    item: str
    form: AuthorForm
    authors: tuple[str, ...]
    """Arms by letter."""
    rendered: Rendered


class Ledger:
    """Intentions and replies of the probe of one pass, a line each, on disk at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.replies: dict[str, list[RawReply]] = {}
        self.attempts: dict[str, int] = {}
        self._file: TextIO | None = None
        if path.is_file():
            self._read()

    def _read(self) -> None:
        for line in self.path.read_text(encoding="utf-8").splitlines():
            try:
                found = json.loads(line)
                if "reply" in found:
                    self._know(RawReply(**found["reply"]))
                else:
                    self._count(found["key"], found["attempt"])
            except (ValueError, KeyError, TypeError):
                # A kill may leave half a line: its call counts as never made.
                continue

    def _know(self, raw: RawReply) -> None:
        self.replies.setdefault(raw.key, []).append(raw)
        self._count(raw.key, raw.attempt)

    def _count(self, key: str, attempt: int) -> None:
        self.attempts[key] = max(attempt, self.attempts.get(key, 0))

    def intend(self, key: str, attempt: int, rendered: Rendered) -> None:
        """A call is about to go out."""
        self._count(key, attempt)
        self._put({"key": key, "attempt": attempt, "request_sha256": rendered.request_sha256,
                   "user": rendered.user})  # fmt: skip

    def received(self, raw: RawReply) -> None:
        """A call came back, unread."""
        self._know(raw)
        self._put({"reply": asdict(raw)})

    def _put(self, line: dict[str, Any]) -> None:
        try:
            if self._file is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._file = self.path.open("a", encoding="utf-8")
            self._file.write("\n" * bool(self._file.tell()) + json.dumps(line))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as exc:
            raise StoreError(f"{self.path}: cannot be written ({exc.strerror})") from None

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()

    def spent(self, key: str) -> bool:
        """Whether it was answered as often as it is asked; what got no answer may be again."""
        return sum(raw.status == _OK for raw in self.replies.get(key, ())) >= CALLS

    def author(self, question: Question) -> str | None:
        """The arm that the judge named; None while there is no usable answer."""
        for raw in self.replies.get(question.key, ()):
            letter = identify.read_author(raw, question.form) if raw.status == _OK else None
            if letter is not None:
                return question.authors[question.form.letters.index(letter)]
        return None


def check_probe(scene: Scene) -> None:
    """Refuse what cannot be asked before anything is sent.

    Raises:
        JudgebenchError: There is nobody to choose from, or too many.
    """
    if not 2 <= len(scene.run.arms) <= identify.MOST_AUTHORS:  # noqa: PLR2004 - a choice
        raise JudgebenchError(
            f"--probe-blindness needs 2 to {identify.MOST_AUTHORS} arms, this run has "
            f"{len(scene.run.arms)}"
        )


def shown_as(arm: Arm) -> str:
    """What a judge is told of a possible author."""
    words = [
        f"model {arm.model}" if arm.model else "",
        f"by {arm.provider}" if arm.provider else "",
        f"in {arm.harness}" if arm.harness else "",
    ]
    return " ".join(filter(None, words)) or f"arm {arm.id}"


def candidates(arms: tuple[Arm, ...]) -> dict[str, str]:
    """What each arm is called; with its id where two would read alike."""
    plain = {arm.id: shown_as(arm) for arm in arms}
    told = list(plain.values())
    return {name: f"{text} ({name})" if told.count(text) > 1 else text
            for name, text in plain.items()}  # fmt: skip


def questions(
    store: Store, scene: Scene, judging: Pass, cells: Iterable[tuple[str, str]]
) -> Iterator[Question]:
    """What a probe asks of a pass.

    Args:
        store: Open; only read.
        scene: Run and rubric.
        judging: The pass.
        cells: (item, arm) that it has judged, or will.
    """
    preparer = Preparer(scene.run, scene.rubric, judging)
    told = candidates(scene.run.arms)
    chosen = _chosen(judging, cells)
    found = locators(store, judging.run, {item for item, _ in chosen})
    for item_id, arm in chosen:
        item = preparer.item(item_id)
        output = load.read_output(scene.run, arm=arm, item=item_id, locator=found[item_id][arm])
        text = preparer.text_as_sent(output, item)
        key = digest(["identify", judging.id, item_id, arm, sha256_text(text), told])[:32]
        names = sorted(told, key=lambda name: (order.derive_seed(key, name), name))
        form = AuthorForm(letters=identify.letters(len(names)))
        yield Question(
            key=key, arm=arm, item=item_id, form=form, authors=tuple(names),
            rendered=identify.build(
                form, prompt=item.prompt, answer=text, authors=[told[n] for n in names],
                frame=order.frame(judging.seed, key), key=key,
            ),
        )  # fmt: skip


def _chosen(judging: Pass, cells: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Whole items, so that every arm is asked about as often as the others."""
    items: dict[str, list[str]] = {}
    for item, arm in cells:
        items.setdefault(item, []).append(arm)
    ranked = sorted(
        items, key=lambda item: (order.derive_seed(str(judging.seed), "identify", item), item)
    )
    out: list[tuple[str, str]] = []
    for item in ranked:
        if out and len(out) + len(items[item]) > MOST_OUTPUTS:
            break
        out += [(item, arm) for arm in items[item]]
    return out


def ledger_of(scene: Scene, judging: Pass) -> Ledger:
    """What the probe of a pass was answered so far."""
    return Ledger(scene.workspace.judgments / FOLDER / f"{judging.id}.jsonl")


def open_questions(
    store: Store, scene: Scene, judging: Pass, cells: Iterable[tuple[str, str]]
) -> list[Question]:
    """What a probe would still ask; sends nothing.

    Args:
        store: As for `questions`.
        scene: As there.
        judging: As there.
        cells: As there.
    """
    ledger = ledger_of(scene, judging)
    return [
        one
        for one in questions(store, scene, judging, cells)
        if ledger.author(one) is None and not ledger.spent(one.key)
    ]


@dataclass(kw_only=True)
class Probe:
    """One pass whose judge is asked.

    Args:
        store: Open; only read.
        scene: Run and rubric.
        row: The pass.
        judge: Who marked it.
        limits: What the calls may use.
        settled: What the endpoint takes.
        way: Makes the way to the judge, inside the event loop.
    """

    store: Store
    scene: Scene
    row: PassRow
    judge: Judge
    limits: Limits
    settled: wire.Settled
    way: Callable[[], AbstractAsyncContextManager[Any]]
    ledger: Ledger = field(init=False)

    def __post_init__(self) -> None:
        """Find what was answered before."""
        self.ledger = ledger_of(self.scene, self.row.judging)

    def probe(self) -> Blindness:
        """Ask what was not asked yet, and count.

        Raises:
            BudgetStop: A budget ended it; what was answered is kept.
            JudgebenchError: The endpoint refuses.
        """
        questions = list(self._questions())
        try:
            run(self._ask_all(questions))
        finally:
            self.ledger.close()
        return self._counted(questions)

    def _questions(self) -> Iterator[Question]:
        judging = self.row.judging
        cells = self.store.rows(
            "judged_cells", pass_id=judging.id, run=judging.run, whole=False
        )  # fmt: skip
        return questions(
            self.store, self.scene, judging, ((item, arm) for item, arm in cells)
        )  # fmt: skip

    async def _ask_all(self, questions: list[Question]) -> None:
        waiting = [
            one
            for one in questions
            if self.ledger.author(one) is None and not self.ledger.spent(one.key)
        ]
        if not waiting:
            return
        async with self.way() as transport:
            # The first alone: an endpoint that refuses is asked once.
            await self._ask(waiting[0], transport)
            # What is in flight when a budget ends it comes back and is kept.
            ended = await asyncio.gather(
                *(self._ask(one, transport) for one in waiting[1:]), return_exceptions=True
            )
        for error in ended:
            if isinstance(error, BaseException):
                raise error

    async def _ask(self, question: Question, transport: Transport) -> None:
        body = wire.body(
            question.rendered, question.form, judge=self.judge, settled=self.settled
        )  # fmt: skip
        for _ in range(CALLS):
            if self.ledger.spent(question.key):
                return
            await self.limits.enter()
            usage: Usage | None = Usage()
            try:
                attempt = self.ledger.attempts.get(question.key, 0) + 1
                self.ledger.intend(question.key, attempt, question.rendered)
                raw = await transport.send(body, key=question.key, attempt=attempt)
                self.ledger.received(raw)
                usage = usage_of(raw.body) if raw.status == _OK else None
            finally:
                self.limits.leave(usage, billed=usage is not None)
            if self.ledger.author(question) is not None:
                return
            if raw.status != _OK:
                self._refused(raw)

    def _refused(self, raw: RawReply) -> None:
        fault = faults.classify(raw)
        if fault.kind in {"setup", "auth"}:
            self.limits.stop("the endpoint refuses")
            raise JudgebenchError(f"the blindness probe was refused: {fault.message}")
        if fault.kind == "rate":
            self.limits.slow_down(fault.retry_after_s, fault.words)

    def _counted(self, questions: list[Question]) -> Blindness:
        judging = self.row.judging
        told = candidates(self.scene.run.arms)
        named = [(one, self.ledger.author(one)) for one in questions]
        answered = [(one, name) for one, name in named if name is not None]
        right = sum(one.arm == name for one, name in answered)
        outputs = self.store.known_outputs(judging.run)
        finds = [outputs[one.arm, one.item].masked for one in questions]
        return Blindness(
            run_name=judging.run,
            pass_id=judging.id,
            judge_name=judging.judge_name,
            asked=len(answered),
            unanswered=len(named) - len(answered),
            right=right,
            accuracy=clopper_pearson(right, len(answered)),
            chance=1 / len(told),
            scan_finds=sum(finds),
            scan_outputs=sum(1 for n in finds if n),
            arms=tuple(
                NamedArm(
                    arm=arm,
                    shown_as=text,
                    asked=sum(one.arm == arm for one, _ in answered),
                    right=sum(one.arm == arm == name for one, name in answered),
                    named=sum(name == arm for _, name in answered),
                )
                for arm, text in told.items()
            ),
            calls=self.limits.calls,
            cost_usd=self.limits.spent_usd if self.limits.cost and self.limits.cost_known else None,
            content_sha256=self.row.content_sha256 or "",
        )
