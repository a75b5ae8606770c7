"""Why an output has no fair result: decided from its record before any judge is paid.

Two steps. `survey` goes once over all outputs and keeps only counts: when an
arm's connection broke, which canaries API arms name, how siblings end. `decide`
is a pure rule over one output, its item and that survey; what does not block
stands in `flagged`.

`finish_reason` and the token counts are read before anything else, because an
empty, a malformed and a truncated answer may all be one cap. What is unknown
(None) is never read as good and never blocks by itself.
"""

import re
from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from judgebench.model import Arm, Block, Failure, Item, Output, Reason, Record, Run
from judgebench.runs import canaries
from judgebench.runs.finish import Ending, ending
from judgebench.runs.suspect import NO_HABIT, Habit, habit
from judgebench.text import has_visible, one_line, sha256_text

SAME_TIME = 0.05
"""Elapsed times within this share of the larger one agree."""
WINDOW_MIN_S = 5.0
"""Faster failures are refusals of the connection, no window of the provider."""
APART = frozenset({"google", "gemini", "vertex", "vertexai", "vertex_ai", "google-genai"})
"""Providers whose completion count leaves reasoning tokens out."""
_TIMEOUT = re.compile(
    r"(client|read|request|total|wall)?[ _-]?time[ _-]?(out|limit)(error)?\Z|timed[ _-]?out\Z"
    r"|deadline([ _-]exceeded)?\Z"
)
_TRANSPORT = re.compile(
    r"transport|connect|reset|network|disconnect|broken[ _-]?pipe|remote[ _-]?protocol|eof"
    r"|incomplete|server[ _-]?error|overloaded|bad[ _-]?gateway|unavailable|5\d\d\b|5xx"
)
_FILTER = re.compile(r"(content[ _-]?)?(filter|policy|safety|moderation)")
_WINDOW = re.compile(
    r"(usage|rate|request)s?[ _-]?(limit|window|cap)|too[ _-]many[ _-]requests|quota|\b429\b"
)
_HTTP_5XX = re.compile(r"\b5\d\d\b")


