"""What the system around a process has to do with it: signals, systemd, terminals, logs."""
