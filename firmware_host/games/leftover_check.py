"""After the end of a round: late stamps come in, then everybody checks what each seat has left.

The sum is known: what lies on the board is in nobody's hand. If the table has counted less, dice lie there
without an owner, and it asks whose they are: who placed one presses once. Then the counts are shown.

A seat disputes a wrong count: its player holds the button, then presses once for each die or card (or
holds again for none), then waits. The count is taken when all other seats confirm it by pressing, or
when time is up and at least half of them have: one of several seats has no veto. An operator may
enter any count at any time.

When nobody objects any more the counts are final, and only then it is decided what follows. Each game
has its own rules for the first counts and for what follows.
"""

from __future__ import annotations

from abc import abstractmethod

from firmware_host.games.knowledge import Knowledge
from firmware_host.games.phase_states import RoundState
from firmware_host.games.phases import CHECK_STEPS, CheckStep, CheckTransition, Transition
from firmware_host.games.round import End
from firmware_host.model.effects import Corrected, RoundScored
from firmware_host.model.errors import IllegalEvent
from firmware_host.model.events import Command, Pressed, SetLeftover
from firmware_host.model.states import Corrector, Phase


class Settle(RoundState):
    """Shows what each seat has left as far as the referee knows, and takes corrections."""

    phase = Phase.SETTLE

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        settings = known.settings
        assert self.round.end is not None
        self.end: End = self.round.end
        self.step = CheckStep.LATE
        self.counts = list(self.first_counts())
        self.disputing = 0
        """The seat that disputes its count; 0 if none does."""
        self.entered = 0
        self.agreed: set[int] = set()
        self._disputed: set[int] = set()
        self._waited = False
        self._asked_again = False
        # Every slap from before the end has its verdict by then.
        waits_ns = max(settings.claim_early_ns, settings.early_wait_ns, settings.lost_wait_ns)
        decided_ns = waits_ns + settings.settle_ns + 4 * settings.stamp_uncertainty_ns + 1
        # A stop call may be dated back by seconds, and has to be seen all the same.
        seen_ns = now_ns + settings.stop_ns - settings.settle_ns
        self.deadline_ns = max(
            self.end.stamp.latest_ns + max(decided_ns, self.late_ns, settings.stop_ns), seen_ns
        )

    # -- what each game says

    late_ns = 0
    """How long after the end inputs other than slaps may still come in from before it."""

    @abstractmethod
    def first_counts(self) -> tuple[int, ...]:
        """What each seat has left, as far as the table knows at the end of the round."""

    @property
    def excess(self) -> int:
        """How many more are left by the counts than there can be; 0 where nobody can tell."""
        return 0

    @abstractmethod
    def settle(self, now_ns: int) -> None:
        """The counts are final: score them, void the round or let it go on."""

    # -- what comes in

    def pressed(self, event: Pressed, now_ns: int) -> None:
        if self.step is CheckStep.LATE:
            super().pressed(event, now_ns)

    def tapped(self, seat: int, now_ns: int) -> None:
        if seat not in self.known.seated:
            return
        if self.step is CheckStep.LATE:
            super().tapped(seat, now_ns)
        elif self.step is CheckStep.ASK:
            if self.counts[seat - 1]:
                self.correct(seat, self.counts[seat - 1] - 1, Corrector.OWNER)
                self.deadline_ns = now_ns + self.known.settings.ask_ns
                if self.excess <= 0:
                    self._back_to_check(CheckTransition.OWNED, now_ns)
        elif self.step is CheckStep.CHECK:
            self.agreed.add(seat)
            if self.agreed >= self.known.able:
                self.settle(now_ns)
        elif self.step is CheckStep.ENTRY and seat == self.disputing:
            if self.entered < self.round.dealt[seat - 1]:
                self.entered += 1
                self.deadline_ns = now_ns + self.known.settings.entry_ns
        elif self.step is CheckStep.CONFIRM and seat != self.disputing:
            self.agreed.add(seat)
            if self.agreed >= self.known.able - {self.disputing}:
                self._confirm(now_ns)

    def held(self, seat: int, now_ns: int) -> None:
        if self.step is CheckStep.CHECK and seat in self.known.seated - self._disputed:
            self._disputed.add(seat)
            self.disputing, self.entered = seat, 0
            self._follow(CheckTransition.DISPUTED, self.known.settings.entry_ns, now_ns)
        elif self.step is CheckStep.ENTRY and seat == self.disputing:
            self.entered = 0
            self._follow(CheckTransition.ENTERED, self.known.settings.confirm_ns, now_ns)

    def command(self, event: Command, now_ns: int) -> None:
        if not isinstance(event, SetLeftover):
            super().command(event, now_ns)
            return
        if self.step is CheckStep.LATE:
            raise IllegalEvent("SetLeftover", self.phase.name, "late slaps may still come in")
        if event.seat not in self.known.seated or not 0 <= event.count <= self.round.dealt[event.seat - 1]:
            raise IllegalEvent("SetLeftover", self.phase.name, f"seat {event.seat} can't hold {event.count}")
        self._disputed.discard(self.disputing)  # it was interrupted, and may dispute again
        self.correct(event.seat, event.count, Corrector.OPERATOR)
        self._back_to_check(CheckTransition.CORRECTED, now_ns)

    def expire(self, now_ns: int) -> None:
        if self.step is CheckStep.LATE:
            self.round.close(now_ns)
            if self.excess > 0:
                self._follow(CheckTransition.UNOWNED, self.known.settings.ask_ns, now_ns)
            else:
                self._back_to_check(CheckTransition.IN, now_ns)
        elif self.known.pressing and not self._waited:
            # A press that began in time may still become an answer. It is waited for once.
            self._waited = True
            self.deadline_ns = now_ns + self.known.settings.hold_ns + self.known.settings.settle_ns + 1
        elif self.step is CheckStep.ASK:
            self._back_to_check(CheckTransition.OWNED, now_ns)
        elif self.step is CheckStep.CHECK and self.excess and not self._asked_again:
            self._asked_again = True  # some count is surely wrong: give everybody another look
            self.deadline_ns = now_ns + self.known.settings.leftover_ns
        elif self.step is CheckStep.CHECK:
            self.settle(now_ns)
        elif self.step is CheckStep.CONFIRM and 2 * len(self.agreed) >= len(self.known.seated) - 1:
            self._confirm(now_ns)
        elif self.step is CheckStep.ENTRY and self.entered:
            self._follow(CheckTransition.ENTERED, self.known.settings.confirm_ns, now_ns)
        else:
            entering = self.step is CheckStep.ENTRY
            self._back_to_check(
                CheckTransition.NOTHING_ENTERED if entering else CheckTransition.NOT_CONFIRMED, now_ns
            )

    # -- what it comes to

    def correct(self, seat: int, count: int, by: Corrector) -> None:
        """Take another count for a seat."""
        if count != self.counts[seat - 1]:
            self.known.emit(Corrected(seat, self.counts[seat - 1], count, by))
            self.counts[seat - 1] = count

    def _confirm(self, now_ns: int) -> None:
        self.correct(self.disputing, self.entered, Corrector.PLAYERS)
        self._back_to_check(CheckTransition.CONFIRMED, now_ns)

    def score(self, finisher: int | None, points: tuple[int, ...], now_ns: int) -> None:
        """Score the round with these points."""
        number = self.match.round_number
        match = self.known.match = self.match.scored(points)
        scored = RoundScored(number, match.seats, finisher, tuple(self.counts), points, match.totals)
        self.leave(Transition.SETTLED, scored)

    def _back_to_check(self, transition: CheckTransition, now_ns: int) -> None:
        self.disputing = 0
        self._follow(transition, self.known.settings.leftover_ns, now_ns)

    def _follow(self, transition: CheckTransition, for_ns: int, now_ns: int) -> None:
        """Go to the next step, in which only new presses count."""
        self.step = CHECK_STEPS[self.step][transition]
        self.agreed.clear()
        self.known.ask(now_ns)
        self._waited = False
        self.deadline_ns = now_ns + for_ns
