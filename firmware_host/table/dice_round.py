"""One round of dice on the board: slots and claims.

A slot passes through these states. The engine knows only heights and counts; what may
happen to a real die on a real table (knocked off, forgotten, put where it does not
belong) is kept here.

Where the slots have readers, the tag under a die tells which die it is and which face it shows. The
sensor still says when; the reader is slow, so everything waits until it can have told. A die of another
colour or number is illegal then, even on the right place. Where dice are owned by tag as well, each seat
has shown its dice to its pad, and a die counts for its owner from when it came, without a slap. If several
seats put down their last dice in one moment, nobody was first: a dead heat for the end of the round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import IntEnum
from typing import NamedTuple

from firmware_host.arbiter.claims import Claims, Placement, Ruling, Slap
from firmware_host.arbiter.ties import TieBreaker
from firmware_host.effects import WINNING, Cue, Effect, Judged, SlotChanged, TagRefused, Verdict
from firmware_host.engine.dice import DicePosition
from firmware_host.events import Emptied, Filled, Pressed
from firmware_host.places import ALL_SLOTS, SLOT_INDEX, DieFace, Slot, Stranger, Tag
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp, contenders
from firmware_host.table.round import Finish, Round
from firmware_host.table.tags import Tags

_LOCKING = (Verdict.FALSE_CLAIM, Verdict.LOCKED)


class SlotState(IntEnum):
    """What lies on a place, as far as the referee is concerned."""

    FREE = 0  # nothing
    OPEN = 1  # a legal die that waits for its owner's slap
    COUNTED = 2  # a die that a seat has claimed
    LAPSED = 3  # a legal die that nobody claimed in time; lift it and place it again
    MISSING = 4  # a counted or unclaimed die was knocked off: put it back
    ILLEGAL = 5  # a die that does not belong there: take it off

    @property
    def word(self) -> str:
        return self.name.lower()


_ASTRAY = (SlotState.MISSING, SlotState.ILLEGAL)


class LastDie(NamedTuple):
    """A die owned by tag that was the last of its seat; its verdict waits for who has ended the round."""

    seat: int
    stamp: Stamp  # when its seat had placed all, which may be a moment after this very die
    judged: Judged


class DiceRound(Round):
    """Judges placements and slaps between the start call and the last claim."""

    def __init__(
        self,
        settings: Settings,
        position: DicePosition,
        ties: TieBreaker,
        tags: Tags | None = None,
        owners: Mapping[int, int] | None = None,
    ) -> None:
        super().__init__()
        self.position = position
        self.states: list[SlotState] = [SlotState.FREE] * len(ALL_SLOTS)
        self.claims = Claims(settings, ties)
        self._settle_ns = settings.settle_ns
        self._tags = tags  # None: the slots have no readers
        self._owners = owners  # None: dice are claimed by slaps
        self._dice: dict[Slot, DieFace] = {}
        self._landing: list[Filled | Emptied] = []
        self._cues: dict[Slot, Cue] = {}  # what was wrong with the die that lies there
        self._emptied_ns: dict[Slot, int] = {}  # a tag from before that may just not have been missed yet
        self._placed: dict[int, Stamp] = {}
        self._last: list[LastDie] = []
        self._ends: list[Stamp] = []
        self._doubt_ns = 2 * settings.stamp_uncertainty_ns
        self._ties = ties
        self._under: dict[Slot, SlotState] = {}
        self._owed = dict(enumerate(self.position.left, start=1))
        for slot in ALL_SLOTS:
            if slot.number <= self.position.heights[slot.colour]:
                self.states[SLOT_INDEX[slot]] = SlotState.COUNTED

    @property
    def dealt(self) -> tuple[int, ...]:
        return self.position.dealt

    @property
    def tally(self) -> tuple[int, ...]:
        return self.position.left

    @property
    def owed(self) -> tuple[int, ...]:
        return self.position.left

    @property
    def astray(self) -> tuple[Slot, ...]:
        return tuple(slot for slot, state in zip(ALL_SLOTS, self.states, strict=True) if state in _ASTRAY)

    # -- what happens on the board

    def state(self, slot: Slot) -> SlotState:
        return self.states[SLOT_INDEX[slot]]

    def landed(self, event: Filled | Emptied) -> None:
        """Take a change of a slot; it is judged once nothing can have come before it."""
        self._landing.append(event)

    def slapped(self, event: Pressed, now_ns: int, out: list[Effect]) -> None:
        """Take a slap of a seat."""
        if not self.running_at(event.stamp) or not self.position.plays(event.seat):
            out.append(Judged(Verdict.NOT_RUNNING, event.seat, event.stamp, now_ns))
        elif self._owners is None:
            self.claims.slap(event.seat, event.stamp)

    def tick(self, now_ns: int, out: list[Effect]) -> None:
        """Decide everything that is ripe by now."""
        while self._landing:
            batch = contenders(self._first_landings(), _stamp)
            if min(event.stamp.latest_ns for event in batch) + self._settle_ns > now_ns:
                break
            self._judge_landing(batch, now_ns, out)
        if self._last and self._end_due_ns <= now_ns:
            self._end_by_tag(now_ns, out)
        while (ruling := self.claims.next_ruling(now_ns, self._owed)) is not None:
            self._rule(ruling, now_ns, out)
        for placement in self.claims.lapse(now_ns):
            self._lapse(placement.slot, now_ns, out)

    @property
    def _end_due_ns(self) -> int:
        """When no other last die can come that may have been as early."""
        return min(each.stamp.latest_ns for each in self._last) + self._settle_ns + self._doubt_ns + 1

    def _end_by_tag(self, now_ns: int, out: list[Effect]) -> None:
        """The first of the last dice ends the round; if several may be that, the tie-break takes one."""
        first = contenders(self._last, _stamp)
        winner, won = first[0], Verdict.ACCEPTED
        if len(first) > 1:
            tie = self._ties.settle(None, [each.seat for each in first])
            out.append(tie)
            winner, won = next(each for each in first if each.seat == tie.winner), Verdict.DEAD_HEAT_WON
        for each in sorted(self._last, key=lambda each: each is not winner):
            verdict = won if each is winner else Verdict.ACCEPTED
            out.append(replace(each.judged, verdict=verdict, decided_ns=now_ns))
        self._last.clear()
        self.position = replace(self.position, finisher=winner.seat)
        self.finishing = Finish(winner.seat, winner.stamp)
        self.end_spans(winner.stamp)

    def _runs_at(self, stamp: Stamp) -> bool:
        """Whether the round may have been running, though its end may not be decided yet."""
        return self.running_at(stamp) and not any(end.surely_before(stamp) for end in self._ends)

    def due_after_ns(self, now_ns: int) -> int | None:
        """When `tick` is needed next."""
        due_ns = self.claims.due_after_ns(now_ns)
        if self._last and (due_ns is None or self._end_due_ns < due_ns):
            due_ns = self._end_due_ns
        if self._landing:
            landing_ns = min(event.stamp.latest_ns for event in self._first_landings()) + self._settle_ns
            due_ns = landing_ns if due_ns is None else min(due_ns, landing_ns)
        return due_ns

    def close(self, now_ns: int, out: list[Effect]) -> None:
        """The round is settled: what nobody has claimed by now belongs to nobody."""
        for slot, state in zip(ALL_SLOTS, self.states, strict=True):
            if SlotState.OPEN in (state, self._under.get(slot)):
                self.claims.withdraw(slot)
                self._lapse(slot, now_ns, out)

    def reopen(self, left: tuple[int, ...]) -> None:
        """Nobody has finished after all: go on with these counts."""
        self.position = self.position.reopened(left)
        self._owed = dict(enumerate(left, start=1))
        self.claims.reopen()
        self.ended = self.finishing = None
        self._ends.clear()
        self.called = False

    def _first_landings(self) -> list[Filled | Emptied]:
        """The first waiting change of each slot: a slot's own changes keep their order."""
        first: dict[Slot, Filled | Emptied] = {}
        for event in self._landing:
            first.setdefault(event.slot, event)
        return list(first.values())

    def _judge_landing(self, batch: list[Filled | Emptied], now_ns: int, out: list[Effect]) -> None:
        """Judge changes that may have come in any order, in the order that suits the players."""
        self._landing = [event for event in self._landing if event not in batch]
        for event in sorted(batch, key=_order_in_batch):
            if type(event) is Filled:
                self._filled(event, now_ns, out)
            else:
                self._cues.pop(event.slot, None)
                self._emptied_ns[event.slot] = event.stamp.earliest_ns
                self._emptied(event.slot, now_ns, out)

    def _filled(self, event: Filled, now_ns: int, out: list[Effect]) -> None:
        slot = event.slot
        if slot in self._under:
            self._put_back(event, now_ns, out)
        elif self.state(slot) is not SlotState.FREE:
            return
        elif (
            self._runs_at(event.stamp)
            and self.position.is_legal(slot)
            and self._is_right_die(slot, now_ns, out)
        ):
            self.position = self.position.placed(slot)
            self._open(event, now_ns, out)
        else:
            self._set(slot, SlotState.ILLEGAL, now_ns, out)
            if self._runs_at(event.stamp):
                self.claims.place(Placement(slot, event.stamp, legal=False))

    def _is_right_die(self, slot: Slot, now_ns: int, out: list[Effect]) -> bool:
        """Whether what lies there may lie there, as far as a reader can tell; if not, it is said why."""
        if self._tags is None:
            return True
        tags = self._tags.newest(slot, self._emptied_ns.get(slot, 0))
        cue = _cue(slot, tags)
        tag = tags[0] if tags else None
        if cue is None and isinstance(tag, DieFace):
            if self._owners is not None and not self._owed.get(self._owners.get(tag.die, 0)):
                cue = Cue.NOT_YOURS
            self._dice[slot] = tag
        if cue is not None:
            self._cues[slot] = cue
            out.append(TagRefused(slot, tag, cue, now_ns))
        return cue is None

    def _is_other_die(self, slot: Slot, now_ns: int, out: list[Effect]) -> bool:
        """Whether another die was put where one was knocked off."""
        if self._tags is None or slot not in self._dice:
            return False
        tags = self._tags.newest(slot, self._emptied_ns.get(slot, 0))
        if not tags or self._dice[slot] in tags:
            return False
        out.append(TagRefused(slot, tags[0], Cue.WRONG_DIE, now_ns))
        return True

    def _put_back(self, event: Filled, now_ns: int, out: list[Effect]) -> None:
        if self._is_other_die(event.slot, now_ns, out):
            return
        before = self._under.pop(event.slot)
        if before is SlotState.LAPSED and self.running_at(event.stamp):
            self._open(event, now_ns, out)
        else:
            self._set(event.slot, before, now_ns, out)

    def _open(self, event: Filled, now_ns: int, out: list[Effect]) -> None:
        if self._owners is not None:
            self._own(event, self._owners[self._dice[event.slot].die], now_ns, out)
            return
        self.claims.place(Placement(event.slot, event.stamp, legal=True, doubtful=event.late))
        self._set(event.slot, SlotState.OPEN, now_ns, out)

    def _own(self, event: Filled, seat: int, now_ns: int, out: list[Effect]) -> None:
        """A die counts for its owner from when it came."""
        slot, stamp = event.slot, event.stamp
        self.position = self.position.claim(seat)
        self._owed[seat] -= 1
        first_ns, last_ns = stamp.earliest_ns - self._doubt_ns, stamp.latest_ns + self._doubt_ns
        doubtful = event.late or self.in_doubt(first_ns, last_ns)
        judged = Judged(Verdict.ACCEPTED, seat, stamp, now_ns, slot, doubtful=doubtful)
        self._placed[seat] = max(stamp, self._placed.get(seat, stamp))
        self._set(slot, SlotState.COUNTED, now_ns, out)
        if self._owed[seat] or self.ended is not None:
            out.append(judged)
        else:
            self._last.append(LastDie(seat, self._placed[seat], judged))
            self._ends.append(self._placed[seat])

    def _emptied(self, slot: Slot, now_ns: int, out: list[Effect]) -> None:
        state = self.state(slot)
        on_top = self.position.heights[slot.colour] == slot.number
        if state is SlotState.ILLEGAL:
            self.claims.withdraw(slot)
            self._set(slot, SlotState.FREE, now_ns, out)
        elif on_top and (state is SlotState.OPEN or state is SlotState.LAPSED):
            self.claims.withdraw(slot)
            self.position = self.position.lifted(slot)
            self._set(slot, SlotState.FREE, now_ns, out)
        elif state is not SlotState.FREE and state is not SlotState.MISSING:
            self._under[slot] = state
            self._set(slot, SlotState.MISSING, now_ns, out)

    def _lapse(self, slot: Slot, now_ns: int, out: list[Effect]) -> None:
        if slot in self._under:
            self._under[slot] = SlotState.LAPSED
        else:
            self._set(slot, SlotState.LAPSED, now_ns, out)

    def _set(self, slot: Slot, state: SlotState, now_ns: int, out: list[Effect]) -> None:
        self.states[SLOT_INDEX[slot]] = state
        out.append(SlotChanged(slot, state.word, now_ns))

    # -- what the slaps come to

    def _rule(self, ruling: Ruling, now_ns: int, out: list[Effect]) -> None:
        slap, placement = ruling.slap, ruling.placement
        won = ruling.verdict in WINNING
        if ruling.tie is not None:
            out.append(ruling.tie)
        judged = Judged(
            ruling.verdict,
            slap.seat,
            slap.stamp,
            now_ns,
            placement.slot if placement else None,
            ruling.margin_ns,
            placement.owner if placement and not won else None,
            self._is_doubtful(slap, placement),
            self.claims.locked_until_ns(slap.seat) if ruling.verdict in _LOCKING else 0,
            self._cues.get(placement.slot) if placement and ruling.verdict is Verdict.ILLEGAL else None,
        )
        out.append(judged)
        if won and placement is not None:
            self._count(placement, judged, now_ns, out)

    def _is_doubtful(self, slap: Slap, placement: Placement | None) -> bool:
        """Whether a lost edge may have been a rival's slap, or the die that was slapped for."""
        if placement is not None and placement.doubtful:
            return True
        return self.in_doubt(*self.claims.contest_ns(slap, placement))

    def _count(self, placement: Placement, judged: Judged, now_ns: int, out: list[Effect]) -> None:
        slot, seat = placement.slot, judged.seat
        self.position = self.position.claim(seat)
        self._owed[seat] -= 1
        if slot in self._under:
            self._under[slot] = SlotState.COUNTED
        else:
            self._set(slot, SlotState.COUNTED, now_ns, out)
        if self.position.finisher == seat and self.ended is None:
            self._end(judged, now_ns, out)

    def _end(self, judged: Judged, now_ns: int, out: list[Effect]) -> None:
        self.finishing = Finish(judged.seat, judged.stamp)
        self.end_spans(judged.stamp)
        for slap in self.claims.close(judged.stamp):
            out.append(Judged(Verdict.NOT_RUNNING, slap.seat, slap.stamp, now_ns))


def _cue(slot: Slot, tags: list[Tag]) -> Cue | None:
    """What is wrong with these tags on a slot."""
    if len(tags) != 1:
        return Cue.TWO_TAGS if tags else Cue.UNREAD
    tag = tags[0]
    if isinstance(tag, DieFace):
        return None if (tag.colour, tag.face) == slot else Cue.WRONG_DIE
    return Cue.UNKNOWN if isinstance(tag, Stranger) else Cue.WRONG_KIND


def _stamp(event: Filled | Emptied | LastDie) -> Stamp:
    return event.stamp


def _order_in_batch(event: Filled | Emptied) -> tuple[bool, int]:
    """Taken off before put on, low places before high ones: what makes most of it legal."""
    return type(event) is Filled, event.slot.number
