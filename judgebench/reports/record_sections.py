"""What a page says of how its figures came about: settings, passes, record, effort of answers."""

import json

from judgebench.model.passes import PassFacts
from judgebench.model.result import ArmResult, Result
from judgebench.reports import fairness, tables, wording
from judgebench.reports.blocks import Paragraph, Section, Table, bullets, section
from judgebench.reports.digits import DASH, plain, plural, points, usd
from judgebench.text import one_line


def context(result: Result) -> Section | None:
    """Time, tokens, length and money of each arm."""
    if not any(arm.context.known for arm in result.arms):
        return None
    heads = (
        "arm",
        "seconds (median)",
        "completion tokens (median)",
        "characters (median)",
        "cost (sum)",
        "reasoning ÷ answer",
        "outputs with a record",
    )
    rows = [
        (
            arm.arm.id,
            points(arm.context.wall_s, 1),
            points(arm.context.completion_tokens, 0),
            points(arm.context.chars, 0),
            usd(arm.context.cost_usd),
            points(arm.context.reasoning_ratio, 2),
            f"{arm.context.known:,} of {arm.planned:,}",
        )
        for arm in result.arms
    ]
    note = Paragraph(f"Reported, never scored. {DASH} is unknown.")
    return section("context", "What the answers took", note, Table(heads, rows))


def settings(result: Result) -> Section | None:
    """How fair the conditions were, and what each arm ran with."""
    if result.judging.marks_only:
        return None
    settings = result.settings
    budget = "unknown" if settings.max_tokens is None else f"{settings.max_tokens:,} tokens"
    timeout = "unknown" if settings.timeout_s is None else f"{settings.timeout_s:g} s"
    lines = [
        f"Token budget: {budget}",
        f"Timeout: {timeout}",
        f"Working folder of CLI arms: {fairness.folder_words(result)}",
        f"Cache: {settings.cache or 'unknown'}; fallback: {settings.fallback or 'unknown'}",
    ]
    if not fairness.is_reproducible(result):
        lines.append("This table is not reproducible: what is unknown cannot be set again.")
    if not result.declared:
        lines.append("There is no run.yaml: the fairness settings are unknown.")
    if not result.has_prompt:
        lines.append("The judge was not shown a prompt.")
    lines += [
        f"Not on record for {plural(count, 'output')}: {field}"
        for field, count in sorted(result.unknowns.items())
        if count
    ]
    if result.collected_at or result.collector:
        by = f" by {result.collector}" if result.collector else ""
        lines.append(f"Collected {result.collected_at or 'at an unknown time'}{by}")
    lines += [_ambiguity(one.what, one.undefined_fields, one.items) for one in result.ambiguities]
    heads = ("arm", "provider", "model", "harness", "kind", "params", "note")
    rows = [
        (
            arm.arm.id,
            arm.arm.provider or DASH,
            arm.arm.model or DASH,
            arm.arm.harness or DASH,
            fairness.said_kind(result, arm) or DASH,
            _params(arm),
            arm.arm.note or DASH,
        )
        for arm in result.arms
    ]
    table = Table(heads, rows, right=len(heads), caption="Arms and their settings")
    return section("settings", "Fairness settings", bullets(lines), table)


def _params(arm: ArmResult) -> str:
    return json.dumps(arm.arm.params, sort_keys=True, default=str) if arm.arm.params else DASH


def _ambiguity(what: str, fields: tuple[str, ...], items: tuple[str, ...]) -> str:
    where = f" (items {', '.join(items)})" if items else ""
    undefined = f"; undefined and never compared: {', '.join(fields)}" if fields else ""
    return f"Ambiguity of the prompt{where}: {what.rstrip(' .;')}{undefined}"


def not_printed(result: Result) -> Section | None:
    """Each figure that is refused, with its reason; codes are for programs."""
    lines = [f"{name}: {why}" for name, why in tables.why(result)]
    return section("not_printed", "Not printed, and why", bullets(lines))


def passes(result: Result) -> Section | None:
    """Every pass on the run, shown here or not."""
    shown = {one.id for one in result.panel or (result.judging,)}
    heads = ("pass", "judge", "rubric", "route", "requests answered", "state", "started")
    rows = [
        (
            one.id,
            wording.judge_words(one),
            f"{one.rubric_name} {one.rubric_version}",
            one.route,
            f"{one.answered:,} of {one.planned:,}" if one.planned else "none: marks were given",
            _state(one, shown=one.id in shown),
            one.started_at or DASH,
        )
        for one in result.passes
    ]
    return (
        section("passes", "All passes on this run", Table(heads, rows, right=7)) if rows else None
    )


def _state(facts: PassFacts, *, shown: bool) -> str:
    return f"{'complete' if facts.complete else 'unfinished'}, {'shown' if shown else 'not shown'}"


def record(result: Result) -> Section | None:
    """What is needed to make the figures again."""
    rows: list[tuple[str, str]] = []
    for facts in result.panel or (result.judging,):
        rows += _pass_record(facts)
    money, counts = result.money, result.counts
    rows += [
        ("calls", f"{counts.calls:,}, answer unknown for {counts.calls_in_doubt:,}"),
        ("judging cost", usd(money.cost_usd)),
        ("price of the judge", one_line(money.price_source or "price unknown", 120)),
        (
            "tokens (prompt, completion, reasoning)",
            ", ".join(
                plain(one)
                for one in (money.prompt_tokens, money.completion_tokens, money.reasoning_tokens)
            ),
        ),
        ("requests of unknown usage", f"{money.requests_unreported:,}"),
        ("reproducible", "yes" if fairness.is_reproducible(result) else "no"),
    ]
    rows += [(f"version of {name}", value) for name, value in sorted(result.versions.items())]
    if result.generated_from:
        rows.append(("made from", result.generated_from))
    table = Table(("what", "value"), rows, right=2)
    return section("record", "Reproducibility record", table)


def _asked(facts: PassFacts) -> list[tuple[str, str]]:
    """How the judge was asked; of marks that came from a file nobody knows it."""
    if facts.marks_only:
        return [("mode", facts.mode), ("blinding, seed, repeats asked", "not known: imported")]
    return [
        ("mode, blinding", f"{facts.mode}, {facts.blinding}"),
        ("seed", str(facts.seed)),
        ("repeats", str(facts.repeats)),
        ("parameters as sent", facts.params_sent or "unknown"),
    ]


def _pass_record(facts: PassFacts) -> list[tuple[str, str]]:
    rows = [
        ("pass", facts.id),
        ("judge", f"{facts.judge_name} ({facts.judge_model})"),
        ("judge hash", facts.judge_sha256),
        ("rubric", f"{facts.rubric_name} {facts.rubric_version}"),
        ("rubric hash, what the judge is asked", facts.ask_sha256),
        ("rubric hash, how marks are summed", facts.sum_sha256),
        ("prompt version", facts.prompt_version),
        *_asked(facts),
        ("route", facts.route),
        ("started", facts.started_at or "unknown"),
        ("finished", facts.finished_at or "not finished"),
    ]
    if facts.route == "replay":
        rows.append(("recording", facts.recording or "unknown"))
        rows.append(("recorded", facts.recorded_at or "unknown"))
    if facts.split_criteria:
        rows.append(("criteria", "one request each"))
    if facts.turns is not None:
        told = f"of projects that are not shown whole, in up to {facts.turns} replies"
        rows.append(("read with tools", told))
    return rows
