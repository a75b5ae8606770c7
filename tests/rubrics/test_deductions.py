"""Rubrics of deductions: what is refused where, how they are joined and filled, their hashes."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from judgebench.errors import RubricError
from judgebench.formats.check import all_keys
from judgebench.model.deductions import Counts, Deductions, Entry, Evidence, FileGroup
from judgebench.model.rubric import Rubric
from judgebench.rubrics.counting import anchored_tier
from judgebench.rubrics.deduction_schema import (
    DeductionFile,
    OverlayFile,
    json_schema,
    overlay_schema,
)
from judgebench.rubrics.diff import changes
from judgebench.rubrics.lint import lint
from judgebench.rubrics.load import load_rubric, packaged_rubrics, parse_rubric
from judgebench.rubrics.total import applying

PATH = Path("mine.yaml")
DOCS = Path(__file__).parent.parent.parent / "docs" / "deductions.md"

BASE = """\
kind: deductions
name: shed
version: "3"
intro: You look at a garden shed.
parameters:
  parts:
    text: What the shed must have.
    default: {door: a door, roof: a roof}
  wood:
    text: Which wood it is built of.
    default: pine
criteria:
  - id: build
    head: build
    text: Is it built of ${wood} with ${parts}?
    max: 20
    floor: 1
    deductions:
      - id: missing
        points: 4
        when: There is not ${value}.
        evidence: absent
        patterns: ["${value}"]
        paths: ["plans/**"]
        each: parts
      - {id: gap, points: 0.5, when: A gap lets the rain in., counts: per_find, floor: 15}
      - {id: leaning, points: 6, when: The whole shed leans., unless: [missing]}
    other: {points: 1, at_most: 2}
  - id: paint
    text: Is it painted on every side?
    max: 5
    deductions:
      - {id: bare, points: 5, when: A wall is bare.}
caps:
  - {finding: missing, target: paint, cap: 3}
gates:
  - {criterion: build, below: 8, cap: 12}
tiers:
  - {name: dry, at_least: 20}
  - {name: wet, at_least: 0}
