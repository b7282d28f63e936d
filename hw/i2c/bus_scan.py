"""Which addresses answer on a bus, asked in the least harmful way.

A quick write is an address and nothing else. It is harmless, except for some memories, which take
it for the start of a write. Those addresses are read instead. So is every address of a bus without
quick writes, and any expected chip that did not answer: some adapters only pretend to support them.
"""

from __future__ import annotations

import errno
from collections.abc import Container, Iterable
from typing import Any

ADDRESSES = range(0x08, 0x78)
"""Those that are not reserved for other messages."""
MEMORIES = (range(0x30, 0x38), range(0x50, 0x60))
QUICK = 0x0001_0000
"""The adapter's flag for quick writes."""

NOBODY = (errno.EREMOTEIO, errno.ENXIO, errno.EIO, errno.ENODEV)
"""The errors of adapters for an address where no chip answers."""


class BusScan:
    """One scan; `expected` are the addresses where a chip should be."""

    def __init__(self, expected: Container[int] = (), addresses: Iterable[int] = ADDRESSES) -> None:
        self.answered: set[int] = set()
        self.claimed: set[int] = set()
        """Addresses in use by a driver of the kernel: they can't be asked, but a chip is there."""
        self._expected = expected
        self._addresses = addresses

    def run(self, bus: Any) -> None:
        """Ask each address on an open SMBus. OSError if the whole bus hangs or can't be asked."""
        quick = bool(int(bus.funcs) & QUICK)
        for address in self._addresses:
            try:
                if self._answers(bus, address, quick and not _is_memory(address)):
                    self.answered.add(address)
            except OSError as error:
                if error.errno != errno.EBUSY:
                    raise
                self.claimed.add(address)

    def _answers(self, bus: Any, address: int, quick: bool) -> bool:
        if _acknowledged(bus.write_quick if quick else bus.read_byte, address):
            return True
        return quick and address in self._expected and _acknowledged(bus.read_byte, address)


def _is_memory(address: int) -> bool:
    return any(address in memories for memories in MEMORIES)


def _acknowledged(ask: Any, address: int) -> bool:
    try:
        ask(address)
    except OSError as error:
        if error.errno in NOBODY:
            return False
        raise
    return True
