"""Service mode at the table itself: the combination that opens it, and the panel that buttons drive. Pure."""
