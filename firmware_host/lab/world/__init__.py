"""A simulated world in a process of its own: it goes on when the daemon that plays in it is killed."""
