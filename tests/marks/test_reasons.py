"""Why there is no figure: the reason that is named is true of the marks that were given."""

import pytest

from judgebench.model.nouns import Refusal
from judgebench.reports import refusals
from tests.marks.space import Space

PAIRS = ("--arm-a", "a", "--arm-b", "b", "--item", "item", "--mark", "mark", "--order", "order")


def words(space: Space, *line: object) -> str:
    """What a command printed, on one line."""
    said = space.judge(*line)
    assert said.code == 0, said.err
    return " ".join(said.out.split())


def wins(space: Space, *, circle: bool) -> None:
    """Ten items in both orders: a full circle of wins, or a judge for whom the first wins."""
    rows = [
        (f"i{item}", a, b, 1 if circle or order == "AB" else -1, order)
        for item in range(10)
        for a, b in ("ab", "bc", "ca")
        for order in ("AB", "BA")
    ]
    path = space.csv(rows, head=("item", "a", "b", "mark", "order"))
    said = space.judge("import", "marks", path, *PAIRS, "--to", "runs/given")
    assert said.code == 0, said.err


@pytest.mark.parametrize("circle", [True, False])
def test_wins_and_losses_that_cancel_are_not_called_the_same(space: Space, *, circle: bool) -> None:
    """Half won and half lost: totals are alike, the verdicts are not."""
    wins(space, circle=circle)
    for command in (("table", "runs/given", "--why"), ("power", "runs/given")):
        text = words(space, *command)
        assert "all marks" not in text
        assert "every answer has the same total" in text


