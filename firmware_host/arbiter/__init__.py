"""Debouncing, order, dead heats and claims. Pure: the time comes in as data."""
