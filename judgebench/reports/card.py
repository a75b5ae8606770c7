"""Card → a page of Markdown, its JSON, and a few lines for a terminal."""

import shlex
from datetime import UTC, datetime
from pathlib import Path

from judgebench.model.card import Card, CardControls, CardFailure
from judgebench.model.extended import RepeatExtra
from judgebench.model.nouns import Estimate, Refusal
from judgebench.reports import biases, card_words, controls, json, markup, refusals
from judgebench.reports.cells import wrap
from judgebench.reports.digits import DASH, decimals, plain, plural, points, share
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


def render(card: Card, *, width: int = _WRAP) -> str:
    """The card in a few lines."""
    first = (
        f"Judge {one_line(card.judge_name, 40)} under {one_line(card.rubric_name, 30)}, "
        f"{plural(len(card.passes), 'pass', 'passes')}, {card.first_at[:10]} to "
        f"{card.last_at[:10]}, {plural(card.judgments, 'answered request')}."
    )
    lines = [
        first,
        card_words.noise(card),
        *(card_words.beside(card, one) for one in card.beside),
        *card_words.unvalidated(card),
        card_words.planted(card),
        *card_words.leanings(card),
        card_words.quotes(card),
        *card_words.modal_mark(card),
        card_words.blocked(card),
        card_words.money(card),
        *card_words.changed(card),
    ]
    return "\n".join(part for line in lines for part in wrap(line, width)) + "\n"


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
        *markup.bullets([card_words.noise(card), _swap_line(card), _length_line(card)]),
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
        *markup.bullets(
            [card_words.quotes(card), card_words.blocked(card), card_words.money(card)]
        ),
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
    return [part for line in card_words.changed(card) for part in (markup.text(line), "")]


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
    return [*lines, "", *markup.bullets(card_words.unvalidated(card))]


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
                f"answered as {card_words.who(one)}: {plural(one.judgments, 'request')}, "
                f"{_day(one.first_at)} to {_day(one.last_at)}"
                for one in card.answered
            ),
        ]
    )


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, tz=UTC).date().isoformat()
