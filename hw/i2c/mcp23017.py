"""Up to 14 sensors on an MCP23017, read when its interrupt line falls and ten times a second anyway.

The chip compares each pin with what it was, latches the first change, and pulls its line low
until it is read; what follows from that stands above `PortReading`. Race buttons can't be on this
chip: it does not show which of two pins was first.

Everything is bounded. While the line is low the chip is read again. But a line that stays low
without a change is reported as stuck and then ignored, and a chip that never stops interrupting
is read more slowly; nothing is lost by that, since the chip latches the first change.
The setup is read back ten times a second, and whenever an interrupt names no pin: if it has changed, the
chip was reset.
"""

from __future__ import annotations

import errno
import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from hw.i2c.bus import Anomaly, Registers, not_interrupted
from hw.ports import Edge, Gap
from hw.work import Mailbox, nobody_to_wake

ENOUGH = 3
"""So often in a row can't be a coincidence."""

STUCK = Anomaly(
    "its interrupt line stays low, so changes are found late",
    "look for a short of the interrupt wire to ground",
)
SILENT = Anomaly(
    "it reports interrupts, but its interrupt line does not fall, so changes are found late",
    "check the interrupt wire and the profile's interrupt line",
)


class InterruptWire:
    """Counts how often the line and the chip contradict each other."""

    def __init__(self) -> None:
        self._low = 0
        self._unheard = 0

    @property
    def stuck(self) -> bool:
        """Whether the line stays low whatever is read, so that its level means nothing."""
        return self._low >= ENOUGH

    @property
    def anomaly(self) -> Anomaly | None:
        """What is wrong with the line, if anything."""
        if self.stuck:
            return STUCK
        return SILENT if self._unheard >= ENOUGH else None

    def heard(self) -> None:
        """Note that the line fell."""
        self._low = 0
        self._unheard = 0

    def looked(self, *, was_low: bool, is_low: bool, named: bool, stamped: bool) -> None:
        """Note a look at the chip: the line before and after, and whether chip and line had interrupted."""
        if not is_low:
            self._low = 0
        elif not named:
            self._low += 1
        if named and not stamped and not was_low:
            self._unheard += 1


IODIRA, GPINTENA, GPINTENB, IOCON, INTFA = 0x00, 0x04, 0x05, 0x0A, 0x0E
MIRROR, OPEN_DRAIN = 0x40, 0x04
SETUP = INTFA - IODIRA
STATE = 6
OUTPUT_ONLY = (7, 15)

RESYNC_NS = 100_000_000
MOST_READINGS = 6
FREE_LOOKS = 5
"""So many looks within a resync interval are made at once; further ones have to wait."""
PACE_NS = 5_000_000
"""Not longer: an edge beside a chattering pin must be reported within some 8 ms to count in time."""

RESET = Anomaly("was reset by itself, so changes may have been missed", "check its supply and its reset wire")
GARBLED = Anomaly("some readings are garbled", "check power, pull-ups and the length of the cable")


