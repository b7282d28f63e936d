"""Tests of firmware_host/system."""
