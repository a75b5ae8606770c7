"""Nobody who judges may know who wrote: masking, leak scan, order and labels."""
