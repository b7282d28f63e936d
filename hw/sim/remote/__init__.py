"""A simulated table that lives in another process: what passes on the wire, and the devices at this end."""
