"""Marks that were given elsewhere, read from a file and kept as a run of their own."""
