"""What is taken on a table: each line, address, port and name can be had once."""

from __future__ import annotations

import re

from firmware_host.config.faults import FaultyReader
from firmware_host.config.profile import GPIO_LINES

OWN_NAMES = ("gpio", "interrupts", "i2c", "lamps", "scoreboard")
"""Devices that every table may have, by the names under which it tells how they are."""
_NAME = re.compile(r"[a-z][a-z0-9-]{0,15}")


class Claims:
    """Gives out what can be had once, with a fault for whoever comes second."""

    def __init__(self, reader: FaultyReader) -> None:
        self._reader = reader
        self._lines: dict[int, str] = {}
        self._addresses: dict[int, str] = {}
        self._names = dict.fromkeys(OWN_NAMES, "the table itself")
        self._ports: dict[str, str] = {}

    def reserve(self, lines: tuple[int, ...], owner: str) -> None:
        """These lines are nobody else's from now on."""
        self._lines |= dict.fromkeys(lines, owner)

    def line(self, key: str, line: object, owner: str) -> int:
        """A GPIO line that nobody else has; -1 if it can't be had."""
        number = self._reader.number(key, line, 0, GPIO_LINES - 1)
        if number < 0:
            return -1
        if number in self._lines:
            self._taken(key, f"line {number}", "a line", self._lines[number])
            return -1
        self._lines[number] = owner
        return number

    def address(self, key: str, value: object, span: tuple[int, int], owner: str) -> int:
        """An address on the bus; -1 if it is none."""
        address = self._reader.number(key, value, *span, form="0x{:02x}")
        if address in self._addresses:
            self._taken(key, f"0x{address:02x}", "an address", self._addresses[address])
        elif address >= 0:
            self._addresses[address] = owner
        return address

    def name(self, key: str, name: str) -> None:
        """A device's name."""
        if not _NAME.fullmatch(name):
            self._reader.fault(key, name, "a name of small letters, digits and hyphens, up to 16")
        elif name in self._names:
            self._taken(key, name, "a name", self._names[name])
        self._names[name] = key

    def port(self, key: str, value: object, default: str | None = None) -> str:
        """A serial port that nobody else has."""
        port = self._reader.text(key, value, default)
        if port and port in self._ports:
            self._taken(key, port, "a port", self._ports[port])
        self._ports[port] = key
        return port

    def _taken(self, key: str, found: str, what: str, owner: str) -> None:
        self._reader.fault(key, found, f"{what} of its own; it is taken by {owner}")
