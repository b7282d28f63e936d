"""Writes down what a table takes in and decides, as a scenario that `replay` checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from firmware_host.games.games import EXPERT
from firmware_host.lab.party import Invitation
from firmware_host.lab.scenarios.expectations import scan_text, tie_text, verdict_text
from firmware_host.model.effects import (
    Effect,
    Judged,
    LeftoverScanned,
    MatchEnded,
    PhaseEntered,
    RoundScored,
    TieBroken,
)
from firmware_host.model.errors import BadSettings
from firmware_host.model.events import TagSeen, format_event
from firmware_host.model.places import Button, Slot, Source, Spot, Tag, format_spot, format_tag
from firmware_host.model.states import Phase
from firmware_host.model.times import format_duration, format_seconds
from firmware_host.profile.profile import Profile
from firmware_host.referee import Step
from firmware_host.run.equipment import Intake, Report, needed_devices
from firmware_host.run.table_files import load_profile, simulated_registry, table_of
from hw.ports import Edge, Gap, Health, TagRead
from wiring import profile_names


class Recorder:
    """Edges and tags in the order of their arrival, verdicts and ties when they are decided."""

    def __init__(self, asked: Invitation, seed: int, write: Callable[[str], object]) -> None:
        profile = asked.profile
        self._lines = profile.lines
        spots = [reader.at for reader in profile.readers]
        self._intake = Intake(profile.lines, 0, needed_devices(profile), spots, simulated_registry(profile))
        self._write = write
        self._until_ns = -1
        self._say(f"# A match of simulated people, recorded with seed {seed}.")
        self._say(f"profile {_like(profile)}")
        if profile.ownership == "tag":
            self._say("ownership tag")
        self._say("begin attract")
        self._say(f"deal {','.join(map(str, asked.deal))}")
        self._say(f"seed {seed}")
        self._say(f"language {asked.settings.language}")
        if asked.rounds is not None:
            self._say(f"rounds {asked.rounds}")
        if asked.expert:
            self._say(f"variant {EXPERT}")
        self._say("")

    def arrived(self, now_ns: int, report: Report) -> None:
        """Something has arrived from a device."""
        if isinstance(report, Edge):
            self._edge(now_ns, report)
        elif isinstance(report, TagRead):
            self._tag(now_ns, report)
        elif isinstance(report, Gap):
            within = format_duration(report.until_ns - report.since_ns)
            self._say(f"{format_seconds(now_ns)} lost {report.lost} {within}")
        elif isinstance(report, Health):
            self._say(format_event(self._intake.change(report, now_ns)))

    def _edge(self, now_ns: int, edge: Edge) -> None:
        """A low line is an active contact."""
        what = contact_words(self._lines[edge.line], not edge.high)
        self._say(happening(edge.t_ns, what, edge.wide_ns, now_ns))

    def _tag(self, now_ns: int, read: TagRead) -> None:
        event = self._intake.tag(read)
        what = tag_words(event.at, event.tag, isinstance(event, TagSeen))
        self._say(happening(read.latest_ns, what, read.latest_ns - read.earliest_ns, now_ns))

    def observe(self, step: Step) -> None:
        """The table has decided something; it is expected to do so again, by that moment."""
        for effect in step.effects:
            expected = _expectation(effect)
            if expected is None:
                continue
            if step.t_ns != self._until_ns:
                self._until_ns = step.t_ns
                self._say(f"until {format_seconds(step.t_ns)}")
            self._say(f"expect {expected}")

    def _say(self, line: str) -> None:
        self._write(f"{line}\n")


def contact_words(source: Source, active: bool) -> str:
    """What a scenario says of a contact that has changed."""
    if isinstance(source, Slot):
        return f"{'fill' if active else 'empty'} {source}"
    return f"{'press' if active else 'release'} {source.seat if isinstance(source, Button) else source}"


def tag_words(at: Spot, tag: Tag, present: bool) -> str:
    """What a scenario says of a tag that has come to a reader, or has gone."""
    return f"{'show' if present else 'withdraw'} {format_spot(at)} {format_tag(tag)}"


def happening(t_ns: int, what: str, wide_ns: int, arrival_ns: int) -> str:
    """The line of a scenario for what happened then."""
    wide = f" wide {format_duration(wide_ns)}" if wide_ns else ""
    arrival = f" @{format_seconds(arrival_ns)}" if arrival_ns != t_ns else ""
    return f"{format_seconds(t_ns)} {what}{wide}{arrival}"


def _like(profile: Profile) -> str:
    """The profile of the package whose table is like this one; its wires may be others."""
    for name in profile_names():
        known = replace(load_profile(name), ownership=profile.ownership)
        if table_of(known) == table_of(profile) and known.crowd == profile.crowd:
            return name
    names = ", ".join(profile_names())
    raise BadSettings([f"'{profile.title}' can't be recorded; scenarios are for tables such as {names}"])


def _expectation(effect: Effect) -> str | None:
    match effect:
        case Judged():
            return f"verdict {verdict_text(effect)}"
        case TieBroken():
            return f"tie {tie_text(effect)}"
        case LeftoverScanned():
            return f"scanned {scan_text(effect)}"
        case RoundScored():
            return f"scores {','.join(f'{score:+d}' for score in effect.scores)}"
        case PhaseEntered(phase=Phase.RESULT | Phase.PLAY | Phase.PAUSED):
            return f"phase {effect.phase.name}"
        case MatchEnded():
            return f"winners {','.join(map(str, effect.winners))}"
        case _:
            return None
