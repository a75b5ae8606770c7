"""Clusters of items in a file of marks and in run.yaml, through every command that uses them."""

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.marks.space import Space

HEAD = ("item", "document", "arm", "criterion", "rater", "mark")
SAMPLE = Path(__file__).parents[2] / "runs" / "2026-09-05"
RECORDED = f"replay:{SAMPLE / 'recorded' / 'pointwise.jsonl'}"


def marks(*, documents: int = 6, each: int = 4, rater: str = "m") -> list[tuple[object, ...]]:
    """Three arms apart by what their documents share: as items clear, as documents not."""
    rng = np.random.default_rng(5)
    shared = rng.normal(0, 0.9, (3, documents))
    own = rng.normal(0, 0.5, (3, documents, each))
    level = np.array([7.0, 6.1, 5.6])[:, None, None] + shared[:, :, None] + own
    found = np.clip(np.rint(level), 1, 10)
    return [
        (f"q{d}-{i}", f"doc{d}", f"arm{a}", "c", rater, int(found[a, d, i]))
        for d in range(documents)
        for i in range(each)
        for a in range(3)
    ]


def take(space: Space, rows: list[tuple[object, ...]], *words: str, run: str = "runs/given") -> str:
    """Import; what it said."""
    path = space.csv(rows, name=f"{Path(run).name}.csv", head=HEAD)
    said = space.take(path, "--scale", "1-10", *words, run=run)
    assert said.code == 0, said.err
    return said.out


def test_the_same_marks_say_less_in_clusters(space: Space) -> None:
    """By item an arm is the best; by document none is, and every page says by what it counts."""
    take(space, marks(), run="runs/plain")
    said = take(space, marks(), "--cluster", "document")
    assert "3 arms, 24 items in 6 clusters, 72 marks" in said
    plain, by = space.judge("table", "runs/plain").out, space.judge("table", "runs/given").out
    assert "arm0 is the best of these 3 arms" in " ".join(plain.split())
    assert "cluster" not in plain
    assert "24 items in 6 clusters: no arm is shown better than another." in by
    assert "given · 3 arms · 24 items in 6 clusters · 1 criterion" in by
    assert "95 % jointly, by cluster" in by
    one, other = (space.json("table", run=run) for run in ("runs/plain", "runs/given"))
    assert "clusters" not in one
    assert other["clusters"] == {"count": 6, "items": 24, "smallest": 4, "largest": 4}
    assert (one["level"], other["level"]) == (4, 4)
    assert {pair["difference"]["kind"] for pair in one["pairs"]} == {"t-simultaneous"}
    assert {pair["difference"]["kind"] for pair in other["pairs"]} == {"CR2"}
    assert {pair["difference"]["n"] for pair in other["pairs"]} == {6}
    assert any(pair["separated"] for pair in one["pairs"])
    assert not any(pair["separated"] for pair in other["pairs"])
    for arm in other["arms"]:
        assert (arm["total"]["kind"], arm["total"]["n"]) == ("bounded", 6)


