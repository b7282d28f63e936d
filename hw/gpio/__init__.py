"""Buttons and sensors on GPIO lines."""
