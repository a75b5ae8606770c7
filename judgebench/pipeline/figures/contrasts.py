"""What is stored of differences in kind, with the names put back and the kinds counted.

Apart from asking, so that a table of what is stored loads nothing that sends.
"""

from collections import defaultdict
from collections.abc import Sequence

from judgebench.model.contrasts import (
    AMOUNTS,
    Contrast,
    ContrastArm,
    ContrastCount,
    ContrastKind,
    Contrasts,
    Unusable,
)
from judgebench.store import contrasts as stored
from judgebench.store.contrasts import ContrastPass
from judgebench.store.store import Store


def read_contrasts(store: Store, run_key: str) -> Contrasts | None:
    """What the last question about a run came to that has an answer; None where none has."""
    for row in reversed(store.find_contrast_passes(run_key)):
        found = contrasts_of(store, row)
        if found.answered:
            return found
    return None


def contrasts_of(store: Store, row: ContrastPass) -> Contrasts:
    """What one question came to so far."""
    found: list[Contrast] = []
    seen: set[str] = set()
    planned = answered = blocked = calls = 0
    costs: list[float | None] = []
    unusable: list[Unusable] = []
    for key, item, parts, status, reason, message, contrasts, made, cost in store.rows(
        "contrast_answers", pass_id=row.pass_id
    ):
        planned += 1
        names = {part.label: part.arm for part in stored.parts_of(parts)}
        seen |= set(names.values())
        if status is None:
            continue
        answered += status == "ok"
        if status == "blocked":
            blocked += 1
            unusable.append(Unusable(key=key[:8], item=item, reason=reason, message=message or ""))
        calls += made
        costs.append(cost)
        found += stored.contrasts_of(contrasts, item=item, names=names)
    there = [arm for (arm,) in store.rows("arms", run=row.run)]
    # Arms that were left out or taken away since the question were compared all the same.
    arms = (*(arm for arm in there if arm in seen), *sorted(seen.difference(there)))
    supported = [one for one in found if one.supported]
    return Contrasts(
        run_name=row.run,
        pass_id=row.pass_id,
        judge_name=row.judge_name,
        judge_model=row.judge_model,
        route=row.route,
        recorded_at=row.recorded_at,
        prompt_version=row.prompt_version,
        seed=row.seed,
        arms=arms,
        planned=planned,
        answered=answered,
        blocked=blocked,
        left_out=row.left_out,
        not_drawn=row.not_drawn,
        unlike=len({one.item for one in supported}),
        counts=counted(supported, arms),
        contrasts=tuple(found),
        unusable=tuple(unusable),
        calls=calls,
        cost_usd=_sum(costs),
    )


def _sum(costs: Sequence[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def counted(contrasts: Sequence[Contrast], arms: Sequence[str]) -> tuple[ContrastCount, ...]:
    """Kinds by the number of items on which they were found, each arm's sides counted.

    Args:
        contrasts: Supported ones, with names put back.
        arms: All arms, in the order of the run.
    """
    of_kind: dict[str, list[Contrast]] = defaultdict(list)
    for one in contrasts:
        of_kind[one.kind].append(one)
    order = [kind.value for kind in ContrastKind]
    made = [_count(kind, of_kind[kind], arms) for kind in order if of_kind[kind]]
    return tuple(sorted(made, key=lambda one: -one.items))


def _count(kind: str, contrasts: Sequence[Contrast], arms: Sequence[str]) -> ContrastCount:
    stood: dict[str, dict[str, set[str]]] = {
        arm: {amount: set() for amount in AMOUNTS} for arm in arms
    }
    for one in contrasts:
        for side in one.sides:
            for name in side.names:
                stood[name][side.amount].add(one.item)
    return ContrastCount(
        kind=kind,
        items=len({one.item for one in contrasts}),
        arms=tuple(
            ContrastArm(arm=arm, **{amount: len(stood[arm][amount]) for amount in AMOUNTS})
            for arm in arms
            if any(stood[arm].values())
        ),
        # The one that says most: of those that name the most outputs, the first.
        example=max(contrasts, key=lambda one: sum(len(side.names) for side in one.sides)),
    )
