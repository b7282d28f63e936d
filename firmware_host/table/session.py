"""The table itself: seats, match, round and phase, moved on by events and by time.

`handle` takes what the arbiter released, `tick` lets time pass, and both return effects.
The session never reads a clock and never guesses an order: `now_ns` is the moment at
which the arbiter released an event, and that is a function of the event's stamp alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.arbiter.ties import Lot, TieBreaker
from firmware_host.effects import (
    WINNING,
    DeviceReported,
    EdgesLost,
    Effect,
    Judged,
    MatchEnded,
    PhaseEntered,
    Refused,
    RoundScored,
    SourceMasked,
    SourceUnmasked,
)
from firmware_host.engine.dice import DicePosition, opening
from firmware_host.engine.match import DiceMatch, new_dice_match
from firmware_host.errors import IllegalEvent, IllegalMove, MalformedText
from firmware_host.events import (
    Command,
    DeviceChanged,
    Emptied,
    EndMatch,
    Event,
    Filled,
    Masked,
    Pressed,
    Released,
    SignalsLost,
    Unmasked,
    VoidRound,
)
from firmware_host.places import Button, Slot, Source
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp
from firmware_host.table.between import Clear, Result, Scores
from firmware_host.table.lobby import Attract, Join
from firmware_host.table.phases import TRANSITIONS, Phase, Turn, follow
from firmware_host.table.playing import Countdown, Paused, Play
from firmware_host.table.room import Room
from firmware_host.table.round import DiceRound
from firmware_host.table.settling import Settle
from firmware_host.table.troubles import Trouble, Troubles, of_source

ROOMS: dict[Phase, type[Room]] = {
    room.phase: room for room in (Attract, Join, Countdown, Play, Paused, Settle, Scores, Clear, Result)
}


_TURN_OF: dict[type[Command], Turn] = {EndMatch: Turn.ABANDONED, VoidRound: Turn.VOIDED}
"""The commands that make sense wherever such a turn leads somewhere."""


_BY_DEVICES = (Turn.IMPAIRED, Turn.RESTORED, Turn.COUNTED)
"""The turns that a device with a loose contact makes for ever, though nobody is there."""


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
        self.last_win: Judged | None = None
        self.unjudged: dict[int, int] = {}
        self.holding: set[int] = set()
        self.last_round: RoundScored | None = None
        self.last_match: MatchEnded | None = None
        self.troubles = Troubles()
        self.progress_ns = now_ns
        self._lot = lot
        self._hold_ns = settings.hold_ns + settings.settle_ns
        self._ties = TieBreaker(lot)
        self._down: dict[int, int] = {}
        self._asked_ns = now_ns
        self._out: list[Effect] = []
        self.turned_by = Turn.SHOWN
        self.room: Room = Attract(self, now_ns)

    @property
    def phase(self) -> Phase:
        return self.room.phase

    # -- what comes in

    def handle(self, event: Event, now_ns: int) -> list[Effect]:
        """Take one event; what it decides may come from a later `tick`."""
        if isinstance(event, Pressed):
            if event.late:
                self.unjudged[event.seat] = now_ns
            else:
                # A press from before the question is no answer to it.
                if event.stamp.earliest_ns >= self._asked_ns:
                    self._down[event.seat] = event.stamp.latest_ns
                self.room.pressed(event, now_ns)
        elif isinstance(event, Released):
            self.holding.discard(event.seat)
            if self._down.pop(event.seat, None) is not None:
                self.room.tapped(event.seat, now_ns)
        elif isinstance(event, Filled | Emptied):
            (self.occupied.add if isinstance(event, Filled) else self.occupied.discard)(event.slot)
            self.room.landed(event, now_ns)
        elif isinstance(event, Masked | Unmasked | DeviceChanged):
            self._trouble(event, now_ns)
        elif isinstance(event, SignalsLost):
            stamp = Stamp(event.stamp.earliest_ns - event.within_ns, event.stamp.latest_ns)
            self.emit(EdgesLost(event.count, stamp))
            if self.round is not None:
                self.round.doubt(stamp)
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
            if self._down.pop(seat, None) is not None:  # an earlier one may have changed the room
                self.holding.add(seat)
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

    def _command(self, event: Command, now_ns: int) -> None:
        turn = _TURN_OF.get(type(event))
        if turn is None:
            self.room.command(event, now_ns)
        elif turn not in TRANSITIONS[self.phase]:
            raise IllegalEvent(type(event).__name__, self.phase.name)
        else:
            self.turn(turn, now_ns)

    def _trouble(self, event: Masked | Unmasked | DeviceChanged, now_ns: int) -> None:
        """Something is wrong with the table, or right again."""
        t_ns = event.stamp.latest_ns
        if isinstance(event, DeviceChanged):
            self.emit(DeviceReported(event.device, event.condition, event.needed, event.words, t_ns))
            if event.condition == "lost":
                self.troubles.begin(Trouble(event.device, event.needed, event.words))
            else:
                self.troubles.end(event.device)
        elif isinstance(event, Masked):
            self.emit(SourceMasked(event.source, event.reason, t_ns))
            self.troubles.begin(of_source(event.source, event.reason))
            self._lose_sight_of(event.source)
        else:
            self.emit(SourceUnmasked(event.source, t_ns))
            self.troubles.end(str(event.source))
        if self.round is not None:
            self.round.impair(self.impaired, t_ns)
        self.room.troubled(event.stamp, now_ns)

    def _lose_sight_of(self, source: Source) -> None:
        """Nobody knows any more how it stands; a slot is told anew when it is unmasked."""
        if isinstance(source, Button):
            self._down.pop(source.seat, None)
            self.holding.discard(source.seat)
        else:
            self.occupied.discard(source)

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
            if effect.verdict in WINNING:
                self.last_win = effect
                self.progress_ns = effect.decided_ns

    def emit_all(self, effects: list[Effect]) -> None:
        for effect in effects:
            self.emit(effect)

    def turn(self, turn: Turn, now_ns: int) -> None:
        """Go where this turn leads; raises IllegalEvent, and stays, where it leads nowhere."""
        phase = follow(self.room.phase, turn)
        if turn is Turn.VOIDED:
            self.round = None
        if phase is Phase.ATTRACT:
            self.match = self.round = None
            self.seated = set()
            self.troubles.accept_none()
        if turn not in _BY_DEVICES:
            self.progress_ns = now_ns
        if phase not in (Phase.PLAY, Phase.PAUSED, Phase.SETTLE):
            self.forget_verdicts()
        self.ask(now_ns)
        self.turned_by = turn
        self.room = ROOMS[phase](self, now_ns)
        self.emit(PhaseEntered(phase.name, now_ns))

    def ask(self, now_ns: int) -> None:
        """Something new is asked: only buttons that go down from now on can tap or hold."""
        self._asked_ns = now_ns
        self._down.clear()
        self.holding.clear()

    def forget_verdicts(self) -> None:
        """Nothing that was judged so far is of interest any more."""
        self.judged.clear()
        self.unjudged.clear()
        self.last_win = None

    @property
    def blocking(self) -> Trouble | None:
        """What no round can go on with now, as long as nobody accepts it."""
        return self.troubles.blocking(self.seated)

    @property
    def impaired(self) -> bool:
        """Whether something is missing that verdicts hang on, accepted or not."""
        return self.troubles.matter(self.seated)

    @property
    def somebody_presses(self) -> bool:
        """Whether a button is down that may still become a tap or a hold."""
        return bool(self._down)

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
