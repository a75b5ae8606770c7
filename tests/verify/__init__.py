"""Tests of `judge verify`."""
