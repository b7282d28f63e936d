"""Walks: a person goes from part to part, and each is ticked off as it shows that it works.

A walk takes what the loop hands it, as the shell of a game would. It touches nothing by itself.
"""
