"""Strengths of an extended report in words, for lists and for pairs."""

import dataclasses

from judgebench.model.result import Result
from judgebench.model.strengths import Strengths
from judgebench.reports import json, markdown, terminal
from tests.reports import make


def whole(strengths: Strengths) -> Result:
    """A result with them."""
    return dataclasses.replace(make.result(items=8), strengths=strengths)


def test_lists_have_a_row_an_arm() -> None:
    """Reference, interval, and the code of an arm that stood in no list."""
    text = markdown.render(whole(make.strengths("plackett-luce")))
    section = text.split("## Strengths from lists\n")[1].split("\n## ")[0]
    assert "From 8 lists of 8 items" in section
    assert "against north; errors are clustered by item" in section
    rows = [line for line in section.splitlines() if line.startswith("| ")]
    assert rows[0] == "| arm | strength (95 %) |"
    assert rows[2] == "| north | reference |"
    assert rows[3] == "| harbour | -0.50 (-1.50 to +1.00, sandwich) |"
    assert rows[-1] == "| willow | not printed (nothing scored) |"


def test_pairs_have_both_side_by_side() -> None:
    """What a doubling goes with, and a column more."""
    text = markdown.render(whole(make.strengths("bradley-terry")))
    section = text.split("## Strengths at equal length\n")[1].split("\n## ")[0]
    assert "Twice the length goes with log odds of +0.30 (+0.10 to +0.50, sandwich)" in section
    assert "| arm | strength (95 %) | strength at equal length (95 %) |" in section


def test_what_is_not_linked_is_one_sentence_with_its_groups() -> None:
    """No table of refusals."""
    page = terminal.render(whole(make.unlinked_strengths("plackett-luce")), view="extended")
    said = " ".join(page.split())
    assert "Strengths from lists: not printed: some arms stand above, or below" in said
    assert "without a link both ways: {north} and {harbour, meadow, granite and willow}." in said
    assert "nothing to vary" not in said
    pairs = terminal.render(whole(make.unlinked_strengths("bradley-terry")), view="extended")
    assert "Strengths at equal length: not printed: some arms won, or lost" in " ".join(
        pairs.split()
    )


def test_strengths_come_back_out_of_json() -> None:
    """Equal to what was written, refusals with them."""
    for model in ("plackett-luce", "bradley-terry"):
        for made in (make.strengths(model), make.unlinked_strengths(model)):
            assert json.load_result(json.render(whole(made))) == whole(made)
