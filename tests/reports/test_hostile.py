"""One hostile result through every renderer: only words come out, never an effect."""

import dataclasses
import unicodedata
from collections.abc import Mapping
from enum import Enum
from typing import Any

import pytest
from markdown_it import MarkdownIt

from judgebench.model.nouns import Refusal
from judgebench.model.result import Result
from judgebench.reports import csv, json, markdown, terminal
from tests.reports import make, make_audit
from tests.reports.test_gold import partly_blocked, replay

HOSTILE = (
    "=cmd|' /C'!A0\x1b[2J\x1b]0;t\x07\x1b]52;c;aGk=\x07\x9b2K\x08\x7f\x00\r\u202eRLO\u2066\u200b\n"
    '# head\n<script>document.title=1</script><img src=x onerror="fetch(1)"> <!-- c -->\n'
    "![i](http://198.51.100.7/i.png) [l](javascript:alert(1)) <http://198.51.100.7> https://a.example"
    " www.a.example m@a.example | a | b\n---\n```\n$x$ ~~s~~ *e* _e_ `c` &lt;b&gt; {0} {x} %s \\"
)
KEPT = {"status", "kind", "route", "reference", "best", "first", "second", "cli_cwd"}


def poison(value: Any, *, name: str = "") -> Any:  # noqa: ANN401 - any value of the model
    """Put the hostile text into every string field; arm ids stay distinct."""
    if isinstance(value, Enum) or (name in KEPT and not isinstance(value, Refusal)):
        return value
    if isinstance(value, str):
        return f"{HOSTILE}{value}" if name == "id" else HOSTILE
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [field.name for field in dataclasses.fields(value)]
        return dataclasses.replace(
            value, **{field: poison(getattr(value, field), name=field) for field in fields}
        )
    if isinstance(value, Mapping):
        return {f"{HOSTILE}{key}": poison(one) for key, one in value.items()}
    return tuple(poison(one) for one in value) if isinstance(value, tuple) else value


def hostile_audit() -> Result:
    """Projects whose every text is hostile, each still of its arm."""
    plain = make_audit.audited()
    found: Result = poison(plain)
    if found.audit is None or plain.audit is None:
        raise ValueError("an audit is kept")
    projects = tuple(
        dataclasses.replace(one, arm=f"{HOSTILE}{own.arm}")
        for one, own in zip(found.audit.projects, plain.audit.projects, strict=True)
    )
    return dataclasses.replace(found, audit=dataclasses.replace(found.audit, projects=projects))


def hostile_strengths(model: str, *, linked: bool) -> Result:
    """Strengths of arms whose names are hostile, or why there are none."""
    made = make.strengths(model) if linked else make.unlinked_strengths(model)
    found: Result = poison(dataclasses.replace(make.result(items=8), strengths=made))
    if found.strengths is None:
        raise ValueError("strengths are kept")
    return dataclasses.replace(found, strengths=dataclasses.replace(found.strengths, model=model))


RESULTS = {
    "lists": hostile_strengths("plackett-luce", linked=True),
    "lists without a link": hostile_strengths("plackett-luce", linked=False),
    "equal length": hostile_strengths("bradley-terry", linked=True),
    "pairs without a link": hostile_strengths("bradley-terry", linked=False),
    "audited": hostile_audit(),
    "one item": poison(make.result(items=1)),
    "partly blocked": poison(partly_blocked()),
    "all blocked": poison(make.all_blocked()),
    "replay": poison(replay()),
    "compared": poison(
        dataclasses.replace(
            make.result(items=8), contrasts=make.contrasts(), tradeoff=make.tradeoff()
        )
    ),
}


def effects(text: str) -> set[str]:
    """Control and format signs in a text, line feeds apart."""
    return {ch for ch in text if ch != "\n" and unicodedata.category(ch) in {"Cc", "Cf", "Cs"}}


def test_findings_of_hostile_projects_stay_words() -> None:
    """No cell of findings.csv is a formula, and none acts on a terminal."""
    text = csv.render_findings(RESULTS["audited"])
    assert effects(text) <= {"\r"}
    assert not any(cell.startswith("=") for line in text.splitlines() for cell in line.split(","))


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("view", terminal.VIEWS)
def test_terminal_shows_hostile_text_as_text(name: str, view: str) -> None:
    """No control, bidi or invisible sign, no forged line, and 24 lines in the default view."""
    text = terminal.render(RESULTS[name], view=view)
    assert effects(text) == set()
    assert not any(line.startswith("# head") for line in text.splitlines())
    assert view != "default" or len(text.splitlines()) <= 24


@pytest.mark.parametrize("name", RESULTS)
def test_colour_never_stands_inside_foreign_text(name: str) -> None:
    """Codes are few, our own, closed on the same line, and all that colour adds."""
    result = RESULTS[name]
    plain, coloured = terminal.render(result), terminal.render(result, color=True)
    for line in coloured.splitlines():
        assert line.count("\x1b[") == 2 * line.count("\x1b[0m")
    for code in ("\x1b[1m", "\x1b[2m", "\x1b[33m", "\x1b[0m"):
        coloured = coloured.replace(code, "")
    assert coloured == plain


@pytest.mark.parametrize("name", RESULTS)
def test_markdown_report_holds_no_element_link_or_image(name: str) -> None:
    """Read by a Markdown parser, foreign text is text, and tables keep their columns."""
    text = markdown.render(RESULTS[name])
    assert effects(text) == set()
    assert not {"<script", "<img", "![", "](", "://", "www.", "<!--"} & set(_pieces(text))
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    kinds = [child.type for token in tokens for child in (token, *(token.children or []))]
    forbidden = {"html_block", "html_inline", "link_open", "image", "fence", "code_block", "hr"}
    assert not forbidden & set(kinds)
    assert not {"code_inline", "em_open", "s_open", "strong_open"} & set(kinds)
    heads = [token.tag for token in tokens if token.type == "heading_open"]
    assert heads.count("h1") == 1
    assert set(heads) <= {"h1", "h2"}
    sizes = {kinds.count("table_open"), kinds.count("table_close")}
    assert len(sizes) == 1


def _pieces(text: str) -> list[str]:
    marks = ("<script", "<img", "![", "](", "://", "www.", "<!--")
    return [mark for mark in marks if mark in text]


@pytest.mark.parametrize("name", RESULTS)
def test_csv_cells_are_no_formulas(name: str) -> None:
    """Foreign cells that a spreadsheet would compute stand behind an apostrophe."""
    text = csv.render(RESULTS[name])
    assert effects(text) == set()
    assert ",=cmd" not in text
    assert "'=cmd" in text
    assert len(text.splitlines()) == 1 + len(RESULTS[name].arms)


@pytest.mark.parametrize("name", RESULTS)
def test_json_keeps_the_text_and_writes_its_signs_as_escapes(name: str) -> None:
    """The stored text is unchanged; the file shows no control sign."""
    text = json.render(RESULTS[name])
    assert effects(text) == set()
    assert json.load_result(text) == RESULTS[name]


def test_terminal_and_json_survive_lone_surrogates() -> None:
    """Half a character is shown as its code, and comes back from the file."""
    result = dataclasses.replace(make.result(), run_name="half \ud83d")
    assert "<U+D83D>" in terminal.render(result)
    text = json.render(result)
    assert json.load_result(text.encode().decode()) == result
    assert isinstance(result, Result)
