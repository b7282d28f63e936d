"""The cards and faces to be enrolled: which one comes next, and which tags they have.

An item is open as long as it has no tag and was not skipped. With `again` an item with a tag is open, too,
until it is kept. The next item is the first open one after the present one. After the last item the
search starts at the front, so an item that has lost its tag to another one is asked for again.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.config.tags import Enrolled
from firmware_host.enrolment.registry_text import RegistryText


class Worklist:
    """The items in their order, and the text of the registry in `text`."""

    def __init__(self, items: Sequence[Enrolled], text: RegistryText, *, again: bool = False) -> None:
        self.items = tuple(item for item in items if again or text.uid_of(item) is None)
        self.text = text
        self.asked: Enrolled | None = self.items[0] if self.items else None
        self._again = again
        self._went_back = False
        self._skipped: set[Enrolled] = set()
        self._kept: set[Enrolled] = set()
        self._history: list[Enrolled] = []  # kept or skipped

    @property
    def wanted(self) -> Enrolled:
        """The item that is asked for; there must be one."""
        assert self.asked is not None, "nothing is asked for after the end"
        return self.asked

    @property
    def number(self) -> int:
        """The number of the item that is asked for, counted from 1."""
        return self.items.index(self.wanted) + 1

    @property
    def left(self) -> int:
        """How many items have no tag."""
        return len(set(self.items) - set(self.text.registry.values()))

    @property
    def saved(self) -> bool:
        """Whether the item that is asked for has got its tag now."""
        return self.asked in self._kept

    def may_take_tag_of(self, other: Enrolled) -> bool:
        """Whether another item's tag may move to the one that is asked for.

        The tag of the item that was just kept may not: it may only have been left on the reader.
        """
        return self._went_back or (self._again and other not in self._kept)

    def keep(self, uid: str) -> None:
        """Let this tag stand for the item that is asked for."""
        before = self.text.registry.get(uid)
        self._kept = {item for item in self._kept if item != before} | {self.wanted}
        self.text = self.text.with_tag(uid, self.wanted)
        self._decide()

    def skip(self) -> Enrolled:
        """Skip the item that is asked for, and go on; gives the skipped item."""
        item = self.wanted
        self._skipped.add(item)
        self._decide()
        self.go_on()
        return item

    def go_on(self) -> None:
        """Ask for the next open item, if there is one."""
        ahead = (*self.items[self.number :], *self.items[: self.number])
        has_tag = set(self.text.registry.values())
        done = self._skipped | (self._kept if self._again else has_tag)
        self.asked = next((item for item in ahead if item not in done), None)

    def back(self) -> bool:
        """Ask again for the last item that was kept or skipped, if there was one."""
        if not self._history:
            return False
        self.asked = self._history.pop()
        self._skipped.discard(self.asked)
        self._kept.discard(self.asked)
        self._went_back = True
        return True

    def _decide(self) -> None:
        self._went_back = False
        self._history.append(self.wanted)
