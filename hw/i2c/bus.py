"""An I2C bus and its chips: one owner, one transfer at a time, and a ladder out of trouble.

A transfer that fails is tried twice more. If that does not help, the bus is opened anew;
then the chips' reset line is pulsed, where one is wired; then the chip is lost, and tried
again with growing pauses. Every chip that comes back is set up from scratch, since nobody
knows what it has forgotten. The others go on meanwhile.
"""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from hw.backoff import Backoff
from hw.ports import Condition, EdgeSource, Gap, Health, Tell
from hw.work import nobody_to_wake

ATTEMPTS = 3
DEGRADED_NS = 5_000_000_000
BLOCK = 32
"""The most bytes that SMBus moves in one transfer."""

SEEN = {
    errno.EREMOTEIO: "does not answer",
    errno.ENXIO: "does not answer",
    errno.ETIMEDOUT: "the bus hangs",
    errno.EIO: "garbled transfers",
    errno.ENOENT: "there is no such bus",
    errno.EACCES: "this user may not open the bus",
    errno.EPERM: "this user may not open the bus",
}
ADVICE = {
    errno.ETIMEDOUT: "a chip holds the data line: check for shorts and switch the table's power off and on",
    errno.ENOENT: "enable I2C (raspi-config, Interface Options) and check the profile's bus number",
    errno.EACCES: "add the user to the group i2c",
    errno.EPERM: "add the user to the group i2c",
}
USUAL_ADVICE = "check the chip's power, its four wires and its address jumpers"


class Registers(Protocol):
    """One chip's registers as its driver sees them. Every call may raise OSError."""

    def read(self, register: int, count: int) -> bytes:
        """That many registers from this one on, in one transfer."""

    def write(self, register: int, data: bytes) -> None:
        """Write registers from this one on."""

    def send(self, command: int) -> None:
        """A command without data."""

    def now_ns(self) -> int:
        """The time now: a transfer takes some."""


class Chip(Protocol):
    """The driver of one chip: told when it may use the bus, and never blocking otherwise."""

    name: str
    address: int
    wake: Callable[[], None]
    """Ask for `work`, from any thread; the bus puts itself in here."""

    def start(self, registers: Registers, now_ns: int) -> None:
        """Set the chip up from scratch, whatever it did before."""

    def due_ns(self, now_ns: int) -> int | None:
        """When `work` is needed next; now or earlier if at once."""

    def work(self, registers: Registers, now_ns: int) -> str:
        """Do what is due. A text tells of something odd about the chip, such as an unexpected reset."""

    def rest(self, registers: Registers) -> None:
        """Leave the chip as an idle table should be."""

    def lost(self, now_ns: int) -> None:
        """The chip can't be reached from now on; `start` follows when it can again."""


@runtime_checkable
class InterruptedChip(Chip, Protocol):
    """A chip with an interrupt line; the line is low while it has something to tell."""

    interrupt_line: int

    def interrupted(self, t_ns: int) -> None:
        """The interrupt line went low at that stamp."""

    def missed(self, gap: Gap) -> None:
        """Interrupts may have been lost."""


class I2cBus:
    """The work of one bus. `interrupts` are the lines on which its chips call; `open_bus` gives an SMBus."""

    def __init__(
        self,
        name: str,
        open_bus: Callable[[], Any],
        chips: Sequence[Chip],
        *,
        now_ns: Callable[[], int],
        tell: Tell,
        interrupts: EdgeSource | None = None,
        reset: Callable[[], None] | None = None,
    ) -> None:
        self.name = name
        self.wake: Callable[[], None] = nobody_to_wake
        self._open_bus = open_bus
        self._smbus: Any = None
        self._now_ns = now_ns
        self._interrupts = interrupts
        self._reset = reset
        self._posts = [_Post(chip, self, tell, now_ns) for chip in chips]
        self._by_line = {chip.interrupt_line: chip for chip in chips if isinstance(chip, InterruptedChip)}
        for chip in chips:
            chip.wake = self._wake_owner

    def _wake_owner(self) -> None:
        self.wake()

    def descriptors(self) -> list[int]:
        return [] if self._interrupts is None else [self._interrupts.fileno()]

    def step(self, now_ns: int) -> int | None:
        if self._interrupts is not None:
            for report in self._interrupts.read():
                if isinstance(report, Gap):
                    for chip in self._by_line.values():
                        chip.missed(report)
                elif not report.high and report.line in self._by_line:
                    self._by_line[report.line].interrupted(report.t_ns)
        due_ns: int | None = None
        for post in self._posts:
            post_due_ns = post.due_ns(now_ns)
            if post_due_ns is not None and post_due_ns <= now_ns:
                post.step(now_ns)
                post_due_ns = post.due_ns(now_ns)
            if post_due_ns is not None and (due_ns is None or post_due_ns < due_ns):
                due_ns = post_due_ns
        return due_ns

    def is_low(self, line: int) -> bool:
        """Whether an interrupt line is low now, so that its chip still has something to tell."""
        return self._interrupts is not None and not self._interrupts.levels()[line]

    def close(self) -> None:
        for post in self._posts:
            post.rest()
        self.shut()
        if self._interrupts is not None:
            self._interrupts.close()

    # -- for the posts

    def now_ns(self) -> int:
        return self._now_ns()

    def opened(self) -> Any:
        """The open bus."""
        if self._smbus is None:
            self._smbus = self._open_bus()
        return self._smbus

    def shut(self) -> None:
        """Close the bus; the next transfer opens it anew."""
        smbus, self._smbus = self._smbus, None
        if smbus is not None:
            smbus.close()

    def can_reset(self) -> bool:
        return self._reset is not None

    def reset(self) -> None:
        """Pulse the reset line: every chip forgets everything."""
        assert self._reset is not None
        self._reset()
        for post in self._posts:
            post.was_reset()


