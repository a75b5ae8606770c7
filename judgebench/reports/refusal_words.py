"""Words of refusals: by the code, and where it needs others, by the statistic too."""

from judgebench.model.reasons import NEVER_MET, RefusalCode

NAMES = {
    "rater_pairs": "each two raters",
    "pareto": "Pareto set",
    "totals": "totals and rank",
    "panel": "totals and rank",
    "total": "intervals",
    "mean": "intervals",
    "arm_mean": "intervals",
    "difference": "paired differences",
    "paired_difference": "paired differences",
    "rank": "rank and winner",
    "ranks": "rank and winner",
    "rank_interval": "rank and winner",
    "best": "rank and winner",
    "set_of_best": "rank and winner",
    "panel_best": "rank and winner",
    "detectable": "detectable gap",
    "items_needed": "items needed",
    "answered_rate": "answered rate",
    "median": "medians",
    "length_baseline": "length baseline",
    "drift": "drift of the judge",
    "agreement": "agreement of judges",
    "alpha": "agreement of judges",
    "exact_agreement": "exact agreement",
    "limits_of_agreement": "limits of agreement",
    "repeatability": "re-scoring noise",
    "swap_share": "pairs that turn when scored again",
    "judges_as_sample": "intervals for other judges",
    "effective_judges": "effective number of judges",
    "components": "variance components and designs",
    "sign_flip": "sign-flip p",
    "noise": "re-scoring noise",
    "people": "check against people",
    "human": "check against people",
    "judge_against_people": "the judge against people",
    "alt_test": "whether it may stand in",
    "corrected": "corrected figures",
    "corrected_difference": "corrected figures",
    "ceiling": "human ceiling",
    "gate": "corrected pass shares",
    "vote_agreement": "agreement with preferences",
    "tier": "tiers",
    "bradley_terry": "strengths",
    "plackett_luce": "strengths from lists",
    "length_control": "strengths at equal length",
    "strength": "strengths",
    "win_rate": "win rates",
    "first_share": "order effect",
    "order": "order in the strengths",
    "circular_share": "circles",
}

WHY: dict[str, tuple[str, str]] = {
    RefusalCode.TOO_FEW_ITEMS: ("needs ≥ {need} items, have {have}", "add items, not repeats"),
    RefusalCode.TOO_FEW_CLUSTERS: (
        "needs ≥ {need} clusters of items, have {have}",
        "add clusters, not items of these",
    ),
    RefusalCode.TOO_FEW_JUDGES: ("needs ≥ {need} judges, have {have}", "judge score --judge"),
    RefusalCode.TOO_FEW_REPEATS: ("needs ≥ {need} scorings, have {have}", "--repeats"),
    RefusalCode.TOO_FEW_ARMS: ("needs ≥ {need} arms, have {have}", "add arms to the run"),
    RefusalCode.NO_HUMAN_LABELS: ("not validated: no human marks", "mark some answers by people"),
    RefusalCode.SINGLE_ANNOTATOR: ("needs ≥ {need} people, have {have}", "a second person"),
    RefusalCode.NO_VARIATION: ("all marks that it rests on are the same", "harder items"),
    RefusalCode.ZERO_SPREAD: ("the differences do not spread, which is no certainty", "add items"),
    RefusalCode.DISCONNECTED: ("no shared items connect the arms", "judge all arms on all items"),
    RefusalCode.NOT_IDENTIFIED: ("these data do not determine it", ""),
    RefusalCode.LABELS_NOT_RANDOM: (
        "the human marks are no random sample",
        "mark a random sample of items",
    ),
    RefusalCode.TUNED_ON_THESE_LABELS: ("the rubric was tuned on these marks", "new marks"),
    RefusalCode.UNEQUAL_ITEMS: ("needs {need} shared items, have {have}", "same items for all"),
    RefusalCode.ITEMS_NOT_INDEPENDENT: (
        "it takes items as independent, and these come in {have} clusters",
        "",
    ),
    RefusalCode.BLOCKED_SHARE_HIGH: ("too many answers are blocked", "collect them again"),
    RefusalCode.NEVER_GIVEN: (
        "too many of its items have no row in the file",
        "marks for them",
    ),
    RefusalCode.ORDER_NOT_RECORDED: ("the order of judging is not on record of this pass", ""),
    RefusalCode.UNEQUAL_OPPONENTS: (
        "the arms met other opponents, so shares won are not of the same thing",
        "read strengths, or compare all arms with all",
    ),
    RefusalCode.ONE_FAMILY: ("all judges are of one family", "a judge of another family"),
    RefusalCode.RATERS_NOT_IDENTIFIED: ("who gave which mark is not on record", ""),
    RefusalCode.RATERS_DIFFER: (
        (
            "needs ≥ {need} items on which one person marked both arms, have {have}: what a person "
            "gives more than another cannot be told from what an arm is worth"
        ),
        "let the same people mark all arms of an item",
    ),
    RefusalCode.NOTHING_SCORED: ("nothing was scored", ""),
    RefusalCode.CRITERION_UNMARKED: ("no answer has a mark on every criterion", ""),
    RefusalCode.NO_COMMON_ANSWER: (
        "no answer was scored by every judge of the panel",
        "judge table --pass shows each judge alone",
    ),
    RefusalCode.NOT_FINITE: ("it has no finite value on these data", ""),
    RefusalCode.NOT_COMPARED: (
        "people's marks have not been shown beside this judge yet",
        "judge calibrate does, and notes that they were seen",
    ),
    RefusalCode.NO_ANCHOR: (
        "they are anchored on the total of an arm, which is not there",
        "name the arm as anchor in run.yaml",
    ),
    RefusalCode.NOTHING_MISSING: ("no cell is missing: the plain mean is it", ""),
    RefusalCode.TOO_MANY_PAIRS: (
        "signs are flipped for at most {need} pairs of arms, have {have}",
        "fewer arms",
    ),
    RefusalCode.SCALE_NOT_NAMED: (
        "it rests on the ends of the scale, which were taken from the marks",
        "name the scale at the import: --scale LOW-HIGH",
    ),
    RefusalCode.NO_OUTPUTS: ("marks were brought in without their answers", ""),
    RefusalCode.BEYOND_SCALE: (
        "no gap on this scale would be found reliably",
        "add items, not repeats",
    ),
    RefusalCode.BEYOND_MARKS: (
        "no gap as wide as these marks lie apart would be found reliably",
        "add items, not repeats",
    ),
    RefusalCode.TOO_MANY_TIES: (
        (
            "marks move in steps so coarse that what would be found can be told from {need} "
            "shared items, and the pair that spreads most has {have}"
        ),
        "more items that both have",
    ),
}

