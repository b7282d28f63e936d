"""The result of a round of dice by the rule sheets, from the movements of hands alone.

It shares no code with the referee, and knows only what the sheets say. Where they leave something open,
or hands are closer together than anybody can see, there is more than one reading, and each is a fair
result:

* *The moment of the end* (`_ends`). The sheets say that a round ends when a player legally places the
  last own die, and that this player calls stop. Hands take a moment from the one to the other, and what
  others place in between is disputable. So the round may end at any moment from the placement to the
  call, and everything that lay there by that moment counts. On a table where dice are signed for, the
  call is the first press of that player after the placement: a signature, or a button that is held. If it
  does not come at once, and the player had pressed while reaching out with that die, that early press was
  the call, and there is no time in between. A player who never presses has not called.
* *The finisher*. Whoever placed the last own die first is the finisher. If another player who has none
  left either calls stop before, nobody at the table can know better, so that player is the finisher in
  another reading.
* *Together* (`TOGETHER_NS`). Last dice that come down within a millisecond are together: a magnet closes
  its contact no more exactly than that. Each of those players may be the finisher, and a die of somebody
  else that comes down together with a last die may or may not be in time.
* *Above a wrong die* (`by_eye`). A die of the wrong colour or number, or not on the next place of its
  row, does not count, and its owner still has it. If nobody takes it off, the next die may go by what
  lies there or by what lies there legally.

What is clear has one reading: who placed first has the place, whoever signs for it; a die that lies there
counts, whether or when it is signed for; a die counts for the player who put it down; what is taken back
is in the hand again, but not after the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from firmware_host.lab.bots.movements import ButtonPressed, Dealt, DiePut, DieTaken, HandReached
from firmware_host.lab.truth.sheet_reading import SheetReading, TimedMovement
from firmware_host.model.places import DieFace, Slot

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
