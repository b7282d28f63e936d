"""Serial ports, and who owns them."""
