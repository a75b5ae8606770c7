"""Differences in kind → a list, a short page, and sections of a report.

What a judge wrote stands in square brackets that say so; brackets inside its words are
made round, so that nothing a judge writes can close them. All else is counted by code.
"""

import shlex
from collections.abc import Sequence

from judgebench.model.contrasts import Contrast, ContrastCount, ContrastKind, Contrasts, Side
from judgebench.model.nouns import Refusal
from judgebench.model.result import Result
from judgebench.reports import flags, tradeoff, wording
from judgebench.reports.blocks import Bullets, Paragraph, Section, Table, bullets, section
from judgebench.reports.cells import wrap
from judgebench.reports.digits import decimals, listed, plural, usd
from judgebench.reports.naming import apart
from judgebench.text import one_line

LINES, COLUMNS = 24, 80
_WITH_EXAMPLE = 4
_ARMS_NAMED = 4
_MOST_UNSUPPORTED = 20
_NAME, _TRAIT, _QUOTE = 32, 120, 80
_ROUND = str.maketrans("[]", "()")


# --- sentences


def judge_words(contrast: Contrast, *, quotes: int | None = None, room: int = 1) -> str:
    """One contrast in the judge's words, marked as such, names put back by code.

    Args:
        contrast: On one item, by arm.
        quotes: Sides that are shown with their first quote; None for all.
        room: Words are cut to this part of their length: 1, 2 …
    """
    every = [name for side in contrast.sides for name in side.names]
    sides = [
        _side(side, every, quoted=quotes is None or at < quotes, room=room)
        for at, side in enumerate(contrast.sides)
    ]
    return f"[Judge on {one_line(contrast.item.translate(_ROUND), _NAME)}: {'; '.join(sides)}.]"


def _side(side: Side, every: Sequence[str], *, quoted: bool, room: int) -> str:
    said = f"{_names(side.names, every)}: {_foreign(side.trait, _TRAIT // room)}"
    if not quoted or not side.quotes:
        return said
    quote = side.quotes[0]
    missing = "" if quote.found else ", not found"
    return f"{said} (“{_foreign(quote.text, _QUOTE // room)}”{missing})"


def _foreign(text: str, limit: int) -> str:
    return one_line(text.translate(_ROUND), limit).rstrip(" .")


def _names(names: Sequence[str], every: Sequence[str]) -> str:
    short = apart((name.translate(_ROUND) for name in every), _NAME)
    return listed([short[name.translate(_ROUND)] for name in names])


def count_words(one: ContrastCount, answered: int) -> str:
    """How often a kind was found, and which arms stood where; all of it code's."""
    kind = _kind(one.kind)
    sides = [
        f"{word}: {_counts(one, word)}"
        for word in ("more", "less", "different")
        if any(getattr(arm, word) for arm in one.arms)
    ]
    return (
        f"{kind[0].upper()}{kind[1:]}: {one.items:,} of {plural(answered, 'item')}; "
        + "; ".join(sides)
    )


def _counts(one: ContrastCount, word: str, *, most: int = _ARMS_NAMED) -> str:
    names = apart((arm.arm for arm in one.arms), _NAME)
    found = [f"{names[arm.arm]} {getattr(arm, word):,}" for arm in one.arms if getattr(arm, word)]
    return listed(found, most=most)


def _kind(value: str) -> str:
    known = {kind.value: kind.words for kind in ContrastKind}
    return known.get(value, one_line(value, 40))


def _asked(found: Contrasts) -> str:
    """Who was asked, of how much."""
    judge = one_line(found.judge_name, _NAME)
    how = f", a replay of {one_line(found.recorded_at or 'an unknown day', 20)}" * (
        found.route == "replay"
    )
    return (
        f"Asked blind, judge {judge}{how} names differences in kind on {found.unlike:,} of "
        f"{plural(found.answered, 'item')}"
    )


