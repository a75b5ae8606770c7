"""Small nouns for the tests of the store."""

import hashlib
from collections.abc import Iterator
from typing import Any

from judgebench.model.collected import Usage
from judgebench.model.nouns import (
    Blinding,
    Judgment,
    Mark,
    Mode,
    Part,
    Pass,
    Purpose,
    Quote,
    RawReply,
    Request,
)
from judgebench.model.rubric import Total
from judgebench.store.passes import PassRow
from judgebench.store.rows import OutputRow
from judgebench.store.store import Store

PID = "p1"
RUN = "autumn"
CRITERIA = ("clarity", "completeness", "tone", "truth")


def judgment_count(store: Store) -> int:
    """How many judgments stand in the file."""
    ((count,),) = store.cursor().execute("SELECT count(*) FROM judgments").fetchall()
    return int(count)


def sha(text: str) -> str:
    """A hash that looks like the real ones."""
    return hashlib.sha256(text.encode()).hexdigest()


def pass_row(pass_id: str = PID, *, ordinal: int = 1) -> PassRow:
    """A pass on the run."""
    return PassRow(
        judging=Pass(
            id=pass_id,
            run=RUN,
            judge_name="mine",
            judge_sha256=sha("judge"),
            judge_model="stub-1",
            rubric_name="notice",
            ask_sha256=sha("ask"),
            prompt_version="v1",
            mode=Mode.POINTWISE,
            blinding=Blinding.MASK,
            seed=2**47,
            repeats=1,
        ),
        ordinal=ordinal,
        rubric_version="1",
        sum_sha256=sha("sum"),
        started_at="2026-09-05T10:00:00+00:00",
        first_items=2,
    )


def request(n: int, *, arm: str = "north", text: str = "", purpose: str = "main") -> Request:
    """The n-th pointwise request; another `text` gives it another key."""
    part = Part(label="answer", arm=arm, output_sha256=sha(text), sent_sha256=sha(text))
    return Request(
        key=sha(f"{n}{arm}{text}")[:32],
        pass_id=PID,
        position=n,
        item=f"i{n}",
        item_sha256=sha(f"item {n}"),
        parts=(part,),
        repeat=1,
        purpose=Purpose(purpose),
    )


def requests(count: int) -> Iterator[Request]:
    """A plan of one arm."""
    return (request(n) for n in range(count))


def output_row(arm: str, item: str, **changes: Any) -> OutputRow:  # noqa: ANN401 - fields by name
    """An output that may be judged."""
    values: dict[str, Any] = {
        "run": RUN,
        "arm": arm,
        "item": item,
        "sha256": sha(arm + item),
        "sent_sha256": sha(arm + item),
        "chars": 100,
        "path": f"{arm}/{item}/output.md",
    }
    return OutputRow(**{**values, **changes})


def reply(asked: Request, *, attempt: int = 1, body: str = "{}", **changes: Any) -> RawReply:  # noqa: ANN401 - fields by name
    """An answer of the endpoint."""
    values: dict[str, Any] = {
        "key": asked.key,
        "attempt": attempt,
        "status": 200,
        "body": body,
        "outcome": "received",
        "elapsed_s": 0.5,
        "sent_at": 100.0,
    }
    return RawReply(**{**values, **changes})


def judgment(asked: Request, *, mark: float = 4.0, **changes: Any) -> Judgment:  # noqa: ANN401 - fields by name
    """An ok judgment with a quote a mark."""
    part = asked.parts[0]
    values: dict[str, Any] = {
        "key": asked.key,
        "label": part.label,
        "arm": part.arm,
        "item": asked.item,
        "repeat": asked.repeat,
        "purpose": asked.purpose,
        "status": "ok",
        "marks": tuple(
            Mark(
                criterion=criterion,
                mark=mark,
                rationale=f"because of {criterion}",
                quotes=(Quote(text="these words", source="answer", start=3, end=14),),
            )
            for criterion in CRITERIA
        ),
        "calls": 1,
        "usage": Usage(prompt_tokens=700, completion_tokens=90),
        "model_answered": "stub-1",
    }
    return Judgment(**{**values, **changes})


def total(value: float = 4.0) -> Total:
    """A total that nothing held down."""
    return Total(value=value, uncapped=value)