@dataclass(frozen=True, kw_only=True, slots=True)
class Survey:
    """What must be known over all outputs before one can be decided."""

    transport_s: Mapping[str, "array[float]"] = field(default_factory=dict)
    """Arm → sorted elapsed seconds of its transport errors below the client's limit."""
    api_canaries: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Item → declared canaries that an arm without tools names as well."""
    habits: Mapping[str, Habit] = field(default_factory=dict)
    """Item → how its answers end."""
    outputs: int = 0


def survey(run: Run, outputs: Iterable[Output], load_item: Callable[[str], Item]) -> Survey:
    """Go over all outputs once and keep counts.

    Args:
        run: The run.
        outputs: Its outputs in any order; none is kept.
        load_item: Gives an item; asked only where a canary was found.
    """
    times: dict[str, array[float]] = {}
    named: dict[str, set[str]] = {}
    habits: dict[str, Habit] = {}
    arms = {arm.id: arm for arm in run.arms}
    count = 0
    for output in outputs:
        count += 1
        for elapsed in _window_times(output.record, run):
            insort(times.setdefault(output.arm, array("d")), elapsed)
        if not output.text:
            continue
        if output.project is None:
            habits[output.item] = habits.get(output.item, NO_HABIT) + _shared(habit(output.text))
        if run.canaries and arms[output.arm].kind == "api":
            found = canaries.named(output.text, run.canaries)
            if found:
                item = load_item(output.item)
                known = {canary for canary in found if not canaries.supplied(item, canary)}
                named.setdefault(output.item, set()).update(known)
    shared = {total: total for total in habits.values()}
    return Survey(
        transport_s=times,
        api_canaries={item: frozenset(words) for item, words in named.items()},
        habits={item: shared[total] for item, total in habits.items()},
        outputs=count,
    )


@cache
def _shared(one: Habit) -> Habit:
    return one


def decide(output: Output, item: Item, run: Run, survey: Survey) -> tuple[Block, ...]:
    """All reasons that apply, the first one winning; empty where the output is fair.

    Args:
        output: One output with its record.
        item: Its item.
        run: The run with its settings and canaries.
        survey: Counts over all outputs.
    """
    arm = run.arm(output.arm)
    record = output.record
    blocks = [block for rule in _RECORD_RULES if (block := rule(output, arm, run, survey))]
    if output.fault is Reason.MISSING and not blocks:
        blocks.append(Block(reason=Reason.MISSING, message=_missing(output)))
    blocks.extend(
        block
        for block in (
            _prompt_mismatch(record, item, run),
            _settings_mismatch(record, run),
            _contaminated(output, arm, item, run, survey),
            _empty(output),
        )
        if block
    )
    if output.fault not in {None, Reason.MISSING}:
        detail = one_line(output.fault_detail, 200)
        blocks.append(Block(reason=output.fault or Reason.UNREADABLE, message=detail))
    return tuple(blocks)


def cap_of(record: Record, run: Run) -> int | None:
    """The token budget that held for an output: the record's, else the run's."""
    if record.max_tokens is not None:
        return record.max_tokens
    return None if "max_tokens" in record.not_settable else run.settings.max_tokens


def tokens_spent(record: Record, arm: Arm) -> int | None:
    """Completion tokens, with reasoning added where the provider counts it apart."""
    completion, reasoning = record.usage.completion_tokens, record.usage.reasoning_tokens
    if completion is None or reasoning is None:
        return completion
    # Counted within, reasoning can never exceed the whole.
    apart = reasoning > completion or (arm.provider or "").lower() in APART
    return completion + reasoning if apart else completion


def _facts(output: Output, arm: Arm, run: Run) -> str:
    """Finish reason, tokens and cap, in one clause for every message that is about them."""
    record = output.record
    cap = cap_of(record, run)
    spent = tokens_spent(record, arm)
    parts = [
        f"finish_reason {one_line(record.finish_reason, 40)}"
        if record.finish_reason is not None
        else "finish_reason unknown",
        f"completion_tokens {_n(record.usage.completion_tokens)}",
        f"cap {_n(cap)}",
    ]
    if record.usage.reasoning_tokens is not None:
        apart = "" if spent == record.usage.completion_tokens else ", counted apart"
        parts.append(f"reasoning_tokens {_n(record.usage.reasoning_tokens)}{apart}")
    parts.append(f"{len(output.text or ''):,} characters of answer")
    if record.reasoning_chars is not None:
        parts.append(f"{record.reasoning_chars:,} of reasoning")
    return "; ".join(parts)


def _n(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"


def _s(seconds: float | None) -> str:
    return "an unknown time" if seconds is None else f"{seconds:,.6g} s"


def _length(output: Output, arm: Arm, run: Run, survey: Survey) -> Block | None:
    del survey
    record = output.record
    cap, spent = cap_of(record, run), tokens_spent(record, arm)
    at_cap = cap is not None and spent is not None and spent >= cap
    # Above the run's cap without one of its own: a tool that was never given the cap.
    if at_cap and arm.kind == "cli" and record.max_tokens is None and spent != cap:
        at_cap = False
    if not at_cap and ending(record.finish_reason) is not Ending.LENGTH:
        return None
    return Block(reason=Reason.LENGTH, message=_facts(output, arm, run))


def _limit(record: Record, run: Run) -> float | None:
    if record.timeout_s is not None:
        return record.timeout_s
    return None if "timeout_s" in record.not_settable else run.settings.timeout_s


def _kind(failure: Failure) -> Ending | str:
    """Sort a recorded failure: ``timeout``, ``filter``, ``window``, ``transport`` or ``error``."""
    word = failure.kind.strip().lower()
    if _TIMEOUT.match(word):
        return Ending.TIMEOUT
    if _FILTER.match(word):
        return Ending.FILTER
    if _TRANSPORT.search(word) or (word.startswith("http") and _HTTP_5XX.search(failure.message)):
        return "transport"
    if _WINDOW.search(word) or _WINDOW.search(failure.message.lower()):
        return "window"
    return Ending.ERROR


def _at_limit(failure: Failure, limit: float | None) -> bool:
    """Whether a broken connection is the client's own limit: a hair below counts as at it."""
    return limit is not None and failure.elapsed_s is not None and failure.elapsed_s >= 0.99 * limit


