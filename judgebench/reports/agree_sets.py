"""Where the arms stand by one rater: those that may be best, their order, and in how much room.

Plain text, safe to show: whole where there is room, else with how many more there are.
"""

from collections.abc import Iterator

from judgebench.model.agreement import Agreement, Rater
from judgebench.model.nouns import Refusal
from judgebench.reports import refusals
from judgebench.reports.agree_figures import TIE
from judgebench.reports.agree_names import arm, digits, places
from judgebench.reports.cells import wrap
from judgebench.reports.digits import listed, points

MOST = 12
"""Arms that two lines could hold."""
REST = "--extended"
"""The view that names all of them."""


def best(one: Rater, found: Agreement, *, most: int = 0, counted: bool = False) -> str:
    """The arms that may be best by one pass.

    Args:
        one: The rater.
        found: What it is part of.
        most: Arms that are named, the others are counted; 0 for all.
        counted: Arms without a place are counted, not named.
    """
    if isinstance(one.best, Refusal):
        return f"not printed: {refusals.why(one.best)}"
    names = [arm(name, found) for name in one.best]
    named = listed(names, most=most or len(names)) or "no arm that is placed"
    rest = _apart(one, found, most=most, counted=counted)
    return f"{named} ({rest})" if rest else named


def order(one: Rater, found: Agreement, *, most: int = 0, counted: bool = False) -> str:
    """The arms in the order of one pass's table, equal ones as equal, the others apart."""
    text = ""
    for place, (name, mean) in enumerate(zip(one.order, one.means, strict=True)):
        if most and place == most:
            text += f" and {len(one.order) - place} more"
            break
        equal = place > 0 and abs(mean - one.means[place - 1]) <= TIE
        text += f"{'' if not place else ' = ' if equal else ' > '}{arm(name, found)}"
    rest = _apart(one, found, most=most, counted=counted)
    return "; ".join(part for part in (text or "no arm that is placed", rest) if part)


def totals(one: Rater, found: Agreement, *, most: int = 0, counted: bool = False) -> str:
    """Totals of the projects in the order of the run's arms: they are no ranks."""
    means = dict(zip(one.order, one.means, strict=True))
    said = [
        f"{arm(name, found)} {points(means[name], digits(found))}"
        for name in sorted(means, key=found.arms.index)
    ]
    more = [f"{len(said) - most} more"] if 0 < most < len(said) else []
    text = ", ".join([*said[: most or None], *more])
    rest = _apart(one, found, most=most, counted=counted)
    return "; ".join(part for part in (text or "no project with a total", rest) if part)


def standing(one: Rater, found: Agreement) -> str:
    """Where the arms stand by one pass; of single projects their totals alone."""
    if places(found):
        return "no order of the arms of its own"
    if found.projects:
        return f"totals {totals(one, found)}"
    return f"may be best {best(one, found)}; order {order(one, found)}"


def lines(
    head: str, one: Rater, found: Agreement, *, columns: int, most: int, ordered: bool
) -> list[str]:
    """Where the arms stand by one pass in a few lines; what does not fit is counted.

    Args:
        head: Stands before it.
        one: The rater.
        found: What it is part of.
        columns: Width of a line.
        most: Lines at most.
        ordered: The order of the arms, not those that may be best.
    """
    indent = " " * len(head)
    made: list[str] = []
    for text in _shorter(one, found, ordered=ordered):
        made = wrap(head + text, columns, indent=indent)
        if len(made) <= most:
            return made
    return wrap(" ".join(line.strip() for line in made), columns, most=most, indent=indent)


def _shorter(one: Rater, found: Agreement, *, ordered: bool) -> Iterator[str]:
    """The same with ever fewer names, and then where the others are named."""
    say = totals if found.projects else order if ordered else best
    whole = say(one, found)
    yield whole
    for counted in (False, True):
        for most in range(min(MOST, len(found.arms)), 0, -1):
            text = say(one, found, most=most, counted=counted)
            yield text if text == whole else f"{text}: {REST}"


def _apart(one: Rater, found: Agreement, *, most: int, counted: bool) -> str:
    """Arms that stand in no place, and those that nobody marked; few where few are named."""
    groups = (("not placed", one.unplaced), ("not judged", one.unjudged))
    said = []
    for word, ids in groups:
        names = [arm(name, found) for name in ids]
        if names:
            how = f"{len(ids)}" if counted else listed(names, most=3 if most else len(names))
            said.append(f"{word}: {how}")
    return "; ".join(said)
