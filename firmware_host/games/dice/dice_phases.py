"""The phases that are special for dice: calls while a round runs, the leftover check, how a round opens.

When all hold their buttons together, nobody can place anything any more, and the round is void. One
seat that holds its button says that it has none left: a stray slap may have taken its last die. That is a
stop call if it can be true. It counts from when the button went down, or from the last slap before that, or
from the die that one of these was early for. So slaps made after the press wait until it is known whether
the button comes up. A seat with a masked button can't hold it, and nobody waits for it.

In the leftover check the table counts what was dealt less what was claimed. Dice that lay on the board
before the end can still be signed for a while. When the counts are final, the round is scored. Of those who
have none left, the one whose last die was signed first has finished. If everybody holds dice the stop call
was wrong, and the round goes on. It is void if it would have to go on with counts that can't be right, or
if nobody can tell which of several was first. The scores of a round are zero in sum, whatever is corrected.
"""

from __future__ import annotations

from firmware_host.games.dice import dice
from firmware_host.games.dice.calls import NoneLeftCall
from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.games import dice_scores
from firmware_host.games.knowledge import Knowledge
from firmware_host.games.leftover_check import Settle
from firmware_host.games.phase_states import COUNT_FROM, Play
from firmware_host.games.phases import CheckStep, Transition
from firmware_host.model.effects import Effect
from firmware_host.model.errors import IllegalMove
from firmware_host.model.events import Released
from firmware_host.model.states import VoidReason
from firmware_host.timing.ties import TieBreaker


def open_dice_round(known: Knowledge, deal: tuple[int, ...], ties: TieBreaker, text: str) -> DiceRound:
    """A round from a deal, or from the text of a position, if the board is as that says."""
    position = dice.opening(deal)
    if text:
        position = dice.parse_position(text).at_table_of(known.table.seats)
        if position.dealt != deal or position.finisher is not None or position.unclaimed:
            raise IllegalMove(f"no round can go on from '{position}'")
        if known.occupied != position.board:
            raise IllegalMove(f"the board does not hold '{position}'")
    tags = known.tags if known.table.identified else None
    owners = known.owners if known.table.owned_by_tag else None
    return DiceRound(known.settings, position, ties, known.out, tags, owners)


class DicePlay(Play):
    """A round of dice."""

    round: DiceRound

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        self._calls: list[NoneLeftCall] = []
        self._called: set[NoneLeftCall] = set()
        """Each press calls once; if that can't be true, it does not become so later."""

    def held(self, seat: int, now_ns: int) -> None:
        known = self.known
        if known.holding.keys() >= known.able:
            self.void(VoidReason.STUCK, now_ns, known.holding)
        elif not known.down >= known.able:
            self._call(seat)

    def released(self, event: Released, now_ns: int) -> None:
        """All buttons were down and one has come up: who still holds one has none left."""
        known = self.known
        if known.down >= known.able - {event.seat}:
            for seat in known.holding:
                self._call(seat)

    def decide(self, known_ns: int, now_ns: int) -> None:
        """Slaps that were made after a press that may become a stop call wait until it is known."""
        known, round_ = self.known, self.round
        if self._calls:
            round_.say_none_left(self._calls, now_ns)
            self._calls = []
        able = known.able
        round_.calls.presses = [NoneLeftCall(*press) for press in known.pressing.items() if press[0] in able]
        super().decide(known_ns, now_ns)

    def _call(self, seat: int) -> None:
        known = self.known
        call = NoneLeftCall(seat, known.holding[seat])
        if seat in known.able and call not in self._called:
            self._called.add(call)
            self._calls.append(call)


class DiceSettle(Settle):
    """The leftover check of a table of dice."""

    round: DiceRound

    def __init__(self, known: Knowledge, now_ns: int) -> None:
        super().__init__(known, now_ns)
        (self.caller,) = self.end.seats
        settings = known.settings
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
        without = [seat for seat in sorted(self.known.seated) if not counts[seat - 1]]
        finisher = self._finisher(without)
        if finisher is not None:
            self.score(finisher, dice_scores(counts, finisher), now_ns)
        elif without or self.excess < 0:
            self.void(VoidReason.UNSETTLED, now_ns)
        else:
            settings = self.known.settings
            self.round.go_on_with(tuple(counts), self.caller, now_ns + COUNT_FROM * settings.count_ns)
            self.leave(Transition.REFUTED)

    def _finisher(self, without: list[int]) -> int | None:
        """The first of those with none left; None if nobody can tell.

        A seat that has none left only by a correction comes after those whose last die was signed. Where
        stamps overlap, the seat that ended the round is first: a dead heat may have been drawn for that.
        """
        seats = self.round.records.seats.items()
        out_at = {seat: hand.out_at for seat, hand in seats if hand.out_at} | {self.caller: self.end.stamp}
        signed = [seat for seat in without if seat in out_at]
        if not signed:
            return without[0] if len(without) == 1 else None
        first = min(signed, key=lambda seat: out_at[seat].latest_ns)
        if self.caller in signed and not out_at[first].surely_before(self.end.stamp):
            return self.caller
        return first
