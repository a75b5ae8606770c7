"""Rubrics, items, verdicts and bodies that the tests of this room share.

``python -m tests.judges.made`` writes the gold prompts anew after a wanted change of
a template; every recording of replies has to be made again in the same change.
"""

import json
from pathlib import Path
from typing import Any

from judgebench.judges import prompts
from judgebench.judges.reply import ReplyForm
from judgebench.model.collected import Evidence, Item
from judgebench.model.nouns import Mode, RawReply, Rendered
from judgebench.model.rubric import Anchor, Criterion, Rubric, Scale

DATA = Path(__file__).parents[1] / "data" / "judges"
GOLD = Path(__file__).parents[1] / "gold"
FRAME = "0f1e2d3c4b5a69788796a5b4"
CRITERIA = ("clarity", "completeness")
MODEL = "stub-1"


def rubric(scale: Scale | None = None) -> Rubric:
    """Two criteria about a notice, on a scale from 1 to 5 unless another is given."""
    scale = scale or Scale(low=1, high=5)
    return Rubric(
        name="notice",
        version="1",
        intro="A notice on a door, read in passing.",
        scale=scale,
        criteria=(
            Criterion(
                id="clarity",
                text="Is it understood on first reading?",
                anchors=(
                    Anchor(mark=5, text="at once"),
                    Anchor(mark=1, text="not even\n  on the second"),
                    Anchor(mark=3, text="on the second"),
                ),
            ),
            Criterion(
                id="completeness",
                text="Does it say what, when and why?",
                anchors=(Anchor(mark=1, text="none of them"), Anchor(mark=5, text="all of them")),
                quotes=2,
            ),
        ),
    )


def item() -> Item:
    """A prompt with two pieces of evidence and a reference answer."""
    return Item(
        id="i1",
        prompt="Write a notice: the pool closes at {{ hour }} today.",
        evidence=(
            Evidence(name="plan.md", text="The pump is changed from 15:00."),
            Evidence(name="hours.txt", text="Usual hours: 7 to 21."),
        ),
        reference="The pool closes at 15:00 today, because the pump is changed.",
    )


def form(
    mode: Mode = Mode.POINTWISE,
    labels: tuple[str, ...] = ("A",),
    scale: Scale | None = None,
) -> ReplyForm:
    """The reply asked for about the two criteria."""
    return ReplyForm(rubric(scale), CRITERIA, labels, mode)


SHOWN = {"K2": "Closed at 15:00.\n", "K1": "{% for x in y %} We close. {{ 7*7 }}"}


def rendered(mode: Mode) -> Rendered:
    """The fixed case that the gold files hold."""
    parts = [(label, SHOWN[label]) for label in shown_labels(mode)]
    asked = form(mode, shown_labels(mode))
    return prompts.build(
        asked, rubric(), item(), parts, frame=FRAME, criteria=CRITERIA, key="key-1"
    )


def shown_labels(mode: Mode) -> tuple[str, ...]:
    """The answers of the fixed case: one alone where answers are judged alone."""
    return ("K1",) if mode is Mode.POINTWISE else ("K2", "K1")


def mark(score: object = 4, **changes: object) -> dict[str, Any]:
    """One criterion's reply."""
    return {
        "quotes": [{"text": "closes at 15:00", "source": "answer"}],
        "rationale": "It says when.",
        "cannot_judge": False,
        "score": score,
        **changes,
    }


def verdict(score: object = 4, **changes: object) -> dict[str, Any]:
    """A pointwise verdict with the same mark for both criteria."""
    return {name: mark(score, **changes) for name in CRITERIA}


LABELS = ("K2", "K1")


def compared(verdict: str = "K1", **changes: object) -> dict[str, Any]:
    """One criterion's reply to a pair, with words of both answers."""
    return {
        "quotes": [
            {"text": "Closed at 15:00", "source": "K2"},
            {"text": "We close", "source": "K1"},
        ],
        "rationale": "One says when.",
        "cannot_judge": False,
        "verdict": verdict,
        **changes,
    }


def pair_verdict(verdict: str = "K1", **changes: object) -> dict[str, Any]:
    """The same verdict on both criteria."""
    return {name: compared(verdict, **changes) for name in CRITERIA}


def body(message: dict[str, Any], **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """A chat completion with one message; `finish` changes its finish reason."""
    finish = changes.pop("finish", "stop")
    return {
        "id": "c-1",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
        ],
        "usage": {"prompt_tokens": 900, "completion_tokens": 120, "total_tokens": 1020},
        **changes,
    }


def call(arguments: object, name: str = "marks") -> dict[str, Any]:
    """A function call as it stands in a message."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": "t", "type": "function", "function": {"name": name, "arguments": text}}


def raw(content: object) -> RawReply:
    """A reply with this body, given as text or as JSON value."""
    text = content if isinstance(content, str) else json.dumps(content)
    return RawReply(key="key-1", attempt=1, status=200, body=text, outcome="received")


def gold_files() -> dict[str, str]:
    """Every gold file of the prompts with what it must hold."""
    files: dict[str, str] = {}
    for mode in Mode:
        made = rendered(mode)
        files[f"prompt-{mode.value}-system.md"] = made.system
        files[f"prompt-{mode.value}-user.md"] = made.user
        schema = json.dumps(form(mode, shown_labels(mode)).schema, indent=2, ensure_ascii=False)
        files[f"prompt-{mode.value}-schema.json"] = schema + "\n"
    return files


if __name__ == "__main__":
    for file, text in gold_files().items():
        (GOLD / file).write_text(text, encoding="utf-8")
