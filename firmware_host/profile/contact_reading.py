"""Buttons and hall sensors of a profile: on GPIO lines, or on the pins of expanders.

An expander reports that something has changed, but not which of two pins was first, and only when
it is asked. That is enough for hall sensors, which only say where a die lies, and for calls of stop, which
win nothing. It is not enough for race buttons.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from firmware_host.games.games import Game
from firmware_host.model.places import MOST_PILES_A_SEAT, PLACES_PER_ROW, Button, Call, Colour, Slot, Source
from firmware_host.profile.device_kinds import EXPANDER
from firmware_host.profile.document import FileSetting, Section
from firmware_host.profile.fault_words import shown
from firmware_host.profile.faults import FaultCollector
from firmware_host.profile.pins import NamedDevices, PinClaims
from firmware_host.profile.profile import BANK_LINES, Bank

# The number of seats of a table, as most of its sections have it.
#
# So a button that was forgotten is one fault, and not a fault of everything else at that seat.


def count_seats(game: Game, buttons: Section, calls: Section, root: Section) -> int:
    """The number of seats of a profile; 0 if no section has a number that can play the game."""
    said = (len(buttons), len(calls), *_votes(root))
    votes = Counter(vote for vote in said if game.fewest_seats <= vote <= game.most_seats)
    return max(votes, key=lambda seats: (votes[seats], seats), default=0)


def _votes(root: Section) -> Iterator[int]:
    lamps = _within(root, "lamps")
    yield _length(lamps.get("seats"))
    yield _length(lamps.get("piles")) // MOST_PILES_A_SEAT
    readers = [reader for reader in _within(root, "readers").values() if isinstance(reader, dict)]
    yield sum("seat" in reader for reader in readers)
    yield sum("pile" in reader for reader in readers) // MOST_PILES_A_SEAT
    piles = root["piles"].value
    yield piles // MOST_PILES_A_SEAT if isinstance(piles, int) else 0


def _within(root: Section, name: str) -> dict[str, object]:
    section = root[name].value
    return section if isinstance(section, dict) else {}


def _length(entries: object) -> int:
    return len(entries) if isinstance(entries, list) else 0


_BANK_PIN = re.compile(r"(\S+) ([A-Za-z])([0-9])")
_CONTACT_FORM = "a GPIO line, or an expander and its pin, as in 'left A0'"
_PIN_FORM = "A0 to A6 and B0 to B6: the last pin of each port is an output"
BANK_SETTINGS = ("address", "interrupt")
ROWS = tuple(colour.word for colour in Colour)
_ONLY_DIRECT = "a GPIO line: an expander can't tell which of two buttons was first"


class ContactReader:
    """Reads which contact is on which line; `lines` has those found so far."""

    def __init__(self, reader: FaultCollector, claims: PinClaims, root: Section) -> None:
        self.lines: dict[int, Source] = {}
        self._reader = reader
        self._claims = claims
        self._root = root
        self._buttons = reader.section(root, "buttons")
        self._calls = reader.section(root, "calls")
        self._expanders = reader.section(root, "banks")
        self._banks: dict[str, tuple[int, int]] = {}
        self._pins: dict[str, dict[int, int]] = {}
        self._owners: dict[int, FileSetting] = {}

    @property
    def banks(self) -> tuple[Bank, ...]:
        """The expanders, with all pins found so far."""
        return tuple(
            Bank(name=name, address=address, interrupt=interrupt, pins=self._pins[name])
            for name, (address, interrupt) in self._banks.items()
        )

    def seats(self, game: Game) -> int:
        """The number of seats, as most sections have it; 0 if that is unclear."""
        return count_seats(game, self._buttons, self._calls, self._root)

    def buttons(self, game: Game, seats: int) -> None:
        """Read the race buttons."""
        span = f"{game.fewest_seats} to {game.most_seats} seats for {game.name}"
        if seats and self._buttons:
            self._at_seats(self._buttons, "buttons", seats, f"a race button at each of {seats} seats")
        elif self._buttons:
            self._reader.fault(self._buttons.whole, span, found=f"for {len(self._buttons)}")
        elif not self._buttons.muted:
            self._reader.fault(self._root["buttons"], f"a GPIO line for each of {seats or span}")

    def calls(self, seats: int) -> None:
        """Read the call buttons: all seats have one, or none has."""
        if "calls" in self._root:
            self._at_seats(self._calls, "calls", seats, "a call button at every seat, or no section [calls]")

    def read_banks(self) -> None:
        """Read the expanders."""
        for name, device in self._expanders.items():
            bank = self._reader.section(self._expanders, name, BANK_SETTINGS)
            self._claims.name(device)
            address = self._claims.address(bank["address"], EXPANDER.address_span)
            self._banks[name] = (address, self._claims.line(bank["interrupt"]))
            self._pins[name] = {}
        self._known = NamedDevices(self._reader, "an expander", "banks", self._expanders, self._claims)

    def slots(self) -> None:
        """Read the hall sensors of all places."""
        section = self._reader.section(self._root, "slots", ROWS)
        if not section and not section.muted:
            self._reader.fault(
                self._root["slots"], f"a list of {PLACES_PER_ROW} lines for each row", found="empty"
            )
            return
        for colour in Colour:
            row = section[colour.word]
            entries = self._reader.entries(row, PLACES_PER_ROW, "lines")
            if entries and self._claims.whole_list(row, "lines"):
                for number, entry in enumerate(entries, start=1):
                    self.lines[self._contact_line(entry)] = Slot(colour, number)

    # -- at the seats

    def _at_seats(self, section: Section, kind: str, seats: int, allowed: str) -> None:
        known = [str(seat) for seat in range(1, seats + 1)]
        misplaced = 0
        for seat, setting in section.items():
            if seat not in known:
                misplaced += 1
                self._reader.fault(setting, f"a seat from 1 to {seats}", found=f"for seat {shown(seat)}")
            elif kind == "calls":
                self.lines[self._contact_line(setting)] = Call(int(seat))
            elif isinstance(setting.value, str) and self._means_bank(setting.value):
                self._reader.fault(setting, _ONLY_DIRECT)
            else:
                # A line of -1 has been reported as a fault: nobody will ask for it.
                self.lines[self._claims.line(setting)] = Button(int(seat))
        without = [seat for seat in known if seat not in section]
        if len(without) > misplaced:
            found = f"{section.whole} has none for seat {', '.join(without)}"
            self._reader.say(section.path, f"{found}; allowed: {allowed}")

    def _means_bank(self, text: str) -> bool:
        """Whether a text seems to name an expander, perhaps without a pin."""
        return bool(_BANK_PIN.fullmatch(text)) or text.partition(" ")[0] in self._expanders

    # -- on lines or on pins

    def _contact_line(self, setting: FileSetting) -> int:
        """The line of a contact that may be on an expander; -1 if it can't be had."""
        if not isinstance(setting.value, str):
            return self._claims.line(setting)
        pin = _BANK_PIN.fullmatch(setting.value)
        if pin is None:
            self._reader.fault(setting, _CONTACT_FORM)
            return -1
        name, port, bit = pin[1], pin[2], int(pin[3])
        if not self._known.has(setting, name):
            return -1
        if port not in "AB" or bit > 6:
            self._reader.fault(setting, _PIN_FORM)
            return -1
        return self._bank_line(setting, name, bit if port == "A" else 8 + bit)

    def _bank_line(self, setting: FileSetting, name: str, number: int) -> int:
        line = BANK_LINES + 16 * list(self._banks).index(name) + number
        owner = self._owners.setdefault(line, setting)
        if owner is not setting:
            self._claims.taken(setting, "a pin", f"{setting.value!r}", owner)
            return -1
        self._pins[name][number] = line
        return line