def _gaps(found: Contrasts, run: str = "") -> list[str]:
    """What the counts leave out, and the command that shows an answer that was of no use."""
    parts = []
    if found.blocked:
        how = ""
        if found.unusable:
            first, typed = found.unusable[0], shlex.quote(run or one_line(found.run_name, 60))
            how = f" ({one_line(first.item, 30)}: judge show {typed} {first.key})"
        parts.append(f"{plural(found.blocked, 'item')} without a usable answer of the judge{how}")
    open_ = found.planned - found.answered - found.blocked
    if open_:
        parts.append(f"{plural(open_, 'item')} not asked yet")
    if found.left_out:
        parts.append(f"{plural(found.left_out, 'item')} with fewer than two outputs to compare")
    if found.not_drawn:
        parts.append(f"{plural(found.not_drawn, 'item')} not drawn")
    return [f"Not in it: {'; '.join(parts)}."] if parts else []


def opening(found: Contrasts) -> str:
    """Who was asked, and whose words are whose."""
    return f"{_asked(found)}; counts are by code, what stands in brackets is the judge's."


def kinds(found: Contrasts) -> list[str]:
    """The kinds that recur most, each with one example, the others by number; then what is out."""
    said = [
        f"{count_words(one, found.answered)}. {judge_words(one.example)}"
        for one in found.counts[:_WITH_EXAMPLE]
    ]
    rest = found.counts[_WITH_EXAMPLE:]
    if rest:
        named = [f"{_kind(one.kind)} ({one.items:,})" for one in rest]
        said.append(f"Rarer: {listed(named, most=len(named))}.")
    return [*said, *_gaps(found)]


# --- sections of a report


def in_kind(result: Result) -> Section | None:
    """How the outputs differ in kind."""
    found = result.contrasts
    if found is None or not found.answered:
        return None
    rows = [
        (_kind(one.kind), f"{one.items:,} of {found.answered:,}", _arms(one))
        for one in found.counts
    ]
    table = Table(("kind", "items", "arms (items)"), rows, right=3) if rows else None
    return section(
        "in_kind", "How the outputs differ in kind", Paragraph(opening(found)),
        bullets(kinds(found)), table,
        *_unsupported(found),
    )  # fmt: skip


def _arms(one: ContrastCount) -> str:
    return "; ".join(
        f"{word}: {_counts(one, word, most=len(one.arms))}"
        for word in ("more", "less", "different")
        if any(getattr(arm, word) for arm in one.arms)
    )


def _unsupported(found: Contrasts) -> list[Paragraph | Bullets]:
    """Contrasts with a quote that was not found: shown, and counted nowhere."""
    left = [one for one in found.contrasts if not one.supported]
    if not left:
        return []
    shown = tuple(_doubted(one) for one in left[:_MOST_UNSUPPORTED])
    more = f", the first {len(shown)} of them" if len(left) > len(shown) else ""
    words = f"Unsupported, and in no count{more}:"
    return [Paragraph(words), Bullets(shown)]


def recommended(result: Result) -> Section | None:
    """The recommendation with its trade-off."""
    found = result.tradeoff
    if found is None:
        return None
    digits = decimals(result.scale_low, result.scale_high)
    rows = tradeoff.rows(found, digits=digits)
    heads = ("arm", "Pareto set", "difference to the reference", "cost (all)", "seconds (median)")
    return section(
        "recommendation",
        "Recommendation",
        Paragraph(advice(result)),
        # One row weighs nothing against anything, and would name one arm of several.
        Table(heads, rows, right=2) if len(rows) > 1 else None,
    )


def advice(result: Result, run: str = "") -> str:
    """The paragraph of the recommendation; empty where there is no rating.

    Args:
        result: What it rests on.
        run: The run as the user typed it; its name where that is not known.
    """
    if result.tradeoff is None:
        return ""
    digits = decimals(result.scale_low, result.scale_high)
    names = [one_line(one.judge_name, _NAME) for one in result.panel or (result.judging,)]
    said = tradeoff.recommendation(result.tradeoff, digits=digits, judge=listed(names))
    return " ".join(filter(None, (said, _against(result), _others(result, run))))


