"""Everything that was judged, in one DuckDB file; the only room that knows SQL."""
