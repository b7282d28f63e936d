"""The simulated bus: smbus2's own calls end at its chips, and its faults look as the kernel's do."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Any

import pytest
import smbus2
from smbus2.smbus2 import I2cFunc

from hw.sim.i2c_bus import SimI2cBus, Transfer


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


def test_every_kind_of_transfer_arrives_as_it_was_sent() -> None:
    _, tape, bus = wired()
    bus.write_byte(0x20, 0x81)
    bus.write_byte_data(0x20, 0x05, 0xAB)
    bus.write_word_data(0x20, 0x06, 0x1234)
    bus.write_i2c_block_data(0x20, 0x00, [1, 2, 3])
    assert tape.reported == [
        ("write", 0x81, b""),
        ("write", 0x05, b"\xab"),
        ("write", 0x06, b"\x34\x12"),
        ("write", 0x00, b"\x01\x02\x03"),
    ]


def test_every_kind_of_reading_comes_back_as_it_was_answered() -> None:
    _, tape, bus = wired()
    assert bus.read_byte(0x20) == 0x61
    assert bus.read_byte_data(0x20, 0x12) == 0x61
    assert bus.read_word_data(0x20, 0x12) == 0x6261
    assert bus.read_i2c_block_data(0x20, 0x0E, 6) == list(b"abcdef")
    assert tape.reported == [("read", None, 1), ("read", 0x12, 1), ("read", 0x12, 2), ("read", 0x0E, 6)]


def test_what_crossed_the_wires_is_kept_and_counted() -> None:
    wires, _, bus = wired()
    bus.write_i2c_block_data(0x20, 0x04, [7, 8])
    bus.read_i2c_block_data(0x70, 0x00, 2)
    assert list(wires.log) == [Transfer(0x20, False, 4, b"\7\x08"), Transfer(0x70, True, 0, b"ab")]
    assert (wires.transfers, wires.bytes_written, wires.opened) == (2, 3, 1)


def gone(wires: SimI2cBus) -> None:
    wires.gone.add(0x20)


def hangs(wires: SimI2cBus) -> None:
    wires.hangs = True


def refused(wires: SimI2cBus) -> None:
    wires.nack_every = 1


@pytest.mark.parametrize(
    ("fault", "number"), [(gone, errno.EREMOTEIO), (refused, errno.EREMOTEIO), (hangs, errno.ETIMEDOUT)]
)
def test_a_fault_is_the_error_that_the_kernel_gives(fault: Callable[[SimI2cBus], None], number: int) -> None:
    wires, tape, bus = wired()
    fault(wires)
    with pytest.raises(OSError, match=os.strerror(number)):
        bus.read_byte(0x20)
    with pytest.raises(OSError, match=os.strerror(number)):
        bus.write_byte(0x20, 1)
    assert (tape.reported, len(wires.log), wires.transfers) == ([], 0, 2)


def test_nobody_answers_where_there_is_no_chip() -> None:
    _, _, bus = wired()
    with pytest.raises(OSError, match=os.strerror(errno.EREMOTEIO)):
        bus.read_byte(0x21)


def test_each_so_many_th_transfer_fails() -> None:
    wires, _, bus = wired()
    wires.nack_every = 3
    outcomes = []
    for _ in range(9):
        try:
            bus.write_byte(0x20, 0)
            outcomes.append(True)
        except OSError:
            outcomes.append(False)
    assert outcomes == [True, True, False] * 3


def test_readings_can_be_garbled_for_one_chip() -> None:
    wires, _, bus = wired()
    wires.garble = lambda at, data: data[::-1] if at == 0x20 else data
    assert bus.read_i2c_block_data(0x20, 0, 3) == list(b"cba")
    assert bus.read_i2c_block_data(0x70, 0, 3) == list(b"abc")


CALLS: dict[I2cFunc, Callable[[Any], object]] = {
    I2cFunc.SMBUS_QUICK: lambda bus: bus.write_quick(0x20),
    I2cFunc.SMBUS_READ_BYTE: lambda bus: bus.read_byte(0x20),
    I2cFunc.SMBUS_WRITE_BYTE: lambda bus: bus.write_byte(0x20, 0),
    I2cFunc.SMBUS_READ_BYTE_DATA: lambda bus: bus.read_byte_data(0x20, 0),
    I2cFunc.SMBUS_WRITE_BYTE_DATA: lambda bus: bus.write_byte_data(0x20, 0, 0),
    I2cFunc.SMBUS_READ_WORD_DATA: lambda bus: bus.read_word_data(0x20, 0),
    I2cFunc.SMBUS_WRITE_WORD_DATA: lambda bus: bus.write_word_data(0x20, 0, 0),
    I2cFunc.SMBUS_PROC_CALL: lambda bus: bus.process_call(0x20, 0, 1),
    I2cFunc.SMBUS_READ_BLOCK_DATA: lambda bus: bus.read_block_data(0x20, 0),
    I2cFunc.SMBUS_WRITE_BLOCK_DATA: lambda bus: bus.write_block_data(0x20, 0, [1]),
    I2cFunc.SMBUS_BLOCK_PROC_CALL: lambda bus: bus.block_process_call(0x20, 0, [1]),
    I2cFunc.SMBUS_READ_I2C_BLOCK: lambda bus: bus.read_i2c_block_data(0x20, 0, 2),
    I2cFunc.SMBUS_WRITE_I2C_BLOCK: lambda bus: bus.write_i2c_block_data(0x20, 0, [1]),
    # The bus has a copy of smbus2 to itself, and so a class of messages of its own.
    I2cFunc.I2C: lambda bus: bus.i2c_rdwr(bus.i2c_rdwr.__globals__["i2c_msg"].read(0x20, 1)),
}


@pytest.mark.parametrize("function", CALLS, ids=lambda function: function.name)
def test_the_bus_can_do_what_it_says_and_nothing_else(function: I2cFunc) -> None:
    """What no chip here needs is refused, and not ignored."""
    _, _, bus = wired()
    if int(bus.funcs) & function:
        CALLS[function](bus)
    else:
        with pytest.raises(OSError, match=os.strerror(errno.EOPNOTSUPP)):
            CALLS[function](bus)


def test_the_functions_of_the_bus_are_those_of_smbus_without_calls_and_counted_blocks() -> None:
    _, _, bus = wired()
    assert int(bus.funcs) == 0x0C7F_0000


def test_the_module_that_everybody_else_uses_is_left_alone() -> None:
    wires, _, bus = wired()
    assert type(bus) is not smbus2.SMBus
    assert vars(smbus2.smbus2)["ioctl"] != wires._ioctl
