"""Electrical sense: what a profile and its choices of parts get wrong electrically, with the reason."""
