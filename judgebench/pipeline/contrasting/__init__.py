"""In what kind outputs differ: asked of the judge, counted by code."""
