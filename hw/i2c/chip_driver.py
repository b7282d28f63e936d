"""What the driver of a chip on an I2C bus is to its bus, and the bus to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

from hw.ports import Gap


class Anomaly(NamedTuple):
    """Something is wrong with a chip, though it works: what was seen, and what to do about it."""

    seen: str
    advice: str


class Registers(Protocol):
    """One chip's registers as its driver sees them. Every call may raise OSError."""

    failures: int
    """How many tries at a transfer have failed so far. Nobody knows how far such a try got."""

    def read(self, register: int, count: int) -> bytes:
        """That many registers from this one on, in one transfer."""

    def write(self, register: int, data: bytes) -> None:
        """Write registers from this one on."""

    def send(self, command: int) -> None:
        """A command without data."""

    def now_ns(self) -> int:
        """The time now: a transfer takes some."""


class ChipDriver(Protocol):
    """The driver of one chip: told when it may use the bus, and never blocking otherwise."""

    name: str
    address: int
    wake: Callable[[], None]
    """Ask for `work`, from any thread; the bus puts itself in here."""

    def start(self, registers: Registers, now_ns: int) -> None:
        """Set the chip up from scratch, whatever it did before."""

    def due_ns(self, now_ns: int) -> int | None:
        """When `work` is needed next; now or earlier if at once."""

    def work(self, registers: Registers, now_ns: int) -> Anomaly | None:
        """Do what is due, if anything is; tell what is odd about the chip, such as an unexpected reset."""

    def rest(self, registers: Registers) -> None:
        """Leave the chip as an idle table should be."""

    def lost(self, now_ns: int) -> None:
        """The chip can't be reached from now on; `start` follows when it can again."""


@runtime_checkable
class InterruptedChipDriver(ChipDriver, Protocol):
    """A chip with an interrupt line of its own; the line is low while it has something to tell."""

    interrupt_line: int
    is_interrupted: Callable[[], bool]
    """Whether the line is low now; the bus puts itself in here."""

    def interrupted(self, t_ns: int) -> None:
        """The line went low at that stamp. It may be told in the middle of `work`, after a transfer."""

    def missed(self, gap: Gap) -> None:
        """The line may have gone low in that time, and nobody knows when."""


def not_interrupted() -> bool:
    """What `is_interrupted` is before there is a bus."""
    return False
