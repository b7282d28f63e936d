"""The map between frames and wires: which LED is part of which lamp.

A frame of a card table begins with the piles: each has a head, which burns in the colour of the
pile, and ten lamps for the numbers. So a pile has 13 LEDs, which are consecutive on their chip:
the red, green and blue of its head, then the numbers from 1 to 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set

from firmware_host.games.games import CARD_GAME, Game
from firmware_host.model.places import CARD_NUMBERS, PLACES_PER_ROW, Colour
from firmware_host.profile.device_kinds import LED_CHIPS
from firmware_host.profile.document import FileSetting, Section
from firmware_host.profile.fault_words import because
from firmware_host.profile.faults import FaultCollector
from firmware_host.profile.pins import NamedDevices, PinClaims
from firmware_host.profile.profile import GPIO, LampWire, LedChip

RED, GREEN, BLUE, ANY = 4, 2, 1, 7
LAMPS_A_PILE = 1 + CARD_NUMBERS
_HEAD = (RED, GREEN, BLUE)
_PILE_WIRES = (*((0, mask) for mask in _HEAD), *((number, ANY) for number in range(1, LAMPS_A_PILE)))
"""For each LED of a pile: its lamp, counted from the head, and the colours for which it burns."""
_LAMP = re.compile(r"(\S+) ([0-9]{1,3})(?: ([0-9]{1,3}) ([0-9]{1,3}))?")
_FORM = "a chip of [leds] and one or three LEDs, as in 'rows 0 1 2', or 'gpio' and a line"
_PILE = re.compile(r"(\S+) ([0-9]{1,3})")
_PILE_FORM = f"a chip of [leds] and the first of {len(_PILE_WIRES)} LEDs in a row, as in 'piles 0'"

BOARD_LAMPS = (*(colour.word for colour in Colour), "symbols", "seats")
"""The lamps of a dice table, in the order of a frame."""
CENTRE_LAMPS = ("piles", "seats")
"""Those of a card table."""


class LampReader:
    """Reads the section [lamps]: which wires each lamp has, in the order of a frame."""

    def __init__(
        self, reader: FaultCollector, claims: PinClaims, chips: Section, led_chips: Iterable[LedChip]
    ) -> None:
        self._reader = reader
        self._claims = claims
        self._chips = NamedDevices(reader, "a chip", "leds", chips, claims)
        self._leds = {chip.name: LED_CHIPS[chip.kind].leds for chip in led_chips}
        self._wanted: list[tuple[FileSetting, str, frozenset[int]]] = []

    def read(self, root: Section, game: Game, seats: int, piles: int) -> tuple[LampWire, ...]:
        """The wires of all lamps; empty without such a section."""
        section = self._reader.section(root, "lamps", CENTRE_LAMPS if game is CARD_GAME else BOARD_LAMPS)
        if "lamps" not in root:
            return ()
        if game is CARD_GAME:
            wires = [*self._piles(section["piles"], piles)]
            wires += self._lamps(section["seats"], seats, piles * LAMPS_A_PILE)
        else:
            wires = [*self._board(section, seats)]
        self._check_clashes()
        return tuple(wires)

    # -- lamps one by one

    def _board(self, section: Section, seats: int) -> Iterator[LampWire]:
        counts = {colour.word: PLACES_PER_ROW for colour in Colour}
        counts |= {"symbols": len(Colour), "seats": seats}
        first = 0
        for name, count in counts.items():
            yield from self._lamps(section[name], count, first)
            first += count

    def _lamps(self, setting: FileSetting, count: int, first: int) -> Iterator[LampWire]:
        """The wires of a list of lamps; `first` is the index of the first one in the frame."""
        entries = self._reader.entries(setting, count, "lamps")
        if entries and self._claims.whole_list(setting, "LEDs"):
            for number, entry in enumerate(entries):
                yield from self._lamp(entry, first + number)

    def _lamp(self, setting: FileSetting, lamp: int) -> Iterator[LampWire]:
        match = _LAMP.fullmatch(setting.value) if isinstance(setting.value, str) else None
        if match is None or (match[1] == GPIO and match[3]):
            self._reader.fault(setting, _FORM)
            return
        leds = [int(number) for number in match.groups()[1:] if number is not None]
        if match[1] == GPIO:
            yield from self._on_line(setting, lamp, leds[0])
        elif self._chips.has(setting, match[1]):
            yield from self._on_chip(setting, lamp, match[1], leds)

    def _on_line(self, setting: FileSetting, lamp: int, line: int) -> Iterator[LampWire]:
        first, last, why = self._claims.board
        if not first <= line <= last:
            self._reader.fault(setting, f"'gpio' and a line from {first} to {last}{because(why)}")
        elif self._claims.line(setting, line) >= 0:
            yield LampWire(lamp, ANY, GPIO, line)

    def _on_chip(self, setting: FileSetting, lamp: int, chip: str, leds: list[int]) -> Iterator[LampWire]:
        if max(leds) >= self._leds[chip]:
            self._reader.fault(setting, f"LEDs from 0 to {self._leds[chip] - 1}")
        elif len(set(leds)) < len(leds):
            self._reader.fault(setting, "an LED once in a lamp")
        else:
            self._wanted.append((setting, chip, frozenset(leds)))
            for mask, led in zip(_HEAD if len(leds) == 3 else (ANY,), leds, strict=True):
                yield LampWire(lamp, mask, chip, led)

    # -- piles as a whole

    def _piles(self, setting: FileSetting, count: int) -> Iterator[LampWire]:
        for number, entry in enumerate(self._reader.entries(setting, count, "piles")):
            yield from self._pile(entry, number * LAMPS_A_PILE)

    def _pile(self, setting: FileSetting, head: int) -> Iterator[LampWire]:
        match = _PILE.fullmatch(setting.value) if isinstance(setting.value, str) else None
        if match is None:
            self._reader.fault(setting, _PILE_FORM)
            return
        chip, first = match[1], int(match[2])
        if not self._chips.has(setting, chip):
            return
        last = self._leds[chip] - len(_PILE_WIRES)
        if first > last:
            self._reader.fault(setting, f"{len(_PILE_WIRES)} LEDs in a row, the first from 0 to {last}")
        else:
            self._wanted.append((setting, chip, frozenset(range(first, first + len(_PILE_WIRES)))))
            for led, (lamp, mask) in enumerate(_PILE_WIRES, start=first):
                yield LampWire(head + lamp, mask, chip, led)

    # -- whose is which

    def _check_clashes(self) -> None:
        """Report the LEDs that are used twice; the fault is with a lamp that clashes with several others."""
        clashes = {
            at: {other for other, its in enumerate(self._wanted) if other != at and _shared(mine, its)}
            for at, mine in enumerate(self._wanted)
        }
        while any(clashes.values()):
            worst = max(clashes, key=lambda at: (len(clashes[at]), at))
            other = min(clashes[worst])
            setting, chip, _ = self._wanted[worst]
            led = min(_shared(self._wanted[worst], self._wanted[other]))
            owner = self._reader.where(self._wanted[other][0])
            self._claims.taken(setting, "LEDs", f"LED {led} of {chip}", owner)
            for each in clashes.pop(worst):
                clashes[each].discard(worst)


def _shared(
    one: tuple[FileSetting, str, frozenset[int]], other: tuple[FileSetting, str, frozenset[int]]
) -> Set[int]:
    """The LEDs that both use."""
    return one[2] & other[2] if one[1] == other[1] else frozenset()
