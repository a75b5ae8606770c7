"""`judge check`: fairness, validity, plan and price; spends nothing."""

import dataclasses
import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judgebench.cli import machine, options
from judgebench.cli.printing import terminal_width
from judgebench.cli.run_score import choices_of, controls_in, world
from judgebench.errors import ExitCode
from judgebench.model import REASON_SENTENCES, Mode, Reason
from judgebench.pipeline.scene import open_scene
from judgebench.reports.cells import wrap
from judgebench.text import one_line, plural, printable

if TYPE_CHECKING:
    from judgebench.pipeline.check import ArmCheck, Check

MOST_PROJECTS = 20


@click.command("check")
@options.run
@options.rubric
@options.overlay
@options.judge
@options.asking
@options.probe_blindness
@options.taking
@options.as_json
@click.pass_context
def command(ctx: click.Context, /, run: Path, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Say what would be blocked in RUN and why, the settings, the plan and its price.

    Sends nothing and keeps nothing. Exit 1 where no output could be judged.
    """
    choices = choices_of(run, given)
    here = world()
    scene = open_scene(choices.where, choices.rubric, here)
    # Imported here: a run or a rubric that is refused does not wait for the database.
    from judgebench.pipeline.check import check  # noqa: PLC0415 - as said

    found = check(choices, here, scene=scene)
    if given["as_json"]:
        machine.write(json.dumps(dataclasses.asdict(found), indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(map(_fitting, lines(found, run, _typed(found, given)))))
    judgeable = sum(arm.judgeable for arm in found.arms)
    ctx.exit(ExitCode.DONE if judgeable else ExitCode.GATE)


def _typed(found: "Check", given: Mapping[str, Any]) -> str:
    """The options of this check as `judge score` is given them."""
    judge = given["judge"]
    if judge is None and found.judge == "not named" and not found.replay:
        judge = "PROVIDER/MODEL"
    words = [] if judge is None else [f"--judge {shlex.quote(judge)}"]
    words += options.typed(given).values()
    words += ["--probe-blindness"] if given["probe_blindness"] else []
    return "".join(f" {word}" for word in words)


def _fitting(line: str) -> str:
    """A line in the columns of the page, further lines under its words; commands stay."""
    text = printable(line)
    if text.startswith("Next: "):
        return text
    indent = " " * (len(text) - len(text.lstrip(" ")) + 2)
    return "\n".join(wrap(text, terminal_width(), indent=indent))


def lines(found: "Check", run: Path, typed: str = "") -> Iterator[str]:
    """A check, line by line."""
    arms, items = plural(len(found.arms), "arm"), plural(found.items, "item")
    yield f"{one_line(found.run, 40)} · {arms} · {items}"
    for note in found.notes:
        yield f"  {note}"
    width = max(3, *(len(one_line(arm.arm, 24)) for arm in found.arms))
    yield f"{'arm':<{width}}  may be judged  blocked"
    for arm in found.arms:
        yield from _arm(arm, width)
    yield from _masked(found)
    yield from _projects(found)
    yield from _settings(found)
    yield from _plan(found, run, typed)


def _projects(found: "Check") -> Iterator[str]:
    """What a judge would be shown of project folders."""
    if not found.projects:
        return
    from judgebench.reports.audits import shown_of  # noqa: PLC0415 - only for projects

    yield "projects, and how much of them a judge is shown:"
    for one in found.projects[:MOST_PROJECTS]:
        keys = f", keys masked in {plural(len(one.secrets), 'line')}" if one.secrets else ""
        unread = f"; not read: {one_line(', '.join(one.unread), 120)}" if one.unread else ""
        where = f"{one_line(one.arm, 24)} {one_line(one.item, 24)}"
        yield (
            f"  {where}: {shown_of(one)} of {plural(one.lines, 'line')} in "
            f"{plural(one.files, 'file')}, {len(one.left_out):,} left out{keys}{unread}"
        )
    if len(found.projects) > MOST_PROJECTS:
        yield f"  and {plural(len(found.projects) - MOST_PROJECTS, 'more project')}: --json"


def _arm(arm: "ArmCheck", width: int) -> Iterator[str]:
    reasons = ", ".join(f"{b.count} {b.reason}" for b in arm.blocked) or "none"
    yield f"{one_line(arm.arm, 24):<{width}}  {arm.judgeable:>6} of {arm.planned:<4}  {reasons}"
    for block in arm.blocked:
        sentence = REASON_SENTENCES[Reason(block.reason)]
        yield f"  {block.reason}: {sentence} ({one_line(block.message, 160)})"
    if arm.suspects:
        yield f"  {arm.suspects} look cut (--accept-cut or --block-cut decides)"


def _masked(found: "Check") -> Iterator[str]:
    """Identity strings, an arm: in projects those in code stay."""
    folders = {one.arm for one in found.projects}
    for inside, done in ((False, "masked"), (True, "masked in comments, kept in code")):
        counts = [
            f"{one_line(arm.arm, 24)} {arm.masked:,}"
            for arm in found.arms
            if arm.masked and (arm.arm in folders) is inside
        ]
        if counts:
            yield f"identity strings, which will be {done}: {', '.join(counts)}"


def _settings(found: "Check") -> Iterator[str]:
    settings = found.settings
    cap = "unknown" if settings.max_tokens is None else f"{settings.max_tokens:,} tokens"
    limit = "unknown" if settings.timeout_s is None else f"{settings.timeout_s:g} s"
    yield f"token budget {cap} · timeout {limit} · CLI folder {settings.cli_cwd or 'unknown'}"
    if found.missing:
        yield f"not reproducible: {', '.join(found.missing)} unknown"
    if found.unknowns:
        parts = ", ".join(f"{name} {count}" for name, count in found.unknowns.items())
        yield f"outputs without {parts}"
    flags = [
        f"{name} {count}"
        for name, count in found.flags.items()
        if not name.startswith(("unknown:", "looks_cut"))
    ]
    if flags:
        yield f"outputs flagged: {', '.join(flags)}"
    for what in found.ambiguities:
        yield f"ambiguous: {one_line(what, 160)}"
    if not found.has_prompt:
        yield "no prompt: marks will be of the answers alone"


def _pairs(found: "Check") -> str:
    """How many requests an item takes where every two answers are compared."""
    if found.mode != Mode.PAIRWISE.value:
        return ""
    asked = f"K(K-1) = {plural(found.an_item, 'request')}"
    return f" · pairs in both orders: {asked} an item of {plural(len(found.arms), 'arm')}"


def _plan(found: "Check", run: Path, typed: str) -> Iterator[str]:
    yield (
        f"rubric {found.rubric}{_pairs(found)}"
        + (f" ({plural(len(found.hints), 'hint')}: judge rubric lint)" if found.hints else "")
        + (f" · answered already: {found.answered}" if found.answered else "")
    )
    if found.not_asked:
        names = ", ".join(one_line(name, 40) for name in found.not_asked[:8])
        more = len(found.not_asked) - 8
        yield (
            f"not asked, no criterion applies to {plural(len(found.not_asked), 'item')}: {names}"
            + (f" and {more} more" if more > 0 else "")
        )
    taken = found.estimated
    planned = plural(taken.requests, "request") + controls_in(taken)
    if found.replay:
        yield f"judge {found.judge}, from recorded replies: {planned}, no call"
    else:
        source = f"; price from {one_line(taken.price_source, 120)}" if taken.price_source else ""
        about = "at most about" if taken.talks else "about"
        cost = "price unknown" if taken.cost_usd is None else f"{about} {taken.cost_usd:.2f} USD"
        yield (
            f"judge {found.judge}: {planned}, {about} {taken.prompt_tokens:,} + "
            f"{taken.completion_tokens:,} tokens, {cost} (estimated{source})"
        )
    if found.judge == "not named" and not found.replay:
        yield "name a judge: --judge openai/MODEL, or default in judges.toml"
    yield f"Next: judge score {shlex.quote(str(run))}{typed}"
