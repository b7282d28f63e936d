"""A simulated I2C bus, and chips modelled to the register."""
