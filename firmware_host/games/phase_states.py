"""What the table does in each phase. The session is always in one of these states.

A state is given what happens, decides from what is known, and says what follows: effects, and which phase is
next (`leave`). It calls nobody; the session enters the next phase. By default, an input has no meaning in a
phase, and `expire` is called at `deadline_ns`. The games add their own states of PLAY and SETTLE.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from firmware_host.games.games import Match
from firmware_host.games.knowledge import Knowledge
from firmware_host.games.phases import Transition, next_phase
from firmware_host.games.round import Round
from firmware_host.model.effects import (
    WINNING,
    CardPlayed,
    Effect,
    Judged,
    MatchAbandoned,
    MatchEnded,
    RoundFinished,
    RoundStarted,
    RoundVoided,
    SeatTaken,
    SlotChanged,
)
from firmware_host.model.errors import IllegalEvent, IllegalMove
from firmware_host.model.events import (
    Command,
    Emptied,
    EndMatch,
    Filled,
    Pause,
    Pressed,
    Released,
    Resume,
    StartMatch,
    TagEvent,
    VoidRound,
)
from firmware_host.model.states import AbandonReason, Phase, VoidReason
from firmware_host.model.times import S, Stamp, exactly

COUNT_FROM = 3
BACK_NS = 2 * S
"""How long the table shows that it was away before it counts down."""


class NextPhase(NamedTuple):
    """Which phase follows and why, and the effects that are told when it is entered."""

    phase: Phase
    transition: Transition
    effects: tuple[Effect, ...]


class PhaseState:
    """A phase while the table is in it."""

    phase: ClassVar[Phase]

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        self.known = known
        self.entered_ns = now_ns
        self.deadline_ns: int | None = None
        self.next: NextPhase | None = None
        """What follows this phase, as soon as that is decided."""

    def leave(self, transition: Transition, *effects: Effect) -> None:
        """Say what follows; IllegalEvent, and no change, if that is not possible in this phase."""
        self.next = NextPhase(next_phase(self.phase, transition), transition, effects)

    def abandon(self, reason: AbandonReason, now_ns: int) -> None:
        """Give up the match, if there is one."""
        if self.known.match is not None and self.phase is not Phase.RESULT:
            self.known.emit(MatchAbandoned(reason, now_ns))
        self.leave(Transition.ABANDONED)

    def pressed(self, event: Pressed, now_ns: int) -> None:
        """A seat's button went down."""

    def tapped(self, seat: int, now_ns: int) -> None:
        """A seat's button that was pressed in this phase came up after a short press."""

    def released(self, event: Released, now_ns: int) -> None:
        """A seat's button came up after any press."""

    def called(self, event: Pressed, now_ns: int) -> None:
        """A seat's call button went down."""

    def tagged(self, event: TagEvent, now_ns: int) -> None:
        """A tag came to a reader, or went away."""

    def held(self, seat: int, now_ns: int) -> None:
        """A seat's button that was pressed in this phase has been down for a long press."""

    def landed(self, event: Filled | Emptied, now_ns: int) -> None:
        """A slot changed."""

    def troubled(self, stamp: Stamp, now_ns: int) -> None:
        """The troubles of the table changed at that stamp."""

    def command(self, event: Command, now_ns: int) -> None:
        """The operator gives a command that is possible in this phase (see `phases.COMMANDS`).

        Raises IllegalEvent, and changes nothing, if it makes no sense now.
        """
        if isinstance(event, EndMatch):
            self.abandon(AbandonReason.OPERATOR, now_ns)

    def decide(self, known_ns: int, now_ns: int) -> None:
        """Decide what is due now that everything that happened up to `known_ns` is known."""

    def awaits_after_ns(self, known_ns: int) -> int | None:
        """The next moment up to which everything has to be known for a decision; those before are taken."""
        return None

    def tick(self, now_ns: int) -> None:
        """Do what is due by the clock."""
        if self.deadline_ns is not None and now_ns >= self.deadline_ns:
            self.deadline_ns = None
            self.expire(now_ns)

    def due_after_ns(self, now_ns: int) -> int | None:
        """When `tick` is needed next, unless an event comes first."""
        return self.deadline_ns

    def expire(self, now_ns: int) -> None:
        """Time is up."""


class MatchState(PhaseState):
    """A phase in which a match is under way."""

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        assert known.match is not None
        self.match: Match = known.match


