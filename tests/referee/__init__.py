"""The referee as a value."""
