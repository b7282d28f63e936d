"""Simulated readers of tags: they report what hands do, as late and with as wide stamps as real ones.

They have no registers and no line; `hw/sim/pn532.py` has one down to the bytes. A tag is found by the next
look after it has come, and reported after a second one, for which its reader does not wait for its
neighbours; it is reported as gone when several looks in a row, over some time, have missed it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hw.ports import TagRead
from hw.rfid.presence import GONE_NS, MISSES, SINCE_EVER_NS
from hw.sim.agenda import Agenda
from hw.work import Mailbox

LOOK_NS = 40_000_000
"""From one look of a real reader to the next."""
MOST_TAGS = 2
"""The most that a real reader lists at a time."""


class SimReaders:
    """The readers of one table, with one queue of reports.

    `turns` says for each reader how many neighbours take turns with it, itself included: so much longer
    is the time from look to look.
    """

    def __init__(self, agenda: Agenda, chance: Random, turns: Sequence[int]) -> None:
        self._mailbox: Mailbox[TagRead] = Mailbox()
        self.readers = [
            SimReader(number, agenda, chance, LOOK_NS * each, self._mailbox)
            for number, each in enumerate(turns)
        ]

    def read(self) -> list[TagRead]:
        """The reports since the last call."""
        return self._mailbox.take()

    def fileno(self) -> int:
        return self._mailbox.fileno()

    def close(self) -> None:
        """Stop reporting."""
        self._mailbox.close()


class SimReader:
    """One reader; `cycle_ns` is the time from look to look."""

    def __init__(
        self, number: int, agenda: Agenda, chance: Random, cycle_ns: int, mailbox: Mailbox[TagRead]
    ) -> None:
        self._number = number
        self._agenda = agenda
        self._cycle_ns = cycle_ns
        self._phase_ns = chance.randrange(cycle_ns)
        self._mailbox = mailbox
        self._came_ns: dict[bytes, int] = {}
        self._left_ns: dict[bytes, int] = {}
        self._reported: dict[bytes, int] = {}

    # -- a hand

    def put(self, uid: bytes) -> None:
        """Bring a tag before it."""
        t_ns = self._came_ns[uid] = self._agenda.now_ns
        found_ns = self._next_look_ns(t_ns)
        self._plan(uid, max(SINCE_EVER_NS, found_ns - self._cycle_ns), found_ns)

    def take(self, uid: bytes) -> None:
        """Take it away again."""
        if self._came_ns.pop(uid, None) is None:
            return
        last_ns = self._next_look_ns(self._agenda.now_ns) - self._cycle_ns
        misses = max(MISSES, -(-GONE_NS // self._cycle_ns) + 1)
        self._left_ns[uid] = last_ns
        self._agenda.at(last_ns + misses * self._cycle_ns, lambda: self._miss(uid, last_ns))

    def restart(self) -> None:
        """Report again what lies before it: it was switched off and on, or has a new listener."""
        self._reported.clear()
        self._left_ns.clear()
        for uid in self._came_ns:
            self._came_ns[uid] = self._agenda.now_ns
            self._plan(uid, SINCE_EVER_NS, self._next_look_ns(self._agenda.now_ns))

    # -- its looks

    def _next_look_ns(self, t_ns: int) -> int:
        return t_ns + self._cycle_ns - (t_ns - self._phase_ns) % self._cycle_ns

    def _plan(self, uid: bytes, earliest_ns: int, found_ns: int) -> None:
        """Find the tag then, and report it with a second look at once, if it is still there."""
        came_ns = self._came_ns[uid]
        self._agenda.at(found_ns + LOOK_NS, lambda: self._find(uid, came_ns, earliest_ns, found_ns))

    def _find(self, uid: bytes, came_ns: int, earliest_ns: int, found_ns: int) -> None:
        if self._came_ns.get(uid) != came_ns or uid in self._reported:
            return  # it has gone again, or has never been missed
        if len(self._reported) >= MOST_TAGS:
            again_ns = self._next_look_ns(self._agenda.now_ns - 1)
            self._plan(uid, max(SINCE_EVER_NS, again_ns - self._cycle_ns), again_ns)
            return
        self._reported[uid] = found_ns
        self._mailbox.post(TagRead(self._number, uid, True, earliest_ns, found_ns))

    def _miss(self, uid: bytes, last_ns: int) -> None:
        if self._left_ns.get(uid) != last_ns or uid in self._came_ns or uid not in self._reported:
            return  # it has come back meanwhile, and perhaps gone again
        del self._reported[uid]
        self._mailbox.post(TagRead(self._number, uid, False, last_ns, self._agenda.now_ns))
