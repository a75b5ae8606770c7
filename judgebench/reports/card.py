"""Card → a page of Markdown, its JSON, and a few lines for a terminal."""

import shlex
from datetime import UTC, datetime
from pathlib import Path

from judgebench.model import Estimate, Refusal
from judgebench.model.card import Answered, Card, CardBeside, CardControls, CardFailure
from judgebench.model.extended import RepeatExtra
from judgebench.reports import biases, controls, json, markup, refusals
from judgebench.reports.cells import wrap
from judgebench.reports.digits import (
    DASH,
    decimals,
    listed,
    plain,
    plural,
    points,
    share,
    signed,
    usd,
)
from judgebench.reports.write import write_files
from judgebench.text import one_line

_WRAP = 80
_TOTAL = "total"


def write_card(card: Card, folder: Path, name: str) -> list[Path]:
    """Write the page and its figures; the page first.

    Raises:
        StoreError: They cannot be written.
    """
    page = "\n".join(markdown(card)) + "\n"
    return write_files(
        {f"{name}.md": page.encode(), f"{name}.json": json.document(card).encode()}, folder
    )


# ---- short


def render(card: Card, *, width: int = _WRAP) -> str:
    """The card in a few lines."""
    first = (
        f"Judge {one_line(card.judge_name, 40)} under {one_line(card.rubric_name, 30)}, "
        f"{plural(len(card.passes), 'pass', 'passes')}, {card.first_at[:10]} to "
        f"{card.last_at[:10]}, {plural(card.judgments, 'answered request')}."
    )
    lines = [
        first,
        _noise(card),
        *(_beside_line(card, one) for one in card.beside),
        *_unvalidated(card),
        _controls_line(card),
        *_leanings(card),
        _quotes(card),
        *_modal_line(card),
        _blocked(card),
        _money(card),
        *_changed(card),
    ]
    return "\n".join(part for line in lines for part in wrap(line, width)) + "\n"


def _noise(card: Card) -> str:
    total = next((row for row in card.repeats if row.criterion is None), None)
    if total is None:
        return "Repeatability: not measured (its passes compare pairs and mark nothing)."
    if isinstance(total.sd, Refusal):
        return f"Repeatability: not measured ({refusals.why(total.sd)})."
    digits = decimals(card.scale_low, card.scale_high)
    how = "the floor by the step of the scale" if total.floored else "measured"
    return (
        f"Repeatability, {how}: the same answer scored again moves by "
        f"{points(total.sd.value, digits)} points (re-scoring sd, {plural(total.sd.n, 'cell')}); "
        f"two scorings differ by more than {points(total.limit, digits)} (repeatability limit) in "
        "1 of 20."
    )


def _beside_line(card: Card, one: CardBeside) -> str:
    digits = decimals(card.scale_low, card.scale_high)
    who = "people" if one.by_people else f"judge {one_line(one.name, 40)}"
    words = [f"Beside {who} ({plural(one.cells, 'answer')}):"]
    words.append(
        f"{signed(one.gap.value, digits)} points,"
        if isinstance(one.gap, Estimate)
        else "gap not measured,"
    )
    words.append(
        f"{share(one.ordering.value)} of pairs of arms ordered alike,"
        if isinstance(one.ordering, Estimate)
        else "order not measured,"
    )
    words.append(
        f"alpha {points(one.alpha.value, 2)}."
        if isinstance(one.alpha, Estimate)
        else "alpha not measured."
    )
    return " ".join(words)


def _unvalidated(card: Card) -> list[str]:
    if any(one.by_people for one in card.beside):
        return []
    return ["Not validated: no marks by people (judge calibrate RUN --human FILE)."]


def _controls_line(card: Card) -> str:
    found = card.controls
    if found is None:
        return "Planted controls: none in its passes; what it would miss is not known."
    if not found.decided:
        return f"Planted controls: none of {found.planted:,} decided."
    ends = ""
    if isinstance(found.rate, Estimate):
        ends = f" ({share(found.rate.low)} to {share(found.rate.high)}, exact)"
    failed = listed(controls.failed_kinds(found), most=len(found.classes))
    left = found.planted - found.decided
    return (
        f"Planted controls: passed {found.passed:,} of {found.decided:,}{ends}; "
        f"{f'FAILS {failed}' if failed else 'fails no kind'}"
        f"{f'; {left:,} undecided' if left else ''}."
    )


def _leanings(card: Card) -> list[str]:
    if card.biases is None:
        return []
    where = f"Leanings (pass {card.biases.pass_id}, {one_line(card.biases.run_name, 40)}):"
    return [f"{where} {line}" for line in biases.sentences(card.biases)[:3]] or [
        f"{where} none could be measured."
    ]


