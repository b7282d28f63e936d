"""What players see: lamps and scoreboard pages, made from the session and the time. Pure."""
