"""The rules of the games: values in, values out; no clock, no I/O, no randomness."""
