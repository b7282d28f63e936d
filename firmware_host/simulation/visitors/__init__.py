"""Visitors at a simulated table: somebody outside has the hands of one seat."""
