"""What a run of the tests was made on, and which tests it left out for want of what."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
from collections import Counter
from collections.abc import Generator, Mapping
from importlib.util import find_spec
from typing import Any

import pytest

from hw.gpio.gpio_chips import LibraryMissing

NO_LGPIO = "no lgpio here: there is no package of it for this Python"

PACKAGES = {
    "aplay": "alsa-utils",
    "chromium": "chromium",
    "jq": "jq",
    "kill": "procps",
    "make": "make",
    "socat": "socat",
    "systemd-analyze": "systemd",
    "systemd-sysusers": "systemd",
    "udevadm": "udev",
}
"""The programs that only tests need, and the Debian packages that have them."""
RUN_BEFORE, RUN_AFTER = "counted", "not counted"
"""What `make test` runs apart, one after the other; the second run tells what was left out of both."""


def why_without(*programs: str) -> str:
    """What is missing on this machine, and how to have it; empty if all of these programs are there."""
    missing = [program for program in programs if shutil.which(program) is None]
    packages = sorted({PACKAGES[program] for program in missing})
    return f"no {' and no '.join(missing)} here: sudo apt install {' '.join(packages)}" if missing else ""


def needs(*programs: str) -> pytest.MarkDecorator:
    """The mark of tests that are left out where one of these programs is missing."""
    reason = why_without(*programs)
    return pytest.mark.skipif(bool(reason), reason=reason or "they are there")


def unless_lgpio_is_missing() -> Generator[None]:
    """Runs what may need lgpio, or leaves it out if that is what is missing."""
    try:
        yield
    except LibraryMissing as missing:
        if find_spec("lgpio") is None and "the pins" in str(missing):
            pytest.skip(NO_LGPIO)
        raise


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Tell both in a section of their own, a line for each reason."""
    left_out = Counter(map(_reason, terminalreporter.stats.get("skipped", ())))
    cache = getattr(config, "cache", None)  # there is none with `-p no:cacheprovider`
    if cache and config.option.markexpr == RUN_BEFORE:
        cache.set("left-out", left_out)
    elif cache and config.option.markexpr == RUN_AFTER:
        left_out.update(cache.get("left-out", {}))
    terminalreporter.section("what it ran on")
    for line in told(left_out):
        terminalreporter.line(line)


def _reason(report: Any) -> str:
    """Why a test was skipped."""
    return str(report.longrepr[2]).removeprefix("Skipped: ")


def told(left_out: Mapping[str, int]) -> list[str]:
    """The machine in one line, and what was left out there."""
    machine = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    user = "an ordinary user" if os.geteuid() else "root"
    lines = [f"{machine}, {platform.system()} {platform.release()}, as {user}"]
    lines += [f"{count} left out: {reason}" for reason, count in sorted(left_out.items())]
    return lines if left_out else [*lines, "no test was left out"]
