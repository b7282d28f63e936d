"""The bus on a thread of its own, in real time: it survives its faults, and closing joins it."""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Iterator

import pytest

from hw.gpio.gpiozero_lines import GpiozeroLines
from hw.i2c.bus import I2cBus
from hw.i2c.ht16k33 import Ht16k33Leds
from hw.i2c.mcp23017 import Mcp23017Bank
from hw.ports import Condition, Edge, Health
from hw.sim.agenda import SimPinFactory
from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.i2c_bus import ChipModel, SimI2cBus
from hw.sim.mcp23017 import Mcp23017Model
from hw.work import OwnerThread
from tests.hw.i2c.bus_rig import BANK, INTERRUPT, LEDS, PINS, WIRES, HeldInterruptWire
from tests.hw.uart.pty_bench import wait_until

PATIENCE_S = 5.0


class Locked:
    """A chip that a hand and a bus may touch at once."""

    def __init__(self, chip: ChipModel, lock: threading.RLock) -> None:
        self._chip = chip
        self._lock = lock

    def read(self, register: int | None, count: int) -> bytes:
        with self._lock:
            return self._chip.read(register, count)

    def write(self, register: int, data: bytes) -> None:
        with self._lock:
            self._chip.write(register, data)


class ThreadedBus:
    """Chips, drivers and a thread."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        pins = SimPinFactory(time.monotonic_ns, "a020a0")
        wire = HeldInterruptWire(pins.pin(f"GPIO{INTERRUPT}"))
        self.sensors, self.lights = Mcp23017Model(wire.drive), Ht16k33Model()
        self.wires = SimI2cBus({BANK: Locked(self.sensors, self.lock), LEDS: Locked(self.lights, self.lock)})
        self.bank = Mcp23017Bank("slots", BANK, PINS, INTERRUPT, uncertainty_ns=100_000)
        self.leds = Ht16k33Leds("rows", LEDS, WIRES)
        self.reported: list[Health] = []
        for pin in PINS:
            self.sensors.set_pin(pin, True)
        bus = I2cBus(
            "i2c",
            self.wires.open,
            [self.bank, self.leds],
            now_ns=time.monotonic_ns,
            tell=self.reported.append,
            interrupts=GpiozeroLines(pins, [INTERRUPT], "up", int, 100_000),
        )
        self.owner = OwnerThread(bus, self.reported.append)

    def set(self, pin: int, high: bool) -> tuple[int, int]:
        """A sensor changes; between which moments."""
        before_ns = time.monotonic_ns()
        with self.lock:
            self.sensors.set_pin(pin, high)
        return before_ns, time.monotonic_ns()

    def edge(self) -> Edge:
        """The next edge."""
        assert select.select([self.bank.fileno()], [], [], PATIENCE_S)[0]
        (edge,) = self.bank.read()
        assert isinstance(edge, Edge)
        return edge

    def condition(self, device: str) -> Condition:
        reported = [health for health in list(self.reported) if health.name == device]
        return reported[-1].condition if reported else Condition.OK

    def is_ready(self) -> bool:
        return self.lights.shown and self.sensors.peek(0, 2) != 0


@pytest.fixture
def table() -> Iterator[ThreadedBus]:
    made = ThreadedBus()
    made.bank.fileno()  # before the first edge, as the table's loop does, so that no edge wakes it twice
    wait_until(made.is_ready)
    time.sleep(0.005)  # the readings after the setup
    yield made
    made.owner.close()
    made.bank.close()


def test_edges_and_frames_pass_and_closing_leaves_the_chips_at_rest(table: ThreadedBus) -> None:
    for high in (False, True, False):
        before_ns, after_ns = table.set(0, high)
        edge = table.edge()
        assert edge[:2] == (100, high)
        assert edge.t_ns - edge.wide_ns <= after_ns
        assert edge.t_ns >= before_ns
        assert edge.wide_ns < 150_000_000
    table.leds.show(b"\x04\x01\0")
    wait_until(lambda: table.lights.lit() == {0, 40})
    table.owner.close()
    table.owner.close()
    assert not table.owner.alive
    assert (any(table.lights.ram), table.lights.shown) == (False, False)
    assert table.reported == []


def test_frames_from_many_threads_end_in_the_last_one(table: ThreadedBus) -> None:
    def flicker() -> None:
        for turn in range(200):
            table.leds.show(bytes([turn % 8, turn % 2, 0]))

    threads = [threading.Thread(target=flicker) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    table.leds.show(b"\x02\0\x07")
    wait_until(lambda: table.lights.lit() == {1, 127})
    assert table.reported == []


def test_the_thread_lives_through_faults_and_all_comes_back(table: ThreadedBus) -> None:
    table.leds.show(b"\x04\0\0")
    table.wires.gone |= {BANK, LEDS}
    wait_until(lambda: table.condition("slots") is Condition.LOST)
    table.set(8, False)
    table.leds.show(b"\0\x07\0")
    table.wires.gone.clear()
    table.wires.hangs = True
    time.sleep(0.02)
    table.wires.hangs = False
    wait_until(lambda: table.condition("slots") is Condition.OK and table.lights.lit() == {40})
    wait_until(lambda: table.bank.levels()[108] is False)
    assert table.owner.alive
    assert not [health for health in table.reported if "internal error" in health.seen]
