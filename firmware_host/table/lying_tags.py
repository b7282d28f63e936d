"""The tags on each reader, now and a while ago.

A tag counts from a moment that depends on its stamp alone (see arbiter/tag_lane.py). The same holds for
the moment from which it is gone.
"""

from __future__ import annotations

from firmware_host.events import Shown, TagEvent
from firmware_host.places import Spot, Tag
from firmware_host.stamps import Stamp


class Tags:
    """The tags on all readers; those that went away are remembered for a while."""

    def __init__(self, remember_ns: int) -> None:
        self._remember_ns = remember_ns
        self._lying: dict[Spot, dict[Tag, tuple[int, Stamp]]] = {}
        self._gone: dict[Spot, list[tuple[Tag, int, int]]] = {}

    def take(self, event: TagEvent, counts_ns: int) -> bool:
        """Take an event of a tag, which counts from that moment; True if it changes what lies there."""
        lying = self._lying.setdefault(event.at, {})
        if isinstance(event, Shown):
            news = event.tag not in lying
            lying.setdefault(event.tag, (counts_ns, event.stamp))
            return news
        known = lying.pop(event.tag, None)
        if known is None:
            return False
        since_ns, _ = known
        horizon_ns = counts_ns - self._remember_ns
        gone = [each for each in self._gone.get(event.at, ()) if each[2] >= horizon_ns]
        self._gone[event.at] = [*gone, (event.tag, since_ns, counts_ns)]
        return True

    def is_news(self, event: TagEvent) -> bool:
        """Whether the event changes what lies there."""
        return isinstance(event, Shown) is not (event.tag in self._lying.get(event.at, {}))

    @property
    def everywhere(self) -> dict[Spot, set[Tag]]:
        """All tags that count now, reader by reader."""
        return {at: set(lying) for at, lying in self._lying.items() if lying}

    def lying(self, at: Spot) -> list[Tag]:
        """The tags that count there now."""
        return list(self._lying.get(at, ()))

    def has_found(self, at: Spot, after_ns: int) -> bool:
        """Whether a tag lies there that was found after that moment."""
        return any(stamp.latest_ns >= after_ns for _, stamp in self._lying.get(at, {}).values())

    def newest(self, at: Spot, after_ns: int) -> list[Tag]:
        """The tags that were found there after that moment; all that lie there if there is none."""
        lying = self._lying.get(at, {})
        return [tag for tag, (_, stamp) in lying.items() if stamp.latest_ns >= after_ns] or list(lying)

    def at(self, at: Spot, stamp: Stamp) -> list[Tag]:
        """The tags that counted there at that stamp."""
        lying = self._lying.get(at, {})
        there = [tag for tag, (since_ns, _) in lying.items() if since_ns <= stamp.latest_ns]
        there += [
            tag
            for tag, since_ns, until_ns in self._gone.get(at, ())
            if since_ns <= stamp.latest_ns and until_ns >= stamp.earliest_ns
        ]
        return list(dict.fromkeys(there))

    def gone_within(self, at: Spot, stamp: Stamp, within_ns: int) -> list[Tag]:
        """The tags that had gone at most that long before that stamp."""
        return [
            tag
            for tag, _, until_ns in self._gone.get(at, ())
            if stamp.earliest_ns - within_ns <= until_ns < stamp.earliest_ns
        ]
