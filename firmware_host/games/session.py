"""The table itself: seats, match, round and phase, moved on by events and by time.

`handle` takes an event of the arbiter, `decide` does what follows from what is known, and `tick` what is due
by the clock; all return effects. The session never reads a clock and never guesses an order: events come in
the order in which they happened. `known_ns` says up to when everything is known, and all decisions of a round
depend on that alone. `now_ns` only says when a decision is given; it is a function of stamps, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from firmware_host.games.games import CARD_GAME, DICE_GAME, Game, Match, new_match
from firmware_host.games.phases import Transition, allow, next_phase
from firmware_host.games.playing import Countdown, Paused, RoundRoom
from firmware_host.games.refereeing import REFEREES
from firmware_host.games.rooms import Attract, Clear, Join, Result, Room, Scores
from firmware_host.games.round import Outbox, Round, Tags
from firmware_host.games.troubles import LostDevice, MaskedSource, Trouble, Troubles
from firmware_host.model.effects import (
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
from firmware_host.model.errors import IllegalEvent, IllegalMove, MalformedText
from firmware_host.model.events import (
    DeviceChanged,
    Emptied,
    Event,
    Filled,
    Interrupted,
    Masked,
    Pressed,
    Released,
    SignalsLost,
    TagEvent,
    TagSeen,
    Unmasked,
    Withdrawn,
)
from firmware_host.model.places import MOST_PILES_A_SEAT, Button, DieFace, Pad, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.states import AbandonReason, AwayReason, Condition, Phase
from firmware_host.model.times import S, Stamp, exactly
from firmware_host.timing.ties import RandomSource, TieBreaker

ROOMS: dict[Phase, type[Room]] = {
    room.phase: room for room in (Attract, Join, Countdown, Paused, Scores, Clear, Result)
}
"""The rooms that are the same for all games."""


_CAUSED_BY_DEVICES = (Transition.IMPAIRED, Transition.RESTORED, Transition.COUNTED)
"""The transitions that a loose contact can cause again and again although nobody plays."""


_PLAYED = (Phase.COUNTDOWN, Phase.PLAY, Phase.PAUSED)
"""The phases in which a round may be played, or will be in a moment."""

CALL_LATE_NS = 1 * S
"""A stop call that arrives this late still counts, such as one behind an expander that was busy."""

TAGS_KEPT_NS = 5 * S
"""How long tags that have gone from a reader are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What does not change while the table runs: its game, its construction, the rules of its matches."""

    game: Game = DICE_GAME
    seats: int = 4
    rounds: int | None = None
    deal: tuple[int, ...] | None = None
    handicap: tuple[int, ...] = ()  # how many fewer each seat is dealt (negative: more) if nothing was agreed
    closed: frozenset[int] = frozenset()  # the seats that may not be taken
    expert: bool = False  # cards may go from the Ligretto pile to the own row at any time
    call_buttons: bool = False
    pads: bool = False
    identified: bool = False  # readers at the slots tell which die lies there
    owned_by_tag: bool = False  # ... and whose it is, so that no slap is needed

    @property
    def open_seats(self) -> int:
        """How many seats can be taken."""
        return self.seats - len(self.closed)

    def usual_deal(self, present: Sequence[bool]) -> tuple[int, ...]:
        """The deal to the seats that are present if none was agreed."""
        handicap = (*self.handicap, *(0,) * self.seats)[: self.seats]
        return self.game.handicapped_deal(present, handicap)

    @property
    def piles(self) -> int:
        """The places for piles of cards: every seat can open four."""
        return MOST_PILES_A_SEAT * self.seats if self.game is CARD_GAME else 0


class Session:
    """Everything that the referee knows, and nothing that the table could not have sensed."""

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
        """Why the table was away, while the round waits until everything lies where it lay."""
        self.progress_ns = now_ns
        self.back_ns = now_ns
        self.known_ns = now_ns
        """Everything that happened up to this moment was taken."""
        self._draws = draws
        self._hold_ns = settings.hold_ns
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

    def handle(self, event: Event, known_ns: int, now_ns: int) -> list[Effect]:
        """Take an event; the effects of some come from a later `decide`."""
        self.known_ns = known_ns
        if isinstance(event, Pressed | Released):
            self._button(event, now_ns)
        elif isinstance(event, TagSeen | Withdrawn):
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

    def decide(self, known_ns: int, now_ns: int) -> list[Effect]:
        """Decide all that is due now that everything that happened up to `known_ns` is known."""
        self.known_ns = known_ns
        held = [seat for seat, down in self._down.items() if down.latest_ns + self._hold_ns <= known_ns]
        for seat in sorted(held):
            down = self._down.pop(seat, None)
            if down is not None:  # an earlier hold may have changed the room
                self.holding[seat] = down
                self.room.held(seat, now_ns)
        self.room.decide(known_ns, now_ns)
        return self.out.take()

    def awaits_after_ns(self, known_ns: int) -> int | None:
        """The next moment up to which everything has to be known for a decision; those before are taken."""
        awaits_ns = self.room.awaits_after_ns(known_ns)
        if self._down:
            # Only then it is certain that a button was not released in time.
            hold_ns = min(down.latest_ns for down in self._down.values()) + self._hold_ns
            if awaits_ns is None or hold_ns < awaits_ns:
                awaits_ns = hold_ns
        return awaits_ns

    def tick(self, now_ns: int) -> list[Effect]:
        """Do all that is due by the clock."""
        self.room.tick(now_ns)
        return self.out.take()

    def due_after_ns(self, now_ns: int) -> int | None:
        """When `tick` is needed next, unless an event comes first."""
        return self.room.due_after_ns(now_ns)

    def _button(self, event: Pressed | Released, now_ns: int) -> None:
        seat = event.seat
        if event.call:
            if isinstance(event, Pressed) and not self.ignores(event, now_ns):
                self.room.called(self._in_time(event), now_ns)
        elif isinstance(event, Released):
            was_held = self.holding.pop(seat, None) is not None
            was_down = self._down.pop(seat, None) is not None
            if was_down:
                self.room.tapped(seat, now_ns)
            if was_down or was_held:
                self.room.released(event, now_ns)
        elif not event.late:
            # A press from before the question does not answer it.
            if event.stamp.earliest_ns >= self._asked_ns:
                self._down[seat] = event.stamp
            self.room.pressed(event, now_ns)

    def ignores(self, press: Pressed, now_ns: int) -> bool:
        """Whether a press came too late to be judged. A call needs no exact moment, so it may be late."""
        return press.late and (not press.call or now_ns - press.stamp.earliest_ns > CALL_LATE_NS)

    def _in_time(self, call: Pressed) -> Pressed:
        """A call that came late may have been as late as now: what has been decided stays as it is."""
        stamp = call.stamp
        latest_ns = max(stamp.latest_ns, self.known_ns) if call.late else stamp.latest_ns
        return replace(call, stamp=Stamp(stamp.earliest_ns, latest_ns))

    def _tag(self, event: TagEvent, now_ns: int) -> None:
        if self.tags.take(event, self.known_ns):
            if isinstance(event.at, Pad):
                self._own(event, event.at.seat)
            self.room.tagged(event, now_ns)

    def _own(self, event: TagEvent, seat: int) -> None:
        """A seat shows one of its dice; while a round runs, no die can change its owner."""
        if not self.table.owned_by_tag:
            return
        if isinstance(event, TagSeen) and isinstance(event.tag, DieFace):
            die = event.tag.die
            started_ns = self.round.started_ns if self.round is not None else None
            if started_ns is not None and event.stamp.latest_ns >= started_ns and die in self.owners:
                return
            self.owners[die] = seat
            count = sum(owner == seat for owner in self.owners.values())
            self.emit(DieShown(seat, die, count))

    def _trouble(self, event: Masked | Unmasked | DeviceChanged, now_ns: int) -> None:
        """A device or a source has changed its condition."""
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
            self._forget_source(event.source, now_ns)
        else:
            self.emit(SourceUnmasked(event.source, t_ns))
            self.troubles.end(str(event.source))
        if self.round is not None:
            self.round.impair(self.impaired, t_ns)
        self.room.troubled(event.stamp, now_ns)

    def _interrupt(self, event: Interrupted, now_ns: int) -> None:
        """The table was away. Only a round has to wait until it is known what has changed."""
        t_ns = event.stamp.earliest_ns
        self.emit(WasInterrupted(event.reason, t_ns))
        self._forget_presses(now_ns)  # it is not known how long they were
        if self.round is not None:
            self.round.doubt(event.stamp)
        room = self.room
        if isinstance(room, RoundRoom) and room.phase in _PLAYED:
            self.back_ns = event.stamp.latest_ns
            self.interrupted = event.reason
            room.round.impair(True, t_ns)
            if room.phase is Phase.COUNTDOWN:
                self.follow(Transition.IMPAIRED, now_ns)
            else:
                room.troubled(exactly(t_ns), now_ns)

    def _forget_source(self, source: Source, now_ns: int) -> None:
        """The state of a masked source is unknown; that of a slot is reported when it is unmasked."""
        if isinstance(source, Button):
            self._down.pop(source.seat, None)
            self.holding.pop(source.seat, None)
            if self.round is not None:
                self.round.judge_press(source.seat)
        elif isinstance(source, Slot):
            self.occupied.discard(source)

    # -- for the rooms

    def follow(self, transition: Transition, now_ns: int) -> None:
        """Enter the phase after that transition; IllegalEvent, and no change, if it is not possible."""
        phase = next_phase(self.room.phase, transition)
        if transition is Transition.VOIDED:
            self.round = None
        if phase is Phase.ATTRACT:
            self.match = self.round = None
            self.seated = set()
            self.owners.clear()
            self.troubles.accept_none()
        if transition not in _CAUSED_BY_DEVICES:
            self.progress_ns = now_ns
        if phase not in _PLAYED and self.interrupted:
            self.end_interruption(now_ns)
        self._forget_presses(now_ns)
        self.entered_by = transition
        rooms = self._referee.rooms if phase in self._referee.rooms else ROOMS
        self.room = rooms[phase](self, now_ns)
        self.emit(PhaseEntered(phase, now_ns))

    def abandon(self, reason: AbandonReason, now_ns: int) -> None:
        """Give up the match, if there is one, and go back to ATTRACT."""
        if self.match is not None and self.phase is not Phase.RESULT:
            self.emit(MatchAbandoned(reason, now_ns))
        self.follow(Transition.ABANDONED, now_ns)

    def _forget_presses(self, now_ns: int) -> None:
        """The buttons that are down can't become taps or calls any more."""
        if self.round is not None:
            for seat in self.down:
                self.round.judge_press(seat)
        self.ask(now_ns)

    def ask(self, now_ns: int) -> None:
        """A new question is shown: only buttons that go down from now on can answer it."""
        self._asked_ns = now_ns
        self._down.clear()
        self.holding.clear()

    def end_interruption(self, now_ns: int) -> None:
        """Stop waiting: everything is as it was, players want to go on anyway, or the round is over."""
        self.interrupted = None
        if self.round is not None:
            self.round.impair(self.impaired, now_ns)

    @property
    def blocked(self) -> bool:
        """Whether no round can go on now: it was interrupted, or there is a trouble that was not accepted."""
        return self.interrupted is not None or self.blocking is not None

    @property
    def blocking(self) -> Trouble | None:
        """The trouble that keeps a round from going on until players accept it; None if there is none."""
        return self.troubles.blocking(self.seated)

    @property
    def impaired(self) -> bool:
        """Whether verdicts are doubtful: the round is interrupted, or a trouble matters, accepted or not."""
        return self.interrupted is not None or self.troubles.matter(self.seated)

    @property
    def able(self) -> set[int]:
        """The seats that play and whose buttons work."""
        return self.seated - self.troubles.masked_seats

    @property
    def down(self) -> set[int]:
        """The seats whose buttons went down after the present question and are still down."""
        return {*self._down, *self.holding}

    @property
    def pressing(self) -> Mapping[int, Stamp]:
        """The seats whose buttons are down that may still become taps or holds, and since when."""
        return self._down

    @property
    def somebody_presses(self) -> bool:
        """Whether a button is down that may still become a tap or a hold."""
        return bool(self._down)

    def call_match(
        self, deal: tuple[int, ...], now_ns: int, position: str = "", *, dealt: bool = True
    ) -> None:
        """Begin a match as soon as the board is empty and everybody is dealt to, or go on from a position."""
        ties = TieBreaker(self._draws)
        resumed = None
        if position:
            resumed = self._referee.resume(self, position, ties)
            obstacle = self._referee.obstacle(self, resumed, deal)
            if obstacle:
                raise IllegalEvent("StartMatch", self.phase.name, obstacle)
        self.begin_match(deal, now_ns, ties)
        self.round = resumed
        ready = resumed is not None or (dealt and not self.occupied)
        self.follow(Transition.DEALT if ready else Transition.CALLED, now_ns)

    def begin_match(self, deal: tuple[int, ...], now_ns: int, ties: TieBreaker | None = None) -> None:
        """Seat the players of a new match; which phase follows is up to the caller."""
        self.match = new_match(self.table.game, deal, self.table.rounds)
        self.match_begun_ns = now_ns
        self.seated = set(self.match.seats)
        self._ties = ties or TieBreaker(self._draws)
        self.round = None

    def open_round(self, match: Match) -> Round:
        """The present round, or a new one."""
        if self.round is None:
            self.round = self._referee.open(self, match.deal, self._ties)
        return self.round
