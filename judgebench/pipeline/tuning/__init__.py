"""A rubric tuned by marks of people, version by version."""
