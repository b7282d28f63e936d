"""A test that takes the whole machine with it, as a fault in the kernel would."""

from pathlib import Path


def test_that_ends_it_all() -> None:
    Path("/proc/sysrq-trigger").write_text("c")
