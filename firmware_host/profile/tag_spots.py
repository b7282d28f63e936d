"""The tag readers in a profile: where each is, and whether they are complete.

A reader with a faulty place may be any of those that seem to be missing. So gaps are reported only
if there are more gaps than such readers: one mistake has one message.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.games.games import CARD_GAME, Game
from firmware_host.model.errors import MalformedText
from firmware_host.model.places import ALL_SLOTS, Pad, Pile, Slot, Spot, parse_spot
from firmware_host.profile.document import FileSetting, Section
from firmware_host.profile.faults import FaultCollector
from firmware_host.profile.pins import PinClaims
from firmware_host.profile.profile import TagSpot

_PLACES = {"seat": "", "pile": "cards", "slot": "dice"}
"""The settings that can give the place of a reader, each with the only game that it is for."""
READER_SETTINGS = (*_PLACES, "port", "group")
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
            one = self._reader.section(section, name, READER_SETTINGS)
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
