"""What a vendor's service or client leaves in a text: ids of its replies, marks of its sources.

Each form is one service's own, long enough that nobody writes it by chance: an id in a
tutorial (`chatcmpl-123`) is shorter. Texts are folded.
"""

import re
from collections.abc import Iterator

_IDS = (
    r"(?<![a-z0-9])(?:chatcmpl-(?:tool-)?[a-z0-9]{20,64}|(?:msg|req|srvtoolu|toolu|msgbatch)_01[a-z0-9]{20,30}"
    r"|(?:msg|resp|rs|fc|ws)_[0-9a-f]{40,64}|gen-1\d{9}-[a-z0-9]{16,40}|call_(?=[a-z]{0,23}\d)[a-z0-9]{24}"
    r"|cmpl-[a-z0-9]{24,40}|fp_[0-9a-f]{10})(?![a-z0-9])"
)
_SOURCES = (
    r"(?:content_?reference\[)?oaicite:\d{1,4}\]?(?:\{index=\d{1,4}\})?|oai_citation(?::\d{1,4})?"
    r"|(?<=cite)turn\d{1,3}(?:search|view|news|file)\d{1,3}|sandbox:/mnt/data(?=/)"
    r"|/mnt/user-data/(?:outputs|uploads)(?=/)"
)
_ELEMENTS = (
    r"</?(?:ant(?:thinking|artifact)|xaiartifact|grok:[a-z_]{2,30}|grok-card"
    r"|bolt(?:artifact|action))(?:\s[^<>\n]{0,200})?>"
)
_TRACES = re.compile(f"{_IDS}|{_SOURCES}|{_ELEMENTS}")
_SIGNS = (
    *("cmpl-", "_01", "msg_", "resp_", "rs_", "fc_", "ws_", "gen-1", "call_", "fp_"),
    *("oaicite", "oai_citation", "citeturn", "sandbox:/mnt", "/mnt/user-data"),
    *("<ant", "</ant", "<xai", "</xai", "<grok", "</grok", "<bolt", "</bolt"),
)


def traces(plain: str) -> Iterator[re.Match[str]]:
    """Every trace of a service in a folded text."""
    return _TRACES.finditer(plain) if any(sign in plain for sign in _SIGNS) else iter(())
