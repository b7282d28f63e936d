"""The way through all that is to be enrolled: which one comes next, and which tag stands for what by now.

One is open as long as it has no tag and was not skipped; with `again` also one that has a tag, until
it has been gone through. The next one is the first open one behind the one asked for, and at the end
those before it: what has lost its tag to another one comes up once more.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.config.tags import Enrolled, Registry
from firmware_host.enrolment.news import Kept, Stayed


class Course:
    """`items` are gone through in their order."""

    def __init__(self, items: Sequence[Enrolled], registry: Registry, *, again: bool = False) -> None:
        self.items = tuple(item for item in items if again or item not in set(registry.values()))
        self.registry = registry
        self.asked: Enrolled | None = self.items[0] if self.items else None
        self._again = again
        self._redone: Enrolled | None = None
        self._skipped: set[Enrolled] = set()
        self._kept: set[Enrolled] = set()
        self._decided: list[Enrolled] = []

    @property
    def number(self) -> int:
        """Which one of all it is that is asked for, counted from 1."""
        return self.items.index(self.wanted) + 1

    @property
    def wanted(self) -> Enrolled:
        """What is asked for."""
        assert self.asked is not None, "it was asked for something before its end"
        return self.asked

    @property
    def left(self) -> int:
        """So many have no tag."""
        return len(set(self.items) - set(self.registry.values()))

    def may_rob(self, other: Enrolled) -> bool:
        """Whether the tag of another one may be taken for what is asked for.

        One that was gone through already is safe: it may only have been left lying on the reader.
        """
        return self._redone == self.asked or (self._again and other not in self._kept)

    def keep(self, uid: str) -> Kept | Stayed:
        """This tag stands for what is asked for from now on."""
        item = self.wanted
        self._decide(item)
        self._kept.add(item)
        before = self.registry.get(uid)
        if before == item:
            return Stayed(item, uid)
        tags = dict(self.registry)
        tags.pop(uid, None)
        old = next((each for each, tag in tags.items() if tag == item), None)
        if old is not None:
            del tags[old]
        self.registry = Registry({**tags, uid: item})
        return Kept(item, uid, before, old)

    def skip(self) -> Enrolled:
        """Leave out what is asked for, and go on."""
        item = self.wanted
        self._decide(item)
        self._skipped.add(item)
        self.go_on()
        return item

    def go_on(self) -> None:
        """Ask for the next one, if there is one."""
        start = self.number
        has_tag = set(self.registry.values())
        ahead = (*self.items[start:], *self.items[:start])
        self.asked = next((item for item in ahead if self._is_open(item, has_tag)), None)

    def back(self) -> bool:
        """Ask once more for the one that was kept or skipped last, if there was one."""
        if not self._decided:
            return False
        item = self._decided.pop()
        self._skipped.discard(item)
        self._kept.discard(item)
        self.asked = self._redone = item
        return True

    def _decide(self, item: Enrolled) -> None:
        self._redone = None
        self._decided.append(item)

    def _is_open(self, item: Enrolled, has_tag: set[Enrolled]) -> bool:
        if item in self._skipped:
            return False
        return item not in has_tag or (self._again and item not in self._kept)
