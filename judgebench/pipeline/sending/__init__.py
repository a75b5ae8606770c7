"""Requests on their way: workers, replies, journal, and an orderly end."""
