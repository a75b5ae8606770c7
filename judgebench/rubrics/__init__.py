"""Rubric files: read with line numbers, linted, and their arithmetic."""
