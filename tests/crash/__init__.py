"""A daemon that is killed again and again, and people who go on playing: nothing may be lost."""
