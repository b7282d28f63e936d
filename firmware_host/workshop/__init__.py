"""For makers: what a table is built of, whether it is wired well, and whether its devices work."""
