"""Degenerate runs through every figure: no number that is none.

``python -m benchmarks.fuzz`` tries 5,000 runs on the statistics and the extended report,
and some of them from a file of marks through the store to JSON, CSV and pages.
"""
