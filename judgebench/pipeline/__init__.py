"""The order of things: check, plan, send, analyse."""
