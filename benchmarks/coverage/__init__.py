"""How often do the intervals hold the truth? Seven named scenarios, five sizes of run.

`python -m benchmarks.coverage --short` takes a minute or two of one core, `--full` a
quarter of an hour; both write their table into docs/statistics.md.
"""
