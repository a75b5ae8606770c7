"""Answers are missing, and every page says the same of what the others show."""

from tests.marks.space import Space

ITEMS = 6
LACKING = {("llama", 1), ("mistral", 2), ("mistral", 4)}
"""Blocked: too many for llama and mistral to be placed, too few to reach gpt."""
LEVELS = {"gpt": 9, "llama": 5, "mistral": 4}


def clear(space: Space, *raters: str, lacking: set[tuple[str, int]] = LACKING) -> None:
    """Gpt lies four points above two arms that hardly differ, by each of the raters."""
    rows: list[tuple[object, ...]] = [
        (
            f"i{item}", arm, "clear", rater,
            "" if (arm, item) in lacking else level + (item + place + at) % 2,
        )
        for at, rater in enumerate(raters)
        for item in range(ITEMS)
        for place, (arm, level) in enumerate(LEVELS.items())
    ]  # fmt: skip
    space.take(space.csv(rows), "--scale", "1-10")


def flat(space: Space, *words: object) -> str:
    """What a command prints, its lines joined."""
    return " ".join(space.judge(*words).out.split())


def test_blocked_answers_of_others_hide_no_winner(space: Space) -> None:
    """The headline, the set of best and the recommendation name the arm that the table shows."""
    clear(space, "meter")
    found = space.table()
    assert found["best"] == ["gpt"]
    pairs = {(one["first"], one["second"]): one for one in found["pairs"]}
    assert pairs["gpt", "llama"]["separated"]
    assert pairs["gpt", "mistral"]["separated"]
    assert not pairs["llama", "mistral"]["separated"]
    assert not pairs["llama", "mistral"]["firm"]
    space.judge("report", "runs/given", "--no-html")
    (report,) = (space.root / "reports").rglob("report.md")
    for text in (flat(space, "table", "runs/given"), report.read_text(encoding="utf-8")):
        assert "gpt is the best of these 3 arms" in text
        assert "Not placed: llama and mistral (3 answers without a total)." in text
        assert "no arm is shown better" not in text
    assert "gpt alone may be best: take it for quality" in report.read_text(encoding="utf-8")


def test_what_the_table_shows_holds_between_judges(space: Space) -> None:
    """Three judges that all put gpt far ahead have something that holds."""
    clear(space, "meter", "gauge", "ruler")
    assert space.json("agree")["verdict"] == "holds"
    text = flat(space, "agree", "runs/given")
    assert "HOLDS: by all 3 passes the same arm may be best" in text
    assert "NOTHING TO HOLD" not in text


def test_an_arm_that_may_be_best_behind_its_gaps_leaves_no_winner(space: Space) -> None:
    """Llama is below gpt on what it answered, but could be above with what is blocked."""
    lacking = {("llama", item) for item in range(3, ITEMS)} | LACKING
    wide = {"gpt": 7, "llama": 5, "mistral": 2}
    rows: list[tuple[object, ...]] = [
        (f"i{item}", arm, "clear", "meter", "" if (arm, item) in lacking else level)
        for item in range(ITEMS)
        for arm, level in wide.items()
    ]
    space.take(space.csv(rows, name="wide.csv"), "--scale", "1-10", run="runs/wide")
    text = flat(space, "table", "runs/wide")
    assert "best of these" not in text
    assert "gpt scores above mistral" in text
    space.judge("report", "runs/wide", "--no-html")
    (report,) = (space.root / "reports" / "wide").rglob("report.md")
    told = report.read_text(encoding="utf-8")
    assert "take it for quality" not in told
    assert "gpt is the only placed arm that may be best, but llama, not placed, may be it" in told


def test_a_gap_that_would_be_missed_says_whose_it_is(space: Space) -> None:
    """The worst pair is one of gaps: power and report name it, and how others are planned."""
    clear(space, "meter")
    power = flat(space, "power", "runs/given")
    worst = "(worst pair: llama and mistral, 3 shared items; others share up to 5: --arms A,B)"
    assert worst in power
    assert "--arms A,B" not in flat(space, "power", "runs/given", "--arms", "gpt,llama")
    assert space.table()["detectable_pair"] == ["llama", "mistral"]
    space.judge("report", "runs/given", "--no-html")
    (report,) = (space.root / "reports").rglob("report.md")
    text = report.read_text(encoding="utf-8")
    assert "worst pair, llama and mistral" in text


def test_the_wished_gaps_of_a_plan_are_those_of_the_report(space: Space) -> None:
    """On a scale of 1 to 5 both plan for 0.4 and 0.2: a point and half a point of ten."""
    rows = [
        (f"i{item}", arm, "clear", "meter", 2 + (item * (place + 1) + place) % 4)
        for item in range(8)
        for place, arm in enumerate(("north", "south"))
    ]
    space.take(space.csv(rows), "--scale", "1-5")
    gaps = [row["gap"] for row in space.json("power")["rows"]]
    assert gaps == [0.4, 0.2]
    assert [gap for gap, _ in space.table()["items_needed"]] == gaps


def test_reasons_are_listed_with_their_counts(space: Space) -> None:
    """None is called the most frequent, and what was blocked at the judge is no judge."""
    clear(space, "meter")
    text = space.judge("table", "runs/given").out
    assert "no total from the file: 3 of 18 judgments (3 no_verdict)" in text
    assert "most often" not in text
    assert "1 unjudged" in text
    assert "not placed (?): llama and mistral; mark their 3 answers without a total" in text


def test_the_page_says_what_ref_is(space: Space) -> None:
    """The legend names the arm that differences are held against."""
    clear(space, "meter")
    assert "difference is to ref" in space.judge("table", "runs/given").out
