"""What the open requests will take, before anything is sent: requests, tokens, dollars."""

from itertools import islice

from judgebench.judges import prices, toolbox
from judgebench.judges.finding_reply import FindingForm
from judgebench.model.checked import Estimated
from judgebench.model.collected import Usage
from judgebench.model.nouns import Mode, Rendered
from judgebench.model.turns import MOST_TURNS
from judgebench.pipeline.planning.prepare import Prepared, Preparer
from judgebench.pipeline.planning.standing import Standing
from judgebench.pipeline.planning.wanted import cells, criteria_of
from judgebench.pipeline.sending.one_pass import Sending, price_of
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.scene import Scene
from judgebench.store.store import Store

SAMPLE = 50
"""Open requests that are rendered to estimate all of them."""
REPLY_TOKENS_A_MARK = 120
"""Quotes, rationale and mark of one criterion, as judges were seen to write them."""
REPLY_TOKENS_AN_AUDIT = 350
"""What was read and found under one criterion of a project, with two passages."""
REPLY_TOKENS_A_TURN = 200
"""A reply that calls tools."""
_MOST_READ = toolbox.MOST_CHARS_IN_ALL // toolbox.CHARS_A_TOKEN
REPLY_TOKENS_A_NAME = 20
"""One letter as JSON, or as the call of a tool."""


def estimate(store: Store, scene: Scene, standing: Standing, choices: Choices) -> Estimated:
    """Render some of the open requests and extrapolate to all; sends nothing."""
    preparer = Preparer(scene.run, scene.rubric, standing.row.judging)
    total = 0 if standing.change is None else standing.change.open
    price = price_of(standing.judge, choices)
    sending = Sending(store, preparer, standing, price=price)
    prompt = completion = seen = talks = 0
    for request in islice(sending.queue(), SAMPLE):
        prepared = sending.prepare(request)
        if isinstance(prepared, Prepared):
            seen += 1
            turns = MOST_TURNS if prepared.toolbox else 1
            talks += turns > 1
            shown = prices.estimate_tokens(prepared.rendered.system + prepared.rendered.user)
            # What tools gave goes out again with each turn after the first.
            prompt += turns * shown + (turns - 1) * _MOST_READ
            completion += (turns - 1) * REPLY_TOKENS_A_TURN
            # A comparison is one verdict on two answers.
            each = 1 if prepared.form.mode is Mode.PAIRWISE else len(prepared.form.labels)
            marks = len(prepared.form.criteria) * each
            audits = isinstance(prepared.form, FindingForm)
            completion += (REPLY_TOKENS_AN_AUDIT if audits else REPLY_TOKENS_A_MARK) * marks
    scale = total / seen if seen else 0.0
    asked = _probe(store, scene, standing, choices)
    usage = Usage(
        prompt_tokens=round(prompt * scale)
        + sum(prices.estimate_tokens(one.system + one.user) for one in asked),
        completion_tokens=round(completion * scale) + REPLY_TOKENS_A_NAME * len(asked),
    )
    total += len(asked)
    ((planted, controls),) = store.rows("control_count", pass_id=standing.row.judging.id)
    return Estimated(
        requests=total,
        planted=planted,
        probe=len(asked),
        controls=controls,
        talks=round(talks * scale),
        prompt_tokens=usage.prompt_tokens or 0,
        completion_tokens=usage.completion_tokens or 0,
        cost_usd=prices.cost_usd(price, usage) if total else 0.0,
        price_source=price.words() if price else None,
    )


def _probe(store: Store, scene: Scene, standing: Standing, choices: Choices) -> list[Rendered]:
    """What the blindness probe would ask after the marking; nothing where it is not wished for."""
    if not choices.probe_blindness:
        return []
    # Imported here: its statistics are loaded only where they are asked for.
    from judgebench.pipeline.scoring.blindness import open_questions  # noqa: PLC0415 - as said

    judging = standing.row.judging
    told = [
        (cell.item, cell.arm)
        for cell in cells(store, judging.run)
        if criteria_of(scene.rubric, cell)
    ]
    return [one.rendered for one in open_questions(store, scene, judging, told)]
