"""Readers of RFID tags."""
