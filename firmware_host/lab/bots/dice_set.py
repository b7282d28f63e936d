"""The dice themselves: in the bag, in hands, or on a place of the board."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from firmware_host.lab.bots.movements import (
    Dealt,
    DieCleared,
    DiePut,
    DieTaken,
    HandReached,
    Thrown,
    Watch,
    unwatched,
)
from firmware_host.model.places import Colour, DieFace, Slot

FACES = 6
PER_COLOUR = 6


@dataclass(slots=True, eq=False)
class Die:
    """A real die, numbered from 1 to 24; its face changes when it is thrown."""

    number: int
    colour: Colour
    face: int = 1

    @property
    def tag(self) -> DieFace:
        """What a reader below it reads."""
        return DieFace(self.number, self.face)


class Dice:
    """All 24 dice and where they are. People move them; the table does not know this."""

    def __init__(self, deal: tuple[int, ...], chance: Random) -> None:
        self.dealt_to = deal
        """How many dice each seat is dealt."""
        self._chance = chance
        self.bag: list[Die] = [
            Die(PER_COLOUR * colour + i, colour) for colour in Colour for i in range(1, PER_COLOUR + 1)
        ]
        self.board: dict[Slot, Die] = {}
        self.hands: dict[int, list[Die]] = {}
        self.dealt = False
        self.watch: Watch = unwatched

    @property
    def players(self) -> list[int]:
        """The seats that dice were dealt to, or will be if none were yet."""
        return sorted(self.hands) or seats_of(self.dealt_to)

    def deal(self) -> None:
        """Put all dice except those on the board into the bag, mix them and give each seat its dice."""
        for hand in self.hands.values():
            self.bag += hand
        self._chance.shuffle(self.bag)
        self.hands = {
            seat: [self.bag.pop() for _ in range(self.dealt_to[seat - 1])] for seat in seats_of(self.dealt_to)
        }
        self.dealt = True
        self.watch(Dealt({seat: len(hand) for seat, hand in self.hands.items() if hand}))

    @property
    def cleared(self) -> bool:
        """Whether no die lies on the board."""
        return not self.board

    def throw(self, seat: int) -> None:
        """Throw all dice of a seat; throwing only some is forbidden."""
        for die in self.hands[seat]:
            die.face = self._chance.randint(1, FACES)
        self.watch(Thrown(seat, len(self.hands[seat])))

    def reach(self, seat: int, slot: Slot) -> None:
        """A hand with a die sets out for a place."""
        self.watch(HandReached(seat, slot))

    def put(self, seat: int, die: Die, slot: Slot) -> None:
        """A die goes from a hand to a free place."""
        self.hands[seat].remove(die)
        self.board[slot] = die
        self.watch(DiePut(seat, die.tag, slot))

    def take_back(self, seat: int, slot: Slot) -> None:
        """A die comes back from its place to a hand."""
        die = self.board.pop(slot)
        self.hands[seat].append(die)
        self.watch(DieTaken(seat, die.tag, slot))

    def clear(self, slot: Slot) -> None:
        """A die goes from its place into the bag."""
        die = self.board.pop(slot)
        self.bag.append(die)
        self.watch(DieCleared(die.tag, slot))

    def height(self, colour: Colour) -> int:
        """How many dice lie in a row without a gap; everybody can see this."""
        height = 0
        while Slot(colour, height + 1) in self.board:
            height += 1
        return height

    def count(self) -> int:
        """The number of all dice, which is always 24."""
        return len(self.bag) + len(self.board) + sum(map(len, self.hands.values()))


def seats_of(deal: tuple[int, ...]) -> list[int]:
    """The seats that something is dealt to."""
    return [seat for seat, count in enumerate(deal, start=1) if count]
