"""How leftover dice are counted and scored.

The table counts what was dealt less what was claimed. Dice that lay on the board before the end can still be
signed for a while. When the counts are final, the round is scored. Of those who have none left, the
one whose last die was signed first has finished. If everybody holds dice the stop call was wrong, and the
round goes on. It is void if it would have to go on with counts that can't be right, or if nobody can tell
which of several was first. The scores of a round are zero in sum, whatever is corrected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.games import dice_scores
from firmware_host.games.leftover_check import Settle
from firmware_host.games.phases import CheckStep, Transition
from firmware_host.games.playing import COUNT_FROM
from firmware_host.model.effects import Effect
from firmware_host.model.states import VoidReason

if TYPE_CHECKING:
    from firmware_host.games.session import Session


class DiceSettle(Settle):
    """The leftover check of a table of dice."""

    round: DiceRound

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        (self.caller,) = self.end.seats
        settings = session.settings
        signs_ns = settings.sign_late_ns + 2 * settings.stamp_uncertainty_ns + settings.settle_ns
        self._signed_ns = self.end.stamp.latest_ns + signs_ns

    def first_counts(self) -> tuple[int, ...]:
        """What the table has counted; who called stop has none left."""
        (caller,) = self.end.seats
        left = self.round.position.left
        return (*left[: caller - 1], 0, *left[caller:])

    @property
    def excess(self) -> int:
        position = self.round.position
        return sum(self.counts) + sum(position.heights) - sum(position.dealt)

    def noticed(self, effects: list[Effect], now_ns: int) -> None:
        """Late stamps may still change the counts; the end itself is final."""
        if self.step is CheckStep.LATE:
            self.counts = list(self.first_counts())

    def expire(self, now_ns: int) -> None:
        """A die that lies there without an owner can be signed for a while before anybody is asked.

        Who called stop may be its owner, so this is so even where the sum is right.
        """
        if self.step is CheckStep.LATE and self.round.position.unclaimed and now_ns < self._signed_ns:
            self.deadline_ns = self._signed_ns
        else:
            super().expire(now_ns)

    def settle(self, now_ns: int) -> None:
        counts = self.counts
        if self.excess < 0 and not counts[self.caller - 1]:
            # Nobody has the dice that the caller says were taken from it: its call was wrong.
            counts[self.caller - 1] = min(-self.excess, self.round.position.left[self.caller - 1])
        without = [seat for seat in sorted(self.session.seated) if not counts[seat - 1]]
        finisher = self._finisher(without)
        if finisher is not None:
            self.score(finisher, dice_scores(counts, finisher), now_ns)
        elif without or self.excess < 0:
            self.void(VoidReason.UNSETTLED, now_ns)
        else:
            settings = self.session.settings
            self.round.reopen(tuple(counts), self.caller, now_ns + COUNT_FROM * settings.count_ns)
            self.session.follow(Transition.REFUTED, now_ns)

    def _finisher(self, without: list[int]) -> int | None:
        """The first of those with none left; None if nobody can tell.

        A seat that has none left only by a correction comes after those whose last die was signed. Where
        stamps overlap, the seat that ended the round is first: a dead heat may have been drawn for that.
        """
        out_at = {**self.round.out_at, self.caller: self.end.stamp}
        signed = [seat for seat in without if seat in out_at]
        if not signed:
            return without[0] if len(without) == 1 else None
        first = min(signed, key=lambda seat: out_at[seat].latest_ns)
        if self.caller in signed and not out_at[first].surely_before(self.end.stamp):
            return self.caller
        return first
