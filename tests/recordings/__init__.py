"""Forty matches as a referee got them, with digests of what it decided and showed: see `recording.py`."""
