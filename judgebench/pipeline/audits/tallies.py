"""Every judging of a pass over projects, counted from its stored finds."""

from collections.abc import Iterator

from judgebench.model.nouns import Pass
from judgebench.model.rubric import Rubric
from judgebench.pipeline.audits.auditing import recount
from judgebench.records import dataclass
from judgebench.rubrics.counting import Tally
from judgebench.store.store import Store


@dataclass(frozen=True, kw_only=True)
class Judging:
    """One judging of one project."""

    key: str
    label: str
    arm: int
    """Code of the arm."""
    item: int
    """Code of the item."""
    repeat: int
    purpose: str
    tally: Tally
    judge: str = ""
    """Whose it is, in a panel, whose judgings are numbered through."""


def read_tallies(store: Store, judging: Pass, rubric: Rubric) -> Iterator[Judging]:
    """Count all judgings anew; no stored figure goes into any of them."""
    found = store.findings_of(judging.id)
    for key, label, arm, item, repeat, purpose, criteria, reasons in store.rows(
        "audited", pass_id=judging.id, run=judging.run
    ):
        blocked = dict(zip(criteria, reasons, strict=True))
        yield Judging(
            key=key,
            label=label,
            arm=arm,
            item=item,
            repeat=repeat,
            purpose=purpose,
            tally=recount(rubric, found.get((key, label), []), blocked),
        )
