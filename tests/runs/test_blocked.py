"""Blocked before any judge is paid: the fairness traps, each rule, and what never happens."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgebench.model.collected import (
    Arm,
    Evidence,
    Failure,
    Item,
    Locator,
    Output,
    Record,
    Run,
    Settings,
    Usage,
    UseCase,
)
from judgebench.model.reasons import Reason
from judgebench.runs.blocked import decide
from judgebench.runs.flagged import flags
from judgebench.runs.survey import Survey, survey
from judgebench.text import sha256_text

ITEM = Item(id="i", prompt="Assess the scan.\n", evidence=(Evidence(name="scan", text="a.py"),))
WHOLE = "The scan shows three services, and two of them carry tests.\n"
STOP = Record(
    finish_reason="stop",
    usage=Usage(prompt_tokens=900, completion_tokens=70),
    max_tokens=16_000,
    timeout_s=900.0,
    wall_s=3.0,
    cost_usd=0.01,
    prompt_sha256=sha256_text(ITEM.prompt),
)


def make_run(
    *arms: Arm,
    max_tokens: int | None = 16_000,
    timeout_s: float | None = 900.0,
    cli_cwd: str | None = None,
    canaries: tuple[str, ...] = (),
    has_prompt: bool = True,
) -> Run:
    """A run of one item under equal settings."""
    return Run(
        name="r",
        path=Path("r"),
        use_case=UseCase(key="scan.calibrate"),
        settings=Settings(max_tokens=max_tokens, timeout_s=timeout_s, cli_cwd=cli_cwd),
        arms=arms or (Arm(id="a"), Arm(id="b")),
        items=("i",),
        canaries=canaries,
        has_prompt=has_prompt,
    )


def out(text: str | None, record: Record = STOP, *, arm: str = "a", item: str = "i") -> Output:
    """One output; without text it is missing."""
    return Output(
        arm=arm,
        item=item,
        text=text,
        sha256=sha256_text(text or ""),
        record=record,
        locator=Locator(path=f"{arm}/{item}/output.md"),
        fault=Reason.MISSING if text is None else None,
        fault_detail="no output file" if text is None else "",
    )


def surveyed(run: Run, *outputs: Output) -> Survey:
    """The survey over these outputs of the one item."""
    return survey(run, outputs, lambda _: ITEM)


def reasons(output: Output, run: Run, *others: Output) -> list[Reason]:
    """All reasons in order."""
    return [b.reason for b in decide(output, ITEM, run, surveyed(run, output, *others))]


def message(output: Output, run: Run, *others: Output) -> str:
    """The first block's message."""
    return decide(output, ITEM, run, surveyed(run, output, *others))[0].message


def test_trap_1_a_reasoning_arm_cut_at_4096_is_a_budget_not_incompetence() -> None:
    """One of nine dimensions at the cap: blocked, while the arm that ended is not."""
    run = make_run(max_tokens=4_096)
    shared = replace(STOP, max_tokens=4_096)
    cut = out(
        '{"D1": {"score": 4, "reason": "few te',
        replace(
            shared,
            finish_reason="length",
            usage=Usage(prompt_tokens=2_300, completion_tokens=4_096, reasoning_tokens=3_900),
        ),
    )
    whole = out(WHOLE, shared, arm="b")
    assert reasons(cut, run, whole)[0] is Reason.LENGTH
    assert reasons(whole, run, cut) == []
    text = message(cut, run)
    assert "finish_reason length" in text
    assert "completion_tokens 4,096" in text
    assert "cap 4,096" in text
    assert "reasoning_tokens 3,900" in text


@pytest.mark.parametrize("spelt", [None, "stop"])
def test_trap_1_tokens_at_the_cap_are_enough(spelt: str | None) -> None:
    """A provider that says stop, or nothing, at exactly the cap has still cut."""
    usage = Usage(completion_tokens=4_096)
    record = replace(STOP, finish_reason=spelt, max_tokens=4_096, usage=usage)
    run = make_run(max_tokens=4_096)
    assert reasons(out(WHOLE, record), run) == [Reason.LENGTH]
    below = replace(record, usage=Usage(completion_tokens=4_095))
    assert reasons(out(WHOLE, below), run) == []


