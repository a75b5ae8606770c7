"""Calibration → notes: what takes from its figures, and what had been seen of the labels."""

from collections.abc import Sequence

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.people import Calibration, Labels
from judgebench.reports import wording
from judgebench.reports.digits import listed, ordinal, plural
from judgebench.reports.people_words import arm_names, beyond, gap, verdict
from judgebench.text import one_line


def look_note(look: int, earlier: Sequence[str]) -> str:
    """Say that labels for reporting were shown before beside other versions of a rubric."""
    days = listed(list(dict.fromkeys(day[:10] for day in earlier)), most=4)
    return (
        f"{ordinal(look).capitalize()} look at the report split (before: {days}): the rubric may "
        "have been changed by what was seen then, and looks better than it is."
    )


def split_notes(labels: Labels) -> list[str]:
    """Which labels were used for tuning, and what had been seen of the others."""
    out = []
    if labels.split == "report":
        marks = plural(labels.tuned_marks, "mark")
        out.append(
            f"{plural(labels.tuned_items, 'marked item')} ({marks}) served for tuning the rubric "
            "(tuned_on_these_labels): left out."
        )
    if labels.look > 1:
        out.append(look_note(labels.look, labels.looked_at))
    if labels.seen_at is not None and labels.look and not labels.tuned:
        out.append(
            f"All labels had been shown beside an earlier version on {labels.seen_at[:10]}, "
            "before they were split."
        )
    return out


def flags(made: Calibration) -> list[str]:
    """Say what takes from these figures, at most three lines."""
    labels = made.labels
    out = []
    if labels.off_scale:
        marks = plural(labels.off_scale, "mark")
        out.append(f"{marks} of this judge lie outside of the scale and are left out.")
    if labels.items and labels.blind in {"no", "mixed"}:
        who = "Some people" if labels.blind == "mixed" else "People"
        out.append(f"{who} saw which arm an answer came from: their marks may favour one.")
    if labels.sampling == "draw" and labels.drawn < labels.items:
        out.append(
            f"{plural(labels.items - labels.drawn, 'marked item')} outside of the random draw: "
            "not used in corrected figures."
        )
    out += split_notes(labels)
    if labels.earlier_looks and not labels.tuned and not labels.look:
        others = plural(labels.earlier_looks, "other pass", "other passes")
        out.append(
            f"These marks were shown beside {others} before: a judge picked by them looks "
            "better than it is."
        )
    out += [
        f"The judge {'favours' if found.value > 0 else 'marks down'} {arm} on "
        f"{one_line(name, 24)}: {gap(found, 2)} against the other arms, beyond what people do."
        for found, arm, name in _leanings(made)[:1]
        if f"{arm}, {gap(found, 2)}" not in verdict(made)  # said in the first line
    ]
    by = wording.as_independent(made.clusters, wording.PEOPLE_ALONE)
    return [*out[:3], *([by] if by else [])]


def _leanings(made: Calibration) -> list[tuple[Estimate, str, str]]:
    """Shown leanings to or against an arm, the widest first."""
    found = [
        (one.gap, arm_names(axis)[one.arm], axis.id)
        for axis in made.axes
        if not isinstance(axis.leanings, Refusal)
        for one in axis.leanings
        if beyond(one.gap, 0.0)
    ]
    return sorted(found, key=lambda row: -abs(row[0].value))