class _Post:
    """One chip's place on the bus: its transfers, and its way out of trouble and back."""

    def __init__(self, chip: Chip, bus: I2cBus, tell: Tell, now_ns: Callable[[], int]) -> None:
        self.now_ns = now_ns
        self._chip = chip
        self._bus = bus
        self._tell = tell
        self._backoff = Backoff()
        self._started = False
        self._retry_ns: int | None = None  # while the chip is lost
        self._odd_until_ns: int | None = None
        self._odd = ""
        self._told = Condition.OK

    # -- the chip's registers

    def read(self, register: int, count: int) -> bytes:
        block = self._transfer(lambda bus: bus.read_i2c_block_data(self._chip.address, register, count))
        return bytes(block)

    def write(self, register: int, data: bytes) -> None:
        for start in range(0, len(data), BLOCK):
            self._write_block(register + start, list(data[start : start + BLOCK]))

    def _write_block(self, register: int, block: list[int]) -> None:
        self._transfer(lambda bus: bus.write_i2c_block_data(self._chip.address, register, block))

    def send(self, command: int) -> None:
        self._transfer(lambda bus: bus.write_byte(self._chip.address, command))

    def _transfer(self, act: Callable[[Any], Any]) -> Any:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return act(self._bus.opened())
            except OSError as error:
                if attempt == ATTEMPTS:
                    raise
                self._note(f"{_seen(error)} at the first try")
        raise AssertionError("unreachable")

    # -- its way

    def due_ns(self, now_ns: int) -> int | None:
        """When the chip needs the bus next."""
        if self._retry_ns is not None:
            return self._retry_ns
        if not self._started:
            return now_ns
        due_ns = self._chip.due_ns(now_ns)
        if self._odd_until_ns is not None and (due_ns is None or self._odd_until_ns < due_ns):
            return self._odd_until_ns
        return due_ns

    def step(self, now_ns: int) -> None:
        """Let the chip do what is due, and climb the ladder if it can't."""
        if self._odd_until_ns is not None and self._odd_until_ns <= now_ns:
            self._odd_until_ns = None
            self._odd = ""
        error = self._try()
        if error is not None and self._retry_ns is None:
            error = self._recover()
        if error is not None:
            self._lose(error, now_ns)
        else:
            self._retry_ns = None
            self._backoff.reset()
            self._tell_condition()

    def was_reset(self) -> None:
        self._started = False

    def rest(self) -> None:
        if self._started:
            with contextlib.suppress(OSError):  # if it is gone, nothing is left to be put to rest
                self._chip.rest(self)

    def _try(self) -> OSError | None:
        """Set the chip up if need be, and let it work."""
        try:
            if not self._started:
                self._chip.start(self, self.now_ns())
                self._started = True
            odd = self._chip.work(self, self.now_ns())
        except OSError as error:
            self._started = False
            return error
        if odd:
            self._note(odd)
        return None

    def _recover(self) -> OSError | None:
        """The ladder: the bus anew, then the reset line."""
        self._bus.shut()
        error = self._try()
        if error is not None and self._bus.can_reset():
            self._bus.reset()
            error = self._try()
        if error is None:
            self._note("had to be set up anew")
        return error

    def _lose(self, error: OSError, now_ns: int) -> None:
        if self._retry_ns is None:
            self._chip.lost(now_ns)
        self._bus.shut()
        self._retry_ns = self._backoff.after(now_ns)
        self._odd_until_ns = None
        self._odd = ""
        if self._told is not Condition.LOST:
            self._told = Condition.LOST
            advice = ADVICE.get(error.errno or 0, USUAL_ADVICE)
            self._tell(Health(self._chip.name, Condition.LOST, _seen(error), advice))

    def _note(self, odd: str) -> None:
        """Something went wrong, but the chip works."""
        self._odd = odd
        self._odd_until_ns = self.now_ns() + DEGRADED_NS

    def _tell_condition(self) -> None:
        condition = Condition.DEGRADED if self._odd else Condition.OK
        if condition is not self._told:
            self._told = condition
            advice = "check power, pull-ups and the length of the cable" if self._odd else ""
            self._tell(Health(self._chip.name, condition, self._odd, advice))


def _seen(error: OSError) -> str:
    return SEEN.get(error.errno or 0, error.strerror or str(error))
