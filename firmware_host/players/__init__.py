"""Simulated people. They know their dice and see the table; they act with hands and nothing else."""
