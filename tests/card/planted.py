"""A judge whose leanings are known: it computes its marks from what the texts say."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.stub import JSON, Script, StubServer

_ANSWER = re.compile(r"<<<(\w+):answer(?::([^\n]*))?\n(.*?)\n\1:answer(?::[^\n]*)?>>>", re.DOTALL)
_WORTH = re.compile(r"worth (-?\d+(?:\.\d+)?)")
PLAN: JSON = {"rules": [{"replies": [{"verdict": {"score": 3, "quotes": "real"}}]}]}


@dataclass(frozen=True)
class Seen:
    """One answer as the judge sees it."""

    text: str
    place: int
    turn: int
    """How often this text was judged before."""

    @property
    def worth(self) -> float:
        """What its text says that it is worth."""
        return float(next(iter(_WORTH.findall(self.text)), 5))

    def noise(self, salt: str = "") -> float:
        """Uniform in −0.5 … 0.5, drawn from the text, its place and a salt."""
        drawn = hashlib.sha256(f"{salt}|{self.place}|{self.text}".encode()).digest()
        return int.from_bytes(drawn[:6], "big") / 2**48 - 0.5


class Planted(Script):
    """Marks every criterion of an answer by a rule."""

    rule: Callable[[Seen], float]
    seen: Counter[str]
    names: Callable[[str, dict[str, str]], str] | None = None
    """From an answer and the possible authors by letter to a letter."""

    def verdict(self, raw: bytes, request: JSON, spec: JSON) -> str:
        """The reply that the schema wants, with marks by the rule."""
        made = json.loads(super().verdict(raw, request, spec))
        text = request["messages"][-1]["content"]
        if "author" in made and self.names is not None:
            answer = next(iter(_ANSWER.finditer(text)))[3]
            authors = dict(re.findall(r"^([A-Z]): (.*)$", text, re.MULTILINE))
            return json.dumps({"author": self.names(answer, authors)})
        for place, found in enumerate(_ANSWER.finditer(text)):
            seen = Seen(text=found[3], place=place, turn=self.seen[found[3]])
            self.seen[found[3]] += 1
            mark = self.rule(seen)
            marks = made.get(found[2], made) if found[2] else made
            for criterion in marks.values():
                if isinstance(criterion, dict) and "score" in criterion:
                    criterion["score"] = int(np.clip(round(mark), 1, 5))
        return json.dumps(made)


def planted(rule: Callable[[Seen], float], plan: JSON | None = None) -> StubServer:
    """A stub that marks by a rule."""
    stub = StubServer(plan)
    script = Planted(plan or PLAN)
    script.rule, script.seen = rule, Counter()
    stub.script = script
    return stub


def runs(items: int, arms: tuple[str, ...], *, seed: int = 5) -> dict[str, dict[str, str]]:
    """Answers of known worth, of lengths and dresses of their own."""
    rng = np.random.default_rng(seed)
    out: dict[str, dict[str, str]] = {arm: {} for arm in arms}
    for item in range(items):
        for arm in arms:
            worth = rng.uniform(2.2, 3.8)
            lines = int(2 ** rng.uniform(1, 6))
            heads = int(rng.integers(0, 4))
            words = [f"The tram stop of street {item} moves, says {arm}; worth {worth:.2f}."]
            words += [f"# Part {n}" for n in range(heads)]
            words += [f"Line {n} of the notice is plain." for n in range(lines)]
            out[arm][f"m{item:02}"] = "\n".join(words) + "\n"
    return out
