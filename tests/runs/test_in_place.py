"""Error pages, API replies and the like in the place of an answer, by what was asked."""

from dataclasses import replace

import pytest

from judgebench.model.collected import Item, Output, Record, Run
from judgebench.model.projects import Project
from judgebench.model.reasons import Reason
from judgebench.runs.blocked import decide
from judgebench.runs.flagged import flags
from judgebench.runs.survey import Survey
from tests.runs.test_blocked import CUT, ITEM, STOP, make_run, out

PAGE = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>"
OBJECT = '{"error": {"message": "Overloaded", "type": "server_error"}}'
MESSAGE = "Error: 429 Too Many Requests."
RUN = make_run()


def reasons(output: Output, *, item: Item = ITEM, run: Run = RUN) -> list[Reason]:
    """Why an output is blocked."""
    return [block.reason for block in decide(output, item, run, Survey())]


def suspected(output: Output, *, item: Item = ITEM, run: Run = RUN) -> str:
    """What an output is suspected to be; empty where it is not."""
    found = [flag for flag in flags(output, item, run, Survey()) if flag.startswith("looks_cut: ")]
    return found[0].removeprefix("looks_cut: ") if found else ""


def asking(prompt: str) -> Item:
    """An item with another prompt; records here tell no hash of it."""
    return replace(ITEM, prompt=prompt)


REPORTS = [
    (PAGE, Reason.TRANSPORT),
    ("<html><h1>Error 503</h1></html>", Reason.TRANSPORT),
    ("<html><title>example.org | 504: Gateway time-out</title></html>", Reason.TRANSPORT),
    ("<html><title>Application Error</title></html>", Reason.HARNESS),
    ("<html><h1>403 Forbidden</h1></html>", Reason.HARNESS),
    ("<html><title>429 Too Many Requests</title></html>", Reason.PROVIDER_WINDOW),
    (OBJECT, Reason.TRANSPORT),
    ('{"type": "error", "error": {"type": "x", "message": "y"}}', Reason.HARNESS),
    (
        '{"type": "error", "error": {"type": "overloaded_error", "message": "x"}, "id": "r"}',
        Reason.TRANSPORT,
    ),
    ('{"error": {"code": "context_length_exceeded", "message": "too long"}}', Reason.HARNESS),
    ('{"error": {"type": "content_filter", "message": "withheld"}}', Reason.CONTENT_FILTER),
    ('{"error": {"code": 429, "message": "slow down"}}', Reason.PROVIDER_WINDOW),
    ('{"error": {"code": 502, "message": "no provider"}}', Reason.TRANSPORT),
    (
        '[{"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}]',
        Reason.TRANSPORT,
    ),
    ('{"object": "error", "message": "x", "type": "NotFoundError", "code": 404}', Reason.HARNESS),
    ("upstream connect error or disconnect/reset before headers.", Reason.TRANSPORT),
    (MESSAGE, Reason.PROVIDER_WINDOW),
    ('API Error: 529 {"type":"error"}', Reason.TRANSPORT),
    ("openai.RateLimitError: Error code: 429.", Reason.PROVIDER_WINDOW),
    ("APITimeoutError: Request timed out.", Reason.TIMEOUT),
    (
        "Traceback (most recent call last):\n  File 'x'\nhttpx.ReadTimeout: none.",
        Reason.TIMEOUT,
    ),
]  # fmt: skip


@pytest.mark.parametrize("record", [STOP, CUT], ids=["stop", "unknown"])
@pytest.mark.parametrize(("text", "reason"), REPORTS)
def test_a_failures_own_words_are_blocked_whatever_the_finish_reason_says(
    text: str, reason: Reason, record: Record
) -> None:
    """Nobody asked for an error: it is a harness failure, never a score, and no suspicion."""
    output = out(f"{text}\n", record)
    (block,) = decide(output, ITEM, RUN, Survey())
    assert block.reason is reason
    assert "in place of an answer: " in block.message
    assert "characters of answer" in block.message
    assert suspected(output) == ""


def test_what_the_record_tells_goes_before_what_the_text_says() -> None:
    """A recorded length stays the first reason, and a page is one more."""
    assert reasons(out(PAGE, replace(STOP, finish_reason="length"))) == [
        Reason.LENGTH,
        Reason.TRANSPORT,
    ]


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("Describe the web site in HTML.", PAGE),
        ("What do the 503 lines say?", PAGE),
        ("Erkläre den Fehler.", PAGE),
        ("解释这个错误。", PAGE),
        ("Return the services as JSON.", OBJECT),
        ("¿Qué dice la API?", OBJECT),
        ("Which errors are there?", OBJECT),
        ("Why does the build fail?", MESSAGE),
        ("What does the server say?", MESSAGE),
    ],
)
def test_a_report_that_the_task_comes_near_to_is_suspected(prompt: str, text: str) -> None:
    """Where it may be the answer a person decides; it is not judged as if it were one."""
    item, record = asking(prompt), replace(STOP, prompt_sha256=None)
    assert reasons(out(text, record), item=item) == []
    assert "error" in suspected(out(text, record), item=item)
    assert suspected(out(text, replace(record, finish_reason=None)), item=item)


