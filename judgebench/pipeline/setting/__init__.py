"""What a command works on: workspace, run, rubric, judge, and what the user chose."""
