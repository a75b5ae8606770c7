"""What an agreement calls its arms, raters and judges: each unlike every other, safe to show."""

from judgebench.model.agreement import Agreement, Rater
from judgebench.model.nouns import Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.reports.digits import decimals
from judgebench.reports.naming import among

NAME = 32


def digits(found: Agreement) -> int:
    """Decimals on this scale."""
    return decimals(found.scale_low, found.scale_high)


def arm(name: str, found: Agreement) -> str:
    """An arm's name, short enough for a sentence and unlike that of any other arm."""
    return among(name, found.arms, 24)


def rater(one: Rater, found: Agreement) -> str:
    """A rater's name, unlike that of any other one."""
    return among(one.name, (other.name for other in found.raters), NAME)


def judge(name: str, found: Agreement) -> str:
    """A judge's name, unlike that of any other one."""
    others = (one.facts.judge_name for one in found.raters)
    return among(name, (*others, *(one.judge_name for one in found.others)), NAME)


def one_word(found: Agreement) -> str:
    """What one rater is called."""
    return "person" if found.persons else "pass"


def many_word(found: Agreement) -> str:
    """What several raters are called."""
    return "people" if found.persons else "passes"


def voice(found: Agreement, count: int = 1) -> str:
    """Who is behind the raters, one or several."""
    if found.persons:
        return "person" if count == 1 else "people"
    return "judge" if count == 1 else "judges"


def places(found: Agreement) -> bool:
    """Whether people are places in a file: nobody stands behind one throughout."""
    one = found.verdict
    return isinstance(one, Refusal) and one.code == RefusalCode.RATERS_NOT_IDENTIFIED
