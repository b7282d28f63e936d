"""What holds for all tests."""

from hypothesis import settings

# Generated tests may run on a busy Pi: a slow example is no failure.
settings.register_profile("table", deadline=None)
settings.load_profile("table")
