"""How long a test waits before it calls the product hung; no test times how fast it is.

Speeds are ratios in `benchmarks/`: a busy machine must not fail a test.
"""

HANG_S = 30.0
"""Far above what any of these takes, far below what a hang would."""
