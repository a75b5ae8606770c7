"""Sections of what was found in each project: all of them beside each other, then one by one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from judgebench.model.audits import Audit, Find, ProjectAudit, ProjectMark
from judgebench.model.findings import CODE, Standing
from judgebench.model.result import Result
from judgebench.reports import audits
from judgebench.reports.audits import half
from judgebench.reports.blocks import Block, Paragraph, Section, Table, bullets
from judgebench.reports.digits import listed, plural, share, signed
from judgebench.text import one_line

MOST_DETAILED = 200
"""Projects whose faults stand in report.md; findings.csv has all."""
_LISTED = 40
_MOST_VOICES = 4
"""Judges whose totals stand in the table of all projects; of more, under each project."""


def sections(result: Result) -> tuple[Section, ...]:
    """What was found in each project; empty where the judge gave the marks."""
    audit = result.audit
    if audit is None:
        return ()
    made = [_overview(result, audit)]
    detailed = audit.projects[:MOST_DETAILED]
    made += [_detail(one, audit, at) for at, one in enumerate(detailed, 1) if one.judgings]
    return tuple(made)


def _overview(result: Result, audit: Audit) -> Section:
    several = result.counts.items > 1
    voices = audit.judges if len(audit.judges) <= _MOST_VOICES else ()
    heads = [
        "project", *(["brief"] if several else []), "total",
        *(f"by {one_line(judge, 28)}" for judge in voices), "tier", "judgings",
        *(f"{one.criterion} (of {half(one.maximum)})" for one in _criteria(audit)), "shown",
        "unsupported",
    ]  # fmt: skip
    rows = [
        [
            one.arm, *([one.item] if several else []), audits.total(one),
            *(audits.total(_voice(one, judge)) for judge in voices), audits.tier(one, audit),
            audits.of_planned(one, audit), *audits.marks(one), audits.shown(one),
            str(len(audits.flagged(one))),
        ]
        for one in audit.projects
    ]  # fmt: skip
    bars = _bars(audit)
    tools = " + what it read of the rest with tools, as a mean" if _reads(audit) else ""
    told = (
        f"Every project starts at {half(audit.maximum)} points; code takes away what each fault "
        f"costs. A total is the mean of {_mean_of(audit)}, with the lowest and the highest beside "
        "it. "
        f"{f'Tiers: {bars}. ' if bars else ''}Shown is the share of the lines that the judge was "
        f"given{tools}; unsupported counts what a judging reported and a check did not bear out, "
        "which costs nothing."
    )
    return Section(
        key="projects",
        title="Projects",
        blocks=(
            Paragraph(told),
            Table(heads, rows, right=3 if several else 2),
        ),
    )


def _mean_of(audit: Audit) -> str:
    return "the judges' means, one voice each" if audit.judges else "the judgings"


def _reads(audit: Audit) -> bool:
    return any(project.tools for project in audit.projects)


def _bars(audit: Audit) -> str:
    """Bars in words; those that are measured from an arm's total, with that arm."""
    anchor = audit.anchor
    if anchor is None:
        return ", ".join(f"{name} from {half(bar)}" for name, bar in audit.tiers)
    if anchor.arm is None:
        return "none, since run.yaml names no arm as anchor"
    arm = one_line(anchor.arm, 40)
    bars = ", ".join(f"{name} from {_distance(bar)}" for name, bar in audit.tiers)
    lacking = [one_line(item, 40) for item, total in anchor.totals if total is None]
    if len(lacking) == len(anchor.totals):
        return f"none, since they are measured from the total of {arm}, which has none"
    without = f"; none on {listed(lacking)}, where {arm} has no total" if lacking else ""
    one = f" of {half(anchor.totals[0][1])}" if len(anchor.totals) == 1 else " on the same brief"
    return f"points above or below the total of {arm}{one}: {bars}{without}"


def _distance(bar: float) -> str:
    return signed(bar, 0 if bar.is_integer() else 1)


def _criteria(audit: Audit) -> Sequence[ProjectMark]:
    return audit.projects[0].marks if audit.projects else ()


def _detail(project: ProjectAudit, audit: Audit, at: int) -> Section:
    several = len({one.item for one in audit.projects}) > 1
    title = f"{project.arm} on {project.item}" if several else project.arm
    said = [f"Total {audits.total(project)}, tier {audits.tier(project, audit)}."]
    said += _voices(project, audit) or [
        f"Judging {one.repeat}: {_judging(one.total, one.tier)}." for one in project.judgings
    ]
    blocks: list[Block | None] = [
        Paragraph(" ".join(said)),
        bullets(_held(project)),
        *_facts(project),
        _faults(project),
        *_flagged(project),
        bullets(_read(project)),
    ]
    return Section(
        key=f"project{_letters(at)}",
        title=f"Found in {title}",
        blocks=tuple(block for block in blocks if block is not None),
    )


