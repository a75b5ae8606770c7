"""What is legal in a rubric but unwise."""

from dataclasses import replace

import pytest

from judgebench.model.deductions import Tier
from judgebench.model.rubric import Anchor, Applies, Cap, Criterion, Gate, Rubric, Scale
from judgebench.rubrics.lint import lint

ANCHORS = (
    Anchor(mark=2, text="most sentences insult the reader"),
    Anchor(mark=5, text="some sentences are curt"),
    Anchor(mark=9, text="thanks the reader by name"),
)
TONE = Criterion(id="tone", text="Is the letter polite to its reader?", anchors=ANCHORS)
FACTS = Criterion(id="facts", text="Are all dates and sums right?", anchors=ANCHORS)
GOOD = Rubric(
    name="letter",
    version="1",
    scale=Scale(low=1, high=10),
    criteria=(TONE, FACTS),
    source='name: letter\nversion: "1"\n',
)


def with_tone(**changes: object) -> Rubric:
    """The good rubric with another first criterion."""
    return replace(GOOD, criteria=(replace(TONE, **changes), FACTS))  # type: ignore[arg-type]


def test_a_good_rubric_has_no_lint() -> None:
    """Nothing is said where nothing is unwise; a rubric without source is not blamed."""
    assert lint(GOOD) == ()
    assert lint(replace(GOOD, source="")) == ()


CASES = {
    "no version": replace(GOOD, source="name: letter\n# version: none yet\n"),
    "scale: 91 marks are more": replace(GOOD, scale=Scale(low=1, high=10, step=0.1)),
    "quotes: no criterion asks": replace(
        GOOD, criteria=(replace(TONE, quotes=0), replace(FACTS, quotes=0))
    ),
    "applies: every criterion is conditional": replace(
        GOOD,
        criteria=tuple(replace(c, applies=Applies.EVIDENCE) for c in GOOD.criteria),
    ),
    "tone: its question is very short": with_tone(text="Is it polite?"),
    "tone: no anchors": with_tone(anchors=()),
    "tone: one anchor alone": with_tone(anchors=ANCHORS[:1]),
    "tone: anchors 8 and 9 are neighbours": with_tone(
        anchors=(*ANCHORS[:2], Anchor(mark=8, text="thanks"), ANCHORS[2])
    ),
    "tone: all anchors stand in one half": with_tone(
        anchors=(Anchor(mark=7, text="thanks"), ANCHORS[2])
    ),
    "tone: two anchors have the same text": with_tone(
        anchors=(ANCHORS[0], Anchor(mark=9, text="Most sentences  insult the reader"))
    ),
    "tone: holds 90% of the weight": with_tone(weight=9),
    "tone: weight 0 and no gate or cap reads it": with_tone(weight=0, applies=Applies.ALWAYS),
    "politeness: too long for a table": with_tone(id="politeness"),
    "head: 2 columns would be called facts": with_tone(head="facts"),
    "gates: no tone mark lies below 1": replace(
        GOOD, gates=(Gate(criterion="tone", below=1, cap=3),)
    ),
    "gates: a cap of 10 holds nothing": replace(
        GOOD, gates=(Gate(criterion="tone", below=3, cap=10),)
    ),
    "caps: no tone mark lies below 1": replace(
        GOOD, caps=(Cap(criterion="tone", below=1, target="facts", cap=3),)
    ),
    "caps: a cap of 10 holds nothing": replace(
        GOOD, caps=(Cap(criterion="tone", below=3, target="facts", cap=10),)
    ),
    "caps: tone holds itself down": replace(
        GOOD, caps=(Cap(criterion="tone", below=5, target="tone", cap=3),)
    ),
    "tiers: totals below 5 have no name": replace(GOOD, tiers=(Tier(name="good", at_least=5),)),
}


@pytest.mark.parametrize("start", CASES)
def test_each_unwise_choice_is_named(start: str) -> None:
    """One line says which criterion or key is meant and what to do."""
    lines = lint(CASES[start])
    assert any(line.startswith(start) for line in lines), lines
    assert all("\n" not in line for line in lines)


def test_neighbouring_anchors_are_fine_on_a_short_scale() -> None:
    """On 1 to 5 every mark may have its anchor."""
    anchors = tuple(Anchor(mark=m, text=f"{m} of five things are there") for m in range(1, 6))
    short = replace(with_tone(anchors=anchors), scale=Scale(low=1, high=5))
    assert lint(replace(short, criteria=short.criteria[:1])) == ()


def test_sound_rules_have_no_lint() -> None:
    """A gate, a cap and tiers that can work are not blamed; nor is a gate's own criterion."""
    sound = replace(
        with_tone(weight=0),
        gates=(Gate(criterion="tone", below=3, cap=5),),
        caps=(Cap(criterion="tone", below=3, target="facts", cap=5),),
        tiers=(Tier(name="good", at_least=5), Tier(name="rest", at_least=1)),
    )
    assert [line for line in lint(sound) if not line.startswith("facts: holds")] == []


@pytest.mark.parametrize("source", ["{name: a, version: '2'}", 'name: a\n"version" : "2"\n'])
def test_a_version_is_seen_in_any_layout(source: str) -> None:
    """Flow style and quoted keys count."""
    assert lint(replace(GOOD, source=source)) == ()
