"""Which LED is part of which lamp: the map between frames and wires."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set

from firmware_host.config.faults import FaultyReader
from firmware_host.config.profile import GPIO, LampWire
from firmware_host.places import PLACES_PER_ROW, Colour

LEDS = 128
RED, GREEN, BLUE, ANY = 4, 2, 1, 7
_LAMP = re.compile(r"([a-z][a-z0-9-]*) ([0-9]{1,3})(?: ([0-9]{1,3}) ([0-9]{1,3}))?")
_FORM = "a chip of [leds] and one or three LEDs, as in 'rows 0 1 2', or 'gpio' and a line"

Claim = Callable[[str, object, str], int]


def read_lamps(reader: FaultyReader, seats: int, chips: Set[str], claim: Claim) -> tuple[LampWire, ...]:
    """The wires of all lamps, in the order of a frame; none if there is no section [lamps]."""
    if "lamps" not in reader.data:
        return ()
    wires: list[LampWire] = []
    taken: dict[tuple[str, int], str] = {}
    for index, (key, text) in enumerate(_lamps(reader, seats)):
        match = _LAMP.fullmatch(text) if isinstance(text, str) else None
        if match is None or (match[1] == GPIO and match[3]):
            reader.fault(key, text, _FORM)
            continue
        leds = [int(number) for number in match.groups()[1:] if number is not None]
        if match[1] == GPIO:
            line = claim(key, leds[0], key)
            wires += [LampWire(index, ANY, GPIO, line)] if line >= 0 else []
        elif match[1] not in chips:
            reader.fault(key, text, f"a chip of [leds]: {', '.join(sorted(chips)) or 'none'}, or gpio")
        else:
            wires += _on_chip(reader, key, index, match[1], leds, taken)
    return tuple(wires)


def _lamps(reader: FaultyReader, seats: int) -> Iterator[tuple[str, object]]:
    """Key and text of each lamp, in the order of a frame."""
    rows = {colour.word: PLACES_PER_ROW for colour in Colour}
    counts = {**rows, "symbols": len(Colour), "seats": seats}
    section = reader.section("lamps", counts)
    for name, count in counts.items():
        lamps = section.get(name)
        if not isinstance(lamps, list) or len(lamps) != count:
            reader.fault(f"lamps.{name}", lamps, f"a list of {count} lamps")
            continue
        for number, text in enumerate(lamps, start=1):
            yield f"lamps.{name}[{number}]", text


def _on_chip(
    reader: FaultyReader, key: str, lamp: int, chip: str, leds: list[int], taken: dict[tuple[str, int], str]
) -> Iterator[LampWire]:
    for mask, led in zip((RED, GREEN, BLUE) if len(leds) == 3 else (ANY,), leds, strict=True):
        if led >= LEDS:
            reader.fault(key, led, f"an LED from 0 to {LEDS - 1}")
        elif (chip, led) in taken:
            reader.fault(key, f"LED {led}", f"an LED of its own; it is taken by {taken[chip, led]}")
        else:
            taken[chip, led] = key
            yield LampWire(lamp, mask, chip, led)
