"""Displays on serial lines."""
