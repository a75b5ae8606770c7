"""What pages show of the store: results, answers, judgments, and the price of more."""
