"""An I2C bus and its chips: one owner, one transfer at a time.

Every chip has a session, which lets it work when it is due and recovers it after a fault; the
others go on meanwhile. Interrupts are collected before each step and after each transfer, so
a driver that evaluates what it has read knows every interrupt before it.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from hw.ports import Condition, Edge, EdgeSource, Gap, Health, Tell
from hw.work import Backoff, Mailbox, nobody_to_wake


class Anomaly(NamedTuple):
    """What is wrong with a chip that still works, and what to do about it."""

    seen: str
    advice: str


class Registers(Protocol):
    """One chip's registers as its driver sees them. Every call may raise OSError."""

    failures: int
    """How many attempts at a transfer have failed so far. How far such an attempt got is unknown."""

    def read(self, register: int, count: int) -> bytes:
        """That many registers from this one on, in one transfer."""

    def write(self, register: int, data: bytes) -> None:
        """Write registers from this one on."""

    def send(self, command: int) -> None:
        """A command without data."""

    def now_ns(self) -> int:
        """The time now: a transfer takes some."""


class ChipDriver(Protocol):
    """The driver of one chip: it uses the bus only when called, and never blocks otherwise."""

    name: str
    address: int
    wake: Callable[[], None]
    """Ask for `work`, from any thread; the bus puts itself in here."""

    def start(self, registers: Registers, now_ns: int) -> None:
        """Set the chip up from scratch, whatever it did before."""

    def due_ns(self, now_ns: int) -> int | None:
        """When `work` is needed next; now or earlier if at once."""

    def work(self, registers: Registers, now_ns: int) -> Anomaly | None:
        """Do what is due, if anything is; what is wrong with the chip, such as an unexpected reset."""

    def rest(self, registers: Registers) -> None:
        """Leave the chip as on an idle table."""

    def lost(self, now_ns: int) -> None:
        """Note that the chip can't be reached; `start` follows when it can again."""


@runtime_checkable
class InterruptedChipDriver(ChipDriver, Protocol):
    """A chip with an interrupt line of its own; the line is low while it has something to report."""

    interrupt_line: int
    is_interrupted: Callable[[], bool]
    """Whether the line is low now; the bus puts itself in here."""

    def interrupted(self, t_ns: int) -> None:
        """Take an interrupt: the line went low at `t_ns`. May be called during `work`, after a transfer."""

    def missed(self, gap: Gap) -> None:
        """Take a possible interrupt: the line may have gone low in that time, at an unknown moment."""


def not_interrupted() -> bool:
    """False: `is_interrupted` before there is a bus."""
    return False


# One chip's session on its bus: its transfers, and its recovery after a fault.
#
# A transfer that fails is tried twice more, since most disturbances are shorter; but not on a
# hanging bus, where each attempt blocks for a second. If that does not help, the bus is opened
# again. Then the chips' reset line is pulsed, where one is wired. Then the chip is lost, and
# tried again after growing pauses. A chip that comes back is set up from scratch each time,
# since what it has forgotten is unknown.


ATTEMPTS = 3
BLOCK = 32
"""The most bytes that SMBus moves in one transfer."""
DEGRADED_NS = 5_000_000_000
"""How long a chip counts as degraded after its last anomaly, and how often the reason may change."""

