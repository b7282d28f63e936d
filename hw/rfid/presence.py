"""Which tags are at a reader, and between which moments they came and went.

A poll lists the tags in reach at some moment between its start and its reply. So a tag that
comes did so after the start of the last poll that would have listed it, and before the reply
of the first that did. It is reported only when a second poll has listed it too (a garbled
answer may look like a tag), but its stamp is that of the first.

One poll without a tag does not prove that it has gone: it may have been misread, all the more
while a hand is pulling it away. Several in a row, over some time, do prove it; but then
it is unknown which of them missed a tag that was still there. So a tag that goes did so after the
start of the last poll that listed it, and before the reply of the last of those in a row.

The chip lists no more than two tags. A poll that is full says nothing of the others: neither
that they have gone nor, once one of them is listed, that it has come since. The same goes for
one that had to be asked for twice: a tag that answered the first time keeps quiet the second.

What happens while a reader is lost is unknown. What was there is neither reported as gone nor
forgotten. When the reader is back, a tag that it finds again is reported as present once
more: if it has been away at all, it came back after it was last listed and before it was found.
A listener that still has the tag on its list can ignore that. A tag that the reader does not find
is reported as gone, since the poll that last listed it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hw.ports import TagRead
from hw.rfid.frames import MOST_TARGETS, Target

SINCE_EVER_NS = 0
"""The earliest arrival of a tag that the first poll found: there was no poll before."""

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
    reported: bool = False


class Presence:
    """Turns the polls of one reader into the comings and goings of tags."""

    def __init__(self, reader: int) -> None:
        self._reader = reader
        self._tags: dict[bytes, _ListedTag] = {}
        self._looked_ns = SINCE_EVER_NS  # the start of the last poll that would have listed any tag

    def polled(
        self, listed: Iterable[Target], since_ns: int, until_ns: int, *, asked_twice: bool = False
    ) -> list[TagRead]:
        """What a poll that listed these tags adds to what is known."""
        uids = sorted({target.uid for target in listed})
        reads = [read for uid in uids for read in self._hit(uid, since_ns, until_ns)]
        others = [uid for uid in self._tags if uid not in uids]
        if len(uids) < MOST_TARGETS and not asked_twice:
            reads += [read for uid in others for read in self._miss(uid, since_ns, until_ns)]
            self._looked_ns = since_ns
        else:
            self._forget(others)
        return reads

    @property
    def unconfirmed(self) -> bool:
        """Whether a tag was listed for the first time: another poll would show whether it is there."""
        return any(
            tag.reads == READS - 1 and not tag.misses and not tag.reported for tag in self._tags.values()
        )

    def interrupted(self) -> None:
        """Report everything again: the reader was lost, and is back now or will be later."""
        for tag in self._tags.values():
            tag.misses = 0
            if tag.reported:
                tag.reads = 0
                tag.earliest_ns = tag.seen_ns

    def _forget(self, uids: list[bytes]) -> None:
        """Drop what was listed only once: a phone makes up a new number for every poll.

        What has been looked for since it came is kept, for it would get a later stamp if it came up again.
        """
        for uid in uids:
            if not self._tags[uid].reported and self._tags[uid].earliest_ns == self._looked_ns:
                del self._tags[uid]

    def _hit(self, uid: bytes, since_ns: int, until_ns: int) -> list[TagRead]:
        tag = self._tags.get(uid)
        if tag is None:
            tag = self._tags[uid] = _ListedTag(self._looked_ns, until_ns, since_ns)
        if tag.reads == 0:
            tag.latest_ns = until_ns
        tag.seen_ns = since_ns
        tag.misses = 0
        tag.reads += 1
        if tag.reads != READS:
            return []
        tag.reported = True
        return [TagRead(self._reader, uid, True, tag.earliest_ns, tag.latest_ns)]

    def _miss(self, uid: bytes, since_ns: int, until_ns: int) -> list[TagRead]:
        tag = self._tags[uid]
        if tag.misses == 0:
            tag.missed_ns = since_ns
        tag.misses += 1
        if tag.misses < MISSES or until_ns - tag.missed_ns < GONE_NS:
            return []
        del self._tags[uid]
        return [TagRead(self._reader, uid, False, tag.seen_ns, until_ns)] if tag.reported else []
