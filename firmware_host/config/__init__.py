"""Files read into values, with all faults of a file at once, each with what would be right."""
