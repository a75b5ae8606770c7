"""What was found in projects, in words: totals, tiers, faults with their places, what was read.

A tier is of a project. Where its judgings fall on two sides of a bar, both are named.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from judgebench.model.audits import Audit, Fault, Find, ProjectAudit, ProjectMark, ReadProject
from judgebench.model.deductions import OTHER, Evidence
from judgebench.model.findings import CODE, Standing
from judgebench.model.result import ArmResult, Result
from judgebench.reports.blocks import Block, Paragraph, Section, Table, bullets
from judgebench.reports.digits import DASH, listed, plural, points, share, signed
from judgebench.text import one_line

MOST_DETAILED = 200
"""Projects whose faults stand in report.md; findings.csv has all."""
_LISTED = 40
_TWO = 2
_MOST_VOICES = 4
"""Judges whose totals stand in the table of all projects; of more, under each project."""

ONE_EACH = (
    "Totals and tiers are of these projects, one an arm from one brief. "
    "They do not say which arm builds better ones."
)

FACTS = "Verified by code, or run by the harness, before the judge was asked; the judge was told:"


def first_line(result: Result) -> str:
    """What was measured, and of what the tiers speak."""
    counts = result.counts
    if counts.items == 1:
        what = f"{plural(counts.outputs, 'project')} from one brief"
    else:
        what = f"{plural(counts.outputs, 'project')} from {plural(counts.items, 'brief')}"
    name = one_line(result.run_name, 20)
    return f"{name} · {what}: tiers are of these, not of the arms"


def is_one_brief(result: Result) -> bool:
    """Whether each arm stands for one project."""
    return result.audit is not None and result.counts.items == 1


def project_of(result: Result, arm: str) -> ProjectAudit | None:
    """The one project of an arm; None where there is none or there are several."""
    if result.audit is None or not is_one_brief(result):
        return None
    return next((one for one in result.audit.projects if one.arm == arm), None)


def tier(project: ProjectAudit, audit: Audit) -> str:
    """Tier of a project: of all its judgings, both of two, or from the highest to the lowest."""
    order = [one_line(name, 16) for name, _ in audit.tiers]
    counted = [one for one in project.judgings if one.total is not None]
    found = {None if one.tier is None else one_line(one.tier, 16) for one in counted}
    known = [name for name in order if name in found]
    if not known or project.mean is None:
        return DASH
    if None in found:
        return f"{known[0]} or none"
    if len(known) == 1:
        return known[0]
    places = [at for at, name in enumerate(order) if name in found]
    apart = places[-1] - places[0]
    return f"{known[0]} {'or' if apart == 1 else 'to'} {known[-1]}"


def arm_tier(result: Result, arm: ArmResult) -> str:
    """What may be said of an arm: with one brief its project's tier, with few nothing."""
    project = project_of(result, arm.arm.id)
    if result.audit is not None and project is not None:
        return tier(project, result.audit)
    if arm.tier is None or (result.audit is not None and arm.answered <= _TWO):
        return DASH
    return f"{arm.tier} (borderline)" if arm.tier_borderline else arm.tier


def half(value: float | None) -> str:
    """Points: whole ones whole, halves and means with one digit."""
    if value is None:
        return DASH
    # A mean of means may miss a whole number by less than any point.
    return points(value, 0 if float(round(value, 9)).is_integer() else 1)


def total(project: ProjectAudit) -> str:
    """Mean total of the judgings, with both ends where they differ."""
    found = project.totals
    if project.mean is None:
        return DASH
    low, high = min(found), max(found)
    ends = "" if low == high else f" ({half(low)}-{half(high)})"
    return half(project.mean) + ends


def marks(project: ProjectAudit) -> tuple[str, ...]:
    """Mean mark on each criterion."""
    return tuple(half(one.mean) for one in project.marks)


def shown(project: ProjectAudit) -> str:
    """Share of the lines that the judge was shown, and mean share that it read with tools."""
    if project.read is None:
        return DASH
    packet = shown_of(project.read)
    if not project.tools:
        return packet
    return f"{packet.removesuffix(' %')} + {share(project.read_more)}"


def shown_of(read: ReadProject) -> str:
    """Share of the lines that a judge was shown; an upper bound where a part is unread."""
    told = share(read.coverage)
    if not read.unread:
        return told
    return {"over 99 %": "<100 %", "under 1 %": "<1 %"}.get(told, f"≤{told}")


def place(find: Find) -> str:
    """Where a find is: file and lines, or what was searched for."""
    if find.evidence is Evidence.ABSENT:
        parts = [f"“{one_line(text, 40)}”" for text in find.patterns]
        paths = [one_line(text, 60) for text in find.paths]
        return f"nowhere: {listed([*parts, *paths], word='or')}" if parts or paths else "nowhere"
    name = one_line(find.path, 80)
    if find.first is None:
        return name
    last = "" if find.last in {None, find.first} else f"-{find.last}"
    return f"{name}:{find.first}{last}"


