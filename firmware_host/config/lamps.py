"""Which LED is part of which lamp: the map between frames and wires.

A frame of a card table begins with the piles: for each its head, which burns in the colour of
the pile, and ten lamps for the numbers. So a pile is 13 LEDs, which stand in a row on their
chip: the red, green and blue of its head, then the numbers from 1 to 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from firmware_host.config.claims import Claims
from firmware_host.config.faults import FaultyReader
from firmware_host.config.profile import GPIO, LampWire
from firmware_host.engine.games import CARD_GAME, Game
from firmware_host.places import CARD_NUMBERS, PLACES_PER_ROW, Colour

LEDS = 128
RED, GREEN, BLUE, ANY = 4, 2, 1, 7
LAMPS_A_PILE = 1 + CARD_NUMBERS
_HEAD = (RED, GREEN, BLUE)
_PILE_WIRES = (*((0, mask) for mask in _HEAD), *((number, ANY) for number in range(1, LAMPS_A_PILE)))
"""For each LED of a pile: its lamp, counted from the head, and the colours for which it burns."""
_LAMP = re.compile(r"([a-z][a-z0-9-]*) ([0-9]{1,3})(?: ([0-9]{1,3}) ([0-9]{1,3}))?")
_FORM = "a chip of [leds] and one or three LEDs, as in 'rows 0 1 2', or 'gpio' and a line"
_PILE = re.compile(r"([a-z][a-z0-9-]*) ([0-9]{1,3})")
_PILE_FORM = f"a chip of [leds] and the first of {len(_PILE_WIRES)} LEDs in a row, as in 'piles 0'"


class LampReader:
    """Reads the section [lamps]: which wires each lamp has, in the order of a frame."""

    def __init__(self, reader: FaultyReader, claims: Claims, chips: Set[str]) -> None:
        self._reader = reader
        self._claims = claims
        self._chips = chips
        self._taken: dict[tuple[str, int], str] = {}

    def read(self, game: Game, seats: int, piles: int) -> tuple[LampWire, ...]:
        """The wires of all lamps; none if there is no such section."""
        if "lamps" not in self._reader.data:
            return ()
        if game is CARD_GAME:
            section = self._reader.section("lamps", ("piles", "seats"))
            wires = [*self._piles(section.get("piles"), piles)]
            return (*wires, *self._lamps("seats", section.get("seats"), seats, piles * LAMPS_A_PILE))
        counts = {colour.word: PLACES_PER_ROW for colour in Colour}
        counts |= {"symbols": len(Colour), "seats": seats}
        section = self._reader.section("lamps", counts)
        found: list[LampWire] = []
        first = 0
        for name, count in counts.items():
            found += self._lamps(name, section.get(name), count, first)
            first += count
        return tuple(found)

    # -- lamps one by one

    def _lamps(self, name: str, lamps: object, count: int, first: int) -> Iterator[LampWire]:
        """The wires of a list of lamps, of which the first is at that place of the frame."""
        if not isinstance(lamps, list) or len(lamps) != count:
            self._reader.fault(f"lamps.{name}", lamps, f"a list of {count} lamps")
            return
        for number, text in enumerate(lamps):
            yield from self._lamp(f"lamps.{name}[{number + 1}]", first + number, text)

    def _lamp(self, key: str, lamp: int, text: object) -> Iterator[LampWire]:
        match = _LAMP.fullmatch(text) if isinstance(text, str) else None
        if match is None or (match[1] == GPIO and match[3]):
            self._reader.fault(key, text, _FORM)
            return
        leds = [int(number) for number in match.groups()[1:] if number is not None]
        if match[1] == GPIO:
            line = self._claims.line(key, leds[0], key)
            if line >= 0:
                yield LampWire(lamp, ANY, GPIO, line)
        elif match[1] not in self._chips:
            self._reader.fault(key, text, f"{self._chip_form()}, or gpio")
        else:
            yield from self._on_chip(key, lamp, match[1], leds)

    def _on_chip(self, key: str, lamp: int, chip: str, leds: list[int]) -> Iterator[LampWire]:
        for mask, led in zip(_HEAD if len(leds) == 3 else (ANY,), leds, strict=True):
            if led >= LEDS:
                self._reader.fault(key, led, f"an LED from 0 to {LEDS - 1}")
            elif (chip, led) in self._taken:
                self._told_taken(key, chip, led)
            else:
                self._taken[chip, led] = key
                yield LampWire(lamp, mask, chip, led)

    # -- piles as a whole

    def _piles(self, piles: object, count: int) -> Iterator[LampWire]:
        if not isinstance(piles, list):
            self._reader.fault("lamps.piles", piles, f"a list of {count} piles")
            return
        if len(piles) != count:
            self._reader.say(f"lamps.piles has {len(piles)} entries; allowed: {count}, one for each pile")
            return
        for number, text in enumerate(piles):
            yield from self._pile(f"lamps.piles[{number + 1}]", number * LAMPS_A_PILE, text)

    def _pile(self, key: str, head: int, text: object) -> Iterator[LampWire]:
        match = _PILE.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            self._reader.fault(key, text, _PILE_FORM)
            return
        chip, first = match[1], int(match[2])
        if chip not in self._chips:
            self._reader.fault(key, text, self._chip_form())
            return
        last = LEDS - len(_PILE_WIRES)
        if first > last:
            self._reader.fault(key, text, f"{len(_PILE_WIRES)} LEDs in a row, the first from 0 to {last}")
            return
        leds = range(first, first + len(_PILE_WIRES))
        taken = [led for led in leds if (chip, led) in self._taken]
        if taken:
            self._told_taken(key, chip, taken[0])
            return
        for led, (lamp, mask) in zip(leds, _PILE_WIRES, strict=True):
            self._taken[chip, led] = key
            yield LampWire(head + lamp, mask, chip, led)

    # -- faults

    def _chip_form(self) -> str:
        return f"a chip of [leds]: {', '.join(sorted(self._chips)) or 'none'}"

    def _told_taken(self, key: str, chip: str, led: int) -> None:
        taken = f"an LED of its own; it is taken by {self._taken[chip, led]}"
        self._reader.fault(key, f"LED {led}", taken)
