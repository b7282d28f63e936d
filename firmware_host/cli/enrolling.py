"""Enrolling at a desk: reports of devices go into the flow, what comes of it to the file and to people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from firmware_host.cli.tag_file import TagFile
from firmware_host.cli.tag_telling import tell_health, tell_news
from firmware_host.enrolment.flow import Flow
from firmware_host.enrolment.happenings import Came, Found, Happening, Key, Lost, Went
from firmware_host.enrolment.news import Kept, News
from firmware_host.enrolment.page import page, page_due_ns
from firmware_host.enrolment.phases import Phase
from firmware_host.runtime.assembly.desk import Desk
from firmware_host.runtime.equipment import Report
from hw.ports import Condition, Health, TagRead

_KEYS = {key.value: key for key in Key}


class Keys(Protocol):
    """Where keys come from."""

    @property
    def descriptors(self) -> Sequence[int]:
        """What is readable when a key was pressed."""

    def read(self) -> str:
        """The keys that were pressed since the last call."""


class Enrolling:
    """Leads through a flow until it is over; each tag is in the file before anybody reads that it is."""

    def __init__(
        self, desk: Desk, flow: Flow, file: TagFile, language: str, keys: Keys, echo: Callable[[str], object]
    ) -> None:
        self.kept = 0
        self._desk = desk
        self._flow = flow
        self._file = file
        self._book = file.book
        self._language = language
        self._keys = keys
        self._echo = echo
        self._names = [spot.name for spot in desk.spots]
        self._began_ns = desk.clock.now_ns()

    def run(self) -> None:
        """Until everything was gone through, or somebody has had enough."""
        self.begin()
        while self._flow.phase is not Phase.OVER:
            self.step()

    def begin(self) -> None:
        """Ask for the first one."""
        self._take(self._flow.begin(self._began_ns))

    def step(self) -> None:
        """Wait until something happens or is due, and see what comes of it."""
        flow, desk = self._flow, self._desk
        now_ns = desk.clock.now_ns()
        lines = page(flow, self._language, desk.scoreboard.columns, now_ns)
        desk.scoreboard.show(lines, self._language)
        due_ns = page_due_ns(flow, now_ns)
        due_ns = due_ns if flow.due_ns is None else min(due_ns, flow.due_ns)
        reports = desk.step(due_ns, self._keys.descriptors)
        now_ns = desk.clock.now_ns()
        for happening in (*map(self._meant, reports), *map(_KEYS.get, self._keys.read())):
            if happening is not None:
                self._take(flow.handle(happening, now_ns))
        self._take(flow.advance(now_ns))

    def _meant(self, report: Report) -> Happening | None:
        """What a report means for the flow."""
        if isinstance(report, TagRead):
            uid = report.uid.hex()
            if report.present:
                return Came(report.reader, uid, early=report.earliest_ns <= self._began_ns)
            return Went(report.reader, uid)
        if not isinstance(report, Health):
            return None
        reader = self._names.index(report.device) if report.device in self._names else None
        if reader is None or reader in self._flow.readers.eligible:  # how the others are does not matter now
            self._echo(tell_health(report))
        if reader is None:
            return None
        return Lost(reader) if report.condition is Condition.LOST else Found(reader)

    def _take(self, news: Sequence[News]) -> None:
        for each in news:
            if isinstance(each, Kept):
                self._book = self._book.with_tag(each.uid, each.item)
                self._file.replace(self._book.text)
                self.kept += 1
            self._echo(tell_news(each, self._desk.spots))
