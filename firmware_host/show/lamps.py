"""The light language: a lamp is a tint and a beat.

A tint mixes red, green and blue. A beat is eight eighths of a second, on or off, so that a
lamp can be read by its rhythm alone: nothing on the table is shown by colour only. Each
row has a symbol for the same reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from typing import NamedTuple

from firmware_host.model.effects import Cue, Verdict
from firmware_host.model.places import ALL_SLOTS, CARD_NUMBERS, Colour, Slot
from firmware_host.model.times import MS

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
    LONG = 0b11100000  # one long flash
    WINK = 0b11111101  # on, with a wink
    WAVE = 0b11001100  # a calm double wave
    EVEN = 0b10001000  # a flash each half second
    BREAKS = 0b11101110  # on, with a break each half second
    LIMP = 0b11101000  # a long flash and a short one
    DACTYL = 0b11101010  # a long flash and two short ones
    PULSE = 0b11011000  # two strong flashes, like a heart
    CANTER = 0b11011010  # two strong flashes and a weak one
    TROT = 0b11010000  # a strong flash and a weak one
    FLUTTER = 0b11111010  # on, with two winks together
    GALLOP = 0b11001010  # a strong flash and two weak ones


class Lamp(NamedTuple):
    """The tint and the beat of one light."""

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
"""The symbol of each row, cut into its light at the table and drawn beside it on screens."""

VERDICT_LAMP: dict[Verdict, Lamp] = {
    Verdict.ACCEPTED: Lamp(Tint.GREEN, Beat.STEADY),
    Verdict.TOO_LATE: Lamp(Tint.YELLOW, Beat.SLOW),
    Verdict.ILLEGAL: Lamp(Tint.RED, Beat.DOUBLE),
    Verdict.FALSE_CLAIM: Lamp(Tint.RED, Beat.FAST),
    Verdict.LOCKED: Lamp(Tint.RED, Beat.TRIPLE),
    Verdict.NOT_RUNNING: Lamp(Tint.WHITE, Beat.BLIP),
    Verdict.TAKEN_BACK: Lamp(Tint.WHITE, Beat.LONG),
    Verdict.REPEATED: DARK,  # it hides no verdict: news.py passes it over
    Verdict.DEAD_HEAT_WON: Lamp(Tint.CYAN, Beat.WINK),
    Verdict.DEAD_HEAT_LOST: Lamp(Tint.MAGENTA, Beat.WAVE),
}

CUE_LAMP: dict[Cue, Lamp] = {
    Cue.NOT_YOURS: Lamp(Tint.RED, Beat.LIMP),
    Cue.IN_CENTRE: Lamp(Tint.RED, Beat.BREAKS),
    Cue.WRONG_KIND: Lamp(Tint.RED, Beat.FLUTTER),
    Cue.WRONG_DIE: Lamp(Tint.RED, Beat.TROT),
    Cue.WRONG_STOP: Lamp(Tint.RED, Beat.GALLOP),
    Cue.TWO_TAGS: Lamp(Tint.YELLOW, Beat.EVEN),
    Cue.GONE: Lamp(Tint.YELLOW, Beat.PULSE),
    Cue.UNKNOWN: Lamp(Tint.MAGENTA, Beat.DACTYL),
    Cue.UNREAD: Lamp(Tint.MAGENTA, Beat.CANTER),
}
"""What a seat's panel shows if something is wrong with a tag on its pad, or with its last slap or call.

Red: it is the wrong one. Yellow: it was shown in a wrong way. Magenta: the table can't tell what it is.
"""

CHASE: tuple[Lamp, ...] = tuple(
    Lamp(ROW_TINT[slot.colour], 1 << (BEATS - 1 - (slot.number + slot.colour * 2) % BEATS))
    for slot in ALL_SLOTS
)
"""A light that runs along the rows: each place flashes an eighth of a second after its neighbour."""

SYMBOLS = len(Colour)
LAMPS_A_PILE = 1 + CARD_NUMBERS
"""The head, which has all colours, and a light for each number."""


@cache
def pile_chase(piles: int) -> tuple[Lamp, ...]:
    """A light that runs up all piles, on each an eighth of a second later than on the one before."""
    return tuple(
        Lamp(ROW_TINT[Colour(pile % len(Colour))], 1 << (BEATS - 1 - (number + pile) % BEATS))
        for pile in range(piles)
        for number in range(LAMPS_A_PILE)
    )


def slot_lamp_index(slot: Slot) -> int:
    """The index of a slot's lamp in the frame of a table of dice."""
    return ALL_SLOTS.index(slot)


def pile_lamp_index(pile: int, number: int) -> int:
    """The index of a pile's light for a number in the frame of a table of cards; 0 is its head."""
    return (pile - 1) * LAMPS_A_PILE + number


def panel_lamp_index(seat: int, piles: int = 0) -> int:
    """The index of a seat's panel lamp in a frame; a table without piles is one of dice."""
    return (piles * LAMPS_A_PILE if piles else len(ALL_SLOTS) + SYMBOLS) + seat - 1


def frame_length(seats: int, piles: int = 0) -> int:
    return panel_lamp_index(seats, piles) + 1


@cache
def lamp_names(seats: int, piles: int = 0) -> tuple[str, ...]:
    """The names of the lamps in the order of a frame: `red 3`, `red symbol`, `pile 2 head`."""
    panels = [f"seat {seat}" for seat in range(1, seats + 1)]
    if piles:
        numbers = ("head", *map(str, range(1, LAMPS_A_PILE)))
        return (*(f"pile {pile} {number}" for pile in range(1, piles + 1) for number in numbers), *panels)
    return (*map(str, ALL_SLOTS), *(f"{colour.word} symbol" for colour in Colour), *panels)


def frame(lamps: Sequence[Lamp], t_ns: int) -> bytes:
    """The lamps at one moment: one byte for each lamp, its tint or 0."""
    mask = 1 << (BEATS - 1 - t_ns // TICK_NS % BEATS)
    return bytes([tint if beat & mask else 0 for tint, beat in lamps])


def beat_name(beat: int) -> str:
    """The name of a beat; all beats of running lights are called `chase`."""
    try:
        return Beat(beat).name.lower()
    except ValueError:
        return "chase"
