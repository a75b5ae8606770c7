"""Where comments stand in source files, and what is left to the code."""

import pytest

from judgebench.blind.comments import is_prose, words_of


def found(path: str, text: str) -> list[str]:
    """The comments of a text, as they stand in it."""
    lines = text.split("\n")
    return [lines[one.at][one.first : one.last] for one in words_of(path, lines)]


@pytest.mark.parametrize(
    ("path", "text", "comments"),
    [
        ("a.py", "# one\nx = 1  # two", [" one", " two"]),
        ("a.py", "x = '# no' + \"#no\"", []),
        ("a.py", 'x = """\n# no\n"""\n# yes', [" yes"]),
        ("a.py", "x = 'it\\'s # no'", []),
        ("a.rb", 'puts "#{a} # no" # yes', [" yes"]),
        ("a.rb", "x = <<~TEXT\n  # no\nTEXT\n# yes", [" yes"]),
        ("a.sh", "echo ${#a} a#b # yes", [" yes"]),
        ("a.yml", "# yes\nkey: value # too", [" yes", " too"]),
        ("Dockerfile", "# yes\nRUN echo", [" yes"]),
        ("a.js", "let a = 'http://x'; // yes", [" yes"]),
        ("a.js", "fetch(`http://x`) // yes\n/* two\nthree */ a()", [" yes", " two", "three "]),
        ("a.js", "let a = `\n// no\n`; // yes", [" yes"]),
        ("a.css", "a { color: red } /* yes */", [" yes "]),
        ("a.sql", "SELECT 1 -- yes", [" yes"]),
        ("a.html", "<p>a</p> <!-- yes\ntoo -->", [" yes", "too "]),
        ("a.html.erb", "<%# yes %><%= a %>", [" yes "]),
        ("a.md", "# a heading\n<!-- yes -->", [" yes "]),
        ("a.unknown", "# no // no", []),
        ("plain", "# no", []),
    ],
)
def test_comments_of_many_languages(path: str, text: str, comments: list[str]) -> None:
    """What is surely a comment is found; texts and code are not."""
    assert found(path, text) == comments


@pytest.mark.parametrize(
    ("path", "prose"),
    [("README.md", True), ("docs/notes.txt", True), ("LICENSE", True), ("app.py", False)],
)
def test_prose_is_what_readers_read(path: str, *, prose: bool) -> None:
    """Guides and notes are prose, sources are not."""
    assert is_prose(path) is prose
