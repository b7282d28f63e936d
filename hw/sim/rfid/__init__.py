"""Simulated readers of RFID tags."""
