"""Tests that run inside the emulated machine, and what they play with there."""
