"""One question in what outputs differ in kind, as text: what became of it, and every reply."""

from collections.abc import Iterator, Sequence

from judgebench.model.shown import ShownContrast
from judgebench.text import one_line, printable


def render(shown: Sequence[ShownContrast], *, whole: bool) -> str:
    """Write requests with their replies.

    Args:
        shown: The requests.
        whole: Also what was sent.
    """
    return "".join(f"{line}\n" for one in shown for line in _lines(one, whole=whole))


def _lines(one: ShownContrast, *, whole: bool) -> Iterator[str]:
    yield printable(
        f"{one.key[:8]}: how the outputs on {one_line(one.item, 40)} differ in kind, asked of "
        f"{one_line(one.judge_name, 40)} (comparison {one.pass_id})"
    )
    if one.status is None:
        yield "no usable answer yet: judge compare goes on with it"
    elif one.status != "ok":
        yield printable(f"blocked: {one.reason}: {one_line(one.message, 200)}")
    for call in one.calls:
        yield ""
        status = "" if call.http_status is None else f" {call.http_status}"
        yield printable(f"call {call.attempt}: {call.outcome}{status} {call.error}".rstrip())
        if whole:
            asked = f"--- system\n{call.system}\n--- user\n{call.user}"
            yield printable(asked, keep_newlines=True)
        yield printable(f"--- reply\n{call.body}", keep_newlines=True)
    if not whole and one.calls:
        yield ""
        yield "--request shows what was sent, with the names of no arm in it"
    yield ""
