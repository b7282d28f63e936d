"""Real processes: a table at which simulated people play, and the web process as a user starts it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.web.browsers import Browser, wait_until

COMMAND = [sys.executable, "-m", "firmware_host.cli"]


def environment(state: Path) -> dict[str, str]:
    """That of a user whose own folder is this one."""
    return os.environ | {"XDG_STATE_HOME": str(state), "PYTHONUNBUFFERED": "1"}


@contextmanager
def playing(state: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """The user's own table."""
    command = [*COMMAND, "run", "--simulated", "--seed", "3", *options]
    with subprocess.Popen(
        command, env=environment(state), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            wait_until(
                lambda: (state / "ligretto-table" / "feed.sock").exists() or process.poll() is not None
            )
            yield process
        finally:
            end(process)


@contextmanager
def on_the_web(state: Path, *options: str) -> Iterator[tuple[Browser, subprocess.Popen[str]]]:
    """The web process, and a browser that has followed the link."""
    command = [*COMMAND, "web", "--port", "0", *options]
    with subprocess.Popen(
        command, env=environment(state), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            link = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            assert link is not None, line
            yield Browser(int(link[1])), process
        finally:
            end(process)


def end(process: subprocess.Popen[bytes] | subprocess.Popen[str]) -> None:
    """As systemd does it."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def web(state: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The command, if it ends by itself."""
    command = [*COMMAND, "web", *options]
    return subprocess.run(
        command, env=environment(state), capture_output=True, text=True, timeout=60, check=False
    )
