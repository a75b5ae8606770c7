"""What the open requests will take, before anything is sent: requests, tokens, dollars."""

from dataclasses import dataclass
from itertools import islice

from judgebench.judges import prices
from judgebench.judges.finding_reply import FindingForm
from judgebench.model import Mode, Usage
from judgebench.pipeline.choices import Choices
from judgebench.pipeline.prepare import Prepared, Preparer
from judgebench.pipeline.sending import Sending, price_of
from judgebench.pipeline.standing import Standing
from judgebench.store.store import Store

SAMPLE = 50
"""Open requests that are rendered to estimate all of them."""
REPLY_TOKENS_A_MARK = 120
"""Quotes, rationale and mark of one criterion, as judges were seen to write them."""
REPLY_TOKENS_AN_AUDIT = 350
"""What was read and found under one criterion of a project, with two passages."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimated:
    """An estimate, said to be one: four characters a token, a fixed length a mark."""

    requests: int
    controls: int
    """Requests of planted controls in the whole plan."""
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    """None where the judge's price is unknown."""
    price_source: str | None


def estimate(store: Store, preparer: Preparer, standing: Standing, choices: Choices) -> Estimated:
    """Render some of the open requests and extrapolate to all; sends nothing."""
    total = 0 if standing.change is None else standing.change.open
    price = price_of(standing.judge, choices)
    sending = Sending(store, preparer, standing, price=price)
    prompt = completion = seen = 0
    for request in islice(sending.queue(), SAMPLE):
        prepared = sending.prepare(request)
        if isinstance(prepared, Prepared):
            seen += 1
            prompt += prices.estimate_tokens(prepared.rendered.system + prepared.rendered.user)
            # A comparison is one verdict on two answers.
            each = 1 if prepared.form.mode is Mode.PAIRWISE else len(prepared.form.labels)
            marks = len(prepared.form.criteria) * each
            audits = isinstance(prepared.form, FindingForm)
            completion += (REPLY_TOKENS_AN_AUDIT if audits else REPLY_TOKENS_A_MARK) * marks
    scale = total / seen if seen else 0.0
    usage = Usage(prompt_tokens=round(prompt * scale), completion_tokens=round(completion * scale))
    ((_, controls),) = store.rows("control_count", pass_id=standing.row.judging.id)
    return Estimated(
        requests=total,
        controls=controls,
        prompt_tokens=usage.prompt_tokens or 0,
        completion_tokens=usage.completion_tokens or 0,
        cost_usd=prices.cost_usd(price, usage) if total else 0.0,
        price_source=price.words() if price else None,
    )
