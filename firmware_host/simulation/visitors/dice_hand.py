"""The hands of a visitor with dice: a cup, the board, and the button."""

from __future__ import annotations

from firmware_host.durations import MS
from firmware_host.places import ALL_SLOTS, Slot
from firmware_host.players.dice_person import DicePerson
from firmware_host.players.dice_set import Dice, Die
from firmware_host.players.world import PlayersWorld
from firmware_host.simulation.visitors.hand import Asked, Hand, NotPossible, Seen, number_of, text_of

THROW_NS = 600 * MS
SLOTS = {str(slot): slot for slot in ALL_SLOTS}


class DiceHand(Hand):
    """Throws all dice that are left, puts one onto a place, takes an own one back."""

    def __init__(self, person: DicePerson, dice: Dice, world: PlayersWorld) -> None:
        super().__init__(person, world)
        self._round = person.round
        self._dice = dice
        self._rolling = False
        self._thrown: list[Die] = []
        """What lies in front of the visitor for everybody to see; the others are in the cup."""
        self._dealt: list[Die] = []
        self._deeds |= {"throw": self._throw, "put": self._put, "back": self._back}

    def seen(self) -> Seen:
        hand = self._hand()
        return {
            "game": "dice",
            "cup": sum(1 for die in hand if self._rolling or die not in self._thrown),
            "rolling": self._rolling,
            "dice": [
                {"die": die.number, "colour": die.colour.word, "face": die.face}
                for die in hand
                if die in self._thrown and not self._rolling
            ],
            "own": [str(slot) for slot in self._round.own],
        }

    def _throw(self, asked: Asked) -> None:
        if not self._hand():
            raise NotPossible("no dice are left to throw")
        if self._rolling:
            raise NotPossible("the dice are still rolling")
        self._rolling = True
        self._world.after(THROW_NS, self._come_to_rest)

    def _come_to_rest(self) -> None:
        self._rolling = False
        if self._hand():  # they may have been collected meanwhile
            self._dice.throw(self.seat)
        self._thrown = list(self._hand())

    def _put(self, asked: Asked) -> None:
        number, slot = number_of(asked, "die"), _slot(text_of(asked, "on"))
        if self._rolling:
            raise NotPossible("the dice are still rolling")
        die = next((each for each in self._hand() if each.number == number), None)
        if die is None:
            raise NotPossible("that die is not in your hand")
        if slot in self._dice.board or self._world.is_filled(slot):
            raise NotPossible(f"a die lies on {slot} already")
        self._dice.reach(self.seat, slot)
        self._round.lay(die, slot)
        if die not in self._thrown:
            self._thrown.append(die)

    def _back(self, asked: Asked) -> None:
        slot = _slot(text_of(asked, "from"))
        if slot not in self._round.own:
            raise NotPossible(f"no die of yours lies on {slot}")
        self._round.lift(slot)

    def _hand(self) -> list[Die]:
        """The dice that the visitor has; those of a new deal are in the cup."""
        hand = self._dice.hands.get(self.seat, [])
        if hand is not self._dealt:
            self._dealt, self._thrown = hand, []
        return hand


def _slot(text: str) -> Slot:
    if text not in SLOTS:
        raise NotPossible(f"'{text[:20]}' is not a place; one is 'red 3'")
    return SLOTS[text]
