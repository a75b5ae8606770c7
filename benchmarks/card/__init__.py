"""Do the intervals on a judge's card hold the truth? Judges with planted leanings, simulated.

`python -m benchmarks.card --short` takes about a minute of one core, `--full` about three; both
write their tables into docs/judge.md.
"""
