"""Puts a table together: the only place that names concrete drivers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

import wiring
from firmware_host.arbiter.ties import Lot
from firmware_host.config.profile import Profile, parse_profile
from firmware_host.errors import BadSettings
from firmware_host.places import Source
from firmware_host.runtime.intake import Intake
from firmware_host.runtime.loop import Loop
from firmware_host.runtime.pipeline import Observer, Pipeline
from firmware_host.settings import Settings
from firmware_host.show.lamps import frame_length
from firmware_host.table.session import Table
from hw.clock import Clock, MonotonicClock
from hw.gpio.gpiozero_lines import GpiozeroLines
from hw.ports import Edge, EdgeSource
from hw.scoreboard.plain import PlainScoreboard
from hw.sim.agenda import Agenda, VirtualClock
from hw.sim.contacts import STEADY, Contact, Habits
from hw.sim.courier import Courier
from hw.sim.display import SimTextDisplay
from hw.sim.panel import SimLedPanel
from hw.sim.pins import SimPinFactory
from hw.sim.script import ScriptedLines, resting

FRAMES_KEPT = 64


@dataclass(frozen=True, slots=True)
class Faults:
    """How each simulated contact misbehaves, and how late each edge is; by default, not at all."""

    habits: Callable[[Source], Habits] = lambda source: STEADY
    delay_ns: Callable[[Edge], int] | None = None


@dataclass(slots=True)
class Simulated:
    """A simulated table at work, and the contacts, lamps and display it consists of."""

    agenda: Agenda
    contacts: dict[Source, Contact]
    leds: SimLedPanel
    display: SimTextDisplay
    pipeline: Pipeline
    loop: Loop
    source: EdgeSource
    scoreboard: PlainScoreboard

    def close(self) -> None:
        """Lamps off, scoreboard blank, lines let go."""
        for contact in self.contacts.values():
            contact.stop()
        self.leds.close()
        self.scoreboard.close()
        self.source.close()


@dataclass(slots=True)
class Scripted:
    """A table whose lines say what a script tells them to."""

    agenda: Agenda
    intake: Intake
    pipeline: Pipeline
    loop: Loop
    lines: ScriptedLines
    leds: SimLedPanel
    display: SimTextDisplay

    def close(self) -> None:
        """Let go of everything."""
        self.lines.close()
        self.leds.close()


@dataclass(slots=True)
class LiveTable:
    """A table in real time whose contacts are moved from outside, by whichever thread."""

    contacts: dict[Source, Contact]
    pipeline: Pipeline
    loop: Loop
    source: EdgeSource

    def set(self, source: Source, active: bool) -> None:
        """Close or open a contact now."""
        self.contacts[source].set(active)

    def close(self) -> None:
        """Let go of everything."""
        self.source.close()


def load_profile(name: str) -> Profile:
    """A profile that comes with the package, by its name."""
    if name not in wiring.profile_names():
        raise BadSettings([f"profile '{name}' is unknown; known: {', '.join(wiring.profile_names())}"])
    return parse_profile(wiring.profile_file(name).read_text(encoding="utf-8"), f"wiring/{name}.toml")


def simulated_table(
    profile: Profile,
    *,
    table: Table,
    settings: Settings,
    lot: Lot,
    chance: Random,
    faults: Faults | None = None,
    clock: Clock | None = None,
    observers: Iterable[Observer] = (),
    keep: int | None = FRAMES_KEPT,
) -> Simulated:
    """A table on gpiozero's mock pins, with simulated lamps and scoreboard.

    `lot` settles dead heats; `chance` drives bounce, noise and nothing else.
    """
    faults = faults or Faults()
    agenda = Agenda()
    pins = SimPinFactory(lambda: agenda.now_ns, profile.board)
    lines = GpiozeroLines(pins, profile.lines, profile.pull, int, settings.stamp_uncertainty_ns)
    source: EdgeSource = lines
    if faults.delay_ns is not None:
        source = Courier(lines, agenda, faults.delay_ns)
    contacts = _contacts(profile, pins, agenda, chance, faults)
    leds, display, scoreboard = _simulated_show(profile, lambda: agenda.now_ns, keep)
    pipeline = Pipeline(table, settings, lot, 0, leds, scoreboard, observers)
    intake = Intake(profile.lines, source.uncertainty_ns)
    loop = Loop(clock or VirtualClock(), source, intake, pipeline, agenda, waits_for_devices=False)
    return Simulated(agenda, contacts, leds, display, pipeline, loop, source, scoreboard)


def live_table(
    profile: Profile, *, table: Table, settings: Settings, lot: Lot, observers: Iterable[Observer] = ()
) -> LiveTable:
    """A table on gpiozero's mock pins in real time: the loop sleeps until a contact moves."""
    clock = MonotonicClock()
    pins = SimPinFactory(clock.now_ns, profile.board)
    lines = GpiozeroLines(pins, profile.lines, profile.pull, int, settings.stamp_uncertainty_ns)
    contacts = _contacts(profile, pins, Agenda(), Random(0), Faults())
    leds, _, scoreboard = _simulated_show(profile, clock.now_ns, FRAMES_KEPT)
    pipeline = Pipeline(table, settings, lot, clock.now_ns(), leds, scoreboard, observers)
    loop = Loop(clock, lines, Intake(profile.lines, lines.uncertainty_ns), pipeline)
    return LiveTable(contacts, pipeline, loop, lines)


def scripted_table(
    profile: Profile,
    *,
    table: Table,
    settings: Settings,
    lot: Lot,
    active: Iterable[Source] = (),
    keep: int | None = None,
) -> Scripted:
    """A table in virtual time, fed edge by edge; `active` are the contacts closed from the start."""
    agenda = Agenda()
    low = [profile.line_of(source) for source in active]
    lines = ScriptedLines(resting(profile.lines, low), settings.stamp_uncertainty_ns)
    leds, display, scoreboard = _simulated_show(profile, lambda: agenda.now_ns, keep)
    pipeline = Pipeline(table, settings, lot, 0, leds, scoreboard)
    intake = Intake(profile.lines, lines.uncertainty_ns)
    loop = Loop(VirtualClock(), lines, intake, pipeline, agenda, waits_for_devices=False)
    return Scripted(agenda, intake, pipeline, loop, lines, leds, display)


def _contacts(
    profile: Profile, pins: SimPinFactory, agenda: Agenda, chance: Random, faults: Faults
) -> dict[Source, Contact]:
    """A contact on each line. By source and not by line: chance strikes alike however it is wired."""
    return {
        source: Contact(
            pins.pin(f"GPIO{line}"),
            agenda,
            chance,
            faults.habits(source),
        )
        for line, source in sorted(profile.lines.items(), key=lambda wire: wire[1])
    }


def _simulated_show(
    profile: Profile, now_ns: Callable[[], int], keep: int | None
) -> tuple[SimLedPanel, SimTextDisplay, PlainScoreboard]:
    leds = SimLedPanel(frame_length(profile.seats), now_ns, keep)
    display = SimTextDisplay(columns=profile.columns, keep=keep)
    return leds, display, PlainScoreboard(display.write, profile.columns)
