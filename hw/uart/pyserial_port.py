"""A real serial port, through pyserial, that never makes its owner wait."""

from __future__ import annotations

import select
from typing import Any

PIECE = 64
"""Bytes handed to the system at a time, so that a slow port is noticed and can be left."""


class PyserialPort:
    """An open port; `path` should be one of /dev/ligretto or /dev/serial/by-id, which survives replugging."""

    def __init__(self, path: str, baud: int, *, bits: int = 8, parity: str = "N") -> None:
        import serial

        # Everything is given here: a pseudo-terminal refuses some changes afterwards.
        self._port: Any = serial.Serial(
            path, baud, bytesize=bits, parity=parity, timeout=0, write_timeout=0, exclusive=True
        )

    def fileno(self) -> int:
        return int(self._port.fileno())

    def read(self) -> bytes:
        """What has come in by now; raises if the port is gone."""
        return bytes(self._port.read(self._port.in_waiting or 1))

    def write(self, data: bytes) -> int:
        """Send as much as the system takes at once; how many bytes that was."""
        # pyserial loops when it may not wait and the port is full; so ask the port first.
        if not select.select((), [self._port.fileno()], (), 0)[1]:
            return 0
        return int(self._port.write(data[:PIECE]))

    def close(self) -> None:
        self._port.close()
