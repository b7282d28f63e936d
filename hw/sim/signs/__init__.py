"""Simulated signs: they take any bytes and keep what a person would read."""
