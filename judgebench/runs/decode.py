"""Bytes to text, one way for every output: UTF-8, or UTF-16 with its mark.

What cannot be text in these encodings is refused rather than repaired: a judge
must see what was delivered, or nothing.
"""

import codecs


class Undecodable(Exception):  # noqa: N818 - it names what happened
    """Bytes that are not text in a known encoding; the message says which byte."""


def decode_text(raw: bytes) -> str:
    """Decode UTF-8 (a byte order mark is dropped) or UTF-16 with a byte order mark.

    Raises:
        Undecodable: other encodings, NUL characters, half a surrogate pair.
    """
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    encoding = "utf-16" if wide else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as exc:
        name = "UTF-16" if wide else "UTF-8"
        found = f"0x{raw[exc.start]:02x} " if exc.start < len(raw) else ""
        raise Undecodable(f"byte {exc.start + 1} {found}is not {name}") from None
    nul = text.find("\0")
    if nul >= 0:
        raise Undecodable(f"character {nul + 1} is NUL: a binary file or an unknown encoding")
    return text


def has_surrogate(text: str) -> bool:
    """Say whether half a surrogate pair stands in `text`: no encoder takes it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
