"""A running table: the loop, the journal, its devices, and what the system around it asks."""