def test_judges_who_mark_the_other_way_round_are_not_called_the_same(space: Space) -> None:
    """9 and 2 by turns: only their means are all alike, for the panel and for ICC."""
    rows = [
        (f"i{item}", arm, "c", rater, 9 if (arm == "a") == (rater == "r1") else 2)
        for item in range(25)
        for arm in "ab"
        for rater in ("r1", "r2")
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    text = words(space, "table", "runs/given", "--panel", "--why")
    assert "all marks" not in text
    assert "every answer has the same total" in text
    text = words(space, "agree", "runs/given", "--extended")
    assert "all marks" not in text
    assert "every answer has the same mean mark over its raters" in text


@pytest.mark.parametrize(
    "statistic",
    [
        "detectable", "items_needed", "components", "icc", "quadratic_kappa", "effective_judges",
        "tau_b", "kendall_w", "ordering_accuracy", "vote_agreement", "compression", "halo",
    ],
)  # fmt: skip
def test_what_marks_that_differ_can_leave_without_spread_is_said_so(statistic: str) -> None:
    """Each is refused for something else than marks that are all the same."""
    refused = Refusal(statistic=statistic, code="no_variation", have=1, need=2)
    assert "all marks" not in refusals.why(refused)
    assert "marks" not in refusals.short(refused)


def test_arms_without_a_total_are_no_arms_that_the_run_lacks(space: Space) -> None:
    """Three arms, one marked: the run has arms enough, and is not sent for more of them."""
    space.take(space.csv([(f"i{n}", "a", "c", "r1", 2 + n % 5) for n in range(9)]
                         + [(f"i{n}", arm, "c", "r2", 2 + n % 5) for n in range(9) for arm in "bc"]
                         ), "--scale", "1-10")  # fmt: skip
    text = words(space, "table", "runs/given", "--pass", "r1", "--why")
    assert "needs ≥ 2 arms with a total, have 1" in text
    assert "add arms" not in text


def criteria(space: Space, given: str) -> None:
    """Two arms on nine items; `given` says which criteria have a mark on even and odd items."""
    even, odd = given.split("|")
    rows = [
        (f"i{n}", arm, one, "r1", 2 + (n + place) % 5 if one in (odd if n % 2 else even) else "")
        for n in range(9)
        for place, arm in enumerate("ab")
        for one in "xyz"
        if one in even + odd or one == "z"
    ]
    space.take(space.csv([row for row in rows if row[4] != "" or row[2] == "z"]),
               "--scale", "1-10")  # fmt: skip


def test_a_criterion_that_nobody_marked_is_named(space: Space) -> None:
    """Marks were obtained: what lacks is a mark on one criterion, on every page and in JSON."""
    criteria(space, "xy|xy")
    text = words(space, "table", "runs/given")
    assert "No mark was" not in text
    assert "criterion z is unmarked" in text
    assert "Marks on x and y alone" in text
    assert "blocked on the judge's side" not in text
    (cause,) = space.table()["refusals"]
    assert (cause["code"], cause["how"]) == ("criterion_unmarked", "criterion z is unmarked")
    text = words(space, "table", "runs/given", "--why")
    assert "1 figure not printed" in text
    assert "judge check" not in text
    assert space.judge("report", "runs/given", "--no-html").code == 0
    (page,) = (space.root / "reports").rglob("report.md")
    assert "criterion z is unmarked" in page.read_text(encoding="utf-8")


def test_criteria_that_no_answer_has_together_are_said_so(space: Space) -> None:
    """Even items have one criterion and odd ones the other: none is blank, no answer has both."""
    rows = [
        (f"i{n}", arm, "xy"[n % 2], "r1", 2 + (n + place) % 5)
        for n in range(9)
        for place, arm in enumerate("ab")
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    text = words(space, "table", "runs/given")
    assert "marked 18 of 18 answers" in text
    assert "each answer lacks a mark on another one" in text
    assert space.table()["refusals"][0]["code"] == "criterion_unmarked"


def test_judges_who_share_no_answer_are_said_so(space: Space) -> None:
    """Marks are stored, but none of two judges on one answer."""
    rows = [(f"i{n}", arm, "c", f"r{n % 2}", 2 + n % 5) for n in range(12) for arm in "ab"]
    space.take(space.csv(rows), "--scale", "1-10")
    text = words(space, "table", "runs/given", "--panel")
    assert "Nothing has been judged" not in text
    assert "No answer was scored by every judge of the panel" in text
    assert "--split" not in text
    found = space.table("--panel")
    assert [one["code"] for one in found["refusals"]] == ["no_common_answer"]


@pytest.mark.parametrize("people", [False, True])
def test_nothing_is_called_blocked_where_marks_are_not_there(space: Space, *, people: bool) -> None:
    """Each rater has half of the items, one arm is blank: no place is lost to a blocked answer."""
    rows = [
        (f"i{n}", arm, "c", f"r{n // 8}", "" if arm == "c" else 2 + (n * 3 + place) % 7)
        for n in range(16)
        for place, arm in enumerate("abc")
    ]
    kind = ("--rater-kind", "human") if people else ()
    space.take(space.csv(rows), "--scale", "1-10", *kind)
    which = () if people else ("--pass", "r0")
    for view in ((), ("--why",), ("--extended",)):
        text = words(space, "table", "runs/given", *which, *view)
        for false in ("blocked or look cut", "see why everything", "judge check", "judge's side"):
            assert false not in text
    assert "(marks are blank)" in words(space, "table", "runs/given", *which, "--why")
    if not people:
        places = {one["arm"]["id"]: one["place_code"] for one in space.table(*which)["arms"]}
        assert places == {"a": None, "b": None, "c": "nothing_scored"}


def test_needs_and_advice_are_those_of_the_run(space: Space) -> None:
    """Texts are not on record, a third arm lacks for τ, and no answer is judged again."""
    rows = [
        (f"i{n}", arm, "c", rater, 2 + (n * 3 + place * at) % 7)
        for n in range(25)
        for place, arm in enumerate("ab")
        for at, rater in enumerate(("r1", "r2"))
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    text = words(space, "biases", "runs/given", "--pass", "r1")
    assert "length: these data do not determine it (the lengths of the answers are not" in text
    assert "--mode" not in text
    text = words(space, "agree", "runs/given", "--extended")
    assert "needs ≥ 3 arms that both marked on one item, have 2" in text
    assert "add items" not in text.partition("tau-b: ")[2][:80]
    (row,) = (one for one in space.json("agree")["rows"] if not one["criterion"])
    assert row["tau"]["code"] == "too_few_arms"
    card = words(space, "card", "r1")
    assert "--repeats" not in card
    assert "--scoring at the import" in card
    assert space.table("--pass", "r1")["has_prompt"] is False


@pytest.mark.parametrize(("clusters", "seen"), [(1, False), (2, False), (8, True)])
def test_leanings_of_few_clusters_are_refused_and_others_say_that_items_hang_together(
    space: Space, clusters: int, *, seen: bool
) -> None:
    """Two criteria that move together, on items of so many clusters: page and card agree."""
    rows = [
        (f"i{n}", arm, one, "r1", 2 + (n * 5 + place * 3 + n * place) % 7, f"c{n % clusters}")
        for n in range(24)
        for place, arm in enumerate("abc")
        for one in "xy"
    ]
    head = ("item", "arm", "criterion", "rater", "mark", "cluster")
    space.take(space.csv([(*r[:4], r[4] + (r[2] == "y" and k % 11 == 0), r[5])
                          for k, r in enumerate(rows)], head=head),
               "--scale", "1-10", "--cluster", "cluster")  # fmt: skip
    for command in (("biases", "runs/given"), ("card", "r1")):
        text = words(space, *command)
        assert ("Seen: its criteria move together" in text) is seen
        assert ("these figures take items as independent" in text) is seen
    (halo,) = (one for one in space.json("biases")["rows"] if one["probe"] == "halo")
    assert (halo["effect"]["value"] is not None) is seen


def test_where_nothing_is_measured_no_table_is_explained(space: Space) -> None:
    """Pairs without their order and their texts: no probe, no row, no last column."""
    rows = [(f"i{n}", "oak", "elm", n % 2) for n in range(12)]
    path = space.csv(rows, head=("item", "a", "b", "won"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm-a", "a",
        "--arm-b", "b", "--mark", "won", "--scale", "0-1",
    )  # fmt: skip
    assert said.code == 0, said.err
    out = space.judge("biases", "runs/given").out
    assert "No probe can be measured on these data." in out
    assert "last column" not in out


def test_a_criterion_that_an_arm_lacks_is_named(space: Space) -> None:
    """An arm without any total says which criterion no answer of it has a mark on."""
    rows = [
        (f"i{n}", arm, criterion, "m", 5 + n % 3)
        for n in range(6)
        for arm in ("oak", "elm")
        for criterion in ("clear", "true", "style")
        if (arm, criterion) != ("elm", "style")
    ]
    assert space.take(space.csv(rows), "--scale", "1-10").code == 0
    told = " ".join(space.judge("table", "runs/given", "--why").out.split())
    assert "its answers lack a mark on style" in told
