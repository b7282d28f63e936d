"""Files that describe a table, read into values, with all faults of a file at once."""
