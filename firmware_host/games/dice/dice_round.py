"""One round of dice: changes of the board, judged in the order in which they happened.

Where the slots have readers, a die of another colour or number is illegal, even on the right place. The owner
of a die is the seat that slaps for it, or the seat that has shown its tag (by_slap.py, by_tag.py).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from firmware_host.games.dice.by_slap import BySlap
from firmware_host.games.dice.by_tag import ByTag, DieReaders
from firmware_host.games.dice.dice import DicePosition
from firmware_host.games.round import Outbox, Round, Tags
from firmware_host.model.effects import Cue, Judged, SlotChanged, Verdict
from firmware_host.model.events import Emptied, Filled, Pressed
from firmware_host.model.places import ALL_SLOTS, SLOT_INDEX, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import SlotState
from firmware_host.model.times import Stamp, contenders
from firmware_host.timing.ties import TieBreaker

# The board of a round of dice: what lies on each place, as the referee sees it.
#
# The engine knows only heights and counts. What can happen to a real die (it is knocked off, forgotten,
# or put where it does not fit) is kept here.


class Board:
    """The state of each place, and which dice were knocked off."""

    def __init__(self, counted: Iterable[Slot], out: Outbox) -> None:
        """A board with a counted die on each of these places; all others are free."""
        self._states = [SlotState.FREE] * len(ALL_SLOTS)
        self._missing: set[Slot] = set()
        self._out = out
        for slot in counted:
            self._states[SLOT_INDEX[slot]] = SlotState.COUNTED

    @property
    def states(self) -> list[SlotState]:
        """The visible state of each place, in the order of `ALL_SLOTS`."""
        if not self._missing:
            return self._states
        return [self.state(slot) for slot in ALL_SLOTS]

    def state(self, slot: Slot) -> SlotState:
        """The visible state of a place: a die that was knocked off is missing, whatever its own state is."""
        return SlotState.MISSING if slot in self._missing else self._states[SLOT_INDEX[slot]]

    def die(self, slot: Slot) -> SlotState:
        """The state of the die of a place, whether or not it was knocked off."""
        return self._states[SLOT_INDEX[slot]]

    def is_missing(self, slot: Slot) -> bool:
        """Whether the die of a place was knocked off."""
        return slot in self._missing

    @property
    def misplaced(self) -> tuple[Slot, ...]:
        """The places with a missing or an illegal die."""
        wrong = (SlotState.MISSING, SlotState.ILLEGAL)
        return tuple(slot for slot, state in zip(ALL_SLOTS, self.states, strict=True) if state in wrong)

    def set(self, slot: Slot, state: SlotState, now_ns: int) -> None:
        """Change the state of the die of a place; this is not visible while the die is missing."""
        self._states[SLOT_INDEX[slot]] = state
        if slot not in self._missing:
            self._out.emit(SlotChanged(slot, state, now_ns))

    def knock_off(self, slot: Slot, now_ns: int) -> None:
        """The die of a place is gone although it should lie there."""
        self._missing.add(slot)
        self._out.emit(SlotChanged(slot, SlotState.MISSING, now_ns))

    def found(self, slot: Slot) -> SlotState:
        """The die that was missing lies there again; gives its state."""
        self._missing.discard(slot)
        return self.die(slot)


class NoneLeftCall(NamedTuple):
    """A seat says that it has none left; the stamp is that of its press."""

    seat: int
    stamp: Stamp


class DiceRound(Round):
    """Judges placements and slaps between the start call and the last claim."""

    def __init__(
        self,
        settings: Settings,
        position: DicePosition,
        ties: TieBreaker,
        out: Outbox,
        tags: Tags | None = None,
        owners: Mapping[int, int] | None = None,
    ) -> None:
        """A round from a position. Without `tags` no place has a reader; without `owners` slaps claim."""
        super().__init__(out)
        self.position = position
        self.owed_by = dict(enumerate(position.left, start=1))
        """How many dice each seat has left."""
        self.out_at: dict[int, Stamp] = {}
        """When each seat that has no dice left had got rid of its last one."""
        self.board = Board(position.board, out)
        self._sign_late_ns = settings.sign_late_ns
        self._ties = ties
        self._readers = None if tags is None else DieReaders(tags, out)
        self._owner = BySlap(self, settings, ties) if owners is None else ByTag(self, settings, ties, owners)
        self._landing: list[Filled | Emptied] = []
        self._slaps: deque[Pressed] = deque()
        """Slaps from after the moment up to which dice are awarded."""
        self._awarded_ns = 0
        self.presses: list[NoneLeftCall] = []
        """The buttons that are down and may become stop calls."""
        self._early_presses: set[NoneLeftCall] = set()
        """Those after which a die came down at once."""
        self._early_ns = settings.claim_early_ns
        self._identify_ns = settings.identify_ns

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
    def misplaced(self) -> tuple[Slot, ...]:
        return self.board.misplaced

    # -- what the owner of the dice asks and does

    def cue(self, slot: Slot) -> Cue | None:
        """What is wrong with the die on a place, as far as a reader can tell."""
        return None if self._readers is None else self._readers.cues.get(slot)

    def die(self, slot: Slot) -> int:
        """Which die lies on a place; only readers can tell."""
        assert self._readers is not None
        return self._readers.die(slot)

    def take_back(self, slot: Slot, seat: int, now_ns: int) -> None:
        """A seat has taken back a counted die; its place is free again."""
        self.position = self.position.taken_back(slot, seat)
        self.owed_by[seat] += 1
        self.board.found(slot)
        self.board.set(slot, SlotState.FREE, now_ns)

    def undo(self, slot: Slot, owner: int | None, now_ns: int) -> None:
        """A die came down after the end of the round, as is known now: it counts for nobody."""
        if owner is None:
            self.position = self.position.lifted(slot)
        else:
            self.position = self.position.taken_back(slot, owner)
            self.owed_by[owner] += 1
        self.board.set(slot, SlotState.ILLEGAL, now_ns)

    def claim(self, seat: int) -> None:
        """A seat has got rid of one of its dice."""
        self.position = self.position.claim(seat)
        self.owed_by[seat] -= 1

    def hand_over(self, loser: int, seat: int) -> None:
        """A die that was counted for another seat is that seat's."""
        self.position = self.position.handed_over(loser, seat)
        self.owed_by[loser] += 1
        self.owed_by[seat] -= 1

    # -- what comes in

    def landed(self, event: Filled | Emptied) -> None:
        """Take a change of a slot; it is judged as soon as nothing can have come before it."""
        self._landing.append(event)

    def slapped(self, event: Pressed, now_ns: int) -> None:
        self._slaps.append(event)

    def _slap(self, event: Pressed, now_ns: int) -> None:
        counts = self.running_at(event.stamp) or self._signs_late(event.stamp)
        if not counts or not self.position.plays(event.seat):
            self.out.emit(Judged(Verdict.NOT_RUNNING, event.seat, event.stamp, now_ns))
        else:
            self._owner.slapped(event.seat, event.stamp)

    def judge_press(self, seat: int) -> None:
        self.presses = [press for press in self.presses if press.seat != seat]
        self._early_presses = {press for press in self._early_presses if press.seat != seat}

    def _signs_late(self, stamp: Stamp) -> bool:
        """Whether a slap may still sign a die that lay there before the end."""
        end = self.end
        if end is None or not end.stamp.surely_before(stamp):
            return False
        return stamp.earliest_ns <= end.stamp.latest_ns + self._sign_late_ns

    def may_have_none_left(self, seat: int, stamp: Stamp) -> bool:
        """Whether a seat that plays and pressed then may have none left although the table counts some.

        A die may lie there without an owner, or a rival may have got it: then a slap of this seat got
        nothing, and the die is counted for that rival. A die that came down after the press proves nothing,
        nor does one that still waits for a slap if that press got another one.
        """
        position = self.position
        without_owner = position.unclaimed - self._owner.without_owner_but_not_of(seat, stamp)
        own = position.dealt[seat - 1] - self.owed_by[seat]
        robbed = min(self._owner.failed_before(seat, stamp), position.claimed - own)
        return self.owed_by[seat] <= without_owner + robbed

    def may_be_stopped_by(self, seat: int, stamp: Stamp) -> bool:
        """Whether what comes after that press has to wait until it is known whether it becomes a stop call.

        A locked seat holds nobody up.
        """
        return self.may_have_none_left(seat, stamp) and not self._owner.is_locked(seat, stamp)

    def _undecided_from_ns(self) -> int | None:
        """From when on all waits for a button that may become a stop call; None if nothing does."""
        waits = [self._waits_from_ns(press) for press in self.presses if self.may_be_stopped_by(*press)]
        return min(waits, default=None)

    def _waits_from_ns(self, press: NoneLeftCall) -> int:
        """From when on all waits for that press.

        If it may have signed for the last die and one came down just after it, it may have been an early
        slap, which is judged. So are the slaps of the same seat before it: one may lock the button.
        """
        seat, stamp = press
        until_ns = stamp.latest_ns + self._early_ns
        if self._owner.may_have_signed(seat, stamp) and any(
            stamp.surely_before(die) and die.latest_ns <= until_ns for die in self._legal_landings()
        ):
            self._early_presses.add(press)
        signed_ns = until_ns if press in self._early_presses else stamp.latest_ns
        return max(signed_ns, self._owner.slaps_open_until_ns(seat, stamp))

    def say_none_left(self, calls: Sequence[NoneLeftCall], now_ns: int) -> None:
        """These seats say at the same moment that they have none left; that stops the round if it can be so.

        The first is the one whose last slap was first. If several may have been, the tie-break chooses.
        """
        if self.end is not None:
            return
        true = [call for call in calls if self.may_have_none_left(*call) or self._owner.is_losing(*call)]
        ends = [(call, self._owner.end_of_call(*call)) for call in true]
        first = [call for call, _ in contenders(ends, itemgetter(1))]
        if len(first) > 1:
            tie = self._ties.settle(None, [call.seat for call in first])
            self.out.emit(tie)
            first = [call for call in first if call.seat == tie.winner]
        for call, end in ends:
            self.out_at.setdefault(call.seat, end)
            if call in first:
                self._slaps = deque(each for each in self._slaps if (each.seat, each.stamp) != call)
                self._owner.call_stop(*call, end, now_ns)

    def _legal_landings(self) -> list[Stamp]:
        """When the dice came down on places that are free for them, and that are not judged yet."""
        return [
            event.stamp
            for event in self._first_landings()
            if isinstance(event, Filled) and self.position.is_legal(event.slot)
        ]

    # -- what comes out

    def decide(self, known_ns: int, now_ns: int) -> None:
        # What had to wait, for a reader or a button, is judged in the order in which it happened. Each
        # verdict may give somebody a reason to call stop, and then what came later waits for that.
        while True:
            self._award(known_ns, now_ns)
            batch = contenders(self._first_landings(), _stamp) if self._landing else []
            if not batch or self._landing_due_ns(batch) > self._decidable_ns(known_ns):
                return
            self._judge_landing(batch, now_ns)

    def _decidable_ns(self, known_ns: int) -> int:
        undecided_ns = self._undecided_from_ns()
        return known_ns if undecided_ns is None else min(known_ns, undecided_ns)

    def _award(self, known_ns: int, now_ns: int) -> None:
        """Decide about the dice that lie there, up to then."""
        while True:
            until_ns = self._judged_ns(self._decidable_ns(known_ns))
            next_ns = self._next_award_ns(self._awarded_ns)
            if next_ns is None or next_ns >= until_ns:
                self._award_at(until_ns, now_ns)
                return
            self._award_at(next_ns, now_ns)

    def _next_award_ns(self, known_ns: int) -> int | None:
        """The next moment at which there may be something to decide about the dice that lie there."""
        awaited_ns = self._owner.awaits_after_ns(known_ns)
        if not self._slaps:
            return awaited_ns
        slapped_ns = max(self._slaps[0].stamp.earliest_ns, known_ns)
        return slapped_ns if awaited_ns is None else min(slapped_ns, awaited_ns)

    def _award_at(self, known_ns: int, now_ns: int) -> None:
        self._awarded_ns = max(self._awarded_ns, known_ns)
        while self._slaps and self._slaps[0].stamp.earliest_ns <= known_ns:
            self._slap(self._slaps.popleft(), now_ns)
        self._owner.decide(known_ns, now_ns)

    def awaits_after_ns(self, known_ns: int) -> int | None:
        undecided_ns = self._undecided_from_ns()
        if undecided_ns is not None and undecided_ns <= known_ns:
            return None  # until the button comes up, or was held
        if self._landing:
            return self._landing_due_ns(contenders(self._first_landings(), _stamp))
        return self._next_award_ns(known_ns)

    def _judged_ns(self, known_ns: int) -> int:
        """Up to when everything is known and judged: a reader may still have to tell which die came."""
        return min([known_ns, *(event.stamp.earliest_ns - 1 for event in self._landing)])

    def _landing_due_ns(self, batch: list[Filled | Emptied]) -> int:
        """Up to when everything has to be known to judge these changes.

        Where a reader has to tell which die it is, this is when it has told, or when its time is up.
        """
        due_ns = min(event.stamp.latest_ns for event in batch)
        if self._readers is None:
            return due_ns
        asked = [event for event in batch if isinstance(event, Filled) and self._matters(event)]
        unread = [event.stamp.latest_ns for event in asked if not self._readers.has_told(event.slot)]
        return max(due_ns, max(unread) + self._identify_ns) if unread else due_ns

    def _matters(self, event: Filled) -> bool:
        """Whether it matters which die was put there."""
        if self.board.is_missing(event.slot):
            return True
        return self.position.is_legal(event.slot) and self._runs_at(event.stamp)

    def close(self, now_ns: int) -> None:
        self._owner.close(now_ns)

    def reopen(self, left: tuple[int, ...], caller: int, from_ns: int) -> None:
        """Go on with these counts from that moment: nobody has finished after all. The caller is locked."""
        self.position = self.position.reopened(left)
        self.out_at.clear()
        self._owner.lock(caller, from_ns)
        self.owed_by = dict(enumerate(left, start=1))
        self._owner.reopen(from_ns)
        self.go_on()

    # -- what happens on the board

    def _runs_at(self, stamp: Stamp) -> bool:
        """Whether the round may have been running; its end may still be undecided."""
        return self.running_at(stamp) and not self._owner.has_ended_before(stamp)

    def _first_landings(self) -> list[Filled | Emptied]:
        """The first pending change of each slot: the changes of one slot keep their order."""
        first: dict[Slot, Filled | Emptied] = {}
        for event in self._landing:
            first.setdefault(event.slot, event)
        return list(first.values())

    def _judge_landing(self, batch: list[Filled | Emptied], now_ns: int) -> None:
        """Judge changes whose order is uncertain, in the order that is best for the players."""
        self._landing = [event for event in self._landing if event not in batch]
        for event in sorted(batch, key=_order_in_batch):
            if isinstance(event, Filled):
                self._filled(event, now_ns)
            else:
                if self._readers is not None:
                    self._readers.lifted(event)
                self._emptied(event, now_ns)

    def _filled(self, event: Filled, now_ns: int) -> None:
        slot = event.slot
        if self.board.is_missing(slot):
            self._put_back(event, now_ns)
        elif self.board.state(slot) is not SlotState.FREE:
            return
        elif self._runs_at(event.stamp) and self.position.is_legal(slot) and self._is_right_die(slot, now_ns):
            self.position = self.position.placed(slot)
            self._owner.opened(event, now_ns)
        else:
            self.board.set(slot, SlotState.ILLEGAL, now_ns)
            if self._runs_at(event.stamp):
                self._owner.misplaced(event)

    def _is_right_die(self, slot: Slot, now_ns: int) -> bool:
        return self._readers is None or self._readers.accepts(slot, self._owner.is_owed, now_ns)

    def _put_back(self, event: Filled, now_ns: int) -> None:
        if self._readers is not None and self._readers.is_other_die(event.slot, now_ns):
            return
        self._owner.put_back(event.slot, event.stamp)
        state = self.board.found(event.slot)
        if state is SlotState.LAPSED and self.running_at(event.stamp):
            self._owner.opened(event, now_ns)
        else:
            self.board.set(event.slot, state, now_ns)

    def _emptied(self, event: Emptied, now_ns: int) -> None:
        slot = event.slot
        state = self.board.state(slot)
        on_top = self.position.heights[slot.colour] == slot.number
        if state is SlotState.ILLEGAL:
            self._owner.lifted(slot)
            self.board.set(slot, SlotState.FREE, now_ns)
        elif on_top and (state is SlotState.OPEN or state is SlotState.LAPSED):
            self._owner.lifted(slot)
            self.position = self.position.lifted(slot)
            self.board.set(slot, SlotState.FREE, now_ns)
        elif state is not SlotState.FREE and state is not SlotState.MISSING:
            self.board.knock_off(slot, now_ns)
            if state is SlotState.COUNTED and self.end is None:
                # Where readers tell the dice apart, none counts that has to be taken back.
                self._owner.knocked_off(slot, event.stamp, for_good=on_top and self._readers is None)


def _stamp(event: Filled | Emptied) -> Stamp:
    return event.stamp


def _order_in_batch(event: Filled | Emptied) -> tuple[bool, int]:
    """Lifted before placed, low places before high ones: so most of them are legal."""
    return type(event) is Filled, event.slot.number
