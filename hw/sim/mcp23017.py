"""An MCP23017 to the register: two ports of eight pins that latch and interrupt.

How it interrupts: while a port is at rest, each enabled input is compared with what it was (or
with DEFVAL, where INTCON says so). The first that differs sets its bit in INTF, copies the
whole port into INTCAP and makes the interrupt line active. Until INTCAP or GPIO of that port
is read, INTF and INTCAP stay as they are, whatever the pins do. Reading clears the interrupt
after the byte's last bit is out; then the pins are compared with what was captured, so a
change that came while it was latched interrupts again at once. (Not all chips have been seen to
do that; without `interrupts_again` such a change only shows in GPIO.) Compared with DEFVAL,
the interrupt lasts as long as the difference.

A byte takes its time on the wire: GPIO is sampled when it begins and cleared when it ends,
and `on_byte` is called in between.
"""

from __future__ import annotations

from collections.abc import Callable

IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU, INTF, INTCAP, GPIO, OLAT = range(11)
READ_ONLY = (INTF, INTCAP)
BANK, MIRROR, SEQOP, ODR, INTPOL = 0x80, 0x40, 0x20, 0x04, 0x02
PORT_A, PORT_B = 0, 1
LAST_PAIRED = 0x15
"""The last address with BANK=0; it goes on at 0."""


def unconnected(high: bool) -> None:
    """Do nothing: the interrupt output is not wired."""


def at_once() -> None:
    """A byte takes no time."""


class Mcp23017Model:
    """The chip. Pins A0..A7 are 0..7 and B0..B7 are 8..15; `on_interrupt` gets the level of INTA."""

    def __init__(
        self,
        on_interrupt: Callable[[bool], None] = unconnected,
        on_interrupt_b: Callable[[bool], None] = unconnected,
        *,
        interrupts_again: bool = True,
    ) -> None:
        self.on_byte: Callable[[], None] = at_once
        self._outputs = (on_interrupt, on_interrupt_b)
        self._levels = [True, True]
        self._ports = (_PortRegisters(), _PortRegisters())
        self._interrupts_again = interrupts_again
        self._pointer = 0
        self._iocon = 0
        self.power_on()

    def power_on(self) -> None:
        """Reset the registers: the supply came back or dipped, or the reset line was pulsed."""
        self._iocon = 0
        self._pointer = 0
        for port in self._ports:
            port.power_on()
        self._drive()

    def set_pin(self, pin: int, high: bool | None) -> None:
        """Drive a pin from outside; None lets go of it."""
        self._ports[pin // 8].drive(1 << pin % 8, high)
        self._look(pin // 8)

    def pin(self, pin: int) -> bool:
        """The level of a pin."""
        return bool(self._ports[pin // 8].pins() >> pin % 8 & 1)

    # -- as the bus sees it

    def read(self, register: int | None, count: int) -> bytes:
        if register is not None:
            self._pointer = register
        return bytes(self._next_byte() for _ in range(count))

    def write(self, register: int, data: bytes) -> None:
        self._pointer = register
        for value in data:
            port, name = self._named(self._pointer)
            if name is not None:
                self._write(port, name, value)
            self._advance()

    def peek(self, port: int, name: int) -> int:
        """A register's value, without the effects of reading it."""
        return self._iocon if name == IOCON else self._ports[port].value(name)

    # -- inside

    def _next_byte(self) -> int:
        port, name = self._named(self._pointer)
        value = 0 if name is None else self.peek(port, name)
        unsteady = self._unsteady()
        self.on_byte()
        if name in (INTCAP, GPIO):
            self._clear(port)
        if self._unsteady() != unsteady:
            value ^= (
                0xFF  # the fault for which A7 and B7 must not be inputs: their change spoils the data line
            )
        self._advance()
        return value

    def _unsteady(self) -> list[int]:
        a, b = self._ports
        return [a.pins() & a.registers[IODIR] & 0x80, b.pins() & b.registers[IODIR] & 0x80]

    def _write(self, port: int, name: int, value: int) -> None:
        if name == IOCON:
            self._iocon = value & 0xFE
        elif name not in READ_ONLY:
            self._ports[port].registers[OLAT if name == GPIO else name] = value
        for each in (PORT_A, PORT_B):
            self._look(each)

    def _named(self, address: int) -> tuple[int, int | None]:
        """The port and register at an address."""
        if self._iocon & BANK:
            port, name = address >> 4 & 1, address & 0x0F
        else:
            port, name = address & 1, address >> 1
        return port, name if name <= OLAT else None

    def _advance(self) -> None:
        if not self._iocon & SEQOP:
            step = self._pointer + 1
            self._pointer = 0 if step > (0x1A if self._iocon & BANK else LAST_PAIRED) else step
        elif not self._iocon & BANK:
            self._pointer ^= 1

    def _look(self, port: int) -> None:
        self._ports[port].look()
        self._drive()

    def _clear(self, port: int) -> None:
        self._ports[port].clear(self._interrupts_again)
        self._drive()
        self._look(port)

    def _drive(self) -> None:
        """Put the interrupt outputs at their levels. An open drain can only pull low."""
        interrupted = [bool(port.registers[INTF]) for port in self._ports]
        for output, drive in enumerate(self._outputs):
            active = any(interrupted) if self._iocon & MIRROR else interrupted[output]
            high = active is bool(self._iocon & INTPOL and not self._iocon & ODR)
            if high is not self._levels[output]:
                self._levels[output] = high
                drive(high)


class _PortRegisters:
    """Eight pins and their registers."""

    def __init__(self) -> None:
        self._driven = self._high = 0
        """The pins that are driven from outside, and those of them that are high."""
        self.registers = [0] * 11
        self._before = 0

    def power_on(self) -> None:
        self.registers = [0] * 11
        self.registers[IODIR] = 0xFF
        self._before = self._port()

    def drive(self, pins: int, high: bool | None) -> None:
        """Drive the pins with these bits from outside; None lets go of them."""
        self._driven = self._driven & ~pins if high is None else self._driven | pins
        self._high = self._high | pins if high else self._high & ~pins

    def pins(self) -> int:
        """The levels of the pins. One that nothing drives is high if it is pulled up, else low."""
        registers = self.registers
        inputs = registers[IODIR]
        own = registers[GPPU] & inputs | registers[OLAT] & ~inputs
        return self._high | own & ~self._driven

    def value(self, name: int) -> int:
        return self._port() if name == GPIO else self.registers[name]

    def look(self) -> None:
        """Latch and interrupt, if an enabled input has changed."""
        if self.registers[INTF]:
            return
        level = self._port()
        interrupting = self._interrupting(level)
        if interrupting:
            self.registers[INTF] = interrupting
            self.registers[INTCAP] = level
        else:
            self._before = level

    def clear(self, interrupts_again: bool) -> None:
        """Clear the interrupt: INTCAP or GPIO has been read."""
        if not self.registers[INTF]:
            return
        level = self._port()
        self._before = self.registers[INTCAP] if interrupts_again else level
        self.registers[INTF] = self._interrupting(level) & self.registers[INTCON]
        if self.registers[INTF]:
            self.registers[INTCAP] = level

    def _port(self) -> int:
        return self.pins() ^ (self.registers[IPOL] & self.registers[IODIR])

    def _interrupting(self, level: int) -> int:
        registers = self.registers
        compared = registers[DEFVAL] & registers[INTCON] | self._before & ~registers[INTCON]
        return (level ^ compared) & registers[GPINTEN] & registers[IODIR]
