"""From a wiring profile to a table that can be built: wires, parts, power, drawings, faults. Pure."""
