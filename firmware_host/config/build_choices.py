"""What a profile says that only building needs: the parts chosen, how long cables are, where things lie.

Everything has a default, so a profile without a section `[build]` is complete. Each part is named by its key
in `building/parts.py`, which has a row for each of those listed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

HALLS = ("a3144", "us5881", "drv5023", "drv5033", "drv5032-80", "drv5032-20", "drv5032-5", "us1881")
"""Hall sensors; the number of a sampled one is how often it looks, in a second."""
BUTTONS = ("arcade-5v", "arcade-12v", "arcade-bare", "arcade-plain", "push-button")
BUTTON_DRIVERS = ("uln2003", "none")
LEDS = ("rgb-cc", "rgb-ca", "single")
SUPPLIES = ("supply-5v", "pi")
"""What the 5 V of the table come from: a supply of its own, or the 5 V pins of the Pi."""
READER_LINKS = ("usb-uart", "usb-uart-4")
"""The adapter of a reader: one for each, or one for four."""
SIGN_LINKS = ("usb-rs232", "usb-uart", "usb", "max3232", "direct")
SPEAKERS = ("usb-speaker", "jack", "none")
VOLTS = (3.3, 5.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSize:
    """Where things lie on the board, in mm."""

    pitch_mm: int = 45
    """From the middle of one place to the middle of the next one in its row."""
    row_pitch_mm: int = 60
    margin_mm: int = 110
    """From the outer places to the edge; buttons and pads lie there."""
    places_mm: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Own positions by name, such as 'red 1' or 'seat 3': across and down from the upper left corner."""


DICE_BOARD = BoardSize()
CARD_BOARD = BoardSize(pitch_mm=75, row_pitch_mm=120, margin_mm=200)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The parts that were chosen, by their keys in `parts.PARTS`, and how they are connected."""

    hall: str = "a3144"
    hall_pull_up_ohm: int = 10_000
    """From each sensor on an expander to 3.3 V; 0 if only those inside the expander are to pull."""
    button: str = "arcade-5v"
    button_driver: str = "uln2003"
    """What drives the LEDs of the buttons; `none` if a GPIO line does."""
    leds: str = "rgb-cc"
    supply: str = "supply-5v"
    reader_link: str = "usb-uart"
    sign_link: str = "usb-rs232"
    speaker: str = "usb-speaker"
    expander_volts: float = 3.3
    led_chip_volts: float = 5.0
    level_shifter: bool = True
    """Between the bus of the Pi (3.3 V) and LED chips at 5 V."""
    pull_ups_ohm: Mapping[str, int] = field(default_factory=dict)
    """The pull-ups on the breakout of each chip, if not the usual ones; 0 where they were removed."""
    cables_mm: Mapping[str, int] = field(default_factory=dict)
    """The lengths of cables that are not as long as the drawing of the board says."""
    board: BoardSize = DICE_BOARD
