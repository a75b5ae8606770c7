"""A page read by a parser: its elements, attributes, headings and visible words."""

from html.parser import HTMLParser

VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """All that a browser would make of a page, without a browser."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.headings: list[int] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element; void ones are never closed."""
        self.elements.append((tag, dict(attrs)))
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that closes itself."""
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Elements close in the order in which they stand open."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note what can be read."""
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        """There are no comments."""
        raise AssertionError(data)

    @property
    def text(self) -> str:
        """All words."""
        return "".join(self.words)

    def ids(self) -> list[str]:
        """Every id."""
        return [given for _, attrs in self.elements if (given := attrs.get("id"))]

    def links(self) -> list[str]:
        """Every address that something leads to."""
        return [given for _, attrs in self.elements if (given := attrs.get("href"))]

    def names(self) -> set[str]:
        """Names of all elements."""
        return {tag for tag, _ in self.elements}

    def attributes(self) -> set[str]:
        """Names of all attributes."""
        return {name for _, attrs in self.elements for name in attrs}
