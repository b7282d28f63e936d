"""A simulated text display: takes bytes and keeps what a person would read on it."""

from __future__ import annotations

import re
from collections import deque

_PIECES = re.compile(r"[^\x00-\x1f]+|\x0c|\n")
"""Text, a form feed or a line feed; other control codes show nothing."""


class SimTextDisplay:
    """Decodes plain text with form feeds; `lines` is what it shows now."""

    def __init__(self, rows: int = 2, columns: int = 20, keep: int | None = None) -> None:
        self._rows, self._columns = rows, columns
        self._screen = [""] * rows
        self._row = 0
        self.bytes_taken = 0
        self.history: deque[bytes] = deque(maxlen=keep)

    @property
    def lines(self) -> tuple[str, ...]:
        """The text on the display."""
        return tuple(self._screen)

    def write(self, data: bytes) -> None:
        """Take bytes from the line, whole pages or pieces."""
        self.bytes_taken += len(data)
        self.history.append(data)
        for piece in _PIECES.findall(data.decode("ascii", "replace")):
            if piece == "\x0c":
                self._screen = [""] * self._rows
                self._row = 0
            elif piece == "\n":
                self._row += 1
            elif self._row < self._rows:
                self._screen[self._row] = (self._screen[self._row] + piece)[: self._columns]
