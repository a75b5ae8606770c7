"""Frames of a request read back: the judged text as it stood between its open and close line."""

import re


def framed(user: str, label: str, *, projects: bool = False) -> str:
    """The text of one output as it stood in a request; empty where there is no such frame.

    Args:
        user: The user message.
        label: The output's name in it.
        projects: Also the text of a project, which may be as long as a book.
    """
    word = re.match(r"The frames of this message carry the word ([0-9a-f]+)\.", user)
    if word is None:
        return ""
    for name in ("answer", f"answer:{label}", *(["project"] if projects else [])):
        opens, closes = f"<<<{word[1]}:{name}\n", f"\n{word[1]}:{name}>>>"
        start = user.find(opens)
        end = user.find(closes, start + len(opens))
        if start >= 0 and end >= 0:
            return user[start + len(opens) : end]
    return ""
