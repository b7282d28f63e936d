"""The phases of a round: countdown, play, pause."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from firmware_host.durations import S
from firmware_host.effects import (
    WINNING,
    CardPlayed,
    Effect,
    Judged,
    RoundFinished,
    RoundStarted,
    RoundVoided,
    SlotChanged,
)
from firmware_host.errors import IllegalEvent
from firmware_host.events import (
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
from firmware_host.stamps import Stamp, exactly
from firmware_host.states import AbandonReason, Phase, VoidReason
from firmware_host.table.phases import Transition
from firmware_host.table.room import MatchRoom

if TYPE_CHECKING:
    from firmware_host.table.session import Session

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
