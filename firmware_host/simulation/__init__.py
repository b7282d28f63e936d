"""Simulated people at simulated tables: one party, a tournament of them, and its statistics."""