@pytest.mark.parametrize(
    "record",
    [
        replace(STOP, finish_reason=None, error=Failure(kind="timeout", elapsed_s=60.0)),
        replace(STOP, finish_reason=None, error=Failure(kind="ReadTimeout", elapsed_s=60.0)),
        replace(STOP, finish_reason=None, error=Failure(kind="transport", elapsed_s=60.0)),
        replace(STOP, finish_reason=None, wall_s=61.0),
        replace(STOP, finish_reason="time_limit"),
    ],
)
def test_trap_2_the_clients_timeout_is_a_second_budget(record: Record) -> None:
    """60 s of our own end the answer: blocked as timeout, the partial text is no answer."""
    output = out("The scan sho", replace(record, timeout_s=60.0))
    run = make_run(timeout_s=60.0)
    assert reasons(output, run)[0] is Reason.TIMEOUT
    assert "limit 60 s" in message(output, run)


def test_trap_2_a_slow_answer_that_ended_is_not_blocked() -> None:
    """With finish reason stop the answer came; how long it took is context."""
    record = replace(STOP, wall_s=61.0, timeout_s=60.0)
    assert reasons(out(WHOLE, record), make_run(timeout_s=60.0)) == []


CLI = Arm(id="c", kind="cli")
CANARIES = ("intake/sorter.py", "rank_of_tray", "Tray.close")


def cli_run(*, cli_cwd: str | None = None) -> Run:
    """An API arm beside a command-line arm, three canaries declared."""
    return make_run(Arm(id="a"), CLI, canaries=CANARIES, cli_cwd=cli_cwd)


def test_trap_3_a_cli_arm_that_names_repository_files_is_contaminated() -> None:
    """Three files and symbols that stand in no prompt: blocked, each named."""
    text = "See intake/sorter.py, rank_of_tray() and Tray.close: all without tests.\n"
    output = out(text, replace(STOP, cwd="empty"), arm="c")
    run = cli_run()
    assert reasons(output, run, out(WHOLE)) == [Reason.CONTAMINATED]
    told = message(output, run)
    assert all(canary in told for canary in CANARIES)
    # The same words from an arm that could read nothing are a guess, and a warning.
    guess = out("Perhaps intake/sorter.py, rank_of_tray or Tray.close?\n")
    assert reasons(output, run, guess) == []
    assert reasons(guess, run, output) == []
    warned = flags(output, ITEM, run, surveyed(run, output, guess))
    assert any(flag.startswith("canary_warning: Tray.close, intake/sorter.py") for flag in warned)


def test_trap_3_what_the_prompt_or_evidence_says_is_no_contamination() -> None:
    """A declared name that was supplied to every arm proves nothing."""
    output = out("a.py is short.\n", replace(STOP, cwd="empty"), arm="c")
    run = make_run(Arm(id="a"), CLI, canaries=("a.py",))
    assert reasons(output, run) == []
    other = replace(ITEM, evidence=())
    assert decide(output, other, run, survey(run, [output], lambda _: other))
    # A longer word that contains a canary is another word.
    longer = out("Look at raa.pyc.\n", replace(STOP, cwd="empty"), arm="c")
    assert decide(longer, other, run, survey(run, [longer], lambda _: other)) == ()


@pytest.mark.parametrize(
    ("own", "shared", "blocked", "flagged"),
    [
        ("repo", None, True, False),
        (None, "repo", True, False),
        ("empty", "repo", False, False),
        ("unknown", "empty", False, True),
        (None, None, False, True),
        (None, "empty", False, False),
    ],
)
def test_trap_3_the_working_folder_decides_or_is_flagged(
    own: str | None, shared: str | None, *, blocked: bool, flagged: bool
) -> None:
    """Not empty blocks, unknown is flagged; the record comes before the run."""
    run = cli_run(cli_cwd=shared)
    output = out(WHOLE, replace(STOP, cwd=own), arm="c")
    assert (reasons(output, run) == [Reason.CONTAMINATED]) is blocked
    found = flags(output, ITEM, run, surveyed(run, output))
    assert ("cwd_unknown" in found) is flagged
    assert ("unknown:cwd" in found) is flagged


def test_trap_4_reasoning_of_66708_characters_and_no_answer_is_the_budget() -> None:
    """An empty answer under a length reason is never the model's own."""
    record = replace(
        STOP,
        finish_reason="length",
        usage=Usage(completion_tokens=16_000),
        reasoning_chars=66_708,
        error=Failure(kind="adapter", message="model returned empty content"),
    )
    run = make_run()
    assert reasons(out("", record), run) == [Reason.LENGTH, Reason.HARNESS, Reason.EMPTY]
    assert reasons(out(None, record), run) == [Reason.LENGTH, Reason.HARNESS]
    text = message(out("", record), run)
    assert "0 characters of answer; 66,708 of reasoning" in text
    assert "completion_tokens 16,000; cap 16,000" in text


