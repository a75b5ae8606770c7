"""What is odd about an output and does not block it: a pure rule beside `blocked.decide`."""

from collections.abc import Iterator

from judgebench.model.collected import Arm, Item, Output, Record, Run
from judgebench.runs import canaries
from judgebench.runs.blocked import cwd_of
from judgebench.runs.finish import Ending, ending
from judgebench.runs.in_place import reported, suspicion
from judgebench.runs.survey import Survey
from judgebench.runs.suspect import NO_HABIT, almost_nothing, habit, looks_cut
from judgebench.secrets import find_secrets
from judgebench.text import has_visible, one_line, plural


def flags(output: Output, item: Item, run: Run, survey: Survey) -> tuple[str, ...]:
    """What is worth knowing about an output and does not block it.

    One of ``cwd_unknown``, ``looks_cut: …``, ``almost_no_content``,
    ``canary_warning: …``, ``record_keys: …``, ``unknown:<field>`` and
    ``not_settable:<field>`` each.
    """
    return tuple(_flags(output, item, run, survey))


def _flags(output: Output, item: Item, run: Run, survey: Survey) -> Iterator[str]:
    arm, record = run.arm(output.arm), output.record
    if arm.kind == "cli" and (cwd_of(record, run) or "unknown") == "unknown":
        yield "cwd_unknown"
    # A project has no end that could be cut off: it is a list of files.
    if output.project is None:
        yield from _of_text(output, item, run, survey)
    if arm.kind == "cli":
        warned = canaries.told(output, item, run) & survey.api_canaries.get(
            output.item, frozenset()
        )
        if warned:
            names = one_line(", ".join(sorted(warned)), 120)
            yield f"canary_warning: {names} is named by an arm without tools too"
    if output.fault is None and output.fault_detail.startswith("record_keys: "):
        yield one_line(output.fault_detail, 160)
    yield from _unknown(record, arm, run)
    for limit in record.not_settable:
        yield f"not_settable:{one_line(limit, 40)}"


def _of_text(output: Output, item: Item, run: Run, survey: Survey) -> Iterator[str]:
    text = output.text or ""
    if not has_visible(text):
        return
    sign = suspicion(output, item, run)
    unknown = ending(output.record.finish_reason) is Ending.UNKNOWN
    if sign is None and unknown and reported(output, item, run) is None:
        siblings = survey.habits.get(output.item, NO_HABIT) - habit(text)
        sign = looks_cut(text, siblings=siblings)
    if sign is not None:
        yield f"looks_cut: {sign}"
    if almost_nothing(text):
        yield "almost_no_content"
    if secrets := find_secrets(text):
        yield f"secret_masked: {plural(len(secrets), 'key or password', 'keys or passwords')}"


def _unknown(record: Record, arm: Arm, run: Run) -> Iterator[str]:
    if ending(record.finish_reason) is Ending.UNKNOWN:
        yield "unknown:finish_reason"
    if record.usage.completion_tokens is None:
        yield "unknown:completion_tokens"
    if "max_tokens" not in record.not_settable and not (
        record.max_tokens or run.settings.max_tokens
    ):
        yield "unknown:max_tokens"
    if "timeout_s" not in record.not_settable and not (record.timeout_s or run.settings.timeout_s):
        yield "unknown:timeout_s"
    for name in ("wall_s", "cost_usd", "prompt_sha256"):
        if getattr(record, name) is None:
            yield f"unknown:{name}"
    if arm.kind == "cli" and (cwd_of(record, run) or "unknown") == "unknown":
        yield "unknown:cwd"
