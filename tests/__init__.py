"""Tests, a folder a room; run with `python -m pytest` from the root."""
