"""Sample → text for a terminal: which items to mark, and what precision they buy."""

import shlex
from collections.abc import Sequence

from judgebench.model.draws import ArmPackets, PacketPrecision, Packets, Precision, Sample
from judgebench.namesakes import apart
from judgebench.reports.cells import command_lines, wrap
from judgebench.reports.digits import decimals, plural, points, share
from judgebench.reports.layout import Column, grid
from judgebench.text import one_line, printable

_WRAP = 80
FEWEST = 10
"""Items without which no corrected figure is made."""
_SPREAD = {
    "people": "as people marked so far",
    "judge": "as the judge marked; people may spread more",
    "floor": "the floor of rounding, above what the judge's marks spread; people may spread more",
    "assumed": "assumed",
}


def render(
    found: Sample, *, run: str = "RUN", typed: Sequence[str] = (), width: int = _WRAP
) -> str:  # fmt: skip
    """Write the draw, what it buys, the items in their order, and the next command.

    Args:
        found: The draw.
        run: The run as the user named it.
        typed: Options that name its pass, as they are typed again.
        width: Columns of the terminal.
    """
    digits = decimals(found.scale_low, found.scale_high)
    arms = ", ".join(apart(found.arms, 24).values())
    again = "; drawn before, the newest again" if found.already else ""
    lines = [
        (
            f"{one_line(found.run_name, 40)}: {plural(len(found.items), 'item')} of "
            f"{found.population:,}, drawn at random (chance {share(found.probability)} each, "
            f"draw {found.draw}{again}). Mark on each: {arms}."
        )
    ]
    lines += _split(len(found.items), found.for_tuning)
    lines += outside(
        found.outside,
        found.wider,
        items=found.wider_items,
        start=" ".join(("judge sample", shlex.quote(printable(run)), *typed)),
    )
    known = "as measured" if found.correlation_known else "assumed"
    lines += [
        "",
        (
            "What labels buy, for a paired difference of two arms (95 %; spread of an item's "
            f"difference {points(found.spread, digits)}, {_SPREAD[found.spread_from]}; judge and "
            f"people correlate {points(found.correlation, 2)}, {known}):"
        ),
    ]
    rows = found.rows
    if rows:
        minutes = Column(head="minutes", cells=tuple(f"{r.minutes:,.0f}" for r in rows), right=True)
        lines += _bought("items", rows, (minutes,), digits, width)
    if len(found.items) < FEWEST:
        here = plural(len(found.items), "item")
        lines.append(
            f" These {here}, {found.minutes:,.0f} minutes, buy no interval yet: corrected figures "
            f"need {FEWEST} items"
            + (
                ""
                if found.population >= FEWEST
                else f", and the run has {found.population:,}: they show how far people and judge "
                "agree, and no more before items are added"
            )
        )
    short = apart(found.items, width - 2)
    lines += _in_order("Items", [short[item] for item in found.items], width)
    if len(found.items) < FEWEST <= found.population:
        more = " ".join(("judge sample", shlex.quote(printable(run)), f"--items {FEWEST}", *typed))
        lines += ["Next, where there is time for more:", *command_lines(f"  {more}", width)]
    lines += _next(run, typed, marks_only=found.marks_only, width=width)
    return _wrapped(lines, width)


def _in_order(what: str, names: Sequence[str], width: int) -> list[str]:
    """What was drawn, on lines of its own between blank ones."""
    head = f"{what}, in the order of the draw (stop anywhere; do not skip):"
    return ["", head, *(f" {part}" for part in wrap(", ".join(names), width - 1)), ""]


def _next(run: str, typed: Sequence[str], *, marks_only: bool, width: int) -> list[str]:
    """How the drawn answers get their marks: on a page here, or where the answers are."""
    name = shlex.quote(printable(run))
    command = ["judge label", name] if not marks_only else ["judge calibrate", name, "--human FILE"]
    said = " ".join((*command, *typed))
    head = "Next: " if not marks_only else "Next, when people have marked them: "
    one = f"{head}{said}"
    return [one] if len(one) <= width else [head.rstrip(), *command_lines(f"  {said}", width)]


