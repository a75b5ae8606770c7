"""One question in what outputs differ in kind: its plan, its requests, its answers.

Sent as a pass is (intention and raw reply on disk first, resumed by the same command), with
requests and answers in tables of their own.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping

from judgebench.blind import order
from judgebench.errors import RunError
from judgebench.judges import contrast, prices, wire
from judgebench.judges.ask import Answer
from judgebench.judges.budget import Limits
from judgebench.judges.contrast import ContrastForm
from judgebench.judges.transports.base import run
from judgebench.judges.validate import read_reply
from judgebench.model.collected import Block, Locator, Usage
from judgebench.model.nouns import Blinding, Judge, Price, RawReply, Rendered, Request
from judgebench.model.reasons import Reason
from judgebench.pipeline.contrasting.plan import as_judged, contrast_pass, draw
from judgebench.pipeline.contrasting.recording import ContrastRecording
from judgebench.pipeline.planning.intake import take_in
from judgebench.pipeline.planning.prepare import Preparer
from judgebench.pipeline.planning.standing import RETRIED, judge_facts
from judgebench.pipeline.planning.wanted import locators
from judgebench.pipeline.sending.one_pass import CallJournal
from judgebench.pipeline.sending.sent import Progress, SendReport
from judgebench.pipeline.sending.unbooked import Unbooked, booked, unbooked
from judgebench.pipeline.sending.workers import PassSender, Skip
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.scene import Scene, World
from judgebench.records import dataclass
from judgebench.runs import load
from judgebench.store.contrasts import ContrastAnswer, ContrastPass, asked_again, request_of
from judgebench.store.store import Store
from judgebench.store.writer import Writer
from judgebench.text import digest, plural

MOST_ITEMS = 60
"""Items that are drawn where no other number is given."""
_OK = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class PreparedContrast:
    """One request, ready to go out, with the texts that its quotes are looked for in."""

    request: Request
    rendered: Rendered
    form: ContrastForm
    texts: dict[str, str]
    """By label, as sent."""


@dataclass(kw_only=True)
class Asking:
    """One question with all that its requests need."""

    store: Store
    scene: Scene
    judge: Judge
    choices: Choices
    world: World
    recording: ContrastRecording | None
    price: Price | None
    row: ContrastPass
    planned: int
    preparer: Preparer
    retry: tuple[Reason, ...]
    leaks: int = 0
    changed: int = 0

    @classmethod
    def begin(  # noqa: PLR0913 - what a start is given, in one place
        cls,
        store: Store,
        scene: Scene,
        judge: Judge,
        *,
        choices: Choices,
        world: World,
        recording: ContrastRecording | None,
        price: Price | None,
        items: int | None,
    ) -> "Asking":
        """Take the run in, find the question or make it, and lay its plan down."""
        blinding, reading = as_judged(store, scene, recording)
        take_in(store, scene, blinding=blinding, reading=reading, world=world)
        store.put_judge(judge, judge_facts(judge))
        identity = digest(
            ["contrast", scene.run_key, judge.sha256, contrast.prompt_version(), blinding.value]
        )
        seed = recording.seed if recording else choices.seed
        if seed is None:
            seed = order.derive_seed(identity)
        judging = contrast_pass(scene, judge, digest([identity, seed])[:12], blinding, seed)
        drawn = draw(store, judging, items or MOST_ITEMS, recording)
        if not drawn.requests:
            raise RunError(
                scene.run.path,
                "has no item with two outputs that may be compared",
                "judge check says what blocks them",
            )
        row = ContrastPass(
            pass_id=judging.id,
            run=scene.run_key,
            judge_sha256=judge.sha256,
            judge_name=judge.name,
            judge_model=judge.model,
            prompt_version=judging.prompt_version,
            blinding=blinding.value,
            seed=seed,
            route="replay" if recording else "live",
            recording=recording.path if recording else None,
            recorded_at=recording.recorded_at if recording else None,
            settled=recording.settled if recording else None,
            left_out=drawn.left_out,
            not_drawn=drawn.not_drawn,
            started_at=world.now().isoformat(timespec="microseconds"),
        )
        store.put_contrast_pass(row, drawn.requests)
        (row,) = (
            one for one in store.find_contrast_passes(scene.run_key) if one.pass_id == judging.id
        )
        return cls(
            store=store,
            scene=scene,
            judge=judge,
            choices=choices,
            world=world,
            recording=recording,
            price=price,
            row=row,
            planned=len(drawn.requests),
            preparer=Preparer(scene.run, scene.rubric, judging),
            retry=RETRIED if choices.retry_blocked else (),
        )

    # --- requests

    def _open_rows(self) -> list[tuple[Request, int]]:
        found = self.store.rows(
            "contrast_open", pass_id=self.row.pass_id, again=asked_again(self.retry)
        )
        return [(request_of(self.row.pass_id, values[:5]), values[5]) for values in found]

    def open(self) -> Iterator[Request]:
        """Requests without a final answer, in their order."""
        return (request for request, _ in self._open_rows())

    def prepare(self, request: Request) -> PreparedContrast | Skip:
        """Read the outputs of a request and render it; one that gives somebody away stays."""
        item = self.preparer.item(request.item)
        found: Mapping[str, Locator] = locators(self.store, self.row.run, [request.item])[
            request.item
        ]
        parts: list[tuple[str, str]] = []
        try:
            for part in request.parts:
                output = load.read_output(
                    self.scene.run, arm=part.arm, item=request.item, locator=found[part.arm]
                )
                text = self.preparer.as_planned(output, item, part.sent_sha256)
                parts.append((part.label, text))
        except RunError:
            self.changed += 1
            return Skip(reason="its output has changed since the plan")
        form = ContrastForm(tuple(label for label, _ in parts))
        rendered = contrast.build(
            form, item, parts, frame=order.frame(self.row.seed, request.key), key=request.key
        )
        if self.row.blinding == Blinding.MASK.value and self.preparer.leaks(rendered, item):
            self.leaks += 1
            return Skip(reason="an identity string is still in the request")
        return PreparedContrast(request=request, rendered=rendered, form=form, texts=dict(parts))

    # --- answers

    def finish(
        self, prepared: PreparedContrast, answer: Answer, spent: Mapping[str, Unbooked]
    ) -> ContrastAnswer:
        """What the store keeps of an answer."""
        key = prepared.request.key
        answer = booked(answer, spent.get(key))
        reading = answer.reading
        good = reading.status == "ok"
        return ContrastAnswer(
            key=key,
            status="ok" if good else "blocked",
            contrasts=contrast.checked(reading.contrasts, prepared.texts) if good else (),
            blocked=None
            if good
            else Block(reason=reading.reason or Reason.JUDGE_INVALID, message=reading.message),
            calls=answer.calls,
            in_doubt=answer.in_doubt,
            usage=answer.usage,
            cost_usd=self.cost(answer.usage) if not answer.usage_unknown else None,
            model_answered=reading.model,
        )

    def cost(self, usage: Usage) -> float | None:
        """US dollars of some usage; None where price or usage is unknown."""
        return prices.cost_usd(self.price, usage)

    def _unbooked(self) -> dict[str, Unbooked]:
        found = self.store.rows("contrast_calls", pass_id=self.row.pass_id)
        return unbooked(values[:5] for values in found)

    def read_late(self) -> None:
        """Read replies that a kill left between arriving and being read; none is asked again."""
        settled = self.settled() or wire.first(self.judge)
        calls = self.store.rows("contrast_calls", pass_id=self.row.pass_id)
        waiting = {values[0]: values for values in calls if values[2] == _OK}
        spent = self._unbooked()
        done = 0
        with Writer(self.store) as writer:
            for request in self.open() if waiting else ():
                prepared = self.prepare(request) if request.key in waiting else None
                if not isinstance(prepared, PreparedContrast):
                    continue
                key, attempt, status, outcome, body, _, asked, *_ = waiting[request.key]
                if wire.request_sha256(prepared.rendered, prepared.form, settled) != asked:
                    continue
                raw = RawReply(key=key, attempt=attempt, status=status, body=body, outcome=outcome)
                reading = read_reply(
                    raw, prepared.form, wire_mode=settled.mode, asked_model=self.judge.model
                )
                if reading.status == "retry":
                    continue
                made = self.finish(prepared, Answer(reading=reading, calls=0), spent)
                writer.put(writer.contrasted_op(self.row.pass_id, made)).result()
                done += 1
        if done:
            self.world.say(f"{plural(done, 'reply', 'replies')} of an earlier start were read")

    def settled(self) -> wire.Settled | None:
        """What the endpoint takes, as far as it was found out."""
        return wire.Settled.from_json(self.row.settled) if self.row.settled else None

    # --- sending

    def send(self, way: Callable[[], object], progress: Callable[[Progress], None]) -> SendReport:
        """Send every open request, or as many as may be."""
        rows = self._open_rows()
        spent = self._unbooked()

        async def main() -> SendReport:
            with Writer(self.store) as writer:
                journal = _Journal(self.store, writer, self.row.pass_id)

                def prepare(request: Request) -> PreparedContrast | Skip:
                    prepared = self.prepare(request)
                    if isinstance(prepared, PreparedContrast):
                        journal.know(prepared.rendered.system)
                    return prepared

                async with way() as transport:  # type: ignore[attr-defined]  # an async context
                    sender = PassSender(
                        prepare=prepare,
                        transport=transport,
                        judge=self.judge,
                        settled=self.settled(),
                        writer=journal,
                        limits=self._limits(),
                        finish=lambda prepared, answer: self.finish(prepared, answer, spent),
                        progress=progress,
                        on_settled=lambda found: self.store.set_contrast_settled(
                            self.row.pass_id, found.as_json()
                        ),
                        attempts={request.key: made for request, made in rows},
                    )
                    return await sender.send(request for request, _ in rows)

        report = run(main())
        for count, words in (
            (self.leaks, "not sent: an identity string is still in them"),
            (self.changed, "not sent: their outputs changed meanwhile; run the command again"),
        ):
            if count:
                self.world.say(f"{plural(count, 'request')} {words}")
        return report

    def _limits(self) -> Limits:
        choices = self.choices
        return Limits(
            concurrency=choices.concurrency,
            rpm=self.judge.rpm,
            tpm=self.judge.tpm,
            max_requests=choices.max_requests,
            budget_usd=choices.budget_usd,
            cost=self.cost if self.price is not None else None,
            announce=self.world.say,
        )


class _Journal(CallJournal):
    """The store's writer, for answers in what outputs differ."""

    def judged(self, made: ContrastAnswer) -> Awaitable[None]:
        """One request is done."""
        return self._writer.put_soon(self._writer.contrasted_op(self._pass_id, made))
