"""Pure statistics over arrays; every function returns an Estimate or a Refusal."""
