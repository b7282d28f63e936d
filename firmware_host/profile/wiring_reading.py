"""Buttons, sensors, lamps and tag readers of a profile: what is wired to which line, pin, LED or port.

An expander reports that something has changed, but not which of two pins was first, and only when
it is asked. That is enough for hall sensors, which only say where a die lies, and for calls of stop, which
win nothing. It is not enough for race buttons.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set

from firmware_host.games.games import CARD_GAME, Game
from firmware_host.model.errors import MalformedText
from firmware_host.model.places import (
    ALL_SLOTS,
    MOST_PILES_A_SEAT,
    PLACES_PER_ROW,
    Button,
    Call,
    Colour,
    Pad,
    Pile,
    Slot,
    Source,
    Spot,
    parse_spot,
)
from firmware_host.model.plain_text import because, shown
from firmware_host.profile.device_kinds import EXPANDER, LED_CHIPS
from firmware_host.profile.document import FileSetting, Section
from firmware_host.profile.faults import FaultCollector
from firmware_host.profile.keys import PROFILE_SECTIONS
from firmware_host.profile.pins import NamedDevices, PinClaims
from firmware_host.profile.profile import BANK_LINES, GPIO, Bank, LampWire, LedChip, TagSpot
from firmware_host.show.lamps import LAMPS_A_PILE


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
        """The number of seats as most sections have it; 0 if none has a number that can play the game.

        So a button that was forgotten is one fault, and not a fault of everything else at that seat.
        """
        said = (len(self._buttons), len(self._calls), *_votes(self._root))
        votes = Counter(vote for vote in said if game.fewest_seats <= vote <= game.most_seats)
        return max(votes, key=lambda seats: (votes[seats], seats), default=0)

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
            bank = self._reader.section(self._expanders, name, PROFILE_SECTIONS["banks.*"])
            self._claims.name(device)
            address = self._claims.address(bank["address"], EXPANDER.address_span)
            self._banks[name] = (address, self._claims.line(bank["interrupt"]))
            self._pins[name] = {}
        self._known = NamedDevices(self._reader, "an expander", "banks", self._expanders, self._claims)

    def slots(self) -> None:
        """Read the hall sensors of all places."""
        section = self._reader.section(self._root, "slots", PROFILE_SECTIONS["slots"])
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
            elif isinstance(setting.value, str) and (
                _BANK_PIN.fullmatch(setting.value) or setting.value.partition(" ")[0] in self._expanders
            ):
                self._reader.fault(setting, _ONLY_DIRECT)
            else:
                # A line of -1 has been reported as a fault: nobody will ask for it.
                self.lines[self._claims.line(setting)] = Button(int(seat))
        without = [seat for seat in known if seat not in section]
        if len(without) > misplaced:
            found = f"{section.whole} has none for seat {', '.join(without)}"
            self._reader.say(section.path, f"{found}; allowed: {allowed}")

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


# The map between frames and wires: which LED is part of which lamp.
#
# A frame of a card table begins with the piles: each has a head, which burns in the colour of the
# pile, and ten lamps for the numbers. So a pile has 13 LEDs, which are consecutive on their chip:
# the red, green and blue of its head, then the numbers from 1 to 10.


RED, GREEN, BLUE, ANY = 4, 2, 1, 7
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


# The tag readers in a profile: where each is, and whether they are complete.
#
# A reader with a faulty place may be any of those that seem to be missing. So gaps are reported only
# if there are more gaps than such readers: one mistake has one message.


_PLACES = {"seat": "", "pile": "cards", "slot": "dice"}
"""The settings that can give the place of a reader, each with the only game that it is for."""
_CARD_READERS = "a pad at every seat, or a reader at every pile"
_MOST_NAMED = 6
_MOST_GROUPS = 99


class TagSpots:
    """Reads the section [readers] of a table."""

    def __init__(self, reader: FaultCollector, claims: PinClaims, game: Game, seats: int, piles: int) -> None:
        self._reader = reader
        self._claims = claims
        self._game = game
        self._pads = [Pad(seat) for seat in range(1, seats + 1)]
        self._piles = [Pile(number) for number in range(1, piles + 1)]
        self._taken: dict[Spot, FileSetting] = {}
        self._misplaced = 0

    def read(self, root: Section) -> tuple[TagSpot, ...]:
        """All readers whose places are known, with a fault for everything that is wrong with them."""
        readers = []
        section = self._reader.section(root, "readers")
        for name in section:
            one = self._reader.section(section, name, PROFILE_SECTIONS["readers.*"])
            self._claims.name(section[name])
            at = None if one.muted else self._place(section[name], one)
            port = self._claims.port(one["port"])
            group = self._reader.number(one["group"], 1, _MOST_GROUPS, default=1)
            if at is None:
                self._misplaced += 1
            else:
                readers.append(TagSpot(name=name, at=at, port=port, group=group))
        if self._game is CARD_GAME:
            self._check_cards(root["readers"])
        else:
            self._check_dice(root["readers"], root["ownership"])
        return tuple(readers)

    # -- one of them

    def _place(self, device: FileSetting, section: Section) -> Spot | None:
        """The place of a reader, if it is valid and no other reader is there."""
        words = [word for word in _PLACES if word in section]
        words = [
            word for word in words if section[word].name == word
        ] or words  # misspelt ones have been reported
        if len(words) != 1:
            either = " or ".join(word for word, only in _PLACES.items() if only in ("", self._game.name))
            found = f"at {' and at '.join(words)}" if words else "nowhere"
            self._reader.fault(device, f"either {either}", found=found)
            return None
        setting = section[words[0]]
        if _PLACES[words[0]] not in ("", self._game.name):
            self._reader.fault(setting, f"only in a profile for {_PLACES[words[0]]}")
            return None
        at = self._spot(setting, words[0])
        if at in self._taken:
            self._claims.taken(setting, "a place", str(at), self._taken[at])
            return None
        if at is not None:
            self._taken[at] = setting
        return at

    def _spot(self, setting: FileSetting, word: str) -> Spot | None:
        if word == "slot":
            return self._slot(setting)
        most = len(self._pads) if word == "seat" else len(self._piles)
        number = self._reader.number(setting, 1, most)
        if number < 0:
            return None
        return Pad(number) if word == "seat" else Pile(number)

    def _slot(self, setting: FileSetting) -> Slot | None:
        try:
            spot = parse_spot(setting.value.split()) if isinstance(setting.value, str) else None
        except MalformedText:
            spot = None
        if isinstance(spot, Slot):
            return spot
        self._reader.fault(setting, "a place of the board, as in 'red 1'")
        return None

    # -- all of them

    def _check_cards(self, whole: FileSetting) -> None:
        at_seats, at_piles = self._at(Pad), self._at(Pile)
        if at_seats and at_piles:
            fewer, rest = sorted((at_seats, at_piles), key=len)
            allowed = f"{_CARD_READERS}: {len(rest)} others are at {rest[0].name}s"
            self._reader.fault(fewer[0], allowed)
        elif at_seats:
            self._check_gaps(whole, self._pads, "a pad at every seat")
        elif at_piles:
            self._check_gaps(whole, self._piles, "a reader at every pile")
        elif not whole.value:
            self._reader.fault(whole, _CARD_READERS, found="empty")

    def _check_dice(self, whole: FileSetting, ownership: FileSetting) -> None:
        at_seats, at_slots = self._at(Pad), self._at(Slot)
        if at_seats:
            self._check_gaps(whole, self._pads, "a pad at every seat, or at none")
        if at_slots:
            self._check_gaps(whole, ALL_SLOTS, "a reader at every place of the board, or at none")
        if ownership.value == "tag" and not (at_seats and at_slots) and not self._misplaced:
            where = "with a reader at every place of the board and a pad at every seat"
            self._reader.fault(ownership, f"slap, or tag {where}")

    def _at(self, kind: type[Pad | Pile | Slot]) -> list[FileSetting]:
        """The given places of one kind of the readers."""
        return [setting for spot, setting in self._taken.items() if isinstance(spot, kind)]

    def _check_gaps(self, whole: FileSetting, wanted: Sequence[Spot], allowed: str) -> None:
        gaps = [str(spot) for spot in wanted if spot not in self._taken]
        if len(gaps) > self._misplaced:
            more = f" and {len(gaps) - _MOST_NAMED} more" if len(gaps) > _MOST_NAMED else ""
            named = ", ".join(gaps[:_MOST_NAMED])
            self._reader.say(whole.path, f"{whole} has none for {named}{more}; allowed: {allowed}")
