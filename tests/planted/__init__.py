"""How much the tests see: small faults are planted into copies of the source, one at a time."""
