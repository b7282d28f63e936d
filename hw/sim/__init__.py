"""The simulated table: contacts, lamps and displays that behave and misbehave like real ones."""