def test_trap_4_67398_characters_cut_at_exactly_16000_tokens_are_the_budget() -> None:
    """A long answer without reasoning and without a finish reason, cut at the cap."""
    text = ("x" * 66 + "\n") * 1_006
    text = text[:67_398]
    record = replace(
        STOP, finish_reason=None, usage=Usage(completion_tokens=16_000), reasoning_chars=0
    )
    run = make_run()
    assert len(text) == 67_398
    assert reasons(out(text, record), run) == [Reason.LENGTH]
    told = message(out(text, record), run)
    assert "67,398 characters of answer" in told
    assert "completion_tokens 16,000; cap 16,000" in told
    assert "finish_reason unknown" in told


def test_trap_4_malformed_json_at_the_cap_is_the_budget_too() -> None:
    """The adapter's parse error is kept out of the first reason."""
    record = replace(
        STOP,
        finish_reason="MAX_TOKENS",
        usage=Usage(completion_tokens=16_000),
        error=Failure(kind="json", message="Expecting ',' delimiter"),
    )
    assert reasons(out('{"D1": [', record), make_run())[0] is Reason.LENGTH
    assert "Expecting" not in message(out('{"D1": [', record), make_run())


def test_trap_4b_the_models_own_empty_answer_is_empty() -> None:
    """Finish reason stop far below a known cap: blocked as empty, nothing else."""
    record = replace(STOP, usage=Usage(completion_tokens=3), reasoning_chars=120)
    for text in ("", " \n\u200b\ufeff\u00a0", "\u3164\u2800"):
        assert reasons(out(text, record), make_run()) == [Reason.EMPTY]
    told = message(out("", record), make_run())
    assert "finish_reason stop" in told
    assert "reasoning (120 characters) is no answer" in told
    assert reasons(out(None, record), make_run()) == [Reason.MISSING]


@pytest.mark.parametrize(
    "failure",
    [
        Failure(kind="usage window"),
        Failure(kind="RateLimitError", message="try again at 16:00"),
        Failure(kind="http", message="429 Too Many Requests"),
        Failure(kind="error", message="You have exceeded your monthly quota"),
    ],
)
def test_a_used_up_limit_is_the_providers_window_whatever_was_written(failure: Failure) -> None:
    """The provider's sentence stands where the answer would; it is not the arm's."""
    record = replace(STOP, finish_reason="error", error=failure)
    answer = out("You have reached your usage limit. Try again at 16:00.", record)
    assert reasons(answer, make_run()) == [Reason.PROVIDER_WINDOW]
    assert "the provider's usage limit" in message(answer, make_run())


def test_trap_5_two_errors_near_307_s_under_900_s_are_the_providers_window() -> None:
    """A limit of the provider at this prompt size, not a flake and not our timeout."""
    first = out(
        None,
        replace(
            STOP,
            finish_reason=None,
            wall_s=None,
            usage=Usage(prompt_tokens=41_000),
            error=Failure(kind="transport", message="peer closed", elapsed_s=307.4),
        ),
        item="i",
    )
    second = replace(
        first,
        item="j",
        record=replace(first.record, error=Failure(kind="RemoteProtocolError", elapsed_s=306.9)),
    )
    run = make_run()
    assert reasons(first, run, second) == [Reason.PROVIDER_WINDOW]
    told = message(first, run, second)
    assert "306.9, 307.4 s" in told
    assert "41,000 prompt tokens" in told
    assert "limit 900 s" in told


def test_trap_5_attempts_of_one_output_count_and_the_last_is_not_counted_twice() -> None:
    """Two attempts are two errors; an error that repeats the last attempt is one."""
    last = Failure(kind="connection", elapsed_s=307.0)
    record = replace(STOP, finish_reason=None, wall_s=None, error=last)
    run = make_run()
    assert reasons(out(None, record), run) == [Reason.TRANSPORT]
    assert reasons(out(None, replace(record, attempts=(last,))), run) == [Reason.TRANSPORT]
    tried = replace(record, attempts=(Failure(kind="connection", elapsed_s=309.0), last))
    assert reasons(out(None, tried), run) == [Reason.PROVIDER_WINDOW]


