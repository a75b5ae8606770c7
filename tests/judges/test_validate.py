"""Each kind of bad reply: what is said, whether it is asked again, and that it gives no mark."""

import json
import random
import time
from typing import Any

import instructor
import pytest
from openai.types.chat import ChatCompletion

from judgebench.judges.envelope import same_model
from judgebench.judges.reply import ReplyForm
from judgebench.judges.validate import Reading, read_reply
from judgebench.model.collected import Usage
from judgebench.model.nouns import Mode
from judgebench.model.reasons import Reason
from judgebench.model.rubric import Criterion, Rubric, Scale
from tests.clock import HANG_S
from tests.judges import made

BEST, WORST = json.dumps(made.verdict(5)), json.dumps(made.verdict(1))


def read(content: object, form: ReplyForm | None = None, *, mode: str = "json_schema") -> Reading:
    """Read a body as the reply to a pointwise request, unless another form is given."""
    reading = read_reply(
        made.raw(content), form or made.form(), wire_mode=mode, asked_model=made.MODEL
    )
    assert (reading.status == "ok") == bool(reading.marks)
    assert (reading.status == "ok") == (reading.reason is None)
    assert "\n" not in reading.message
    assert len(reading.message) < 400
    return reading


def written(text: str | None, **message: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """A body whose message has this content."""
    return made.body({"content": text, **message})


def called(*arguments: object, content: str | None = None, name: str = "marks") -> dict[str, Any]:
    """A body whose message calls the function once for each of `arguments`."""
    calls = [made.call(one, name) for one in arguments]
    return made.body({"content": content, "tool_calls": calls})


GOOD = {
    "content": written(BEST),
    "content with white space around": written(f"\n {BEST} \n"),
    "one fence and nothing else": written(f"```json\n{BEST}\n```"),
    "one fence without a word": written(f"\n```\n{BEST}\n```\n"),
    "one text part": written(None, content=[{"type": "text", "text": BEST}]),
    "thinking part beside a text part": written(
        None, content=[{"type": "thinking", "text": WORST}, {"type": "text", "text": BEST}, 7]
    ),
    "function call": called(made.verdict(5)),
    "function call with words beside it": called(made.verdict(5), content="Done. {see above}"),
    "function call repeated in the content": called(made.verdict(5), content=BEST),
    "function call whose arguments are an object": made.body(
        {"tool_calls": [{"function": {"name": "marks", "arguments": made.verdict(5)}}]}
    ),
    "old function call": made.body({"function_call": {"name": "marks", "arguments": BEST}}),
    "another verdict in the reasoning": written(BEST, reasoning_content=WORST),
    "no finish reason": made.body({"content": BEST}, finish=None),
    "no model named": made.body({"content": BEST}, model=None),
    "a dated model": made.body({"content": BEST}, model=f"{made.MODEL}-2026-03-05"),
    "an empty refusal": written(BEST, refusal=""),
    "error is null": made.body({"content": BEST}, error=None),
    "quoted verdict inside a rationale": written(json.dumps(made.verdict(5, rationale=WORST))),
}


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("mode", ["json_schema", "tools", "json", "md_json"])
def test_one_valid_verdict_is_read_wherever_it_may_stand(name: str, mode: str) -> None:
    """In content or in the one function call, however it was asked for."""
    reading = read(GOOD[name], mode=mode)
    assert reading.status == "ok", reading.message
    assert [mark.mark for mark in reading.marks["A"]] == [5.0, 5.0]
    assert [mark.criterion for mark in reading.marks["A"]] == list(made.CRITERIA)
    assert reading.marks["A"][0].quotes[0].text == "closes at 15:00"


T, V = Reason.JUDGE_TRANSPORT, Reason.JUDGE_INVALID
TWICE = '{"score": 1, "reason": "x", "score": 5}'
BAD: dict[str, tuple[object, str, Reason, str]] = {
    # name: body, kind, reason, words that the message must hold
    "nothing": ("", "not_json", T, "but sent nothing"),
    "blanks": (" " * 9000, "not_json", T, "but sent nothing visible"),
    "a page": (
        "<html><script>evil()</script><h1>Bad <b>gateway</b></h1><a href=", "not_json", T,
        'an HTML page: "Bad gateway"',
    ),
    "a page without words": ("<!doctype html><script>evil()", "not_json", T, "an HTML page"),
    "a stream": ("data: {}\n\ndata: [DONE]", "not_json", T, "data: {}"),
    "control characters": ("\x1b[2J\x07", "not_json", T, "<U+001B>[2J<U+0007>"),
    "a list": ([1], "not_json", T, "no JSON object"),
    "an error object": (
        {"choices": None, "error": {"message": "upstream took\n too long", "code": 502}},
        "error", T, "upstream took too long",
    ),
    "an error text": ({"error": "\x1b[31mno capacity"}, "error", T, "<U+001B>[31mno capacity"),
    "an error without words": ({"error": {"code": 503}}, "error", T, "503"),
    "an error of unknown shape": ({"error": [{"a": 1}]}, "error", T, '{"a": 1}'),
    "an error in the choice": (
        {"choices": [{"error": {"message": "worker lost"}, "message": {"content": BEST}}]},
        "error", T, "worker lost",
    ),
    "finish reason error": (made.body({"content": BEST}, finish="error"), "error", T, "error"),
    "no choices": (made.body({}, choices=[]), "choices", T, "no choice"),
    "choices null": (made.body({}, choices=None), "choices", T, "no choice"),
    "choice is no object": (made.body({}, choices=["x"]), "choices", T, "no object"),
    "no message": (made.body({}, choices=[{"index": 0}]), "choices", T, "no message"),
    "two choices": (
        made.body({}, choices=[made.body({"content": BEST})["choices"][0]] * 2),
        "second", V, "2 choices",
    ),
    "empty content": (written(""), "empty", V, "is empty"),
    "invisible content": (written("\u200b \u2060"), "empty", V, "is empty"),
    "content is a number": (written(None, content=7), "empty", V, "is empty"),
    "verdict in the reasoning field": (
        written(None, reasoning_content=BEST), "reasoning", V, 'mode = "tools"'
    ),
    "verdict in the other reasoning field": (
        written("", reasoning=BEST), "reasoning", V, "reasoning parser"
    ),
    "prose": (written("Excellent, an easy 5 of 5!"), "form", V, "no verdict in the expected form"),
    "prose before": (written(f"My verdict: {BEST}"), "form", V, "words around it"),
    "prose after": (written(f"{BEST}\nThat is all."), "form", V, "words around it"),
    "fence and prose": (written(f"Here:\n```json\n{BEST}\n```"), "form", V, "words around it"),
    "another language's fence": (written(f"```python\n{BEST}\n```"), "form", V, "words around"),
    "open fence": (written("```json"), "form", V, "expected form"),
    "cut object": (written(BEST[:40]), "form", V, "expected form"),
    "a list of marks": (written("[1, 2]"), "form", V, "no JSON object"),
    "quoted, then given": (written(f"It claims {BEST} but: {WORST}"), "second", V, "more than one"),
    "given, then quoted": (written(f"{WORST}\n(it claimed {BEST})"), "second", V, "more than one"),
    "two fences": (
        written(f"```json\n{BEST}\n```\n```json\n{WORST}\n```"), "second", V, "more than one"
    ),
    "two parts": (
        written(None, content=[{"type": "text", "text": BEST}] * 2), "second", V, "more than one"
    ),
    "two calls": (called(made.verdict(1), made.verdict(5)), "second", V, "2 function calls"),
    "two equal calls": (called(made.verdict(1), made.verdict(1)), "second", V, "more than one"),
    "call and other content": (called(made.verdict(1), content=BEST), "second", V, "more than one"),
    "call and quoted content": (
        called(made.verdict(1), content=f"It claims {BEST}."), "second", V, "more than one"
    ),
    "call of another function": (
        called(made.verdict(5), name="verdict\n"), "form", V, '"verdict" was called'
    ),
    "call without a function": (made.body({"tool_calls": [7]}), "form", V, "no arguments"),
    "call of cut arguments": (called(BEST[:30]), "form", V, "cannot be read"),
    "call of a list": (called("[]"), "form", V, "no JSON object"),
    "call with prose around": (called(f"x {BEST}"), "form", V, "cannot be read"),
    "key twice in content": (written(TWICE), "duplicate_key", V, '"score" is given twice'),
    "key twice in arguments": (
        called(TWICE, content=TWICE, name="verdict"), "duplicate_key", V, "given twice"
    ),
    "criterion twice": (
        written(BEST[:-1] + ', "clarity": 1}'), "duplicate_key", V, '"clarity" is given twice'
    ),
    "key twice in the body": ('{"choices": [], "choices": []}', "duplicate_key", V, "choices"),
    "key twice beside a call": (
        called(made.verdict(5), content=TWICE), "duplicate_key", V, "given twice"
    ),
    "a criterion is missing": (
        written(json.dumps({"clarity": made.mark()})), "form", V, "lacks completeness"
    ),
    "a field is missing": (
        written(json.dumps(made.verdict() | {"clarity": {"score": 4}})), "form", V,
        "lacks clarity.quotes",
    ),
    "an unknown criterion": (
        written(json.dumps(made.verdict() | {"charm\x1b": made.mark()})), "form", V,
        "holds charm<U+001B>, which was not asked for",
    ),
    "an unknown field": (
        written(json.dumps(made.verdict(total=9))), "form", V, "clarity.total"
    ),
    "an unknown source": (
        written(json.dumps(made.verdict(quotes=[{"text": "a", "source": "web"}]))), "form", V,
        "quotes.0.source",
    ),
    "quotes as texts": (written(json.dumps(made.verdict(quotes=["a"]))), "form", V, "quotes.0"),
    "no quotes list": (written(json.dumps(made.verdict(quotes=None))), "form", V, "quotes"),
    "cannot_judge as a word": (
        written(json.dumps(made.verdict(cannot_judge="false"))), "form", V, "cannot_judge"
    ),
    "cannot_judge as a number": (
        written(json.dumps(made.verdict(cannot_judge=0))), "form", V, "cannot_judge"
    ),
    "endless rationale": (
        written(json.dumps(made.verdict(rationale="x" * 16_001))), "form", V, "rationale"
    ),
    "half a character": (
        written(json.dumps(made.verdict(rationale="\ud800"))), "form", V, "cannot be read"
    ),
    "half a character, raw": (
        written(json.dumps(made.verdict(rationale="\ud800"), ensure_ascii=False)), "form", V,
        "cannot be read",
    ),
    "verdict in a wrapper": (
        written(json.dumps({"verdict": made.verdict()})), "form", V, "verdict"
    ),
    "single quotation marks": (written("{'clarity': 4}"), "form", V, "expected form"),
    "hundred braces": (written("{ " * 100), "too_large", V, "too many braces"),
    "bottomless body": ('{"a":' * 10_000, "too_large", V, "nested too deeply"),
    "bottomless content": (written('{"a":' * 10_000), "too_large", V, "nested too deeply"),
    "bottomless prose": (written("x " + '{"a":' * 10_000), "too_large", V, "nested too deeply"),
    "deep but closed": (
        written(BEST[:-1] + ', "z": ' + "[" * 900 + "]" * 900 + "}"), "form", V, "cannot be read"
    ),
    "long number": (written(f'{{"clarity": {"9" * 5000}}}'), "number", V, "too large"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_reply_is_asked_again_and_gives_no_mark(name: str) -> None:
    """Each is named for what it is, the same way in every mode and each time."""
    content, kind, reason, words = BAD[name]
    readings = [read(content, mode=mode) for mode in ("json_schema", "tools", "json", "json")]
    first = readings[0]
    assert (first.status, first.kind, first.reason) == ("retry", kind, reason), first.message
    if kind != "reasoning":
        assert all(reading == first for reading in readings)
    assert words in first.message


FINAL: dict[str, tuple[object, str, Reason, str]] = {
    "cut": (
        made.body({"content": BEST[:50]}, finish="length"), "length", Reason.JUDGE_LENGTH,
        '"length" after 120 completion tokens: the judge reached its own token limit',
    ),
    "cut after a whole verdict": (
        made.body({"content": BEST}, finish="MAX_TOKENS"), "length", Reason.JUDGE_LENGTH,
        "raise its max_tokens",
    ),
    "cut without usage": (
        made.body({"content": ""}, finish="length", usage=None), "length", Reason.JUDGE_LENGTH,
        '"length": the judge',
    ),
    "filtered with a whole verdict": (
        made.body({"content": BEST}, finish="content_filter"), "filter", Reason.JUDGE_FILTER,
        "withheld",
    ),
    "filter error": (
        {"error": {"message": "flagged", "code": "content_filter"}}, "filter",
        Reason.JUDGE_FILTER, "flagged",
    ),
    "context error": (
        {"error": {"message": "9000 > 8192", "type": "exceed_context_size_error"}}, "error",
        Reason.JUDGE_CONTEXT, "9000 > 8192",
    ),
    "refusal": (
        written(None, refusal="I will\x07 not."), "refused", Reason.JUDGE_REFUSED,
        "refused: I will<U+0007> not.",
    ),
    "refusal beside a verdict": (
        written(BEST, refusal="No."), "refused", Reason.JUDGE_REFUSED, "No."
    ),
    "refusal as a part": (
        written(None, content=[{"type": "refusal", "refusal": "No."}]), "refused",
        Reason.JUDGE_REFUSED, "No.",
    ),
    "refusal as finish reason": (
        made.body({"content": ""}, finish="refusal"), "refused", Reason.JUDGE_REFUSED, "refused"
    ),
    "another model": (
        made.body({"content": BEST}, model="cheap-2\n"), "model", Reason.JUDGE_WRONG_MODEL,
        "stub-1 was asked and cheap-2 answered",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FINAL)
def test_what_another_call_cannot_mend_is_blocked_at_once(name: str) -> None:
    """Cut, withheld, refused, or answered by another model: no further call is paid."""
    content, kind, reason, words = FINAL[name]
    reading = read(content)
    assert (reading.status, reading.kind, reading.reason) == ("blocked", kind, reason)
    assert words in reading.message


ODD_SCORES = json.loads((made.DATA / "odd_scores.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("score", "kind"), ODD_SCORES)
@pytest.mark.parametrize("way", ["content", "call"])
def test_an_odd_score_is_never_taken_for_a_mark(score: str, kind: str, way: str) -> None:
    """Off the scale, not whole, another type: refused as written, never clamped."""
    text = BEST.replace('"score": 5', f'"score": {score}', 1)
    assert text != BEST
    reading = read(written(text) if way == "content" else called(text))
    assert (reading.status, reading.kind, reading.reason) == ("retry", kind, V), reading.message
    if kind == "scale":
        assert f"score {score} for clarity is outside the scale 1 to 5" in reading.message


@pytest.mark.parametrize(
    ("score", "good"),
    [(0, True), (0.5, True), (2, True), (2.0, True), (0.3, False), (2.75, False), (3.5, False),
     (True, False), ("1", False), (-0.5, False)],
)  # fmt: skip
def test_a_scale_with_half_steps_takes_its_steps_only(score: object, good: bool) -> None:  # noqa: FBT001 - a table
    """Numbers with and without a point are read; what is between two steps is refused."""
    form = made.form(scale=Scale(low=0, high=3, step=0.5))
    reading = read(written(json.dumps(made.verdict(score))), form)
    assert (reading.status == "ok") is good
    if not good and isinstance(score, float):
        assert f"score {score} for clarity is outside the scale 0 to 3" in reading.message


def test_a_tenth_is_a_step_although_no_binary_number_is() -> None:
    """0.3 is the third step of 0.1."""
    form = made.form(scale=Scale(low=0, high=1, step=0.1))
    assert read(written(json.dumps(made.verdict(0.3))), form).status == "ok"
    assert read(written(json.dumps(made.verdict(0.35))), form).kind == "scale"


def test_cannot_judge_is_a_blocked_mark_whatever_its_score() -> None:
    """The other criterion keeps its mark; the score beside it is not looked at."""
    content = made.verdict(4) | {"clarity": made.mark(0, cannot_judge=True)}
    marks = read(written(json.dumps(content))).marks["A"]
    assert marks[0].mark is None
    assert marks[0].blocked is Reason.CANNOT_JUDGE
    assert marks[0].rationale == "It says when."
    assert marks[1].mark == 4.0
    assert marks[1].blocked is None


def listwise(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """A verdict on the answers K2 and K1."""
    return {"K2": made.verdict(2), "K1": made.verdict(5), **changes}


def test_a_listwise_verdict_gives_each_label_its_own_marks() -> None:
    """Whatever the order in which the reply names them."""
    form = made.form(Mode.LISTWISE, ("K2", "K1"))
    for content in (listwise(), dict(reversed(listwise().items()))):
        marks = read(written(json.dumps(content)), form).marks
        assert [mark.mark for mark in marks["K2"]] == [2.0, 2.0]
        assert [mark.mark for mark in marks["K1"]] == [5.0, 5.0]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"K2": made.verdict(2)}, "lacks K1"),
        (listwise(K3=made.verdict(2)), "holds K3"),
        (listwise(K1=made.verdict(2) | {"clarity": made.mark(9)}), "score 9 for K1.clarity"),
        (listwise(K1=[]), "K1 is []"),
        (made.verdict(2), "lacks K1"),
    ],
)
def test_a_listwise_verdict_that_is_not_whole_gives_no_marks(content: object, words: str) -> None:
    """One answer without a valid mark asks for all of them again."""
    reading = read(written(json.dumps(content)), made.form(Mode.LISTWISE, ("K2", "K1")))
    assert reading.status == "retry"
    assert words in reading.message


def test_criteria_may_have_names_that_python_uses() -> None:
    """Ids such as schema, json or model_config are keys like any others."""
    names = ("schema", "json", "model_config", "class", "__init__", "copy", "Größe-1")
    rubric = Rubric(
        name="n",
        version="1",
        scale=Scale(low=1, high=5),
        criteria=tuple(Criterion(id=name, text="?") for name in names),
    )
    form = ReplyForm(rubric, names, ("A",), Mode.POINTWISE)
    assert list(form.schema["properties"]) == list(names)
    reading = read(written(json.dumps({name: made.mark(3) for name in names})), form)
    assert [mark.criterion for mark in reading.marks["A"]] == list(names)


@pytest.mark.parametrize("named", [7, True, ["cheap-1"], {"id": "cheap-1"}, 10**30, 0.5])
def test_a_model_that_is_no_word_is_another_model(named: object) -> None:
    """Who answered cannot be told, so the judgment is blocked and is no mark."""
    reading = read(made.body({"content": BEST}, model=named))
    assert (reading.status, reading.reason) == ("blocked", Reason.JUDGE_WRONG_MODEL)
    assert reading.model is None


@pytest.mark.parametrize(
    ("usage", "wanted"),
    [
        (None, Usage()),
        ([], Usage()),
        ({}, Usage()),
        ({"prompt_tokens": 7}, Usage(prompt_tokens=7)),
        ({"prompt_tokens": 0, "completion_tokens": 0}, Usage(prompt_tokens=0, completion_tokens=0)),
        ({"prompt_tokens": True, "completion_tokens": "5"}, Usage()),
        ({"prompt_tokens": -1, "completion_tokens": 2**60}, Usage()),
        ({"prompt_tokens": 10**30, "completion_tokens": 10**9}, Usage()),
        ({"prompt_tokens": 7.0, "completion_tokens": 1e400}, Usage()),
        ({"input_tokens": 3, "output_tokens": 4}, Usage(prompt_tokens=3, completion_tokens=4)),
        (
            {"completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 5}},
            Usage(completion_tokens=9, reasoning_tokens=5),
        ),
        ({"completion_tokens": 9, "completion_tokens_details": None}, Usage(completion_tokens=9)),
    ],
)
def test_usage_is_what_the_body_reports_and_unknown_else(usage: object, wanted: Usage) -> None:
    """Missing or odd counts are None, never 0; a bad reply's usage is read too."""
    good = read(made.body({"content": BEST}, usage=usage))
    bad = read(made.body({"content": "prose"}, usage=usage))
    assert good.usage == bad.usage == wanted


def test_model_and_fingerprint_are_kept_safe_to_print() -> None:
    """They come from the endpoint, so control characters become visible."""
    reading = read(made.body({"content": BEST}, model="STUB-1\x07", system_fingerprint="fp\x1b[2J"))
    assert reading.model == "STUB-1<U+0007>"
    assert reading.kind == "model"
    assert reading.fingerprint == "fp<U+001B>[2J"


@pytest.mark.parametrize(
    ("asked", "answered", "same"),
    [
        ("gpt-5.4", "gpt-5.4", True),
        ("gpt-5.4", "gpt-5.4-2026-03-05", True),
        ("openai/gpt-5.4", "gpt-5.4-2026-03-05", True),
        ("gpt-5.4", "openai/GPT-5.4", True),
        ("m-large-latest", "m-large-2411", True),
        ("m-large-2411", "m-large-latest", False),
        ("flash-2", "flash-2-001", True),
        ("pro-2", "pro-2-preview-05-06", True),
        ("claude-4", "claude-4-20260101", True),
        ("claude-4@20260101", "claude-4@20260101", True),
        ("llama3", "llama3:latest", True),
        ("llama3", "llama3:8b", True),
        ("llama3:70b", "llama3:8b", False),
        ("m:free", "m", True),
        ("Small-135M", "/models/small-135m.gguf", True),
        ("gpt-5.4", "gpt-5.4-mini", False),
        ("gpt-5.4-mini", "gpt-5.4", False),
        ("gpt-5", "gpt-5.4", False),
        ("gpt-5", "gpt-5-5", False),
        ("gpt-4", "gpt-4-32k", False),
        ("gpt-4", "gpt-4o", False),
        ("strong-1", "cheap-2", False),
    ],
)
def test_a_dated_snapshot_is_the_model_asked_for(asked: str, answered: str, same: bool) -> None:  # noqa: FBT001 - a table
    """A sibling, a smaller tag or a minor version is another model."""
    assert same_model(asked, answered) is same


def test_an_unnamed_model_is_not_checked() -> None:
    """Where nothing was asked by name, any model may answer."""
    reading = read_reply(
        made.raw(made.body({"content": BEST}, model="x")),
        made.form(),
        wire_mode="json",
        asked_model="",
    )
    assert reading.status == "ok"


@pytest.mark.parametrize("mode", [instructor.Mode.JSON_SCHEMA, instructor.Mode.TOOLS])
def test_our_reading_equals_instructors_own(mode: instructor.Mode) -> None:
    """`from_response` on the same completion gives the same object, only 14 times slower."""
    content = written(BEST) if mode is instructor.Mode.JSON_SCHEMA else called(made.verdict(5))
    form = made.form()
    completion = ChatCompletion.model_validate(content)
    theirs = form.model.from_response(completion, mode=mode, strict=True)
    assert theirs.model_dump() == form.model.model_validate_json(BEST, strict=True).model_dump()
    ours = form.parse(BEST)["A"]
    assert theirs.field_0 == ours["clarity"]
    assert form.model.openai_schema["name"] == form.name


def test_huge_bodies_are_refused_in_little_time() -> None:
    """Fifty megabytes, a megabyte of braces or of blanks: bounded work, no exception."""
    started = time.process_time()
    assert read("x" * 50_000_000).kind == "too_large"
    assert read(written("{ " * 1_000_000)).kind == "too_large"
    assert read(written("```json\n" + " " * 3_000_000)).kind == "form"
    assert read(written("```json\n" + "`" * 3_000_000)).kind == "form"
    assert read(called(made.verdict(1), content="{" * 3_000_000)).kind == "too_large"
    assert time.process_time() - started < HANG_S


def test_nesting_of_any_depth_raises_nothing() -> None:
    """Near the reader's own limit too, where writing or comparing what was read would fail."""
    for depth in range(900, 1100, 2):
        nested = "[" * depth + "]" * depth
        error = read(f'{{"error": {nested}}}')
        assert error.reason in {Reason.JUDGE_TRANSPORT, Reason.JUDGE_INVALID}
        beside = called(BEST[:-1] + f', "z": {nested}}}', content=BEST)
        assert read(beside).reason is Reason.JUDGE_INVALID
        raw_call = json.dumps(called("@@")).replace('"@@"', f'{{"z": {nested}}}')
        assert read(raw_call).reason is Reason.JUDGE_INVALID


# --- mutated bodies -------------------------------------------------------------


def _no_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys))
    return dict(pairs)


def _no_constant(word: str) -> object:
    raise AssertionError(word)


def strict_load(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """JSON as the standard says, by the standard library alone."""
    return json.loads(text, object_pairs_hook=_no_doubles, parse_constant=_no_constant)


def is_verdict(value: object) -> bool:
    """Whether a value is a whole verdict, decided without pydantic."""
    fields = {"quotes", "rationale", "cannot_judge", "score"}
    return (
        isinstance(value, dict)
        and value.keys() == set(made.CRITERIA)
        and all(
            isinstance(one, dict)
            and one.keys() == fields
            and isinstance(one["quotes"], list)
            and all(
                isinstance(q, dict)
                and q.keys() == {"text", "source"}
                and isinstance(q["text"], str)
                and q["source"] in ("answer", "prompt", "evidence", "reference")
                for q in one["quotes"]
            )
            and isinstance(one["rationale"], str)
            and type(one["cannot_judge"]) is bool
            and type(one["score"]) is int
            and (one["cannot_judge"] or 1 <= one["score"] <= 5)
            for one in value.values()
        )
    )


def usage_blank(text: str) -> str:
    """A body without its usage block, where that is the last thing in it."""
    head, found, usage = text.rpartition(', "usage": {')
    return head + "}" if found and usage.endswith("}}") and usage.count("}") == 2 else text


def may_be_scored(text: str) -> bool:
    """Whether a strict reader, written anew, finds exactly one verdict in a body."""
    try:
        body = strict_load(usage_blank(text))
        (choice,) = body["choices"]
        message = choice["message"]
        assert not body.get("error")
        assert not message.get("refusal")
        assert str(choice.get("finish_reason")).lower() not in ("length", "content_filter")
        calls = message.get("tool_calls") or []
        content = message.get("content") or ""
        if calls:
            (call,) = calls
            assert call["function"]["name"] == "marks"
            return is_verdict(strict_load(call["function"]["arguments"]))
        if content.strip().startswith("```"):
            content = content.strip().removeprefix("```json").removesuffix("```")
        return is_verdict(strict_load(content))
    except (AssertionError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


PIECES = [
    "{", "}", "[", "]", '"', ",", ":", "\\", "null", "true", "false", "NaN", "1e999", "4.0", "99",
    "-1", '"score": 5,', "```", "\x00", "\\u0000", "\\ud83d", "é", "\u202e", "length", "choices",
    '"error": {"message": "no"},', '"refusal": "no",', "[]", "{}", BEST, WORST,
]  # fmt: skip


def mutated(text: str, rng: random.Random) -> str:
    """A body with one to four pieces cut, doubled, put in or swapped."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice([0, 1, 1, 2, 8, 60]))
        how = rng.randrange(4)
        if how == 0:
            text = text[:start] + text[end:]
        elif how == 1:
            text = text[:end] + text[start:]
        elif how == 2:
            text = text[:start] + rng.choice(PIECES) + text[end:]
        else:
            text = text[:start] + text[start:end][::-1] + text[end:]
    return text


@pytest.mark.parametrize("seed", range(3))
def test_mutated_bodies_raise_nothing_and_give_no_mark_that_a_strict_reader_refuses(
    seed: int,
) -> None:
    """1,500 bodies a seed: every mark comes from exactly one whole verdict on the scale."""
    rng = random.Random(seed)  # noqa: S311 - a test's dice
    seeds = [
        json.dumps(written(BEST)), json.dumps(written(f"```json\n{BEST}\n```")),
        json.dumps(called(made.verdict(5))), json.dumps(called(made.verdict(5), content="Done.")),
        json.dumps(written(f"{BEST} {WORST}")),
    ]  # fmt: skip
    scored = refused = 0
    for _ in range(1500):
        text = mutated(rng.choice(seeds), rng)
        reading = read(text)
        if reading.status == "ok":
            scored += 1
            assert may_be_scored(text), text
        else:
            refused += 1
    assert scored > 20
    assert refused > 1000


FOOLISH_USAGE = {
    "digits": '{"prompt_tokens": %s, "completion_tokens": 120}' % ("9" * 400),
    "negative": '{"prompt_tokens": -1, "completion_tokens": 120}',
    "float": '{"prompt_tokens": 1e999, "completion_tokens": 120}',
    "no number": '{"prompt_tokens": NaN, "completion_tokens": 120}',
    "string": '{"prompt_tokens": "many", "completion_tokens": 120}',
    "null": '{"prompt_tokens": null, "completion_tokens": 120}',
    "missing": '{"completion_tokens": 120}',
    "twice": '{"prompt_tokens": 1, "prompt_tokens": 2, "completion_tokens": 120}',
    "more cached than sent": (
        '{"completion_tokens": 120, "prompt_tokens_details": {"cached_tokens": 99999}}'
    ),
}


@pytest.mark.parametrize("name", FOOLISH_USAGE)
def test_a_foolish_usage_block_costs_no_verdict(name: str) -> None:
    """What it reports so is unknown; the marks and the other counts are read."""
    body = json.dumps(made.body({"content": BEST}, usage="@@"))
    reading = read(body.replace('"@@"', FOOLISH_USAGE[name]))
    assert reading.status == "ok", reading.message
    assert reading.usage == Usage(completion_tokens=120)


@pytest.mark.parametrize(
    ("was", "becomes", "kind"),
    [
        ('"index": 0', f'"index": {"9" * 400}', "number"),
        ('"role": "assistant"', '"role": "assistant", "role": "assistant"', "duplicate_key"),
        ('"usage"', '"choices": [], "usage"', "duplicate_key"),
    ],
)
def test_beside_the_verdict_nothing_foolish_is_passed_over(
    was: str, becomes: str, kind: str
) -> None:
    """Choices, error and model are read strictly."""
    body = json.dumps(made.body({"content": BEST}))
    assert was in body
    assert read(body.replace(was, becomes, 1)).kind == kind
