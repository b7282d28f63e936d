"""The simulated bus: smbus2's own calls end at its chips, and its faults look as the kernel's do."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Any

import pytest
import smbus2
from smbus2.smbus2 import I2cFunc

from hw.i2c.bus import ADDRESSES, QUICK, BusScan
from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.i2c_bus import SimI2cBus, Transfer
from hw.sim.mcp23017 import Mcp23017Model


class TranscriptChip:
    """A chip that keeps what is written, and answers with the alphabet."""

    def __init__(self) -> None:
        self.reported: list[tuple[str, int | None, bytes | int]] = []

    def read(self, register: int | None, count: int) -> bytes:
        self.reported.append(("read", register, count))
        return bytes(range(0x61, 0x61 + count))

    def write(self, register: int, data: bytes) -> None:
        self.reported.append(("write", register, data))


def wired() -> tuple[SimI2cBus, TranscriptChip, Any]:
    tape = TranscriptChip()
    wires = SimI2cBus({0x20: tape, 0x70: TranscriptChip()})
    return wires, tape, wires.open()


Call = Callable[[Any], object]
CALLS: dict[I2cFunc, tuple[Call, list[tuple[str, int | None, bytes | int]], object]] = {
    I2cFunc.SMBUS_QUICK: (lambda bus: bus.write_quick(0x20), [], None),
    I2cFunc.SMBUS_READ_BYTE: (lambda bus: bus.read_byte(0x20), [("read", None, 1)], 0x61),
    I2cFunc.SMBUS_WRITE_BYTE: (lambda bus: bus.write_byte(0x20, 0x81), [("write", 0x81, b"")], None),
    I2cFunc.SMBUS_READ_I2C_BLOCK: (
        lambda bus: bus.read_i2c_block_data(0x20, 0x0E, 6), [("read", 0x0E, 6)], list(b"abcdef")),
    I2cFunc.SMBUS_WRITE_I2C_BLOCK: (
        lambda bus: bus.write_i2c_block_data(0x20, 0, [1, 2, 3]), [("write", 0, b"\1\2\3")], None),
}  # fmt: skip
"""What the bus can do, what arrives at the chip, and what comes back."""
REFUSED: list[Call] = [
    lambda bus: bus.read_byte_data(0x20, 0),
    lambda bus: bus.write_byte_data(0x20, 0, 0),
    lambda bus: bus.read_word_data(0x20, 0),
    lambda bus: bus.write_word_data(0x20, 0, 0),
    lambda bus: bus.process_call(0x20, 0, 1),
    lambda bus: bus.read_block_data(0x20, 0),
    lambda bus: bus.write_block_data(0x20, 0, [1]),
    lambda bus: bus.block_process_call(0x20, 0, [1]),
    # The bus has a copy of smbus2 to itself, and so a class of messages of its own.
    lambda bus: bus.i2c_rdwr(bus.i2c_rdwr.__globals__["i2c_msg"].read(0x20, 1)),
]


@pytest.mark.parametrize("function", CALLS, ids=lambda function: function.name)
def test_every_kind_of_transfer_arrives_and_is_answered(function: I2cFunc) -> None:
    _, tape, bus = wired()
    call, arrived, answer = CALLS[function]
    assert call(bus) == answer
    assert tape.reported == arrived


@pytest.mark.parametrize("call", REFUSED)
def test_what_no_chip_here_needs_is_refused_and_not_ignored(call: Call) -> None:
    _, _, bus = wired()
    with pytest.raises(OSError, match=os.strerror(errno.EOPNOTSUPP)):
        call(bus)


def test_the_bus_says_what_it_can_do() -> None:
    _, _, bus = wired()
    assert int(bus.funcs) == sum(CALLS) == 0x0C07_0000


def test_what_crossed_the_wires_is_kept_and_counted() -> None:
    wires, _, bus = wired()
    bus.write_i2c_block_data(0x20, 0x04, [7, 8])
    bus.read_i2c_block_data(0x70, 0x00, 2)
    assert list(wires.log) == [Transfer(0x20, False, 4, b"\7\x08"), Transfer(0x70, True, 0, b"ab")]
    assert (wires.transfers, wires.bytes_written, wires.opened) == (2, 3, 1)


@pytest.mark.parametrize(
    ("fault", "value", "number"),
    [("gone", {0x20}, errno.EREMOTEIO), ("nack_every", 1, errno.EREMOTEIO), ("hangs", True, errno.ETIMEDOUT)],
)
def test_a_fault_is_the_error_that_the_kernel_gives(fault: str, value: object, number: int) -> None:
    wires, tape, bus = wired()
    setattr(wires, fault, value)
    with pytest.raises(OSError, match=os.strerror(number)):
        bus.read_byte(0x20)
    with pytest.raises(OSError, match=os.strerror(number)):
        bus.write_byte(0x20, 1)
    assert (tape.reported, len(wires.log), wires.transfers) == ([], 0, 2)


def test_nobody_answers_where_there_is_no_chip() -> None:
    with pytest.raises(OSError, match=os.strerror(errno.EREMOTEIO)):
        wired()[2].read_byte(0x21)


def test_each_so_many_th_transfer_fails() -> None:
    wires, tape, bus = wired()
    wires.nack_every = 3
    for turn in range(1, 10):
        if turn % 3:
            bus.write_byte(0x20, 0)
        else:
            with pytest.raises(OSError, match=os.strerror(errno.EREMOTEIO)):
                bus.write_byte(0x20, 0)
    assert len(tape.reported) == 6


def test_readings_can_be_garbled_for_one_chip() -> None:
    wires, _, bus = wired()
    wires.garble = lambda at, data: data[::-1] if at == 0x20 else data
    assert bus.read_i2c_block_data(0x20, 0, 3) == list(b"cba")
    assert bus.read_i2c_block_data(0x70, 0, 3) == list(b"abc")


def test_the_module_that_everybody_else_uses_is_left_alone() -> None:
    wires, _, bus = wired()
    assert type(bus) is not smbus2.SMBus
    assert vars(smbus2.smbus2)["ioctl"] != wires._ioctl


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
