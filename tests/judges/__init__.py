"""Tests of judgebench.judges."""
