"""Chips on an I2C bus."""
