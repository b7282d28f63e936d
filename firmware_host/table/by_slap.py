"""Dice that are claimed by slaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_host.arbiter.claims import ClaimRuling, Claims, Placement, Slap
from firmware_host.arbiter.ties import TieBreaker
from firmware_host.effects import WINNING, Judged, Verdict
from firmware_host.events import Filled
from firmware_host.places import ALL_SLOTS, DieFace, Slot
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp
from firmware_host.states import SlotState
from firmware_host.table.round import End

if TYPE_CHECKING:
    from firmware_host.table.dice_round import DiceRound

_LOCKING = (Verdict.FALSE_CLAIM, Verdict.LOCKED)


class BySlap:
    """Gives each die to the seat that slaps for it."""

    def __init__(self, round_: DiceRound, settings: Settings, ties: TieBreaker) -> None:
        self._round = round_
        self._board = round_.board
        self._out = round_.out
        self._claims = Claims(settings, ties)

    def is_owed(self, die: DieFace) -> bool:
        """Any die may be placed: the slap tells whose it is."""
        return True

    def has_ended_before(self, stamp: Stamp) -> bool:
        """The round does not end before the verdict on a slap."""
        return False

    # -- what comes in

    def opened(self, event: Filled, now_ns: int) -> None:
        """A legal die waits for a slap."""
        self._claims.place(Placement(event.slot, event.stamp, legal=True, doubtful=event.late))
        self._board.set(event.slot, SlotState.OPEN, now_ns)

    def misplaced(self, event: Filled) -> None:
        """An illegal die was placed; a slap for it is excused."""
        self._claims.place(Placement(event.slot, event.stamp, legal=False))

    def lifted(self, slot: Slot) -> None:
        """A die was taken off: it can't be claimed any more."""
        self._claims.withdraw(slot)

    def slapped(self, seat: int, stamp: Stamp) -> None:
        """A seat slaps."""
        self._claims.slap(seat, stamp)

    # -- what comes out

    def tick(self, now_ns: int) -> None:
        """Decide all slaps that are due by now."""
        round_, claims = self._round, self._claims
        while (ruling := claims.next_ruling(now_ns, round_.owed_by, round_.end is not None)) is not None:
            self._rule(ruling, now_ns)
        for placement in claims.lapse(now_ns):
            self._board.set(placement.slot, SlotState.LAPSED, now_ns)

    def due_after_ns(self, now_ns: int) -> int | None:
        """When `tick` is needed next."""
        return self._claims.due_after_ns(now_ns)

    def close(self, now_ns: int) -> None:
        """The round is settled: dice that nobody has claimed by now have no owner."""
        for slot in ALL_SLOTS:
            if self._board.die(slot) is SlotState.OPEN:
                self._claims.withdraw(slot)
                self._board.set(slot, SlotState.LAPSED, now_ns)

    def reopen(self) -> None:
        """The round goes on after all."""

    def _rule(self, ruling: ClaimRuling, now_ns: int) -> None:
        slap, placement = ruling.slap, ruling.placement
        won = ruling.verdict in WINNING
        if ruling.tie is not None:
            self._out.emit(ruling.tie)
        judged = Judged(
            ruling.verdict,
            slap.seat,
            slap.stamp,
            now_ns,
            placement.slot if placement else None,
            ruling.margin_ns,
            placement.owner if placement and not won else None,
            self._is_doubtful(slap, placement),
            self._claims.locked_until_ns(slap.seat) if ruling.verdict in _LOCKING else 0,
            self._round.cue(placement.slot) if placement and ruling.verdict is Verdict.ILLEGAL else None,
            placement.slap if placement and not won else None,
        )
        self._out.emit(judged)
        if won and placement is not None:
            self._count(placement, judged, now_ns)

    def _is_doubtful(self, slap: Slap, placement: Placement | None) -> bool:
        """Whether a lost edge may have been the slap of a rival, or the die that was slapped for."""
        if placement is not None and placement.doubtful:
            return True
        return self._round.in_doubt(*self._claims.contest_ns(slap, placement))

    def _count(self, placement: Placement, judged: Judged, now_ns: int) -> None:
        round_ = self._round
        round_.claim(judged.seat)
        self._board.set(placement.slot, SlotState.COUNTED, now_ns)
        if round_.position.finisher == judged.seat and round_.end is None:
            round_.end_at(End(judged.stamp, (judged.seat,)))
            for slap in self._claims.close(judged.stamp):
                self._out.emit(Judged(Verdict.NOT_RUNNING, slap.seat, slap.stamp, now_ns))
