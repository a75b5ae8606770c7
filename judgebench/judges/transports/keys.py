"""Keys stay out of everything that is stored or shown."""

MASKED = "[key]"
_WHOLE_KEY_FROM, _PARTS_FROM = 8, 20


class KeyMask:
    """Takes a key, or a telling part of it, out of texts."""

    def __init__(self, key: str) -> None:
        found: list[str] = []
        # A key of a few letters ("none", "ollama") is no secret, and a word of the language.
        if len(key) >= _WHOLE_KEY_FROM:
            found.append(key)
        if len(key) >= _PARTS_FROM:
            found += [key[:12], key[-8:]]
        self._found = tuple(found)

    def __call__(self, text: str) -> str:
        """The text without the key."""
        for part in self._found:
            if part in text:
                text = text.replace(part, MASKED)
        return text
