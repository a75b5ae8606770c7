"""Pure statistics over arrays; every function returns an Estimate or a Refusal.

NaN means "no mark" and never leaves this room. Nothing here reads a file, a
clock or a random state: where draws are needed a `numpy.random.Generator` is an
argument. Axis letters are the same everywhere: A arms, I items, K criteria,
J judges, R repeats, N items that two arms share. docs/statistics.md says when
each figure is printed and where it comes from.
"""
