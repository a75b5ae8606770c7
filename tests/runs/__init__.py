"""Tests of judgebench.runs."""