SHORT: dict[str, str] = {
    RefusalCode.NO_HUMAN_LABELS: "no human marks",
    RefusalCode.SINGLE_ANNOTATOR: "one person only",
    RefusalCode.NO_VARIATION: "nothing varies",
    RefusalCode.ZERO_SPREAD: "no spread",
    RefusalCode.DISCONNECTED: "no shared items connect the arms",
    RefusalCode.NOT_IDENTIFIED: "these data do not determine it",
    RefusalCode.LABELS_NOT_RANDOM: "human marks not drawn at random",
    RefusalCode.TUNED_ON_THESE_LABELS: "the rubric was tuned on these marks",
    RefusalCode.UNEQUAL_ITEMS: "too few shared items",
    RefusalCode.BLOCKED_SHARE_HIGH: "too many blocked answers",
    RefusalCode.NEVER_GIVEN: "never given too many items",
    RefusalCode.UNEQUAL_OPPONENTS: "they met other opponents",
    RefusalCode.ONE_FAMILY: "judges of one family",
    RefusalCode.RATERS_NOT_IDENTIFIED: "raters not on record",
    RefusalCode.RATERS_DIFFER: "other people marked each arm",
    RefusalCode.NOT_FINITE: "no finite value",
    RefusalCode.NOT_COMPARED: "not shown beside the judge yet",
    RefusalCode.BEYOND_SCALE: "wider than the scale",
    RefusalCode.BEYOND_MARKS: "wider than the marks lie apart",
    RefusalCode.NO_OUTPUTS: "marks without their answers",
    RefusalCode.SCALE_NOT_NAMED: "scale taken from the marks",
}

OF_NO_TOTAL = frozenset({RefusalCode.NOTHING_SCORED, RefusalCode.TOO_FEW_ARMS})

_ONE_WAY = "some arms won or lost every comparison"
SHORT_OF: dict[tuple[str, str], str] = {
    ("bradley_terry", RefusalCode.DISCONNECTED): _ONE_WAY,
    ("length_control", RefusalCode.DISCONNECTED): _ONE_WAY,
    ("plackett_luce", RefusalCode.DISCONNECTED): "some arms stand above or below all in every list",
    ("plackett_luce", RefusalCode.ZERO_SPREAD): "all items order the arms alike",
    ("order", RefusalCode.ZERO_SPREAD): "the order moved all items alike",
    ("length_control", RefusalCode.ZERO_SPREAD): "length moved all items alike",
    ("total", RefusalCode.ITEMS_NOT_INDEPENDENT): "too few clusters that are not lopsided",
    ("repeatability", RefusalCode.TOO_FEW_REPEATS): "too few answers scored again",
    ("swap_share", RefusalCode.TOO_FEW_REPEATS): "too few pairs scored again",
    ("circular_share", RefusalCode.TOO_FEW_ITEMS): "too few decided triads",
}
"""Where the words of the code alone would say something else than `why`."""

