"""What was found in a project, in words: total, tier, faults with their places, what was shown.

A tier is of a project. Where its judgings fall on two sides of a bar, both are named.
"""

from collections.abc import Sequence

from judgebench.model.audits import Audit, Fault, Find, ProjectAudit, ReadProject
from judgebench.model.deductions import OTHER, Evidence
from judgebench.model.findings import CODE, Standing
from judgebench.model.result import ArmResult, Result
from judgebench.reports.digits import DASH, listed, plural, points, share
from judgebench.text import one_line

_TWO = 2

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