def _others(result: Result, run: str) -> str:
    """That this is the word of one judge of several, and what says whether they agree."""
    others = wording.other_judges(result)
    if not others or result.tradeoff is None or isinstance(result.tradeoff.best, Refusal):
        return ""
    who = "Another judge" if others == 1 else f"{others} other judges"
    if not (command := wording.agreeing(result, run)):
        return f"{who} judged this run too: judge table {wording.run_word(result, run)} --passes."
    return f"{who} judged this run too: {command} says whether the answer holds."


_AGAINST = frozenset(
    {
        "unfinished", "constant_judge", "constant_panelist", "modal_share", "modal_panelist",
        "all_ties", "modal_ties", "wrong_model", "drift", "controls_failed", "controls_failed_by",
        "identity_flagged_other", "same_family", "no_prompt", "length_baseline",
        "order_preference", "order_turned", "order_unknown", "order_unknown_in_part", "order_fixed",
        "order_uneven",
    }
)  # fmt: skip
"""Warnings that bear on who is best, and not on how much is known."""
_MOST_AGAINST = 2


def _against(result: Result) -> str:
    """The strongest warnings that a recommendation does not allow for; empty without one."""
    if result.tradeoff is None or isinstance(result.tradeoff.best, Refusal):
        return ""
    found = [one for one in result.warnings if one.code in _AGAINST]
    ordered = sorted(found, key=lambda one: (one.rank, one.code))[:_MOST_AGAINST]
    told = "; ".join(flags.sentence(one) for one in ordered)
    return f"What speaks against it: {told}." if told else ""


def _doubted(one: Contrast, *, room: int = 1) -> str:
    """An unsupported contrast, with what code has against it."""
    why = "code measures other lengths" if one.contradicted else "a quote was not found"
    return f"{_kind(one.kind)}, {why}: {judge_words(one, room=room)}"


# --- the short page


def render(found: Contrasts, result: Result | None, *, run: str = "RUN") -> str:
    """The page of `judge compare`: at most 24 lines of 80 columns."""
    advised = advice(result, run) if result is not None else ""
    if not advised:
        advised = f"No recommendation: there is no rating yet; judge score {run} makes one."
    tail = ["", *wrap(advised, COLUMNS)]
    for room in (1, 2, 3):
        for kinds in (6, 5, 4, 3, 2):
            lines = [*_body(found, kinds, room, run), *tail]
            if len(lines) <= LINES:
                return "\n".join(lines) + "\n"
    body = _body(found, 1, 3, run)[: LINES // 2]
    kept = [*body, *tail][: LINES - 1]
    return "\n".join([*kept, "… all of it: judge report"]) + "\n"


def _body(found: Contrasts, kinds: int, room: int, run: str) -> list[str]:
    cost = f" · {usd(found.cost_usd)}" if found.cost_usd is not None else ""
    head = (
        f"{one_line(found.run_name, 30)} · how the outputs differ in kind · comparison "
        f"{found.pass_id}{cost}"
    )
    lines = [*wrap(head, COLUMNS), *wrap(f"{_asked(found)}.", COLUMNS), ""]
    for one in found.counts[:kinds]:
        lines += wrap(f"{count_words(one, found.answered)}.", COLUMNS)
        said = judge_words(one.example, quotes=1, room=room)
        lines += [f"  {line}" for line in wrap(said, COLUMNS - 2)]
    rest = found.counts[kinds:]
    if rest:
        named = [f"{_kind(one.kind)} {one.items:,}" for one in rest]
        lines += wrap(f"Rarer: {listed(named, most=len(named))}.", COLUMNS)
    if not found.counts:
        lines.append("No supported difference in kind was named.")
    for words in [*_unsupported_words(found, room), *_gaps(found, run)]:
        lines += wrap(words, COLUMNS)
    return lines


def _unsupported_words(found: Contrasts, room: int) -> list[str]:
    left = [one for one in found.contrasts if not one.supported]
    if not left:
        return []
    count = plural(len(left), "difference")
    return [f"Unsupported, in no count: {count}, as {_doubted(left[0], room=max(room, 2))}"]
