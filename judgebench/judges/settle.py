"""Finding out what an endpoint takes, with the first request of a pass and nothing else.

A refusal that names what it refuses is answered at most twice with another form of
the same request: a schema without bounds, another mode, the other name of the token
limit, no temperature of ours. What the user wrote himself is never left out. What
was chosen is said once, sent with every request, and stored with the pass.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from judgebench.errors import JudgeSetupError
from judgebench.judges import faults, wire
from judgebench.judges.ask import Answer, SetupRefusedError
from judgebench.judges.faults import Fault
from judgebench.model.nouns import Judge
from judgebench.text import one_line

MOST_CHANGES = 2
_NEXT_MODE: dict[str, wire.WireMode] = {"json_schema": "tools", "tools": "json", "json": "md_json"}
_OTHER_LIMIT = {
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": "max_tokens",
}
_BOUND_WORDS = (
    "minimum",
    "maximum",
    "minlength",
    "maxlength",
    "minitems",
    "maxitems",
    "multipleof",
)


def adapt(settled: wire.Settled, fault: Fault, judge: Judge) -> tuple[wire.Settled, str] | None:
    """Another form of the same request after a refusal, with words for the user.

    Returns:
        None where nothing is known that could help, or where it is the user's own choice.
    """
    name = (fault.param or "").lower()
    if fault.kind != "setup" or not name:
        return None
    if other := next((o for limit, o in _OTHER_LIMIT.items() if name == limit), None):
        return _renamed(settled, name, other)
    if name == "temperature" and name in settled.params and name not in judge.params:
        rest = {key: value for key, value in settled.params.items() if key != name}
        return replace(settled, params=rest), "temperature is not sent"
    if _about_form(name):
        return _other_form(settled, fault, judge)
    return None


def _renamed(settled: wire.Settled, name: str, other: str) -> tuple[wire.Settled, str] | None:
    if name not in settled.params:
        return None
    params = {other if key == name else key: value for key, value in settled.params.items()}
    return replace(settled, params=params), f"{other} is sent in place of {name}"


def _about_form(name: str) -> bool:
    return name in {"schema", "strict"} or name.startswith(
        ("response_format", "tool", *faults.MODE_WORDS)
    )


def _other_form(
    settled: wire.Settled, fault: Fault, judge: Judge
) -> tuple[wire.Settled, str] | None:
    words = fault.words.lower()
    names_bound = any(word in words for word in _BOUND_WORDS)
    if settled.schema == "full" and (names_bound or fault.param == "schema"):
        return replace(settled, schema="plain"), "the schema is sent without bounds"
    following = _NEXT_MODE.get(settled.mode)
    if judge.wire_mode != "auto" or following is None:
        return None
    return replace(settled, mode=following), f'mode "{following}" is used'


async def settle(
    judge: Judge,
    attempt: Callable[[wire.Settled, int], Awaitable[Answer]],
    *,
    announce: Callable[[str], None],
) -> tuple[wire.Settled, Answer]:
    """Ask the first request until the endpoint takes its form.

    Args:
        judge: Who is asked.
        attempt: Asks the request with a form; is told the calls made before.
        announce: Told what was chosen, once.

    Returns:
        The form, and the answer. Where `Answer.accepted` is False the endpoint took
        nothing yet, for a reason that is not the form's.

    Raises:
        JudgeSetupError: The endpoint cannot be reached, or refuses and no way is known.
    """
    settled, chosen, calls = wire.first(judge), list[str](), 0
    while True:
        try:
            answer = await attempt(settled, calls)
        except SetupRefusedError as refused:
            calls += refused.calls
            other = adapt(settled, refused.fault, judge) if len(chosen) < MOST_CHANGES else None
            if other is None:
                raise _with_what_was_tried(refused, chosen) from None
            settled = other[0]
            chosen.append(other[1])
            continue
        if not answer.reached:
            where = one_line(judge.base_url or judge.provider, 120)
            raise JudgeSetupError(
                f"{one_line(judge.name, 60)}: {where} cannot be reached: "
                f"{answer.reading.message}; check that it runs, and base_url"
            )
        if chosen:
            announce(f"{one_line(judge.name, 60)}: {'; '.join(chosen)}, as the endpoint wants it")
        return settled, replace(answer, calls=answer.calls + calls)


def _with_what_was_tried(refused: SetupRefusedError, chosen: list[str]) -> JudgeSetupError:
    if not chosen:
        return refused
    return JudgeSetupError(f"{refused} (tried before: {'; '.join(chosen)})")
