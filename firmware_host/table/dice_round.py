"""One round of dice: changes of the board, judged in the order in which they happened.

Where the slots have readers, a die of another colour or number is illegal, even on the right place. The owner
of a die is the seat that slaps for it, or the seat that has shown its tag (by_slap.py, by_tag.py).
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.arbiter.ties import TieBreaker
from firmware_host.effects import Cue, Judged, Verdict
from firmware_host.engine.dice import DicePosition
from firmware_host.events import Emptied, Filled, Pressed
from firmware_host.places import Slot
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp, contenders
from firmware_host.states import SlotState
from firmware_host.table.board import Board
from firmware_host.table.by_slap import BySlap
from firmware_host.table.by_tag import ByTag
from firmware_host.table.die_readers import DieReaders
from firmware_host.table.lying_tags import Tags
from firmware_host.table.outbox import Outbox
from firmware_host.table.round import Round


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
        self.board = Board(position.board, out)
        self._readers = None if tags is None else DieReaders(tags, out)
        self._owner = BySlap(self, settings, ties) if owners is None else ByTag(self, settings, ties, owners)
        self._landing: list[Filled | Emptied] = []
        self._settle_ns = settings.settle_ns

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

    def claim(self, seat: int) -> None:
        """A seat has got rid of one of its dice."""
        self.position = self.position.claim(seat)
        self.owed_by[seat] -= 1

    # -- what comes in

    def landed(self, event: Filled | Emptied) -> None:
        """Take a change of a slot; it is judged as soon as nothing can have come before it."""
        self._landing.append(event)

    def slapped(self, event: Pressed, now_ns: int) -> None:
        if not self.running_at(event.stamp) or not self.position.plays(event.seat):
            self.out.emit(Judged(Verdict.NOT_RUNNING, event.seat, event.stamp, now_ns))
        else:
            self._owner.slapped(event.seat, event.stamp)

    # -- what comes out

    def tick(self, now_ns: int) -> None:
        while self._landing:
            batch = contenders(self._first_landings(), _stamp)
            if min(event.stamp.latest_ns for event in batch) + self._settle_ns > now_ns:
                break
            self._judge_landing(batch, now_ns)
        self._owner.tick(now_ns)

    def due_after_ns(self, now_ns: int) -> int | None:
        due_ns = self._owner.due_after_ns(now_ns)
        if self._landing:
            landing_ns = min(event.stamp.latest_ns for event in self._first_landings()) + self._settle_ns
            due_ns = landing_ns if due_ns is None else min(due_ns, landing_ns)
        return due_ns

    def close(self, now_ns: int) -> None:
        self._owner.close(now_ns)

    def reopen(self, left: tuple[int, ...]) -> None:
        """Go on with these counts: nobody has finished after all."""
        self.position = self.position.reopened(left)
        self.owed_by = dict(enumerate(left, start=1))
        self._owner.reopen()
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
                self._emptied(event.slot, now_ns)

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
        state = self.board.found(event.slot)
        if state is SlotState.LAPSED and self.running_at(event.stamp):
            self._owner.opened(event, now_ns)
        else:
            self.board.set(event.slot, state, now_ns)

    def _emptied(self, slot: Slot, now_ns: int) -> None:
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


def _stamp(event: Filled | Emptied) -> Stamp:
    return event.stamp


def _order_in_batch(event: Filled | Emptied) -> tuple[bool, int]:
    """Lifted before placed, low places before high ones: so most of them are legal."""
    return type(event) is Filled, event.slot.number
