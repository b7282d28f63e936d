"""Commands of this program as processes of their own, for tests that kill them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE_S = 120.0


class Started:
    """One command; what it says is in a file."""

    def __init__(self, file: Path, *words: str) -> None:
        self.file = file
        command = [sys.executable, "-m", "firmware_host.cli", *words]
        with file.open("ab") as said:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
            )

    @property
    def said(self) -> str:
        return self.file.read_text()

    def until(self, so: Callable[[str], Any]) -> Any:
        """Wait until what it has said is so; it must not end before."""
        end_s = time.monotonic() + PATIENCE_S
        while True:
            ended = self.process.poll() is not None
            if found := so(self.said):
                return found
            assert not ended and time.monotonic() < end_s, self.said
            time.sleep(0.01)

    @property
    def children(self) -> list[int]:
        """The processes that it has started."""
        found = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[1]) == self.process.pid:
                found.append(int(path.parent.name))
        return found

    def end(self, number: int = signal.SIGTERM) -> int:
        """Its exit code after that signal."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)

    def clear(self) -> None:
        """Nothing of it is left."""
        if self.process.poll() is None:
            self.end()
        for pid in self.children:
            os.kill(pid, signal.SIGKILL)


def wait_until_gone(pids: list[int]) -> None:
    """All of them have ended."""
    end_s = time.monotonic() + PATIENCE_S
    while left := [pid for pid in pids if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < end_s, f"these processes are left: {left}"
        time.sleep(0.01)
