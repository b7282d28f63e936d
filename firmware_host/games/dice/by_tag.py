"""Dice that are owned by tag.

Each seat has shown its dice to its pad. A die counts for its owner as soon as it is placed, without a slap.
If several seats place their last dice at the same time, nobody was first: a dead heat for the end of the
round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from firmware_host.games.round import End, Outbox, Tags
from firmware_host.model.effects import Cue, Judged, TagRefused, Verdict
from firmware_host.model.events import Emptied, Filled
from firmware_host.model.places import DieFace, Slot, Stranger, Tag
from firmware_host.model.settings import Settings
from firmware_host.model.states import SlotState
from firmware_host.model.times import Stamp, contenders
from firmware_host.timing.ties import TieBreaker

if TYPE_CHECKING:
    from firmware_host.games.dice.dice_round import DiceRound


class LastDie(NamedTuple):
    """The last die of a seat; its verdict is pending until it is decided which seat has ended the round."""

    seat: int
    stamp: Stamp  # when its seat had placed all; another die may have a later stamp than this one
    judged: Judged


class ByTag:
    """Gives each die to the seat that has shown it to its pad."""

    def __init__(
        self, round_: DiceRound, settings: Settings, ties: TieBreaker, owners: Mapping[int, int]
    ) -> None:
        self._round = round_
        self._out = round_.out
        self._owners = owners
        self._ties = ties
        self._doubt_ns = 2 * settings.stamp_uncertainty_ns
        self._placed: dict[int, Stamp] = {}
        self._last: list[LastDie] = []
        self._ends: list[Stamp] = []

    def is_owed(self, die: DieFace) -> bool:
        """Whether the owner of the die plays and has dice left."""
        return bool(self._round.owed_by.get(self._owners.get(die.die, 0)))

    def has_ended_before(self, stamp: Stamp) -> bool:
        """Whether a seat had surely placed all its dice before; who was first may still be undecided."""
        return any(end.surely_before(stamp) for end in self._ends)

    # -- what comes in

    def opened(self, event: Filled, now_ns: int) -> None:
        """A legal die counts for its owner at once."""
        round_, slot, stamp = self._round, event.slot, event.stamp
        seat = self._owners[round_.die(slot)]
        round_.claim(seat)
        first_ns, last_ns = stamp.earliest_ns - self._doubt_ns, stamp.latest_ns + self._doubt_ns
        doubtful = event.late or round_.in_doubt(first_ns, last_ns)
        judged = Judged(Verdict.ACCEPTED, seat, stamp, now_ns, slot, doubtful=doubtful)
        self._placed[seat] = max(stamp, self._placed.get(seat, stamp))
        round_.board.set(slot, SlotState.COUNTED, now_ns)
        if round_.owed_by[seat] or round_.end is not None:
            self._out.emit(judged)
        else:
            self._last.append(LastDie(seat, self._placed[seat], judged))
            self._ends.append(self._placed[seat])

    def misplaced(self, event: Filled) -> None:
        """An illegal die was placed: nobody slaps for it."""

    def lifted(self, slot: Slot) -> None:
        """A die was taken off that counted for nobody."""

    def knocked_off(self, slot: Slot, stamp: Stamp, *, for_good: bool) -> None:
        """A counted die is off its place: it has to be put back, since its tag is known."""

    def put_back(self, slot: Slot, stamp: Stamp) -> None:
        """It lies there again."""

    def slapped(self, seat: int, stamp: Stamp) -> None:
        """No die needs a slap."""

    # -- what comes out

    @property
    def _end_due_ns(self) -> int:
        """Up to then everything has to be known: another last die may have been as early."""
        return min(each.stamp.latest_ns for each in self._last) + self._doubt_ns + 1

    def decide(self, known_ns: int, now_ns: int) -> None:
        """Decide who has ended the round, if everything up to then is known."""
        if self._last and self._end_due_ns <= known_ns:
            self._end(now_ns)

    def awaits_after_ns(self, known_ns: int) -> int | None:
        """The next moment up to which everything has to be known for a decision."""
        return self._end_due_ns if self._last else None

    def close(self, now_ns: int) -> None:
        """The round is settled: every legal die has its owner already."""

    def reopen(self, from_ns: int) -> None:
        """The round goes on after all."""
        self._ends.clear()

    def without_owner_but_not_of(self, seat: int, press: Stamp) -> int:
        """No die waits for a slap."""
        return 0

    def slaps_open_until_ns(self, seat: int, press: Stamp) -> int:
        """No slap is judged."""
        return 0

    def is_locked(self, seat: int, stamp: Stamp) -> bool:
        """Nobody is locked: no slap is needed."""
        return False

    def failed_before(self, seat: int, stamp: Stamp) -> int:
        """No slap is needed, so none can fail."""
        return 0

    def is_losing(self, seat: int, press: Stamp) -> bool:
        """No slap is judged."""
        return False

    def may_have_signed(self, seat: int, press: Stamp) -> bool:
        """No press signs for a die."""
        return False

    def end_of_call(self, seat: int, stamp: Stamp) -> Stamp:
        """When the round has ended if a seat that pressed then has none left."""
        return stamp

    def call_stop(self, seat: int, stamp: Stamp, end: Stamp, now_ns: int) -> None:
        """A seat that pressed then has called stop; the round has ended at that stamp."""
        self._round.end_at(End(end, (seat,)))

    def lock(self, seat: int, from_ns: int) -> None:
        """Nobody is locked: no slap is needed."""

    def _end(self, now_ns: int) -> None:
        """The first of the last dice ends the round; if several may be first, the tie-break chooses one."""
        first = contenders(self._last, _stamp)
        winner, won = first[0], Verdict.ACCEPTED
        if len(first) > 1:
            tie = self._ties.settle(None, [each.seat for each in first])
            self._out.emit(tie)
            winner, won = next(each for each in first if each.seat == tie.winner), Verdict.DEAD_HEAT_WON
        for each in sorted(self._last, key=lambda each: each is not winner):
            verdict = won if each is winner else Verdict.ACCEPTED
            self._out.emit(replace(each.judged, verdict=verdict, decided_ns=now_ns))
        self._last.clear()
        self._round.position = replace(self._round.position, finisher=winner.seat)
        self._round.end_at(End(winner.stamp, (winner.seat,)))


def _stamp(die: LastDie) -> Stamp:
    return die.stamp


# What the readers at the places report about the dice on the board.
#
# The tag under a die tells which die it is and which face it shows. The sensor still tells when it came. A
# die waits for its own reader: what that finds first decides. If it finds nothing for long, the die is
# unread.
#
# A reader may see the tag on top of the die, too. Two tags at opposite faces of one die are that die; which
# of them is below nobody can tell, so the one that fits is believed. The tag of the top may even be read
# first: alone it decides only when the time is up.


class DieReaders:
    """The die on each place, and what is wrong with it."""

    def __init__(self, tags: Tags, out: Outbox) -> None:
        self.cues: dict[Slot, Cue] = {}
        """What is wrong with the die on each place."""
        self._dice: dict[Slot, DieFace] = {}
        self._emptied_ns: dict[Slot, int] = {}  # the reader may still report a tag from before
        self._tags = tags
        self._out = out

    def die(self, slot: Slot) -> int:
        """The die on a place."""
        return self._dice[slot].die

    def lifted(self, event: Emptied) -> None:
        """A die was taken off."""
        self.cues.pop(event.slot, None)
        self._emptied_ns[event.slot] = event.stamp.earliest_ns

    def has_told(self, slot: Slot) -> bool:
        """Whether the reader has found something since the place was last emptied, and not only a top."""
        tags = self._newest(slot)
        may_be_top = len(tags) == 1 and isinstance(tags[0], DieFace) and _fits(tags[0].opposite, slot)
        return self._tags.has_found(slot, self._emptied_ns.get(slot, 0)) and not may_be_top

    def accepts(self, slot: Slot, is_owed: Callable[[DieFace], bool], now_ns: int) -> bool:
        """Whether what was put there may lie there; if not, the reason is in `cues`."""
        tags = self._newest(slot)
        cue = _cue(slot, tags)
        tag = tags[0] if tags else None
        if cue is None and isinstance(tag, DieFace):
            if not is_owed(tag):
                cue = Cue.NOT_YOURS
            self._dice[slot] = tag
        if cue is not None:
            self.cues[slot] = cue
            self._out.emit(TagRefused(slot, tag, cue, now_ns))
        return cue is None

    def is_other_die(self, slot: Slot, now_ns: int) -> bool:
        """Whether another die was put where one was knocked off."""
        tags = self._newest(slot) if slot in self._dice else []
        if not tags or self._dice[slot] in tags:
            return False
        self._out.emit(TagRefused(slot, tags[0], Cue.WRONG_DIE, now_ns))
        return True

    def _newest(self, slot: Slot) -> list[Tag]:
        return _without_top(slot, self._tags.newest(slot, self._emptied_ns.get(slot, 0)))


def _without_top(slot: Slot, tags: list[Tag]) -> list[Tag]:
    """The tags; of two that are opposite faces of one die only the one that fits, or the first."""
    match tags:
        case [DieFace() as one, DieFace() as other] if one.opposite == other:
            return [other if _fits(other, slot) else one]
    return tags


def _fits(die: DieFace, slot: Slot) -> bool:
    """Whether a die with that tag below belongs on a place."""
    return (die.colour, die.face) == slot


def _cue(slot: Slot, tags: list[Tag]) -> Cue | None:
    """What is wrong with these tags on a slot."""
    if len(tags) != 1:
        return Cue.TWO_TAGS if tags else Cue.UNREAD
    tag = tags[0]
    if isinstance(tag, DieFace):
        return None if _fits(tag, slot) else Cue.WRONG_DIE
    return Cue.UNKNOWN if isinstance(tag, Stranger) else Cue.WRONG_KIND
