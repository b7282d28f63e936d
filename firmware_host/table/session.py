"""The table itself: seats, match, round and phase, moved on by events and by time.

`handle` takes what the arbiter released, `tick` lets time pass, and both return effects.
The session never reads a clock and never guesses an order: `now_ns` is the moment at
which the arbiter released an event, and that is a function of the event's stamp alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_host.arbiter.ties import RandomSource, TieBreaker
from firmware_host.durations import S
from firmware_host.effects import (
    DeviceReported,
    DieShown,
    EdgesLost,
    Effect,
    MatchAbandoned,
    PhaseEntered,
    Refused,
    SourceMasked,
    SourceUnmasked,
    WasInterrupted,
)
from firmware_host.engine.games import CARD_GAME, DICE_GAME, Game
from firmware_host.engine.match import Match, new_match
from firmware_host.errors import IllegalEvent, IllegalMove, MalformedText
from firmware_host.events import (
    DeviceChanged,
    Emptied,
    Event,
    Filled,
    Interrupted,
    Masked,
    Pressed,
    Released,
    Shown,
    SignalsLost,
    TagEvent,
    Unmasked,
    Withdrawn,
)
from firmware_host.places import MOST_PILES_A_SEAT, Button, DieFace, Pad, Slot, Source
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp, exactly
from firmware_host.states import AbandonReason, AwayReason, Condition, Phase
from firmware_host.table.between import Clear, Result, Scores
from firmware_host.table.lobby import Attract, Join
from firmware_host.table.lying_tags import Tags
from firmware_host.table.outbox import Outbox
from firmware_host.table.phases import Transition, allow, follow
from firmware_host.table.playing import Countdown, Paused, RoundRoom
from firmware_host.table.refereeing import REFEREES
from firmware_host.table.room import Room
from firmware_host.table.round import Round
from firmware_host.table.troubles import LostDevice, MaskedSource, Trouble, Troubles

ROOMS: dict[Phase, type[Room]] = {
    room.phase: room for room in (Attract, Join, Countdown, Paused, Scores, Clear, Result)
}
"""The rooms that are the same for all games."""


_BY_DEVICES = (Transition.IMPAIRED, Transition.RESTORED, Transition.COUNTED)
"""The turns that a device with a loose contact makes for ever, though nobody is there."""


_PLAYED = (Phase.COUNTDOWN, Phase.PLAY, Phase.PAUSED)
"""The phases in which a round may be played, or will be in a moment."""

TAGS_KEPT_NS = 5 * S
"""How long it is remembered what lay on a reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What does not change while the table runs: its game, how it is built, what was agreed for matches."""

    game: Game = DICE_GAME
    seats: int = 4
    rounds: int | None = None
    deal: tuple[int, ...] | None = None
    handicap: tuple[int, ...] = ()  # so many fewer each seat is dealt, unless a deal was agreed
    closed: frozenset[int] = frozenset()  # the seats that nobody may sit down at
    call_buttons: bool = False
    pads: bool = False
    identified: bool = False  # readers at the slots tell which die lies there
    owned_by_tag: bool = False  # ... and that tells whose it is, so that it needs no slap

    @property
    def open_seats(self) -> int:
        """How many can play."""
        return self.seats - len(self.closed)

    def usual_deal(self, present: Sequence[bool]) -> tuple[int, ...]:
        """What those who are present get if nothing else was agreed: equal parts, less their handicaps."""
        handicap = (*self.handicap, *(0,) * self.seats)[: self.seats]
        deal = zip(self.game.standard_deal(present), handicap, strict=True)
        return tuple(max(1, count - less) if count else 0 for count, less in deal)

    @property
    def piles(self) -> int:
        """The places for piles of cards: every seat can open four."""
        return MOST_PILES_A_SEAT * self.seats if self.game is CARD_GAME else 0


class Session:
    """Everything the referee knows, and nothing it could not have sensed."""

    def __init__(self, table: Table, settings: Settings, draws: RandomSource, now_ns: int) -> None:
        self.table: Table = table
        self.settings = settings
        self.seated: set[int] = set()
        self.occupied: set[Slot] = set()
        self.tags = Tags(TAGS_KEPT_NS)
        self.owners: dict[int, int] = {}
        self.match: Match | None = None
        self.match_begun_ns = now_ns
        self.round: Round | None = None
        self.holding: dict[int, Stamp] = {}
        self.troubles = Troubles()
        self.interrupted: AwayReason | None = None
        """Why the table was away, if the round waits until all lies where it lay."""
        self.progress_ns = now_ns
        self.back_ns = now_ns
        self._draws = draws
        self._hold_ns = settings.hold_ns + settings.settle_ns
        self._ties = TieBreaker(draws)
        self._down: dict[int, Stamp] = {}
        self._referee = REFEREES[table.game]
        self._asked_ns = now_ns
        self.out = Outbox()
        self.emit = self.out.emit
        self.entered_by = Transition.SHOWN
        self.room: Room = Attract(self, now_ns)

    @property
    def phase(self) -> Phase:
        return self.room.phase

    # -- what comes in

    def handle(self, event: Event, now_ns: int) -> list[Effect]:
        """Take one event; what it decides may come from a later `tick`."""
        if isinstance(event, Pressed | Released):
            self._button(event, now_ns)
        elif isinstance(event, Shown | Withdrawn):
            self._tag(event, now_ns)
        elif isinstance(event, Filled | Emptied):
            (self.occupied.add if isinstance(event, Filled) else self.occupied.discard)(event.slot)
            self.room.landed(event, now_ns)
        elif isinstance(event, Masked | Unmasked | DeviceChanged):
            self._trouble(event, now_ns)
        elif isinstance(event, Interrupted):
            self._interrupt(event, now_ns)
        elif isinstance(event, SignalsLost):
            stamp = Stamp(event.stamp.earliest_ns - event.within_ns, event.stamp.latest_ns)
            self.emit(EdgesLost(event.count, stamp))
            if self.round is not None:
                self.round.doubt(stamp)
        else:
            try:
                allow(self.phase, event)
                self.room.command(event, now_ns)
            except (IllegalEvent, IllegalMove, MalformedText) as error:
                self.emit(Refused(type(event).__name__, str(error)))
        return self.out.take()

    def tick(self, now_ns: int) -> list[Effect]:
        """Decide all that is ripe by now."""
        held = [seat for seat, down in self._down.items() if down.latest_ns + self._hold_ns <= now_ns]
        for seat in sorted(held):
            down = self._down.pop(seat, None)
            if down is not None:  # an earlier one may have changed the room
                self.holding[seat] = down
                self.room.held(seat, now_ns)
        self.room.tick(now_ns)
        return self.out.take()

    def due_after_ns(self, now_ns: int) -> int | None:
        """When `tick` is needed next, if nothing comes in before."""
        due_ns = self.room.due_after_ns(now_ns)
        if self._down:
            # Only then is it certain that a button was not let go in time.
            hold_ns = min(down.latest_ns for down in self._down.values()) + self._hold_ns
            if due_ns is None or hold_ns < due_ns:
                due_ns = hold_ns
        return due_ns

    def _button(self, event: Pressed | Released, now_ns: int) -> None:
        seat = event.seat
        if event.call:
            if isinstance(event, Pressed) and not event.late:
                self.room.called(event, now_ns)
        elif isinstance(event, Released):
            was_held = self.holding.pop(seat, None) is not None
            was_down = self._down.pop(seat, None) is not None
            if was_down:
                self.room.tapped(seat, now_ns)
            if was_down or was_held:
                self.room.released(event, now_ns)
        elif not event.late:
            # A press from before the question is no answer to it.
            if event.stamp.earliest_ns >= self._asked_ns:
                self._down[seat] = event.stamp
            self.room.pressed(event, now_ns)

    def _tag(self, event: TagEvent, now_ns: int) -> None:
        if self.tags.take(event, now_ns):
            if isinstance(event.at, Pad):
                self._own(event, event.at.seat)
            self.room.tagged(event, now_ns)

    def _own(self, event: TagEvent, seat: int) -> None:
        """A seat shows which dice are its own; while a round runs, none can be taken from another."""
        if not self.table.owned_by_tag:
            return
        if isinstance(event, Shown) and isinstance(event.tag, DieFace):
            die = event.tag.die
            started_ns = self.round.started_ns if self.round is not None else None
            if started_ns is not None and event.stamp.latest_ns >= started_ns and die in self.owners:
                return
            self.owners[die] = seat
            count = sum(owner == seat for owner in self.owners.values())
            self.emit(DieShown(seat, die, count))

    def _trouble(self, event: Masked | Unmasked | DeviceChanged, now_ns: int) -> None:
        """Something is wrong with the table, or right again."""
        t_ns = event.stamp.latest_ns
        if isinstance(event, DeviceChanged):
            self.emit(DeviceReported(event.device, event.needed, t_ns))
            if event.device.condition is Condition.LOST:
                self.troubles.begin(LostDevice(event.device, event.needed, event.seat))
            else:
                self.troubles.end(event.device.name)
        elif isinstance(event, Masked):
            self.emit(SourceMasked(event.source, event.reason, t_ns))
            self.troubles.begin(MaskedSource(event.source, event.reason))
            self._lose_sight_of(event.source, now_ns)
        else:
            self.emit(SourceUnmasked(event.source, t_ns))
            self.troubles.end(str(event.source))
        if self.round is not None:
            self.round.impair(self.impaired, t_ns)
        self.room.troubled(event.stamp, now_ns)

    def _interrupt(self, event: Interrupted, now_ns: int) -> None:
        """The table was away. A round waits until it is known what has changed; nothing else has to."""
        t_ns = event.stamp.earliest_ns
        self.emit(WasInterrupted(event.reason, t_ns))
        self._forget_presses(now_ns)  # nobody knows how long they would have been
        if self.round is not None:
            self.round.doubt(event.stamp)
        room = self.room
        if isinstance(room, RoundRoom) and room.phase in _PLAYED:
            self.back_ns = event.stamp.latest_ns
            self.interrupted = event.reason
            room.round.impair(True, t_ns)
            if room.phase is Phase.COUNTDOWN:
                self.turn(Transition.IMPAIRED, now_ns)
            else:
                room.troubled(exactly(t_ns), now_ns)

    def _lose_sight_of(self, source: Source, now_ns: int) -> None:
        """Nobody knows any more how it stands; a slot is told anew when it is unmasked."""
        if isinstance(source, Button):
            self._down.pop(source.seat, None)
            self.holding.pop(source.seat, None)
            if self.round is not None:
                self.round.judge_press(source.seat, now_ns)
        elif isinstance(source, Slot):
            self.occupied.discard(source)

    # -- what the rooms do

    def turn(self, turn: Transition, now_ns: int) -> None:
        """Go where this turn leads; raises IllegalEvent, and stays, where it leads nowhere."""
        phase = follow(self.room.phase, turn)
        if turn is Transition.VOIDED:
            self.round = None
        if phase is Phase.ATTRACT:
            self.match = self.round = None
            self.seated = set()
            self.owners.clear()
            self.troubles.accept_none()
        if turn not in _BY_DEVICES:
            self.progress_ns = now_ns
        if phase not in _PLAYED and self.interrupted:
            self.end_interruption(now_ns)
        self._forget_presses(now_ns)
        self.entered_by = turn
        rooms = self._referee.rooms if phase in self._referee.rooms else ROOMS
        self.room = rooms[phase](self, now_ns)
        self.emit(PhaseEntered(phase, now_ns))

    def abandon(self, reason: AbandonReason, now_ns: int) -> None:
        """Everybody goes home, and why."""
        if self.match is not None and self.phase is not Phase.RESULT:
            self.emit(MatchAbandoned(reason, now_ns))
        self.turn(Transition.ABANDONED, now_ns)

    def _forget_presses(self, now_ns: int) -> None:
        """Whatever is down becomes no tap and no call any more."""
        if self.round is not None:
            for seat in self.down:
                self.round.judge_press(seat, now_ns)
        self.ask(now_ns)

    def ask(self, now_ns: int) -> None:
        """Something new is asked: only buttons that go down from now on can tap or hold."""
        self._asked_ns = now_ns
        self._down.clear()
        self.holding.clear()

    def end_interruption(self, now_ns: int) -> None:
        """All is as it was, people want to go on as it is, or the round is over."""
        self.interrupted = None
        if self.round is not None:
            self.round.impair(self.impaired, now_ns)

    @property
    def blocked(self) -> bool:
        """Whether no round can go on now: it was interrupted, or there is a trouble that nobody accepts."""
        return self.interrupted is not None or self.blocking is not None

    @property
    def blocking(self) -> Trouble | None:
        """The trouble that no round can go on with now, as long as nobody accepts it."""
        return self.troubles.blocking(self.seated)

    @property
    def impaired(self) -> bool:
        """Whether verdicts are doubtful: the round is interrupted, or a trouble matters, accepted or not."""
        return self.interrupted is not None or self.troubles.matter(self.seated)

    @property
    def able(self) -> set[int]:
        """The seats that play and whose buttons are listened to."""
        return self.seated - self.troubles.masked_seats

    @property
    def down(self) -> set[int]:
        """The seats whose buttons are down since the present question was asked."""
        return {*self._down, *self.holding}

    @property
    def somebody_presses(self) -> bool:
        """Whether a button is down that may still become a tap or a hold."""
        return bool(self._down)

    def call_match(self, deal: tuple[int, ...], now_ns: int, position: str = "") -> None:
        """Begin a match with this deal, once the board is empty; or go on from a position."""
        ties = TieBreaker(self._draws)
        resumed = None
        if position:
            resumed = self._referee.resume(self, position, ties)
            obstacle = self._referee.obstacle(self, resumed, deal)
            if obstacle:
                raise IllegalEvent("StartMatch", self.phase.name, obstacle)
        self.match = new_match(self.table.game, deal, self.table.rounds)
        self.match_begun_ns = now_ns
        self.seated = set(self.match.seats)
        self._ties = ties
        self.round = resumed
        blocked = self.occupied and resumed is None
        self.turn(Transition.BLOCKED if blocked else Transition.CALLED, now_ns)

    def open_round(self, match: Match) -> Round:
        """The round to be played now: the one under way, or a fresh one."""
        if self.round is None:
            self.round = self._referee.open(self, match.deal, self._ties)
        return self.round
