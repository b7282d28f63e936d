"""The result of a round of cards by the rule sheets, from the movements of hands alone.

It shares no code with the referee, and knows only what the sheets say. Where they leave something open,
there is more than one reading, and each is a fair result:

* *The moment of the end*. The sheets say that a round ends at once when a player gets rid of the last
  card of the Ligretto pile and calls stop. So it may end at any moment from the first of these events to
  the call, which is the first press of a player whose Ligretto pile is empty. A stop call of a player who
  has cards of the Ligretto pile left is none. If nobody gets rid of them, the round is scored as it
  stands when it ends.
* *A card on its way*. First a card races: it is slapped for, or comes down on the reader of a pile. Its
  owner lays it down when the lamp says that it has won. The sheets know only one moment, so a card that
  raced before the end and was laid down after it may count, or may still be where it came from.
* *A card beside the piles*. A card that was laid where nothing fits, because the card below it was still
  in somebody's fingers, may count or not.

What is clear has one reading: cards that were laid onto a pile count, one that had not raced before the
end does not, and what is left in the Ligretto pile at the end costs two points each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from firmware_host.lab.bots.movements import (
    ButtonPressed,
    CardHeld,
    CardLaid,
    CardPutBack,
    CardTaken,
    Dealt,
    LigrettoMoved,
    Movement,
)
from firmware_host.lab.truth.sheet_reading import SheetReading, TimedMovement
from firmware_host.model.places import Card, Pile


@dataclass(slots=True)
class CentreState:
    """The cards of a round by the sheets, one movement after the other."""

    left: dict[int, int] = field(default_factory=dict)
    """Cards in each Ligretto pile; one in the fingers still counts."""
    centre: Counter[int] = field(default_factory=Counter)
    tops: Counter[tuple[int, int]] = field(default_factory=Counter)
    fingers: dict[int, tuple[Card, bool]] = field(default_factory=dict)
    racing: dict[int, tuple[Card, bool]] = field(default_factory=dict)
    """Cards in fingers that were slapped for, or lie on the reader of a pile."""
    beside: dict[Card, bool] = field(default_factory=dict)

    def follow(self, movement: Movement) -> None:
        """Take the next movement."""
        match movement:
            case CardTaken(card, from_ligretto):
                self.fingers[card.seat] = card, from_ligretto
            case CardPutBack(card):
                self._put_down(card)
            case CardLaid(card):
                self._lay(card, self._put_down(card))
            case CardHeld(card, Pile()) if card.seat in self.fingers:
                self.racing[card.seat] = self.fingers[card.seat]
            case ButtonPressed(seat) if seat in self.fingers:
                self.racing[seat] = self.fingers[seat]
            case LigrettoMoved(seat):
                self.left[seat] -= 1
            case _:
                pass

    def _put_down(self, card: Card) -> bool:
        self.racing.pop(card.seat, None)
        return self.fingers.pop(card.seat)[1]

    def _lay(self, card: Card, from_ligretto: bool) -> None:
        below = (card.colour, card.number - 1)
        if card.number > 1 and not self.tops[below]:
            self.beside[card] = from_ligretto
            return
        self.tops[below] -= card.number > 1
        self.tops[card.colour, card.number] += 1
        self.centre[card.seat] += 1
        self.left[card.seat] -= from_ligretto


def card_points(left: Mapping[int, int], centre: Mapping[int, int]) -> dict[int, int]:
    """A point for each own card in the centre, less two for each card left in the own Ligretto pile."""
    return {seat: centre.get(seat, 0) - 2 * count for seat, count in left.items()}


def card_readings(moves: Sequence[TimedMovement]) -> list[SheetReading]:
    """All fair results of a round, whose movements begin with the deal."""
    assert isinstance(moves[0].movement, Dealt)
    laid = [(t_ns, movement.card) for t_ns, movement in moves if isinstance(movement, CardLaid)]
    state = CentreState(left=dict(moves[0].movement.hands))
    finisher: int | None = None
    readings: dict[tuple[tuple[int, ...], ...], SheetReading] = {}
    for t_ns, movement in moves[1:]:
        called = isinstance(movement, ButtonPressed) and state.left.get(movement.seat, 1) <= 0
        state.follow(movement)
        rid = next((seat for seat, count in state.left.items() if count <= 0), None)
        if rid is not None:
            finisher = finisher or rid
            later = {card for at_ns, card in laid if at_ns > t_ns}
            for each in _results(state, t_ns, finisher, later):
                readings.setdefault((tuple(each.left.values()), tuple(each.centre.values())), each)
        if called:
            return list(readings.values())
    return list(_results(state, moves[-1].t_ns, None, set()))


def _results(state: CentreState, t_ns: int, finisher: int | None, later: set[Card]) -> Iterator[SheetReading]:
    """The results of an end at that moment, with and without each card that is disputable."""
    on_way = [(card, own) for card, own in state.racing.values() if card in later]
    disputable = [*on_way, *state.beside.items()]
    for counted in product((False, True), repeat=len(disputable)):
        left, centre = dict(state.left), Counter(state.centre)
        for (card, from_ligretto), counts in zip(disputable, counted, strict=True):
            centre[card.seat] += counts
            left[card.seat] -= counts and from_ligretto
        yield SheetReading(
            end_ns=t_ns,
            finisher=finisher,
            left=left,
            points=card_points(left, centre),
            centre={seat: centre[seat] for seat in left},
        )