def _quotes(card: Card) -> str:
    if not card.quotes:
        return "Quotes: none given."
    return (
        f"Quotes found in their texts: {share(card.quotes_found / card.quotes)} of "
        f"{card.quotes:,}; marks without the support that they need: "
        f"{card.marks_unsupported:,} of {card.marks:,}."
    )


def _modal_line(card: Card) -> list[str]:
    rows = [row for row in card.repeats if row.modal_share is not None]
    if not rows:
        return []
    most = max(rows, key=lambda row: row.modal_share or 0)
    words = (
        f"Most frequent mark: {plain(most.modal_mark)} on {one_line(most.criterion or '', 30)}, "
        f"{share(most.modal_share)} of its marks (of all criteria the most)."
    )
    return [words]


def _blocked(card: Card) -> str:
    if not card.refused:
        return "Judgments blocked on the judge's side: none."
    kinds = listed([f"{one.count:,} {one_line(one.name, 30)}" for one in card.refused])
    return f"Judgments blocked on the judge's side: {kinds}."


def _money(card: Card) -> str:
    if all(one.route == "replay" for one in card.passes):
        recorded = plural(card.calls, "call")
        return f"Cost: none here, its replies are replayed ({recorded} when they were recorded)."
    if card.cost_usd is None or not card.judgments:
        return f"Cost: unknown ({plural(card.calls, 'call')})."
    each = card.cost_usd / card.judgments
    return (
        f"Cost: {usd(card.cost_usd)} for {plural(card.judgments, 'answered request')}, "
        f"${each:.2g} each ({plural(card.calls, 'call')})."
    )


def _changed(card: Card) -> list[str]:
    kinds = {(one.model, one.fingerprint) for one in card.answered if one.model}
    if len(kinds) < 2:  # noqa: PLR2004 - another one
        return []
    names = listed([_who(one) for one in card.answered if one.model])
    return [f"Not one judge: the endpoint answered as {names}. Figures above mix them."]


def _who(one: Answered) -> str:
    name = one_line(one.model or "unknown", 40)
    return f"{name} ({one_line(one.fingerprint, 30)})" if one.fingerprint else name


# ---- the page


def markdown(card: Card) -> list[str]:
    """The page as lines."""
    title = markup.text(
        f"{one_line(card.judge_name, 60)} under {one_line(card.rubric_name, 60)}"
    )  # fmt: skip
    return [
        f"# Judge card: {title}",
        "",
        markup.text(
            f"{card.first_at[:10]} to {card.last_at[:10]}, "
            f"{plural(len(card.passes), 'pass', 'passes')}, "
            f"{plural(card.judgments, 'answered request')}. Scale {plain(card.scale_low)} to "
            f"{plain(card.scale_high)}. What is pooled over passes is pooled within answers or "
            "within items."
        ),
        "",
        *_changed_page(card),
        "## Repeatability",
        "",
        *_repeat_table(card),
        "",
        *markup.bullets([_noise(card), _swap_line(card), _length_line(card)]),
        "",
        "## Beside others",
        "",
        *_beside_table(card),
        "",
        "## Planted controls",
        "",
        *_controls_page(card),
        "",
        "## Leanings",
        "",
        *_biases_page(card),
        "",
        "## Conduct",
        "",
        *markup.bullets([_quotes(card), _blocked(card), _money(card)]),
        *markup.bullets([f"Price: {one_line(one, 100)}." for one in card.price_sources]),
        "",
        "## Passes",
        "",
        *_pass_table(card),
        "",
        "## Identity",
        "",
        *_identity(card),
    ]


def _changed_page(card: Card) -> list[str]:
    return [part for line in _changed(card) for part in (markup.text(line), "")]


def _repeat_table(card: Card) -> list[str]:
    heads = (
        "score", "re-scoring sd, measured", "95 % interval", "repeatability limit, measured",
        "same mark", "most frequent", "its share",
    )  # fmt: skip
    digits = decimals(card.scale_low, card.scale_high)
    return markup.table(heads, [_repeat_row(row, digits) for row in card.repeats])


def _repeat_row(row: RepeatExtra, digits: int) -> tuple[str, ...]:
    name = one_line(row.criterion or _TOTAL, 60)
    modal = (plain(row.modal_mark), share(row.modal_share))
    if isinstance(row.sd, Refusal):
        return (name, DASH, refusals.why(row.sd), DASH, DASH, *modal)
    return (
        name,
        points(row.sd.value, digits),
        _ends(row.sd, digits),
        points(row.limit, digits) + (" floor" if row.floored else ""),
        share(row.exact_share),
        *modal,
    )


