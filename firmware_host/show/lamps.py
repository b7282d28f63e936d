"""The light language: a lamp is a tint and a beat.

A tint mixes red, green and blue. A beat is eight eighths of a second, on or off, so a
lamp can be read by its rhythm alone: nothing on the table is told by colour only. Each
row has a symbol of its own for the same reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from firmware_host.durations import MS
from firmware_host.effects import Verdict
from firmware_host.places import ALL_SLOTS, Colour, Slot

TICK_NS = 125 * MS
BEATS = 8


class Tint(IntEnum):
    """Red is bit 2, green bit 1, blue bit 0."""

    OFF = 0
    BLUE = 1
    GREEN = 2
    CYAN = 3
    RED = 4
    MAGENTA = 5
    YELLOW = 6
    WHITE = 7


class Beat(IntEnum):
    """The rhythm of a lamp over one second, first eighth in the highest bit."""

    DARK = 0b00000000
    STEADY = 0b11111111
    SLOW = 0b11110000  # half a second on, half off
    FAST = 0b10101010  # a quick flicker: act now
    DOUBLE = 0b10100000  # two flashes: wrong
    TRIPLE = 0b10101000  # three flashes
    BLIP = 0b10000000  # one flash
    WINK = 0b11111101  # on, with a wink
    WAVE = 0b11001100  # a calm double wave


class Lamp(NamedTuple):
    """How one light burns."""

    tint: Tint
    beat: int

    def __str__(self) -> str:
        return f"{self.tint.name.lower()} {beat_name(self.beat)}"


DARK = Lamp(Tint.OFF, Beat.DARK)

ROW_TINT: dict[Colour, Tint] = {
    Colour.RED: Tint.RED,
    Colour.YELLOW: Tint.YELLOW,
    Colour.GREEN: Tint.GREEN,
    Colour.BLUE: Tint.BLUE,
}

ROW_SYMBOL: dict[Colour, str] = {
    Colour.RED: "▲",
    Colour.YELLOW: "●",
    Colour.GREEN: "■",
    Colour.BLUE: "◆",
}
"""The mark of each row, cut into its light at the table and drawn beside it on screens."""

VERDICT_LAMP: dict[Verdict, Lamp] = {
    Verdict.ACCEPTED: Lamp(Tint.GREEN, Beat.STEADY),
    Verdict.TOO_LATE: Lamp(Tint.YELLOW, Beat.SLOW),
    Verdict.ILLEGAL: Lamp(Tint.RED, Beat.DOUBLE),
    Verdict.FALSE_CLAIM: Lamp(Tint.RED, Beat.FAST),
    Verdict.LOCKED: Lamp(Tint.RED, Beat.TRIPLE),
    Verdict.NOT_RUNNING: Lamp(Tint.WHITE, Beat.BLIP),
    Verdict.DEAD_HEAT_WON: Lamp(Tint.CYAN, Beat.WINK),
    Verdict.DEAD_HEAT_LOST: Lamp(Tint.MAGENTA, Beat.WAVE),
}

CHASE: tuple[Lamp, ...] = tuple(
    Lamp(ROW_TINT[slot.colour], 1 << (BEATS - 1 - (slot.number + slot.colour * 2) % BEATS))
    for slot in ALL_SLOTS
)
"""A light that runs along the rows: each place flashes one eighth after its neighbour."""

SYMBOLS = len(Colour)


def slot_lamp_index(slot: Slot) -> int:
    """Where a slot's lamp is in a frame."""
    return ALL_SLOTS.index(slot)


def symbol_lamp_index(colour: Colour) -> int:
    """Where the lamp behind a row's symbol is in a frame."""
    return len(ALL_SLOTS) + colour


def panel_lamp_index(seat: int) -> int:
    """Where a seat's panel lamp is in a frame."""
    return len(ALL_SLOTS) + SYMBOLS + seat - 1


def frame_length(seats: int) -> int:
    return len(ALL_SLOTS) + SYMBOLS + seats


def frame(lamps: Sequence[Lamp], t_ns: int) -> bytes:
    """The lamps as they burn at one moment: a byte a lamp, its tint or 0."""
    mask = 1 << (BEATS - 1 - t_ns // TICK_NS % BEATS)
    return bytes([tint if beat & mask else 0 for tint, beat in lamps])


def beat_name(beat: int) -> str:
    """The name of a beat; the running light has none but `chase`."""
    try:
        return Beat(beat).name.lower()
    except ValueError:
        return "chase"
