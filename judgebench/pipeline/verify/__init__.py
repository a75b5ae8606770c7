"""A stored run recomputed from what lies lowest."""
