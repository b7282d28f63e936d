"""One end of a serial line as bytes in and bytes out: no port, no thread, no clock.

Drivers are written this way, and so are the simulated devices at the other end. What joins
two ends is a real port, a pseudo-terminal, or a cable in virtual time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hw.ports import Condition


class SerialEnd(Protocol):
    """One end of a line. All calls come from one owner, one at a time."""

    def opened(self, now_ns: int) -> None:
        """The line is up, for the first time or again: begin from scratch."""

    def closed(self, now_ns: int) -> None:
        """The line is down; what was under way is lost."""

    def received(self, data: bytes, now_ns: int) -> None:
        """Bytes have come in."""

    def step(self, now_ns: int) -> int | None:
        """Do what is due; when to be called next (None: when bytes come in, or when woken)."""

    def take_outgoing(self) -> bytes:
        """The bytes to be sent now; they are taken out."""


class Device(SerialEnd, Protocol):
    """A driver's end: it knows how the device at the other end is."""

    name: str
    wake: Callable[[], None]
    """Ask for `step`, from any thread; the port puts itself in here."""

    @property
    def health(self) -> tuple[Condition, str, str]:
        """How it is, what was seen, what to do."""

    def rest(self) -> bytes:
        """The bytes that leave the device as an idle table should be."""
