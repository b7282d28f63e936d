"""Ends the tests when one of them takes too much processor time: with a fault, a loop may not end.

At once, and by the exit code: whatever is raised may be caught, and Hypothesis would only try again.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Generator

import pytest

MOST_S = 60
"""The slowest tests take half of that."""
ENDLESS = 87
"""The exit code."""
MARK = "does not end: "


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let one test run for so long."""

    def end(number: int, frame: object) -> None:
        # To the standard output as it is: pytest keeps what is printed.
        item.config.pluginmanager.getplugin("capturemanager").stop_global_capturing()
        os.write(1, f"\n{MARK}{item.nodeid}\n".encode())
        os._exit(ENDLESS)

    signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, MOST_S)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
