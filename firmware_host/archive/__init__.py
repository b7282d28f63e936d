"""Rounds that are in the store, as recall, the photo finish and the console show them."""
