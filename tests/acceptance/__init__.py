"""Whole commands against a real server, a real database and real files."""
