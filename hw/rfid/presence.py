"""Which tags are at a reader, and between which moments they came and went.

A poll lists the tags in reach at some moment between its start and its reply. So a tag that
comes did so after the start of the last poll that would have listed it, and before the reply
of the first that did. It is believed only when a second poll has listed it too (a garbled
answer may look like a tag), but its stamp is that of the first.

One poll without a tag does not prove that it has gone: it may have been misread, all the more
while a hand is pulling it away. Several in a row, over some time, do prove it; but then
nobody knows which of them missed a tag that was still there. So a tag that goes did so after the
start of the last poll that listed it, and before the reply of the last of those in a row.

The chip lists no more than two tags. A poll that is full says nothing of the others: neither
that they have gone nor, once one of them is listed, that it has come since. The same goes for
one that had to be asked for twice: a tag that answered the first time keeps quiet the second.

Nobody sees what happens while a reader is lost. What was there is neither reported as gone nor
forgotten. When the reader is back, a tag that it finds again is reported as present once
more: if it has been away at all, it came back after it was last listed and before it was found.
For whoever has it on his list still, that is no news. What it does not find is reported
as gone, since the poll that last listed it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hw.ports import TagRead
from hw.rfid.commands import MOST_TARGETS, Target

SINCE_EVER_NS = 0
"""When a tag came that the first poll found: nobody looked before."""

READS = 2
MISSES = 3
GONE_NS = 100_000_000


@dataclass(slots=True)
class _ListedTag:
    """A tag that was listed lately."""

    earliest_ns: int
    latest_ns: int
    seen_ns: int  # the start of the last poll that listed it
    missed_ns: int = 0  # the start of the first poll since then that did not
    reads: int = 0
    misses: int = 0
    told: bool = False


class Presence:
    """Takes the results of polls and gives the comings and goings at one reader."""

    def __init__(self, reader: int) -> None:
        self._reader = reader
        self._sights: dict[bytes, _ListedTag] = {}
        self._looked_ns = SINCE_EVER_NS  # the start of the last poll that would have listed any tag

    def polled(
        self, listed: Iterable[Target], since_ns: int, until_ns: int, *, asked_twice: bool = False
    ) -> list[TagRead]:
        """A poll listed these tags; what is known now that was not before."""
        uids = sorted({target.uid for target in listed})
        reads = [read for uid in uids for read in self._hit(uid, since_ns, until_ns)]
        others = [uid for uid in self._sights if uid not in uids]
        if len(uids) < MOST_TARGETS and not asked_twice:
            reads += [read for uid in others for read in self._miss(uid, since_ns, until_ns)]
            self._looked_ns = since_ns
        else:
            self._forget(others)
        return reads

    def interrupted(self) -> None:
        """The reader was lost, and is back now or some time later: everything is to be told again."""
        for sight in self._sights.values():
            sight.misses = 0
            if sight.told:
                sight.reads = 0
                sight.earliest_ns = sight.seen_ns

    def _forget(self, uids: list[bytes]) -> None:
        """Drop what was listed but once: a phone makes up a new number for every poll.

        What has been looked for since it came is kept, for it would get a later stamp if it came up again.
        """
        for uid in uids:
            if not self._sights[uid].told and self._sights[uid].earliest_ns == self._looked_ns:
                del self._sights[uid]

    def _hit(self, uid: bytes, since_ns: int, until_ns: int) -> list[TagRead]:
        sight = self._sights.get(uid)
        if sight is None:
            sight = self._sights[uid] = _ListedTag(self._looked_ns, until_ns, since_ns)
        if sight.reads == 0:
            sight.latest_ns = until_ns
        sight.seen_ns = since_ns
        sight.misses = 0
        sight.reads += 1
        if sight.reads != READS:
            return []
        sight.told = True
        return [TagRead(self._reader, uid, True, sight.earliest_ns, sight.latest_ns)]

    def _miss(self, uid: bytes, since_ns: int, until_ns: int) -> list[TagRead]:
        sight = self._sights[uid]
        if sight.misses == 0:
            sight.missed_ns = since_ns
        sight.misses += 1
        if sight.misses < MISSES or until_ns - sight.missed_ns < GONE_NS:
            return []
        del self._sights[uid]
        return [TagRead(self._reader, uid, False, sight.seen_ns, until_ns)] if sight.told else []
