"""The pages in a real browser, against a real daemon at a simulated table."""
