"""A scan finds the chips in the least harmful way, and distinguishes a faulty bus from an empty one."""

from __future__ import annotations

import errno
import os
from typing import Any

import pytest

from hw.i2c.bus import ADDRESSES, QUICK, BusScan
from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.i2c_bus import SimI2cBus, Transfer
from hw.sim.mcp23017 import Mcp23017Model


class Unwilling:
    """A bus that can't write quickly, or only claims that it can for a chip that is there."""

    def __init__(self, bus: Any, *, funcs: int, quick: bool = True) -> None:
        self.funcs = funcs
        self._bus = bus
        self._quick = quick

    def write_quick(self, address: int) -> None:
        if not self._quick:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        self._bus.write_quick(address)

    def read_byte(self, address: int) -> int:
        return int(self._bus.read_byte(address))


class ClaimedBus:
    """A bus on which the kernel has some addresses."""

    funcs = QUICK

    def __init__(self, *addresses: int, error: int = errno.EBUSY) -> None:
        self._addresses = addresses
        self._error = error

    def write_quick(self, address: int) -> None:
        raise OSError(self._error if address in self._addresses else errno.ENXIO, "")

    read_byte = write_quick


def wires() -> SimI2cBus:
    return SimI2cBus({0x21: Mcp23017Model(), 0x52: Ht16k33Model(), 0x70: Ht16k33Model()})


def test_all_chips_are_found_and_nothing_else() -> None:
    scan = BusScan()
    scan.run(wires().open())
    assert scan.answered == {0x21, 0x52, 0x70}
    assert scan.claimed == set()


def test_nothing_is_written_to_any_chip_and_no_memory_is_asked_quickly() -> None:
    bus = wires()
    BusScan().run(bus.open())
    assert list(bus.log) == [
        Transfer(0x21, False, None, b""),
        Transfer(0x52, True, None, b"\x5a"),
        Transfer(0x70, False, None, b""),
    ]
    assert bus.bytes_written == 0
    assert bus.transfers == len(ADDRESSES)


def test_a_bus_without_quick_writes_is_read_from() -> None:
    bus = wires()
    scan = BusScan()
    scan.run(Unwilling(bus.open(), funcs=0))
    assert scan.answered == {0x21, 0x52, 0x70}
    assert all(transfer.reads for transfer in bus.log)


def test_who_should_be_there_is_asked_a_second_time() -> None:
    scan = BusScan(expected={0x70})
    scan.run(Unwilling(wires().open(), funcs=QUICK, quick=False))
    assert scan.answered == {0x52, 0x70}


def test_addresses_of_the_kernel_are_listed_apart() -> None:
    scan = BusScan(expected={0x70})
    scan.run(ClaimedBus(0x68, 0x70))
    assert (scan.answered, scan.claimed) == (set(), {0x68, 0x70})


def test_a_bus_that_hangs_is_not_asked_on() -> None:
    bus = wires()
    bus.hangs = True
    with pytest.raises(OSError, match="timed out") as hung:
        BusScan().run(bus.open())
    assert hung.value.errno == errno.ETIMEDOUT
    assert bus.transfers == 1


def test_an_error_of_another_kind_is_about_the_bus() -> None:
    with pytest.raises(OSError, match=r".") as refused:
        BusScan().run(ClaimedBus(0x20, error=errno.EACCES))
    assert refused.value.errno == errno.EACCES
