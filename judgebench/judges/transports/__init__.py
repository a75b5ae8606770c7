"""The ways to a judge, one protocol: live, batch files, recorded replies."""
