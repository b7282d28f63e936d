"""A plain text display of somebody's own making, on a serial line."""

from __future__ import annotations

from hw.sim.outputs import SimTextDisplay


class TextModel:
    """A `SimTextDisplay` that loses what it shows with its power."""

    def __init__(self, rows: int = 2, columns: int = 20) -> None:
        self._rows, self._columns = rows, columns
        self._display: SimTextDisplay | None = self._new()

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads on it."""
        if self._display is None:
            return ("",) * self._rows
        return tuple(line.rstrip() for line in self._display.lines)

    def opened(self, now_ns: int) -> None:
        self._display = self._new()

    def closed(self, now_ns: int) -> None:
        self._display = None

    def received(self, data: bytes, now_ns: int) -> None:
        if self._display is not None:
            self._display.write(data)

    def step(self, now_ns: int) -> int | None:
        return None

    def take_outgoing(self) -> bytes:
        return b""

    def _new(self) -> SimTextDisplay:
        return SimTextDisplay(self._rows, self._columns, keep=0)


def text_model(columns: int) -> TextModel:
    """One with two rows."""
    return TextModel(2, columns)
