"""After the last claim: late stamps come in, then everybody checks the leftover dice.

The table's count is what was dealt less what was claimed. A seat that holds another
number disputes it: hold the button, then press once for each die (or hold again for
none), then wait. The count is taken when all other seats confirm it by pressing, or when
time is up and at least half of them have: nobody has a veto among several. An operator
may enter any count at any time.

When nobody objects any more the counts stand, and only then it is decided what follows:
scores; or the round goes on, because the finisher holds dice; or it is void, because it
would have to go on with counts that can't be right. A round scores zero in sum whatever
is corrected.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from firmware_host.effects import Corrected, Effect, RoundScored
from firmware_host.errors import IllegalEvent
from firmware_host.events import Command, Pressed, SetLeftover
from firmware_host.table.phases import Phase, Turn
from firmware_host.table.playing import RoundRoom

if TYPE_CHECKING:
    from firmware_host.table.session import Session


class Step(Enum):
    """How far the leftover check is."""

    LATE = "late"  # the stop call; slaps and dice from before the end may still come in
    CHECK = "check"  # the counts are shown
    ENTRY = "entry"  # one seat presses once for each die it holds
    CONFIRM = "confirm"  # the others press to confirm that count


class Settle(RoundRoom):
    """Shows what the referee thinks each seat holds, and takes corrections."""

    phase = Phase.SETTLE

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        settings = session.settings
        ended, finisher = self.round.ended, self.round.position.finisher
        assert ended is not None and finisher is not None
        self.step = Step.LATE
        self.counts = list(self.round.position.left)
        self.finisher = finisher
        self.disputing: int | None = None
        self.entered = 0
        self.agreed: set[int] = set()
        self._disputed: set[int] = set()
        self._waited = False
        # By then every slap from before the end has its verdict.
        decided_ns = settings.claim_early_ns + settings.settle_ns + 4 * settings.stamp_uncertainty_ns + 1
        self.deadline_ns = ended.latest_ns + max(decided_ns, settings.stop_ns)

    def pressed(self, event: Pressed, now_ns: int) -> None:
        if self.step is Step.LATE:
            super().pressed(event, now_ns)

    def tapped(self, seat: int, now_ns: int) -> None:
        if seat not in self.session.seated:
            return
        if self.step is Step.CHECK:
            self.agreed.add(seat)
            if self.agreed == self.session.seated:
                self._settle(now_ns)
        elif self.step is Step.ENTRY and seat == self.disputing:
            if self.entered < self.round.position.dealt[seat - 1]:
                self.entered += 1
                self.deadline_ns = now_ns + self.session.settings.entry_ns
        elif self.step is Step.CONFIRM and seat != self.disputing:
            self.agreed.add(seat)
            if len(self.agreed) == len(self.session.seated) - 1:
                self._correct(self._disputing_seat, self.entered, "players", now_ns)

    def held(self, seat: int, now_ns: int) -> None:
        if self.step is Step.CHECK and seat in self.session.seated - self._disputed:
            self._disputed.add(seat)
            self.disputing, self.entered = seat, 0
            self._go(Step.ENTRY, self.session.settings.entry_ns, now_ns)
        elif self.step is Step.ENTRY and seat == self.disputing:
            self.entered = 0
            self._go(Step.CONFIRM, self.session.settings.confirm_ns, now_ns)

    def command(self, event: Command, now_ns: int) -> None:
        if not isinstance(event, SetLeftover):
            raise IllegalEvent(type(event).__name__, self.phase.name)
        position = self.round.position
        if self.step is Step.LATE:
            raise IllegalEvent("SetLeftover", self.phase.name, "late slaps may still come in")
        if not position.plays(event.seat) or not 0 <= event.count <= position.dealt[event.seat - 1]:
            raise IllegalEvent("SetLeftover", self.phase.name, f"seat {event.seat} can't hold {event.count}")
        if self.disputing is not None:
            self._disputed.discard(self.disputing)  # interrupted, and free to begin again
        self._correct(event.seat, event.count, "operator", now_ns)

    def expire(self, now_ns: int) -> None:
        if self.step is Step.LATE:
            closing: list[Effect] = []
            self.round.close(now_ns, closing)
            self.session.emit_all(closing)
            self.session.forget_verdicts()
            self._check(now_ns)
        elif self.session.somebody_presses and not self._waited:
            # A press that began in time may still become an answer: once, it is waited for.
            self._waited = True
            self.deadline_ns = now_ns + self.session.settings.hold_ns + self.session.settings.settle_ns + 1
        elif self.step is Step.CHECK:
            self._settle(now_ns)
        elif self.step is Step.CONFIRM and 2 * len(self.agreed) >= len(self.session.seated) - 1:
            self._correct(self._disputing_seat, self.entered, "players", now_ns)
        elif self.step is Step.ENTRY and self.entered:
            self._go(Step.CONFIRM, self.session.settings.confirm_ns, now_ns)
        else:
            self._check(now_ns)

    def noticed(self, effects: list[Effect], now_ns: int) -> None:
        """Late stamps may still change the counts; the end itself stands."""
        if self.step is Step.LATE:
            self.counts = list(self.round.position.left)

    @property
    def _disputing_seat(self) -> int:
        assert self.disputing is not None
        return self.disputing

    def _check(self, now_ns: int) -> None:
        self.disputing = None
        self._go(Step.CHECK, self.session.settings.leftover_ns, now_ns)

    def _go(self, step: Step, for_ns: int, now_ns: int) -> None:
        """The next step, in which only new presses count."""
        self.step = step
        self.agreed.clear()
        self.session.ask(now_ns)
        self._waited = False
        self.deadline_ns = now_ns + for_ns

    def _correct(self, seat: int, count: int, by: str, now_ns: int) -> None:
        if count != self.counts[seat - 1]:
            self.session.emit(Corrected(seat, self.counts[seat - 1], count, by))
            self.counts[seat - 1] = count
        self._check(now_ns)

    def _settle(self, now_ns: int) -> None:
        """The counts stand: score them; or the round goes on; or it is void if they can't be right."""
        position = self.round.position
        claimed = sum(position.dealt) - sum(self.counts)
        without = [seat for seat in sorted(self.session.seated) if not self.counts[seat - 1]]
        if self.finisher in without:
            self._score(self.finisher, now_ns)
        elif len(without) == 1:
            self._score(without[0], now_ns)
        elif without or claimed > position.claimed:
            self.session.turn(Turn.VOIDED, now_ns)
        else:
            self.round.reopen(tuple(self.counts))
            self.session.turn(Turn.REFUTED, now_ns)

    def _score(self, finisher: int, now_ns: int) -> None:
        session = self.session
        assert session.match is not None
        number = session.match.round_number
        session.match = session.match.scored(tuple(self.counts), finisher)
        scored = RoundScored(
            number,
            session.match.seats,
            finisher,
            tuple(self.counts),
            session.match.scores[-1],
            session.match.totals,
        )
        session.last_round = scored
        session.turn(Turn.SETTLED, now_ns)
        session.emit(scored)
