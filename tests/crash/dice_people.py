"""Careful people with dice."""

from __future__ import annotations

import re

from firmware_host.lab.bots.page_reading import PageReading
from firmware_host.lab.bots.person import RED, Actions
from firmware_host.model.places import ALL_SLOTS, Colour, DieFace, Slot
from firmware_host.model.times import MS
from tests.crash.people import GLANCE_NS, REST_NS, Look, People
from tests.crash.plans import DICE_EACH, SEATS, FalseClaim, Play, SideShow, WrongPlace

LIFT_NS = 150 * MS
_CHECK = re.compile(r"Check: (red|yellow|green|blue) ([1-6])")


class DicePeople(People):
    """They put dice on the board and slap."""

    def taken(self, counts: tuple[int, ...]) -> int:
        return DICE_EACH * len(SEATS) - sum(counts)

    def _make(self, play: Play, counts: tuple[int, ...]) -> Actions:
        slot, world = play.what, self._world
        assert isinstance(slot, Slot)
        start_ns = max(0, -play.slap_ns)
        world.after(start_ns, lambda: self._fill(slot))
        slap_ns = start_ns + play.slap_ns
        world.after(slap_ns, lambda: self._tap(play.seat))
        if play.rival:
            world.after(slap_ns + play.lag_ns, lambda: self._tap(play.rival))
        yield max(start_ns, slap_ns + play.lag_ns) + GLANCE_NS
        if (yield from self._until_counted(counts)):
            if play.rival and self._running():
                yield from self._watch_rival(play)
            yield REST_NS  # a slap that comes sooner may be taken for a rival's
        elif self._running():
            self.diary.repeated += 1
            yield from self._put_right(self.taken(self._read().counts or counts))

    def _put_right(self, index: int) -> Actions:
        counted = {play.what for play in self.round.plays[:index]}
        for slot in ALL_SLOTS:
            if self._world.is_filled(slot) and slot not in counted:
                self._world.empty(slot)
                yield LIFT_NS
            elif not self._world.is_filled(slot) and slot in counted:
                self._fill(slot)
                yield LIFT_NS
        yield REST_NS

    def _end(self) -> Actions:
        """The last die ends the round by itself."""
        yield GLANCE_NS

    def _show_off(self, show: SideShow) -> Look:
        if isinstance(show, FalseClaim):
            return (yield from self._claim_falsely(show))
        assert isinstance(show, WrongPlace)
        if not (yield from self._calm(show.seat)):
            return False
        slot, seat = show.slot, show.seat
        self._fill(slot)
        self._world.after(100 * MS, lambda: self._tap(seat))
        yield 250 * MS
        seen = yield from self._until(lambda: RED in self._world.slot_light(slot, GLANCE_NS), 1500 * MS)
        yield REST_NS
        if self._running():
            self._world.empty(slot)
            yield REST_NS
        return seen

    def _show_left(self, counts: tuple[int, ...]) -> Actions:
        """The table knows what is left: what was dealt less what has counted."""
        yield GLANCE_NS

    def _miscount(self, counts: tuple[int, ...]) -> None:
        words = f"round {self._number}: left {self.round.left}, the table says {counts}"
        if words not in self.diary.complaints:
            self.diary.complaints.append(words)

    def _take_off(self, reading: PageReading) -> Actions:
        for slot in ALL_SLOTS:
            if self._world.is_filled(slot):
                self._world.empty(slot)
                yield LIFT_NS
        yield REST_NS

    def _wait(self, reading: PageReading) -> Actions:
        """While it is paused the table may say which place looks otherwise than it should."""
        for line in self._world.lines:
            astray = _CHECK.fullmatch(line)
            if astray:
                slot = Slot(Colour[astray[1].upper()], int(astray[2]))
                if self._world.is_filled(slot):
                    self._world.empty(slot)
                else:
                    self._fill(slot)
                yield REST_NS
        yield from super()._wait(reading)

    def _fill(self, slot: Slot) -> None:
        self._world.fill(slot, DieFace(1, 1))