def _split(drawn: int, for_tuning: int) -> list[str]:
    """After a split: which side a draw serves, and what the other one has."""
    if not for_tuning:
        return []
    apart = plural(for_tuning, "item")
    are = "is" if for_tuning == 1 else "are"
    return [
        f"For the report: {drawn:,}. For tuning the rubric: none; its {apart} {are} in no draw."
    ]


def outside(count: int, wider: Sequence[str], *, items: int, start: str) -> list[str]:
    """What a draw cannot reach, and the command that reaches more, whole on a line of its own.

    Args:
        count: Answers that are left out; nothing is said of none.
        wider: Arms whose draws reach more; empty where none do.
        items: How many items those can be drawn from.
        start: The command up to the arms.
    """
    if not count:
        return []
    words = f"Left out: {plural(count, 'answer')} of items that not all of these arms have"
    if not wider:
        return [f"{words}; --arms NAME,… --items N draws for fewer arms."]
    arms = shlex.quote(",".join(map(printable, wider)))
    return [f"{words}. To reach more:", f" {start} --arms {arms} --items {items}"]


def render_packets(
    found: Packets, *, run: str = "RUN", typed: Sequence[str] = (), width: int = _WRAP
) -> str:  # fmt: skip
    """Write a draw of single answers under their neutral names, and what it buys.

    Args:
        found: The draw.
        run: The run as the user named it.
        typed: Options that name its pass, as they are typed again.
        width: Columns of the terminal.
    """
    digits = decimals(found.scale_low, found.scale_high)
    arms = apart((arm.arm for arm in found.arms), 30)
    again = "; drawn before, the newest again" if found.already else ""
    lines = [
        (
            f"{one_line(found.run_name, 40)}: {plural(len(found.packets), 'answer')} drawn at "
            f"random for the mean of each arm, {found.minutes:,.0f} minutes (draw "
            f"{found.draw}{again}). Differences of arms need judge sample without --for means."
        ),
        *(_arm_line(arm, arms[arm.arm]) for arm in found.arms),
        *([f"{found.usual} an arm are usual; here an arm has fewer."] if found.usual else []),
        *_split(len(found.packets), found.for_tuning),
        "",
    ]
    if found.rows:
        lines.append("What labels on so many answers of an arm buy for its mean (95 %):")
        lines += _bought("answers", found.rows, (), digits, width)
    else:
        lines.append("Fewer than 10 answers of an arm: corrected means need 10.")
    short = apart((item for item, _ in found.packets), width - 6)
    lines += _in_order(
        "Answers", [f"{short[item]} {label}" for item, label in found.packets], width
    )
    lines += _next(run, typed, marks_only=found.marks_only, width=width)
    return _wrapped(lines, width)


def _bought(
    head: str,
    rows: Sequence[Precision] | Sequence[PacketPrecision],
    costs: Sequence[Column],
    digits: int,
    width: int,
) -> list[str]:
    """A table of what so many labels buy, by people alone and with the judge."""
    table = grid(
        [
            Column(head=head, cells=tuple(f"{r.labels:,}" for r in rows), right=True),
            *costs,
            Column(
                head="people alone",
                cells=tuple(f"± {points(r.people_half_width, digits)}" for r in rows),
                right=True,
            ),
            Column(
                head="with the judge",
                cells=tuple(f"± {points(r.half_width, digits)}" for r in rows),
                right=True,
            ),
        ],
        width - 1,
    )
    return [f" {line}".rstrip() for line in (table.head, *table.lines)]


def _arm_line(arm: ArmPackets, name: str) -> str:
    thirds = f" by {arm.strata} strata of the judge's totals" if arm.strata > 1 else ""
    chance = share(arm.least)
    if share(arm.most) != chance:
        chance = f"{chance} to {share(arm.most)}"
    return f" {name}: {arm.answers:,} of {arm.population:,}{thirds} (chance {chance})"


def _wrapped(lines: Sequence[str], width: int) -> str:
    """The text of all lines; what is indented is laid out already."""
    return (
        "\n".join(
            part
            for line in lines
            for part in (
                [line] if line.startswith(" ") or len(line) <= width else wrap(line, width)
            )
        )
        + "\n"
    )
