"""One chip's session on its bus: its transfers, and its recovery after a fault.

A transfer that fails is tried twice more, since most disturbances are shorter; but not on a
hanging bus, where each attempt blocks for a second. If that does not help, the bus is opened
again. Then the chips' reset line is pulsed, where one is wired. Then the chip is lost, and
tried again after growing pauses. A chip that comes back is set up from scratch each time,
since what it has forgotten is unknown.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
from collections.abc import Callable
from typing import Any, Protocol

from hw.backoff import Backoff
from hw.i2c.chip_driver import Anomaly, ChipDriver
from hw.ports import Condition, Health, Tell

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


class BusAccess(Protocol):
    """The bus as the sessions of its chips need it."""

    def opened(self) -> Any:
        """The open SMBus; opens it if need be, which may raise OSError."""

    def shut(self) -> None:
        """Close the bus; the next transfer opens it again."""

    def collect(self) -> None:
        """Pass on to the chips what their interrupt lines have done by now."""

    def can_reset(self) -> bool:
        """Whether a reset line is wired."""

    def reset(self) -> None:
        """Pulse the reset line: every chip forgets everything."""

    def now_ns(self) -> int:
        """The time now."""


log = logging.getLogger(__name__)

UNREPORTED = Health("", Condition.OK)


class ChipSession:
    """The registers of one chip, and its health."""

    def __init__(self, chip: ChipDriver, bus: BusAccess, tell: Tell) -> None:
        self.failures = 0
        self._chip = chip
        self._bus = bus
        self._tell = tell
        self._backoff = Backoff()
        self._started = False
        self._retry_ns: int | None = None  # while the chip is lost
        self._anomaly: Anomaly | None = None
        self._anomaly_until_ns = 0
        self._reported = Health(chip.name, Condition.OK)
        self._reported_ns = 0

    # -- the chip's registers

    def read(self, register: int, count: int) -> bytes:
        address = self._chip.address
        block = bytes(self._transfer(lambda bus: bus.read_i2c_block_data(address, register, count)))
        if len(block) != count:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return block

    def write(self, register: int, data: bytes) -> None:
        for start in range(0, len(data), BLOCK):
            self._write_block(register + start, list(data[start : start + BLOCK]))

    def send(self, command: int) -> None:
        self._transfer(lambda bus: bus.write_byte(self._chip.address, command))

    def now_ns(self) -> int:
        return self._bus.now_ns()

    def _write_block(self, register: int, block: list[int]) -> None:
        self._transfer(lambda bus: bus.write_i2c_block_data(self._chip.address, register, block))

    def _transfer(self, act: Callable[[Any], Any]) -> Any:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                result = act(self._bus.opened())
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
            self._say(Health(self._chip.name, Condition.OK), now_ns)
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
        if error is not None and self._bus.can_reset():
            error = self._reset(error)
        if error is None:
            self._note(Anomaly("had to be set up again", SHAKY_ADVICE))
        return error

    def _reset(self, error: OSError) -> OSError | None:
        try:
            self._bus.reset()
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
        if health == self._reported:
            return
        if health.condition is self._reported.condition and now_ns - self._reported_ns < DEGRADED_NS:
            return
        self._reported = health
        self._reported_ns = now_ns
        self._tell(health)


def _seen(error: OSError) -> str:
    return SEEN.get(error.errno or 0, error.strerror or str(error))