class _Lobby(PhaseState):
    """An operator can start a match from either phase."""

    def command(self, event: Command, now_ns: int) -> None:
        if not isinstance(event, StartMatch):
            super().command(event, now_ns)
            return
        known, seats = self.known, self.known.table.seats
        if len(event.deal) > seats:
            raise IllegalEvent("StartMatch", self.phase.name, f"this table has {seats} seats")
        deal = known.table.game.checked_deal(event.deal + (0,) * (seats - len(event.deal)))
        try:
            known.begin_match(deal, now_ns, event.position)
        except IllegalMove as error:
            raise IllegalEvent("StartMatch", self.phase.name, str(error)) from None
        ready = event.position or (event.dealt and not known.occupied)
        self.leave(Transition.DEALT if ready else Transition.CALLED)


class Attract(_Lobby):
    """Nobody plays. The first press sits down and opens the table for others."""

    phase = Phase.ATTRACT

    def pressed(self, event: Pressed, now_ns: int) -> None:
        if event.stamp.earliest_ns < self.entered_ns:
            return  # it was meant for the last phase
        if event.seat in self.known.table.closed:
            return
        self.known.seated.add(event.seat)
        self.leave(Transition.SEATED, SeatTaken(event.seat))


class Join(_Lobby):
    """A press takes a seat. Dealing begins when the table is full, by a call, or when time is up."""

    phase = Phase.JOIN

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        self.deadline_ns = now_ns + known.settings.join_ns

    def pressed(self, event: Pressed, now_ns: int) -> None:
        known = self.known
        if event.seat in known.seated or event.seat in known.table.closed:
            return
        known.seated.add(event.seat)
        known.emit(SeatTaken(event.seat))
        full = len(known.seated) == known.table.open_seats
        self.deadline_ns = now_ns + (known.settings.count_ns if full else known.settings.join_ns)

    def held(self, seat: int, now_ns: int) -> None:
        if len(self.known.seated) >= self.known.table.game.fewest_seats:
            self.expire(now_ns)

    def expire(self, now_ns: int) -> None:
        known = self.known
        if len(known.seated) < known.table.game.fewest_seats:
            self.leave(Transition.DESERTED)
            return
        present = [seat in known.seated for seat in range(1, known.table.seats + 1)]
        agreed = known.table.deal
        fits = agreed is not None and [dice > 0 for dice in agreed] == present
        known.begin_match(agreed if agreed and fits else known.table.usual_deal(present), now_ns)
        self.leave(Transition.JOINED)


class _AgreementState(MatchState):
    """A phase that ends early when all seated players have pressed once whose buttons work."""

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        self.agreed: set[int] = set()

    def tapped(self, seat: int, now_ns: int) -> None:
        if seat in self.known.seated:
            self.agreed.add(seat)
            if self.agreed >= self.known.able:
                self.expire(now_ns)


class Scores(_AgreementState):
    """The points of the round. They stand for a while, or until players begin to clear the board."""

    phase = Phase.SCORES

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        self.deadline_ns = now_ns + known.settings.scores_ns

    def landed(self, event: Filled | Emptied, now_ns: int) -> None:
        if isinstance(event, Emptied):
            self.expire(now_ns)

    def expire(self, now_ns: int) -> None:
        self.leave(Transition.SHOWN)


class Clear(_AgreementState):
    """Occupied slots blink until the board is empty. Then everybody deals, and presses when ready.

    If anybody is ready when time is up, all seated players play on. If nobody is, the match is
    abandoned. After the last round it is enough that the board is empty.

    Whoever sorts cards or shows dice is still there: each tag that comes or goes restarts the timeout. A
    reader may be noisy, so together that takes no longer than a pause may.
    """

    phase = Phase.CLEAR

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        known.round = None
        self._over = self.match.over
        self._cleared = not known.occupied
        settings = known.settings
        nothing_to_do = self._over and self._cleared
        self._latest_ns = now_ns + (0 if nothing_to_do else max(settings.clear_ns, settings.paused_ns))
        self._wait(now_ns)

    def tapped(self, seat: int, now_ns: int) -> None:
        """Nobody can be ready before the board is empty: the dice have to be dealt first."""
        if not self.known.occupied:
            super().tapped(seat, now_ns)

    def tagged(self, event: TagEvent, now_ns: int) -> None:
        self._wait(now_ns)

    def _wait(self, now_ns: int) -> None:
        """Give the players the whole time once more, as far as there is any left."""
        self.deadline_ns = min(now_ns + self.known.settings.clear_ns, self._latest_ns)

    def landed(self, event: Filled | Emptied, now_ns: int) -> None:
        self._look(now_ns)

    def troubled(self, stamp: Stamp, now_ns: int) -> None:
        """A masked slot does not keep anybody from playing on."""
        if self._cleared is bool(self.known.occupied):
            self._look(now_ns)

    def _look(self, now_ns: int) -> None:
        self._cleared = not self.known.occupied
        if not self._cleared:
            self.agreed.clear()
        self.known.ask(now_ns)
        if self._over and self._cleared:
            self._finish_match(now_ns)

    def expire(self, now_ns: int) -> None:
        if self._over:
            self._finish_match(now_ns)
        elif self.agreed:
            self.leave(Transition.READY)
        else:
            self.abandon(AbandonReason.UNREADY, now_ns)

    def _finish_match(self, now_ns: int) -> None:
        match = self.match
        self.leave(Transition.OVER, MatchEnded(match.seats, match.totals, match.winners))


