"""Runs a scenario through the whole table in virtual time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from firmware_host.games.dice.dice import parse_position
from firmware_host.games.games import EXPERT
from firmware_host.lab.party import Invitation
from firmware_host.lab.scenarios.expectations import SUBJECTS, Observed, scan_text, tie_text, verdict_text
from firmware_host.lab.scenarios.reading import owned
from firmware_host.lab.scenarios.wording import Expect, Input, Order, Scenario, Sighting, Statement, Until
from firmware_host.lab.simulated_table import Scripted, scripted_table
from firmware_host.model.effects import (
    Effect,
    Judged,
    LeftoverScanned,
    MatchEnded,
    PhaseEntered,
    RoundScored,
    RoundStarted,
    TieBroken,
)
from firmware_host.model.errors import BadSettings, TableError
from firmware_host.model.events import StartMatch, TagSeen, Withdrawn, format_event
from firmware_host.model.places import Button, Slot, Source, Spot, Tag, format_spot, format_tag
from firmware_host.model.states import Phase
from firmware_host.model.times import Stamp, exactly, format_duration, format_seconds
from firmware_host.profile.profile import Profile
from firmware_host.referee import Step
from firmware_host.run.equipment import Intake, Report, needed_devices
from firmware_host.run.table_files import load_profile, simulated_registry, table_of
from hw.ports import Edge, Gap, Health, TagRead
from wiring import profile_names


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An expectation that did not hold."""

    file: str
    line: int
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: expected {self.expected}, found {self.found}"


def run_scenario(scenario: Scenario, on_step: Callable[[Step], None] | None = None) -> list[Mismatch]:
    """Every expectation that does not hold; an empty list if all is as written."""
    return _Run(scenario, on_step).run()


class _Run:
    def __init__(self, scenario: Scenario, on_step: Callable[[Step], None] | None) -> None:
        self._scenario = scenario
        self._on_step: Callable[[Step], None] | None = None
        profile = owned(load_profile(scenario.profile), scenario.ownership)
        lying: list[Source] = []
        if scenario.position and not profile.piles:
            lying += sorted(parse_position(scenario.position).board)
        self._table: Scripted = scripted_table(
            profile,
            table=table_of(profile, scenario.rounds, scenario.deal, expert=scenario.expert),
            settings=scenario.settings,
            draws=Random(scenario.seed),
            active=lying,
        )
        self._observed = Observed(self._table.shell.referee, lambda: self._table.display.lines)
        self._table.shell.onlookers.append(self._observe)
        self._lines = {source: line for line, source in profile.lines.items()}
        self._now_ns = 0
        self._zero_ns = 0
        if scenario.playing:
            self._zero_ns = self._start()
        self._on_step = on_step

    def run(self) -> list[Mismatch]:
        mismatches: list[Mismatch] = []
        for statement in self._scenario.statements:
            if isinstance(statement, Expect):
                self._pass_time()
                found = SUBJECTS[statement.subject].find(self._observed, statement.argument)
                if found != statement.wanted:
                    mismatches.append(self._mismatch(statement, found))
            else:
                self._do(statement)
        last = self._scenario.statements[-1].number
        mismatches += [
            Mismatch(self._scenario.name, last, "no more verdicts", f"verdict {verdict_text(judged)}")
            for judged in self._observed.verdicts
        ]
        self._table.close()
        return mismatches

    def _mismatch(self, expect: Expect, found: str) -> Mismatch:
        subject = f"{expect.subject} {expect.argument}".strip()
        return Mismatch(self._scenario.name, expect.number, str(expect), f"{subject} {found}")

    def _start(self) -> int:
        """Start the match and let it count down; the moment of the start call."""
        scenario, shell = self._scenario, self._table.shell
        started: list[int] = []

        def notice(step: Step) -> None:
            started.extend(step.t_ns for effect in step.effects if isinstance(effect, RoundStarted))

        shell.onlookers.append(notice)
        shell.command(StartMatch(scenario.deal, exactly(0), scenario.position))
        while not started:
            if self._observed.refused:
                raise TableError(f"{scenario.name}: {self._observed.refused[0].reason}")
            self._table.loop.step()
        shell.onlookers.remove(notice)
        return started[0]

    def _do(self, statement: Statement) -> None:
        """Put an input or order on the agenda; time passes only where it is looked at."""
        if isinstance(statement, Input | Sighting):
            self._table.agenda.at(self._zero_ns + statement.arrival_ns, self._arrival(statement))
            if not statement.background:
                self._now_ns = statement.arrival_ns
        elif isinstance(statement, Order):
            t_ns = self._zero_ns + statement.t_ns
            self._table.shell.command(replace(statement.command, stamp=exactly(t_ns)))
            self._now_ns = statement.t_ns
        elif isinstance(statement, Until):
            self._now_ns = statement.t_ns
            self._pass_time()

    def _arrival(self, seen: Input | Sighting) -> Callable[[], None]:
        """What is done when the word of it comes."""
        t_ns = self._zero_ns + seen.t_ns
        if isinstance(seen, Input):
            line, high = self._lines[seen.source], not seen.active
            return lambda: self._table.lines.deliver(line, high, t_ns, seen.wide_ns)
        kind = TagSeen if seen.present else Withdrawn
        event = kind(seen.at, seen.tag, Stamp(t_ns - seen.wide_ns, t_ns))
        return lambda: self._table.shell.put(event, self._table.agenda.now_ns)

    def _pass_time(self) -> None:
        self._table.loop.run(self._zero_ns + self._now_ns)

    def _observe(self, step: Step) -> None:
        self._observed.observe(step)
        if self._on_step is not None:
            self._on_step(step._replace(t_ns=step.t_ns - self._zero_ns))


# What a table takes in and decides, written down as a scenario that `replay` checks.


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