def _voice(project: ProjectAudit, judge: str) -> ProjectAudit:
    """A project as one judge of a panel saw it."""
    return replace(project, judgings=project.of_judge(judge), judges=())


def _voices(project: ProjectAudit, audit: Audit) -> list[str]:
    """What each judge of a panel came to."""
    out = []
    for judge in project.judges:
        own = _voice(project, judge)
        each = ", ".join(half(one.total) for one in own.judgings)
        told = f"{audits.total(own)}, tier {audits.tier(own, audit)}"
        many = f", in {plural(len(own.judgings), 'judging')} ({each})" if each else ""
        out.append(f"{one_line(judge, 40)}: {told}{many}.")
    return out


def _letters(number: int) -> str:
    """A number in letters, for names of parts of a page, which have no digits."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def _judging(value: float | None, named: str | None) -> str:
    if value is None:
        return "no total, a criterion could not be judged"
    return f"{half(value)} ({named})" if named else half(value)


def _held(project: ProjectAudit) -> Iterator[str]:
    """Caps and gates that held something down, with the judgings in which they did."""
    counts: dict[str, list[int]] = {}
    for one in project.judgings:
        for words in one.fired:
            counts.setdefault(words, []).append(one.repeat)
    for words, judgings in counts.items():
        each = audits.each_judge(project, judgings)
        told = f"judgings: {listed(each)}" if each else f"{audits.of(project, judgings)} judgings"
        yield f"{words} ({told})"


def _faults(project: ProjectAudit) -> Block:
    heads = ("criterion", "fault", "costs", "found in", "where", "passage", "why")
    rows = []
    for fault in project.faults:
        for number, find in enumerate(fault.finds):
            if find.standing is not Standing.SUPPORTED:
                continue
            rows.append(
                (
                    fault.criterion,
                    fault.entry,
                    half(fault.points) if not number else "″",
                    _found_in(project, find),
                    audits.place(find),
                    one_line(find.excerpt, 120),
                    one_line(find.why, 300),
                )
            )
    if not rows:
        return Paragraph("No fault was found that a check bears out.")
    return Table(heads, rows, right=9, caption="Faults that hold")


def _found_in(project: ProjectAudit, find: Find) -> str:
    return "code" if find.by == CODE else audits.of_judges(project, find.judgings)


def _flagged(project: ProjectAudit) -> tuple[Block, ...]:
    rows = [
        (
            fault.criterion, fault.entry, find.standing.value,
            audits.of_judges(project, find.judgings), audits.place(find), find.note,
            one_line(find.why, 200),
        )
        for fault, find in audits.flagged(project)
    ]  # fmt: skip
    if not rows:
        return ()
    told = "Reported, and not borne out by the check; at no cost:"
    heads = ("criterion", "fault", "standing", "reported in", "where", "what the check says", "why")
    table = Table(heads, rows, right=9, caption="Reported, at no cost")
    return Paragraph(told), table


def _facts(project: ProjectAudit) -> tuple[Block, ...]:
    found = bullets(project.facts)
    return () if found is None else (Paragraph(audits.FACTS), found)


def _read(project: ProjectAudit) -> Iterator[str]:
    read = project.read
    if read is None:
        return
    why = ""
    if read.unread:
        names = listed([one_line(path, 120) for path in read.unread], most=_LISTED)
        why = f", as nobody knows how long the unread parts are: {names}"
    yield (
        f"Read: {plural(read.files, 'file')}, {plural(read.lines, 'line')}; shown to the judge: "
        f"{audits.shown_of(read)}{why}."
    )
    for one in project.tools:
        by = f" ({one_line(one.judge, 28)})" if one.judge else ""
        yield (
            f"Judging {one.repeat}{by} read {share(one.lines / read.lines)} more with tools, in "
            f"{plural(one.calls, 'call')} over {plural(one.turns, 'turn')}."
        )
    if read.partly:
        parts = [f"{path} ({some:,} of {whole:,} lines)" for path, some, whole in read.partly]
        yield f"Not shown whole: {listed(parts, most=_LISTED)}."
    if read.left_out:
        parts = [f"{path} ({reason})" for path, reason in read.left_out]
        yield f"Left out: {listed(parts, most=_LISTED)}."
    if read.secrets:
        parts = [f"{path}:{line}" for path, line in read.secrets]
        yield f"Keys masked before anything was sent: {listed(parts, most=_LISTED)}."
    if read.identity_visible:
        yield (
            f"Identity visible: {plural(read.identity_visible, 'name')} of models or vendors in "
            "code, which is sent as it is."
        )
