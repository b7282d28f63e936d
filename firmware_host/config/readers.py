"""Readers of tags in a profile: where each is, and whether all together make a table.

A reader with a faulty place may be any of those that seem to be missing. So a gap is told only
if there are more gaps than such readers: one mistake has one message.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from firmware_host.config.claims import Claims
from firmware_host.config.faults import FaultyReader
from firmware_host.config.profile import TagSpot
from firmware_host.engine.games import CARD_GAME, Game
from firmware_host.errors import MalformedText
from firmware_host.places import ALL_SLOTS, Pad, Pile, Slot, Spot
from firmware_host.tag_text import parse_spot

_PLACES = {"seat": "", "pile": "cards", "slot": "dice"}
"""How the place of a reader may be given, and for which game alone."""
_CARD_READERS = "a pad at every seat, or a reader at every pile"
_MOST_NAMED = 6
_MOST_GROUPS = 99


class TagSpots:
    """Reads the section [readers] of a table."""

    def __init__(self, reader: FaultyReader, claims: Claims, game: Game, seats: int, piles: int) -> None:
        self._reader = reader
        self._claims = claims
        self._game = game
        self._pads = [Pad(seat) for seat in range(1, seats + 1)]
        self._piles = [Pile(number) for number in range(1, piles + 1)]
        self._taken: dict[Spot, str] = {}
        self._astray = 0

    def read(self, ownership: str) -> tuple[TagSpot, ...]:
        """All readers whose places are known, with a fault for whatever is wrong with them."""
        readers = []
        for name in self._reader.section("readers"):
            key = f"readers.{name}"
            section = self._reader.section(key, (*_PLACES, "port", "group"))
            self._claims.name(key, name)
            at = self._place(key, section)
            port = self._claims.port(f"{key}.port", section.get("port"))
            group = self._reader.number(f"{key}.group", section.get("group", 1), 1, _MOST_GROUPS)
            if at is None:
                self._astray += 1
            else:
                readers.append(TagSpot(name=name, at=at, port=port, group=group))
        if self._game is CARD_GAME:
            self._check_cards()
        else:
            self._check_dice(ownership)
        return tuple(readers)

    # -- one of them

    def _place(self, key: str, section: dict[str, Any]) -> Spot | None:
        """Where a reader is, if that can be and no other is there."""
        words = [word for word in _PLACES if word in section]
        if len(words) != 1:
            either = " or ".join(word for word, only in _PLACES.items() if only in ("", self._game.name))
            self._reader.say(f"{key} has {' and '.join(words) or 'no place'}; allowed: either {either}")
            return None
        (word,) = words
        if _PLACES[word] not in ("", self._game.name):
            self._reader.say(f"'{key}.{word}' is for {_PLACES[word]} only")
            return None
        at = self._spot(f"{key}.{word}", word, section[word])
        if at in self._taken:
            taken = f"a place of its own; it is taken by {self._taken[at]}"
            self._reader.fault(f"{key}.{word}", str(at), taken)
            return None
        if at is not None:
            self._taken[at] = key
        return at

    def _spot(self, key: str, word: str, value: object) -> Spot | None:
        if word == "slot":
            return self._slot(key, value)
        most = len(self._pads) if word == "seat" else len(self._piles)
        number = self._reader.number(key, value, 1, max(1, most))
        if number < 0:
            return None
        return Pad(number) if word == "seat" else Pile(number)

    def _slot(self, key: str, value: object) -> Slot | None:
        try:
            spot = parse_spot(value.split()) if isinstance(value, str) else None
        except MalformedText:
            spot = None
        if isinstance(spot, Slot):
            return spot
        self._reader.fault(key, value, "a place of the board, as in 'red 1'")
        return None

    # -- all of them

    def _check_cards(self) -> None:
        at_seats, at_piles = self._has(Pad), self._has(Pile)
        if at_seats and at_piles:
            self._reader.say(f"readers are at seats and at piles; allowed: {_CARD_READERS}")
        elif at_seats:
            self._check_gaps(self._pads, "a pad at every seat")
        elif at_piles:
            self._check_gaps(self._piles, "a reader at every pile")
        elif not self._reader.data.get("readers"):
            self._reader.fault("readers", None, _CARD_READERS)

    def _check_dice(self, ownership: str) -> None:
        at_seats, at_slots = self._has(Pad), self._has(Slot)
        if at_seats:
            self._check_gaps(self._pads, "a pad at every seat, or at none")
        if at_slots:
            self._check_gaps(ALL_SLOTS, "a reader at every place of the board, or at none")
        if ownership == "tag" and not (at_seats and at_slots) and not self._astray:
            where = "only with a reader at every place of the board and a pad at every seat"
            self._reader.fault("ownership", "tag", where)

    def _has(self, kind: type[Pad | Pile | Slot]) -> bool:
        return any(isinstance(spot, kind) for spot in self._taken)

    def _check_gaps(self, wanted: Sequence[Spot], allowed: str) -> None:
        gaps = [str(spot) for spot in wanted if spot not in self._taken]
        if len(gaps) > self._astray:
            more = f" and {len(gaps) - _MOST_NAMED} more" if len(gaps) > _MOST_NAMED else ""
            named = ", ".join(gaps[:_MOST_NAMED])
            self._reader.say(f"readers are missing at {named}{more}; allowed: {allowed}")
