"""What an I2C bus calls on the driver of a chip, and what the driver calls on the bus."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

from hw.ports import Gap


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
