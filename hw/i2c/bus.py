"""An I2C bus and its chips: one owner, one transfer at a time.

Every chip has a session, which lets it work when it is due and recovers it after a fault; the
others go on meanwhile. Interrupts are collected before each step and after each transfer, so
a driver that evaluates what it has read knows every interrupt before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hw.i2c.chip_driver import ChipDriver as ChipDriver
from hw.i2c.chip_driver import InterruptedChipDriver
from hw.i2c.chip_session import ChipSession
from hw.mailbox import Mailbox
from hw.ports import Edge, EdgeSource, Gap, Tell
from hw.work import nobody_to_wake

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
        self._now_ns = now_ns
        self._interrupts = interrupts
        self._reset = reset
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
        self._look_at_lines(now_ns)
        self.collect()
        for number, session in enumerate(self._turns, start=1):
            due_ns = session.due_ns(now_ns)
            if due_ns is not None and due_ns <= now_ns:
                session.step(now_ns)
                if self._now_ns() - now_ns > SLICE_NS:
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

    def _look_at_lines(self, now_ns: int) -> None:
        """Look now and then: interrupts may be lost unnoticed, and a GPIO chip may go and come back."""
        resync = getattr(self._interrupts, "resync", None)  # not every source needs it
        if resync is not None and now_ns >= self._look_ns:
            self._look_ns = now_ns + LOOK_NS
            resync()

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

    def now_ns(self) -> int:
        return self._now_ns()

    def opened(self) -> Any:
        if self._smbus is None:
            self._smbus = self._open_bus()
        return self._smbus

    def shut(self) -> None:
        smbus, self._smbus = self._smbus, None
        if smbus is not None:
            smbus.close()

    def collect(self) -> None:
        if self._interrupts is None:
            return
        for report in self._interrupts.read():
            if isinstance(report, Gap):
                for chip in self._by_line.values():
                    chip.missed(report)
            elif not report.high and report.line in self._by_line:
                _pass_on(report, self._by_line[report.line])

    def can_reset(self) -> bool:
        return self._reset is not None

    def reset(self) -> None:
        if self._reset is not None:
            self._reset()
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
