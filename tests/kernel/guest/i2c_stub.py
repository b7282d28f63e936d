"""An I2C bus whose chips only remember: what a chip would change by itself is changed from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.kernel.guest.gpio_sim import SimChip

I2C_STUB = "LIGRETTO_TABLE_I2C_STUB"
ADAPTERS = Path("/sys/bus/i2c/devices")
INTF = 0x0E
"""INTCAP and GPIO follow it."""


@contextmanager
def stub_bus(addresses: Iterable[int]) -> Iterator[int]:
    """A bus with chips at these addresses; its number."""
    chips = ",".join(hex(address) for address in addresses)
    subprocess.run(["insmod", os.environ[I2C_STUB], f"chip_addr={chips}"], check=True)
    try:
        yield _number()
    finally:
        subprocess.run(["rmmod", "i2c-stub"], check=True)


def _number() -> int:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        for adapter in ADAPTERS.glob("i2c-*"):
            number = int(adapter.name.removeprefix("i2c-"))
            if "stub" in (adapter / "name").read_text() and Path(f"/dev/i2c-{number}").exists():
                return number
        time.sleep(0.01)
    raise TimeoutError("i2c-stub made no bus")


class PlayedBank:
    """Plays an MCP23017 for its driver: it sets the registers that the chip would, and calls."""

    def __init__(self, bus: int, address: int, chip: SimChip | SimPulls, interrupt: int) -> None:
        from smbus2 import SMBus

        self.bus = SMBus(bus)
        self._address = address
        self._chip = chip
        self._interrupt = interrupt
        self._pins = 0xFFFF
        self._write(INTF, 0, 0xFFFF, 0xFFFF)

    def set_pin(self, pin: int, high: bool, for_s: float) -> None:
        """A pin changes: the chip latches, calls for as long, and is at rest again."""
        before = self._pins
        self._pins = self._pins | 1 << pin if high else self._pins & ~(1 << pin)
        if self._pins == before:
            return
        self._write(INTF, 1 << pin, self._pins, self._pins)
        self._chip.drive(self._interrupt, False)
        time.sleep(for_s)
        self._write(INTF, 0)
        self._chip.drive(self._interrupt, True)

    def power_on(self) -> None:
        """Its supply dipped: the setup is gone, the pins are as they are."""
        self.bus.write_i2c_block_data(self._address, 0, [0xFF, 0xFF, *[0] * 12])

    def _write(self, register: int, *values: int) -> None:
        """Write registers of two ports in one transfer, so that nobody can read half of a change."""
        data = [byte for value in values for byte in value.to_bytes(2, "little")]
        self.bus.write_i2c_block_data(self._address, register, data)


class SimPulls:
    """Drives the lines of a simulated GPIO chip that another process has made."""

    def __init__(self, files: dict[int, Path]) -> None:
        self._pulls = {line: os.open(path, os.O_WRONLY | os.O_CLOEXEC) for line, path in files.items()}

    def drive(self, line: int, high: bool) -> None:
        os.pwrite(self._pulls[line], b"pull-up" if high else b"pull-down", 0)


class ChipPlayer:
    """A `PlayedBank` in a process of its own, which does as it is told and says when it has."""

    def __init__(self, bus: int, address: int, chip: SimChip, interrupt: int) -> None:
        plan = {
            "bus": bus,
            "address": address,
            "interrupt": interrupt,
            "pull": str(chip.pull_file(interrupt)),
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.kernel.guest.i2c_stub", json.dumps(plan)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._hear("ready")

    def set_pin(self, pin: int, high: bool) -> None:
        self._do({"pin": pin, "high": high})

    def power_on(self) -> None:
        self._do({})

    def close(self) -> None:
        with self._process:
            assert self._process.stdin is not None
            self._process.stdin.close()
            assert self._process.wait(10) == 0

    def _do(self, order: dict[str, int]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{json.dumps(order)}\n")
        self._process.stdin.flush()
        self._hear("done")

    def _hear(self, word: str) -> None:
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == f"{word}\n"


CALL_S = 0.06
"""As long as an emulated machine needs to read the chip."""


def main(plan: dict[str, Any]) -> None:
    """Play one chip."""
    pulls = SimPulls({plan["interrupt"]: Path(plan["pull"])})
    bank = PlayedBank(plan["bus"], plan["address"], pulls, plan["interrupt"])
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        order = json.loads(line)
        if order:
            bank.set_pin(order["pin"], order["high"], CALL_S)
        else:
            bank.power_on()
        sys.stdout.write("done\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
