"""A daemon that runs for long, while people come and go and devices fail."""
