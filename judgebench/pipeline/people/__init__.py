"""People's marks: who is to mark what, what they gave, and the judge beside them."""