@pytest.mark.parametrize(
    ("elapsed", "other_arm", "limit", "expected"),
    [
        (150.0, "a", 900.0, Reason.TRANSPORT),
        (307.0, "b", 900.0, Reason.TRANSPORT),
        (307.0, "a", None, Reason.TRANSPORT),
        (307.0, "a", 307.0, Reason.TIMEOUT),
        (0.01, "a", 900.0, Reason.TRANSPORT),
    ],
)
def test_trap_5_controls(
    elapsed: float, other_arm: str, limit: float | None, expected: Reason
) -> None:
    """Other times, another arm, an unknown or reached limit, refused connections: no window."""
    error = Failure(kind="transport", elapsed_s=elapsed if elapsed < 1 else 307.0)
    record = replace(STOP, finish_reason=None, wall_s=None, timeout_s=limit, error=error)
    other = out(
        None,
        replace(record, error=replace(error, elapsed_s=elapsed)),
        arm=other_arm,
        item="j",
    )
    assert reasons(out(None, record), make_run(timeout_s=limit), other)[0] is expected


LENGTHS = ["length", "MAX_TOKENS", "max_output_tokens", "FinishReason.MAX_TOKENS", "model_length"]
LENGTHS += ["REASON_MAX_LEN", "ERROR_LIMIT", "model_context_window_exceeded", "TOKEN_LIMIT"]
FILTERS = ["content_filter", "content-filter", "SAFETY", "guardrail_intervened", "refusal"]


@pytest.mark.parametrize("word", LENGTHS)
def test_every_spelling_of_length_blocks(word: str) -> None:
    """Providers spell it in many ways; the message quotes theirs."""
    output = out(WHOLE, replace(STOP, finish_reason=word))
    assert reasons(output, make_run()) == [Reason.LENGTH]
    assert f"finish_reason {word}" in message(output, make_run())


@pytest.mark.parametrize("word", FILTERS)
def test_every_spelling_of_a_filter_blocks(word: str) -> None:
    """What the provider withheld is not the arm's answer."""
    assert reasons(out(WHOLE, replace(STOP, finish_reason=word)), make_run()) == [
        Reason.CONTENT_FILTER
    ]


@pytest.mark.parametrize("word", ["stop", "end_turn", "STOP", "eos_token", "COMPLETE", None, "odd"])
def test_good_and_unknown_endings_do_not_block(word: str | None) -> None:
    """An unknown word is unknown: flagged and counted, never taken as a fault."""
    output = out(WHOLE, replace(STOP, finish_reason=word))
    run = make_run()
    assert reasons(output, run) == []
    unknown = "unknown:finish_reason" in flags(output, ITEM, run, surveyed(run, output))
    assert unknown is (word in {None, "odd"})


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (replace(STOP, error=Failure(kind="content_filter", message="x")), Reason.CONTENT_FILTER),
        (replace(STOP, error=Failure(kind="http", message="status 503")), Reason.TRANSPORT),
        (replace(STOP, error=Failure(kind="http", message="status 401")), Reason.HARNESS),
        (replace(STOP, error=Failure(kind="usage window", elapsed_s=2.0)), Reason.PROVIDER_WINDOW),
        (replace(STOP, finish_reason="error"), Reason.HARNESS),
    ],
)
def test_other_recorded_errors_are_sorted(record: Record, expected: Reason) -> None:
    """Filter, connection and 5xx, and the rest, whatever text was delivered."""
    assert reasons(out("Usage limit reached.", record), make_run()) == [expected]


def test_a_tool_call_without_an_answer_is_the_harness() -> None:
    """With text the answer stands; without, the harness ended too early."""
    record = replace(STOP, finish_reason="tool_calls")
    assert reasons(out("", record), make_run()) == [Reason.HARNESS, Reason.EMPTY]
    assert reasons(out(WHOLE, record), make_run()) == []


def test_reasoning_counted_apart_is_added_to_the_completion() -> None:
    """More reasoning than completion, or a provider known for it: both count to the cap."""
    usage = Usage(completion_tokens=4_000, reasoning_tokens=12_000)
    output = out(WHOLE, replace(STOP, usage=usage))
    assert reasons(output, make_run()) == [Reason.LENGTH]
    assert "counted apart" in message(output, make_run())
    within = Usage(completion_tokens=9_000, reasoning_tokens=8_000)
    assert reasons(out(WHOLE, replace(STOP, usage=within)), make_run()) == []
    google = make_run(Arm(id="a", provider="Google"))
    assert reasons(out(WHOLE, replace(STOP, usage=within)), google) == [Reason.LENGTH]


