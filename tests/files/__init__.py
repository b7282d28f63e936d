"""Tests of firmware_host/files."""
