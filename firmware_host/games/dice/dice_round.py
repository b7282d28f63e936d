"""One round of dice: events in order of time come in, rulings go out.

* Dice that come and go, presses, and the buttons that are down come in as events. Each is judged as soon as
  everything is known that may have come before it. What has to wait, for a reader or for a button that may
  become a stop call, holds up all that is later.
* All that is known is kept in one record a place and one a seat (records.py). Who has which die is ruled by
  slaps (slaps.py) or, where each seat has shown its dice, by tags (by_tag.py); stop calls are in calls.py.
  These read and write the records and return rulings. None of them knows the round.
* The round gives out the rulings, and shows each place whose state differs from what was shown of it. When
  the round has ended, what came surely after that counts for nobody: this is one pass over the places.
* A wrong end is dropped, not undone: the round goes on from the board as it lies, with the counts that the
  players have agreed on.

Where the slots have readers, a die of another colour or number is illegal, even on the right place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter, itemgetter

from firmware_host.games.dice.by_tag import ByTag, DieReaders
from firmware_host.games.dice.calls import EVER_NS, NoneLeftCall, StopCalls
from firmware_host.games.dice.dice import DicePosition
from firmware_host.games.dice.records import Place, Records
from firmware_host.games.dice.slaps import BySlap, Ruling
from firmware_host.games.round import End, Outbox, Round, Tags
from firmware_host.model.effects import WINNING, Judged, SlotChanged, Verdict
from firmware_host.model.events import Emptied, Filled, Pressed
from firmware_host.model.places import SLOT_INDEX, DieFace, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import SlotState
from firmware_host.model.times import Stamp, contenders, exactly
from firmware_host.timing.ties import TieBreaker

_STAMP = attrgetter("stamp")
_LOCKING = (Verdict.FALSE_CLAIM, Verdict.LOCKED)


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
        self.records = Records(settings, position)
        self.states = [place.state for place in self.records.places]
        """The state of each place as it was shown, in the order of `ALL_SLOTS`."""
        self._ties = ties
        self._owners = owners
        self._readers = None if tags is None else DieReaders(tags, out)
        self._by_slap = self._by_tag = None
        self._owning: BySlap | ByTag
        if owners is None:
            self._owning = self._by_slap = BySlap(self.records, settings, ties)
        else:
            self._owning = self._by_tag = ByTag(self.records, settings, ties, owners)
        self.calls = StopCalls(self.records, settings, self._by_slap)
        """The stop calls; `calls.presses` are the buttons that are down and may become one."""
        self._landing: list[Filled | Emptied] = []
        self._presses: deque[Pressed] = deque()
        """Presses from after the moment up to which dice are awarded."""
        self._awarded_ns = 0
        self._sign_late_ns = settings.sign_late_ns
        self._identify_ns = settings.identify_ns
        self._doubt_ns = 2 * settings.stamp_uncertainty_ns

    # -- what is known

    @property
    def dealt(self) -> tuple[int, ...]:
        return tuple(seat.dealt for seat in self.records.seats.values())

    @property
    def tally(self) -> tuple[int, ...]:
        return self.records.left

    owed = tally

    @property
    def misplaced(self) -> tuple[Slot, ...]:
        wrong = (SlotState.MISSING, SlotState.ILLEGAL)
        return tuple(place.slot for place in self.records.places if place.visible in wrong)

    @property
    def position(self) -> DicePosition:
        """The round as a value."""
        return self.records.position

    # -- what comes in

    def landed(self, event: Filled | Emptied) -> None:
        """Take a change of a slot; it is judged as soon as nothing can have come before it."""
        self._landing.append(event)

    def slapped(self, event: Pressed, now_ns: int) -> None:
        self._presses.append(event)

    def judge_press(self, seat: int) -> None:
        self.calls.drop(seat)

    def say_none_left(self, calls: Sequence[NoneLeftCall], now_ns: int) -> None:
        """These seats say at the same moment that they have none left; that stops the round if it can be so.

        The first is the one whose last slap was first. If several may have been, the tie-break chooses.
        """
        if self.end is not None:
            return
        ends = [(call, self.calls.end_of(call)) for call in calls if self.calls.is_true(*call)]
        first = [call for call, _ in contenders(ends, itemgetter(1))]
        if len(first) > 1:
            tie = self._ties.settle(None, [call.seat for call in first])
            self.out.emit(tie)
            first = [call for call in first if call.seat == tie.winner]
        for call, end in ends:
            seat = self.records.seats[call.seat]
            seat.out_at = seat.out_at or end
            if call in first:
                # The press has become a call, so it is not judged as a slap.
                self._presses = deque(each for each in self._presses if (each.seat, each.stamp) != call)
                slaps = self.records.slaps
                self.records.slaps = [each for each in slaps if (each.seat, each.stamp) != call]
                self._end(call.seat, end, now_ns)

    # -- what is decided, and when

    def decide(self, known_ns: int, now_ns: int) -> None:
        # What had to wait, for a reader or a button, is judged in the order in which it happened. Each
        # verdict may give somebody a reason to call stop, and then what came later waits for that.
        while True:
            until_ns = min(known_ns, self._undecided_from_ns())
            for event in self._landing:
                until_ns = min(until_ns, event.stamp.earliest_ns - 1)
            next_ns = self._next_award_ns(self._awarded_ns)
            if next_ns is not None and next_ns < until_ns:
                self._award(next_ns, now_ns)
                continue
            self._award(until_ns, now_ns)
            if not self._landing:
                return
            batch = contenders(self._first_landings(), _STAMP)
            if self._landing_due_ns(batch) > min(known_ns, self._undecided_from_ns()):
                return
            self._land(batch, now_ns)

    def awaits_after_ns(self, known_ns: int) -> int | None:
        if self._undecided_from_ns() <= known_ns:
            return None  # until the button comes up, or was held
        if self._landing:
            return self._landing_due_ns(contenders(self._first_landings(), _STAMP))
        return self._next_award_ns(known_ns)

    def close(self, now_ns: int) -> None:
        self._lapse(EVER_NS, now_ns)

    def go_on_with(self, left: tuple[int, ...], caller: int, from_ns: int) -> None:
        """Go on with these counts from that moment: nobody has finished after all. The caller is locked."""
        if self._by_slap is not None:
            self.records.locks.restart(caller, exactly(from_ns))
        self._show(self.records.go_on(left), from_ns)
        self.go_on()

    def _undecided_from_ns(self) -> int:
        """From when on all waits for a button that may become a stop call."""
        if not self.calls.presses:
            return EVER_NS
        legal = []
        for event in self._first_landings():
            if isinstance(event, Filled) and self.records.is_next(event.slot):
                legal.append(event.stamp)
        return self.calls.undecided_from_ns(legal)

    def _next_award_ns(self, known_ns: int) -> int | None:
        """The next moment at which there may be something to decide about the dice that lie there."""
        awaited_ns = self._owning.awaits_after_ns(known_ns)
        if not self._presses:
            return awaited_ns
        pressed_ns = max(self._presses[0].stamp.earliest_ns, known_ns)
        return pressed_ns if awaited_ns is None else min(pressed_ns, awaited_ns)

    def _award(self, known_ns: int, now_ns: int) -> None:
        """Decide about the dice that lie there, up to then."""
        self._awarded_ns = max(self._awarded_ns, known_ns)
        while self._presses and self._presses[0].stamp.earliest_ns <= known_ns:
            event = self._presses.popleft()
            seat, stamp, hand = event.seat, event.stamp, self.records.seats.get(event.seat)
            if hand is None or not hand.dealt or not (self.running_at(stamp) or self._signs_late(stamp)):
                self.out.emit(Judged(Verdict.NOT_RUNNING, seat, stamp, now_ns))
            elif self._by_slap is not None:
                self._by_slap.slapped(seat, stamp)
        self._rule(known_ns, now_ns)
        if self._lapse(known_ns, now_ns):
            self._rule(known_ns, now_ns)  # slaps that only waited for those

    def _signs_late(self, stamp: Stamp) -> bool:
        """Whether a slap may still sign a die that lay there before the end."""
        if self.end is None or not self.end.stamp.surely_before(stamp):
            return False
        return stamp.earliest_ns <= self.end.stamp.latest_ns + self._sign_late_ns

    # -- what goes out

    def _rule(self, known_ns: int, now_ns: int) -> None:
        while (ruling := self._owning.ruling(known_ns)) is not None:
            self._tell(ruling, now_ns)
            if ruling.place is not None:
                self._show([self.records.at(ruling.place.slot)], now_ns)
            if ruling.ends is not None:
                self._end(ruling.seat, ruling.ends, now_ns)

    def _tell(self, ruling: Ruling, now_ns: int) -> None:
        """Give out a ruling; it is doubtful if an edge may have been missed that it depends on."""
        if ruling.tie is not None:
            self.out.emit(ruling.tie)
        place, seat, verdict = ruling.place, ruling.seat, ruling.verdict
        doubtful = ruling.depends_on is not None and self.in_doubt(*ruling.depends_on)
        locked_ns = self.records.locks.until_ns(seat) if verdict in _LOCKING else 0
        slot = cue = rival_stamp = None
        if place is not None:
            slot, doubtful = place.slot, doubtful or place.doubtful
            if verdict is Verdict.ILLEGAL and self._readers is not None:
                cue = self._readers.cues.get(slot)
            rival_stamp = None if verdict in WINNING else place.slap
        margin_ns, rival = ruling.margin_ns, ruling.rival
        rest = (margin_ns, rival, doubtful, locked_ns, cue, rival_stamp)
        self.out.emit(Judged(verdict, seat, ruling.stamp, now_ns, slot, *rest))

    def _lapse(self, known_ns: int, now_ns: int) -> bool:
        """Show the dice that no slap can claim any more; whether there are any."""
        if self._by_slap is None or not self.records.waiting:
            return False
        lapsed = self._by_slap.lapse(known_ns)
        self._show(lapsed, now_ns)
        return bool(lapsed)

    def _end(self, seat: int, end: Stamp, now_ns: int) -> None:
        """The round has ended at that stamp; where slaps claim, what was placed since counts for nobody."""
        self.end_at(End(end, (seat,)))
        self._show(self.records.end_at(end), now_ns)

    def _show(self, places: Iterable[Place], now_ns: int) -> None:
        """Show those of these places that look different now."""
        for place in places:
            index, state = SLOT_INDEX[place.slot], place.visible
            if state is not self.states[index]:
                self.states[index] = state
                self.out.emit(SlotChanged(place.slot, state, now_ns))

    # -- what happens on the board

    def _runs_at(self, stamp: Stamp) -> bool:
        """Whether the round may have been running; its end may still be undecided."""
        return self.running_at(stamp) and not any(end.surely_before(stamp) for end in self.records.ends)

    def _first_landings(self) -> list[Filled | Emptied]:
        """The first pending change of each slot: the changes of one slot keep their order."""
        first: dict[Slot, Filled | Emptied] = {}
        for event in self._landing:
            first.setdefault(event.slot, event)
        return list(first.values())

    def _landing_due_ns(self, batch: list[Filled | Emptied]) -> int:
        """Up to when everything has to be known to judge these changes.

        Where a reader has to tell which die it is, this is when it has told, or when its time is up.
        """
        due_ns = min(event.stamp.latest_ns for event in batch)
        if self._readers is None:
            return due_ns
        for event in batch:
            if isinstance(event, Filled) and self._matters(event) and not self._readers.has_told(event.slot):
                due_ns = max(due_ns, event.stamp.latest_ns + self._identify_ns)
        return due_ns

    def _matters(self, event: Filled) -> bool:
        """Whether it matters which die was put there."""
        if self.records.at(event.slot).missing:
            return True
        return self.records.is_next(event.slot) and self._runs_at(event.stamp)

    def _land(self, batch: list[Filled | Emptied], now_ns: int) -> None:
        """Judge changes whose order is uncertain, in the order that is best for the players."""
        self._landing = [event for event in self._landing if event not in batch]
        for event in sorted(batch, key=_order_in_batch):
            if isinstance(event, Filled):
                self._filled(event, self.records.at(event.slot), now_ns)
            else:
                if self._readers is not None:
                    self._readers.lifted(event)
                self._emptied(event, self.records.at(event.slot), now_ns)

    def _filled(self, event: Filled, place: Place, now_ns: int) -> None:
        slot, stamp = event.slot, event.stamp
        if place.missing:
            if self._readers is not None and self._readers.is_other_die(slot, now_ns):
                return
            place.missing, place.lifted = False, None
            if place.owner is not None:
                place.set_down, place.moved = stamp, self.records.next_order()
            elif place.state is SlotState.LAPSED and self.running_at(stamp):
                self._placed(event, place, now_ns)
        elif place.state is not SlotState.FREE:
            return
        elif self._runs_at(stamp) and self.records.is_next(slot) and self._is_right_die(slot, now_ns):
            self.records.heights[slot.colour] += 1
            self._placed(event, place, now_ns)
        else:
            place.state = SlotState.ILLEGAL
            if self._runs_at(stamp):
                place.placed, place.order = stamp, self.records.next_order()
        self._show([place], now_ns)

    def _placed(self, event: Filled, place: Place, now_ns: int) -> None:
        """A legal die: it waits for a slap, or it has its owner already."""
        stamp = event.stamp
        place.doubtful = event.late
        if self._by_tag is None:
            self.records.open(place, stamp)
            return
        assert self._readers is not None
        first_ns, last_ns = stamp.earliest_ns - self._doubt_ns, stamp.latest_ns + self._doubt_ns
        place.doubtful = event.late or self.in_doubt(first_ns, last_ns)
        ruling = self._by_tag.placed(place, self._readers.die(event.slot), stamp)
        self._show([place], now_ns)
        if ruling is not None:
            self._tell(ruling, now_ns)

    def _is_right_die(self, slot: Slot, now_ns: int) -> bool:
        return self._readers is None or self._readers.accepts(slot, self._is_owed, now_ns)

    def _is_owed(self, die: DieFace) -> bool:
        """Whether any seat may place that die: if it is owned by tag, its owner plays and has dice left."""
        if self._owners is None:
            return True
        seat = self.records.seats.get(self._owners.get(die.die, 0))
        return seat is not None and seat.left > 0

    def _emptied(self, event: Emptied, place: Place, now_ns: int) -> None:
        on_top = self.records.heights[event.slot.colour] == event.slot.number
        without_owner = place.state in (SlotState.OPEN, SlotState.LAPSED)
        if place.missing or place.state is SlotState.FREE:
            return
        if place.state is SlotState.ILLEGAL or (on_top and without_owner):
            if without_owner:
                self.records.heights[event.slot.colour] -= 1
            place = self.records.clear(place)
        else:
            place.missing = True
            if place.state is SlotState.COUNTED and self.end is None:
                place.set_down = None
                if on_top and self._readers is None:
                    # Where readers tell the dice apart, none counts that has to be taken back.
                    place.lifted, place.moved = event.stamp, self.records.next_order()
        self._show([place], now_ns)


def _order_in_batch(event: Filled | Emptied) -> tuple[bool, int]:
    """Lifted before placed, low places before high ones: so most of them are legal."""
    return type(event) is Filled, event.slot.number