def test_another_prompt_is_a_mismatch_and_a_last_line_end_is_not() -> None:
    """The hash of what was sent is compared with the item's prompt."""
    run = make_run()
    other = replace(STOP, prompt_sha256=sha256_text("Another prompt."))
    assert reasons(out(WHOLE, other), run) == [Reason.PROMPT_MISMATCH]
    bare = replace(STOP, prompt_sha256=sha256_text("Assess the scan."))
    assert reasons(out(WHOLE, bare), run) == []
    assert reasons(out(WHOLE, other), make_run(has_prompt=False)) == []


def test_other_settings_are_a_mismatch_unless_they_cannot_be_set() -> None:
    """A limit that a harness cannot be given is stated, never held against it."""
    own = replace(STOP, max_tokens=32_000, timeout_s=60.0)
    run = make_run(CLI, cli_cwd="empty")
    told = message(out(WHOLE, own, arm="c"), run)
    assert reasons(out(WHOLE, own, arm="c"), run) == [Reason.SETTINGS_MISMATCH]
    assert "max_tokens 32,000 instead of the run's 16,000" in told
    assert "timeout_s 60.0 instead of the run's 900.0" in told
    free = replace(own, not_settable=("max_tokens", "timeout_s"))
    assert reasons(out(WHOLE, free, arm="c"), run) == []
    found = flags(out(WHOLE, free, arm="c"), ITEM, run, Survey())
    assert {"not_settable:max_tokens", "not_settable:timeout_s"} <= set(found)


def test_a_cli_arm_beyond_a_cap_it_was_never_given_is_not_cut() -> None:
    """Above the run's cap without a cap of its own: nothing was cut there."""
    run = make_run(CLI, max_tokens=4_096, cli_cwd="empty")
    beyond = replace(STOP, max_tokens=None, usage=Usage(completion_tokens=9_000))
    assert reasons(out(WHOLE, beyond, arm="c"), run) == []
    at = replace(beyond, usage=Usage(completion_tokens=4_096))
    assert reasons(out(WHOLE, at, arm="c"), run) == [Reason.LENGTH]
    unset = replace(at, not_settable=("max_tokens",))
    assert reasons(out(WHOLE, unset, arm="c"), run) == []


def test_unknown_fields_are_counted_one_by_one() -> None:
    """An output without a record: every field that a report needs is unknown."""
    run = make_run(max_tokens=None, timeout_s=None)
    found = flags(out(WHOLE, Record()), ITEM, run, Survey())
    fields = ["finish_reason", "completion_tokens", "max_tokens", "timeout_s"]
    fields += ("wall_s", "cost_usd", "prompt_sha256")
    assert found == tuple(f"unknown:{name}" for name in fields)
    assert flags(out(WHOLE), ITEM, make_run(), Survey()) == ()


def test_a_lone_colon_goes_to_the_judge_flagged() -> None:
    """Almost no content is judged, but said."""
    run = make_run()
    assert reasons(out(":\n"), run) == []
    assert "almost_no_content" in flags(out(":\n"), ITEM, run, Survey())
    assert "almost_no_content" not in flags(out("Yes."), ITEM, run, Survey())


def test_the_loaders_faults_come_last_and_keys_passed_over_are_flagged() -> None:
    """Unreadable is the last reason; a collector's own keys are only named."""
    output = replace(out(""), fault=Reason.UNREADABLE, fault_detail="meta.json is broken")
    assert reasons(output, make_run()) == [Reason.EMPTY, Reason.UNREADABLE]
    remark = replace(out(WHOLE), fault_detail="record_keys: latency")
    assert reasons(remark, make_run()) == []
    assert flags(remark, ITEM, make_run(), Survey()) == ("record_keys: latency",)


CUT = replace(STOP, finish_reason=None)
SIBLING = "All of it holds, and nothing is missing.\n"


