"""A judged run whose answers two people marked, and a rubric that is tuned by their marks."""

from collections.abc import Callable

from tests.acceptance.desk import HARBOUR, JSON, MEADOW, Desk, Said
from tests.stub import StubServer

Serve = Callable[..., StubServer]
ITEMS = tuple(f"m{number}" for number in range(1, 29))
ASKED = ("clarity", "completeness", "tone")
HOSTILE = "</td> \x1b[2J \u202e {{ 7*7 }} `rm` too kind"
PLAN: JSON = {
    "rules": [
        {"when_body_has": "Anew:", "replies": [{"verdict": {"score": 3, "quotes": "real"}}]},
        {"replies": [{"verdict": {"score": 5, "quotes": "real", "text": HOSTILE}}]},
    ]
}


def make_marked(
    desk: Desk, serve: Serve, items: tuple[str, ...] = ITEMS
) -> tuple[Desk, StubServer]:
    """Two arms, a judge who marks 5 throughout, two people who mark 2 to 4."""
    desk.make(
        {
            "north": {item: f"{HARBOUR} {item}" for item in items},
            "south": {item: f"{MEADOW} {item}" for item in items},
        }
    )
    stub = serve(PLAN)
    assert desk.score("--no-html").code == 0
    rows = [
        f"{item},{arm},{who},{criterion},{2 + (place + at) % 3}"
        for place, item in enumerate(items)
        for arm in ("north", "south")
        for at, who in enumerate(("ana", "=ben"))
        for criterion in ASKED
    ]
    text = "item,arm,rater,criterion,score\n" + "\n".join(rows)
    (desk.root / "people.csv").write_text(text, encoding="utf-8")
    return desk, stub


def label(desk: Desk) -> Said:
    """Take the marks in."""
    return desk.judge("calibrate", "runs/bulletin", "--human", "people.csv")


def take(desk: Desk) -> None:
    """Take the marks in without a look beside the judge."""
    assert label(desk).code == 0


def anew(desk: Desk, *, word: str = "Anew:", version: str = "2") -> None:
    """Edit the rubric file in its place."""
    path = desk.root / "rubrics" / "bulletin.yaml"
    text = path.read_text("utf-8")
    text = text.replace("text: Friendly", f"text: '{word} friendly", 1)
    text = text.replace("without ornament.", "without ornament.'", 1)
    path.write_text(text.replace('version: "1"', f'version: "{version}"'), "utf-8")


def tune(desk: Desk, *words: str) -> Said:
    """`judge rubric tune`."""
    return desk.judge("rubric", "tune", "runs/bulletin", *words)
