"""What hands do while the table's answers are timed: legal moves at a lively pace, and slaps for nothing.

Nobody finishes the round. A seat moves again only when its last verdict has gone from its panel, as
otherwise nobody could see when the panel answers.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Protocol

from firmware_host.lab.bots.person import Actions
from firmware_host.lab.hands import SimulatedTable
from firmware_host.model.places import (
    ALL_SLOTS,
    CARD_NUMBERS,
    PLACES_PER_ROW,
    Card,
    Colour,
    DieFace,
    Pad,
    Pile,
    Slot,
)
from firmware_host.model.times import MS, S
from firmware_host.profile.profile import Profile

SLAP_NS = (60 * MS, 150 * MS)
"""From the die to the slap, as regular players do it."""
ARMED_SLAP_NS = (300 * MS, 450 * MS)
"""From the card on the pad to the slap: its owner waits for the panel."""
TAP_NS = 80 * MS
TAKE_NS = 120 * MS
"""From a slap until the card is taken off the pad."""
CYCLE_NS, READER_CYCLE_NS = 1200 * MS, 1900 * MS
"""From one move of a seat to the next: a verdict is shown for a second, and readers make it later."""
SHOWN_NS = 300 * MS
"""How long a die is held to a pad, and until the next one is."""
QUIET_NS = 1800 * MS
"""A slap so long after everything else can only be a false claim."""
ANSWERED_NS = 1200 * MS
"""By then every verdict is there."""
BETWEEN_NS = 300 * MS
"""Between the false claims of two seats."""
FORGOTTEN_NS, READER_FORGOTTEN_NS = 300 * MS, 2 * S
"""Until the table knows that everything has gone."""
FEWER_THAN_A_HAND = 5
"""So many dice of each seat are placed, so that nobody has none left."""


class HandLog:
    """When hands did what, by the clock."""

    def __init__(self) -> None:
        self.presses: defaultdict[int, list[int]] = defaultdict(list)
        self.laid: dict[Slot | Card, int] = {}

    def pressed(self, seat: int) -> None:
        """A button is about to go down."""
        self.presses[seat].append(time.monotonic_ns())

    def placed(self, what: Slot | Card) -> None:
        """A die or a card is about to come down."""
        self.laid[what] = time.monotonic_ns()


class Drill(Protocol):
    """The moves of a game. Each call gives the actions that hands do at the same time."""

    def prepare(self) -> list[Actions]:
        """What has to be done when the round has begun."""

    def play(self, for_ns: int) -> list[Actions]:
        """Moves for about that long, or until everything lies there; then slaps for nothing."""

    def clear(self) -> list[Actions]:
        """Take everything off the table, when the round is over."""


def drill_for(profile: Profile, world: SimulatedTable, log: HandLog, chance: Random) -> Drill:
    """The moves that suit this table."""
    return (CardDrill if profile.game == "cards" else DiceDrill)(profile, world, log, chance)


class DiceDrill:
    """A die comes down on the next place of a row, and its owner slaps, unless a tag says whose it is."""

    def __init__(self, profile: Profile, world: SimulatedTable, log: HandLog, chance: Random) -> None:
        self._seats = profile.seats
        self._by_tag = profile.ownership == "tag"
        self._cycle_ns = READER_CYCLE_NS if profile.identified else CYCLE_NS
        self._forgotten_ns = READER_FORGOTTEN_NS if profile.identified else FORGOTTEN_NS
        self._world = world
        self._log = log
        self._chance = chance
        places = sorted(ALL_SLOTS, key=lambda slot: slot.number)[: FEWER_THAN_A_HAND * self._seats]
        self._moves = [(slot, place % self._seats + 1) for place, slot in enumerate(places)]

    def prepare(self) -> list[Actions]:
        return [self._show_dice(seat) for seat in range(1, self._seats + 1)] if self._by_tag else []

    def play(self, for_ns: int) -> list[Actions]:
        return [self._place(for_ns)]

    def clear(self) -> list[Actions]:
        return [self._take_off()]

    def _show_dice(self, seat: int) -> Actions:
        for slot in (slot for slot, owner in self._moves if owner == seat):
            self._world.show(Pad(seat), _die(slot))
            yield SHOWN_NS
            self._world.withdraw(Pad(seat), _die(slot))
            yield SHOWN_NS

    def _place(self, for_ns: int) -> Actions:
        pace_ns = self._cycle_ns // self._seats
        for slot, seat in self._moves[: max(1, for_ns // pace_ns)]:
            self._log.placed(slot)
            self._world.fill(slot, _die(slot))
            slap_ns = self._chance.randint(*SLAP_NS)
            yield slap_ns
            if self._by_tag:
                yield TAP_NS
            else:
                yield from _tap(self._world, self._log, seat)
            yield pace_ns - slap_ns - TAP_NS + self._chance.randint(-20 * MS, 20 * MS)
        if not self._by_tag:
            yield QUIET_NS
            for seat in range(1, self._seats + 1):
                yield from _tap(self._world, self._log, seat)
                yield BETWEEN_NS
        yield ANSWERED_NS

    def _take_off(self) -> Actions:
        for slot, _ in self._moves:
            self._world.empty(slot)
        yield self._forgotten_ns


class CardDrill:
    """Everybody plays the same pile upwards in turn: by pad and slap, or on the readers of the piles."""

    def __init__(self, profile: Profile, world: SimulatedTable, log: HandLog, chance: Random) -> None:
        self._seats = profile.seats
        self._pads = bool(profile.pads)
        self._layer = profile.piles // profile.seats
        self._cycle_ns = CYCLE_NS if self._pads else READER_CYCLE_NS
        self._world = world
        self._log = log
        self._chance = chance

    def prepare(self) -> list[Actions]:
        return []

    def play(self, for_ns: int) -> list[Actions]:
        return [self._play(seat, for_ns) for seat in range(1, self._seats + 1)]

    def clear(self) -> list[Actions]:
        return []

    def _play(self, seat: int, for_ns: int) -> Actions:
        """The moves of one seat; the seats begin one after the other."""
        yield seat * self._cycle_ns // self._seats
        for count, (card, pile) in enumerate(self._cards(seat)):
            if count * self._cycle_ns >= for_ns:
                break
            yield from self._slap(seat, card) if self._pads else self._lay(card, pile)
        if self._pads:
            yield QUIET_NS
            yield from _tap(self._world, self._log, seat)
        yield ANSWERED_NS

    def _cards(self, seat: int) -> Iterator[tuple[Card, Pile]]:
        """What the seat plays, and where: each layer of the piles lies there before the next one begins."""
        for number in range(1, CARD_NUMBERS + 1):
            for colour in range(self._layer):
                yield Card(seat, Colour(colour), number), Pile(colour * self._seats + seat)

    def _slap(self, seat: int, card: Card) -> Actions:
        slap_ns = self._chance.randint(*ARMED_SLAP_NS)
        self._world.show(Pad(seat), card)
        yield slap_ns
        yield from _tap(self._world, self._log, seat)
        yield TAKE_NS
        self._world.withdraw(Pad(seat), card)
        yield self._cycle_ns - slap_ns - TAP_NS - TAKE_NS

    def _lay(self, card: Card, pile: Pile) -> Actions:
        self._log.placed(card)
        self._world.show(pile, card)
        yield self._cycle_ns // 2
        self._world.withdraw(pile, card)
        yield self._cycle_ns - self._cycle_ns // 2 + self._chance.randint(-20 * MS, 20 * MS)


def _tap(world: SimulatedTable, log: HandLog, seat: int) -> Actions:
    """A short press."""
    log.pressed(seat)
    world.press(seat)
    yield TAP_NS
    world.release(seat)


def _die(slot: Slot) -> DieFace:
    """The die that belongs there, with the right face up."""
    return DieFace(PLACES_PER_ROW * slot.colour + slot.number, slot.number)
