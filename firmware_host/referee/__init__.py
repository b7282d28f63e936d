"""The referee as a value: inputs go in, and steps come out. Pure: time comes in as data."""
