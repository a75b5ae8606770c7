"""What the store keeps of a run folder, so that tables need the folder no more."""

from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Any

from pydantic import TypeAdapter

from judgebench.model.collected import Ambiguity, Arm, Run, Settings, UseCase
from judgebench.records import dataclass

MARKS = "marks"
"""Form of a run of marks that were brought in: it never had outputs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunFacts:
    """The declared part of a run: use case, settings, arms, ambiguities."""

    name: str
    use_case: UseCase
    settings: Settings
    arms: tuple[Arm, ...]
    ambiguities: tuple[Ambiguity, ...] = ()
    form: str = "items"
    collected_at: str | None = None
    collector: str | None = None
    declared: bool = True
    has_prompt: bool = True
    notes: tuple[str, ...] = ()
    anchor: str | None = None
    clusters: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Items that hang together, by the name of their cluster; an item in none is its own."""
    kinds_unsaid: tuple[str, ...] = ()
    """Arms of which nobody says whether they are of a CLI."""
    scale_taken: bool = False
    """No scale was named for marks that were brought in: its ends are those of the marks."""

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        found = asdict(self)
        if not self.clusters:
            # Of a run that has none the facts stay what they were before there were any.
            del found["clusters"]
        if not self.kinds_unsaid:
            del found["kinds_unsaid"]
        if not self.scale_taken:
            del found["scale_taken"]
        return found


def facts_of(run: Run) -> RunFacts:
    """Take from a run what tables and reports say of it."""
    return RunFacts(
        name=run.name,
        use_case=run.use_case,
        settings=run.settings,
        arms=run.arms,
        ambiguities=run.ambiguities,
        form=run.form,
        collected_at=run.collected_at,
        collector=run.collector,
        declared=run.declared,
        has_prompt=run.has_prompt,
        notes=run.notes,
        anchor=run.anchor,
        clusters=dict(run.clusters),
        kinds_unsaid=run.kinds_unsaid,
    )


def read_facts(values: Mapping[str, Any]) -> RunFacts:
    """Read stored facts again."""
    return TypeAdapter(RunFacts).validate_python(dict(values))
