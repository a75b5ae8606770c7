"""Projects: finds counted by code, totals made of them, claims checked again."""