"""


def read(text: str = BASE, path: Path = PATH) -> Rubric:
    """Read a text as a rubric file."""
    return parse_rubric(text, path)


def parts(rubric: Rubric) -> Deductions:
    """The catalogue of a rubric of deductions."""
    assert rubric.deductions is not None
    return rubric.deductions


def changed(old: str, new: str) -> str:
    """The base text with one passage replaced."""
    assert old in BASE
    return BASE.replace(old, new)


def test_a_rubric_of_deductions_is_read() -> None:
    """Maxima become weights, named texts become entries, limits keep their causes."""
    rubric = read()
    found = parts(rubric)
    assert (rubric.scale.low, rubric.scale.high) == (0, 25)
    assert found.maximum == 25
    assert [(c.id, c.weight, c.quotes) for c in rubric.criteria] == [
        ("build", 20, 0),
        ("paint", 5, 0),
    ]
    assert rubric.criteria[0].text == "Is it built of pine with a door; a roof?"
    build = found.criterion("build")
    assert [entry.id for entry in build.entries] == [
        "missing-door", "missing-roof", "gap", "leaning",
    ]  # fmt: skip
    assert build.entries[0] == Entry(
        id="missing-door",
        points=4,
        when="There is not a door.",
        evidence=Evidence.ABSENT,
        patterns=("a door",),
        paths=("plans/**",),
    )
    assert build.entries[2].counts is Counts.PER_FIND
    assert build.entries[3].unless == ("missing-door", "missing-roof")
    assert [cap.words for cap in found.caps] == [
        "missing-door holds paint at 3",
        "missing-roof holds paint at 3",
    ]
    assert [gate.words for gate in found.gates] == ["build below 8 holds the total at 12"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("max: 20", "max: 20.3", "mine.yaml:16: criteria.1.max is 20.3; write whole or half"),
        ("    floor: 1\n", "    floor: 20\n", ":17: criteria.1.floor is 20; stay below max, 20"),
        ("floor: 15", "floor: 22", ":26: criteria.1.deductions.2.floor is 22; stay below max"),
        ("id: bare", "id: Gap", ":33: criteria.2.deductions.1.id is Gap, which stands elsewhere"),
        ("id: bare", "id: other", 'is "other", what faults outside the catalogue are called'),
        ("unless: [missing]", "unless: [mising]", "is no entry; did you mean missing?"),
        ("each: parts", "each: wood", ":25: criteria.1.deductions.1.each names wood, which is one"),
        ("each: parts", "each: part", "is no parameter; did you mean parts?"),
        ("of ${wood}", "of ${woods}", ":15: criteria.1.text holds ${woods}, which is no parameter"),
        ("A wall is bare.", "'${value} is bare.'", "holds ${value}, which is no parameter"),
        ("at_most: 2", "at_most: 0.5", "at_most is 0.5, less than one such fault costs"),
        (
            "id: gap,", "id: gap, patterns: [x],",
            "patterns is for entries with evidence: absent",
        ),
        ("{finding: missing, target", "{finding: miss, target", ':35: caps.1.finding is "miss"'),
        ("target: paint, cap: 3", "target: pain, cap: 3", "is no criterion; did you mean paint?"),
        ("target: paint, cap: 3", "target: paint, cap: 5", "caps.1.cap is 5; stay below its max"),
        ("below: 8, cap", "cap", ":37: gates.1 does not say what sets it off"),
        ("below: 8,", "below: 21,", "gates.1.below is 21; stay above 0 and within its max, 20"),
        ("criterion: build, b", "criterion: bild, b", "did you mean build?"),
        ("cap: 12", "cap: 25", "gates.1.cap is 25; stay below the highest total, 25"),
        ("at_least: 20", "at_least: 26", ":39: tiers.1.at_least is 26; stay between 0 and"),
        ("at_least: 0", "at_least: 20", ":40: tiers.2.at_least is 20, not below the tier above"),
        ("name: wet", "name: dry", 'tiers.2.name is "dry", which stands above already'),
        ("intro:", "drop: [paint]\nintro:", ":4: drop has nothing to drop from"),
        ("points: 5, when", "when", "criteria.2.deductions.1.points is missing"),
        ("points: 5, when", "points: 5, flor: 1, when", "did you mean floor?"),
        ("kind: deductions", "kind: deductions\nextends: nowhere", "which is no rubric here"),
        ("kind: deductions", "kind: deductions\nextends: usecase", "a rubric of marks"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_line(old: str, new: str, said: str) -> None:
    """Each rule names the place, the value found and what to write."""
    with pytest.raises(RubricError) as caught:
        read(changed(old, new))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_entries_that_give_way_to_each_other_are_refused() -> None:
    """Otherwise both would cost nothing where both are found."""
    text = changed("each: parts", "each: parts\n        unless: [leaning]")
    with pytest.raises(RubricError, match="gives way to missing in turn"):
        read(text)


def test_prices_do_not_change_what_the_judge_is_asked() -> None:
    """The ask hash covers texts and ids, the sum hash prices, floors, limits and tiers."""
    one = read()
    dearer = read(changed("points: 6", "points: 7"))
    assert (dearer.ask_sha256, dearer.sum_sha256 == one.sum_sha256) == (one.ask_sha256, False)
    reworded = read(changed("leans.", "leans a lot."))
    assert (reworded.ask_sha256 == one.ask_sha256, reworded.sum_sha256) == (False, one.sum_sha256)


def write(folder: Path, name: str, text: str) -> Path:
    """A file in a folder."""
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


UPPER = """\
extends: shed
name: boathouse
drop: [leaning, bare]
criteria:
  - id: build
    max: 30
    deductions:
      - {id: gap, points: 2}
      - {id: leak, points: 3, when: Water stands inside.}
  - id: paint
    deductions:
      - {id: flaking, points: 1, when: Paint comes off., counts: per_find}
tiers:
  - {name: afloat, at_least: 30}
