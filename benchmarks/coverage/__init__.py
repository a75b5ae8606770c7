"""How often do the intervals hold the truth? Seven named scenarios, five sizes of run.

`python -m benchmarks.coverage --short` takes some ten seconds of one core, `--full` four
minutes; both write their table into docs/statistics.md.
"""
