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


CARDIAC = """
1 7.83 6.57 1 7.42 5.62 1 7.89 6.90 1 7.12 6.57 1 7.88 6.35 2 6.16 4.06 2 7.26 4.29 2 6.71 4.26
2 6.54 4.09 3 4.75 4.71 3 5.24 5.50 3 4.86 5.08 3 4.78 5.02 3 6.05 6.01 3 5.42 5.67 4 4.21 4.14
4 3.61 4.20 4 3.72 4.61 4 3.87 4.68 4 3.92 5.04 5 3.13 3.03 5 2.98 2.86 5 2.85 2.77 5 3.17 2.46
5 3.09 2.32 5 3.12 2.43 6 5.92 5.90 6 6.42 5.81 6 5.92 5.70 6 6.27 5.76 7 7.13 5.09 7 6.62 4.63
7 6.58 4.61 7 6.93 5.09 8 4.54 4.72 8 4.81 4.61 8 5.11 4.36 8 5.29 4.20 8 5.39 4.36 8 5.57 4.20
9 4.48 3.17 9 4.92 3.12 9 3.97 2.96 10 4.22 4.35 10 4.65 4.62 10 4.74 3.16 10 4.44 3.53
10 4.50 3.53 11 6.78 7.20 11 6.07 6.09 11 6.52 7.00 11 6.42 7.10 11 6.41 7.40 11 5.76 6.80
12 5.06 4.50 12 4.72 4.20 12 4.90 3.80 12 4.80 3.80 12 4.90 4.20 12 5.10 4.50
"""
"""Bland & Altman (2007), Table 1: subject, first method, second method."""


def cardiac() -> tuple[np.ndarray, np.ndarray]:
    """Both methods as (12, 6), NaN after the last of a subject's measurements."""
    rows = np.array(CARDIAC.split(), dtype=np.float64).reshape(-1, 3)
    out = np.full((2, 12, 6), np.nan)
    for subject in range(12):
        found = rows[rows[:, 0] == subject + 1, 1:]
        out[:, subject, : len(found)] = found.T
    return out[0], out[1]