"""


def test_a_rubric_extends_another(tmp_path: Path) -> None:
    """Keys are changed by id, entries added and dropped; the source stands alone."""
    write(tmp_path, "shed", BASE)
    upper = load_rubric(write(tmp_path, "boathouse", UPPER))
    found = parts(upper)
    assert found.extends == ("shed",)
    assert (upper.name, upper.version, found.maximum) == ("boathouse", "3", 35)
    build = found.criterion("build")
    assert [(e.id, e.points) for e in build.entries] == [
        ("missing-door", 4), ("missing-roof", 4), ("gap", 2), ("leak", 3),
    ]  # fmt: skip
    assert build.entries[2].when == "A gap lets the rain in."
    assert [e.id for e in found.criterion("paint").entries] == ["flaking"]
    assert [tier.name for tier in upper.tiers] == ["afloat"]
    again = parse_rubric(upper.source, Path("elsewhere.yaml"))
    assert again.ask_sha256 == upper.ask_sha256
    assert again.sum_sha256 == upper.sum_sha256
    assert parts(again).criteria == found.criteria


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("points: 2}", "points: 0}", "boathouse.yaml:8: criteria.1.deductions.2.points is 0"),
        ("points: 3,", "points: 3, floor: 40,", "boathouse.yaml:9: criteria.1.deductions.3.floor"),
        ("drop: [leaning, bare]", "drop: [bare]\nintro: '${x}'", "boathouse.yaml:4: intro holds"),
        ("drop: [leaning, bare]", "drop: [leaning, bar]", "did you mean bare?"),
        ("drop: [leaning, bare]", "drop: [missing]", "is no entry"),
        (
            "extends: shed",
            "extends: boathouse",
            "boathouse.yaml:1: extends leads back to this file",
        ),
        ("extends: shed", "extends: ../shed", 'extends is "../shed", which is no name'),
        ("extends: shed", "extends: [shed]", "extends"),
    ],
)
def test_a_fault_of_the_upper_file_has_its_own_line(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    """Places count in the file that the user wrote, whatever came from below."""
    assert old in UPPER
    write(tmp_path, "shed", BASE)
    with pytest.raises(RubricError) as caught:
        load_rubric(write(tmp_path, "boathouse", UPPER.replace(old, new)))
    assert said in str(caught.value)


def test_a_fault_of_the_lower_file_is_told_there(tmp_path: Path) -> None:
    """A base that cannot be scored with is refused with its own path and line."""
    write(tmp_path, "shed", changed("max: 5", "max: none"))
    with pytest.raises(RubricError, match=r"shed\.yaml:31: criteria\.2\.max"):
        load_rubric(write(tmp_path, "boathouse", UPPER))


def test_a_tower_of_rubrics_has_a_bound(tmp_path: Path) -> None:
    """Five files over one another are too many to understand."""
    write(tmp_path, "r0", BASE.replace("name: shed", "name: r0"))
    for n in range(1, 6):
        write(tmp_path, f"r{n}", f"extends: r{n - 1}\nname: r{n}\n")
    assert parts(load_rubric(tmp_path / "r3.yaml")).extends == ("r2", "r1", "r0")
    with pytest.raises(RubricError, match="goes over 4 files"):
        load_rubric(tmp_path / "r5.yaml")


OVERLAY = """\
rubric: shed
parameters:
  wood: larch
  parts:
    window: a window to the south
"""


def test_an_overlay_fills_the_parameters(tmp_path: Path) -> None:
    """A use case says what must be there; the source holds what came of it."""
    path = write(tmp_path, "shed", BASE)
    filled = load_rubric(path, overlay=write(tmp_path, "case", OVERLAY))
    build = parts(filled).criterion("build")
    assert build.text == "Is it built of larch with a window to the south?"
    assert [e.id for e in build.entries] == ["missing-window", "gap", "leaning"]
    assert [cap.finding for cap in parts(filled).caps] == ["missing-window"]
    assert parts(filled).overlay.endswith("case.yaml")
    plain = load_rubric(path)
    assert filled.ask_sha256 != plain.ask_sha256
    again = parse_rubric(filled.source, path)
    assert (again.ask_sha256, again.sum_sha256) == (filled.ask_sha256, filled.sum_sha256)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("rubric: shed", "rubric: barn", 'case.yaml:1: rubric is "barn", and the rubric is shed'),
        ("wood: larch", "wod: larch", "case.yaml:3: parameters.wod is"),
        ("wood: larch", "wood: ${parts}", "case.yaml:3: parameters.wood holds ${"),
        ("a window to", "${x} to", "case.yaml:5: parameters.parts.window holds ${"),
        (
            "parts:\n    window: a window to the south",
            "parts: a roof",
            "parameters.parts is one text",
        ),
        ("window:", f"w{'x' * 35}:", "has too long a name; use at most 32 letters"),
        ("window:", "w indow:", "parameters.parts"),
        ("wood: larch", "wood: 7", "parameters.wood"),
    ],
)
def test_a_fault_of_an_overlay_is_told_there(tmp_path: Path, old: str, new: str, said: str) -> None:
    """The overlay's own path and line stand in the message."""
    assert old in OVERLAY
    path = write(tmp_path, "shed", BASE)
    with pytest.raises(RubricError) as caught:
        load_rubric(path, overlay=write(tmp_path, "case", OVERLAY.replace(old, new)))
    assert said in str(caught.value)


