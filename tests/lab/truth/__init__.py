"""Tests of the truth of simulated rounds."""
