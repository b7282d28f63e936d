"""Dice that are owned by tag, and what the readers at the places report.

Each seat has shown its dice to its pad. A die counts for its owner as soon as it is placed, without a slap.
If several seats place their last dice at the same time, nobody was first: a dead heat for the end of the
round.

The tag under a die tells which die it is and which face it shows. The sensor still tells when it came. A
die waits for its own reader: what that finds first decides. If it finds nothing for long, the die is
unread.

A reader may see the tag on top of the die, too. Two tags at opposite faces of one die are that die; which
of them is below nobody can tell, so the one that fits is believed. The tag of the top may even be read
first: alone it decides only when the time is up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.games.dice.records import Place, Records
from firmware_host.games.dice.slaps import Ruling
from firmware_host.games.round import Outbox, Tags
from firmware_host.model.effects import Cue, TagRefused, Verdict
from firmware_host.model.events import Emptied
from firmware_host.model.places import DieFace, Slot, Stranger, Tag
from firmware_host.model.settings import Settings
from firmware_host.model.states import SlotState
from firmware_host.model.times import Stamp, contenders
from firmware_host.timing.ties import TieBreaker


class ByTag:
    """Gives each die to the seat that has shown it to its pad."""

    def __init__(
        self, records: Records, settings: Settings, ties: TieBreaker, owners: Mapping[int, int]
    ) -> None:
        self._records = records
        self._ties = ties
        self._owners = owners
        self._doubt_ns = 2 * settings.stamp_uncertainty_ns
        self._placed: dict[int, Stamp] = {}
        """When the latest die of each seat came."""
        self._last: list[Ruling] = []
        """The last dice of seats; they wait until it is decided which seat has ended the round."""
        self._second: list[Ruling] = []
        """Those that have not ended it."""

    def placed(self, place: Place, die: int, stamp: Stamp) -> Ruling | None:
        """A legal die counts for its owner at once; None if it was the last one, which waits."""
        records, seat = self._records, self._owners[die]
        # Another die may have a later stamp than the last one.
        placed = self._placed[seat] = max(stamp, self._placed.get(seat, stamp))
        place.state = SlotState.COUNTED
        ruling = Ruling(Verdict.ACCEPTED, seat, stamp, place)
        if not records.claim(seat) or records.end is not None:
            return ruling
        self._last.append(ruling)
        records.ends.append(placed)
        return None

    def ruling(self, known_ns: int) -> Ruling | None:
        """The next of the last dice that is due: the first of them has ended the round, or who was drawn."""
        if self._second:
            return self._second.pop(0)
        if not self._last or self._end_due_ns > known_ns:
            return None
        first = contenders(self._last, self._placed_all)
        winner = first[0]
        if len(first) > 1:
            tie = self._ties.settle(None, [each.seat for each in first])
            winner = next(each for each in first if each.seat == tie.winner)
            winner.verdict, winner.tie = Verdict.DEAD_HEAT_WON, tie
        winner.ends = self._placed_all(winner)
        self._second = [each for each in self._last if each is not winner]
        self._last = []
        self._records.finisher = winner.seat
        return winner

    def awaits_after_ns(self, known_ns: int) -> int | None:
        """The next moment up to which everything has to be known for a decision."""
        return self._end_due_ns if self._last else None

    @property
    def _end_due_ns(self) -> int:
        """Up to then everything has to be known: another last die may have been as early."""
        return min(self._placed_all(each).latest_ns for each in self._last) + self._doubt_ns + 1

    def _placed_all(self, last: Ruling) -> Stamp:
        return self._placed[last.seat]


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
