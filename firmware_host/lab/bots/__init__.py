"""Simulated people. They know their dice or cards and see the table, and act only with their hands."""