@pytest.mark.parametrize(
    ("text", "siblings", "sign"),
    [
        ("Code:\n```python\nprint(1)\n", [], "fence"),
        ('{"a": 1, "b": [2', [], "bracket"),
        ('{"a": 1, "b": 2}}', ['{"a": 1}'], "JSON does not parse"),
        ("We should then look at the (very\nold", [], "bracket ("),
        ("The first point holds and then we go on to the", [SIBLING], "last line has no end"),
    ],
)
def test_signs_of_a_cut_are_named_where_the_ending_is_unknown(
    text: str, siblings: Iterable[str], sign: str
) -> None:
    """A suspicion is a flag, never a block; a known ending needs none."""
    run = make_run()
    others = [out(t, CUT, arm="b") for t in siblings]
    output = out(text, CUT)
    seen = surveyed(run, output, *others)
    assert decide(output, ITEM, run, seen) == ()
    assert any(f.startswith("looks_cut: ") and sign in f for f in flags(output, ITEM, run, seen))
    known = replace(output, record=STOP)
    assert not any(f.startswith("looks_cut") for f in flags(known, ITEM, run, seen))


@pytest.mark.parametrize(
    "text",
    [
        SIBLING,
        "```\ncode\n```\n",
        '```json\n{"a": [1]}\n```',
        "- one\n- two",
        "See (a) and :-) b).",
        "That failed :(",
        "It lies in [0, 1) there",
        "Whole (though a bracket is missing here.",
        "No end where siblings have none either",
        "<!DOCTYPE html><html><title>Shop</title><p>500 offers.</p></html>",
        '{"error": "none"}',
        '{"error": {"message": "x", "type": "y"}, "services": []}',
        '{"choices": ["red", "blue"]}',
        '{"role": "user", "content": "x"}',
        '[{"type": "text"}]',
        '[{"type": "circle", "r": 2}]',
        "[]",
        "404 Not Found is what the server says, and its page explains why.",
        "502 services stand there.",
        "Traceback (most recent call last):\nValueError: x.",
        "<think>It holds.</think>\nIt holds.",
    ],
)
def test_whole_texts_are_not_suspected(text: str) -> None:
    """Fences closed, brackets in prose, lists, and texts that end as their siblings do."""
    run = make_run()
    sibling = out(SIBLING if text.startswith(("-", "`")) else "no end here", CUT, arm="b")
    output = out(text, CUT)
    found = flags(output, ITEM, run, surveyed(run, output, sibling))
    assert not any(f.startswith("looks_cut") for f in found)


failures = st.builds(
    Failure,
    kind=st.sampled_from(["timeout", "transport", "http", "content_filter", "odd\u202e", ""]),
    message=st.text(max_size=20),
    elapsed_s=st.none() | st.floats(0, 1e9),
)
counts = st.none() | st.integers(0, 2**53)
records = st.builds(
    Record,
    finish_reason=st.none() | st.sampled_from([*LENGTHS, *FILTERS, "stop", "tool_use"]) | st.text(),
    usage=st.builds(Usage, prompt_tokens=counts, completion_tokens=counts, reasoning_tokens=counts),
    max_tokens=counts,
    timeout_s=st.none() | st.floats(0.001, 1e9),
    wall_s=st.none() | st.floats(0, 1e9),
    error=st.none() | failures,
    reasoning_chars=counts,
    prompt_sha256=st.none() | st.just("0" * 64),
    cwd=st.none() | st.sampled_from(["empty", "repo", "unknown"]),
    attempts=st.lists(failures, max_size=3).map(tuple),
    not_settable=st.lists(st.sampled_from(["max_tokens", "timeout_s"]), max_size=2).map(tuple),
)
outputs_of = st.builds(out, st.none() | st.text(max_size=40), records, arm=st.sampled_from("ac"))


@given(st.lists(outputs_of, min_size=1, max_size=5))
def test_any_records_are_decided_in_the_order_of_the_table(outputs: list[Output]) -> None:
    """Nothing raises; reasons come once each, in order, in one line; flags are one line too."""
    run = cli_run()
    seen = surveyed(run, *outputs)
    order = list(Reason)
    for output in outputs:
        blocks = decide(output, ITEM, run, seen)
        places = [order.index(block.reason) for block in blocks]
        assert places == sorted(set(places))
        assert all("\n" not in b.message and b.message.isprintable() for b in blocks)
        assert all(f.isprintable() for f in flags(output, ITEM, run, seen))


@given(st.lists(outputs_of, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_outputs_changes_no_decision(outputs: list[Output], rng: Random) -> None:
    """A survey is a count, so a shuffled run is decided alike."""
    run = cli_run()
    shuffled = list(outputs)
    rng.shuffle(shuffled)
    one, other = surveyed(run, *outputs), surveyed(run, *shuffled)
    for output in outputs:
        assert decide(output, ITEM, run, one) == decide(output, ITEM, run, other)