def test_the_report_says_by_what_it_counts(space: Space) -> None:
    """report.md, report.html, CSV and JSON, extended too."""
    take(space, marks(), "--cluster", "document")
    assert space.judge("report", "runs/given", "--extended").code == 0
    (folder,) = [path.parent for path in space.root.glob("reports/given/*/report.md")]
    page, html = (folder / "report.md").read_text(), (folder / "report.html").read_text()
    for text in (page, html):
        assert "24 items in 6 clusters" in text
        assert "signs are flipped for whole clusters" in text.replace("\n", " ")
    assert "paired t by clusters (CR2)" in page
    with (folder / "ratings.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["clusters"] for row in rows} == {"6"}
    assert {row["difference_interval"] for row in rows} == {"CR2", "reference"}
    found = json.loads((folder / "result.json").read_text())
    assert found["clusters"]["count"] == 6
    for arm in found["extended"]["arms"]:
        assert (arm["median"]["value"], arm["median"]["code"]) == (None, "items_not_independent")
    for pair in found["extended"]["pairs"]:
        assert pair["sign_flip"]["n"] == 6


def test_power_plans_further_clusters(space: Space) -> None:
    """A gap that 24 independent items show takes several times as many in clusters."""
    take(space, marks(), run="runs/plain")
    take(space, marks(), "--cluster", "document")
    plain, by = (space.json("power", run=run) for run in ("runs/plain", "runs/given"))
    assert by["clusters"]["count"] == 6
    assert by["detectable"]["n"] == 6
    assert by["detectable"]["value"] > 2 * plain["detectable"]["value"]
    assert by["rows"][0]["items_all"] > 2 * plain["rows"][0]["items_all"]
    page = " ".join(space.judge("power", "runs/given").out.split())
    assert "24 items in 6 clusters: clusters are the units." in page
    assert "on the 6 clusters that this pair shares" in page


@pytest.mark.parametrize(
    ("documents", "level", "said"),
    [
        (1, 0, "items of at most one cluster"),
        (2, 2, "Shared items of 2 clusters: no arm is shown better"),
        (4, 3, "few clusters: 24 items in 4 clusters"),
    ],
)
def test_few_clusters_are_said(space: Space, documents: int, level: int, said: str) -> None:
    """Twenty-four items of one, two or four documents."""
    rows = marks(documents=documents, each=24 // documents)
    take(space, rows, "--cluster", "document")
    found, page = space.json("table"), space.judge("table", "runs/given").out
    assert found["level"] == level
    assert said in " ".join(page.split())
    intervals = [arm["total"].get("low") for arm in found["arms"]]
    flagged = {one["code"] for one in found["warnings"]} & {"few_clusters", "lopsided_clusters"}
    assert bool(flagged) is any(low is not None for low in intervals)
    if documents < 3:
        assert not flagged
        assert found["best"]["code"] == "too_few_clusters"
        assert (found["best"]["have"], found["best"]["need"]) == (documents, 3)


def test_a_cluster_that_outweighs_the_others_is_said(space: Space) -> None:
    """Ten clusters, of which one holds most of the items, are hardly more than one."""
    rows = [
        (item, "doc0" if at < 45 else item, *rest) for at, (item, _, *rest) in enumerate(marks())
    ]
    take(space, rows, "--cluster", "document")
    page = " ".join(space.judge("table", "runs/given").out.split())
    assert "one cluster holds 15 of 24 items, so an interval rests on few units" in page


def test_a_row_that_contradicts_is_refused_with_its_line(space: Space) -> None:
    """One item in two documents; nothing is taken in."""
    rows = marks()
    rows[4] = (rows[4][0], "elsewhere", *rows[4][2:])
    path = space.csv(rows, head=HEAD)
    said = space.take(path, "--scale", "1-10", "--cluster", "document")
    assert said.code == 2
    assert said.err == (
        f"judge: {path}:6: puts item q0-1 in cluster elsewhere, and line 5 in doc0; "
        "give each item one cluster\n"
    )
    assert space.judge("table", "runs/given").code != 0


def test_other_clusters_of_the_same_marks_are_called_so(space: Space) -> None:
    """What is refused is not the marks; the same again changes nothing."""
    rows = [(*row, "a" if str(row[0]) < "q3" else "b") for row in marks()]
    path = space.csv(rows, head=(*HEAD, "family"))
    words = ("--scale", "1-10", "--cluster")
    assert space.take(path, *words, "document").code == 0
    assert "nothing changed" in space.take(path, *words, "document").out
    for said, how in (
        (space.take(path, *words, "family"), "in other clusters"),
        (space.take(path, "--scale", "1-10"), "in other clusters"),
    ):
        assert (said.code, said.err.count("\n")) == (2, 1)
        assert f"holds marks of {path.name} already, {how}; take --to" in said.err
    assert space.take(path, "--scale", "1-10", run="runs/plain").code == 0
    other = space.take(path, *words, "document", run="runs/plain")
    assert "already, without clusters;" in other.err
    changed = space.csv(rows[:-1], head=(*HEAD, "family"))
    said = space.take(changed, "--scale", "1-10", run="runs/plain")
    assert "holds other marks already" in said.err


@pytest.mark.parametrize("option", ["--cluster", "--rater", "--criterion"])
def test_a_column_without_a_name_is_refused(space: Space, option: str) -> None:
    """It is no option that was left out."""
    path = space.csv(marks(), head=HEAD)
    said = space.take(path, "--scale", "1-10", option, "")
    assert said.code == 2
    assert said.err == f"judge: {option} names no column; leave it out\n"


def test_one_name_with_its_accents_composed_or_not_is_one_cluster(space: Space) -> None:
    """Half of the rows write é in one character, half in two."""
    names = ("caf\u00e9", "cafe\u0301")
    rows = [
        (item, f"{names[at % 2]}-{document}", *rest)
        for at, (item, document, *rest) in enumerate(marks())
    ]
    assert "24 items in 6 clusters" in take(space, rows, "--cluster", "document")


def test_an_empty_cell_leaves_its_item_alone(space: Space) -> None:
    """Items without a document are clusters of their own."""
    rows = [(r[0], "" if str(r[1]) == "doc0" else r[1], *r[2:]) for r in marks()]
    assert "24 items in 9 clusters" in take(space, rows, "--cluster", "document")
    each = [(r[0], r[0], *r[2:]) for r in marks()]
    assert "cluster" not in take(space, each, "--cluster", "document", run="runs/each")


def test_pairs_are_fitted_by_cluster(space: Space) -> None:
    """Comparisons: strengths refuse below six clusters, shares won are by CR2."""
    rng = np.random.default_rng(3)
    rows = [
        (f"q{i}", f"doc{i % 7}", a, b, "12" if turn else "21", int(rng.choice([1, 1, 0, -1])))
        for i in range(28)
        for a, b in (("x", "y"), ("y", "z"), ("x", "z"))
        for turn in (0, 1)
    ]
    head = ("item", "document", "a", "b", "order", "mark")
    words = ("--item", "item", "--arm-a", "a", "--arm-b", "b", "--order", "order", "--mark", "mark")
    path = space.csv(rows, head=head)
    for run, more in (("runs/plain", ()), ("runs/seven", ("--cluster", "document"))):
        said = space.judge("import", "marks", path, "--to", run, *words, *more)
        assert said.code == 0, said.err
    plain, seven = (
        space.json("table", run=run)["comparing"] for run in ("runs/plain", "runs/seven")
    )
    for one, other in zip(plain["arms"], seven["arms"], strict=True):
        assert other["strength"]["value"] == pytest.approx(one["strength"]["value"])
        assert other["strength"]["n"] == 7
    assert seven["first_share"]["kind"] == "CR2"
    assert seven["first_share"]["value"] == pytest.approx(plain["first_share"]["value"])
    few = [(r[0], f"doc{int(str(r[0])[1:]) % 5}", *r[2:]) for r in rows]
    fewer = space.csv(few, name="few.csv", head=head)
    space.judge("import", "marks", fewer, "--to", "runs/five", *words, "--cluster", "document")
    found = space.json("table", run="runs/five")["comparing"]["arms"][0]["strength"]
    assert (found["code"], found["have"], found["need"]) == ("too_few_clusters", 5, 6)


def test_agreement_of_two_judges_is_by_cluster(space: Space) -> None:
    """The set of best, alpha's jackknife and the shift; what is not says so."""
    rows = [*marks(), *marks(rater="n")]
    take(space, rows, "--cluster", "document")
    page = " ".join(space.judge("agree", "runs/given").out.split())
    assert "24 items in 6 clusters: these figures take items as independent" in page
    assert "interval of alpha (needs ≥ 20 clusters of items, have 6)" in page


def _sample(space: Space) -> Path:
    """The sample run in a workspace of its own, judged from its recorded replies."""
    run = space.root / "runs" / SAMPLE.name
    shutil.copytree(SAMPLE, run)
    said = space.judge("score", run, "--judge", RECORDED)
    assert said.code == 0, said.err
    return run


def test_declared_clusters_cost_no_request(space: Space) -> None:
    """Declared after judging: no key changes, no reply is lost, and the table counts by them."""
    run = _sample(space)
    before = space.json("table", run=str(run))
    keys = space.ask("SELECT key FROM requests ORDER BY key")
    names = sorted(path.name for path in (run / "items").iterdir())
    assert (len(keys) > 0, len(names)) == (True, 10)
    text = (run / "run.yaml").read_text()
    lines = [f"  pair{at}: [{names[2 * at]}, {names[2 * at + 1]}]" for at in range(4)]
    (run / "run.yaml").write_text(text + "\nclusters:\n" + "\n".join(lines) + "\n")
    check = space.judge("check", run, "--judge", RECORDED)
    assert "10 items in 6 clusters of 1 to 2" in check.out
    said = space.judge("score", run, "--judge", RECORDED)
    assert said.code == 0, said.err
    after = space.json("table", run=str(run))
    assert space.ask("SELECT key FROM requests ORDER BY key") == keys
    assert after["judging"]["id"] == before["judging"]["id"]
    assert after["counts"]["calls"] == before["counts"]["calls"]
    assert after["counts"]["judgments_scored"] == before["counts"]["judgments_scored"] > 0
    assert [arm["mean"] for arm in after["arms"]] == [arm["mean"] for arm in before["arms"]]
    assert after["clusters"] == {"count": 6, "items": 10, "smallest": 1, "largest": 2}
    assert {pair["difference"]["kind"] for pair in after["pairs"] if pair["separated"]} == {"CR2"}
    # Taken out again, the table is the one of before.
    (run / "run.yaml").write_text(text)
    space.judge("score", run, "--judge", RECORDED)
    again = space.json("table", run=str(run))
    for key in ("arms", "pairs", "best", "level", "detectable", "counts", "warnings"):
        assert again[key] == before[key]


def test_agreement_of_few_clusters_is_refused_for_want_of_clusters(space: Space) -> None:
    """Four documents of four items: what is missing are documents, not answers."""
    rows = [row for rater in ("meter", "gauge") for row in marks(rater=rater, documents=4)]
    take(space, rows, "--cluster", "document")
    said = " ".join(space.judge("agree", "runs/given").out.split())
    assert (
        "alpha (needs ≥ 5 clusters of items with two marks, have 4 "
        "(add clusters, not items of these))"
    ) in said
