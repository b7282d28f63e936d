"""The session: the seats, the phase of the table, and what every event means in it. Pure."""