def name(fault: Fault) -> str:
    """Entry of the catalogue, with its criterion where it is outside of it."""
    return f"{fault.criterion}: other" if fault.entry == OTHER else one_line(fault.entry, 40)


def of(project: ProjectAudit, judgings: Sequence[int]) -> str:
    """In how many judgings something was found."""
    return f"{len(judgings)} of {len(project.judgings)}"


def of_judges(project: ProjectAudit, judgings: Sequence[int]) -> str:
    """The same, in a panel with the judgings of each judge."""
    each = each_judge(project, judgings)
    return f"{of(project, judgings)} ({', '.join(each)})" if each else of(project, judgings)


def each_judge(project: ProjectAudit, judgings: Sequence[int]) -> list[str]:
    """In how many judgings of each judge of a panel."""
    found = frozenset(judgings)
    out = []
    for judge in project.judges:
        own = project.of_judge(judge)
        hits = sum(one.repeat in found for one in own)
        out.append(f"{one_line(judge, 28)} {hits} of {len(own)}")
    return out


def short(project: ProjectAudit | None) -> str:
    """The dearest faults of a project in one line."""
    if project is None:
        return ""
    costly = sorted((f for f in project.faults if f.points), key=lambda f: -f.points)
    if not costly:
        return "no fault that costs points" if project.judgings else ""
    return " · ".join(f"-{half(f.points)} {name(f)} ({of(project, f.judgings)})" for f in costly)


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
    heads = [
        "project", *(["brief"] if several else []), "total", "tier", "judgings",
        *(f"{c.criterion} (of {half(c.maximum)})" for c in _criteria(audit)), "shown",
        "unsupported",
    ]  # fmt: skip
    voices = audit.judges if len(audit.judges) <= _MOST_VOICES else ()
    heads[-len(_criteria(audit)) - 4 : -len(_criteria(audit)) - 4] = [
        f"by {one_line(judge, 28)}" for judge in voices
    ]
    rows = [
        [
            one.arm, *([one.item] if several else []), total(one),
            *(total(_voice(one, judge)) for judge in voices), tier(one, audit),
            of_planned(one, audit), *marks(one), shown(one), str(len(flagged(one))),
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


def of_planned(project: ProjectAudit, audit: Audit) -> str:
    """Judgings that count, of those planned."""
    counted = len(project.totals)
    return f"{counted} of {max(audit.judgings, len(project.judgings))}"


def flagged(project: ProjectAudit) -> list[tuple[Fault, Find]]:
    """Finds that do not hold, or could not be verified."""
    return [
        (fault, find)
        for fault in project.faults
        for find in fault.finds
        if find.standing is not Standing.SUPPORTED
    ]


def support(audit: Audit) -> str:
    """How much of what the judge reported holds."""
    counts = dict.fromkeys(Standing, 0)
    for project in audit.projects:
        for fault in project.faults:
            for find in fault.finds:
                if find.by != CODE:
                    counts[find.standing] += len(find.judgings)
    return (
        f"Faults reported: {sum(counts.values()):,}; the check bears out "
        f"{counts[Standing.SUPPORTED]:,}, unsupported are {counts[Standing.UNSUPPORTED]:,} and "
        f"unverified {counts[Standing.UNVERIFIED]:,}, which cost nothing."
    )


def _detail(project: ProjectAudit, audit: Audit, at: int) -> Section:
    several = len({one.item for one in audit.projects}) > 1
    title = f"{project.arm} on {project.item}" if several else project.arm
    said = [f"Total {total(project)}, tier {tier(project, audit)}."]
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
        told = f"{total(own)}, tier {tier(own, audit)}"
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
        each = each_judge(project, judgings)
        told = f"judgings: {listed(each)}" if each else f"{of(project, judgings)} judgings"
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
                    place(find),
                    one_line(find.excerpt, 120),
                    one_line(find.why, 300),
                )
            )
    if not rows:
        return Paragraph("No fault was found that a check bears out.")
    return Table(heads, rows, right=9, caption="Faults that hold")


def _found_in(project: ProjectAudit, find: Find) -> str:
    return "code" if find.by == CODE else of_judges(project, find.judgings)


def _flagged(project: ProjectAudit) -> tuple[Block, ...]:
    rows = [
        (
            fault.criterion, fault.entry, find.standing.value, of_judges(project, find.judgings),
            place(find), find.note, one_line(find.why, 200),
        )
        for fault, find in flagged(project)
    ]  # fmt: skip
    if not rows:
        return ()
    told = "Reported, and not borne out by the check; at no cost:"
    heads = ("criterion", "fault", "standing", "reported in", "where", "what the check says", "why")
    table = Table(heads, rows, right=9, caption="Reported, at no cost")
    return Paragraph(told), table


def _facts(project: ProjectAudit) -> tuple[Block, ...]:
    found = bullets(project.facts)
    return () if found is None else (Paragraph(FACTS), found)


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
        f"{shown_of(read)}{why}."
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
