"""An I2C bus with simulated chips on it, spoken to through smbus2's own code.

smbus2 turns its calls into `ioctl`s on a device file. Here a second, private copy of that
module is loaded whose `ioctl` ends at the chips instead of in the kernel, so everything
above, down to the structures that a kernel would get, is what runs on a real table.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections import deque
from collections.abc import Callable
from functools import cache
from importlib.abc import InspectLoader
from importlib.util import find_spec
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple, Protocol

I2C_SLAVE = 0x0703
I2C_FUNCS = 0x0705
I2C_SMBUS = 0x0720
FUNCTIONS = 0x0C07_0000
"""What this bus can do: quick, byte, and blocks whose length the host knows. No driver here needs more."""
READ = 1
NO_DESCRIPTOR = 1 << 30
QUICK, BYTE, I2C_BLOCK = 0, 1, 8


class ChipModel(Protocol):
    """A chip as the bus sees it."""

    def read(self, register: int | None, count: int) -> bytes:
        """Bytes from this register on (None: from wherever the chip's pointer is)."""

    def write(self, register: int, data: bytes) -> None:
        """Bytes to this register on; without data only a command, or the pointer."""


class Transfer(NamedTuple):
    """What crossed the wires: a register (or command) and bytes written, or bytes read from it on."""

    address: int
    reads: bool
    register: int | None
    data: bytes


class SimI2cBus:
    """Chips by address, and what can be wrong with a bus. The last `keep` transfers are kept in `log`.

    Faults: a chip in `gone` does not answer; `nack_every` lets each so many-th transfer fail;
    `hangs` lets all of them time out; `garble` changes what is read.
    """

    def __init__(self, chips: dict[int, ChipModel], keep: int = 256) -> None:
        self.chips = chips
        self.log: deque[Transfer] = deque(maxlen=keep)
        self.gone: set[int] = set()
        self.nack_every = 0
        self.hangs = False
        self.garble: Callable[[int, bytes], bytes] | None = None
        self.transfers = 0
        self.bytes_written = 0
        self.opened = 0
        self._smbus2 = _private_smbus2(self._ioctl)
        self._address = 0

    def open(self) -> Any:
        """An open `smbus2.SMBus` on this bus."""
        self.opened += 1
        return self._smbus2.SMBus("/dev/i2c-simulated")

    def _ioctl(self, descriptor: int, request: int, argument: Any) -> int:
        if request == I2C_SLAVE:
            self._address = int(argument)
        elif request == I2C_FUNCS:
            argument.value = FUNCTIONS
        elif request == I2C_SMBUS:
            self._smbus(argument)
        else:
            raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
        return 0

    def _smbus(self, message: Any) -> None:
        chip = self._reached()
        size, register, reads = int(message.size), int(message.command), int(message.read_write) == READ
        data: Any = message.data.contents if message.data else None
        if size == QUICK:  # an address and nothing else: that it was answered is all there is to it
            self.log.append(Transfer(self._address, reads, None, b""))
        elif size == BYTE:
            if reads:
                data.byte = self._read(chip, None, 1)[0]
            else:
                self._write(chip, register, b"")
        elif size == I2C_BLOCK:
            count = data.block[0]
            if reads:
                for index, value in enumerate(self._read(chip, register, count), start=1):
                    data.block[index] = ctypes.c_uint8(value)
            else:
                self._write(chip, register, bytes(data.block[1 : count + 1]))
        else:
            raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    def _reached(self) -> ChipModel:
        self.transfers += 1
        if self.hangs:
            raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        chip = self.chips.get(self._address)
        refused = self.nack_every and self.transfers % self.nack_every == 0
        if chip is None or self._address in self.gone or refused:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        return chip

    def _read(self, chip: ChipModel, register: int | None, count: int) -> bytes:
        data = chip.read(register, count)
        if self.garble is not None:
            data = self.garble(self._address, data)
        self.log.append(Transfer(self._address, True, register, data))
        return data

    def _write(self, chip: ChipModel, register: int, data: bytes) -> None:
        self.bytes_written += 1 + len(data)
        self.log.append(Transfer(self._address, False, register, data))
        chip.write(register, data)


def _private_smbus2(ioctl: Callable[[int, int, Any], int]) -> Any:
    module = ModuleType("smbus2.smbus2")
    exec(_smbus2_code(), module.__dict__)
    module.__dict__["ioctl"] = ioctl
    module.__dict__["os"] = SimpleNamespace(O_RDWR=os.O_RDWR, open=_open_nothing, close=_close_nothing)
    return module


@cache
def _smbus2_code() -> CodeType:
    spec = find_spec("smbus2.smbus2")
    assert spec is not None and isinstance(spec.loader, InspectLoader)
    code = spec.loader.get_code(spec.name)
    assert code is not None
    return code


def _open_nothing(path: str, flags: int) -> int:
    """A number in place of a descriptor: a simulated bus has no device file."""
    return NO_DESCRIPTOR


def _close_nothing(descriptor: int) -> None:
    """Do nothing: nothing was opened."""
