"""Measurements: each sets up a real table on simulated devices and returns plain figures."""
