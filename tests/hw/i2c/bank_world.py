"""A bank of sensors in a world where each byte on the wire takes time, and so do interrupts and their reader.

Pins change whenever they do, in the middle of a transfer too, and the world keeps the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from hw.i2c.bus import I2cBus
from hw.i2c.mcp23017 import Mcp23017Bank
from hw.ports import Edge, Gap, Health
from hw.sim.i2c_bus import SimI2cBus
from hw.sim.mcp23017 import Mcp23017Model
from tests.hw.i2c.bus_rig import BANK, INTERRUPT, PINS, US, S

BYTE_NS = 90 * US
"""At 100 kHz: eight bits and an acknowledgement."""
HEAD_NS = 3 * BYTE_NS
"""Address, register, and the address again."""
BURST_NS = HEAD_NS + 6 * BYTE_NS
READER_NS = 50 * US
"""From a readable descriptor to the first transfer."""


class Happened(NamedTuple):
    """A change as it truly was."""

    t_ns: int
    line: int
    high: bool


class BankWorld:
    """Runs the bank's real driver through changes (moment, pins); a change flips its pins at once.

    `late_ns` is how long the so-many-th interrupt takes to be known.
    """

    def __init__(
        self,
        changes: Iterable[tuple[int, tuple[int, ...]]],
        *,
        late_ns: Callable[[int], int] = lambda index: 0,
        interrupts_again: bool = True,
    ) -> None:
        self.now_ns = 0
        self.truth: list[Happened] = []
        self.reported: list[Health] = []
        self.reports: list[tuple[int, Edge | Gap]] = []
        self.on_the_wire: list[tuple[int, int]] = []
        self.lines = TimedLine(self, late_ns)
        self.model = Mcp23017Model(self.lines.drive, interrupts_again=interrupts_again)
        self.wires = SimI2cBus({BANK: TimedChip(self)})
        self.bank = Mcp23017Bank("slots", BANK, PINS, INTERRUPT, uncertainty_ns=0)
        self.bus = I2cBus(
            "i2c",
            self.wires.open,
            [self.bank],
            now_ns=lambda: self.now_ns,
            tell=self.reported.append,
            interrupts=self.lines,
        )
        for pin in PINS:
            self.model.set_pin(pin, True)
        self._changes = sorted(changes)
        self._due_ns = 0

    def run(self, until_ns: int) -> None:
        """Let everything happen until then."""
        while self.now_ns < until_ns:
            step_ns = min([self._due_ns, *(arrival_ns + READER_NS for arrival_ns in self.lines.arrivals())])
            next_ns = min([until_ns, step_ns, *(t_ns for t_ns, _ in self._changes[:1])])
            self.spend(max(0, next_ns - self.now_ns))
            if step_ns <= self.now_ns:
                due_ns = self.bus.step(self.now_ns)
                self._due_ns = self.now_ns + S if due_ns is None else max(due_ns, self.now_ns + 1)
                self.reports += [(self.now_ns, report) for report in self.bank.read()]

    def spend(self, for_ns: int) -> None:
        """Time passes; pins change."""
        until_ns = self.now_ns + for_ns
        while self._changes and self._changes[0][0] <= until_ns:
            t_ns, pins = self._changes.pop(0)
            self.now_ns = max(self.now_ns, t_ns)
            for pin in pins:
                high = not self.model.pin(pin)
                self.truth.append(Happened(self.now_ns, PINS[pin], high))
                self.model.set_pin(pin, high)
        self.now_ns = until_ns

    def edges(self) -> list[Edge]:
        """What the bank has reported."""
        return [report for _, report in self.reports if isinstance(report, Edge)]


class TimedChip:
    """The chip on a bus on which each byte takes its time."""

    def __init__(self, world: BankWorld) -> None:
        self._world = world
        self._model = world.model
        self._model.on_byte = lambda: world.spend(BYTE_NS)

    def read(self, register: int | None, count: int) -> bytes:
        since_ns = self._world.now_ns
        self._world.spend(HEAD_NS)
        data = self._model.read(register, count)
        self._world.on_the_wire.append((since_ns, self._world.now_ns))
        return data

    def write(self, register: int, data: bytes) -> None:
        self._world.spend(2 * BYTE_NS + len(data) * BYTE_NS)
        self._model.write(register, data)


class TimedLine:
    """The interrupt line: its stamps are true, but take their time to be known."""

    uncertainty_ns = 0

    def __init__(self, world: BankWorld, late_ns: Callable[[int], int]) -> None:
        self.low = False
        self._world = world
        self._late_ns = late_ns
        self._under_way: list[tuple[int, Edge]] = []
        self._count = 0

    def arrivals(self) -> list[int]:
        return [arrival_ns for arrival_ns, _ in self._under_way]

    def read(self) -> list[Edge]:
        arrived = [each for each in self._under_way if each[0] <= self._world.now_ns]
        self._under_way = [each for each in self._under_way if each not in arrived]
        return [edge for _, edge in arrived]

    def levels(self) -> dict[int, bool]:
        return {INTERRUPT: not self.low}

    def fileno(self) -> int:
        return -1

    def close(self) -> None:
        """Nothing to let go of."""

    def drive(self, high: bool) -> None:
        """The chip's output changes."""
        self.low = not high
        edge = Edge(INTERRUPT, high, self._world.now_ns, self._count)
        self._under_way.append((edge.t_ns + self._late_ns(self._count), edge))
        self._count += 1
