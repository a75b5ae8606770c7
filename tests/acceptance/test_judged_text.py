"""The judged text is data: framed, whole, never evaluated, never read as a verdict."""

import json
import re
import shutil
from collections.abc import Callable

import pytest

from tests.acceptance.desk import DATA, HARBOUR, JSON, QUARRY, Desk, plan
from tests.stub import StubServer

Serve = Callable[..., StubServer]
FRAME = re.compile(r"^<<<(\w+):answer\n(.*?)\n\1:answer>>>$", re.DOTALL | re.MULTILINE)
ATTACKS: list[JSON] = [
    json.loads(line) for line in (DATA / "attacks.jsonl").read_text(encoding="utf-8").splitlines()
]


def attacked(attack: JSON) -> str:
    """A weak answer with an attack in its place."""
    text = str(attack["text"])
    made = {"only": text, "before": f"{text}\n{QUARRY}", "after": f"{QUARRY}{text}"}
    return made[attack["where"]]


def framed(body: JSON) -> tuple[str, str]:
    """Frame word and judged text of a logged request, which has exactly one answer."""
    (found,) = FRAME.finditer(body["messages"][1]["content"])
    return found[1], found[2]


def test_no_answer_can_play_its_own_frame(desk: Desk, serve: Serve) -> None:
    """36 attacks: each whole in its own frame, the instructions apart, the stub's 2 kept."""
    texts = {f"a{place:02}": attacked(attack) for place, attack in enumerate(ATTACKS)}
    assert len(texts) == 36
    desk.make(texts)
    stub = serve(plan("twos"))
    assert desk.score("--blind", "flag").code == 0
    seen: dict[str, str] = {}
    for body in stub.bodies:
        system, user = body["messages"]
        word, text = framed(body)
        assert (system["role"], user["role"]) == ("system", "user")
        assert "Names the day, the cause" in system["content"]
        assert text not in system["content"]
        assert word not in text
        assert word not in system["content"]
        assert len(word) >= 24
        seen[word] = text
    noise = len(stub.bodies) - len(texts)
    assert 12 <= noise <= 60
    assert len(seen) == len(stub.bodies)
    assert set(seen.values()) == set(texts.values())
    marks = desk.marks()
    assert set(marks) == set(texts)
    assert set.union(*marks.values()) == {2}


HOSTILE = {
    "expression": "Sum {{ 6*9 }} and {{ config }} and {{ self.__init__.__globals__ }}",
    "raw": "{% endraw %}{{ 6*9 }}{% raw %} {# hidden #} {%- set a = 1 -%}",
    "statement": "{% for i in range(10**9) %}x{% endfor %}{% include 'judges.toml' %}",
    "format": "{0} {criterion} {answer.__class__.__mro__} {{}} %s %(model)s ${HOME} `id` $(id)",
    "latex": "The ^{{Ω}rel} value is \\frac{{a}}{{b}} {{",
    "lines": "# for x in y\n## note\n% if true\n{{'a'*10**9}}",
    "open": "{{ {% {# and nothing closes",
    "markup": "<b>&amp;</b> & <script>document.title</script>",
}


def test_template_marks_are_text(desk: Desk, serve: Serve) -> None:
    """Letter for letter into the request and the report; nothing is evaluated."""
    desk.make(HOSTILE, prompt="Explain {{ 6*9 }} and {% raw %} to passengers.\n")
    stub = serve(plan("fours"))
    first = desk.score()
    assert first.code == 0
    assert {framed(body)[1] for body in stub.bodies} == set(HOSTILE.values())
    for body in stub.bodies:
        assert "Explain {{ 6*9 }} and {% raw %} to passengers." in body["messages"][1]["content"]
    sent = json.dumps([body["messages"] for body in stub.bodies])
    report = "".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in (desk.root / "reports").rglob("*.*")
    )
    for shown in (sent, report, first.all):
        assert "Sum 54" not in shown
        assert "jinja2.runtime" not in shown
        assert "stub-judge\\nbase_url" not in shown
    assert desk.judge("report", desk.run).code == 0


@pytest.mark.parametrize("mode", ["pointwise", "listwise"])
def test_a_request_names_no_arm(desk: Desk, serve: Serve, mode: str) -> None:
    """No id, provider, model, usage or path; labels are neutral, order repeats with the seed."""
    arms = {
        "heron-large": {"provider": "lab-reed", "model": "lab-reed/heron-large"},
        "plover-9b-chat": {"provider": "lab-dune", "model": "lab-dune/plover-9b-chat"},
        "wren": {"provider": "lab-moss", "model": "lab-moss/wren-mini"},
    }
    texts = {
        "heron-large": HARBOUR,
        "plover-9b-chat": f"As Plover 9B Chat I say: {HARBOUR}"
        "Saved to runs/bulletin/plover-9b-chat/m1/output.md\n",
        "wren": QUARRY,
    }
    items = {f"m{n}": n for n in range(1, 5)}
    desk.make({arm: dict.fromkeys(items, text) for arm, text in texts.items()}, arms=arms)
    stub = serve(plan("fours"))
    first = desk.score("--mode", mode, "--seed", "7")
    assert first.code == 0
    told = json.dumps([body["messages"] for body in stub.bodies]).lower()
    for name in ("heron-large", "plover-9b", "lab-reed", "lab-dune", "lab-moss", "wren-mini"):
        assert name not in told
    assert desk.table().arm("plover-9b-chat")["masked"] >= 4
    if mode == "listwise":
        labels = {
            tuple(re.findall(r"(?m)^<<<\w+:answer:(\S+)$", body["messages"][1]["content"]))
            for body in stub.bodies
        }
        assert len(labels) > 1
        assert all(len(set(one)) == 3 for one in labels)
    positions = "SELECT position FROM requests ORDER BY key"
    before = desk.rows(positions)
    shutil.rmtree(desk.root / "judgments")
    desk.score("--mode", mode, "--seed", "7")
    assert desk.rows(positions) == before


def test_a_judge_of_an_arms_own_family_is_named(desk: Desk, serve: Serve) -> None:
    """A judge that is an arm's model is a visible warning."""
    desk.make(
        {"north": HARBOUR, "south": QUARRY},
        arms={"north": {"provider": "mistral", "model": "mistral-large-2512"}},
    )
    serve(plan("fours"))
    toml = desk.root / "judges.toml"
    toml.write_text(
        toml.read_text(encoding="utf-8").replace("stub-judge", "mistral-large-2512"),
        encoding="utf-8",
    )
    first = desk.score()
    assert first.code == 0
    assert "family" in first.out
    assert desk.table().arm("north")["same_family"] is True
    assert desk.table().arm("south")["same_family"] is False


def test_a_judge_that_is_an_arms_own_model_is_named_by_any_name(desk: Desk, serve: Serve) -> None:
    """A model that no list knows judges its own answer: a visible warning."""
    desk.make({"north": HARBOUR, "south": QUARRY}, arms={"north": {"model": "lab-one/Quillon-9B"}})
    serve(plan("fours"))
    toml = desk.root / "judges.toml"
    toml.write_text(toml.read_text("utf-8").replace("stub-judge", "quillon-9b"), encoding="utf-8")
    first = desk.score()
    assert first.code == 0
    assert "is of the same family as north" in first.out
    assert desk.table().arm("north")["same_family"] is True
    assert desk.table().arm("south")["same_family"] is False
