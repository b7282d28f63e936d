"""What everything else is about, as values, and the one text form of each. Pure."""
