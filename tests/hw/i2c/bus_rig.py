"""A bus with a bank of sensors and an LED chip on it, in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from hw.gpio.gpiozero_lines import GpiozeroLines
from hw.i2c.bus import I2cBus
from hw.i2c.ht16k33 import Ht16k33Leds
from hw.i2c.mcp23017 import Mcp23017Bank
from hw.ports import Condition, Edge, Gap, Health, LedWire
from hw.sim.agenda import Agenda, AgendaOwner, SimPinFactory
from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.i2c_bus import SimI2cBus, Transfer
from hw.sim.mcp23017 import Mcp23017Model

US, MS, S = 1_000, 1_000_000, 1_000_000_000
BANK, LEDS = 0x20, 0x70
INTERRUPT = 17
PINS = {0: 100, 1: 101, 6: 106, 8: 108, 14: 114}
"""Pins in use at the bank, on both ports and at their ends, and their lines."""
WIRES = [LedWire(0, 4, 0), LedWire(0, 2, 1), LedWire(0, 1, 2), LedWire(1, 7, 40), LedWire(2, 7, 127)]
"""Three lamps: one of three colours and two of one."""


class HeldInterruptWire:
    """The interrupt wire: the chip's output, unless something holds it."""

    def __init__(self, pin: Any) -> None:
        self._pin = pin
        self._driven = True
        self.held: bool | None = None

    def drive(self, high: bool) -> None:
        self._driven = high
        self.hold(self.held)

    def hold(self, level: bool | None) -> None:
        """Something holds it at that level; None: only the chip drives it."""
        self.held = level
        high = self._driven if level is None else level
        (self._pin.drive_high if high else self._pin.drive_low)()


class BusRig:
    """Everything from the pins of the chips to the reports of the drivers."""

    def __init__(
        self,
        *,
        can_reset: bool = False,
        interrupts_again: bool = True,
        gone: Iterable[int] = (),
        pins: Mapping[int, int] = PINS,
    ) -> None:
        self._pins = {line: pin for pin, line in pins.items()}
        self.agenda = Agenda()
        self.pins = SimPinFactory(self.now_ns, "a020a0")
        self.wire = HeldInterruptWire(self.pins.pin(f"GPIO{INTERRUPT}"))
        self.sensors = Mcp23017Model(self.wire.drive, interrupts_again=interrupts_again)
        self.lights = Ht16k33Model()
        self.wires = SimI2cBus({BANK: self.sensors, LEDS: self.lights}, keep=4096)
        self.wires.gone |= set(gone)
        self.lines = GpiozeroLines(self.pins, [INTERRUPT], "up", int, 100 * US, now_ns=self.now_ns)
        self.bank = Mcp23017Bank("slots", BANK, pins, INTERRUPT, uncertainty_ns=100 * US)
        self.leds = Ht16k33Leds("rows", LEDS, WIRES)
        self.reported: list[Health] = []
        self.resets = 0
        self.bus = I2cBus(
            "i2c",
            self.wires.open,
            [self.bank, self.leds],
            now_ns=self.now_ns,
            tell=self.reported.append,
            interrupts=self.lines,
            reset=self._reset if can_reset else None,
        )
        self.owner = AgendaOwner(self.bus, self.agenda)
        self.bus.on_interrupt(self.owner.wake)
        self.release()
        self.run(1 * MS)

    def now_ns(self) -> int:
        return self.agenda.now_ns

    def run(self, for_ns: int) -> None:
        self.agenda.run(self.agenda.now_ns + for_ns)

    def release(self) -> None:
        """Nothing lies on the sensors."""
        for pin in self._pins.values():
            self.sensors.set_pin(pin, True)

    def set(self, line: int, high: bool) -> int:
        """A sensor changes now; when that is."""
        self.sensors.set_pin(self._pins[line], high)
        return self.agenda.now_ns

    def edges(self) -> list[Edge]:
        """The reports of the bank, which must be without gaps."""
        reports = self.bank.read()
        edges = [report for report in reports if isinstance(report, Edge)]
        assert len(edges) == len(reports)
        return edges

    def gaps(self) -> list[Gap]:
        """The gaps among the reports of the bank."""
        return [report for report in self.bank.read() if isinstance(report, Gap)]

    def transfers(self, address: int) -> list[Transfer]:
        """What crossed the wires to and from a chip since the last call."""
        log = [transfer for transfer in self.wires.log if transfer.address == address]
        for transfer in log:
            self.wires.log.remove(transfer)
        return log

    def rate(self, for_ns: int = S) -> float:
        """Transfers a second, tried and done, while that time passes."""
        before = self.wires.transfers
        self.run(for_ns)
        return (self.wires.transfers - before) * S / for_ns

    def condition(self, device: str) -> Condition:
        """The condition of a device as last reported."""
        reported = [health for health in self.reported if health.name == device]
        return reported[-1].condition if reported else Condition.OK

    def words(self, device: str, condition: Condition) -> list[tuple[str, str]]:
        """The reasons reported for a device in that condition."""
        return [(h.seen, h.advice) for h in self.reported if h.name == device and h.condition is condition]

    def _reset(self) -> None:
        self.resets += 1
        self.sensors.power_on()


def written(transfers: list[Transfer]) -> list[tuple[int | None, bytes]]:
    """Registers and bytes that were written."""
    return [(transfer.register, transfer.data) for transfer in transfers if not transfer.reads]


def garble_all(address: int, change: Callable[[bytes], bytes]) -> Callable[[int, bytes], bytes]:
    """Garble everything that is read from one chip."""
    return lambda at, data: change(data) if at == address else data


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