SEEN = {
    errno.EREMOTEIO: "does not answer",
    errno.ENXIO: "does not answer",
    errno.ENODEV: "does not answer",
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
SHAKY_ADVICE = "check power, pull-ups and the length of the cable"


log = logging.getLogger(__name__)

UNREPORTED = Health("", Condition.OK)


class ChipSession:
    """The registers of one chip, and its health."""

    def __init__(self, chip: ChipDriver, bus: I2cBus, tell: Tell) -> None:
        self.failures = 0
        self._chip = chip
        self._bus = bus
        self._tell = tell
        self._backoff = Backoff()
        self._started = False
        self._retry_ns: int | None = None  # while the chip is lost
        self._anomaly: Anomaly | None = None
        self._anomaly_until_ns = 0
        self._well = self._reported = Health(chip.name, Condition.OK)
        self._reported_ns = 0

    # -- the chip's registers

    def read(self, register: int, count: int) -> bytes:
        block = bytes(self._transfer("read_i2c_block_data", register, count))
        if len(block) != count:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return block

    def write(self, register: int, data: bytes) -> None:
        for start in range(0, len(data), BLOCK):
            self._transfer("write_i2c_block_data", register + start, list(data[start : start + BLOCK]))

    def send(self, command: int) -> None:
        self._transfer("write_byte", command)

    def now_ns(self) -> int:
        return self._bus.now_ns()

    def _transfer(self, kind: str, *values: Any) -> Any:
        """Do one transfer with the chip, a method of SMBus; what it gives."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                result = getattr(self._bus.opened(), kind)(self._chip.address, *values)
                break
            except OSError as error:
                self.failures += 1
                if attempt == ATTEMPTS or error.errno == errno.ETIMEDOUT:
                    raise
                self._note(Anomaly(f"{_seen(error)} at the first try", SHAKY_ADVICE))
        self._bus.collect()
        return result

    # -- its steps

    def due_ns(self, now_ns: int) -> int | None:
        """When the chip needs the bus next."""
        if self._retry_ns is not None:
            return self._retry_ns
        if not self._started:
            return now_ns
        due_ns = self._chip.due_ns(now_ns)
        if self._anomaly is not None and (due_ns is None or self._anomaly_until_ns < due_ns):
            return self._anomaly_until_ns
        return due_ns

    def step(self, now_ns: int) -> None:
        """Let the chip do what is due, and recover it if it can't."""
        if self._anomaly_until_ns <= now_ns:
            self._anomaly = None
        error = self._try()
        if error is not None and self._retry_ns is None:
            error = self._recover()
        if error is not None:
            self._lose(error, now_ns)
            return
        self._retry_ns = None
        self._backoff.reset()
        if self._anomaly is None:
            self._say(self._well, now_ns)
        else:
            self._say(Health(self._chip.name, Condition.DEGRADED, *self._anomaly), now_ns)

    def was_reset(self) -> None:
        """Note that the chip was reset, and has forgotten everything."""
        self._started = False

    def rest(self) -> None:
        """Leave the chip at rest, if it can be reached."""
        with contextlib.suppress(OSError):  # a chip that is gone can't be left at rest
            self._chip.rest(self)

    def report_again(self) -> None:
        """Report the chip's health again, as if nothing had been reported."""
        self._reported = UNREPORTED

    def _try(self) -> OSError | None:
        """Set the chip up if need be, and let it work; the error if that failed."""
        try:
            if not self._started:
                self._chip.start(self, self.now_ns())
                self._started = True
            anomaly = self._chip.work(self, self.now_ns())
        except OSError as error:
            self._started = False
            return error
        except Exception as error:  # a mistake in one driver must not take the others' bus away
            log.exception("%s: an internal error", self._chip.name)
            self._started = False
            return OSError(0, f"internal error: {error!r}")
        if anomaly is not None:
            self._note(anomaly)
        return None

    def _recover(self) -> OSError | None:
        """Open the bus again, then pulse the reset line; the error if neither helps."""
        self._bus.shut()
        error = self._try()
        if error is not None and self._bus.pulse is not None:
            error = self._reset(error, self._bus.pulse)
        if error is None:
            self._note(Anomaly("had to be set up again", SHAKY_ADVICE))
        return error

    def _reset(self, error: OSError, pulse: Callable[[], None]) -> OSError | None:
        try:
            self._bus.reset(pulse)
        except Exception:  # whatever moves the line may raise
            log.exception("the reset line can't be pulsed")
            return error
        return self._try()

    def _lose(self, error: OSError, now_ns: int) -> None:
        if self._retry_ns is None:
            self._chip.lost(now_ns)
        self._bus.shut()
        self._retry_ns = self._backoff.after(self.now_ns())  # a bus that hangs takes its time
        self._anomaly = None
        advice = ADVICE.get(error.errno or 0, USUAL_ADVICE)
        self._say(Health(self._chip.name, Condition.LOST, _seen(error), advice), now_ns)

    def _note(self, anomaly: Anomaly) -> None:
        """Keep an anomaly of a chip that works."""
        self._anomaly = anomaly
        self._anomaly_until_ns = self.now_ns() + DEGRADED_NS

    def _say(self, health: Health, now_ns: int) -> None:
        """Report a new condition at once, and a new reason for the same one now and then."""
        if health is self._reported or health == self._reported:
            return
        if health.condition is self._reported.condition and now_ns - self._reported_ns < DEGRADED_NS:
            return
        self._reported = health
        self._reported_ns = now_ns
        self._tell(health)


def _seen(error: OSError) -> str:
    return SEEN.get(error.errno or 0, error.strerror or str(error))


LOOK_NS = 250_000_000
SLICE_NS = 1_000_000_000
"""A step that has taken so long ends: on a bus that hangs, each chip takes seconds until it is given up."""


class I2cBus:
    """The work of one bus. `interrupts` are the interrupt lines of its chips; `open_bus` gives an SMBus."""

    def __init__(
        self,
        name: str,
        open_bus: Callable[[], Any],
        chips: Sequence[ChipDriver],
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
        self.now_ns = now_ns
        self._interrupts = interrupts
        self.pulse = reset
        self._closed = False
        self._look_ns = 0
        self._sessions = [ChipSession(chip, self, tell) for chip in chips]
        self._turns = self._sessions
        self._by_line = _by_line(chips)
        for chip in chips:
            chip.wake = lambda: self.wake()
        for line, interrupted in self._by_line.items():
            interrupted.is_interrupted = lambda line=line: self.is_low(line)  # type: ignore[misc]

    def on_interrupt(self, wake: Callable[[], None]) -> None:
        """Call `wake` at each interrupt, for owners that do not wait for a descriptor."""
        mailbox = getattr(self._interrupts, "mailbox", None)  # not every source has one
        if isinstance(mailbox, Mailbox):
            mailbox.on_post = wake

    def descriptors(self) -> list[int]:
        return [] if self._interrupts is None else [self._interrupts.fileno()]

    def step(self, now_ns: int) -> int | None:
        # Interrupts may be lost unnoticed, and a GPIO chip may go and come back. Not every source needs it.
        resync = getattr(self._interrupts, "resync", None)
        if resync is not None and now_ns >= self._look_ns:
            self._look_ns = now_ns + LOOK_NS
            resync()
        self.collect()
        for number, session in enumerate(self._turns, start=1):
            due_ns = session.due_ns(now_ns)
            if due_ns is not None and due_ns <= now_ns:
                session.step(now_ns)
                if self.now_ns() - now_ns > SLICE_NS:
                    self._turns = [*self._turns[number:], *self._turns[:number]]
                    break  # the others are still due, and come first the next time
        # Only now: an interrupt, or a pulse on the reset line, may have made others due meanwhile.
        return min(
            (due for session in self._sessions if (due := session.due_ns(now_ns)) is not None), default=None
        )

    def is_low(self, line: int) -> bool:
        """Whether an interrupt line is low now, so that its chip still has something to report."""
        return self._interrupts is not None and not self._interrupts.levels().get(line, True)

    def report_again(self) -> None:
        """Report the health of each chip again, as if nothing had been reported."""
        for session in self._sessions:
            session.report_again()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        for session in self._sessions:
            session.rest()
        self.shut()
        if self._interrupts is not None:
            self._interrupts.close()

    # -- for the sessions

    def opened(self) -> Any:
        """The open SMBus; opens it if need be, which may raise OSError."""
        if self._smbus is None:
            self._smbus = self._open_bus()
        return self._smbus

    def shut(self) -> None:
        """Close the bus; the next transfer opens it again."""
        smbus, self._smbus = self._smbus, None
        if smbus is not None:
            smbus.close()

    def collect(self) -> None:
        """Pass on to the chips what their interrupt lines have done by now."""
        if self._interrupts is None:
            return
        for report in self._interrupts.read():
            if isinstance(report, Gap):
                for chip in self._by_line.values():
                    chip.missed(report)
            elif not report.high and report.line in self._by_line:
                _pass_on(report, self._by_line[report.line])

    def reset(self, pulse: Callable[[], None]) -> None:
        """Pulse the reset line: every chip forgets everything."""
        pulse()
        for session in self._sessions:
            session.was_reset()


def _pass_on(edge: Edge, chip: InterruptedChipDriver) -> None:
    """Pass on an interrupt. One that was only found by looking again has no exact moment."""
    if edge.wide_ns:
        chip.missed(Gap(0, edge.t_ns - edge.wide_ns, edge.t_ns))
    else:
        chip.interrupted(edge.t_ns)


def _by_line(chips: Sequence[ChipDriver]) -> dict[int, InterruptedChipDriver]:
    """The chips with interrupts by their lines. Two on one line would hide each other's interrupts."""
    by_line: dict[int, InterruptedChipDriver] = {}
    addresses: dict[int, str] = {}
    for chip in chips:
        if chip.address in addresses:
            raise ValueError(f"{chip.name} and {addresses[chip.address]} have the same address")
        addresses[chip.address] = chip.name
        if isinstance(chip, InterruptedChipDriver):
            if chip.interrupt_line in by_line:
                raise ValueError(
                    f"{chip.name} and {by_line[chip.interrupt_line].name} share an interrupt line"
                )
            by_line[chip.interrupt_line] = chip
    return by_line


# Which addresses answer on a bus, asked in the least harmful way.
#
# A quick write is an address and nothing else. It is harmless, except for some memories, which take
# it for the start of a write. Those addresses are read instead. So is every address of a bus without
# quick writes, and any expected chip that did not answer: some adapters only pretend to support them.


ADDRESSES = range(0x08, 0x78)
"""Those that are not reserved for other messages."""
MEMORIES = (range(0x30, 0x38), range(0x50, 0x60))
QUICK = 0x0001_0000
"""The adapter's flag for quick writes."""
NOBODY = (errno.EREMOTEIO, errno.ENXIO, errno.EIO, errno.ENODEV)
"""The errors of adapters for an address where no chip answers."""


class BusScan:
    """One scan; `expected` are the addresses where a chip should be."""

    def __init__(self, expected: Container[int] = (), addresses: Iterable[int] = ADDRESSES) -> None:
        self.answered: set[int] = set()
        self.claimed: set[int] = set()
        """Addresses in use by a driver of the kernel: they can't be asked, but a chip is there."""
        self._expected = expected
        self._addresses = addresses

    def run(self, bus: Any) -> None:
        """Ask each address on an open SMBus. OSError if the whole bus hangs or can't be asked."""
        quick = bool(int(bus.funcs) & QUICK)
        for address in self._addresses:
            try:
                if self._answers(bus, address, quick and not _is_memory(address)):
                    self.answered.add(address)
            except OSError as error:
                if error.errno != errno.EBUSY:
                    raise
                self.claimed.add(address)

    def _answers(self, bus: Any, address: int, quick: bool) -> bool:
        if _acknowledged(bus.write_quick if quick else bus.read_byte, address):
            return True
        return quick and address in self._expected and _acknowledged(bus.read_byte, address)


def _is_memory(address: int) -> bool:
    return any(address in memories for memories in MEMORIES)


def _acknowledged(ask: Any, address: int) -> bool:
    try:
        ask(address)
    except OSError as error:
        if error.errno in NOBODY:
            return False
        raise
    return True
