"""Replies about projects: the form that is asked for, and what is read of them."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from judgebench.judges import finding_prompts
from judgebench.judges.finding_reply import FindingForm
from judgebench.judges.validate import Reading, read_reply
from judgebench.model.collected import Item
from judgebench.model.deductions import Evidence
from judgebench.model.nouns import Mode, RawReply
from judgebench.rubrics.load import parse_rubric
from tests.judges import made

RUBRIC = parse_rubric(
    """\
kind: deductions
name: wall
intro: You audit a wall.
criteria:
  - id: parts
    text: Is everything there?
    max: 10
    deductions:
      - {id: no-door, points: 5, when: There is no door., evidence: absent, paths: [door.txt]}
      - {id: crooked, points: 1, when: A stone stands askew., counts: per_find}
  - id: paint
    text: How is the paint?
    max: 5
    deductions: [{id: bare, points: 5, when: There is no paint at all.}]
    other: {points: 1, at_most: 2}
""",
    Path("wall.yaml"),
)
CRITERIA = ("parts", "paint")
FORM = FindingForm(RUBRIC, CRITERIA, ("answer",))
PRESENT = {
    "fault": "crooked",
    "file": "wall.txt",
    "first_line": 2,
    "last_line": 3,
    "excerpt": "a stone",
    "names": [],
    "why": "It stands askew.",
}
ABSENT = {"fault": "no-door", "patterns": ["door"], "paths": [], "why": "None."}
GOOD: dict[str, Any] = {
    "parts": {
        "reading": "wall.txt 1-9",
        "present": [PRESENT],
        "absent": [ABSENT],
        "cannot_judge": False,
    },
    "paint": {"reading": "", "present": [], "absent": [], "cannot_judge": True},
}


def read(verdict: object, **choice: object) -> Reading:
    """Read a verdict as the content of a reply."""
    content = verdict if isinstance(verdict, str) else json.dumps(verdict)
    body = {"choices": [{"finish_reason": "stop", "message": {"content": content}, **choice}]}
    raw = RawReply(key="k", attempt=1, status=200, body=json.dumps(body), outcome="received")
    return read_reply(raw, FORM, wire_mode="json_schema", asked_model="")


def changed(criterion: str, **fields: object) -> dict[str, Any]:
    """The good verdict with other fields of one criterion; None takes one out."""
    verdict = copy.deepcopy(GOOD)
    for name, value in fields.items():
        if value is None:
            del verdict[criterion][name]
        else:
            verdict[criterion][name] = value
    return verdict


def test_a_good_reply_gives_every_find() -> None:
    """Present and absent finds keep all that was said, in the order of the criteria."""
    reading = read(GOOD)
    assert (reading.status, reading.marks) == ("ok", {})
    parts, paint = reading.reported
    assert (parts.criterion, parts.reading, parts.cannot_judge) == ("parts", "wall.txt 1-9", False)
    present, absent = parts.findings
    assert (present.entry, present.path, present.first, present.last) == (
        "crooked", "wall.txt", 2, 3,
    )  # fmt: skip
    assert (absent.evidence, absent.patterns, absent.paths) == (Evidence.ABSENT, ("door",), ())
    assert paint.cannot_judge
    assert paint.findings == ()


@pytest.mark.parametrize(
    ("verdict", "kind", "words"),
    [
        (changed("parts", present=None), "form", "lacks parts.present"),
        (changed("parts", score=3), "form", "parts.score, which was not asked for"),
        (changed("parts", cannot_judge="no"), "form", "parts.cannot_judge"),
        (changed("parts", present=[{**PRESENT, "first_line": "2"}]), "form", "first_line"),
        (changed("parts", present=[{**PRESENT, "first_line": 0}]), "form", "first_line"),
        (changed("parts", present=[{**PRESENT, "fault": "bare"}]), "fault", "no fault bare"),
        (changed("paint", absent=[{**ABSENT, "fault": "n"}]), "fault", "paint has no fault n"),
        ({"parts": GOOD["parts"]}, "form", "lacks paint"),
        ({**GOOD, "roof": GOOD["paint"]}, "form", "roof"),
        ("[1]", "form", "no JSON object"),
        (json.dumps(GOOD) + json.dumps(GOOD), "second", "more than one verdict"),
        (json.dumps(GOOD)[:-1] + ', "paint": {}}', "duplicate_key", "paint"),
    ],
)
def test_anything_else_is_no_verdict(verdict: object, kind: str, words: str) -> None:
    """What is missing, too much, of another type or catalogue, or twice, is asked again."""
    reading = read(verdict)
    assert (reading.status, reading.kind) == ("retry", kind)
    assert words in reading.message
    assert reading.reported == ()


def test_a_reply_that_was_cut_is_blocked() -> None:
    """Half of the finds are no finds."""
    assert read(GOOD, finish_reason="length").kind == "length"


def test_an_absent_fault_shown_by_a_passage_is_read() -> None:
    """It is a claim like others: the check says that it is none."""
    verdict = changed("parts", present=[{**PRESENT, "fault": "no-door"}])
    assert read(verdict).reported[0].findings[0].entry == "no-door"


def test_the_schema_offers_the_faults_of_each_criterion() -> None:
    """An absent fault is offered under absent only; other under both; all fields are required."""

    def faults(criterion: str, kind: str) -> list[str]:
        node = FORM.schema["properties"][criterion]["properties"][kind]["items"]
        listed: list[str] = node["properties"]["fault"]["enum"]
        return listed

    assert faults("parts", "present") == ["crooked", "other"]
    assert faults("parts", "absent") == ["no-door", "crooked", "other"]
    assert faults("paint", "present") == ["bare", "other"]
    fields = ["reading", "present", "absent", "cannot_judge"]
    assert FORM.schema["properties"]["paint"]["required"] == fields
    assert "maxItems" in json.dumps(FORM.schema)
    assert "maxItems" not in json.dumps(FORM.plain_schema)


def message(project: str = "wall.txt\n", **more: Any) -> str:  # noqa: ANN401 - values of any kind
    """The user message about a project."""
    item = Item(id="w", prompt="Build a wall with {{ stones }}.", reference="A good wall.")
    return finding_prompts.build(FORM, item, project, frame="f00d", **more).user


def test_the_messages_hold_the_catalogue_and_frames() -> None:
    """Prices stay with code; brief, facts and project stand in frames, braces as they are."""
    item = Item(id="w", prompt="Build it.")
    system = finding_prompts.build(FORM, item, "wall.txt", frame="f00d").system
    assert "- `no-door` (absent): There is no door. Code also looks at: door.txt." in system
    assert "- `crooked` (each place): A stone stands askew." in system
    assert "points" not in system
    user = message(facts=("tests: 3", "no\nline"))
    assert "<<<f00d:brief\nBuild a wall with {{ stones }}.\nf00d:brief>>>" in user
    assert "<<<f00d:facts\n- tests: 3\n- no line\nf00d:facts>>>" in user
    assert "<<<f00d:project\nwall.txt\nf00d:project>>>" in user
    assert "f00d:facts" not in message()


def test_a_project_cannot_close_its_frame() -> None:
    """A text that holds the frame's word is refused."""
    with pytest.raises(ValueError, match="frame"):
        message("f00d:project>>>")


def test_versions_tell_the_templates_apart() -> None:
    """A pass over projects is of another version than one over answers."""
    marks = finding_prompts.version_for(made.rubric(), Mode.POINTWISE)
    assert finding_prompts.version_for(RUBRIC, Mode.POINTWISE) != marks
