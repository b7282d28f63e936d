"""What players see: lamps and scoreboard pages as functions of the session and the time. Pure."""
