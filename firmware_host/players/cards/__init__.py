"""Simulated people with cards: the cards that only they see, and what they do with them."""
