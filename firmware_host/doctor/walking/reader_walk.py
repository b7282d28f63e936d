"""The walk through all readers with any tag: each is ticked off when it sees one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.doctor.findings import Finding, State
from firmware_host.doctor.walking.checklist import Checklist
from firmware_host.doctor.walking.walk import Walk
from firmware_host.events import Shown, Withdrawn
from firmware_host.input_text import Input
from firmware_host.places import Spot, Stranger, Tag
from firmware_host.tag_text import format_tag


class ReaderWalk(Walk):
    """`ports` has the words for where each reader is plugged in; all are asked for in that order."""

    name = "readers"

    def __init__(self, ports: Mapping[Spot, str], uid_of: Callable[[Tag], bytes]) -> None:
        super().__init__()
        self._uid_of = uid_of
        self._list = Checklist(ports)
        self._ports = ports
        self._saw: dict[Spot, str] = {}
        self._enrolled: dict[Spot, bool] = {}
        self._lying: dict[str, set[Spot]] = {}
        self._shared: set[tuple[Spot, Spot]] = set()

    @property
    def done(self) -> bool:
        return self._list.asked is None

    def put(self, seen: Input, now_ns: int) -> None:
        if isinstance(seen, Shown):
            self._came(seen.at, seen.tag)
        elif isinstance(seen, Withdrawn):
            self._lying.setdefault(self._uid_of(seen.tag).hex(), set()).discard(seen.at)
        else:
            super().put(seen, now_ns)

    def _came(self, at: Spot, tag: Tag) -> None:
        uid = self._uid_of(tag).hex()
        spots = self._lying.setdefault(uid, set())
        for other in spots - {at}:
            self._shared.add((min(other, at, key=str), max(other, at, key=str)))
            self.note(f"{other} and {at} see the same tag")
        spots.add(at)
        known = not isinstance(tag, Stranger)
        self._enrolled[at] = self._enrolled.get(at, False) or known
        self._saw[at] = f"{uid}: {_stands_for(tag)}"
        asked = self._list.asked
        instead = "" if self._list.tick(at) else f"; {asked} was asked for"
        self.note(f"{self._list.mark(at)} {at} ({self._ports[at]}) sees {self._saw[at]}{instead}")

    def picture(self) -> list[str]:
        lines = [f"{self._list.mark(at)} {at!s:<10} {self._saw.get(at, '')}".rstrip() for at in self._ports]
        asked = self._list.asked
        if asked is None:
            return [*lines, f"{self._list.count()}: all have seen a tag"]
        return [*lines, f"{self._list.count()}; now hold a tag to: {asked} ({self._ports[asked]})"]

    def results(self) -> list[Finding]:
        findings = [self._of(at) for at in self._list.parts]
        for one, other in sorted(self._shared, key=str):
            seen = f"{one} and {other} saw the same tag at the same time"
            advice = "they are too near to each other for groups of their own: give both one `group`"
            findings.append(self.found(str(one), State.WARN, seen, advice))
        for at in self._list.parts:
            asked = self._list.instead_of(at)
            if asked is not None:
                seen = f"it saw a tag when {asked} was asked for"
                advice = f"if you held it to {asked}: that reader is at {self._ports[at]}; change the two"
                findings.append(self.found(str(at), State.NOTE, seen, advice))
        return findings

    def _of(self, at: Spot) -> Finding:
        if not self._list.has(at):
            seen = f"saw no tag ({self._ports[at]})"
            advice = "hold one flat to the middle of its antenna; metal beneath blinds it"
            return self.found(str(at), State.FAIL, seen, advice)
        if not self._enrolled[at]:
            advice = "any tag does for this walk; those of the game: ligretto-table tags enrol"
            return self.found(str(at), State.OK, self._saw[at], advice)
        return self.found(str(at), State.OK, self._saw[at])


def _stands_for(tag: Tag) -> str:
    return "not enrolled" if isinstance(tag, Stranger) else format_tag(tag)
