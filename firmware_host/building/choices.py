"""What a profile says that only building needs: which parts were chosen, how long cables are, where things lie.

Everything has a default, so a profile without a section `[build]` is complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSize:
    """Where things lie on the board, in mm. The usual board is laid out from the number of seats and places."""

    pitch_mm: int = 45
    """From the middle of one place to the middle of the next one in its row."""
    row_pitch_mm: int = 60
    margin_mm: int = 60
    places_mm: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Own positions by name, such as 'red 1', 'seat 3', 'pile 2': across and down from the upper left corner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The parts that were chosen, by their keys in `parts.PARTS`, and how they are connected."""

    hall: str = "a3144"
    button: str = "arcade-5v"
    button_driver: str = "uln2003"
    """What drives the LEDs of the buttons; `none` if a GPIO line does."""
    leds: str = "rgb-cc"
    supply: str = "supply-5v"
    sign_link: str = "usb-rs232"
    expander_volts: float = 3.3
    led_chip_volts: float = 5.0
    level_shifter: bool = True
    """Between the bus of the Pi (3.3 V) and LED chips at 5 V."""
    pull_ups_ohm: Mapping[str, int] = field(default_factory=dict)
    """The pull-ups on the breakout of each chip, if they are not the usual ones; 0 where they were removed."""
    cables_mm: Mapping[str, int] = field(default_factory=dict)
    """The lengths of cables that are not as long as the drawing of the board says."""
    board: BoardSize = BoardSize()
