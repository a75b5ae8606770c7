"""Claims about a library: proven, contradicted, or unverified, always with what was searched."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgebench.judges.claims import check_claim, look_up
from judgebench.model.deductions import Evidence
from judgebench.model.findings import Checked, Finding, Standing
from judgebench.model.libraries import Library
from judgebench.model.projects import LeftOut, Project, ProjectFile

SOURCE = {
    "lib/talk.rb": (
        "module Talk",
        "  class Chat",
        "    attr_reader :messages, :model",
        "    def ask(text, &block)",
        "      # like say, but waits",
        "    end",
        "    def done?; end",
        "    alias_method :tell, :ask",
        "  end",
        "end",
    ),
    "lib/loose.rb": ("class Loose", "  def method_missing(name, *args)", "  end", "end"),
    "src/talk.ts": (
        "export class Client {",
        "  async open(url) {",
        "  }",
        "  close = () => 1",
        "}",
    ),
    "talk/api.py": ("class Api:", "    async def fetch(self):", "        ...", "LIMIT: int = 3"),
}


def library(sources: dict[str, tuple[str, ...]] | None = None, *left_out: LeftOut) -> Library:
    """A library of these files."""
    files = tuple(
        ProjectFile(path=path, lines=lines, shown=len(lines))
        for path, lines in (SOURCE if sources is None else sources).items()
    )
    return Library(name="talk", version="1.2", source=Project(files=files, left_out=left_out))


def claim(*symbols: str, excerpt: str = "") -> Checked:
    """A supported find that quotes a call."""
    quoted = excerpt or " ".join(one.rsplit("#")[-1].rsplit(".")[-1] for one in symbols)
    finding = Finding(
        criterion="api", entry="invented-call", evidence=Evidence.PRESENT, path="app/a.rb",
        first=1, last=1, excerpt=f"x.{quoted}(1)", patterns=symbols,
    )  # fmt: skip
    return Checked(
        finding=finding, standing=Standing.SUPPORTED, note="app/a.rb, lines 1-1", path="app/a.rb"
    )


def test_a_name_that_stands_nowhere_proves_the_claim() -> None:
    """What was searched, where, and how often it was found."""
    found = check_claim(claim("Chat#stream_twice"), library())
    assert found.standing is Standing.SUPPORTED
    assert found.counts
    assert found.note == "app/a.rb, lines 1-1; stream_twice: found 0 times in 4 files of talk 1.2"


@pytest.mark.parametrize(
    ("symbol", "place"),
    [
        ("Chat#ask", "defines ask 2 times: lib/talk.rb, line 4"),
        ("Talk::Chat#messages", "lib/talk.rb, line 3"),
        ("Chat#tell", "lib/talk.rb, line 8"), ("done?", "lib/talk.rb, line 7"),
        ("Talk::Chat", "lib/talk.rb, line 2"), ("Client.open", "src/talk.ts, line 2"),
        ("Client.close", "src/talk.ts, line 4"), ("Api.fetch(1)", "talk/api.py, line 2"),
        ("LIMIT", "talk/api.py, line 4"), ("Chat.model", "lib/talk.rb, line 3"),
    ],
)  # fmt: skip
def test_a_definition_contradicts_the_claim(symbol: str, place: str) -> None:
    """Methods, readers, aliases, classes, constants, fields, in several languages."""
    name = symbol.split("(", maxsplit=1)[0].replace("::", ".")
    found = check_claim(claim(symbol, excerpt=name.rsplit("#")[-1]), library())
    assert found.standing is Standing.UNSUPPORTED
    assert place in found.note
    assert not found.counts


@pytest.mark.parametrize(
    ("symbol", "said"),
    [
        ("Chat#waits", "mentioned once: lib/talk.rb, line 5"),
        ("Loose#whatever", "lib/loose.rb, line 2, may answer to any name"),
        ("anything_at_all", "may answer to any name"),
        ("Chat#each", "a name that any object may have"),
    ],
)
def test_what_is_not_proven_is_unverified(symbol: str, said: str) -> None:
    """A mention, a hook, a name of every object: no points are taken."""
    found = check_claim(claim(symbol), library())
    assert found.standing is Standing.UNVERIFIED
    assert said in found.note


@pytest.mark.parametrize(
    "left_out",
    [
        LeftOut(path="lib/big.rb", reason="is too large", could_hold=True),
        LeftOut(path="talk/_speed.so", reason="binary", could_hold=False),
        LeftOut(path="dist/", reason="generated, vendored or a cache", could_hold=False),
        LeftOut(path="talk.js", reason="generated (very long lines)", could_hold=False),
    ],
)
def test_a_part_that_was_not_read_leaves_it_open(left_out: LeftOut) -> None:
    """Too large, compiled, built: the name may stand there."""
    found = check_claim(claim("Chat#stream_twice"), library(None, left_out))
    assert found.standing is Standing.UNVERIFIED
    assert left_out.path in found.note


def test_pictures_and_caches_of_a_library_leave_nothing_open() -> None:
    """What can define no name is no reason to doubt."""
    quiet = (
        LeftOut(path="logo.png", reason="binary", could_hold=False),
        LeftOut(path=".git/", reason="generated, vendored or a cache", could_hold=False),
    )
    assert check_claim(claim("Chat#stream_twice"), library(None, *quiet)).counts


def test_a_claim_without_source_names_or_passage_costs_nothing() -> None:
    """No library, no name, an empty library, another name than the passage holds."""
    assert check_claim(claim("Chat#x_y"), None).standing is Standing.UNVERIFIED
    assert check_claim(claim(), library()).standing is Standing.UNVERIFIED
    assert check_claim(claim("Chat#x_y"), library({})).standing is Standing.UNVERIFIED
    stray = check_claim(claim("Chat#x_y", excerpt="other"), library())
    assert stray.standing is Standing.UNSUPPORTED
    assert "x_y does not stand in the passage" in stray.note


def test_a_find_that_did_not_hold_stays_as_it_is() -> None:
    """The passage comes first: no source is searched for a call that is not there."""
    lost = replace(claim("Chat#ask"), standing=Standing.UNSUPPORTED)
    assert check_claim(lost, library()) is lost


def test_all_names_of_a_claim_must_be_missing() -> None:
    """One of two names that exists contradicts the claim."""
    found = check_claim(claim("Chat#x_y", "Chat#ask"), library())
    assert found.standing is Standing.UNSUPPORTED


def test_a_name_within_another_is_not_that_name() -> None:
    """`ask` stands in `ask_later` as letters only."""
    seen = look_up(("ask",), library({"a.rb": ("def ask_later", "def task", "x.ask!")}))
    assert (seen.defined, seen.mentioned) == (0, 1)


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_name_and_no_source_raises(symbol: str, text: str) -> None:
    """Brackets, signs and nothing: an answer with a one-line note."""
    found = check_claim(claim(symbol, excerpt=symbol), library({"a.py": tuple(text.splitlines())}))
    assert "\n" not in found.note
    assert found.standing in set(Standing)
