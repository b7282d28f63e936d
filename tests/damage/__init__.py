"""A store with damage in it: what the daemon and the commands that read it make of that."""