_SAME_TOTALS = (
    "every answer has the same total, whatever it is made of",
    "items that tell the arms apart",
)
_FEW_MARKED = (
    "needs ≥ {need} arms with a total, have {have}",
    "totals of two arms on the same items",
)
_TIES_ALL = ("a rater ties all arms, so there is no order to compare", "")
_SECOND = ("needs the marks of a second person", "")
_BY_TWO = ("needs ≥ {need} items that two people marked, have {have}", "")
_BY_BOTH = ("needs ≥ {need} items that people and judge marked, have {have}", "")

OF_STATISTIC: dict[tuple[str, str], tuple[str, str]] = {
    ("rater_pairs", RefusalCode.TOO_MANY_PAIRS): (
        "at most {need} pairs of raters are set side by side, have {have}",
        "a file of fewer raters",
    ),
    ("holds", RefusalCode.NO_COMMON_ANSWER): (
        "two of these raters have no total of the same answer, so neither speaks to the other",
        "marks on all criteria of the same answers by both",
    ),
    ("bradley_terry", RefusalCode.DISCONNECTED): (
        "some arms won, or lost, every comparison with the others: no strength is finite",
        "report.md names the groups; add items",
    ),
    ("effective_judges", RefusalCode.NO_HUMAN_LABELS): (
        "needs ≥ {need} answers that people and all these judges marked, have {have}",
        "marks of people on more answers",
    ),
    ("plackett_luce", RefusalCode.DISCONNECTED): (
        "some arms stand above, or below, the others in every list: no strength is finite",
        "add items",
    ),
    ("bradley_terry", RefusalCode.ZERO_SPREAD): (
        "all items tell the same of the strengths, or every comparison was a tie",
        "add items",
    ),
    ("plackett_luce", RefusalCode.ZERO_SPREAD): (
        "all items order the arms alike, which is no certainty",
        "add items",
    ),
    ("order", RefusalCode.ZERO_SPREAD): (
        "the order moved all items alike, or none of them, which is no certainty",
        "add items",
    ),
    ("length_control", RefusalCode.DISCONNECTED): (
        "some arms won, or lost, every comparison with the others: no strength is finite",
        "add items",
    ),
    ("total", RefusalCode.ITEMS_NOT_INDEPENDENT): (
        (
            "needs ≥ {need} clusters of items whose means are not lopsided, have {have}, or "
            "clusters of equal size"
        ),
        "add clusters",
    ),
    ("totals", RefusalCode.NOT_IDENTIFIED): (
        "no answer was marked on all {need} criteria, only {have} have marks",
        "marks on the others, or on each answer as a whole: overall",
    ),
    ("length_baseline", RefusalCode.TOO_FEW_ITEMS): (
        (
            "needs ≥ {need} items with three scored arms that differ in length and in total, "
            "have {have}"
        ),
        "add items, or arms",
    ),
    ("pareto", RefusalCode.NOT_IDENTIFIED): (
        "neither cost nor time is on record for every answer of every arm",
        "write cost_usd or wall_s into meta.json",
    ),
    ("repeatability", RefusalCode.TOO_FEW_REPEATS): (
        "needs ≥ {need} answers scored again, have {have}",
        "--repeats 2",
    ),
    ("swap_share", RefusalCode.TOO_FEW_REPEATS): (
        "needs ≥ {need} pairs of arms that were both scored again, have {have}",
        "--repeats 2",
    ),
    ("exact_agreement", RefusalCode.TOO_FEW_ITEMS): (
        "needs ≥ {need} answers with two marks, have {have}",
        "",
    ),
    ("alpha", RefusalCode.TOO_FEW_ITEMS): (
        "needs ≥ {need} items with two marks, have {have}",
        "",
    ),
    ("alpha", RefusalCode.TOO_FEW_CLUSTERS): (
        "needs ≥ {need} clusters of items with two marks, have {have}",
        "add clusters, not items of these",
    ),
    ("limits_of_agreement", RefusalCode.TOO_FEW_ITEMS): (
        "needs ≥ {need} items that both marked, have {have}",
        "",
    ),
    ("icc", RefusalCode.TOO_FEW_ITEMS): (
        "needs ≥ {need} items that all of them marked, have {have}",
        "",
    ),
    ("panel_best", RefusalCode.UNEQUAL_ITEMS): (
        "only {have} of {need} arms have answers that all of them marked",
        "let all mark all arms",
    ),
    ("paired_difference", RefusalCode.UNEQUAL_ITEMS): (
        "single answers were drawn, not items with all arms on each",
        "judge sample without --for means",
    ),
    ("people", RefusalCode.SINGLE_ANNOTATOR): _SECOND,
    ("ceiling", RefusalCode.SINGLE_ANNOTATOR): _SECOND,
    ("ceiling", RefusalCode.TOO_FEW_ITEMS): _BY_TWO,
    ("alt_test", RefusalCode.SINGLE_ANNOTATOR): _SECOND,
    ("alt_test", RefusalCode.TOO_FEW_ITEMS): _BY_TWO,
    ("judge_against_people", RefusalCode.TOO_FEW_ITEMS): _BY_BOTH,
    ("leaning", RefusalCode.TOO_FEW_ITEMS): _BY_BOTH,
    ("corrected", RefusalCode.TOO_FEW_ITEMS): _BY_BOTH,
    ("corrected_difference", RefusalCode.TOO_FEW_ITEMS): _BY_BOTH,
    ("ordering_accuracy", RefusalCode.TOO_FEW_ITEMS): (
        "needs ≥ {need} pairs of arms on one item, have {have}",
        "",
    ),
    ("vote_agreement", RefusalCode.TOO_FEW_ITEMS): (
        "needs ≥ {need} comparisons that both decided, have {have}",
        "",
    ),
    ("detectable", RefusalCode.NO_VARIATION): _SAME_TOTALS,
    ("items_needed", RefusalCode.NO_VARIATION): _SAME_TOTALS,
    ("components", RefusalCode.NO_VARIATION): _SAME_TOTALS,
    ("icc", RefusalCode.NO_VARIATION): (
        "every answer has the same mean mark over its raters",
        "answers that differ more",
    ),
    ("quadratic_kappa", RefusalCode.NO_VARIATION): ("neither rater varies its marks", ""),
    ("effective_judges", RefusalCode.NO_VARIATION): (
        "a judge is off people's marks by the same everywhere",
        "",
    ),
    ("tau_b", RefusalCode.TOO_FEW_ARMS): (
        "needs ≥ {need} arms that both marked on one item, have {have}",
        "let both mark more arms of an item",
    ),
    ("kendall_w", RefusalCode.TOO_FEW_ARMS): (
        "needs ≥ {need} arms that all of them marked on one item, have {have}",
        "let all mark more arms of an item",
    ),
    ("pareto", RefusalCode.TOO_FEW_ARMS): (
        "needs ≥ {need} arms that are placed, have {have}",
        "give those marked ? the totals they lack, or add arms",
    ),
    ("judges_as_sample", RefusalCode.TOO_FEW_ITEMS): (
        "needs ≥ {need} items where all marked both arms, have {have}",
        "",
    ),
    ("tau_b", RefusalCode.NO_VARIATION): _TIES_ALL,
    ("kendall_w", RefusalCode.NO_VARIATION): _TIES_ALL,
    ("ordering_accuracy", RefusalCode.NO_VARIATION): _TIES_ALL,
    ("vote_agreement", RefusalCode.NO_VARIATION): ("one of the two calls everything a tie", ""),
    ("compression", RefusalCode.NO_VARIATION): (
        "one of the two gives the same mark everywhere",
        "",
    ),
    ("halo", RefusalCode.NO_VARIATION): ("fewer than two criteria vary within items", ""),
    ("detectable", RefusalCode.TOO_FEW_ARMS): _FEW_MARKED,
    ("items_needed", RefusalCode.TOO_FEW_ARMS): _FEW_MARKED,
    ("rank", RefusalCode.TOO_FEW_ARMS): _FEW_MARKED,
    ("best", RefusalCode.TOO_FEW_ARMS): _FEW_MARKED,
    ("set_of_best", RefusalCode.TOO_FEW_ARMS): _FEW_MARKED,
    ("circular_share", RefusalCode.TOO_FEW_ITEMS): (
        "needs ≥ {need} decided triads of arms, have {have}",
        "add items, or arms",
    ),
}


GROUPS = (
    "the arms fall into {have} groups that never met, and nothing is said between them",
    NEVER_MET,
)
