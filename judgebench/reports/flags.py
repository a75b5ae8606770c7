"""Warning code → sentence. The table of codes, and of the facts that each needs.

A fact that was not given is shown as ``some``; a code that is not in the table is
shown with its facts as they are, so that no flag is ever lost.
"""

from collections.abc import Mapping

from judgebench.model.result import Warning_
from judgebench.reports import controls
from judgebench.reports.cells import ended
from judgebench.reports.digits import plain, share
from judgebench.reports.naming import alone
from judgebench.text import one_line

_OF_PAIRS = {
    "file_unmarked": "no verdict in the file: {blocked} of {comparisons:comparison} ({reasons})",
    "judge_blocked": (
        "blocked on the judge's side: {blocked} of {comparisons:comparison} ({reasons})"
    ),
    "off_scale": "left out: {comparisons:comparison} outside of the scale, beside {of} that count",
}
"""What is said where a flag counts comparisons."""
_FACT, _KINDS = 60, 100
"""Signs of a fact in a sentence; of kinds, which say themselves how many more there are."""

SENTENCES: dict[str, str] = {
    "unfinished": (
        "the pass is unfinished, {answered} of {planned:request} answered: figures may move"
    ),
    "blocked_share": (
        "blocked: {blocked} of {planned:answer} ({reasons}); "
        "that is not random, report.md has both worst cases"
    ),
    "half_blocked": "not placed (?): {arm}; {remedy}",
    "judge_blocked": ("blocked on the judge's side: {blocked} of {planned:judgment} ({reasons})"),
    "file_unmarked": "no total from the file: {blocked} of {planned:judgment} ({reasons})",
    "control_failed": (
        "{requests:control has|controls have} no answer ({reasons}): nothing is said of "
        "the judge by them"
    ),
    "noise_failed": (
        "{requests:repeat has|repeats have} no answer ({reasons}): the judge's noise is "
        "of the others alone"
    ),
    "drift_failed": (
        "{requests:old answer has|old answers have} no second judgment ({reasons}): "
        "drift is of the others alone"
    ),
    "looks_cut": (
        "not placed (?): {outputs:answer} of {arms} may be cut off; "
        "--accept-cut or --block-cut decides"
    ),
    "few_clusters": (
        "few clusters: {items:item} in {clusters:cluster}, so an interval rests on few units"
    ),
    "lopsided_clusters": (
        "one cluster holds {largest} of {items:item}, so an interval rests on few units"
    ),
    "unequal_items": (
        "{arm} shares only {shared} of {planned:item} with the arm it is compared to"
    ),
    "wrong_model": "{answered} answered where {asked} was asked",
    "not_asked": "not asked about {items:item} ({names}): no criterion applies there",
    "modal_share": "the judge gave mark {mark} in {share} of all marks: it hardly tells apart",
    "constant_judge": "the judge gave mark {mark} every time: these marks tell nothing",
    "modal_panelist": (
        "judge {judge} gave mark {mark} in {share} of its marks: it hardly tells apart"
    ),
    "constant_panelist": "judge {judge} gave mark {mark} every time: its marks tell nothing",
    "modal_ties": "{share} of the comparisons are ties: the judge hardly tells apart",
    "all_ties": "all {comparisons:comparison} are ties: these verdicts tell nothing",
    "controls_failed": "the judge fails planted controls: {kinds} (report.md)",
    "controls_failed_by": "the judge {judge} fails planted controls: {kinds} (report.md)",
    "raters_differ": (
        "people marked different arms: differences are within a person who marked both, and "
        "{marks:mark} of {of} stand in none; an arm's mean is of all of its marks"
    ),
    "off_scale": "left out: {marks:mark} outside of the scale, beside {of} that count",
    "length_baseline": (
        "longer answers got {way} totals (mean rank correlation {rho}): length may explain them, "
        "or the arm"
    ),
    "unsupported_quotes": "unsupported: {marks} of {of:mark} cite words that are not in the text",
    "same_family": "the judge {judge} is of the same family as {arms}",
    "identity_flagged": (
        "sent with names of models or vendors (--blind flag): {outputs:answer}, {hits:place}"
    ),
    "identity_flagged_same": (
        "sent with names of models or vendors (--blind flag): {outputs:answer}, {hits:place}; "
        "without them the same arms may be best"
    ),
    "identity_flagged_other": (
        "names decide: {outputs:answer} sent with names of models or vendors (--blind flag); "
        "without them may be best: {arms}"
    ),
    "identity_masked": "masked before judging: {hits:identity string} in {outputs:answer}",
    "identity_visible": (
        "identity visible: {hits:name} of models or vendors in the code of {projects:project}"
    ),
    "secrets_masked": "keys stood in {lines:line} of the projects; they were masked before sending",
    "not_all_shown": "not all was shown to the judge: {share} of the lines of {arm}, see report.md",
    "not_all_read": (
        "{parts:part} of the projects could not be read, such as {path} of {arm}: what could "
        "stand there is held against nobody"
    ),
    "not_all_seen": (
        "not all was seen by the judge, shown or read with tools: {share} of the lines of {arm}"
    ),
    "finds_unsupported": (
        "unsupported: {finds} of {of:reported fault} do not stand where the judge says; they cost "
        "nothing"
    ),
    "finds_not_absent": (
        "not missing: {finds} of {of:reported fault} miss what a search finds, or name nothing to "
        "search for; they cost nothing"
    ),
    "claims_refuted": (
        "refuted: {finds} of {of:reported fault} deny what the library's source defines, or name "
        "what their passage does not hold; they cost nothing"
    ),
    "finds_unverified": (
        "unverified: {finds} of {of:reported fault} could hang on what was not read; they cost "
        "nothing"
    ),
    "claims_unverified": (
        "unproven: {finds} of {of:reported fault} say what the library lacks, and its source does "
        "not settle it; they cost nothing"
    ),
    "template_marks": (
        "sent as delivered: marks of a chat template in {outputs:answer}, which may be an attack"
    ),
    "not_reproducible": "not reproducible: {what} unknown",
    "undeclared": "there is no run.yaml: budget, timeout and working folder are unknown",
    "no_prompt": "the judge was not shown the prompt: marks are of the answers alone",
    "replay": "this replays judge {judge}, recorded on {recorded_at}: no model was called",
    "one_judge": "one judge: every interval is for {judge} alone, other judges may differ",
    "one_judge_marks": "one judge: every mark is by {judge} alone, other judges may differ",
    "panel_partial": ("left out: {cells:cell} that not every judge of the panel scored"),
    "panel_split": (
        "the judges lie more than {near:point} apart on {cells:cell}, most on {arm} {item} by "
        "{gap:point}: judge agree RUN --split shows the widest"
    ),
    "cwd_unknown": "working folder unknown for {outputs:CLI answer}: it may have held the code",
    "cwd_not_empty": "working folder not empty for {outputs:CLI answer}",
    "canary_warning": "{outputs:answer} with strings of the repository that API arms name too",
    "almost_no_content": "{outputs:answer} of {arms} with almost no content",
    "secret_masked": "{outputs:answer} with keys or passwords: masked before judging",
    "empty_as_minimum": "{cells:empty answer} with the minimum by rule, not from the judge",
    "not_settable": "{arms} cannot be given {what}: the limit is not the same for all",
    "ambiguity": "the prompt leaves {fields} undefined: never compared",
    "calls_in_doubt": "{calls:call} sent without a known answer, perhaps paid",
    "cost_unknown": "{requests:request} of unknown usage, in no sum of tokens or cost",
    "superseded": "left out: {judgments:judgment} of texts or arms that the plan holds no more",
    "passes_unfinished": "{passes:other pass|other passes} on this run unfinished, see report.md",
    "passes_unused": "{passes:other pass|other passes} on this run not shown, see report.md",
    "order_preference": (
        "the answer shown first won {share} of the comparisons: the order sways this judge"
    ),
    "order_fixed": (
        "each two arms were shown in one order only: what the place gives cannot be told from "
        "what an arm is worth"
    ),
    "order_uneven": (
        "some arms were nearly always shown first: the place may make {points} of a difference"
    ),
    "order_unknown": (
        "order unknown: who was shown first is not on record, and an arm that always was may owe "
        "its share to the place"
    ),
    "order_unknown_in_part": (
        "order unknown: who was shown first is not on record of some comparisons, which leaves out "
        "every figure of the order"
    ),
    "order_turned": (
        "{turned} of {pairs:pair} turned with the order: this judge hardly tells them apart"
    ),
    "unequal_opponents": (
        "arms met each other {fewest} to {most:time}: shares won are against unequal opponents, "
        "strengths allow for it"
    ),
    "unequal_opponents_alone": (
        "arms met each other {fewest} to {most:time}: shares won are against unequal opponents, "
        "and there are no strengths to allow for it"
    ),
    "never_met": (
        "the arms fall into {groups:group} that never met: nothing is said between them, and no "
        "arm is the best of all"
    ),
    "one_order": "judged in one order only: {pairs:pair}, where the order may favour an arm",
    "drift": (
        "the judge drifted: {answers:old answer} judged again moved by {points} points on average"
    ),
    "reweighted": "totals re-weighted on {items:item}: a criterion does not apply there",
}
"""Code → sentence with its facts in braces; shares are given in 0…1.

``{calls:call}`` is a count with its noun, ``{passes:pass|passes}`` with both its forms.
"""


