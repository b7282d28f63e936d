"""Real processes: a table at which simulated people play, and the web process as a user starts it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
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
    command = [*COMMAND, "run", "--simulated", "--seed", "3", "--speed", "10", *options]
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
    """The web process of the user's own table, and a browser that has followed the link."""
    command = [*COMMAND, "web", "--port", "0", "--store", str(own_store(state)), *options]
    with subprocess.Popen(
        command, env=environment(state), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            line = next_line(process)
            link = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            assert link is not None, line
            yield Browser(int(link[1])), process
        finally:
            end(process)


def own_store(state: Path) -> Path:
    """That of the user's own table; without it the commands ask for the one that runs as a service."""
    return state / "ligretto-table" / "simulated.db"


def next_line(process: subprocess.Popen[str]) -> str:
    """The next line that it writes; if there is none for a minute, it is ended, and what it wrote is told."""
    assert process.stdout is not None
    ending = threading.Timer(60, process.kill)
    ending.start()
    try:
        line = process.stdout.readline()
    finally:
        ending.cancel()
    assert line.endswith("\n"), f"it was to say something within a minute, and said {line!r}"
    return line


def end(process: subprocess.Popen[bytes] | subprocess.Popen[str]) -> None:
    """As systemd does it."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def web(state: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The command, if it ends by itself."""
    command = [*COMMAND, "web", "--store", str(own_store(state)), *options]
    return subprocess.run(
        command, env=environment(state), capture_output=True, text=True, timeout=60, check=False
    )
