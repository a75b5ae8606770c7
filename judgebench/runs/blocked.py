"""Why an output has no fair result: decided from its record before any judge is paid.

Two steps. `survey.survey` goes once over all outputs and keeps only counts: when an
arm's connection broke, which canaries API arms name, how siblings end. `decide`
is a pure rule over one output, its item and that survey; what does not block
stands in `flagged`.

`finish_reason` and the token counts are read before anything else, because an
empty, a malformed and a truncated answer may all be one cap. What is unknown
(None) is never read as good and never blocks by itself.
"""

from collections.abc import Callable, Iterator
from functools import cached_property

from judgebench.model.collected import Arm, Block, Failure, Item, Output, Record, Run
from judgebench.model.reasons import Reason
from judgebench.records import dataclass
from judgebench.runs import canaries
from judgebench.runs.failure import FailureKind, at_limit, kind_of, limit_of, times_below
from judgebench.runs.finish import Ending, ending
from judgebench.runs.in_place import reported
from judgebench.runs.survey import Survey
from judgebench.text import has_visible, one_line, plural, sha256_text

APART = frozenset({"google", "gemini", "vertex", "vertexai", "vertex_ai", "google-genai"})
"""Providers whose completion count leaves reasoning tokens out."""


def decide(output: Output, item: Item, run: Run, survey: Survey) -> tuple[Block, ...]:
    """All reasons that apply, the first one winning; empty where the output is fair.

    Args:
        output: One output with its record.
        item: Its item.
        run: The run with its settings and canaries.
        survey: Counts over all outputs.
    """
    case = _Case(output=output, item=item, run=run, survey=survey)
    blocks = [block for rule in _RECORD_RULES if (block := rule(case))]
    if output.fault is Reason.MISSING and not blocks:
        message = one_line(output.fault_detail or "no output", 160)
        blocks.append(Block(reason=Reason.MISSING, message=message))
    blocks += [block for rule in _CONTENT_RULES if (block := rule(case))]
    if output.fault is not None and output.fault is not Reason.MISSING:
        blocks.append(Block(reason=output.fault, message=one_line(output.fault_detail, 200)))
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


