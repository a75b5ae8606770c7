"""A run before judging, as text: what is blocked and why, settings, plan and price."""

import shlex
from collections.abc import Iterator

from judgebench.model.checked import ArmCheck, Check, Estimated
from judgebench.model.clusters import Clusters
from judgebench.model.nouns import Mode
from judgebench.model.reasons import REASON_SENTENCES, Reason
from judgebench.model.turns import MOST_TURNS
from judgebench.namesakes import apart
from judgebench.reports.cells import wrap
from judgebench.reports.fairness import but_for
from judgebench.text import one_line, plural, printable

MOST_PROJECTS = 20
MOST_KEYS = 12
_FLAGS = {
    "own_empty": "empty by the model itself, whole in its record (--empty-as decides)",
    "almost_no_content": "with almost no content",
    "secret_masked": "with keys or passwords, which will be masked",
    "cwd_unknown": "of CLI arms whose working folder is unknown: it may have held the code",
    "canary_warning": "with strings of the repository that API arms name too",
    "style_mark": "with marks of a chat template, sent as delivered",
    "identity_visible": "with names of models or vendors in code, where they stay",
}
"""What a flag of an output says, by its name in the store."""


def render(found: Check, *, run: str, typed: str = "", width: int = 80) -> str:
    """Write a check.

    Args:
        found: What is known of the run.
        run: The run as the user named it, for the next command.
        typed: Options for that command, each behind a blank.
        width: Columns of the terminal.
    """
    return "".join(f"{_fitting(line, width)}\n" for line in _lines(found, run, typed))


def _fitting(line: str, width: int) -> str:
    """A line in the columns of the page, further lines under its words; commands stay."""
    text = printable(line)
    if text.startswith("Next: "):
        return text
    indent = " " * (len(text) - len(text.lstrip(" ")) + 2)
    return "\n".join(wrap(text, width, indent=indent))


def _lines(found: Check, run: str, typed: str) -> Iterator[str]:
    arms, items = plural(len(found.arms), "arm"), plural(found.items, "item")
    if found.clusters is not None:
        items += f" in {plural(found.clusters.count, 'cluster')}{_sizes(found.clusters)}"
    yield f"{one_line(found.run, 40)} · {arms} · {items}"
    for note in found.notes:
        yield f"  {note}"
    names = apart((arm.arm for arm in found.arms), 24)
    width = max(3, *map(len, names.values()))
    yield f"{'arm':<{width}}  may be judged  blocked"
    for arm in found.arms:
        yield from _arm(arm, names[arm.arm], width)
    yield from _masked(found)
    yield from _projects(found)
    yield from _settings(found)
    yield from _plan(found, run, typed)


def _sizes(found: Clusters) -> str:
    """Of how many items the clusters are."""
    if found.smallest == found.largest:
        return f" of {found.largest}"
    return f" of {found.smallest} to {found.largest}"


def _projects(found: Check) -> Iterator[str]:
    """What a judge would be shown of project folders."""
    if not found.projects:
        return
    from judgebench.reports.audits import shown_of  # noqa: PLC0415 - only for projects

    yield "projects, and how much of them a judge is shown:"
    arms = apart((arm.arm for arm in found.arms), 24)
    items = apart((one.item for one in found.projects), 24)
    for one in found.projects[:MOST_PROJECTS]:
        keys = f", keys masked in {plural(len(one.secrets), 'line')}" if one.secrets else ""
        unread = f"; not read: {one_line(', '.join(one.unread), 120)}" if one.unread else ""
        where = f"{arms[one.arm]} {items[one.item]}"
        yield (
            f"  {where}: {shown_of(one)} of {plural(one.lines, 'line')} in "
            f"{plural(one.files, 'file')}, {len(one.left_out):,} left out{keys}{unread}"
        )
    if len(found.projects) > MOST_PROJECTS:
        yield f"  and {plural(len(found.projects) - MOST_PROJECTS, 'more project')}: --json"


def _arm(arm: ArmCheck, name: str, width: int) -> Iterator[str]:
    reasons = ", ".join(f"{b.count} {b.reason}" for b in arm.blocked) or "none"
    yield f"{name:<{width}}  {arm.judgeable:>6} of {arm.planned:<4}  {reasons}"
    for block in arm.blocked:
        sentence = REASON_SENTENCES[Reason(block.reason)]
        yield f"  {block.reason}: {sentence} ({one_line(block.message, 160)})"
    if arm.suspects:
        yield f"  {arm.suspects} look cut or like no answer (--accept-cut or --block-cut decides)"


def _masked(found: Check) -> Iterator[str]:
    """Identity strings, an arm: in projects those in code stay."""
    folders = {one.arm for one in found.projects}
    names = apart((arm.arm for arm in found.arms), 24)
    for inside, done in ((False, "masked"), (True, "masked in comments, kept in code")):
        counts = [
            f"{names[arm.arm]} {arm.masked:,}"
            for arm in found.arms
            if arm.masked and (arm.arm in folders) is inside
        ]
        if counts:
            yield f"identity strings, which will be {done}: {', '.join(counts)}"


def _settings(found: Check) -> Iterator[str]:
    settings = found.settings
    cap = "unknown" if settings.max_tokens is None else f"{settings.max_tokens:,} tokens"
    limit = "unknown" if settings.timeout_s is None else f"{settings.timeout_s:g} s"
    yield f"budget {cap} · timeout {limit} · {_folder(found)}"
    if found.missing:
        yield f"not reproducible: {', '.join(found.missing)} unknown"
    if found.unknowns:
        parts = ", ".join(f"{name} {count}" for name, count in found.unknowns.items())
        yield f"outputs without {parts}"
    if not found.declared and found.form in {"items", "single"}:
        yield "there is no run.yaml, which says these: judge init --from RUN writes one"
    yield from (f"flagged: {flag}" for flag in _flags(found))
    for what in found.ambiguities:
        yield f"ambiguous: {one_line(what, 160)}"
    if not found.has_prompt:
        yield "no prompt: marks will be of the answers alone"


