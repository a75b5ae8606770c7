"""`judge compare`: the judge is asked, blind and per item, in what the outputs differ in kind.

A question of its own beside the passes on a run: nothing of it is a mark or counts towards
a rating. Sent as a pass is (intention and raw reply on disk first, resumed by the same
command), its requests and answers in tables of their own.
"""

import shlex
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from judgebench.blind import order
from judgebench.errors import (
    JudgebenchError,
    JudgeFailures,
    RunError,
    Unfinished,
)
from judgebench.judges import config, contrast, prices, wire
from judgebench.judges.ask import Answer
from judgebench.judges.budget import Limits
from judgebench.judges.config import ReplayChoice
from judgebench.judges.contrast import ContrastForm
from judgebench.judges.transports import batch, replay
from judgebench.judges.transports.base import run
from judgebench.judges.validate import read_reply
from judgebench.model import (
    Blinding,
    Block,
    Judge,
    Locator,
    Price,
    RawReply,
    Reason,
    Rendered,
    Request,
    Usage,
)
from judgebench.model.contrasts import Contrasts
from judgebench.pipeline.choices import Choices
from judgebench.pipeline.contrast_plan import (
    as_judged,
    comparable_items,
    contrast_pass,
    contrast_request,
    recorded,
)
from judgebench.pipeline.contrast_recording import (
    ContrastRecording,
    contrast_header,
    open_contrast_recording,
)
from judgebench.pipeline.contrasts import contrasts_of
from judgebench.pipeline.prepare import Preparer
from judgebench.pipeline.scene import Scene, World, find_judge, open_scene
from judgebench.pipeline.score import open_store
from judgebench.pipeline.send import Progress, SendReport, Skip, send_pass
from judgebench.pipeline.sending import CallJournal, price_of
from judgebench.pipeline.standing import RETRIED, judge_facts, locators, take_in
from judgebench.pipeline.unbooked import Unbooked, booked, unbooked
from judgebench.pipeline.ways import way_to
from judgebench.runs import load
from judgebench.store.contrasts import ContrastAnswer, ContrastPass, asked_again, request_of
from judgebench.store.store import Store
from judgebench.store.writer import Writer
from judgebench.text import digest, plural

MOST_ITEMS = 60
"""Items that are drawn where no other number is given."""
BESIDE = "contrasts.jsonl"
"""Beside the recording of marks that run.yaml names: recorded differences in kind."""
SAMPLE = 50
REPLY_TOKENS_A_LABEL = 220
_OK = 200


