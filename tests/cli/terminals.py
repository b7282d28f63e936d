"""A process on a terminal of its own, and what it shows there."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from types import TracebackType

CTRL_C = "\x03"
PATIENCE_S = 30.0
HOME = "\x1b[H"
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class TerminalProcess:
    """Leads the terminal's session: Ctrl-C reaches it and all that it has started."""

    def __init__(
        self, command: list[str], columns: int = 100, lines: int = 40, term: str = "xterm-256color"
    ) -> None:
        self.seen = ""
        """All that it has printed so far."""
        self._master, slave = pty.openpty()
        self.resize(columns, lines)
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "TERM")}
        self._process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**kept, "TERM": term} if term else kept,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(slave)

    def __enter__(self) -> TerminalProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        os.close(self._master)

    def press(self, keys: str) -> None:
        """Press keys of its terminal."""
        os.write(self._master, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        """Give the window another size; the processes in it hear of that."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def wait_for(self, text: str) -> None:
        """Until it has printed this."""
        self._wait(lambda: text in self.seen)

    def wait_for_new(self, text: str) -> None:
        """Until it prints this from now on."""
        begun = len(self.seen)
        self._wait(lambda: text in self.seen[begun:])

    def wait_for_picture(self, columns: int, lines: int) -> None:
        """Until a whole picture is exactly of this size."""
        self._wait(lambda: [len(line) for line in self.picture()] == [columns] * lines)

    def picture(self) -> list[str]:
        """The last whole picture that it has drawn, without its colours."""
        pictures = self.seen.split(HOME)
        return _CONTROL.sub("", pictures[-2]).split("\r\n") if len(pictures) > 2 else []

    def end(self) -> int:
        """Its exit code, once it has ended."""
        self._wait(lambda: self._process.poll() is not None)
        while self._read():
            pass
        return self._process.returncode

    def _wait(self, so: Callable[[], bool]) -> None:
        give_up_s = time.monotonic() + PATIENCE_S
        while not so():
            assert time.monotonic() < give_up_s, self.seen[-5000:]
            self._read()

    def _read(self) -> bool:
        """Take what there is to read; whether there may be more."""
        if not select.select([self._master], [], [], 0.1)[0]:
            return False
        try:
            piece = os.read(self._master, 65536)
        except OSError:  # nobody has the terminal any more
            return False
        self.seen += piece.decode("utf-8", "replace")
        return bool(piece)


def _take_terminal() -> None:
    """Be ruled by this terminal; a test run in the background would hand down that Ctrl-C is ignored."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
