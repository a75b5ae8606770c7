"""Stored claims about a library, checked again by its source as it lies now; asks nothing."""

from collections.abc import Iterator

from judgebench.judges.findings import as_placed
from judgebench.model.nouns import Pass
from judgebench.model.rubric import Rubric
from judgebench.pipeline.setting import hooks
from judgebench.store.findings import NewStanding
from judgebench.store.store import Store


def reclaim(store: Store, judging: Pass, rubric: Rubric) -> int:
    """Check the stored claims of a pass again and keep what has changed.

    Returns:
        How many claims came to something else.
    """
    changed = list(_changed(store, judging, rubric))
    if changed:
        store.restand(judging.id, changed)
    return len(changed)


def _changed(store: Store, judging: Pass, rubric: Rubric) -> Iterator[NewStanding]:
    entries = rubric.deductions.about_library if rubric.deductions else frozenset()
    if not entries:
        return
    for (key, label), finds in store.findings_of(judging.id).items():
        for ordinal, stored in enumerate(finds):
            # A passage that stands nowhere proves nothing, whatever the library has.
            if stored.finding.entry not in entries or stored.first is None:
                continue
            found = hooks.check_claim(as_placed(stored), rubric)
            if found != stored:
                yield NewStanding(
                    key=key,
                    label=label,
                    ordinal=ordinal,
                    standing=found.standing.value,
                    note=found.note,
                )
