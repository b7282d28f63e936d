"""One simulated person with cards, who counts leftover cards honestly although nobody can check."""

from __future__ import annotations

from random import Random

from firmware_host.durations import MS
from firmware_host.places import Pad
from firmware_host.players.cards.card_player import CardPlayer
from firmware_host.players.cards.decks import Decks
from firmware_host.players.fingers import LONG_PRESS_NS, Actions
from firmware_host.players.page_reading import PageReader, PageReading, Wish
from firmware_host.players.person import Person
from firmware_host.players.skill import Skill
from firmware_host.players.world import PlayersWorld

SCAN_NS = 550 * MS  # until a reader knows a card
NEXT_NS = 400 * MS  # until a reader knows that the card has gone


class CardPerson(Person):
    """Plays cards."""

    def __init__(
        self,
        seat: int,
        seats: list[int],
        skill: Skill,
        decks: Decks,
        world: PlayersWorld,
        reader: PageReader,
        chance: Random,
        *,
        pads: bool,
        call_button: bool,
    ) -> None:
        super().__init__(seat, seats, skill, decks, world, reader, chance)
        self._decks = decks
        self._pads = pads
        self._scanned = False
        self._player = CardPlayer(
            seat, skill, decks, world, reader, chance, self._fingers, pads=pads, call_button=call_button
        )

    @property
    def player(self) -> CardPlayer:
        """The cards of this seat at play."""
        return self._player

    @property
    def left(self) -> int:
        area = self._decks.areas.get(self.seat)
        return area.leftovers if area is not None else 0

    def _play(self, reading: PageReading) -> Actions:
        self._decks.dealt = False
        self._scanned = False
        yield from self._player.play()

    def _look_on(self, reading: PageReading) -> Actions:
        """Let the visitor play; but say if nobody can play any more, which few people can see."""
        self._decks.dealt = False
        self._scanned = False
        yield from self._player.look_on()

    def _stop(self, reading: PageReading) -> Actions:
        """Stop playing: the round is over."""
        yield self._skill_time(1)
        self._answer(reading)

    def _check(self, reading: PageReading) -> Actions:
        """Show each card of the Ligretto pile to the pad; without pads, say that there are some."""
        yield self._skill_time(1)
        area = self._decks.areas.get(self.seat)
        if self._pads and not self._scanned:
            self._scanned = True
            for card in reversed(area.ligretto if area is not None else []):
                self._world.show(Pad(self.seat), card)
                yield SCAN_NS
                self._world.withdraw(Pad(self.seat), card)
                yield NEXT_NS
            yield self._skill_time(2)
        if self._look().wish is not Wish.CHECK:
            return
        if not self._pads and self.left and not self._scanned:
            self._scanned = True
            yield from self._fingers.hold(LONG_PRESS_NS)
        else:
            self._fingers.tap()
        self._answer(reading)

    def _take_off(self, reading: PageReading) -> Actions:
        """Do nothing: people sort the cards when they deal."""
        yield self._skill_time(1)
