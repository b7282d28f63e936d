"""After the end of a round: late stamps come in, then everybody checks what each seat has left.

A seat that has another number than the table thinks disputes it: hold the button, then press
once for each die or card (or hold again for none), then wait. The count is taken when all other
seats confirm it by pressing, or when time is up and at least half of them have: nobody has a veto
among several. An operator may enter any count at any time.

When nobody objects any more the counts stand, and only then it is decided what follows. What the
counts begin with, and what they come to, each game says for itself.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from firmware_host.effects import Corrected, RoundScored
from firmware_host.errors import IllegalEvent
from firmware_host.events import Command, Pressed, SetLeftover
from firmware_host.states import Corrector, Phase
from firmware_host.table.phases import CHECK_STEPS, CheckStep, CheckTransition, Transition
from firmware_host.table.playing import RoundRoom
from firmware_host.table.round import End

if TYPE_CHECKING:
    from firmware_host.table.session import Session


class Settle(RoundRoom):
    """Shows what the referee thinks each seat has left, and takes corrections."""

    phase = Phase.SETTLE

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        settings = session.settings
        assert self.round.end is not None
        self.end: End = self.round.end
        self.step = CheckStep.LATE
        self.counts = list(self.first_counts())
        self.disputing = 0
        """The seat that has another number; 0 if none has."""
        self.entered = 0
        self.agreed: set[int] = set()
        self._disputed: set[int] = set()
        self._waited = False
        # By then every slap from before the end has its verdict.
        decided_ns = settings.claim_early_ns + settings.settle_ns + 4 * settings.stamp_uncertainty_ns + 1
        self.deadline_ns = self.end.stamp.latest_ns + max(decided_ns, self.late_ns, settings.stop_ns)

    # -- what each game says

    late_ns = 0
    """How long after the end something from before it may come in, if not just slaps."""

    @abstractmethod
    def first_counts(self) -> tuple[int, ...]:
        """What each seat has left, as far as the table knows at the end of the round."""

    @abstractmethod
    def settle(self, now_ns: int) -> None:
        """The counts stand: score them, or go where else they lead."""

    # -- what comes in

    def pressed(self, event: Pressed, now_ns: int) -> None:
        if self.step is CheckStep.LATE:
            super().pressed(event, now_ns)

    def tapped(self, seat: int, now_ns: int) -> None:
        if seat not in self.session.seated:
            return
        if self.step is CheckStep.LATE:
            super().tapped(seat, now_ns)
        elif self.step is CheckStep.CHECK:
            self.agreed.add(seat)
            if self.agreed >= self.session.able:
                self.settle(now_ns)
        elif self.step is CheckStep.ENTRY and seat == self.disputing:
            if self.entered < self.round.dealt[seat - 1]:
                self.entered += 1
                self.deadline_ns = now_ns + self.session.settings.entry_ns
        elif self.step is CheckStep.CONFIRM and seat != self.disputing:
            self.agreed.add(seat)
            if self.agreed >= self.session.able - {self.disputing}:
                self._confirm(now_ns)

    def held(self, seat: int, now_ns: int) -> None:
        if self.step is CheckStep.CHECK and seat in self.session.seated - self._disputed:
            self._disputed.add(seat)
            self.disputing, self.entered = seat, 0
            self._go(CheckTransition.DISPUTED, self.session.settings.entry_ns, now_ns)
        elif self.step is CheckStep.ENTRY and seat == self.disputing:
            self.entered = 0
            self._go(CheckTransition.ENTERED, self.session.settings.confirm_ns, now_ns)

    def command(self, event: Command, now_ns: int) -> None:
        if not isinstance(event, SetLeftover):
            super().command(event, now_ns)
            return
        if self.step is CheckStep.LATE:
            raise IllegalEvent("SetLeftover", self.phase.name, "late slaps may still come in")
        if event.seat not in self.session.seated or not 0 <= event.count <= self.round.dealt[event.seat - 1]:
            raise IllegalEvent("SetLeftover", self.phase.name, f"seat {event.seat} can't hold {event.count}")
        self._disputed.discard(self.disputing)  # interrupted, and free to begin again
        self.correct(event.seat, event.count, Corrector.OPERATOR)
        self._check(CheckTransition.CORRECTED, now_ns)

    def expire(self, now_ns: int) -> None:
        if self.step is CheckStep.LATE:
            self.round.close(now_ns)
            self._check(CheckTransition.IN, now_ns)
        elif self.session.somebody_presses and not self._waited:
            # A press that began in time may still become an answer: once, it is waited for.
            self._waited = True
            self.deadline_ns = now_ns + self.session.settings.hold_ns + self.session.settings.settle_ns + 1
        elif self.step is CheckStep.CHECK:
            self.settle(now_ns)
        elif self.step is CheckStep.CONFIRM and 2 * len(self.agreed) >= len(self.session.seated) - 1:
            self._confirm(now_ns)
        elif self.step is CheckStep.ENTRY and self.entered:
            self._go(CheckTransition.ENTERED, self.session.settings.confirm_ns, now_ns)
        else:
            entering = self.step is CheckStep.ENTRY
            self._check(
                CheckTransition.NOTHING_ENTERED if entering else CheckTransition.NOT_CONFIRMED, now_ns
            )

    # -- what it comes to

    def correct(self, seat: int, count: int, by: Corrector) -> None:
        """A seat has that many left, somebody says."""
        if count != self.counts[seat - 1]:
            self.session.emit(Corrected(seat, self.counts[seat - 1], count, by))
            self.counts[seat - 1] = count

    def _confirm(self, now_ns: int) -> None:
        self.correct(self.disputing, self.entered, Corrector.PLAYERS)
        self._check(CheckTransition.CONFIRMED, now_ns)

    def score(self, finisher: int | None, points: tuple[int, ...], now_ns: int) -> None:
        """The round brings these points."""
        session, number = self.session, self.match.round_number
        match = session.match = self.match.scored(points)
        session.turn(Transition.SETTLED, now_ns)
        session.emit(RoundScored(number, match.seats, finisher, tuple(self.counts), points, match.totals))

    def _check(self, turn: CheckTransition, now_ns: int) -> None:
        self.disputing = 0
        self._go(turn, self.session.settings.leftover_ns, now_ns)

    def _go(self, turn: CheckTransition, for_ns: int, now_ns: int) -> None:
        """The next step, in which only new presses count."""
        self.step = CHECK_STEPS[self.step][turn]
        self.agreed.clear()
        self.session.ask(now_ns)
        self._waited = False
        self.deadline_ns = now_ns + for_ns