class Result(_AgreementState):
    """The standings of the match. After that the table is free for others."""

    phase = Phase.RESULT

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        self.deadline_ns = now_ns + known.settings.result_ns

    def expire(self, now_ns: int) -> None:
        self.leave(Transition.SHOWN)


class RoundState(MatchState):
    """A phase in which the round judges what players do."""

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        assert known.round is not None
        self.round: Round = known.round

    def pressed(self, event: Pressed, now_ns: int) -> None:
        self.round.slapped(event, now_ns)
        if event.seat not in self.known.pressing and event.seat not in self.known.holding:
            self.round.judge_press(event.seat)

    def landed(self, event: Filled | Emptied, now_ns: int) -> None:
        self.round.landed(event)

    def tapped(self, seat: int, now_ns: int) -> None:
        self.round.judge_press(seat)

    def called(self, event: Pressed, now_ns: int) -> None:
        self.round.call_stop(event.seat, event.stamp, self.known.known_ns)

    def tagged(self, event: TagEvent, now_ns: int) -> None:
        self.round.tagged(event, now_ns)

    def command(self, event: Command, now_ns: int) -> None:
        if isinstance(event, VoidRound):
            self.void(VoidReason.OPERATOR, now_ns)
        else:
            super().command(event, now_ns)

    def decide(self, known_ns: int, now_ns: int) -> None:
        out = self.known.out
        mark = len(out)
        self.round.decide(known_ns, now_ns)
        effects = out[mark:]
        for effect in effects:
            if type(effect) is Judged and effect.verdict in WINNING:
                self.known.progress_ns = effect.decided_ns
        end = self.round.end
        if effects or end is not None:
            self.noticed(effects, now_ns)
        if end is not None and self.phase is not Phase.SETTLE:
            self.known.emit(RoundFinished(end.seats[0], end.stamp))
            self.leave(Transition.FINISHED)

    def awaits_after_ns(self, known_ns: int) -> int | None:
        return self.round.awaits_after_ns(known_ns)

    def noticed(self, effects: list[Effect], now_ns: int) -> None:
        """The round has ended, or has decided something."""

    def start_call(self, now_ns: int) -> RoundStarted:
        """The start call is given now, or once more."""
        round_ = self.round
        round_.called, again = True, round_.started_ns is not None
        if round_.started_ns is None:
            round_.started_ns = now_ns
        return RoundStarted(self.match.round_number, round_.owed, now_ns, again)

    def void(self, reason: VoidReason, now_ns: int, holding: Mapping[int, Stamp] | None = None) -> None:
        """Void the round; `holding` are the seats that called for it, and when each pressed its button.

        Whoever has no part in the match may hold a button, too, and has no say.
        """
        able = self.known.able
        held = {seat: stamp for seat, stamp in sorted((holding or {}).items()) if seat in able}
        number = self.match.round_number
        self.known.emit(RoundVoided(number, reason, now_ns, tuple(held), tuple(held.values())))
        self.leave(Transition.VOIDED)


class Countdown(RoundState):
    """Three, two, one; then the start call, at an exact moment."""

    phase = Phase.COUNTDOWN

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        self.deadline_ns = now_ns + COUNT_FROM * known.settings.count_ns

    def number(self, now_ns: int) -> int:
        """The number to show: 3, 2, 1."""
        passed = (now_ns - self.entered_ns) // self.known.settings.count_ns
        return max(1, COUNT_FROM - passed)

    def expire(self, now_ns: int) -> None:
        self.round.impair(self.known.impaired, now_ns)
        if self.known.blocked:
            self.leave(Transition.IMPAIRED)
        else:
            self.round.go(now_ns)
            self.leave(Transition.COUNTED, self.start_call(now_ns))


