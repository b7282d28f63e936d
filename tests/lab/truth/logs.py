"""Hand-made logs of hands: `3.5 1 red 2` is a die of seat 1 that comes down on red 2 after 3.5 s."""

from __future__ import annotations

from firmware_host.lab.bots.movements import ButtonPressed, Dealt, DiePut, DieTaken, HandReached, Movement
from firmware_host.lab.truth.oracles import TimedMovement
from firmware_host.model.places import Card, Colour, DieFace, Slot
from firmware_host.model.times import MS

COLOURS = {colour.word: colour for colour in Colour}


class HandLog:
    """The movements of a round of dice, with times in milliseconds."""

    def __init__(self, *hands: int) -> None:
        self.moves: list[TimedMovement] = []
        self.add(0, Dealt(dict(enumerate(hands, start=1))))

    def add(self, t_ms: float, movement: Movement) -> HandLog:
        self.moves.append(TimedMovement(round(t_ms * MS), movement))
        self.moves.sort(key=lambda move: move.t_ns)
        return self

    def reach(self, t_ms: float, seat: int, place: str) -> HandLog:
        return self.add(t_ms, HandReached(seat, slot_of(place)))

    def put(self, t_ms: float, seat: int, place: str, die: str | None = None) -> HandLog:
        """A die comes down, by default the right one for that place."""
        face = slot_of(die or place)
        tag = DieFace(6 * face.colour + 1, face.number)
        return self.add(t_ms, DiePut(seat, tag, slot_of(place)))

    def take(self, t_ms: float, seat: int, place: str) -> HandLog:
        return self.add(t_ms, DieTaken(seat, DieFace(1, 1), slot_of(place)))

    def press(self, t_ms: float, seat: int) -> HandLog:
        return self.add(t_ms, ButtonPressed(seat))

    def sign(self, t_ms: float, seat: int, place: str) -> HandLog:
        """A die comes down, and is slapped for 90 ms later."""
        return self.put(t_ms, seat, place).press(t_ms + 90, seat)


def slot_of(text: str) -> Slot:
    colour, number = text.split()
    return Slot(COLOURS[colour], int(number))


def card_of(seat: int, text: str) -> Card:
    colour, number = text.split()
    return Card(seat, COLOURS[colour], int(number))
