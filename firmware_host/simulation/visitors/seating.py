"""Which hands a visitor gets at which seat."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from firmware_host.config.profile import Profile
from firmware_host.places import Call
from firmware_host.players.cards.card_person import CardPerson
from firmware_host.players.cards.decks import Decks
from firmware_host.players.dice_person import DicePerson
from firmware_host.players.dice_set import Dice
from firmware_host.players.person import Person
from firmware_host.players.world import PlayersWorld
from firmware_host.simulation.visitors.card_hand import CardHand
from firmware_host.simulation.visitors.dice_hand import DiceHand
from firmware_host.simulation.visitors.hand import Hand


def hands_at(
    profile: Profile, things: Dice | Decks, world: PlayersWorld, chance: Random
) -> Callable[[Person], Hand]:
    """Makes the hands of a visitor in place of a person at this table."""
    call_button = any(isinstance(source, Call) for source in profile.lines.values())

    def hand_of(person: Person) -> Hand:
        if isinstance(things, Dice):
            assert isinstance(person, DicePerson)
            return DiceHand(person, things, world)
        assert isinstance(person, CardPerson)
        return CardHand(person, things, world, chance, pads=bool(profile.pads), call_button=call_button)

    return hand_of
