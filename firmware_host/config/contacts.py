"""Buttons and hall sensors of a profile: on GPIO lines, or on the pins of expanders.

An expander tells that something has changed, but not which of two pins was first, and only when
it is asked. That will do for hall sensors, which only say where a die lies. It won't do for
anything that is raced for: race buttons, and calls of stop, which race the last cards played.
"""

from __future__ import annotations

import re

from firmware_host.config.claims import Claims
from firmware_host.config.faults import FaultyReader
from firmware_host.config.profile import BANK_LINES, Bank
from firmware_host.engine.games import Game
from firmware_host.places import PLACES_PER_ROW, Button, Call, Colour, Slot, Source

_BANK_PIN = re.compile(r"([a-z][a-z0-9-]*) ([AB])([0-7])")
_COLOURS = tuple(colour.word for colour in Colour)
_ADDRESSES = (0x20, 0x27)
_ONLY_DIRECT = {
    "buttons": "a GPIO line: an expander can't tell which of two buttons was first",
    "calls": "a GPIO line: an expander can't tell whether a call or a slap was first",
}


class ContactReader:
    """Reads which contact is on which line; `lines` is what has been found."""

    def __init__(self, reader: FaultyReader, claims: Claims) -> None:
        self.lines: dict[int, Source] = {}
        self._reader = reader
        self._claims = claims
        self._banks: dict[str, tuple[int, int]] = {}
        self._pins: dict[str, dict[int, int]] = {}

    @property
    def banks(self) -> tuple[Bank, ...]:
        """The expanders, with all pins that have been found by now."""
        return tuple(
            Bank(name=name, address=address, interrupt=interrupt, pins=self._pins[name])
            for name, (address, interrupt) in self._banks.items()
        )

    def buttons(self, game: Game) -> int:
        """Read the race buttons; how many seats there are."""
        buttons = self._reader.section("buttons")
        if not game.fewest_seats <= len(buttons) <= game.most_seats:
            allowed = f"{game.fewest_seats} to {game.most_seats} seats for {game.name}"
            self._reader.fault("buttons", len(buttons), allowed)
        for seat, line in buttons.items():
            self._at_seat("buttons", seat, line, len(buttons))
        return len(buttons)

    def calls(self, seats: int) -> None:
        """Read the call buttons: all seats have one, or none has."""
        calls = self._reader.section("calls")
        for seat, line in calls.items():
            self._at_seat("calls", seat, line, seats)
        without = [str(seat) for seat in range(1, seats + 1) if str(seat) not in calls]
        if "calls" in self._reader.data and without:
            allowed = "a call button at every seat, or no section [calls]"
            self._reader.say(f"calls has none for seat {', '.join(without)}; allowed: {allowed}")

    def read_banks(self) -> None:
        """Read the expanders."""
        for name in self._reader.section("banks"):
            bank = self._reader.section(f"banks.{name}", ("address", "interrupt"))
            address = self._claims.address(f"banks.{name}.address", bank.get("address"), _ADDRESSES, name)
            interrupt = self._claims.line(f"banks.{name}.interrupt", bank.get("interrupt"), f"bank {name}")
            self._claims.name(f"banks.{name}", name)
            self._banks[name] = (address, interrupt)
            self._pins[name] = {}

    def slots(self) -> None:
        """Read the hall sensors of all places."""
        slots = self._reader.section("slots", _COLOURS)
        for colour in Colour:
            key = f"slots.{colour.word}"
            lines = slots.get(colour.word)
            if not isinstance(lines, list) or len(lines) != PLACES_PER_ROW:
                self._reader.fault(key, lines, f"a list of {PLACES_PER_ROW} lines")
                continue
            for number, line in enumerate(lines, start=1):
                self._wire(f"{key}[{number}]", line, Slot(colour, number))

    def _at_seat(self, section: str, seat: str, line: object, seats: int) -> None:
        key = f"{section}.{seat}"
        if seat not in map(str, range(1, seats + 1)):
            self._reader.fault(key, seat, f"the seats 1 to {seats}")
        elif isinstance(line, str) and _BANK_PIN.fullmatch(line):
            self._reader.fault(key, line, _ONLY_DIRECT[section])
        else:
            self._wire(key, line, Button(int(seat)) if section == "buttons" else Call(int(seat)))

    def _wire(self, key: str, line: object, source: Source) -> None:
        """A contact on its line."""
        pin = _BANK_PIN.fullmatch(line) if isinstance(line, str) else None
        number = self._bank_line(key, pin) if pin else self._claims.line(key, line, str(source))
        if number >= 0:
            self.lines[number] = source

    def _bank_line(self, key: str, pin: re.Match[str]) -> int:
        name, port, bit = pin[1], pin[2], int(pin[3])
        if name not in self._banks:
            self._reader.fault(key, pin[0], f"an expander of [banks]: {', '.join(self._banks) or 'none'}")
            return -1
        if bit == 7:
            self._reader.fault(key, pin[0], "A0 to A6 and B0 to B6: the last pin of each port is an output")
            return -1
        number = bit if port == "A" else 8 + bit
        line = BANK_LINES + 16 * list(self._banks).index(name) + number
        if line in self.lines:
            self._reader.fault(key, pin[0], f"a pin of its own; it is taken by {self.lines[line]}")
            return -1
        self._pins[name][number] = line
        return line
