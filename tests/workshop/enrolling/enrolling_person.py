"""Somebody who enrols tags without devices: hands, keys and a watch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_host.model.places import Card, Colour, Pad, Pile, Spot
from firmware_host.model.times import MS, S
from firmware_host.profile.profile import TagSpot
from firmware_host.profile.tags import Enrolled, Registry, format_registry
from firmware_host.workshop.enrolling.enroller import MOVE_NS, SETTLE_NS, Enroller, EnrolState
from firmware_host.workshop.enrolling.worklist import RegistryText, Worklist

REDS: tuple[Card, ...] = tuple(Card(1, Colour.RED, number) for number in range(1, 5))
PADS: tuple[Spot, ...] = (Pad(1), Pad(2), Pile(1))
A, B, C, D = "aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd"


def worklist(
    items: Sequence[Enrolled] = REDS, tags: dict[str, Enrolled] | None = None, *, again: bool = False
) -> Worklist:
    """These are to be enrolled; `tags` are in the registry already."""
    text = format_registry(Registry(tags or {}))
    return Worklist(items, RegistryText(text, "tags.csv"), again=again)


class Person:
    """Has an enroller; each method gives the messages that came of it."""

    def __init__(
        self,
        items: Sequence[Enrolled] = REDS,
        tags: dict[str, Enrolled] | None = None,
        *,
        again: bool = False,
        spots: Sequence[Spot] = PADS,
        reader: int | None = None,
    ) -> None:
        self.now_ns = 5 * S
        self.worklist = worklist(items, tags, again=again)
        named = [TagSpot(name=str(spot).replace(" ", "-"), at=spot, port="", group=0) for spot in spots]
        self.enroller = Enroller(self.worklist, named, reader)
        self.begun = self.do(self.enroller.ask)

    def do(self, deed: Callable[[int], None]) -> list[str]:
        """It happens now."""
        deed(self.now_ns)
        messages = [message.strip() for message in self.enroller.messages]
        self.enroller.messages.clear()
        return messages

    def wait(self, for_ns: int = SETTLE_NS) -> list[str]:
        """Let time pass, and stop at each moment at which something is due."""
        until_ns, messages = self.now_ns + for_ns, []
        while (due_ns := self.enroller.due_ns) is not None and due_ns <= until_ns:
            self.now_ns = max(self.now_ns, due_ns)
            messages += self.do(self.enroller.advance)
        self.now_ns = until_ns
        return messages + self.do(self.enroller.advance)

    def put(self, uid: str, reader: int = 0, *, early: bool = False) -> list[str]:
        """A tag comes to a reader."""
        return self.do(lambda now_ns: self.enroller.came(reader, uid, now_ns, early=early))

    def take(self, uid: str, reader: int = 0) -> list[str]:
        """It goes."""
        return self.do(lambda now_ns: self.enroller.went(reader, uid, now_ns))

    def show(self, uid: str, reader: int = 0, for_ns: int = SETTLE_NS) -> list[str]:
        """Hold a tag to a reader for some time, and take it off."""
        return self.put(uid, reader) + self.wait(for_ns) + self.take(uid, reader)

    def leave(self, uid: str) -> list[str]:
        """Leave a tag on a reader until it moves."""
        return self.show(uid, for_ns=SETTLE_NS + MOVE_NS + 1 * MS)

    def press(self, key: str) -> list[str]:
        """Press a key."""
        return self.do(lambda now_ns: self.enroller.press(key, now_ns))

    def lose(self, reader: int) -> list[str]:
        """A reader is lost."""
        return self.do(lambda now_ns: self.enroller.lost(reader, now_ns))

    def find(self, reader: int) -> list[str]:
        """A reader works."""
        return self.do(lambda now_ns: self.enroller.found(reader, now_ns))

    def at(self, state: EnrolState) -> bool:
        """Whether the enroller is in this state."""
        return self.enroller.state is state

    @property
    def tags(self) -> dict[str, Enrolled]:
        """What stands for what by now."""
        return dict(self.worklist.text.registry)
