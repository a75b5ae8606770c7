"""The sentences of a judge card, which its page and a terminal both show."""

from judgebench.model.card import Answered, Card, CardBeside
from judgebench.model.nouns import Estimate, Refusal
from judgebench.reports import biases, controls, refusals
from judgebench.reports.digits import decimals, listed, plain, plural, points, share, signed, usd
from judgebench.text import one_line


def noise(card: Card) -> str:
    """How far the judge moves on the same answer."""
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


def beside(card: Card, one: CardBeside) -> str:
    """How the judge stands to people, or to another judge."""
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


def unvalidated(card: Card) -> list[str]:
    """That no people have marked the same; empty where they have."""
    if any(one.by_people for one in card.beside):
        return []
    return ["Not validated: no marks by people (judge calibrate RUN --human FILE)."]


def planted(card: Card) -> str:
    """How many planted controls it passed, and which kinds it fails."""
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


def leanings(card: Card) -> list[str]:
    """What one pass showed of its leanings."""
    if card.biases is None:
        return []
    where = f"Leanings (pass {card.biases.pass_id}, {one_line(card.biases.run_name, 40)}):"
    said = [*biases.sentences(card.biases)[:3], *biases.clustered(card.biases)]
    return [f"{where} {line}" for line in said] or [f"{where} none could be measured."]


def quotes(card: Card) -> str:
    """How many of its quotes were found in their texts."""
    if not card.quotes:
        return "Quotes: none given."
    return (
        f"Quotes found in their texts: {share(card.quotes_found / card.quotes)} of "
        f"{card.quotes:,}; marks without the support that they need: "
        f"{card.marks_unsupported:,} of {card.marks:,}."
    )


def modal_mark(card: Card) -> list[str]:
    """The mark that it gives most, on the criterion where it gives it most."""
    rows = [row for row in card.repeats if row.modal_share is not None]
    if not rows:
        return []
    most = max(rows, key=lambda row: row.modal_share or 0)
    words = (
        f"Most frequent mark: {plain(most.modal_mark)} on {one_line(most.criterion or '', 30)}, "
        f"{share(most.modal_share)} of its marks (of all criteria the most)."
    )
    return [words]


def blocked(card: Card) -> str:
    """Its judgments that were blocked on its own side."""
    if not card.refused:
        return "Judgments blocked on the judge's side: none."
    kinds = listed([f"{one.count:,} {one_line(one.name, 30)}" for one in card.refused])
    return f"Judgments blocked on the judge's side: {kinds}."


def money(card: Card) -> str:
    """What its calls cost."""
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


def changed(card: Card) -> list[str]:
    """That not one model answered throughout; empty where one did."""
    kinds = {(one.model, one.fingerprint) for one in card.answered if one.model}
    if len(kinds) < 2:  # noqa: PLR2004 - another one
        return []
    names = listed([who(one) for one in card.answered if one.model])
    return [f"Not one judge: the endpoint answered as {names}. Figures above mix them."]


def who(one: Answered) -> str:
    """A model as the endpoint named it."""
    name = one_line(one.model or "unknown", 40)
    return f"{name} ({one_line(one.fingerprint, 30)})" if one.fingerprint else name
