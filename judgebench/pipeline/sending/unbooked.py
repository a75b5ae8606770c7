"""What earlier starts spent on requests that they did not finish: it counts too."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from judgebench.judges.ask import Answer, summed
from judgebench.judges.envelope import usage_of
from judgebench.model.collected import Usage
from judgebench.store.batches import Row
from judgebench.store.store import Store

_OK = 200
_NOT_SENT = "connection"


@dataclass(slots=True)
class Unbooked:
    """Calls for one request of which no judgment tells."""

    calls: int = 0
    in_doubt: int = 0
    usages: list[Usage] = field(default_factory=list)


def read_unbooked(store: Store, pass_id: str) -> dict[str, Unbooked]:
    """Calls for each request that a kill or an interrupt left behind."""
    return unbooked(store.rows("unbooked_calls", pass_id=pass_id))


def unbooked(calls: Iterable[Row]) -> dict[str, Unbooked]:
    """Calls by request: key, attempt, status, outcome and body of each."""
    found: dict[str, Unbooked] = {}
    for key, _, status, outcome, body in calls:
        spent = found.setdefault(key, Unbooked())
        spent.calls += 1
        spent.in_doubt += status is None and outcome != _NOT_SENT
        if status == _OK:
            spent.usages.append(usage_of(body))
    return found


def booked(answer: Answer, spent: Unbooked | None) -> Answer:
    """An answer with what earlier starts spent on it; a call in doubt counts, but no tokens."""
    if spent is None:
        return answer
    usages = [*([answer.usage] if answer.calls else []), *spent.usages]
    return replace(
        answer,
        calls=answer.calls + spent.calls,
        in_doubt=answer.in_doubt + spent.in_doubt,
        usage=summed(usages),
        usage_unknown=answer.usage_unknown
        + sum(one.prompt_tokens is None or one.completion_tokens is None for one in spent.usages),
    )
