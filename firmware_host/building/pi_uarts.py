"""The serial ports on the GPIO lines of each model of the Raspberry Pi.

A Pi 4 has four more UARTs than earlier ones, a Pi 5 as well, on the same lines but numbered one lower.
Each needs its overlay in config.txt. Their ports have the numbers of their UARTs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from firmware_host.building.pi_models import model_type

_HEADER = (14, 15)
_EXTRA = ((0, 1), (4, 5), (8, 9), (12, 13))


@dataclass(frozen=True, slots=True, kw_only=True)
class Uarts:
    """The serial ports of a model."""

    lines: Mapping[str, tuple[int, ...]]
    """The lines of each port of a UART; empty for one that is not on GPIO lines."""
    overlays: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The lines that each overlay for a UART takes."""
    bluetooth: bool = False
    """Its first UART is for Bluetooth unless an overlay changes that."""
    debug_port: bool = False
    """It has a connector of its own for the serial console, which is serial0."""


def _numbered(first: int) -> dict[str, tuple[int, ...]]:
    """The ports of the four further UARTs."""
    return {f"/dev/ttyAMA{number}": lines for number, lines in enumerate(_EXTRA, start=first)}


def _overlays(first: int, suffix: str = "") -> dict[str, tuple[int, ...]]:
    return {f"uart{number}{suffix}": lines for number, lines in enumerate(_EXTRA, start=first)}


_OLD = {"/dev/serial0": _HEADER, "/dev/serial1": (), "/dev/ttyAMA0": _HEADER, "/dev/ttyS0": _HEADER}
_FIRST = Uarts(lines=_OLD)
_WITH_BLUETOOTH = Uarts(lines=_OLD, bluetooth=True)
_SIX = Uarts(lines=_OLD | _numbered(2) | {"/dev/ttyAMA1": ()}, overlays=_overlays(2), bluetooth=True)
_RP1 = Uarts(
    lines={"/dev/serial0": (), "/dev/ttyAMA0": _HEADER, "/dev/ttyAMA10": ()} | _numbered(1),
    overlays={"uart0-pi5": _HEADER} | _overlays(1, "-pi5"),
    debug_port=True,
)
_PORTS_BY_TYPE = {
    **dict.fromkeys((0x08, 0x0C, 0x0D, 0x0E, 0x12), _WITH_BLUETOOTH),
    **dict.fromkeys((0x11, 0x13, 0x14), _SIX),
    0x15: replace(_SIX, bluetooth=False),
    **dict.fromkeys((0x17, 0x18, 0x19, 0x1A), _RP1),
}


def uarts_of(board: str) -> Uarts:
    """The serial ports of the Pi with that revision code."""
    return _PORTS_BY_TYPE.get(model_type(board), _FIRST)
