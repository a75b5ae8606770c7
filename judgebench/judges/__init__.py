"""Judges: prompts, replies, quotes, budgets and the ways to a model."""
