"""`judge show`: one judgment whole, blind until --reveal."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import click

from judgebench.cli import options
from judgebench.pipeline.showing import (
    Listed,
    Shown,
    ShownControl,
    ShownMark,
    framed,
    list_judgments,
    show_output,
)
from judgebench.text import one_line, printable


@click.command("show")
@options.run
@click.argument("what", nargs=-1, metavar="[ARM ITEM | NAME]")
@options.pass_id
@click.option("--reveal", is_flag=True, help="Name the arms.")
@click.option("--request", "whole", is_flag=True, help="Also the exact request and raw reply.")
@options.as_json
def command(
    run: Path,
    what: tuple[str, ...],
    *,
    pass_id: str | None,
    reveal: bool,
    whole: bool,
    as_json: bool,
) -> None:
    """Show judgments of RUN: the list, or one of them with marks and quotes in place.

    Without ARM and ITEM the judgments are listed under blind names in the shuffled
    order; NAME is such a name. The arm is named only with --reveal.
    """  # fmt: skip
    if not what:
        pass_key, listed = list_judgments(run, Path.cwd(), pass_id=pass_id)
        _print_list(pass_key, listed, reveal=reveal, as_json=as_json)
        return
    if len(what) > 2:  # noqa: PLR2004 - an arm and an item
        raise click.UsageError("write ARM ITEM, or one NAME from the list")
    arm, item = what if len(what) == 2 else (None, None)  # noqa: PLR2004 - as above
    shown = show_output(
        run, Path.cwd(), arm=arm, item=item, blind=what[0] if arm is None else None,
        pass_id=pass_id,
    )  # fmt: skip
    named = reveal or arm is not None
    if as_json:
        rows = [dataclasses.asdict(one if named else blinded(one)) for one in shown]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=True))
        return
    for one in shown:
        for line in _lines(one, named=named, whole=whole):
            click.echo(line)


def blinded(one: Shown) -> Shown:
    """The same judgment without the names of arms."""
    hidden = one.control and dataclasses.replace(one.control, source_arm=None, donor=None)
    return dataclasses.replace(one, arm=None, control=hidden)


def _print_list(pass_key: str, listed: list[Listed], *, reveal: bool, as_json: bool) -> None:
    if as_json:
        rows = [dataclasses.asdict(one) | ({} if reveal else {"arm": None}) for one in listed]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=True))
        return
    click.echo(f"pass {pass_key}: {len(listed)} judgments in the order they were asked")
    for one in listed:
        total = "-" if one.total is None else f"{one.total:.2f}"
        who = f"  {one_line(one.arm, 24)}" if reveal else ""
        why = f"  {one.reason}" if one.reason else ""
        click.echo(
            printable(
                f"{one.blind}  {one_line(one.item, 32):<32}  {one.repeat}  {total:>6}{why}{who}"
            )
        )


def _lines(one: Shown, *, named: bool, whole: bool) -> Iterator[str]:
    who = one_line(one.arm or "", 40) if named else f"{one.key[:8]} (--reveal names the arm)"
    extra = "" if one.purpose == "main" else f", {one.purpose}"
    yield printable(f"{who} · {one_line(one.item, 40)} · judging {one.repeat}{extra}")
    if one.control:
        yield from _control(one.control, named=named)
    if one.status == "ok":
        yield "total " + ("refused: a mark is blocked" if one.total is None else f"{one.total:.2f}")
    else:
        yield printable(f"blocked: {one.reason}: {one_line(one.message or '', 200)}")
    for mark in one.marks:
        yield from _mark(mark)
    text = framed(one.calls[-1].user, one.label) if one.calls else ""
    if text:
        yield ""
        yield "the answer as it was sent, quotes between ⟦ and ⟧:"
        yield printable(_with_quotes(text, one.marks), keep_newlines=True)
    if whole:
        for call in one.calls:
            yield ""
            status = "" if call.http_status is None else f" {call.http_status}"
            yield printable(f"call {call.attempt}: {call.outcome}{status} {call.error}".rstrip())
            yield printable(f"--- system\n{call.system}\n--- user\n{call.user}", keep_newlines=True)
            yield printable(f"--- reply\n{call.body}", keep_newlines=True)
    yield ""


def _control(control: ShownControl, *, named: bool) -> Iterator[str]:
    made = f"; made of {one_line(control.donor or control.source_arm or '', 80)}" if named else ""
    yield printable(f"planted, {control.kind}: {one_line(control.note, 120)}{made}")
    yield printable(f"right treatment: {one_line(control.treatment, 120)}")


def _mark(mark: ShownMark) -> Iterator[str]:
    shown = f"blocked ({mark.reason})" if mark.mark is None else f"{mark.mark:g}"
    flag = " · unsupported: a required quote was not found" if mark.unsupported else ""
    yield printable(f"  {one_line(mark.criterion, 40)}: {shown}{flag}")
    yield printable(f"    {one_line(mark.rationale, 600)}")
    for quote in mark.quotes:
        state = "" if quote.found else " (not found there)"
        yield printable(f"    “{one_line(quote.text, 300)}” {one_line(quote.source, 20)}{state}")


def _with_quotes(text: str, marks: tuple[ShownMark, ...]) -> str:
    places = sorted(
        {
            (q.start, q.end)
            for mark in marks
            for q in mark.quotes
            if q.source == "answer" and q.start is not None and q.end is not None
        }
    )
    out, at = "", 0
    for start, end in places:
        if start < at or end > len(text):
            continue
        out += f"{text[at:start]}⟦{text[start:end]}⟧"
        at = end
    return out + text[at:]
