"""The walk through all readers with any tag: each is ticked off when it sees one."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.doctor.findings import Finding, State
from firmware_host.doctor.walking.checklist import Checklist
from firmware_host.doctor.walking.walk import Walk
from firmware_host.effects import Effect, TagNoticed
from firmware_host.events import Shown, TagEvent
from firmware_host.places import Spot, Stranger, Tag
from firmware_host.tag_text import format_tag


class ReaderWalk(Walk):
    """`ports` has the words for where each reader is plugged in; all are asked for in that order."""

    name = "readers"

    def __init__(self, ports: Mapping[Spot, str]) -> None:
        super().__init__()
        self._list = Checklist(ports)
        self._ports = ports
        self._saw: dict[Spot, str] = {}
        self._enrolled: dict[Spot, bool] = {}
        self._lying: dict[str, set[Spot]] = {}
        self._shared: set[tuple[Spot, Spot]] = set()

    @property
    def done(self) -> bool:
        return self._list.asked is None

    def notice(self, effect: Effect, now_ns: int) -> None:
        if not isinstance(effect, TagNoticed):
            return
        spots = self._lying.setdefault(effect.uid, set())
        if not effect.present:
            spots.discard(effect.at)
            return
        for other in spots - {effect.at}:
            self._shared.add((min(other, effect.at, key=str), max(other, effect.at, key=str)))
            self.tell(f"{other} and {effect.at} see the same tag")
        spots.add(effect.at)
        self._saw[effect.at] = effect.uid

    def arrive_tag(self, event: TagEvent, now_ns: int) -> None:
        """The loop has given the tag's number to `notice` before this."""
        if not isinstance(event, Shown):
            return
        at, uid = event.at, self._saw[event.at]
        known = not isinstance(event.tag, Stranger)
        self._enrolled[at] = self._enrolled.get(at, False) or known
        self._saw[at] = f"{uid}: {_stands_for(event.tag)}"
        asked = self._list.asked
        instead = "" if self._list.tick(at) else f", asked for was {asked}"
        self.tell(f"{self._list.mark(at)} {at} ({self._ports[at]}) sees {self._saw[at]}{instead}")

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
    return "enrolled nowhere" if isinstance(tag, Stranger) else format_tag(tag)
