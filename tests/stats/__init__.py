"""Statistics: published values, independent references, properties, refusals."""
