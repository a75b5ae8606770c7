"""Passes as rows of the store."""

from dataclasses import fields as fields_of
from typing import Any

from judgebench.model.nouns import Blinding, Mode, Pass
from judgebench.model.passes import PassFacts
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PassRow:
    """A pass with its state."""

    judging: Pass
    ordinal: int
    rubric_version: str
    sum_sha256: str
    started_at: str
    first_items: int = 0
    recording: str | None = None
    recorded_at: str | None = None
    settled: str | None = None
    """Mode and parameters really sent, canonical JSON."""
    choices: str = "{}"
    """How its judgments are read where not by default, canonical JSON."""
    finished_at: str | None = None
    content_sha256: str | None = None
    """Content of the run for which the plan was complete."""
    state: str = "open"
    """``open`` or ``complete``."""
    price_source: str | None = None
    """Where the price of its calls comes from."""
    controls: int | None = None
    """Controls that were asked for; None: by the rule."""
    planned: int = 0
    """Requests of the plan; read only."""
    answered: int = 0
    """Requests of the plan with a judgment; read only."""

    def facts(self) -> PassFacts:
        """What reports show of it."""
        judging = self.judging
        return PassFacts(
            id=judging.id,
            judge_name=judging.judge_name,
            judge_model=judging.judge_model,
            judge_sha256=judging.judge_sha256,
            rubric_name=judging.rubric_name,
            rubric_version=self.rubric_version,
            ask_sha256=judging.ask_sha256,
            sum_sha256=self.sum_sha256,
            prompt_version=judging.prompt_version,
            mode=judging.mode.value,
            blinding=judging.blinding.value,
            seed=judging.seed,
            repeats=judging.repeats,
            route=judging.route,
            recorded_at=self.recorded_at,
            recording=self.recording,
            params_sent=self.settled,
            started_at=self.started_at,
            finished_at=self.finished_at,
            planned=self.planned,
            answered=self.answered,
            complete=self.state == "complete",
            first_items=self.first_items,
            split_criteria=judging.split_criteria,
            turns=judging.turns,
        )


_OF_PASS = tuple(field.name for field in fields_of(Pass) if field.name != "id")
_COUNTED = {"planned": "n_planned", "answered": "n_answered"}
_OWN = tuple(field.name for field in fields_of(PassRow) if field.name not in {"judging", *_COUNTED})


def pass_values(row: PassRow) -> dict[str, Any]:
    """Parameters of ``put_pass.sql``."""
    judging = row.judging
    return {
        "pass_id": judging.id,
        **{name: getattr(judging, name) for name in _OF_PASS},
        "mode": judging.mode.value,
        "blinding": judging.blinding.value,
        **{name: getattr(row, name) for name in _OWN},
    }


def pass_of(values: dict[str, Any]) -> PassRow:
    """The noun behind a row of ``passes.sql``."""
    judging = {name: values[name] for name in _OF_PASS}
    judging |= {"mode": Mode(values["mode"]), "blinding": Blinding(values["blinding"])}
    return PassRow(
        judging=Pass(id=values["pass_id"], **judging),
        **{name: values[name] for name in _OWN},
        **{name: values[counted] for name, counted in _COUNTED.items()},
    )
