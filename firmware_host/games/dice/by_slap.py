"""Dice that are claimed by slaps."""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING

from firmware_host.games.dice.claims import ClaimRuling, Claims, Slap
from firmware_host.games.dice.reclaims import Placement, Reclaimed
from firmware_host.games.round import End
from firmware_host.model.effects import WINNING, Judged, Verdict
from firmware_host.model.events import Filled
from firmware_host.model.places import DieFace, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import SlotState
from firmware_host.model.times import Stamp, exactly
from firmware_host.timing.ties import TieBreaker

if TYPE_CHECKING:
    from firmware_host.games.dice.dice_round import DiceRound

_TOO_LATE = (Verdict.TOO_LATE, Verdict.DEAD_HEAT_LOST)
_FAILED = (*_TOO_LATE, Verdict.FALSE_CLAIM)
_LOCKING = (Verdict.FALSE_CLAIM, Verdict.LOCKED)
_EVER_NS = 1 << 62


class BySlap:
    """Gives each die to the seat that slaps for it."""

    def __init__(self, round_: DiceRound, settings: Settings, ties: TieBreaker) -> None:
        self._round = round_
        self._board = round_.board
        self._out = round_.out
        self._claims = Claims(settings, ties, dict(enumerate(round_.position.dealt, start=1)))
        self._slaps: list[tuple[int, Stamp, bool]] = []
        """Seat and stamp of each slap that was judged, and whether it got something."""
        self._too_late: set[tuple[int, Stamp]] = set()
        """Those that got nothing because a rival was first."""
        self._late_ns = settings.claim_late_ns
        self._last_win = exactly(0)

    def is_owed(self, die: DieFace) -> bool:
        """Any die may be placed: the slap tells whose it is."""
        return True

    def has_ended_before(self, stamp: Stamp) -> bool:
        """The round does not end before the verdict on a slap."""
        return False

    # -- what comes in

    def opened(self, event: Filled, now_ns: int) -> None:
        """A legal die waits for a slap."""
        slot = event.slot
        self._claims.place(Placement(slot, event.stamp, legal=True, doubtful=event.late))
        if slot.number > 1:
            self._claims.cover(Slot(slot.colour, slot.number - 1))
        self._board.set(event.slot, SlotState.OPEN, now_ns)

    def misplaced(self, event: Filled) -> None:
        """An illegal die was placed; a slap for it is excused."""
        self._claims.place(Placement(event.slot, event.stamp, legal=False))

    def lifted(self, slot: Slot) -> None:
        """A die was taken off: it can't be claimed any more."""
        self._claims.withdraw(slot)

    def knocked_off(self, slot: Slot, stamp: Stamp, *, for_good: bool) -> None:
        """A counted die is off its place, which may be for good."""
        self._claims.lift(slot, stamp, for_good=for_good)

    def put_back(self, slot: Slot, stamp: Stamp) -> None:
        """It lies there again."""
        self._claims.put_back(slot, stamp)

    def slapped(self, seat: int, stamp: Stamp) -> None:
        """A seat slaps."""
        self._claims.slap(seat, stamp)

    # -- what comes out

    def decide(self, known_ns: int, now_ns: int) -> None:
        """Decide all slaps that are due now that everything up to then is known."""
        self._rule_all(known_ns, now_ns)
        lapsed = self._claims.lapse(known_ns)
        if lapsed:
            self._show_lapsed(lapsed, now_ns)
            self._rule_all(known_ns, now_ns)  # slaps that only waited for those

    def _show_lapsed(self, lapsed: list[Placement], now_ns: int) -> None:
        for placement in lapsed:
            self._board.set(placement.slot, SlotState.LAPSED, now_ns)

    def _rule_all(self, known_ns: int, now_ns: int) -> None:
        round_, claims = self._round, self._claims
        while (ruling := claims.next_ruling(known_ns, round_.owed_by, round_.end is not None)) is not None:
            self._rule(ruling, now_ns)

    def awaits_after_ns(self, known_ns: int) -> int | None:
        """The next moment up to which everything has to be known for a decision."""
        return self._claims.awaits_after_ns(known_ns)

    def close(self, now_ns: int) -> None:
        """The round is settled: dice that nobody has claimed by now have no owner."""
        self._show_lapsed(self._claims.lapse(_EVER_NS), now_ns)

    def reopen(self, from_ns: int) -> None:
        """The round goes on after all, and the counts are right."""
        for slot in self._claims.reopen(self._round.position.unclaimed):
            self._board.set(slot, SlotState.COUNTED, from_ns)
        self._slaps.clear()
        self._too_late.clear()

    def without_owner_but_not_of(self, seat: int, press: Stamp) -> int:
        """How many dice without an owner can't be of a seat that pressed then.

        They were placed surely after that; or they still wait for a slap, and that press got another one.
        """
        if any(slap == (seat, press, True) for slap in self._slaps):
            return self._claims.open_or_after(press)
        return self._claims.unclaimed_after(press)

    def slaps_open_until_ns(self, seat: int, press: Stamp) -> int:
        """Until when everything has to be known to judge the slaps of that seat before that press; else 0."""
        return self._claims.open_until_ns(seat, press)

    def is_locked(self, seat: int, stamp: Stamp) -> bool:
        """Whether a seat was locked at that stamp."""
        return self._claims.is_locked(seat, stamp)

    def failed_before(self, seat: int, stamp: Stamp) -> int:
        """How many slaps of that seat before then got nothing: a die of it may have been taken by a rival.

        The press at that stamp may be such a slap, too.
        """
        before = [won for each, at, won in self._slaps if each == seat and at.surely_before(stamp)]
        return before.count(False) + ((seat, stamp) in self._too_late)

    def is_losing(self, seat: int, press: Stamp) -> bool:
        """Whether that press was too late for the only die that the seat has left, as will be ruled.

        The ruling may have to wait for another button that is down.
        """
        return self._round.owed_by[seat] == 1 and self._claims.is_losing(seat, press)

    def may_have_signed(self, seat: int, press: Stamp) -> bool:
        """Whether that press may sign for a last die: not if the slap before it got nothing, a moment ago."""
        before = [(at, won) for each, at, won in self._slaps if each == seat and at.surely_before(press)]
        if not before:
            return True
        last, won = before[-1]
        return won or press.earliest_ns - last.latest_ns > self._late_ns

    def end_of_call(self, seat: int, stamp: Stamp) -> Stamp:
        """When the round has ended if a seat that pressed then has none left.

        If that press signed for its last die, that is when. Else if its last slap was a moment ago, that is
        when, or the die that it was early for. What others have placed since has to be taken off again.
        Otherwise the round ends with the press, but not before what was counted.
        """
        if self.may_have_signed(seat, stamp):
            signed_at = self._claims.signature_of(seat, stamp)
            if signed_at is not None:
                return signed_at
        # The press that became the call may have got a die, too.
        signed = [at for each, at, won in self._slaps if each == seat and (won or at.surely_before(stamp))]
        end = signed[-1] if signed else None
        if end is None or stamp.earliest_ns - end.latest_ns > self._late_ns:
            return max(stamp, self._last_win, key=_latest)
        return self._claims.first_placed_after(end) or end

    def call_stop(self, seat: int, stamp: Stamp, end: Stamp, now_ns: int) -> None:
        """A seat that pressed then has called stop; the round has ended at that stamp."""
        self._claims.forget(seat, stamp)
        self._end(seat, end, now_ns)

    def _end(self, seat: int, end: Stamp, now_ns: int) -> None:
        """The round has ended at that stamp; what was placed since counts for nobody."""
        self._round.end_at(End(end, (seat,)))
        self._claims.close(end)
        for placement in self._claims.take_after(end):
            self._round.undo(placement.slot, placement.owner, now_ns)

    def lock(self, seat: int, from_ns: int) -> None:
        """A seat is locked from that moment on, for a stop call that was wrong."""
        self._claims.lock(seat, exactly(from_ns))

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
            _rival(ruling),
            self._is_doubtful(slap, placement),
            self._claims.locked_until_ns(slap.seat) if ruling.verdict in _LOCKING else 0,
            self._round.cue(placement.slot) if placement and ruling.verdict is Verdict.ILLEGAL else None,
            placement.slap if placement and not won else None,
        )
        self._out.emit(judged)
        if ruling.reclaimed is not None:
            self._hand_over(ruling.reclaimed, judged, now_ns)
            return
        if won or ruling.verdict in _FAILED:
            insort(self._slaps, (slap.seat, slap.stamp, won))
            if ruling.verdict in _TOO_LATE:
                self._too_late.add((slap.seat, slap.stamp))
        if won and placement is not None:
            self._count(placement, judged, now_ns)
        elif ruling.verdict is Verdict.TAKEN_BACK and placement is not None:
            self._round.take_back(placement.slot, slap.seat, now_ns)

    def _is_doubtful(self, slap: Slap, placement: Placement | None) -> bool:
        """Whether a lost edge may have been the slap of a rival, or the die that was slapped for."""
        if placement is not None and placement.doubtful:
            return True
        return self._round.in_doubt(*self._claims.contest_ns(slap, placement))

    def _hand_over(self, reclaimed: Reclaimed, judged: Judged, now_ns: int) -> None:
        """A die counts for another seat. It was signed for by a slap of that seat which had got nothing."""
        round_, seat = self._round, judged.seat
        swapped = {(seat, reclaimed.slap): True, (reclaimed.loser, reclaimed.taken): False}
        kept = [each for each in self._slaps if each[:2] not in swapped]
        self._slaps = sorted([*kept, *((*slap, won) for slap, won in swapped.items())], key=_slapped)
        round_.hand_over(reclaimed.loser, seat)
        if not round_.owed_by[seat]:
            round_.out_at[seat] = reclaimed.signed
            self._end(seat, reclaimed.signed, now_ns)

    def _count(self, placement: Placement, judged: Judged, now_ns: int) -> None:
        round_ = self._round
        round_.claim(judged.seat)
        self._board.set(placement.slot, SlotState.COUNTED, now_ns)
        if not round_.owed_by[judged.seat]:
            # An early slap finishes nothing before its die lies there ...
            signed = max(judged.stamp, placement.stamp, key=_latest)
            round_.out_at[judged.seat] = signed
            if round_.end is None:
                # ... and it ends no round before what was counted meanwhile.
                end = max(signed, self._last_win, key=_latest)
                self._end(judged.seat, end, now_ns)
        self._last_win = max(judged.stamp, self._last_win, key=_latest)


def _slapped(slap: tuple[int, Stamp, bool]) -> tuple[int, Stamp]:
    return slap[:2]


def _rival(ruling: ClaimRuling) -> int | None:
    """The seat that the slap lost to, or took the die from."""
    if ruling.reclaimed is not None:
        return ruling.reclaimed.loser
    return ruling.placement.owner if ruling.placement and ruling.verdict not in WINNING else None


def _latest(stamp: Stamp) -> int:
    return stamp.latest_ns
