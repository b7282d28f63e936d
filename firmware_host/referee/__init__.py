"""The referee as a value: inputs go in, steps come out. Pure: it calls nobody, and time comes in as data."""
