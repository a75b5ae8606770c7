"""The page for marks by hand."""
