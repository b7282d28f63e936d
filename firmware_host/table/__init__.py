"""The session: who sits, which phase the table is in, and what every event means there. Pure."""
