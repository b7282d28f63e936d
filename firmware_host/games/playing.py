"""The phases of a round: countdown, play, pause."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from firmware_host.games.cards.card_round import CardRound
from firmware_host.games.dice.dice_round import DiceRound, NoneLeftCall
from firmware_host.games.phases import Transition
from firmware_host.games.rooms import MatchRoom
from firmware_host.model.effects import (
    WINNING,
    CardPlayed,
    Effect,
    Judged,
    RoundFinished,
    RoundStarted,
    RoundVoided,
    SlotChanged,
)
from firmware_host.model.errors import IllegalEvent
from firmware_host.model.events import (
    Command,
    Emptied,
    Filled,
    Pause,
    Pressed,
    Released,
    Resume,
    TagEvent,
    VoidRound,
)
from firmware_host.model.states import AbandonReason, Phase, VoidReason
from firmware_host.model.times import S, Stamp, exactly

if TYPE_CHECKING:
    from firmware_host.games.session import Session


COUNT_FROM = 3
BACK_NS = 2 * S
"""How long the table shows that it was away before it counts down."""


class RoundRoom(MatchRoom):
    """A room in which the round judges what players do."""

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        self.round = session.open_round(self.match)

    def pressed(self, event: Pressed, now_ns: int) -> None:
        self.round.slapped(event, now_ns)
        if event.seat not in self.session.down:
            self.round.judge_press(event.seat)

    def landed(self, event: Filled | Emptied, now_ns: int) -> None:
        self.round.landed(event)

    def tapped(self, seat: int, now_ns: int) -> None:
        self.round.judge_press(seat)

    def called(self, event: Pressed, now_ns: int) -> None:
        self.round.call_stop(event.seat, event.stamp, self.session.known_ns)

    def tagged(self, event: TagEvent, now_ns: int) -> None:
        self.round.tagged(event, now_ns)

    def command(self, event: Command, now_ns: int) -> None:
        if isinstance(event, VoidRound):
            self.void(VoidReason.OPERATOR, now_ns)
        else:
            super().command(event, now_ns)

    def decide(self, known_ns: int, now_ns: int) -> None:
        out = self.session.out
        mark = len(out)
        self.round.decide(known_ns, now_ns)
        if len(out) > mark or self.round.end is not None:
            self._decided(out[mark:], now_ns)

    def awaits_after_ns(self, known_ns: int) -> int | None:
        return self.round.awaits_after_ns(known_ns)

    def _decided(self, effects: list[Effect], now_ns: int) -> None:
        for effect in effects:
            if type(effect) is Judged and effect.verdict in WINNING:
                self.session.progress_ns = effect.decided_ns
        self.noticed(effects, now_ns)

    def noticed(self, effects: list[Effect], now_ns: int) -> None:
        """The round has ended, or has decided something."""
        end = self.round.end
        if end is not None:
            self.session.emit(RoundFinished(end.seats[0], end.stamp))
            self.session.follow(Transition.FINISHED, now_ns)

    def call(self, now_ns: int) -> None:
        """The start call."""
        self.round.called = True
        again = self.round.started_ns is not None
        if self.round.started_ns is None:
            self.round.started_ns = now_ns
        self.session.emit(RoundStarted(self.match.round_number, self.round.owed, now_ns, again))

    def void(self, reason: VoidReason, now_ns: int, holding: Mapping[int, Stamp] | None = None) -> None:
        """Void the round; `holding` are the seats that called for it, and when each pressed its button.

        Whoever has no part in the match may hold a button, too, and has no say.
        """
        able = self.session.able
        held = {seat: stamp for seat, stamp in sorted((holding or {}).items()) if seat in able}
        number = self.match.round_number
        self.session.emit(RoundVoided(number, reason, now_ns, tuple(held), tuple(held.values())))
        self.session.follow(Transition.VOIDED, now_ns)


class Countdown(RoundRoom):
    """Three, two, one; then the start call, at an exact moment."""

    phase = Phase.COUNTDOWN

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        self.deadline_ns = now_ns + COUNT_FROM * session.settings.count_ns

    def number(self, now_ns: int) -> int:
        """The number to show: 3, 2, 1."""
        passed = (now_ns - self.entered_ns) // self.session.settings.count_ns
        return max(1, COUNT_FROM - passed)

    def expire(self, now_ns: int) -> None:
        self.round.impair(self.session.impaired, now_ns)
        if self.session.blocked:
            self.session.follow(Transition.IMPAIRED, now_ns)
        else:
            self.round.go(now_ns)
            self.session.follow(Transition.COUNTED, now_ns)
            self.call(now_ns)


class Play(RoundRoom):
    """The round runs. If nothing is placed for a long time, it pauses by itself."""

    phase = Phase.PLAY

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        self.deadline_ns = now_ns + session.settings.idle_ns

    def noticed(self, effects: list[Effect], now_ns: int) -> None:
        if any(isinstance(effect, SlotChanged | CardPlayed) for effect in effects):
            self.deadline_ns = now_ns + self.session.settings.idle_ns
        super().noticed(effects, now_ns)

    def command(self, event: Command, now_ns: int) -> None:
        if isinstance(event, Pause):
            self.round.stop(event.stamp.latest_ns)
            self.session.follow(Transition.STOPPED, now_ns)
        else:
            super().command(event, now_ns)

    def troubled(self, stamp: Stamp, now_ns: int) -> None:
        if self.session.blocked:
            self.round.stop(stamp.latest_ns)
            self.session.follow(Transition.IMPAIRED, now_ns)

    def expire(self, now_ns: int) -> None:
        self.round.stop(now_ns)
        self.session.follow(Transition.IDLED, now_ns)


class Paused(RoundRoom):
    """The round stands still. The operator resumes it, or a held button unless the operator paused.

    If it paused because something was missing, it counts down again when that is back. That may
    happen again and again, so the timeout of such a pause counts from when somebody last played.

    If the table was away, it counts down as soon as everything lies where it lay. Players can go on anyway
    by holding one button, or void the round by holding all of them.
    """

    phase = Phase.PAUSED

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        self.by_operator = session.entered_by is Transition.STOPPED
        self._impaired = session.entered_by is Transition.IMPAIRED
        settings = session.settings
        since_ns = session.progress_ns + settings.idle_ns if self._impaired else now_ns
        self.deadline_ns = since_ns + settings.paused_ns

    def held(self, seat: int, now_ns: int) -> None:
        session = self.session
        if seat not in session.seated or self.by_operator:
            return
        if not session.interrupted or self._pressing <= {seat}:
            self._resume(now_ns)
        elif session.holding.keys() >= session.able:
            self.void(VoidReason.INTERRUPTED, now_ns, session.holding)

    def released(self, event: Released, now_ns: int) -> None:
        """Not all hold their buttons any more: a button that is still held resumes the round."""
        session = self.session
        holding = session.holding.keys() & session.seated
        if session.interrupted and not self.by_operator and holding and self._pressing <= holding:
            self._resume(now_ns)

    def tick(self, now_ns: int) -> None:
        super().tick(now_ns)
        session = self.session
        if (
            session.room is self
            and session.interrupted
            and now_ns >= self._back_ns
            and not self.round.misplaced
        ):
            session.end_interruption(now_ns)
            self.troubled(exactly(now_ns), now_ns)

    def due_after_ns(self, now_ns: int) -> int | None:
        due_ns = super().due_after_ns(now_ns)
        if not self.session.interrupted or self._back_ns <= now_ns:
            return due_ns
        return self._back_ns if due_ns is None else min(due_ns, self._back_ns)

    @property
    def _pressing(self) -> set[int]:
        """The seats that play and whose buttons are down."""
        return self.session.down & self.session.seated

    @property
    def _back_ns(self) -> int:
        """When the table will have been back long enough to know what has changed."""
        return self.session.back_ns + BACK_NS + self.session.settings.settle_ns

    def troubled(self, stamp: Stamp, now_ns: int) -> None:
        if self._impaired and not self.session.blocked:
            self.session.follow(Transition.RESTORED, now_ns)

    def command(self, event: Command, now_ns: int) -> None:
        if isinstance(event, Pause):
            if self.by_operator:
                raise IllegalEvent("Pause", self.phase.name)
            self.session.follow(Transition.STOPPED, now_ns)
        elif isinstance(event, Resume):
            self._resume(now_ns)
        else:
            super().command(event, now_ns)

    def expire(self, now_ns: int) -> None:
        self.session.abandon(AbandonReason.PAUSED, now_ns)

    def _resume(self, now_ns: int) -> None:
        if self.session.interrupted:
            self.session.end_interruption(now_ns)
        self.session.troubles.accept(self.session.seated)
        self.round.go(now_ns)
        self.session.follow(Transition.RESUMED, now_ns)
        if not self.round.called:
            self.call(now_ns)


# The calls that players make with their buttons while a round runs.
#
# Dice: when all hold their buttons together, nobody can place anything any more, and the round is void. One
# seat that holds its button says that it has none left: a stray slap may have taken its last die. That is a
# stop call if it can be true. It counts from when the button went down, or from the last slap before that, or
# from the die that one of these was early for. So slaps made after the press wait until it is known whether
# the button comes up.
#
# Cards: there are two calls, stop and stuck. Stop is called with the call button or with a long press, and is
# dated by the moment at which the button went down (see card_round.py). Stuck is called by all seats
# together, with a longer press. So where a long press may be either, it is stop as soon as the button of
# another seat is up: at once if one is up already, else when the first one comes up. While all buttons are
# down nobody can slap. Cards that are laid on piles meanwhile wait for the decision; if it is stuck, they
# count up to when the first press was long enough.
#
# A seat with a masked button can't hold it, and nobody waits for it.


class DicePlay(Play):
    """A round of dice."""

    round: DiceRound

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        self._calls: list[NoneLeftCall] = []
        self._called: set[NoneLeftCall] = set()
        """Each press calls once; if that can't be true, it does not become so later."""

    def held(self, seat: int, now_ns: int) -> None:
        session = self.session
        if session.holding.keys() >= session.able:
            self.void(VoidReason.STUCK, now_ns, session.holding)
        elif not session.down >= session.able:
            self._call(seat)

    def released(self, event: Released, now_ns: int) -> None:
        """All buttons were down and one has come up: who still holds one has none left."""
        session = self.session
        if session.down >= session.able - {event.seat}:
            for seat in session.holding:
                self._call(seat)

    def decide(self, known_ns: int, now_ns: int) -> None:
        """Slaps that were made after a press that may become a stop call wait until it is known."""
        session, round_ = self.session, self.round
        if self._calls:
            round_.say_none_left(self._calls, now_ns)
            self._calls = []
        round_.presses = [
            NoneLeftCall(*press) for press in session.pressing.items() if press[0] in session.able
        ]
        super().decide(known_ns, now_ns)

    def _call(self, seat: int) -> None:
        session = self.session
        call = NoneLeftCall(seat, session.holding[seat])
        if seat in session.able and call not in self._called:
            self._called.add(call)
            self._calls.append(call)