def test_named_texts_must_not_meet_other_entries(tmp_path: Path) -> None:
    """A name that makes an id twice is refused, and so is a catalogue without end."""
    path = write(tmp_path, "shed", changed("id: bare", "id: missing-window"))
    with pytest.raises(RubricError, match="makes two entries called missing-window"):
        load_rubric(path, overlay=write(tmp_path, "case", OVERLAY))


def test_a_catalogue_has_a_bound(tmp_path: Path) -> None:
    """What no judge would read through is refused."""
    names = {f"n{n}": "a nail" for n in range(60)}
    data: dict[str, Any] = yaml.safe_load(BASE)
    data["criteria"][1]["deductions"] = [
        {"id": f"m{n}", "points": 1, "when": "no ${value}", "each": "parts"} for n in range(5)
    ]
    path = write(tmp_path, "shed", yaml.safe_dump(data))
    overlay = write(
        tmp_path, "case", yaml.safe_dump({"rubric": "shed", "parameters": {"parts": names}})
    )
    with pytest.raises(RubricError, match=r"makes 36\d entries of the catalogue"):
        load_rubric(path, overlay=overlay)


def test_a_rubric_of_marks_takes_no_overlay(tmp_path: Path) -> None:
    """Only parameters can be filled."""
    usecase = Path(__file__).parent.parent.parent / "rubrics" / "usecase.yaml"
    with pytest.raises(RubricError, match="is a rubric of marks, which has no parameters"):
        load_rubric(usecase, overlay=write(tmp_path, "case", OVERLAY))


def test_the_page_on_deductions_names_every_key() -> None:
    """No key of the format or of an overlay is undocumented."""
    page = DOCS.read_text(encoding="utf-8")
    for key in all_keys(DeductionFile) | all_keys(OverlayFile):
        assert f"`{key}`" in page, key


def test_the_schemas_know_every_key() -> None:
    """Editors get the format and the overlay."""
    assert json_schema()["title"] == "DeductionFile"
    assert set(overlay_schema()["properties"]) == {
        "rubric", "parameters", "checks", "library_source",
    }  # fmt: skip


def test_every_dimension_applies_to_every_item() -> None:
    """A rubric of deductions has no conditions on evidence or references."""
    rubric = read()
    found = applying(rubric, evidence=False, reference=False, ambiguity=False)
    assert found == tuple(c.id for c in rubric.criteria)


def test_unwise_deductions_are_listed() -> None:
    """A price above the maximum and a gap below the tiers are named."""
    text = changed("points: 5, when", "points: 9, when").replace("at_least: 0", "at_least: 1")
    assert lint(read(text)) == (
        "bare: costs 9 points of the 5 that paint has",
        "paint: only the catalogue counts; faults outside it cost nothing",
        "tiers: totals below 1 have no name",
    )


def test_a_catalogue_that_cannot_use_up_its_maximum_is_named() -> None:
    """Where all faults together leave most of the mark, the maximum says too much."""
    text = changed("points: 5, when", "points: 1, when").replace('version: "3"\n', "")
    assert lint(read(text)) == (
        'no version: write one, such as version: "1", so that reports can name it',
        "paint: all its faults together cost 1 of 5 points",
        "paint: only the catalogue counts; faults outside it cost nothing",
    )


