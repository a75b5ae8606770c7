"""Rows of questions in what outputs differ in kind: what is asked, and what became of it."""

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import asdict
from typing import Any

from judgebench.model.collected import Block, Usage
from judgebench.model.contrasts import Contrast, Side, SideQuote
from judgebench.model.nouns import Mark, Part, Purpose, Request
from judgebench.model.reasons import Reason
from judgebench.records import dataclass
from judgebench.text import canonical_json

Row = tuple[Any, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ContrastPass:
    """One blind question about a run to one judge; fields are columns of `contrast_passes`."""

    pass_id: str
    run: str
    judge_sha256: str
    judge_name: str
    judge_model: str
    prompt_version: str
    blinding: str
    seed: int
    route: str
    recording: str | None
    recorded_at: str | None
    settled: str | None
    left_out: int
    not_drawn: int
    started_at: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ContrastAnswer:
    """What became of one request."""

    key: str
    status: str
    """``ok`` or ``blocked``."""
    contrasts: tuple[Contrast, ...]
    """By label, quotes checked."""
    blocked: Block | None
    calls: int
    in_doubt: int
    usage: Usage
    cost_usd: float | None
    model_answered: str | None

    @property
    def marks(self) -> tuple[Mark, ...]:
        """None: nothing is marked."""
        return ()

    @property
    def judgments(self) -> tuple["ContrastAnswer", ...]:
        """Itself: a request has one answer, whatever it shows."""
        return (self,)


def request_row(request: Request) -> Row:
    """A planned request."""
    parts = canonical_json([asdict(part) for part in request.parts])
    return (
        request.pass_id,
        request.key,
        request.position,
        request.item,
        request.item_sha256,
        parts,
        True,
    )


def request_of(pass_id: str, values: Row) -> Request:
    """A request as `contrast_open` gives it."""
    key, position, item, item_sha256, parts = values
    return Request(
        key=key,
        pass_id=pass_id,
        position=position,
        item=item,
        item_sha256=item_sha256,
        parts=parts_of(parts),
        repeat=1,
        purpose=Purpose.CONTRAST,
    )


def parts_of(text: str) -> tuple[Part, ...]:
    """The outputs of a request in the order shown."""
    return tuple(Part(**one) for one in json.loads(text))


def answer_row(pass_id: str, answer: ContrastAnswer, *, judged_at: float) -> Row:
    """An answer."""
    return (
        pass_id,
        answer.key,
        answer.calls,
        answer.in_doubt,
        answer.status,
        answer.blocked.reason.value if answer.blocked else None,
        answer.blocked.message if answer.blocked else "",
        json.dumps([asdict(one) for one in answer.contrasts]),
        answer.usage.prompt_tokens,
        answer.usage.completion_tokens,
        answer.usage.reasoning_tokens,
        answer.cost_usd,
        answer.model_answered,
        judged_at,
    )


def contrasts_of(text: str, *, item: str, names: dict[str, str]) -> tuple[Contrast, ...]:
    """The differences that an answer holds.

    Args:
        text: As stored.
        item: Of the request.
        names: Label → arm: here the names are put back.
    """
    return tuple(
        Contrast(
            kind=one["kind"],
            item=item,
            sides=tuple(_side(side, names) for side in one["sides"]),
            contradicted=one["contradicted"],
        )
        for one in json.loads(text)
    )


def _side(side: dict[str, Any], names: dict[str, str]) -> Side:
    # A judge may name labels all the same, and a reader knows none of them.
    labels = "|".join(map(re.escape, names))
    return Side(
        amount=side["amount"],
        trait=re.sub(labels, lambda label: names[label[0]], side["trait"]),
        quotes=tuple(
            SideQuote(name=names[one["name"]], text=one["text"], found=one["found"])
            for one in side["quotes"]
        ),
    )


def asked_again(retry: Collection[Reason] = ()) -> list[str]:
    """Reasons that leave a request open."""
    always: Iterable[Reason] = (reason for reason in Reason if reason.asked_again)
    return sorted({reason.value for reason in (*always, *retry)})