class Play(RoundState):
    """The round runs. If nothing is placed for a long time, it pauses by itself."""

    phase = Phase.PLAY

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        self.deadline_ns = now_ns + known.settings.idle_ns

    def noticed(self, effects: list[Effect], now_ns: int) -> None:
        if any(isinstance(effect, SlotChanged | CardPlayed) for effect in effects):
            self.deadline_ns = now_ns + self.known.settings.idle_ns

    def command(self, event: Command, now_ns: int) -> None:
        if isinstance(event, Pause):
            self.round.stop(event.stamp.latest_ns)
            self.leave(Transition.STOPPED)
        else:
            super().command(event, now_ns)

    def troubled(self, stamp: Stamp, now_ns: int) -> None:
        if self.known.blocked:
            self.round.stop(stamp.latest_ns)
            self.leave(Transition.IMPAIRED)

    def expire(self, now_ns: int) -> None:
        self.round.stop(now_ns)
        self.leave(Transition.IDLED)


class Paused(RoundState):
    """The round stands still. The operator resumes it, or a held button unless the operator paused.

    If it paused because something was missing, it counts down again when that is back. That may
    happen again and again, so the timeout of such a pause counts from when somebody last played.

    If the table was away, it counts down as soon as everything lies where it lay. Players can go on anyway
    by holding one button, or void the round by holding all of them.
    """

    phase = Phase.PAUSED

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        self.by_operator = known.entered_by is Transition.STOPPED
        self._impaired = known.entered_by is Transition.IMPAIRED
        settings = known.settings
        since_ns = known.progress_ns + settings.idle_ns if self._impaired else now_ns
        self.deadline_ns = since_ns + settings.paused_ns

    def held(self, seat: int, now_ns: int) -> None:
        known = self.known
        if seat not in known.seated or self.by_operator:
            return
        if not known.interrupted or self._pressing <= {seat}:
            self._resume(now_ns)
        elif known.holding.keys() >= known.able:
            self.void(VoidReason.INTERRUPTED, now_ns, known.holding)

    def released(self, event: Released, now_ns: int) -> None:
        """Not all hold their buttons any more: a button that is still held resumes the round."""
        known = self.known
        holding = known.holding.keys() & known.seated
        if known.interrupted and not self.by_operator and holding and self._pressing <= holding:
            self._resume(now_ns)

    def tick(self, now_ns: int) -> None:
        super().tick(now_ns)
        known = self.known
        if self.next is None and known.interrupted and now_ns >= self._back_ns and not self.round.misplaced:
            known.end_interruption(now_ns)
            self.troubled(exactly(now_ns), now_ns)

    def due_after_ns(self, now_ns: int) -> int | None:
        due_ns = super().due_after_ns(now_ns)
        if not self.known.interrupted or self._back_ns <= now_ns:
            return due_ns
        return self._back_ns if due_ns is None else min(due_ns, self._back_ns)

    @property
    def _pressing(self) -> set[int]:
        """The seats that play and whose buttons are down."""
        return self.known.down & self.known.seated

    @property
    def _back_ns(self) -> int:
        """When the table will have been back long enough to know what has changed."""
        return self.known.back_ns + BACK_NS + self.known.settings.settle_ns

    def troubled(self, stamp: Stamp, now_ns: int) -> None:
        if self._impaired and not self.known.blocked:
            self.leave(Transition.RESTORED)

    def command(self, event: Command, now_ns: int) -> None:
        if isinstance(event, Pause):
            if self.by_operator:
                raise IllegalEvent("Pause", self.phase.name)
            self.leave(Transition.STOPPED)
        elif isinstance(event, Resume):
            self._resume(now_ns)
        else:
            super().command(event, now_ns)

    def expire(self, now_ns: int) -> None:
        self.abandon(AbandonReason.PAUSED, now_ns)

    def _resume(self, now_ns: int) -> None:
        if self.known.interrupted:
            self.known.end_interruption(now_ns)
        self.known.troubles.accept(self.known.seated)
        self.round.go(now_ns)
        self.leave(Transition.RESUMED, *(() if self.round.called else (self.start_call(now_ns),)))
