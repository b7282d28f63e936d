"""From files to values: every fault of a file at once, each with what would be right."""
