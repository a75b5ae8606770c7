"""Pages for people carry sentences; codes are for JSON and CSV."""

from pathlib import Path

import pytest

from judgebench.model.nouns import Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.reports import refusals

GOLD = Path(__file__).parents[1] / "gold" / "reports"
CODES = [code.value for code in RefusalCode if "_" in code.value]


@pytest.mark.parametrize("page", sorted(GOLD.glob("*.txt")) + sorted(GOLD.glob("*.md")), ids=str)
def test_no_page_for_people_carries_a_code(page: Path) -> None:
    """Whatever it refuses: extended tables, people, comparisons."""
    text = page.read_text(encoding="utf-8").replace("\\", "")
    assert [code for code in CODES if code in text] == []


@pytest.mark.parametrize("code", RefusalCode)
def test_every_code_has_few_words(code: RefusalCode) -> None:
    """As many as a cell of a table holds, and no underscore."""
    words = refusals.short(Refusal(statistic="total", code=code.value, have=1, need=3))
    assert words
    assert len(words) <= 40
    assert "_" not in words
