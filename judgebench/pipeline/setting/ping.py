"""One tiny structured request: does the judge answer, and in which form?"""

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from judgebench.errors import JudgeConfigError, JudgeSetupError
from judgebench.judges import config, prompts
from judgebench.judges.ask import Answer, ask
from judgebench.judges.budget import Limits
from judgebench.judges.config import ReplayChoice
from judgebench.judges.reply import ReplyForm
from judgebench.judges.settle import settle
from judgebench.judges.transports.base import Transport, run
from judgebench.judges.wire import Settled
from judgebench.model.collected import Item
from judgebench.model.nouns import Intent, Judge, Mode, RawReply
from judgebench.model.rubric import Criterion, Rubric, Scale
from judgebench.pipeline.setting.ways import way_to
from judgebench.text import plural

CALLS = 3
"""Calls at most: the first, and two in another form where the endpoint refuses."""
_RUBRIC = Rubric(
    name="ping",
    version="1",
    scale=Scale(low=1, high=5),
    criteria=(Criterion(id="clarity", text="Is the answer clear on first reading?", quotes=0),),
)
_ITEM = Item(id="ping", prompt="Say in one sentence what a kettle is for.")
_TEXT = "A kettle heats water."


class _Nowhere:
    """A journal for calls that nobody keeps."""

    def intend(self, call: Intent) -> "Future[Any]":
        """Nothing is written."""
        del call
        return _done()

    def received(self, raw: RawReply) -> "Future[Any]":
        """Nothing is written."""
        del raw
        return _done()


def _done() -> "Future[Any]":
    future: Future[Any] = Future()
    future.set_result(None)
    return future


def ping(name: str | None, *, judges_toml: Path | None, env: Mapping[str, str]) -> str:
    """Ask a judge for one mark and say in one line what came back.

    Raises:
        JudgeConfigError: The judge cannot be found, or is a recording.
        JudgeSetupError: The endpoint refuses, or gives no usable answer.
    """
    judge = config.resolve_judge(name, judges_toml=judges_toml, env=env, run=None)
    if isinstance(judge, ReplayChoice):
        raise JudgeConfigError("judge", "is a recording", "name a judge that can be asked")
    key = config.api_key(judge, env)
    settled, answer = run(_ask(judge, key))
    if answer.reading.status != "ok":
        raise JudgeSetupError(f"{judge.name}: {answer.reading.message}; see judge explain judges")
    usage = answer.usage
    mark = answer.reading.marks["answer"][0].mark
    return (
        f"{judge.name} answers: mode {settled.mode}, schema {settled.schema}, "
        f"parameters {', '.join(settled.params) or 'none'}; mark {mark:g} of 5, "
        f"{usage.prompt_tokens} + {usage.completion_tokens} tokens, {plural(answer.calls, 'call')}"
    )


async def _ask(judge: Judge, key: str) -> tuple[Settled, Answer]:
    form = ReplyForm(rubric=_RUBRIC, criteria=("clarity",), labels=("answer",), mode=Mode.POINTWISE)
    rendered = prompts.build(
        form, _RUBRIC, _ITEM, [("answer", _TEXT)], frame="0" * 32, criteria=("clarity",), key="ping"
    )
    async with way_to(judge, key, 1) as transport:
        way: Transport = transport

        async def attempt(settled: Settled, calls: int) -> Answer:
            return await ask(
                "ping",
                rendered,
                form,
                transport=way,
                judge=judge,
                settled=settled,
                journal=_Nowhere(),
                limits=Limits(concurrency=1, max_requests=CALLS - calls),
                attempts_before=calls,
                probing=True,
            )

        return await settle(judge, attempt, announce=lambda _words: None)