def _timeout(output: Output, arm: Arm, run: Run, survey: Survey) -> Block | None:
    del survey
    record, error = output.record, output.record.error
    limit = _limit(record, run)
    ended = ending(record.finish_reason)
    late = (
        ended is Ending.UNKNOWN
        and limit is not None
        and record.wall_s is not None
        and record.wall_s >= limit
    )
    failed = error is not None and (
        _kind(error) is Ending.TIMEOUT or (_kind(error) == "transport" and _at_limit(error, limit))
    )
    if not failed and not late and ended is not Ending.TIMEOUT:
        return None
    elapsed = (
        error.elapsed_s if error is not None and error.elapsed_s is not None else record.wall_s
    )
    said = f"; {_said(error)}" if error is not None and error.message else ""
    message = f"ended after {_s(elapsed)}, limit {_s(limit)}; {_facts(output, arm, run)}{said}"
    return Block(reason=Reason.TIMEOUT, message=message)


def _said(error: Failure) -> str:
    return f"{one_line(error.kind, 30)}: {one_line(error.message, 100)}"


def _refused(output: Output, arm: Arm, run: Run, survey: Survey) -> Block | None:
    """The provider said that a limit of its own is used up: its words are no answer."""
    del survey
    error = output.record.error
    if error is None or _kind(error) != "window":
        return None
    message = f"the provider's usage limit; {_said(error)}; {_facts(output, arm, run)}"
    return Block(reason=Reason.PROVIDER_WINDOW, message=message)


def _window_times(record: Record, run: Run) -> list[float]:
    """Elapsed seconds of a record's transport errors that lie below the client's limit."""
    limit = _limit(record, run)
    failures = list(record.attempts)
    # Collectors that list every attempt list the last one twice.
    if record.error is not None and record.error not in failures[-1:]:
        failures.append(record.error)
    return [
        failure.elapsed_s
        for failure in failures
        if failure.elapsed_s is not None
        and limit is not None
        and failure.elapsed_s >= WINDOW_MIN_S
        and _kind(failure) == "transport"
        and not _at_limit(failure, limit)
    ]


def _transport(output: Output, arm: Arm, run: Run, survey: Survey) -> Block | None:
    record, error = output.record, output.record.error
    limit = _limit(record, run)
    if error is None or _kind(error) != "transport" or _at_limit(error, limit):
        return None
    facts = f"limit {_s(limit)}; {_said(error)}; {_facts(output, arm, run)}"
    same = _same_times(error.elapsed_s, survey.transport_s.get(arm.id))
    if error.elapsed_s in _window_times(record, run) and len(same) > 1:
        shown = ", ".join(f"{seconds:,.6g}" for seconds in same[:4])
        tokens = record.usage.prompt_tokens
        size = "" if tokens is None else f" at {tokens:,} prompt tokens"
        message = (
            f"{len(same):,} transport errors at about the same time ({shown} s){size},"
            f" below the client's {facts}"
        )
        return Block(reason=Reason.PROVIDER_WINDOW, message=message)
    message = f"failed after {_s(error.elapsed_s)}, {facts}"
    return Block(reason=Reason.TRANSPORT, message=message)


def _same_times(elapsed: float | None, times: "array[float] | None") -> list[float]:
    if elapsed is None or times is None:
        return []
    low = bisect_left(times, elapsed * (1 - SAME_TIME))
    high = bisect_right(times, elapsed / (1 - SAME_TIME))
    return list(times[low:high])


