"""One round of dice on the board: slots, claims and the clock of the round.

A slot passes through these states. The engine knows only heights and counts; what may
happen to a real die on a real table (knocked off, forgotten, put where it does not
belong) is kept here.
"""

from __future__ import annotations

from enum import IntEnum

from firmware_host.arbiter.claims import Claims, Placement, Ruling, Slap
from firmware_host.arbiter.ties import TieBreaker
from firmware_host.durations import MS
from firmware_host.effects import WINNING, Effect, Judged, SlotChanged, Verdict
from firmware_host.engine.dice import DicePosition
from firmware_host.events import Emptied, Filled, Pressed
from firmware_host.places import ALL_SLOTS, SLOT_INDEX, Slot
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp, contenders

NOTICED_NS = 250 * MS
"""A device that is found to be lost may have been so for about this long."""

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


class DiceRound:
    """Judges placements and slaps between the start call and the last claim."""

    def __init__(self, settings: Settings, position: DicePosition, ties: TieBreaker) -> None:
        self.position = position
        self.states: list[SlotState] = [SlotState.FREE] * len(ALL_SLOTS)
        self.claims = Claims(settings, ties)
        self.ended: Stamp | None = None
        self.finishing: Judged | None = None
        self.called = False  # the start call was given: players know what each of them holds
        self._settle_ns = settings.settle_ns
        self._spans: list[tuple[int, int | None]] = []
        self._landing: list[Filled | Emptied] = []
        self._under: dict[Slot, SlotState] = {}
        self._doubts: list[Stamp] = []
        self._impaired_ns: int | None = None
        self._owed = dict(enumerate(self.position.left, start=1))
        for slot in ALL_SLOTS:
            if slot.number <= self.position.heights[slot.colour]:
                self.states[SLOT_INDEX[slot]] = SlotState.COUNTED

    # -- the clock of the round

    def go(self, t_ns: int) -> None:
        """Slaps and placements count from here on."""
        self._spans.append((t_ns, None))

    def stop(self, t_ns: int) -> None:
        """Slaps and placements surely after this count for nothing."""
        start_ns, _ = self._spans[-1]
        self._spans[-1] = (start_ns, t_ns)

    def running_at(self, stamp: Stamp) -> bool:
        """Whether the round may have been running at that stamp."""
        return any(
            stamp.latest_ns >= start_ns and (stop_ns is None or stamp.earliest_ns <= stop_ns)
            for start_ns, stop_ns in self._spans
        )

    def doubt(self, stamp: Stamp) -> None:
        """Edges were lost in that interval: what may have hung on them is doubtful."""
        self._doubts.append(stamp)

    def impair(self, impaired: bool, t_ns: int) -> None:
        """From then on something is missing that verdicts hang on, or all is there again."""
        if impaired and self._impaired_ns is None:
            self._impaired_ns = t_ns - NOTICED_NS
        elif not impaired and self._impaired_ns is not None:
            self._doubts.append(Stamp(self._impaired_ns, t_ns))
            self._impaired_ns = None

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
        else:
            self.claims.slap(event.seat, event.stamp)

    def tick(self, now_ns: int, out: list[Effect]) -> None:
        """Decide everything that is ripe by now."""
        while self._landing:
            batch = contenders(self._first_landings(), _stamp)
            if min(event.stamp.latest_ns for event in batch) + self._settle_ns > now_ns:
                break
            self._judge_landing(batch, now_ns, out)
        while (ruling := self.claims.next_ruling(now_ns, self._owed)) is not None:
            self._rule(ruling, now_ns, out)
        for placement in self.claims.lapse(now_ns):
            self._lapse(placement.slot, now_ns, out)

    def due_after_ns(self, now_ns: int) -> int | None:
        """When `tick` is needed next."""
        due_ns = self.claims.due_after_ns(now_ns)
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
        self.ended = self.finishing = None
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
                self._emptied(event.slot, now_ns, out)

    def _filled(self, event: Filled, now_ns: int, out: list[Effect]) -> None:
        slot = event.slot
        if slot in self._under:
            self._put_back(event, now_ns, out)
        elif self.state(slot) is not SlotState.FREE:
            return
        elif self.running_at(event.stamp) and self.position.is_legal(slot):
            self.position = self.position.placed(slot)
            self._open(event, now_ns, out)
        else:
            self._set(slot, SlotState.ILLEGAL, now_ns, out)
            if self.running_at(event.stamp):
                self.claims.place(Placement(slot, event.stamp, legal=False))

    def _put_back(self, event: Filled, now_ns: int, out: list[Effect]) -> None:
        before = self._under.pop(event.slot)
        if before is SlotState.LAPSED and self.running_at(event.stamp):
            self._open(event, now_ns, out)
        else:
            self._set(event.slot, before, now_ns, out)

    def _open(self, event: Filled, now_ns: int, out: list[Effect]) -> None:
        self.claims.place(Placement(event.slot, event.stamp, legal=True, doubtful=event.late))
        self._set(event.slot, SlotState.OPEN, now_ns, out)

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
        )
        out.append(judged)
        if won and placement is not None:
            self._count(placement, judged, now_ns, out)

    def _is_doubtful(self, slap: Slap, placement: Placement | None) -> bool:
        """Whether a lost edge may have been a rival's slap, or the die that was slapped for."""
        if placement is not None and placement.doubtful:
            return True
        first_ns, last_ns = self.claims.contest_ns(slap, placement)
        if self._impaired_ns is not None and last_ns >= self._impaired_ns:
            return True
        return any(doubt.latest_ns >= first_ns and doubt.earliest_ns <= last_ns for doubt in self._doubts)

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
        self.ended = judged.stamp
        self.finishing = judged
        end_ns = judged.stamp.latest_ns
        self._spans = [
            (start_ns, end_ns if stop_ns is None else min(stop_ns, end_ns))
            for start_ns, stop_ns in self._spans
        ]
        for slap in self.claims.close(judged.stamp):
            out.append(Judged(Verdict.NOT_RUNNING, slap.seat, slap.stamp, now_ns))


def _stamp(event: Filled | Emptied) -> Stamp:
    return event.stamp


def _order_in_batch(event: Filled | Emptied) -> tuple[bool, int]:
    """Taken off before put on, low places before high ones: what makes most of it legal."""
    return type(event) is Filled, event.slot.number
