"""Small published data sets, each with the name of its source."""

import numpy as np

from judgebench.stats.arrays import FloatArray, IntArray


def table(text: str) -> FloatArray:
    """Rows between slashes, numbers between blanks."""
    return np.array([[float(cell) for cell in row.split()] for row in text.split("/")])


def digits(text: str) -> FloatArray:
    """One unit a word, one rater a digit, a middle dot where a rater gave none."""
    return np.array([[np.nan if c == "·" else float(c) for c in word] for word in text.split()])


KRIPPENDORFF = digits("11·1 2232 3333 3333 2222 1234 4444 1121 2222 ·555 ··11 ··3·")
"""Krippendorff (2011), data C: 12 units, 4 observers."""

CODERS = digits("·1· ··· ·22 ·11 ·33 334 444 13· 2·2 1·1 1·1 3·3 3·3 ··· 3·4")
"""Three coders, 15 units: the example of the encyclopedia article on α."""

SHROUT_FLEISS = table("9 2 5 8 / 6 1 3 2 / 8 4 6 8 / 7 1 2 6 / 10 5 6 9 / 6 2 4 7")
"""Shrout & Fleiss (1979), 6 targets, 4 judges."""

ANXIETY = table(
    "3 3 3 4 5 5 2 3 5 2 2 6 1 5 2 2 1 2 4 3 / 3 6 4 6 2 4 2 4 3 3 2 3 3 3 2 2 1 3 3 4 /"
    "2 1 4 4 3 2 1 6 1 1 1 2 3 3 1 1 3 3 2 2"
).T
"""Data set "anxiety" of the R package irr: 20 subjects, 3 raters."""

FLEISS_TEXT = (
    "444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 144444 124444 222333 "
    "144444 224445 333335 111455 111112 224444 133555 555555 244444 224555 114444 144445 222224 "
    "111155 224444 133333 555555"
)
FLEISS = np.array([[word.count(str(c)) for c in range(1, 6)] for word in FLEISS_TEXT.split()])
"""Fleiss (1971): 30 subjects, six diagnoses each, counts in five classes."""

FOURTEEN = table(
    "0 0 0 0 14 / 0 2 6 4 2 / 0 0 3 5 6 / 0 3 9 2 0 / 2 2 8 1 1 / 7 7 0 0 0 / 3 2 6 3 0 /"
    "2 5 3 2 2 / 6 5 2 1 0 / 0 2 2 3 7"
)
"""Ten subjects, 14 raters: the example of the encyclopedia article on Fleiss' κ."""

BASEBALL = table(
    "0 7 9 7 7 9 11 / 6 0 7 5 11 9 9 / 4 6 0 7 7 8 12 / 6 8 6 0 6 7 10 / 6 2 6 7 0 7 12 /"
    "4 4 5 6 6 0 6 / 2 4 1 3 1 7 0"
).astype(np.int64)
"""American League 1987 (Agresti): wins of row over column."""


def raters(counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Turn a square table of counts into two vectors of categories from 1."""
    first, second = games(counts.astype(np.int64))
    return (first + 1).astype(np.float64), (second + 1).astype(np.float64)


def games(wins: IntArray) -> tuple[IntArray, IntArray]:
    """Winner and loser of every game."""
    rows, columns = np.indices(wins.shape)
    return np.repeat(rows.ravel(), wins.ravel()), np.repeat(columns.ravel(), wins.ravel())
