"""Files of other tools, taken in as run folders: one module a tool."""