def _filtered(output: Output, arm: Arm, run: Run, survey: Survey) -> Block | None:
    del survey
    error = output.record.error
    by_error = error is not None and _kind(error) is Ending.FILTER
    if not by_error and ending(output.record.finish_reason) is not Ending.FILTER:
        return None
    said = f"{_said(error)}; " if error is not None else ""
    return Block(reason=Reason.CONTENT_FILTER, message=said + _facts(output, arm, run))


def _harness(output: Output, arm: Arm, run: Run, survey: Survey) -> Block | None:
    del survey
    error, ended = output.record.error, ending(output.record.finish_reason)
    facts = _facts(output, arm, run)
    if error is not None and _kind(error) is Ending.ERROR:
        after = "" if error.elapsed_s is None else f" after {_s(error.elapsed_s)}"
        return Block(reason=Reason.HARNESS, message=f"{_said(error)}{after}; {facts}")
    if ended is Ending.ERROR and error is None:
        return Block(reason=Reason.HARNESS, message=facts)
    if ended is Ending.TOOLS and not (output.text and has_visible(output.text)):
        return Block(reason=Reason.HARNESS, message=f"ended with a tool call, no answer; {facts}")
    return None


_RECORD_RULES = (_length, _timeout, _refused, _transport, _filtered, _harness)


def _missing(output: Output) -> str:
    return one_line(output.fault_detail or "no output", 160)


def _prompt_mismatch(record: Record, item: Item, run: Run) -> Block | None:
    if record.prompt_sha256 is None or not run.has_prompt:
        return None
    # An editor's last line end is no part of what was sent.
    bare = item.prompt.rstrip("\r\n")
    if record.prompt_sha256 in _prompt_hashes(item.prompt, bare):
        return None
    message = (
        f"sent a prompt with SHA-256 {record.prompt_sha256[:12]}…,"
        f" the item's has {sha256_text(item.prompt)[:12]}…"
    )
    return Block(reason=Reason.PROMPT_MISMATCH, message=message)


def _prompt_hashes(prompt: str, bare: str) -> Iterator[str]:
    yield sha256_text(prompt)
    yield sha256_text(bare)
    yield sha256_text(bare + "\n")


def _settings_mismatch(record: Record, run: Run) -> Block | None:
    differ = [
        f"{name} {own:,} instead of the run's {shared:,}"
        for name, own, shared in (
            ("max_tokens", record.max_tokens, run.settings.max_tokens),
            ("timeout_s", record.timeout_s, run.settings.timeout_s),
        )
        if own is not None
        and shared is not None
        and own != shared
        and name not in record.not_settable
    ]
    if not differ:
        return None
    return Block(reason=Reason.SETTINGS_MISMATCH, message="; ".join(differ))


def cwd_of(record: Record, run: Run) -> str | None:
    """What a CLI arm's working folder held: as the record says, else the run."""
    return record.cwd if record.cwd is not None else run.settings.cli_cwd


def _contaminated(output: Output, arm: Arm, item: Item, run: Run, survey: Survey) -> Block | None:
    if arm.kind != "cli":
        return None
    parts = []
    if cwd_of(output.record, run) == "repo":
        parts.append("its working folder held the repository")
    told = canaries.told(output, item, run) - survey.api_canaries.get(output.item, frozenset())
    if told:
        names = one_line(", ".join(sorted(told)), 160)
        parts.append(f"it names {names}, which stand in no prompt or evidence")
    if not parts:
        return None
    return Block(reason=Reason.CONTAMINATED, message="; ".join(parts))


def _empty(output: Output) -> Block | None:
    if output.text is None or has_visible(output.text):
        return None
    record = output.record
    chars = len(output.text)
    what = "nothing at all" if not chars else f"{chars:,} characters, none of them visible"
    reasoning = (
        ""
        if record.reasoning_chars is None
        else (f"; {record.reasoning_chars:,} characters of reasoning are no answer")
    )
    finish = "unknown" if record.finish_reason is None else one_line(record.finish_reason, 40)
    message = (
        f"{what}; finish_reason {finish};"
        f" completion_tokens {_n(record.usage.completion_tokens)}{reasoning}"
    )
    return Block(reason=Reason.EMPTY, message=message)