def _flags(found: Check) -> Iterator[str]:
    """What is odd about outputs, a line each; limits that the same arms lack share one."""
    lacking: dict[int, list[str]] = {}
    for name, count in found.flags.items():
        kind, _, limit = name.partition(":")
        if kind == "not_settable":
            lacking.setdefault(count, []).append(one_line(limit, 40))
        elif not name.startswith(("unknown:", "looks_cut")):
            yield _flag(name, count, found)
    for count, limits in lacking.items():
        yield f"{plural(count, 'output')} of arms that cannot be given {' and '.join(limits)}"


def _flag(name: str, count: int, found: Check) -> str:
    """What is odd about so many outputs, in words."""
    outputs = plural(count, "output")
    if name == "record_keys":
        keys = [one_line(key, 40) for key in found.keys_not_read]
        more = f" and {len(keys) - MOST_KEYS} more" if len(keys) > MOST_KEYS else ""
        shown = ", ".join(keys[:MOST_KEYS])
        return f"{outputs} with keys in meta.json that are not read: {shown}{more}"
    return f"{outputs} {_FLAGS[name]}" if name in _FLAGS else f"{outputs}: {one_line(name, 60)}"


def _folder(found: Check) -> str:
    """Where CLI arms worked, in the words of the table."""
    if not found.cli_arms:
        return "no CLI arms" if found.declared and found.kinds_said else "CLI arms unknown"
    folder = found.settings.cli_cwd or "unknown"
    return f"CLI folder {folder}{but_for(found.arms) if folder == 'empty' else ''}"


def _pairs(found: Check) -> str:
    """How many requests an item takes where every two answers are compared."""
    if found.mode != Mode.PAIRWISE.value:
        return ""
    asked = f"K(K-1) = {plural(found.an_item, 'request')}"
    return f" · pairs in both orders: {asked} an item of {plural(len(found.arms), 'arm')}"


def _plan(found: Check, run: str, typed: str) -> Iterator[str]:
    yield (
        f"rubric {found.rubric}{_pairs(found)}"
        + (f" ({plural(len(found.hints), 'hint')}: judge rubric lint)" if found.hints else "")
        + (f" · answered already: {found.answered}" if found.answered else "")
    )
    for note in found.rubric_notes:
        yield f"  {note}"
    if found.not_asked:
        names = ", ".join(one_line(name, 40) for name in found.not_asked[:8])
        more = len(found.not_asked) - 8
        yield (
            f"not asked, no criterion applies to {plural(len(found.not_asked), 'item')}: {names}"
            + (f" and {more} more" if more > 0 else "")
        )
    taken = found.estimated
    planned = plural(taken.requests, "request") + _controls_in(taken)
    if found.replay:
        yield f"judge {found.judge}, {from_replies(taken)}"
    else:
        source = f"; price from {one_line(taken.price_source, 120)}" if taken.price_source else ""
        about = "at most about" if taken.talks else "about"
        cost = "price unknown" if taken.cost_usd is None else f"{about} {taken.cost_usd:.2f} USD"
        yield (
            f"judge {found.judge}: {planned}, {about} {taken.prompt_tokens:,} tokens in and "
            f"{taken.completion_tokens:,} out, {cost} (estimated{source})"
        )
    if found.judge == "not named" and not found.replay:
        yield "name a judge: --judge openai/MODEL, or default in judges.toml"
    yield _next(found, run, typed)


def _next(found: Check, run: str, typed: str) -> str:
    """What helps from here: judging, or where nothing is open what gives more to judge."""
    score = f"judge score {shlex.quote(run)}{typed}"
    nothing = not any(arm.judgeable for arm in found.arms)
    blocked = sum(one.count for arm in found.arms for one in arm.blocked)
    if blocked and (found.judged is not None or nothing):
        return f"Next: collect the {plural(blocked, 'blocked answer')} again, then {score}"
    if found.judged is not None:
        return f"Next: judge table {shlex.quote(run)} --pass {found.judged}"
    return f"Next: {score}"


def from_replies(found: Estimated) -> str:
    """What a replay takes from its recording."""
    planned = plural(found.requests, "request") + _controls_in(found)
    return f"from recorded replies: {planned}, no call"


def to_send(found: Estimated | None) -> str:
    """What would be sent, and for how much; None where there is nothing to ask."""
    if found is None:
        return "nothing to send: the judge is asked the same"
    about = "at most about" if found.talks else "about"
    cost = "price unknown" if found.cost_usd is None else f"{about} {found.cost_usd:.2f} USD"
    return (
        f"{plural(found.requests, 'request')} to send{_controls_in(found)}: {about} "
        f"{found.prompt_tokens:,} prompt and {found.completion_tokens:,} reply tokens, {cost} "
        "(estimated; nothing was sent)"
    )


def _controls_in(found: Estimated) -> str:
    """How many controls a plan holds, and what a blindness probe adds, in words."""
    parts = []
    if found.planted:
        several = f", in {found.controls:,} requests" if found.controls != found.planted else ""
        parts.append(f"{plural(found.planted, 'control')}{several}")
    if found.talks:
        parts.append(f"{found.talks:,} of them conversations of at most {MOST_TURNS} replies")
    if found.probe:
        parts.append(f"blindness probe: {found.probe:,}")
    return f" ({'; '.join(parts)})" if parts else ""