@pytest.mark.parametrize("text", [PAGE, OBJECT, MESSAGE])
def test_a_file_or_a_number_of_words_asks_for_no_error(text: str) -> None:
    """What an answer leans on, and how long it may be, explain no report of a failure."""
    item, record = asking("Assess scan.json in 500 words."), replace(STOP, prompt_sha256=None)
    assert len(reasons(out(text, record), item=item)) == 1


@pytest.mark.parametrize("text", [PAGE, OBJECT, MESSAGE])
def test_evidence_that_holds_a_report_makes_it_a_suspicion(text: str) -> None:
    """What stands in the material may be repeated; that it speaks of errors explains nothing."""
    log = replace(ITEM.evidence[0], text="12:00 error 502 of the gateway")
    assert len(reasons(out(text), item=replace(ITEM, evidence=(log,)))) == 1
    log = replace(log, text=f"It said\n {text} \nand closed.")
    item = replace(ITEM, evidence=(log,))
    assert reasons(out(text), item=item) == []
    assert "error" in suspected(out(text), item=item)


def test_without_prompts_a_report_is_suspected() -> None:
    """Nothing is known of what was asked."""
    run = make_run(has_prompt=False)
    assert reasons(out(PAGE), run=run) == []
    assert suspected(out(PAGE), run=run) == "it is an error page"


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("Write an error page for our shop.", PAGE),
        ("Write a friendly 502 page.", PAGE),
        ("Schreibe eine Fehlerseite.", PAGE),
        ("Écris une page d'erreur.", PAGE),
        ("写一个错误页面。", PAGE),
        ("Show the error response in JSON.", OBJECT),
        ("Which status line does the server send?", "404 Not Found"),
        ("What exception is raised?", "openai.RateLimitError: Error code: 429."),
        ("Give an example of a chat completion.", '{"object": "chat.completion", "choices": []}'),
        ("Write what the stream sends.", "data: [DONE]"),
        ("Put your thoughts in <think> tags.", "<think>It holds.</think>"),
        ("Call a tool.", '<tool_call>{"name": "x"}</tool_call>'),
    ],
)
def test_what_was_asked_for_is_an_answer(prompt: str, text: str) -> None:
    """With a finish reason it is judged; without one it is suspected."""
    item, record = asking(prompt), replace(STOP, prompt_sha256=None)
    assert reasons(out(text, record), item=item) == []
    assert suspected(out(text, record), item=item) == ""
    assert suspected(out(text, replace(record, finish_reason=None)), item=item)


@pytest.mark.parametrize("record", [STOP, CUT], ids=["stop", "unknown"])
@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ('{"detail": "Not Found"}', "message of a provider"),
        (f"404 Not Found. {'The page explains why. ' * 30}", "client or gateway"),
        ('{"id": "1", "object": "chat.completion", "choices": []}', "whole reply"),
        ('{"choices": [{"message": {"content": null}}], "usage": {}}', "whole reply"),
        ('{"type": "message", "role": "assistant", "content": []}', "whole reply"),
        ('{"candidates": [], "modelVersion": "m"}', "whole reply"),
        ('[{"type": "text", "text": "Two services."}]', "list of parts"),
        ('data: {"choices": []}\n\ndata: [DONE]', "stream"),
        ("<think>I should look at it.", "never closed"),
        ("<think>It holds.</think>\n", "reasoning and no answer"),
        ('<tool_call>{"name": "scan"}</tool_call>', "call of a tool"),
        ('[TOOL_CALLS] [{"name": "scan"}]', "call of a tool"),
    ],
)
def test_other_leftovers_are_suspected(text: str, sign: str, record: Record) -> None:
    """An answer may stand inside of them, so they are not blocked."""
    assert reasons(out(text, record)) == []
    assert sign in suspected(out(text, record))


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE html><html><title>Shop</title><p>500 offers.</p></html>",
        '{"error": "none"}',
        '{"error": {"message": "x", "type": "y"}, "services": []}',
        '[{"error": {"message": "x", "type": "y"}}, {"a": 1}]',
        "404 Not Found is what the server says, and its page explains why.",
        "502 services stand there.",
        "Traceback (most recent call last):\nValueError: x.",
        "<think>It holds.</think>\nIt holds.",
        '<tool_call>{"name": "scan"}</tool_call>\nIt holds.',
    ],
)
def test_answers_that_speak_of_failures_are_answers(text: str) -> None:
    """A page of a shop, a sentence, an object with more in it."""
    assert reasons(out(text)) == []
    assert suspected(out(text)) == ""


def test_a_project_is_no_error_page() -> None:
    """Its files are looked at by other rules."""
    output = replace(out(PAGE), project=Project(files=()))
    assert reasons(output) == []
    assert suspected(output) == ""