class Mcp23017Bank:
    """The lines of one chip. `pins` are its pins in use (A0..A6: 0..6, B0..B6: 8..14) and their line numbers.

    Before the chip has been read for the first time, all lines count as high.
    """

    def __init__(
        self,
        name: str,
        address: int,
        pins: Mapping[int, int],
        interrupt_line: int,
        uncertainty_ns: int,
        mailbox: Mailbox[Edge | Gap] | None = None,
    ) -> None:
        _check(name, pins)
        self.name = name
        self.address = address
        self.interrupt_line = interrupt_line
        self.uncertainty_ns = uncertainty_ns
        self.wake: Callable[[], None] = nobody_to_wake
        self.is_interrupted: Callable[[], bool] = not_interrupted
        self.mailbox: Mailbox[Edge | Gap] = Mailbox() if mailbox is None else mailbox
        self._lines = dict(pins)
        self._used = sum(1 << pin for pin in pins)
        self._setup = _setup(self._used)
        self._levels = dict.fromkeys(pins.values(), True)
        self._next_seq = itertools.count().__next__
        self._closed = False
        # What is known of the chip, and since when.
        self._known = self._used
        self._known_captured = 0
        self._seen_ns: list[int] = []
        self._read_ns = 0
        self._missing_since_ns: int | None = None
        # What is to be done.
        self._running = False
        self._stamps: list[int] = []
        self._resync_ns = 0
        self._check_ns = 0
        self._paced_ns = 0
        self._window_ns = 0
        self._looks = 0
        self._wire = InterruptWire()
        self._garbled = False

    # -- as a source of edges

    def read(self) -> list[Edge | Gap]:
        return self.mailbox.take()

    def levels(self) -> dict[int, bool]:
        """The levels as they have been reported."""
        return dict(self._levels)

    def fileno(self) -> int:
        return self.mailbox.fileno()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self.mailbox.take()
            self.mailbox.close()

    # -- as a chip

    def start(self, registers: Registers, now_ns: int) -> None:
        self._running = True
        self._stamps.clear()
        self._wire = InterruptWire()
        self._begin(now_ns)
        self._set_up(registers)

    def due_ns(self, now_ns: int) -> int | None:
        calls = bool(self._stamps) or (not self._wire.stuck and self.is_interrupted())
        return min(self._resync_ns, self._paced_ns) if calls else self._resync_ns

    def work(self, registers: Registers, now_ns: int) -> Anomaly | None:
        due_ns = self.due_ns(now_ns)
        if due_ns is not None and due_ns > now_ns:
            return None
        self._pace(now_ns)
        was_low = self.is_interrupted()
        failures, began_ns = registers.failures, registers.now_ns()
        readings = self._readings(registers, sure=was_low or bool(self._stamps))
        if readings is None:
            self._missing_since_ns = self._read_ns
            self._set_up(registers)
            return RESET
        stamped = bool(self._stamps)
        spoilt = self._garbled or registers.failures > failures
        look = self._look(readings, self._interrupt(began_ns, spoilt))
        self._take(look)
        self._wire.looked(was_low=was_low, is_low=self.is_interrupted(), named=look.named, stamped=stamped)
        return self._wire.anomaly or (GARBLED if self._garbled else None)

    def interrupted(self, t_ns: int) -> None:
        self._wire.heard()
        if self._running and t_ns > self._read_ns:
            self._stamps.append(t_ns)

    def missed(self, gap: Gap) -> None:
        self._stamps.clear()
        self._resync_ns = self._paced_ns

    def rest(self, registers: Registers) -> None:
        registers.write(GPINTENA, bytes(2))

    def lost(self, now_ns: int) -> None:
        self._running = False
        if self._seen_ns:
            self._missing_since_ns = self._read_ns if self._read_ns else None
        self._begin(now_ns)

    # -- setting it up

    def _begin(self, now_ns: int) -> None:
        """Date whatever is found at the first contact from now on."""
        if not self._seen_ns:
            self._seen_ns = [now_ns] * 16

    def _set_up(self, registers: Registers) -> None:
        """Set the chip up, and find out what has changed since it was last read."""
        # With BANK=1, after a garbled write, IOCON is where GPINTENB should be. Zero is right for both.
        registers.write(GPINTENB, bytes(1))
        registers.write(IOCON, bytes([MIRROR | OPEN_DRAIN]))
        registers.write(IODIRA, self._setup)
        readings = self._readings(registers, sure=True)
        if readings is None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        if self._missing_since_ns is not None:
            self._post(Gap(0, self._missing_since_ns, readings[-1].until_ns))
            self._missing_since_ns = None
        self._take(self._look(readings, None))

    # -- looking

    def _pace(self, now_ns: int) -> None:
        if now_ns - self._window_ns >= RESYNC_NS:
            self._window_ns = now_ns
            self._looks = 0
        self._looks += 1
        self._paced_ns = now_ns if self._looks < FREE_LOOKS else now_ns + PACE_NS

    def _readings(self, registers: Registers, sure: bool) -> list[PortReading] | None:
        """As many readings as it takes; None if the chip's setup is not what it was set to.

        `sure`: there must be something to find, so one reading that finds nothing is not enough.
        """
        readings: list[PortReading] = []
        strange, checked = b"", False
        self._garbled = False
        for _ in range(MOST_READINGS):
            # The setup is checked once a look at most: every byte takes its time on the wire.
            setup, reading = self._reading(registers, whole=not checked and (bool(readings) or not sure))
            if setup and setup != self._setup:
                if setup == strange:
                    return None
                strange = setup
            elif not reading.named & ~self._used:  # else an unused pin has interrupted, which is impossible
                readings.append(reading)
                if setup:
                    self._check_ns = reading.until_ns + RESYNC_NS
                # A chip that was reset names no pin, so one that does needs a check only now and then.
                checked = (
                    checked or bool(setup) or (bool(reading.named) and reading.until_ns < self._check_ns)
                )
                if settled(readings, self._used) or not (sure or self._is_news(reading)):
                    return readings
                continue
            self._garbled = True
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    def _reading(self, registers: Registers, whole: bool) -> tuple[bytes, PortReading]:
        """The setup (empty unless `whole`) and the reading."""
        since_ns = registers.now_ns()
        data = registers.read(IODIRA, SETUP + STATE) if whole else registers.read(INTFA, STATE)
        state = data[-STATE:]
        words = [int.from_bytes(state[at : at + 2], "little") for at in (0, 2, 4)]
        return data[:-STATE], PortReading(since_ns, registers.now_ns(), *words)

    def _is_news(self, reading: PortReading) -> bool:
        return bool(self._stamps or reading.named or (reading.pins ^ self._known) & self._used)

    def _interrupt(self, began_ns: int, spoilt: bool) -> FirstInterrupt | None:
        """The interrupt that led to this look. A failed reading may have cleared it before another one."""
        stamps = [t_ns for t_ns in self._stamps if t_ns <= began_ns]
        return FirstInterrupt(min(stamps), alone=len(stamps) == 1 and not spoilt) if stamps else None

    def _look(self, readings: list[PortReading], interrupt: FirstInterrupt | None) -> Look:
        return Look(readings, interrupt, self._used, self._known, self._seen_ns, self._known_captured)

    def _take(self, look: Look) -> None:
        """Report what has changed, and keep the new state."""
        last = look.readings[-1]
        changes = look.changes()
        self._seen_ns = [look.seen_at_ns(pin) for pin in range(16)]
        self._known = look.levels
        self._known_captured = last.captured
        self._read_ns = last.until_ns
        self._stamps.clear()  # all are from before the last reading's end
        self._resync_ns = self._paced_ns if look.unsettled else last.until_ns + RESYNC_NS
        self._levels = {line: bool(look.levels >> pin & 1) for pin, line in self._lines.items()}
        for pin, high, t_ns, wide_ns in changes:
            self._post(Edge(self._lines[pin], high, t_ns, self._next_seq(), wide_ns))

    def _post(self, report: Edge | Gap) -> None:
        if not self._closed:
            self.mailbox.post(report)


