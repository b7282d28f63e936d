"""When the pins of a port expander changed, as far as its registers and its interrupt line show.

A reading is one transfer of INTF (the pins that interrupted), INTCAP (the port at that moment)
and GPIO (the port now). A look is a few readings in a row. Three things make them hard to read.

**A transfer may be garbled**, and I2C has no checksum. So one transfer alone
proves nothing: the level of a pin is what two readings agree on (two out of three
settle it), and INTCAP, which keeps its value until the next interrupt, must read the same
again, or show just the change that INTF names. So one garbled transfer makes no edge. It can
shift the end of an interval by a few milliseconds, if it happens to show a change that comes just
then, and its beginning by a resync, if it hides one that has slipped through.

**The interrupt's stamp belongs to one change only.** The chip pulls the line low for the
first change after it was last read. What changes until the next reading is latched behind
it, or is on the other port, and makes no edge of its own. So a pin changed at the stamp only if
INTF names it and INTCAP shows it, on the only port that has interrupted, with just one interrupt
since the last reading's end. For all others the interval begins at the stamp at the earliest,
and ends with the reading that shows them. A stamp from before the last reading's end belongs to
that reading, and dates nothing.

**A change can slip through** while GPIO is on the wire: sampled too early, and its interrupt
cleared. The next look finds it. It may then be in INTCAP beside a change that did interrupt, so a
pin that INTF does not name is dated from the last reading that saw its old level, however
long that is ago. The interval may be wide, but the change lies in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

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
