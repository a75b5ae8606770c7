"""Why there is no number: one table for outputs, one for judgments, one for statistics."""

from enum import StrEnum


class Reason(StrEnum):
    """Why an output, or a judgment of it, is blocked. Order is the order of precedence."""

    # of the output, decided before any judge is paid
    LENGTH = "length"
    TIMEOUT = "timeout"
    PROVIDER_WINDOW = "provider_window"
    TRANSPORT = "transport"
    CONTENT_FILTER = "content_filter"
    HARNESS = "harness"
    MISSING = "missing"
    PROMPT_MISMATCH = "prompt_mismatch"
    SETTINGS_MISMATCH = "settings_mismatch"
    CONTAMINATED = "contaminated"
    EMPTY = "empty"
    UNREADABLE = "unreadable"
    IDENTITY_LEAK = "identity_leak"
    LOOKS_CUT = "looks_cut"
    # of the judgment: the output may be fine
    JUDGE_LENGTH = "judge_length"
    JUDGE_REFUSED = "judge_refused"
    JUDGE_FILTER = "judge_filter"
    JUDGE_INVALID = "judge_invalid"
    JUDGE_CONTEXT = "judge_context"
    JUDGE_TRANSPORT = "judge_transport"
    JUDGE_TIMEOUT = "judge_timeout"
    JUDGE_WRONG_MODEL = "judge_wrong_model"
    # of one mark
    CANNOT_JUDGE = "cannot_judge"
    QUOTE_MISSING = "quote_missing"
    # of a mark that was brought in from elsewhere
    NO_VERDICT = "no_verdict"
    OFF_SCALE = "off_scale"

    @property
    def of_judge(self) -> bool:
        """Whether the judge's side failed, not the output's."""
        return self.value.startswith("judge_")

    @property
    def asked_again(self) -> bool:
        """Whether the next start asks again by itself: no answer was ever received."""
        return self in {Reason.JUDGE_TRANSPORT, Reason.JUDGE_TIMEOUT}


REASON_SENTENCES: dict[Reason, str] = {
    Reason.LENGTH: "the token budget ended the answer; raise it for all arms and collect again",
    Reason.TIMEOUT: "the client's time limit ended the answer",
    Reason.PROVIDER_WINDOW: (
        "a limit of the provider: its usage is used up, or it broke off twice at the same time"
    ),
    Reason.TRANSPORT: "the connection or the provider failed",
    Reason.CONTENT_FILTER: "the provider withheld the answer",
    Reason.HARNESS: "the harness reported an error",
    Reason.MISSING: "there is no output file, and the record explains nothing",
    Reason.PROMPT_MISMATCH: "the arm was sent another prompt than the item's",
    Reason.SETTINGS_MISMATCH: "the arm ran under other settings than the run's",
    Reason.CONTAMINATED: "the arm saw material that the others were not given",
    Reason.EMPTY: "the answer has no visible character",
    Reason.UNREADABLE: (
        "the output is not text in a known encoding or leads out of the run folder, or its "
        "meta.json is broken"
    ),
    Reason.IDENTITY_LEAK: "the output names its author, and --blind strict is set",
    Reason.LOOKS_CUT: "the answer looks cut off, and --block-cut is set",
    Reason.JUDGE_LENGTH: "the judge's reply was cut at its own token limit; raise max_tokens",
    Reason.JUDGE_REFUSED: "the judge refused to mark this output",
    Reason.JUDGE_FILTER: "the content filter of the judge's provider withheld the judgment",
    Reason.JUDGE_INVALID: "the judge gave no valid judgment in the calls allowed",
    Reason.JUDGE_CONTEXT: "the request is too long for the judge",
    Reason.JUDGE_TRANSPORT: "the judge's endpoint gave no usable answer in the calls allowed",
    Reason.JUDGE_TIMEOUT: "the judge's endpoint gave no answer within the time limit",
    Reason.JUDGE_WRONG_MODEL: "another model answered than the one that was asked",
    Reason.CANNOT_JUDGE: "the judge said that it cannot judge this criterion",
    Reason.QUOTE_MISSING: "a quote was not found, and --require-quotes is set",
    Reason.NO_VERDICT: "the imported file holds no mark here",
    Reason.OFF_SCALE: "the imported mark lies outside of the scale",
}


class RefusalCode(StrEnum):
    """Why a statistic is not printed (docs/statistics.md has a sentence for each)."""

    TOO_FEW_ITEMS = "too_few_items"
    TOO_FEW_CLUSTERS = "too_few_clusters"
    TOO_FEW_JUDGES = "too_few_judges"
    TOO_FEW_REPEATS = "too_few_repeats"
    TOO_FEW_ARMS = "too_few_arms"
    NO_HUMAN_LABELS = "no_human_labels"
    SINGLE_ANNOTATOR = "single_annotator"
    NO_VARIATION = "no_variation"
    ZERO_SPREAD = "zero_spread"
    DISCONNECTED = "disconnected"
    NOT_IDENTIFIED = "not_identified"
    LABELS_NOT_RANDOM = "labels_not_random"
    TUNED_ON_THESE_LABELS = "tuned_on_these_labels"
    UNEQUAL_ITEMS = "unequal_items"
    ITEMS_NOT_INDEPENDENT = "items_not_independent"
    BLOCKED_SHARE_HIGH = "blocked_share_high"
    NEVER_GIVEN = "never_given"
    ORDER_NOT_RECORDED = "order_not_recorded"
    UNEQUAL_OPPONENTS = "unequal_opponents"
    ONE_FAMILY = "one_family"
    RATERS_NOT_IDENTIFIED = "raters_not_identified"
    RATERS_DIFFER = "raters_differ"
    NOTHING_SCORED = "nothing_scored"
    CRITERION_UNMARKED = "criterion_unmarked"
    NO_COMMON_ANSWER = "no_common_answer"
    NOT_FINITE = "not_finite"
    BEYOND_SCALE = "beyond_scale"
    BEYOND_MARKS = "beyond_marks"
    TOO_MANY_TIES = "too_many_ties"
    NOT_COMPARED = "not_compared"
    NO_ANCHOR = "no_anchor"
    NOTHING_MISSING = "nothing_missing"
    TOO_MANY_PAIRS = "too_many_pairs"
    NO_OUTPUTS = "no_outputs"
    SCALE_NOT_NAMED = "scale_not_named"


NEVER_MET = "compare arms of one group with arms of the others"
"""What to do where groups of arms never met: tells it from arms that met and won all or none."""