def _setup(used: int) -> bytes:
    """Registers 00..0D: all inputs with pull-ups, the used ones interrupt when they change."""
    inputs, calls, change, iocon = b"\xff\xff", used.to_bytes(2, "little"), bytes(4), MIRROR | OPEN_DRAIN
    return inputs + bytes(2) + calls + change + bytes([iocon, iocon]) + b"\xff\xff"


def _check(name: str, pins: Mapping[int, int]) -> None:
    for pin, line in pins.items():
        if pin in OUTPUT_ONLY:
            raise ValueError(f"{name}: A7 and B7 are outputs only; line {line} needs another pin")
        if not 0 <= pin < 16:
            raise ValueError(f"{name}: there is no pin {pin}")
    if len(set(pins.values())) < len(pins):
        raise ValueError(f"{name}: two pins have the same line")


# When the pins of a port expander changed, as far as its registers and its interrupt line show.
#
# A reading is one transfer of INTF (the pins that interrupted), INTCAP (the port at that moment)
# and GPIO (the port now). A look is a few readings in a row. Three things make them hard to read.
#
# **A transfer may be garbled**, and I2C has no checksum. So one transfer alone
# proves nothing: the level of a pin is what two readings agree on (two out of three
# settle it), and INTCAP, which keeps its value until the next interrupt, must read the same
# again, or show just the change that INTF names. So one garbled transfer makes no edge. It can
# shift the end of an interval by a few milliseconds, if it happens to show a change that comes just
# then, and its beginning by a resync, if it hides one that has slipped through.
#
# **The interrupt's stamp belongs to one change only.** The chip pulls the line low for the
# first change after it was last read. What changes until the next reading is latched behind
# it, or is on the other port, and makes no edge of its own. So a pin changed at the stamp only if
# INTF names it and INTCAP shows it, on the only port that has interrupted, with just one interrupt
# since the last reading's end. For all others the interval begins at the stamp at the earliest,
# and ends with the reading that shows them. A stamp from before the last reading's end belongs to
# that reading, and dates nothing.
#
# **A change can slip through** while GPIO is on the wire: sampled too early, and its interrupt
# cleared. The next look finds it. It may then be in INTCAP beside a change that did interrupt, so a
# pin that INTF does not name is dated from the last reading that saw its old level, however
# long that is ago. The interval may be wide, but the change lies in it.


