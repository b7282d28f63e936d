"""How leftover dice are counted and scored.

The table counts what was dealt less what was claimed. When the counts are final, the round is scored. It
goes on if the finisher holds dice, and is void if it would have to go on with counts that can't be right.
The scores of a round are zero in sum, whatever is corrected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_host.effects import Effect
from firmware_host.engine.scoring import dice_scores
from firmware_host.states import VoidReason
from firmware_host.table.dice_round import DiceRound
from firmware_host.table.leftover_check import Settle
from firmware_host.table.phases import CheckStep, Transition

if TYPE_CHECKING:
    from firmware_host.table.session import Session


class DiceSettle(Settle):
    """The leftover check of a table of dice."""

    round: DiceRound

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        (self.finisher,) = self.end.seats

    def first_counts(self) -> tuple[int, ...]:
        return self.round.position.left

    def noticed(self, effects: list[Effect], now_ns: int) -> None:
        """Late stamps may still change the counts; the end itself is final."""
        if self.step is CheckStep.LATE:
            self.counts = list(self.round.position.left)

    def settle(self, now_ns: int) -> None:
        position = self.round.position
        claimed = sum(position.dealt) - sum(self.counts)
        without = [seat for seat in sorted(self.session.seated) if not self.counts[seat - 1]]
        if self.finisher in without:
            self._score(self.finisher, now_ns)
        elif len(without) == 1:
            self._score(without[0], now_ns)
        elif without or claimed > position.claimed:
            self.void(VoidReason.UNSETTLED, now_ns)
        else:
            self.round.reopen(tuple(self.counts))
            self.session.follow(Transition.REFUTED, now_ns)

    def _score(self, finisher: int, now_ns: int) -> None:
        self.score(finisher, dice_scores(self.counts, finisher), now_ns)
