"""Faults of a rubric file: what is wrong at which key, told with its line.

Rules that join several values find faults in a file whose own values are right; the
one that stands first in the file is the one that is told.
"""

import difflib
from collections.abc import Iterable, Iterator, Sequence

from judgebench.errors import RubricError
from judgebench.formats.located import Key, Located, dotted
from judgebench.records import dataclass
from judgebench.text import one_line, shorten


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What is wrong at one key, and what to write instead."""

    key: Key
    problem: str
    fix: str


def error(located: Located, key: Key, problem: str, fix: str) -> RubricError:
    """A fault as the user is told it, with file, line and dotted key."""
    return RubricError(located.path, problem, fix, line=located.line(key), key=dotted(key))


def refuse(located: Located, faults: Iterable[Fault]) -> None:
    """Tell the fault that stands first in the file.

    Raises:
        RubricError: There is one.
    """
    first = min(faults, key=lambda fault: located.line(fault.key), default=None)
    if first is not None:
        raise error(located, first.key, first.problem, first.fix)


def too_high(key: Key, value: float, bound: float, name: str) -> Fault:
    """A number that does not stay below another, which `name` says."""
    return Fault(key=key, problem=f"is {value:g}", fix=f"stay below {name}, {bound:g}")


def unknown(key: Key, name: str, known: Sequence[str], what: str) -> Fault:
    """A name that is none of those known: the nearest one is offered."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    listed = shorten(", ".join(known), 120)
    fix = f"did you mean {near[0]}?" if near else f"name one of {listed}" if known else "add it"
    return Fault(key=key, problem=f'is "{one_line(name, 40)}", which is no {what}', fix=fix)


def tier_faults(kind: str, bound: str, tiers: Sequence[tuple[str, float]]) -> Iterator[Fault]:
    """Tiers that do not fall from the highest down, or share a name.

    Args:
        kind: Key of the list.
        bound: Key of a tier's lower end.
        tiers: Name and lower end of each, in the order of the file.
    """
    names: set[str] = set()
    for i, (name, low) in enumerate(tiers):
        if i and low >= tiers[i - 1][1]:
            what = f"is {low:g}, not below the tier above it"
            fix = "list tiers from the highest down"
            yield Fault(key=(kind, i, bound), problem=what, fix=fix)
        if name in names:
            what = f'is "{name}", which stands above already'
            fix = "give every tier a name of its own"
            yield Fault(key=(kind, i, "name"), problem=what, fix=fix)
        names.add(name)
