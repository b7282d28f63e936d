"""The table itself: seats, match, round and phase, moved on by events and by time.

`handle` takes what the arbiter released, `tick` lets time pass, and both return effects.
The session never reads a clock and never guesses an order: `now_ns` is the moment at
which the arbiter released an event, and that is a function of the event's stamp alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.arbiter.ties import Lot, TieBreaker
from firmware_host.effects import (
    Effect,
    Judged,
    MatchEnded,
    PhaseEntered,
    Refused,
)
from firmware_host.engine.dice import DicePosition, opening
from firmware_host.engine.match import DiceMatch, new_dice_match
from firmware_host.errors import IllegalEvent, IllegalMove, MalformedText
from firmware_host.events import Emptied, EndMatch, Event, Filled, Pressed, Released, VoidRound
from firmware_host.places import Slot
from firmware_host.settings import Settings
from firmware_host.table.between import Clear, Result, Scores
from firmware_host.table.lobby import Attract, Join
from firmware_host.table.phases import Phase, Turn, follow
from firmware_host.table.playing import Countdown, Paused, Play
from firmware_host.table.room import Room
from firmware_host.table.round import DiceRound
from firmware_host.table.settling import Settle

ROOMS: dict[Phase, type[Room]] = {
    room.phase: room for room in (Attract, Join, Countdown, Play, Paused, Settle, Scores, Clear, Result)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What does not change while the table runs: its seats and what was agreed for matches."""

    seats: int = 4
    rounds: int | None = None
    deal: tuple[int, ...] | None = None


class Session:
    """Everything the referee knows, and nothing it could not have sensed."""

    def __init__(self, table: Table, settings: Settings, lot: Lot, now_ns: int) -> None:
        self.table = table
        self.settings = settings
        self.seated: set[int] = set()
        self.occupied: set[Slot] = set()
        self.match: DiceMatch | None = None
        self.round: DiceRound | None = None
        self.judged: dict[int, Judged] = {}
        self.last_match: MatchEnded | None = None
        self._lot = lot
        self._hold_ns = settings.hold_ns + settings.buttons.settle_ns
        self._ties = TieBreaker(lot)
        self._down: dict[int, int] = {}
        self._out: list[Effect] = []
        self.room: Room = Attract(self, now_ns)

    @property
    def phase(self) -> Phase:
        return self.room.phase

    # -- what comes in

    def handle(self, event: Event, now_ns: int) -> list[Effect]:
        """Take one event; what it decides may come from a later `tick`."""
        if isinstance(event, Pressed):
            if not event.late:
                self._down[event.seat] = event.stamp.latest_ns
                self.room.pressed(event, now_ns)
        elif isinstance(event, Released):
            self._down.pop(event.seat, None)
        elif isinstance(event, Filled | Emptied):
            (self.occupied.add if isinstance(event, Filled) else self.occupied.discard)(event.slot)
            self.room.landed(event, now_ns)
        else:
            try:
                self._command(event, now_ns)
            except (IllegalEvent, IllegalMove, MalformedText) as error:
                self.emit(Refused(type(event).__name__, str(error)))
        return self._take_effects()

    def tick(self, now_ns: int) -> list[Effect]:
        """Decide all that is ripe by now."""
        held = [seat for seat, down_ns in self._down.items() if down_ns + self._hold_ns <= now_ns]
        for seat in sorted(held):
            del self._down[seat]
            self.room.held(seat, now_ns)
        self.room.tick(now_ns)
        return self._take_effects()

    def due_after_ns(self, now_ns: int) -> int | None:
        """When `tick` is needed next, if nothing comes in before."""
        due_ns = self.room.due_after_ns(now_ns)
        if self._down:
            # Only then is it certain that a button was not let go in time.
            hold_ns = min(self._down.values()) + self._hold_ns
            if due_ns is None or hold_ns < due_ns:
                due_ns = hold_ns
        return due_ns

    def _command(self, event: Event, now_ns: int) -> None:
        if isinstance(event, EndMatch):
            self.turn(Turn.ABANDONED, now_ns)
        elif isinstance(event, VoidRound):
            self.turn(Turn.VOIDED, now_ns)
        else:
            self.room.command(event, now_ns)  # type: ignore[arg-type]  # contacts were handled before

    def _take_effects(self) -> list[Effect]:
        effects = self._out
        if effects:
            self._out = []
        return effects

    # -- what the rooms do

    def emit(self, effect: Effect) -> None:
        """Let the world know."""
        self._out.append(effect)
        if type(effect) is Judged:
            self.judged[effect.seat] = effect

    def emit_all(self, effects: list[Effect]) -> None:
        for effect in effects:
            self.emit(effect)

    def turn(self, turn: Turn, now_ns: int) -> None:
        """Go where this turn leads; raises IllegalEvent, and stays, where it leads nowhere."""
        phase = follow(self.room.phase, turn)
        if turn is Turn.VOIDED:
            self.round = None
        if turn in (Turn.ABANDONED, Turn.DESERTED) or phase is Phase.ATTRACT:
            self._stand_up()
        if phase is not Phase.PLAY and phase is not Phase.SETTLE:
            self.judged.clear()
        self.room = ROOMS[phase](self, now_ns)
        self.emit(PhaseEntered(phase.name, now_ns))

    def call_match(self, deal: tuple[int, ...], now_ns: int, position: DicePosition | None = None) -> None:
        """Begin a match with this deal, once the board is empty; or go on from a position."""
        self.match = new_dice_match(deal, self.table.rounds)
        self.seated = set(self.match.seats)
        self._ties = TieBreaker(self._lot)
        self.round = None if position is None else DiceRound(self.settings, position, self._ties)
        blocked = self.occupied and position is None
        self.turn(Turn.BLOCKED if blocked else Turn.CALLED, now_ns)

    def open_round(self) -> DiceRound:
        """The round to be played now: the one under way, or a fresh one."""
        assert self.match is not None
        if self.round is None:
            self.round = DiceRound(self.settings, opening(self.match.deal), self._ties)
        return self.round

    def _stand_up(self) -> None:
        self.match = None
        self.round = None
        self.seated = set()
