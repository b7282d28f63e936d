"""The frames that an Alpha sign finds among the bytes on its line.

A frame is SOH, the type and address of those it is for, and one or more commands, each
between STX and ETX with a checksum behind, or without one up to the next; EOT ends it.
Silence of a second ends it too. A new SOH begins from scratch, wherever it comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

SOH, STX, ETX, EOT = 0x01, 0x02, 0x03, 0x04
SILENCE_NS = 1_000_000_000
MOST_IN_FRAME = 4096


class Heard(NamedTuple):
    """One command, its frame and when that began. `sound`: its checksum is right, or it has none."""

    to: bytes
    command: bytes
    sound: bool
    frame: int
    since_ns: int


class FrameParser:
    """Bytes in, commands out. The line has seven bits; whatever else comes with them is cut off."""

    def __init__(self) -> None:
        self._frame: bytearray | None = None  # what followed SOH; None: waiting for one
        self._frames = 0
        self._since_ns = 0
        self._last_ns = 0

    def feed(self, data: bytes, now_ns: int) -> Iterator[Heard]:
        """The commands that are complete with these bytes."""
        if now_ns - self._last_ns > SILENCE_NS:
            self._frame = None
        self._last_ns = now_ns
        for code in data:
            code &= 0x7F
            if code == SOH:
                self._frame = bytearray()
                self._frames += 1
                self._since_ns = now_ns
            elif self._frame is not None and code == EOT:
                frame, self._frame = bytes(self._frame), None
                yield from self._commands(frame)
            elif self._frame is not None:
                self._frame.append(code)
                if len(self._frame) > MOST_IN_FRAME:
                    self._frame = None

    def reset(self) -> None:
        """Forget what has begun."""
        self._frame = None

    def _commands(self, frame: bytes) -> Iterator[Heard]:
        to, *bodies = frame.split(bytes([STX]))
        for body in bodies:
            command, end, checksum = body.partition(bytes([ETX]))
            sound = not end or checksum == b"%04X" % _sum(command)
            yield Heard(to, command, sound, self._frames, self._since_ns)


def _sum(command: bytes) -> int:
    """Everything from STX to ETX, both included."""
    return (STX + sum(command) + ETX) & 0xFFFF