def _n(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"


def _s(seconds: float | None) -> str:
    return "unknown" if seconds is None else f"{seconds:,.6g} s"


@dataclass(frozen=True, kw_only=True)
class _Case:
    """One output with all that its rules look at."""

    output: Output
    item: Item
    run: Run
    survey: Survey

    @property
    def record(self) -> Record:
        return self.output.record

    @cached_property
    def error(self) -> Failure | None:
        """What went wrong, as the record or else the text itself says."""
        return self.record.error or reported(self.output, self.item, self.run)

    @cached_property
    def arm(self) -> Arm:
        return self.run.arm(self.output.arm)

    @cached_property
    def failure(self) -> FailureKind | None:
        return None if self.error is None else kind_of(self.error)

    @cached_property
    def ending(self) -> Ending:
        return ending(self.record.finish_reason)

    @cached_property
    def limit(self) -> float | None:
        return limit_of(self.record, self.run)

    @property
    def said(self) -> str:
        """The failure in its own words."""
        if self.error is None:
            return ""
        return f"{one_line(self.error.kind, 30)}: {one_line(self.error.message, 100)}"

    @property
    def facts(self) -> str:
        """Finish reason, tokens and cap, in one clause for every message that is about them."""
        record, used = self.record, self.record.usage
        finish = "unknown" if record.finish_reason is None else one_line(record.finish_reason, 40)
        parts = [
            f"finish_reason {finish}",
            f"completion_tokens {_n(used.completion_tokens)}",
            f"cap {_n(cap_of(record, self.run))}",
        ]
        if used.reasoning_tokens is not None:
            spent = tokens_spent(record, self.arm)
            apart = "" if spent == used.completion_tokens else ", counted apart"
            parts.append(f"reasoning_tokens {_n(used.reasoning_tokens)}{apart}")
        parts.append(f"{plural(len(self.output.text or ''), 'character')} of answer")
        if record.reasoning_chars is not None:
            parts.append(f"{record.reasoning_chars:,} of reasoning")
        return "; ".join(parts)


def _length(case: _Case) -> Block | None:
    record, arm = case.record, case.arm
    cap, spent = cap_of(record, case.run), tokens_spent(record, arm)
    at_cap = cap is not None and spent is not None and spent >= cap
    # Above the run's cap without one of its own: a tool that was never given the cap.
    if at_cap and arm.kind == "cli" and record.max_tokens is None and spent != cap:
        at_cap = False
    if not at_cap and case.ending is not Ending.LENGTH:
        return None
    return Block(reason=Reason.LENGTH, message=case.facts)


def _timeout(case: _Case) -> Block | None:
    record, error, limit = case.record, case.error, case.limit
    late = (
        case.ending is Ending.UNKNOWN
        and limit is not None
        and record.wall_s is not None
        and record.wall_s >= limit
    )
    failed = case.failure is FailureKind.TIMEOUT or (
        error is not None and case.failure is FailureKind.TRANSPORT and at_limit(error, limit)
    )
    if not failed and not late and case.ending is not Ending.TIMEOUT:
        return None
    elapsed = (
        error.elapsed_s if error is not None and error.elapsed_s is not None else record.wall_s
    )
    said = f"; {case.said}" if error is not None and error.message else ""
    message = f"ended after {_s(elapsed)}, limit {_s(limit)}; {case.facts}{said}"
    return Block(reason=Reason.TIMEOUT, message=message)


def _refused(case: _Case) -> Block | None:
    """The provider said that a limit of its own is used up: its words are no answer."""
    if case.failure is not FailureKind.WINDOW:
        return None
    message = f"the provider's usage limit; {case.said}; {case.facts}"
    return Block(reason=Reason.PROVIDER_WINDOW, message=message)


def _transport(case: _Case) -> Block | None:
    error, limit = case.error, case.limit
    if error is None or case.failure is not FailureKind.TRANSPORT or at_limit(error, limit):
        return None
    facts = f"limit {_s(limit)}; {case.said}; {case.facts}"
    same = case.survey.near(case.arm.id, error.elapsed_s)
    if error.elapsed_s in times_below(case.record, case.run) and len(same) > 1:
        shown = ", ".join(f"{seconds:,.6g}" for seconds in same[:4])
        tokens = case.record.usage.prompt_tokens
        size = "" if tokens is None else f" at {tokens:,} prompt tokens"
        message = (
            f"{len(same):,} transport errors at about the same time ({shown} s){size},"
            f" below the client's {facts}"
        )
        return Block(reason=Reason.PROVIDER_WINDOW, message=message)
    message = f"failed after {_s(error.elapsed_s)}, {facts}"
    return Block(reason=Reason.TRANSPORT, message=message)


def _filtered(case: _Case) -> Block | None:
    if case.failure is not FailureKind.FILTER and case.ending is not Ending.FILTER:
        return None
    said = f"{case.said}; " if case.error is not None else ""
    return Block(reason=Reason.CONTENT_FILTER, message=said + case.facts)


def _harness(case: _Case) -> Block | None:
    error, text = case.error, case.output.text
    if error is not None and case.failure is FailureKind.ERROR:
        after = "" if error.elapsed_s is None else f" after {_s(error.elapsed_s)}"
        return Block(reason=Reason.HARNESS, message=f"{case.said}{after}; {case.facts}")
    if case.ending is Ending.ERROR and error is None:
        return Block(reason=Reason.HARNESS, message=case.facts)
    if case.ending is Ending.TOOLS and not (text and has_visible(text)):
        message = f"ended with a tool call, no answer; {case.facts}"
        return Block(reason=Reason.HARNESS, message=message)
    return None


def _prompt_mismatch(case: _Case) -> Block | None:
    sent, prompt = case.record.prompt_sha256, case.item.prompt
    if sent is None or not case.run.has_prompt or sent in _prompt_hashes(prompt):
        return None
    message = f"sent a prompt with SHA-256 {sent[:12]}…, the item's has {sha256_text(prompt)[:12]}…"
    return Block(reason=Reason.PROMPT_MISMATCH, message=message)


def _prompt_hashes(prompt: str) -> Iterator[str]:
    # An editor's last line end is no part of what was sent.
    bare = prompt.rstrip("\r\n")
    yield sha256_text(prompt)
    yield sha256_text(bare)
    yield sha256_text(bare + "\n")


def _settings_mismatch(case: _Case) -> Block | None:
    record, settings = case.record, case.run.settings
    differ = [
        f"{name} {own:,} instead of the run's {shared:,}"
        for name, own, shared in (
            ("max_tokens", record.max_tokens, settings.max_tokens),
            ("timeout_s", record.timeout_s, settings.timeout_s),
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


def _contaminated(case: _Case) -> Block | None:
    output, run = case.output, case.run
    if case.arm.kind != "cli":
        return None
    parts = []
    if cwd_of(case.record, run) == "repo":
        parts.append("its working folder held the repository")
    api = case.survey.api_canaries.get(output.item, frozenset())
    told = canaries.told(output, case.item, run) - api
    if told:
        names = one_line(", ".join(sorted(told)), 160)
        parts.append(f"it names {names}, which stand in no prompt or evidence")
    if not parts:
        return None
    return Block(reason=Reason.CONTAMINATED, message="; ".join(parts))


def _empty(case: _Case) -> Block | None:
    record, text = case.record, case.output.text
    if text is None or has_visible(text):
        return None
    what = f"{plural(len(text), 'character')}, nothing visible" if text else "nothing at all"
    finish = "unknown" if record.finish_reason is None else one_line(record.finish_reason, 40)
    message = (
        f"{what}; finish_reason {finish}; completion_tokens {_n(record.usage.completion_tokens)}"
    )
    if record.reasoning_chars is not None:
        message += f"; reasoning ({plural(record.reasoning_chars, 'character')}) is no answer"
    return Block(reason=Reason.EMPTY, message=message)


_Rule = Callable[[_Case], Block | None]
_RECORD_RULES: tuple[_Rule, ...] = (_length, _timeout, _refused, _transport, _filtered, _harness)
_CONTENT_RULES: tuple[_Rule, ...] = (_prompt_mismatch, _settings_mismatch, _contaminated, _empty)