READING = """\
reading:
  - {paths: ["doors/**"]}
  - {paths: ["walls/*", "doors/**"], place: last, lines: 10}
"""


def test_an_order_of_reading_is_part_of_what_is_asked() -> None:
    """Groups are read in their order; a rubric without any keeps the hash that it had."""
    plain, ordered = read(), read(BASE + READING)
    assert parts(plain).reading == ()
    assert parts(ordered).reading == (
        FileGroup(paths=("doors/**",)),
        FileGroup(paths=("walls/*", "doors/**"), last=True, lines=10),
    )
    assert ordered.ask_sha256 != plain.ask_sha256
    assert ordered.sum_sha256 == plain.sum_sha256
    (first, last) = (c for c in changes(plain, ordered) if c.place.startswith("reading"))
    assert (first.after, first.asks) == ("doors/** first", True)
    assert last.after == "walls/*, doors/** last, 10 lines each"


def test_an_unwise_order_of_reading_is_named() -> None:
    """A path that stands above already, a short cut, and a group that takes everything."""
    everything = BASE + READING + '  - {paths: ["**"]}\n'
    assert lint(read(everything))[-3:] == (
        "reading: doors/** stands in a group above, which has these files",
        "reading: walls/*, doors/** shows 10 lines; what stands below them cannot be found",
        "reading: ** names every file; groups below it are never reached",
    )


def test_a_group_without_paths_is_refused() -> None:
    """A group says which files are meant."""
    with pytest.raises(RubricError, match=r"reading\.1\.paths is missing"):
        read(BASE + "reading:\n  - {place: first}\n")


ANCHORED = """\
anchored_tiers:
  - {name: ahead, from_anchor: 2.5}
  - {name: level, from_anchor: -2.5}
"""
WITHOUT_TIERS = BASE[: BASE.index("tiers:")]


def test_anchored_tiers_change_sums_and_nothing_that_is_asked() -> None:
    """Bars are distances; the rubric has no tiers of its own beside them."""
    plain, anchored = read(WITHOUT_TIERS), read(WITHOUT_TIERS + ANCHORED)
    assert anchored.tiers == ()
    assert [(t.name, t.at_least) for t in parts(anchored).anchored] == [
        ("ahead", 2.5),
        ("level", -2.5),
    ]
    assert anchored.ask_sha256 == plain.ask_sha256
    assert anchored.sum_sha256 != plain.sum_sha256
    assert "tier: ahead from +2.5 of the anchor" in {c.place for c in changes(plain, anchored)}
    assert lint(anchored)[-1] == "anchored_tiers: totals under -2.5 have no name"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BASE + ANCHORED, "anchored_tiers stands beside tiers"),
        (WITHOUT_TIERS + ANCHORED.replace("-2.5", "3"), "is 3, not below the tier above it"),
        (WITHOUT_TIERS + ANCHORED.replace("level", "ahead"), "which stands above already"),
        (WITHOUT_TIERS + ANCHORED.replace("-2.5", "-2.2"), "write whole or half points"),
    ],
)
def test_faulty_anchored_tiers_are_refused(text: str, said: str) -> None:
    """Bars fall, names differ, points are whole or half, and there is one kind of tiers."""
    with pytest.raises(RubricError, match=said):
        read(text)


@pytest.mark.parametrize(
    ("value", "anchor", "name"),
    [
        (12.5, 10.0, "ahead"),
        (12.0, 10.0, "level"),
        (10 / 3, 10 / 3 + 2.5, "level"),
        (7.0, 10.0, None),
        (None, 10.0, None),
        (7.0, None, None),
    ],
)
def test_an_anchored_tier_is_a_distance(
    value: float | None, anchor: float | None, name: str | None
) -> None:
    """A total on the bar reaches it; without a total on either side there is no tier."""
    assert anchored_tier(read(WITHOUT_TIERS + ANCHORED), value, anchor) == name
    assert anchored_tier(load_rubric(packaged_rubrics() / "usecase.yaml"), value, anchor) is None
