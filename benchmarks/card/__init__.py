"""Do the intervals on a judge's card hold the truth? Judges with planted leanings, simulated.

`python -m benchmarks.card --short` takes a minute of one core, `--full` some ten; both write
their table into docs/judge.md.
"""