PORT_A, PORT_B = 0x00FF, 0xFF00


class PortReading(NamedTuple):
    """INTF, INTCAP and GPIO of both ports, A0 in bit 0 and B7 in bit 15, and when they were on the wire."""

    since_ns: int
    until_ns: int
    named: int
    captured: int
    pins: int


class FirstInterrupt(NamedTuple):
    """The first interrupt since the last look; `alone` if it is certain which change it belongs to."""

    t_ns: int
    alone: bool


class PinChange(NamedTuple):
    """A pin went to that level, up to `wide_ns` before `t_ns`."""

    pin: int
    high: bool
    t_ns: int
    wide_ns: int


def settled(readings: Sequence[PortReading], used: int) -> bool:
    """Whether every pin in use has been read alike twice. Three readings always settle it."""
    return len(readings) > 2 or (len(readings) == 2 and not (readings[0].pins ^ readings[1].pins) & used)


@dataclass(frozen=True)
class Look:
    """A few readings in a row, and what was known before: levels, when they were seen, and INTCAP."""

    readings: Sequence[PortReading]
    interrupt: FirstInterrupt | None
    used: int
    known: int
    seen_ns: Sequence[int]
    known_captured: int

    @cached_property
    def levels(self) -> int:
        """The levels that most of the readings show."""
        pins = [reading.pins for reading in self.readings]
        if len(pins) < 3:
            return pins[-1]
        return pins[0] & pins[1] | pins[1] & pins[2] | pins[0] & pins[2]

    @property
    def unsettled(self) -> bool:
        """Whether the last reading contradicts the others, so that it is worth looking again at once."""
        return bool((self.levels ^ self.readings[-1].pins) & self.used)

    @property
    def named(self) -> bool:
        """Whether the chip has interrupted."""
        return bool(self.readings[0].named)

    def seen_at_ns(self, pin: int) -> int:
        """A moment after which the pin was seen at its level.

        Not the last reading that shows it: that may be the garbled one of the two.
        """
        return next(each for index, each in enumerate(self.readings) if self._shows(index, pin)).since_ns

    def changes(self) -> list[PinChange]:
        """What has changed, sorted by the latest moment of each change."""
        found = [change for pin in range(16) if self.used >> pin & 1 for change in self._of(pin)]
        return sorted(found, key=_latest)

    # -- one pin

    def _of(self, pin: int) -> list[PinChange]:
        bit = 1 << pin
        port = PORT_A if bit & PORT_A else PORT_B
        old, now = self.known & bit, self.levels & bit
        captured = self.readings[0].captured & bit if self._trusts_captured(port) else old
        since_ns = self._since_ns(pin, port)
        if captured == old or (captured != now and not self._repeats_captured(port)):
            return [] if now == old else [self._wide(pin, now, since_ns, self._until_ns(pin))]
        change = self._captured(pin, captured, since_ns, port)
        if captured == now:
            return [change]
        assert self.interrupt is not None
        return [change, self._wide(pin, now, self.interrupt.t_ns, self._until_ns(pin))]

    def _captured(self, pin: int, captured: int, since_ns: int, port: int) -> PinChange:
        """The change that INTCAP shows: at the interrupt, if it can only have been that one."""
        interrupt, first = self.interrupt, self.readings[0]
        assert interrupt is not None
        sole = interrupt.alone and self._is_quiet(self.used & ~port)
        until_ns = interrupt.t_ns if sole else first.until_ns
        if sole and first.named >> pin & 1:
            since_ns = interrupt.t_ns
        return self._wide(pin, captured, since_ns, until_ns)

    def _wide(self, pin: int, level: int, since_ns: int, until_ns: int) -> PinChange:
        return PinChange(pin, bool(level), until_ns, until_ns - since_ns)

    def _since_ns(self, pin: int, port: int) -> int:
        """The earliest moment at which it can have changed."""
        bit = 1 << pin
        seen_ns = self.seen_ns[pin]
        if self.readings[0].named & bit:
            return seen_ns if self.interrupt is None else self.interrupt.t_ns
        for before, reading in pairwise(self.readings):
            if reading.named & bit and not (before.pins ^ self.known) & bit:
                return max(seen_ns, before.since_ns)
        if self._trusts_captured(port) and not (self.readings[0].captured ^ self.known) & bit:
            assert self.interrupt is not None
            return self.interrupt.t_ns
        return seen_ns

    def _until_ns(self, pin: int) -> int:
        """The latest moment at which it can have come to its level.

        That is the end of the reading that found it, unless the pin has interrupted after that one.
        """
        index = self._last(pin)
        while index and self._shows(index - 1, pin) and not self.readings[index].named >> pin & 1:
            index -= 1
        return self.readings[index].until_ns

    def _last(self, pin: int) -> int:
        """The last reading that shows the pin at its level."""
        return max(index for index in range(len(self.readings)) if self._shows(index, pin))

    def _shows(self, index: int, pin: int) -> bool:
        """Whether that reading shows the pin at its level."""
        return not (self.readings[index].pins ^ self.levels) >> pin & 1

    # -- a port

    def _trusts_captured(self, port: int) -> bool:
        """Whether INTCAP belongs to this interrupt, and is not garbled or left from an earlier one."""
        first, port = self.readings[0], port & self.used
        if self.interrupt is None or not first.named & port:
            return False
        if not (first.captured ^ self.known ^ first.named) & port:
            return True
        return self._repeats_captured(port) and bool((first.captured ^ self.known_captured) & port)

    def _repeats_captured(self, port: int) -> bool:
        first, port = self.readings[0], port & self.used
        return any(not (each.captured ^ first.captured) & port for each in self.readings[1:])

    def _is_quiet(self, port: int) -> bool:
        """Whether nothing at all has happened on a port."""
        touched = self.readings[0].captured ^ self.known_captured
        for reading in self.readings:
            touched |= reading.named | (reading.pins ^ self.known)
        return not touched & port


def _latest(change: PinChange) -> int:
    return change.t_ns
