"""Single keys of the terminal, as they are pressed."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import termios
import tty
from types import TracebackType
from typing import Any

MOST = 64


class Keyboard:
    """Inside `with`, keys come without Enter; without a terminal there are none."""

    def __init__(self) -> None:
        self._descriptor: int | None = None
        self._before: list[Any] = []

    def __enter__(self) -> Keyboard:
        with contextlib.suppress(OSError, ValueError, termios.error):  # it may be closed, or none at all
            descriptor = sys.stdin.fileno()
            self._before = termios.tcgetattr(descriptor)
            tty.setcbreak(descriptor)
            self._descriptor = descriptor
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor is not None:
            with contextlib.suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)
        self._descriptor = None

    @property
    def descriptors(self) -> list[int]:
        """What is readable when a key was pressed."""
        return [] if self._descriptor is None else [self._descriptor]

    def read(self) -> str:
        """The keys that were pressed since the last call."""
        if self._descriptor is None or not select.select([self._descriptor], (), (), 0)[0]:
            return ""
        try:
            keys = os.read(self._descriptor, MOST)
        except OSError:
            keys = b""
        if not keys:  # nobody is there any more
            self._descriptor = None
        return keys.decode("ascii", "ignore").lower()
