"""The fair results of a round by the rule sheets, from the movements of hands alone.

Nothing here shares code with the referee. Where the sheets leave something open, there is more than one
reading, and each is a fair result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from firmware_host.lab.bots.movements import (
    ButtonPressed,
    CardHeld,
    CardLaid,
    CardPutBack,
    CardTaken,
    Dealt,
    DiePut,
    DieTaken,
    HandReached,
    LigrettoMoved,
    Movement,
)
from firmware_host.model.places import Card, DieFace, Pile, Slot


class TimedMovement(NamedTuple):
    """A movement of a hand, and when it happened."""

    t_ns: int
    movement: Movement


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetReading:
    """What each seat has left and gets, if the round ended at that moment."""

    end_ns: int
    finisher: int | None
    """None for a round in which nobody could play any more."""
    left: Mapping[int, int]
    points: Mapping[int, int]
    on_board: Mapping[Slot, int] = field(default_factory=dict)
    """The seats that have placed the dice that count."""
    centre: Mapping[int, int] = field(default_factory=dict)
    """How many own cards each seat has in the centre."""

    def distance(self, left: Mapping[int, int], points: Mapping[int, int]) -> tuple[int, int]:
        """How far other points and counts are from these; (0, ...) fits."""
        return (
            sum(abs(points[seat] - own) for seat, own in self.points.items()),
            sum(abs(left[seat] - own) for seat, own in self.left.items()),
        )


def closest(
    readings: Sequence[SheetReading], left: Mapping[int, int], points: Mapping[int, int]
) -> SheetReading | None:
    """The reading that differs least from these points; None without readings."""
    return min(readings, key=lambda reading: reading.distance(left, points), default=None)


# The result of a round of dice by the rule sheets, from the movements of hands alone.
#
# It shares no code with the referee, and knows only what the sheets say. Where they leave something open,
# or hands are closer together than anybody can see, there is more than one reading, and each is a fair
# result:
#
# * *The moment of the end* (`_ends`). The sheets say that a round ends when a player legally places the
#   last own die, and that this player calls stop. Hands take a moment from the one to the other, and what
#   others place in between is disputable. So the round may end at any moment from the placement to the
#   call, and everything that lay there by that moment counts. On a table where dice are signed for, the
#   call is the first press of that player after the placement: a signature, or a button that is held. If it
#   does not come at once, and the player had pressed while reaching out with that die, that early press was
#   the call, and there is no time in between. A player who never presses has not called.
# * *The finisher*. Whoever placed the last own die first is the finisher. If another player who has none
#   left either calls stop before, nobody at the table can know better, so that player is the finisher in
#   another reading.
# * *Together* (`TOGETHER_NS`). Last dice that come down within a millisecond are together: a magnet closes
#   its contact no more exactly than that. Each of those players may be the finisher, and a die of somebody
#   else that comes down together with a last die may or may not be in time.
# * *Above a wrong die* (`by_eye`). A die of the wrong colour or number, or not on the next place of its
#   row, does not count, and its owner still has it. If nobody takes it off, the next die may go by what
#   lies there or by what lies there legally.
#
# What is clear has one reading: who placed first has the place, whoever signs for it; a die that lies there
# counts, whether or when it is signed for; a die counts for the player who put it down; what is taken back
# is in the hand again, but not after the end.


TOGETHER_NS = 1_000_000
STILL_SIGNING_NS = 500_000_000
"""Whoever slaps within this time signs, and does not slap again because the table has not reacted."""


@dataclass(frozen=True, slots=True)
class BoardMoment:
    """What counted from that moment on: what each seat had left, and who had placed which die."""

    t_ns: int
    left: Mapping[int, int]
    on_board: Mapping[Slot, int]


@dataclass(slots=True)
class SheetBoard:
    """The board by the sheets, one movement after the other."""

    by_eye: bool
    left: dict[int, int] = field(default_factory=dict)
    legal: dict[Slot, int] = field(default_factory=dict)
    wrong: dict[Slot, int] = field(default_factory=dict)

    def put(self, seat: int, die: DieFace, slot: Slot) -> bool:
        """A die comes down; whether it counts."""
        fits = die.colour is slot.colour and die.face == slot.number and self._next(slot)
        if fits:
            self.left[seat] -= 1
        (self.legal if fits else self.wrong)[slot] = seat
        return fits

    def take(self, seat: int, slot: Slot) -> None:
        """A die goes into the hand of a seat, which is usually the one that had put it down."""
        if slot in self.legal:
            del self.legal[slot]
        else:
            self.left[self.wrong.pop(slot)] -= 1
        self.left[seat] += 1

    def _next(self, slot: Slot) -> bool:
        lying = {*self.legal, *self.wrong} if self.by_eye else self.legal
        return all(Slot(slot.colour, number) in lying for number in range(1, slot.number))


def dice_points(left: Mapping[int, int], finisher: int) -> dict[int, int]:
    """The finisher gets a point for each die that others have left; each of them loses one for each."""
    others = sum(count for seat, count in left.items() if seat != finisher)
    return {seat: others if seat == finisher else -count for seat, count in left.items()}


def dice_readings(moves: Sequence[TimedMovement], *, signed: bool) -> list[SheetReading]:
    """All fair results of a round, whose movements begin with the deal; none if nobody has finished.

    Without `signed` a die needs no press, and a player calls stop by placing the last one.
    """
    presses = _presses(moves) if signed else {}
    readings: list[SheetReading] = []
    for by_eye in (False, True):
        for reading in _readings(moves, presses, by_eye):
            if reading not in readings:
                readings.append(reading)
    return readings


def board_moments(moves: Iterable[TimedMovement], *, by_eye: bool = False) -> Iterator[BoardMoment]:
    """The board after each movement that changed what counts."""
    board = SheetBoard(by_eye)
    for t_ns, movement in moves:
        match movement:
            case Dealt(hands):
                board = SheetBoard(by_eye, left=dict(hands))
            case DiePut(seat, die, slot):
                board.put(seat, die, slot)
            case DieTaken(seat, _, slot):
                board.take(seat, slot)
            case _:
                continue
        yield BoardMoment(t_ns, dict(board.left), dict(board.legal))


def _readings(
    moves: Sequence[TimedMovement], presses: Mapping[int, Sequence[int]], by_eye: bool
) -> Iterator[SheetReading]:
    moments = list(board_moments(moves, by_eye=by_eye))
    for finisher, first, until_ns in _ends(moments, moves, presses):
        from_ns = first.t_ns - TOGETHER_NS
        for moment in _between(moments, from_ns, max(until_ns, first.t_ns + TOGETHER_NS)):
            left = {**moment.left, finisher: 0}
            mine = {slot: seat for slot, seat in first.on_board.items() if seat == finisher}
            yield SheetReading(
                end_ns=max(moment.t_ns, first.t_ns),
                finisher=finisher,
                left=left,
                points=dice_points(left, finisher),
                on_board={**moment.on_board, **mine},
            )


def _ends(
    moments: Sequence[BoardMoment], moves: Sequence[TimedMovement], presses: Mapping[int, Sequence[int]]
) -> Iterator[tuple[int, BoardMoment, int]]:
    """Who may be the finisher, the moment of the last die, and until when the round may have gone on."""
    without: dict[int, BoardMoment] = {}
    for moment in moments:
        for seat, count in moment.left.items():
            if not count and moment.left:
                without.setdefault(seat, moment)
    if not without:
        return
    first_ns = min(moment.t_ns for moment in without.values())
    calls = {seat: _call_ns(seat, moment.t_ns, moves, presses) for seat, moment in without.items()}
    called = {seat: t_ns for seat, t_ns in calls.items() if t_ns is not None}
    until_ns = min(called.values(), default=first_ns)
    for seat, moment in without.items():
        called_first = called.get(seat) == until_ns
        if moment.t_ns <= first_ns + TOGETHER_NS or called_first:
            yield seat, moment, until_ns


def _call_ns(
    seat: int, placed_ns: int, moves: Sequence[TimedMovement], presses: Mapping[int, Sequence[int]]
) -> int | None:
    """When a player called stop who placed the last own die then; None for never."""
    own = presses.get(seat, ())
    after_ns = next((t_ns for t_ns in own if t_ns >= placed_ns), None)
    if after_ns is not None and after_ns <= placed_ns + STILL_SIGNING_NS:
        return after_ns
    reached_ns = max(
        (
            t_ns
            for t_ns, movement in moves
            if isinstance(movement, HandReached) and movement.seat == seat and t_ns <= placed_ns
        ),
        default=placed_ns,
    )
    early = any(reached_ns < t_ns < placed_ns for t_ns in own)
    return placed_ns if early else after_ns


def _presses(moves: Iterable[TimedMovement]) -> dict[int, list[int]]:
    presses: dict[int, list[int]] = {}
    for t_ns, movement in moves:
        if isinstance(movement, ButtonPressed):
            presses.setdefault(movement.seat, []).append(t_ns)
    return presses


def _between(moments: Sequence[BoardMoment], from_ns: int, until_ns: int) -> list[BoardMoment]:
    """The board at the first of these times, and after each change up to the last one."""
    before = [moment for moment in moments if moment.t_ns <= from_ns]
    return before[-1:] + [moment for moment in moments if from_ns < moment.t_ns <= until_ns]


# The result of a round of cards by the rule sheets, from the movements of hands alone.
#
# It shares no code with the referee, and knows only what the sheets say. Where they leave something open,
# there is more than one reading, and each is a fair result:
#
# * *The moment of the end*. The sheets say that a round ends at once when a player gets rid of the last
#   card of the Ligretto pile and calls stop. So it may end at any moment from the first of these events to
#   the call, which is the first press of a player whose Ligretto pile is empty. A stop call of a player who
#   has cards of the Ligretto pile left is none. If nobody gets rid of them, the round is scored as it
#   stands when it ends.
# * *A card on its way*. First a card races: it is slapped for, or comes down on the reader of a pile. Its
#   owner lays it down when the lamp says that it has won. The sheets know only one moment, so a card that
#   raced before the end and was laid down after it may count, or may still be where it came from.
# * *A card beside the piles*. A card that was laid where nothing fits, because the card below it was still
#   in somebody's fingers, may count or not.
#
# What is clear has one reading: cards that were laid onto a pile count, one that had not raced before the
# end does not, and what is left in the Ligretto pile at the end costs two points each.


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
