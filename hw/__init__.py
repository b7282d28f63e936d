"""Devices: drivers behind narrow ports. A leaf: nothing in here knows the game."""