class CardPlay(Play):
    """A round of cards."""

    round: CardRound

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        self._long_press = not session.table.call_buttons
        self._undecided: Stamp | None = None
        """When the first press was long enough on a table of piles, while all are down."""

    def held(self, seat: int, now_ns: int) -> None:
        session = self.session
        self.round.was_long_press(seat)
        if not self._long_press or seat not in session.able:
            return
        since = session.holding[seat]
        hold_ns = session.settings.hold_ns
        stamp = Stamp(since.earliest_ns + hold_ns, since.latest_ns + hold_ns)
        if not session.down >= session.able:
            self.round.call_with_press(seat, stamp, session.known_ns)
        elif not session.table.pads and self._undecided is None and self.round.may_call(seat):
            self._undecided = stamp

    def released(self, event: Released, now_ns: int) -> None:
        """All buttons were down and one has come up: those that are still held, and may, call stop."""
        session = self.session
        self.round.judge_press(event.seat)
        if not self._long_press or event.seat not in session.able:
            return
        self._undecided = None
        if session.down >= session.able - {event.seat}:
            for seat in sorted(session.holding.keys() & session.able):
                if self.round.may_call(seat):
                    self.round.call_with_press(seat, event.stamp, session.known_ns)

    def decide(self, known_ns: int, now_ns: int) -> None:
        stuck_ns = self._stuck_ns()
        if stuck_ns is not None and stuck_ns <= known_ns:
            stamp = exactly(stuck_ns) if self._undecided is None else self._undecided
            self.round.call_stuck(stamp, now_ns)
            self.session.follow(Transition.STUCK, now_ns)
        else:
            super().decide(known_ns, now_ns)

    def awaits_after_ns(self, known_ns: int) -> int | None:
        awaits_ns, stuck_ns = super().awaits_after_ns(known_ns), self._stuck_ns()
        if stuck_ns is None or (awaits_ns is not None and awaits_ns < stuck_ns):
            return awaits_ns
        return stuck_ns

    def _stuck_ns(self) -> int | None:
        """When all will have held their buttons long enough for stuck; None if not all hold them."""
        session = self.session
        able = session.able
        if not able or not session.holding.keys() >= able:
            return None
        last_ns = max(session.holding[seat].latest_ns for seat in able)
        return last_ns + session.settings.all_hold_ns