def _ends(found: Estimate, digits: int) -> str:
    if found.low is None or found.high is None:
        return DASH
    return f"{points(found.low, digits)} to {points(found.high, digits)}"


def _swap_line(card: Card) -> str:
    if isinstance(card.swaps, Refusal):
        return f"Pairs of arms that turn when scored again: {refusals.why(card.swaps)}."
    return (
        f"Pairs of arms that turn when scored again: {share(card.swaps.value)} of "
        f"{plural(card.swaps.n, 'pair')}."
    )


def _length_line(card: Card) -> str:
    found = card.length_baseline
    if isinstance(found, Refusal):
        return f"Length baseline: {refusals.why(found)}."
    return (
        f"Length baseline: within an item the order by length alone goes with the judge's order "
        f"at {points(found.value, 2)} ({_ends(found, 2)}); it compares arms, no proof of a "
        "leaning (judge biases compares each arm's own answers)."
    )


def _beside_table(card: Card) -> list[str]:
    if not card.beside:
        return ["No people and no other judge have marked the same outputs under this rubric."]
    heads = ("beside", "runs", "answers", "gap", "95 %", "pairs alike", "95 %", "alpha", "95 %")
    digits = decimals(card.scale_low, card.scale_high)
    rows = [
        (
            "people" if one.by_people else one_line(one.name, 60),
            plain(one.runs),
            plain(one.cells),
            *_pair(one.gap, digits),
            *_pair(one.ordering, 2),
            *_pair(one.alpha, 2),
        )
        for one in card.beside
    ]
    lines = markup.table(heads, rows)
    return [*lines, "", *markup.bullets(_unvalidated(card))]


def _pair(found: Estimate | Refusal, digits: int) -> tuple[str, str]:
    if isinstance(found, Refusal):
        return DASH, refusals.why(found)
    return points(found.value, digits), _ends(found, digits)


def _controls_page(card: Card) -> list[str]:
    found = card.controls
    if found is None:
        return ["None of its passes has controls."]
    digits = decimals(card.scale_low, card.scale_high)
    shown = found.failures[: controls.MOST_NAMED]
    lines = [
        f"Passes with controls: {found.passes:,} of {len(card.passes):,}; decided within each.",
        *_in_pairs(found),
        *(f"Pass {one.pass_id}. {_failed(one, digits)}" for one in shown),
        *([f"{len(found.failures) - len(shown):,} more failures: the JSON beside this page."]
          if len(found.failures) > len(shown) else []),
        *controls.not_decided(found),
    ]  # fmt: skip
    return [
        markup.text(controls.said(found)),
        "",
        *markup.table(controls.HEADS, controls.rows(found)),
        "",
        *markup.bullets(lines),
    ]


def _in_pairs(found: CardControls) -> list[str]:
    if not found.pair_passes or found.by_pairs:
        return []
    return [f"Passes that compare pairs: {found.pair_passes:,}; a control meets its source there."]


def _failed(one: CardFailure, digits: int) -> str:
    return controls.failure(one.check, run=shlex.quote(one_line(one.run, 60)), digits=digits)


def _biases_page(card: Card) -> list[str]:
    found = card.biases
    if found is None:
        return ["Nothing was scored."]
    where = " ".join(biases.head(found))
    return [markup.text(f"{where} Pass {found.pass_id}, the one with the most items."), "",
            *biases.markdown(found)]  # fmt: skip


def _pass_table(card: Card) -> list[str]:
    heads = (
        "run",
        "pass",
        "mode",
        "way",
        "state",
        "begun",
        "arms",
        "items",
        "requests answered",
        "blocked",
    )
    rows = [
        (
            one_line(one.run, 60), one.pass_id, one.mode, one.route,
            "complete" if one.complete else "unfinished", one.started_at[:10], plain(one.arms),
            plain(one.items), plain(one.judgments), plain(one.blocked),
        )
        for one in card.passes
    ]  # fmt: skip
    return markup.table(heads, rows, right=6)


def _identity(card: Card) -> list[str]:
    versions = ", ".join(one_line(one, 30) for one in card.rubric_versions)
    return markup.bullets(
        [
            f"judge: {one_line(card.judge_model, 60)}, {card.judge_sha256}",
            f"rubric: {one_line(card.rubric_name, 60)} {versions}, asked {card.ask_sha256}",
            *(f"sums: {one}" for one in card.sum_sha256),
            *(f"prompt: {one}" for one in card.prompt_versions),
            *(
                f"answered as {_who(one)}: {plural(one.judgments, 'request')}, "
                f"{_day(one.first_at)} to {_day(one.last_at)}"
                for one in card.answered
            ),
        ]
    )


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, tz=UTC).date().isoformat()
