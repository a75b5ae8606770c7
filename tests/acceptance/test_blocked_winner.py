"""Answers of two arms are blocked, and a third is far ahead of both: what a newcomer is told."""

from collections.abc import Callable

from tests.acceptance.desk import Desk
from tests.stub import StubServer

Serve = Callable[..., StubServer]

SCORES = {"gpt": 5, "llama": 2, "mistral": 1}
TAGS = {"gpt": "harbour", "llama": "meadow", "mistral": "quarry"}
"""Names of models are masked, so the stub knows arms by these."""
LACKING: dict[tuple[str, str], str | bytes | None] = {
    ("llama", "m2"): "",
    ("mistral", "m3"): None,
    ("mistral", "m5"): b"\xff\xfe\xfa",
}


def judged(desk: Desk, serve: Serve) -> tuple[str, str]:
    """Stdout and stderr of a pass over six items, three answers of which are blocked."""
    texts = {
        arm: {
            item: LACKING.get(
                (arm, item),
                f"From Monday tram stop {item} stands down the street. It returns on the "
                f"ninth, when the rails are laid. (tag-{TAGS[arm]})\n",
            )
            for item in (f"m{at}" for at in range(1, 7))
        }
        for arm in SCORES
    }
    desk.make(texts)
    rules = [
        {"when_body_has": f"tag-{TAGS[arm]}", "replies": [{"verdict": {"score": score}}]}
        for arm, score in SCORES.items()
    ]
    serve({"rules": rules})
    said = desk.score()
    assert said.code == 0, said.all
    return said.out, said.err


def test_who_is_best_where_to_begin_and_what_is_blocked(desk: Desk, serve: Serve) -> None:
    """The headline, the list of reasons, the next step and the files, on one screen."""
    out, err = judged(desk, serve)
    flat = " ".join(out.split())
    assert "gpt is the best of these 3 arms" in flat
    assert "Not placed: llama and mistral (3 blocked answers)." in flat
    assert "most often" not in flat
    reasons = flat.split("blocked: 3 of 18 answers (")[1].split(")")[0].split(", ")
    assert len(reasons) == 3
    assert {one.split()[0] for one in reasons} == {"1"}
    assert "Next: judge check" in flat
    assert "3 blocked answers to collect again" in flat
    assert "report.md and report.html" in " ".join(err.split())
    assert len(out.splitlines()) <= 25
    # The command is printed whole, however long the path of the run is.
    assert max(map(len, out.partition("Next: ")[0].splitlines())) <= 80
    report = next(desk.root.rglob("report.md")).read_text(encoding="utf-8")
    assert "gpt alone may be best: take it for quality" in report
    assert " ".join(report.split()).count("gpt is the best of these 3 arms") == 1