_OF_NONE = {
    "raters_differ": (
        "people marked different arms: differences are within a person who marked both; an arm's "
        "mean is of all of its marks"
    ),
}
"""Sentences of what would else count no mark at all."""

SHOWN = frozenset({"controls_failed", "controls_failed_by"})
"""Codes whose fact ``key`` is a judgment to look at."""


def command(warning: Warning_, run: str) -> str:
    """The command that shows what a flag is about, to be printed whole; empty without one.

    Args:
        warning: The flag.
        run: The run as it can be typed.
    """
    key = str(warning.facts.get("key", ""))
    return f"judge show {run} {one_line(key, 20)}" if warning.code in SHOWN and key else ""


def sentence(warning: Warning_, run: str = "RUN") -> str:
    """The one line that a reader gets for a flag, safe to show.

    Args:
        warning: The flag.
        run: The run as it can be typed, for a command in the sentence.
    """
    paired = _OF_PAIRS.get(warning.code) if "comparisons" in warning.facts else None
    none = _OF_NONE.get(warning.code) if warning.facts.get("marks") == 0 else None
    template = paired or none or SENTENCES.get(warning.code)
    if template is None:
        facts = ", ".join(f"{key} {_word(key, value)}" for key, value in warning.facts.items())
        words = one_line(warning.code, 40).replace("_", " ")
        return one_line(f"{words}: {facts}" if facts else words, 200)
    # A command is read whole: the run in it is shortened as no fact of a sentence is.
    typed = template.replace(" RUN ", f" {run.replace('{', '{{').replace('}', '}}')} ")
    return one_line(typed.format_map(_Facts(warning.facts)), 240)


def _word(key: str, value: str | float) -> str:
    if isinstance(value, str):
        line = one_line(controls.counts_in_words(value) if key == "kinds" else value, 240)
        if key in {"arm", "judge"} and " and " not in value:
            return alone(value, _FACT)
        # What to do is read whole.
        room = {"kinds": _KINDS, "remedy": 120}.get(key, _FACT)
        return line if len(line) <= room else ended(line, room)
    return share(value) if key == "share" else plain(value)


class _Fact(str):
    """A fact in words that can be asked for together with its noun."""

    __slots__ = ("number",)
    number: float | None

    def __format__(self, nouns: str) -> str:
        if not nouns:
            return str(self)
        one, _, many = nouns.partition("|")
        return f"{self} {one if self.number == 1 else many or one + 's'}"


class _Facts(dict[str, _Fact]):
    """Facts as words; one that was not given reads ``some``."""

    def __init__(self, facts: Mapping[str, str | int | float]) -> None:
        super().__init__({key: _fact(key, value) for key, value in facts.items()})

    def __missing__(self, key: str) -> _Fact:
        return _fact(key, "some")


def _fact(key: str, value: str | float) -> _Fact:
    fact = _Fact(_word(key, value))
    fact.number = None if isinstance(value, str) else value
    return fact