@dataclass(frozen=True, kw_only=True)
class Compared:
    """What one start came to."""

    scene: Scene
    contrasts: Contrasts | None
    """None after a dry run."""
    sent: SendReport | None
    planned: int
    open: int
    """Requests without an answer when it began."""
    prompt_tokens: int = 0
    """Estimated, after a dry run."""
    completion_tokens: int = 0
    cost_usd: float | None = None
    written: tuple[Path, ...] = ()
    """Files of open requests, where they were to be written."""
    error: JudgebenchError | None = None
    """To be raised once what is known is printed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Prepared:
    request: Request
    rendered: Rendered
    form: ContrastForm
    texts: dict[str, str]
    """By label, as sent."""


def compare(
    choices: Choices,
    world: World,
    progress: Callable[[Progress], None],
    *,
    items: int | None,
    export: Path | None = None,
) -> Compared:
    """Ask what was not asked yet, and read what is known.

    Args:
        choices: Run, judge, budgets.
        world: Clock, environment, ears.
        progress: Told how far it is.
        items: At most so many items, drawn by the seed; None for `MOST_ITEMS`.
        export: Write the open requests here, in the batch format, and send nothing.

    Raises:
        JudgebenchError: Nothing could be done; the message says what to mend.
    """
    scene = open_scene(choices.where, choices.rubric, world)
    if len(scene.run.arms) < 2:  # noqa: PLR2004 - two can differ
        raise RunError(
            scene.run.path, "has one arm, and outputs of two or more are compared", "add an arm"
        )
    judge, recording = _judge(choices, scene, world)
    key = "" if recording or choices.dry_run or export else config.api_key(judge, world.env)
    price = None if recording else price_of(judge, choices)
    with open_store(scene, kept=not choices.dry_run) as store:
        asking = _Asking.begin(
            store, scene, judge, choices=choices, world=world, recording=recording, price=price,
            items=items,
        )  # fmt: skip
        open_ = len(list(asking.open()))
        name = f"comparison {asking.row.pass_id} (judge {judge.name})"
        world.say(f"{name}: {open_} of {plural(asking.planned, 'request')} open")
        if choices.dry_run:
            return asking.estimated(open_)
        if export is not None:
            return asking.exported(export)
        asking.read_late()
        sent = None
        if next(asking.open(), None) is not None:
            way = recording.transport if recording else None
            sent = asking.send(way or (lambda: way_to(judge, key, choices.concurrency)), progress)
        found = contrasts_of(store, asking.row)
    error = asking.error(found, sent)
    if error is not None and not found.answered:
        raise error
    return Compared(
        scene=scene, contrasts=found, sent=sent, planned=found.planned, open=open_, error=error
    )


def _judge(choices: Choices, scene: Scene, world: World) -> tuple[Judge, ContrastRecording | None]:
    """Who is asked, or whose answers are replayed."""
    found = find_judge(choices, scene, world)
    if isinstance(found, ReplayChoice):
        path = found.path
        if choices.judge is None:
            # The run's own recording is of marks; of differences one may stand beside it.
            path = path.with_name(BESIDE)
        if choices.judge is None and not path.is_file():
            raise JudgebenchError(
                "the recording of this run holds marks and no differences in kind; name who is to "
                "be asked: --judge PROVIDER/MODEL"
            )
        recording = open_contrast_recording(path)
        return recording.judge, recording
    return found, None


@dataclass(kw_only=True)
class _Asking:
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
    ) -> "_Asking":
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
        comparable, left_out = comparable_items(store, scene.run_key)
        drawn = sorted(
            comparable, key=lambda item: (order.derive_seed(str(seed), "contrast", item), item)
        )
        requests = [contrast_request(judging, comparable[item]) for item in drawn]
        requests = recorded(requests, recording) if recording else requests[: items or MOST_ITEMS]
        if not requests:
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
            left_out=left_out,
            not_drawn=len(comparable) - len(requests),
            started_at=world.now().isoformat(timespec="microseconds"),
        )
        store.put_contrast_pass(row, requests)
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
            planned=len(requests),
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

    def prepare(self, request: Request) -> _Prepared | Skip:
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
        return _Prepared(request=request, rendered=rendered, form=form, texts=dict(parts))

    # --- answers

    def finish(
        self, prepared: _Prepared, answer: Answer, spent: Mapping[str, Unbooked]
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
            cost_usd=self._cost(answer.usage) if not answer.usage_unknown else None,
            model_answered=reading.model,
        )

    def _cost(self, usage: Usage) -> float | None:
        return prices.cost_usd(self.price, usage)

    def _unbooked(self) -> dict[str, Unbooked]:
        found = self.store.rows("contrast_calls", pass_id=self.row.pass_id)
        return unbooked(values[:5] for values in found)

    def read_late(self) -> None:
        """Read replies that a kill left between arriving and being read; none is asked again."""
        settled = self._settled() or wire.first(self.judge)
        calls = self.store.rows("contrast_calls", pass_id=self.row.pass_id)
        waiting = {values[0]: values for values in calls if values[2] == _OK}
        spent = self._unbooked()
        done = 0
        with Writer(self.store) as writer:
            for request in self.open() if waiting else ():
                prepared = self.prepare(request) if request.key in waiting else None
                if not isinstance(prepared, _Prepared):
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

    def _settled(self) -> wire.Settled | None:
        return wire.Settled.from_json(self.row.settled) if self.row.settled else None

    # --- sending

    def send(self, way: Callable[[], object], progress: Callable[[Progress], None]) -> SendReport:
        """Send every open request, or as many as may be."""
        rows = self._open_rows()
        spent = self._unbooked()

        async def main() -> SendReport:
            with Writer(self.store) as writer:
                journal = _Journal(self.store, writer, self.row.pass_id)

                def prepare(request: Request) -> _Prepared | Skip:
                    prepared = self.prepare(request)
                    if isinstance(prepared, _Prepared):
                        journal.know(prepared.rendered.system)
                    return prepared

                async with way() as transport:  # type: ignore[attr-defined]  # an async context
                    return await send_pass(
                        (request for request, _ in rows),
                        prepare=prepare,
                        transport=transport,
                        judge=self.judge,
                        settled=self._settled(),
                        writer=journal,
                        limits=self._limits(),
                        finish=lambda prepared, answer: self.finish(prepared, answer, spent),
                        progress=progress,
                        on_settled=lambda found: self.store.set_contrast_settled(
                            self.row.pass_id, found.as_json()
                        ),
                        attempts={request.key: made for request, made in rows},
                    )

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
            cost=self._cost if self.price is not None else None,
            announce=self.world.say,
        )

    # --- what is said of it

    def estimated(self, open_: int) -> Compared:
        """What the open requests will take; sends nothing."""
        prompt = completion = seen = 0
        for request in islice(self.open(), SAMPLE):
            prepared = self.prepare(request)
            if isinstance(prepared, _Prepared):
                seen += 1
                rendered = prepared.rendered
                prompt += prices.estimate_tokens(rendered.system + rendered.user)
                completion += REPLY_TOKENS_A_LABEL * len(prepared.form.labels)
        scale = open_ / seen if seen else 0.0
        usage = Usage(
            prompt_tokens=round(prompt * scale), completion_tokens=round(completion * scale)
        )
        return Compared(
            scene=self.scene,
            contrasts=None,
            sent=None,
            planned=self.planned,
            open=open_,
            prompt_tokens=usage.prompt_tokens or 0,
            completion_tokens=usage.completion_tokens or 0,
            cost_usd=prices.cost_usd(self.price, usage) if open_ else 0.0,
        )

    def exported(self, out: Path) -> Compared:
        """Write the open requests to a batch file, with a header beside it; sends nothing."""
        settled = self._settled() or wire.first(self.judge)
        made = (self.prepare(request) for request in self.open())
        plan = ((one.rendered, one.form) for one in made if isinstance(one, _Prepared))
        done = batch.export(plan, out, judge=self.judge, settled=settled)
        header = contrast_header(
            self.row, self.judge.provider, settled, dict(done.request_sha256), self.world
        )
        path = replay.header_path(out)
        path.write_text(header.model_dump_json(indent=1) + "\n", encoding="utf-8")
        return Compared(
            scene=self.scene,
            contrasts=None,
            sent=None,
            planned=self.planned,
            open=len(done.request_sha256),
            written=(*done.paths, path),
        )

    def error(self, found: Contrasts, sent: SendReport | None) -> JudgebenchError | None:
        """Why this start is not wholly good."""
        if sent is not None and sent.error is not None:
            return sent.error
        if sent is not None and sent.skipped and not sent.interrupted:
            run_ = shlex.quote(str(self.choices.where.run))
            return Unfinished(
                f"unfinished: {sent.skipped} of {plural(self.planned, 'request')} have no answer; "
                f"judge compare {run_} goes on with them"
            )
        if found.blocked > self.choices.max_judge_failures:
            return JudgeFailures(
                f"answers blocked on the judge's side: {found.blocked}, allowed: "
                f"{self.choices.max_judge_failures} (--max-judge-failures)"
            )
        return None


class _Journal(CallJournal):
    """The store's writer, for answers in what outputs differ."""

    def judged(self, made: ContrastAnswer) -> Awaitable[None]:
        """One request is done."""
        return self._writer.put_soon(self._writer.contrasted_op(self._pass_id, made))
