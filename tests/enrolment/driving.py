"""Somebody who enrols tags without devices: hands, keys and a watch."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.config.tags import Enrolled, Registry
from firmware_host.durations import MS, S
from firmware_host.enrolment.course import Course
from firmware_host.enrolment.flow import MOVE_NS, SETTLE_NS, Flow
from firmware_host.enrolment.happenings import Came, Happening, Key, Went
from firmware_host.enrolment.news import Asked, News
from firmware_host.enrolment.phases import Phase
from firmware_host.enrolment.readers import Readers
from firmware_host.places import Card, Colour, Pad, Pile, Spot

REDS: tuple[Card, ...] = tuple(Card(1, Colour.RED, number) for number in range(1, 5))
PADS: tuple[Spot, ...] = (Pad(1), Pad(2), Pile(1))
A, B, C, D = "aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd"


class Person:
    """Has a flow to go through; `news` is what has come of it."""

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
        self.course = Course(items, Registry(tags or {}), again=again)
        self.flow = Flow(self.course, Readers(spots, reader))
        self.news: list[News] = self.flow.begin(self.now_ns)

    def do(self, happening: Happening) -> list[News]:
        """It happens now; what comes of it."""
        news = self.flow.handle(happening, self.now_ns)
        self.news += news
        return news

    def wait(self, for_ns: int = SETTLE_NS) -> list[News]:
        """Let time pass, and stop at each moment at which something is due."""
        until_ns, news = self.now_ns + for_ns, []
        while self.flow.due_ns is not None and self.flow.due_ns <= until_ns:
            self.now_ns = max(self.now_ns, self.flow.due_ns)
            news += self.flow.advance(self.now_ns)
        self.now_ns = until_ns
        news += self.flow.advance(self.now_ns)
        self.news += news
        return news

    def put(self, uid: str, reader: int = 0, *, early: bool = False) -> list[News]:
        """A tag comes to a reader."""
        return self.do(Came(reader, uid, early))

    def take(self, uid: str, reader: int = 0) -> list[News]:
        """It goes."""
        return self.do(Went(reader, uid))

    def show(self, uid: str, reader: int = 0, for_ns: int = SETTLE_NS) -> list[News]:
        """Hold a tag to a reader for some time, and take it off; what came of it in between."""
        news = self.put(uid, reader) + self.wait(for_ns)
        return news + self.take(uid, reader)

    def leave(self, uid: str) -> list[News]:
        """Leave a tag on a reader until it moves."""
        return self.show(uid, for_ns=SETTLE_NS + MOVE_NS + 1 * MS)

    def press(self, key: Key) -> list[News]:
        """Press a key."""
        return self.do(key)

    def at(self, phase: Phase) -> bool:
        """Whether the flow is in this phase."""
        return self.flow.phase is phase

    @property
    def tags(self) -> dict[str, Enrolled]:
        """What stands for what by now."""
        return dict(self.course.registry)

    @property
    def asked(self) -> list[Enrolled]:
        """What was asked for, in this order."""
        return [each.item for each in self.news if isinstance(each, Asked)]
