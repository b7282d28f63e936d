"""Tables whose lines are simulated: by contacts that people move, in virtual or real time, or by a script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from firmware_host.games.games import Table
from firmware_host.model.places import Source, Spot, Tag
from firmware_host.model.settings import Settings
from firmware_host.profile.profile import Profile
from firmware_host.profile.tags import Registry
from firmware_host.referee import Referee
from firmware_host.run.equipment import Equipment, Intake
from firmware_host.run.shell import Loop, Onlooker, Shell, StepLog
from firmware_host.run.table_files import settings_for, simulated_registry
from firmware_host.show.lamps import frame_length
from firmware_host.timing.ties import RandomSource
from hw.clock import Clock, MonotonicClock
from hw.gpio.gpiozero_lines import GpiozeroLines
from hw.ports import Edge, EdgeSource
from hw.scoreboard.charset import ASCII, respelled, to_ascii
from hw.scoreboard.text import PlainScoreboard
from hw.sim.agenda import Agenda, SimPinFactory, VirtualClock
from hw.sim.contacts import STEADY, Contact, Habits
from hw.sim.lines import BareLines, DelayedLines, ScriptedLines, resting
from hw.sim.outputs import SimLedPanel, SimTextDisplay
from hw.sim.tag_readers import SimReader, SimReaders


def begin_game(
    equipment: Equipment,
    table: Table,
    settings: Settings,
    draws: RandomSource,
    onlookers: Iterable[Onlooker] = (),
    journal: StepLog | None = None,
) -> tuple[Shell, Loop]:
    """A referee that takes over the table as it is now, and the loop that feeds it."""
    now_ns, scoreboard = equipment.clock.now_ns(), equipment.scoreboard
    referee = Referee(table, settings, draws, now_ns, columns=scoreboard.columns, active=equipment.active)
    devices = equipment.leds, scoreboard
    shell = Shell(referee, journal, devices, onlookers, equipment.soundboard)
    shell.advance(now_ns)
    return shell, Loop(equipment, shell)


FRAMES_KEPT = 64


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How each simulated contact behaves, and how late each edge is; by default all is well."""

    habits: Callable[[Source], Habits] = lambda source: STEADY
    delay_ns: Callable[[Edge], int] | None = None


class Antennas:
    """The readers of a simulated table, by what they are at, and what its tags stand for."""

    __slots__ = ()
    antennas: dict[Spot, SimReader]
    registry: Registry

    def has(self, at: Spot) -> bool:
        """Whether there is a reader."""
        return at in self.antennas

    def hold_to(self, at: Spot, tag: Tag) -> None:
        """Bring a tag before a reader."""
        self.antennas[at].put(self.registry.uid_of(tag))

    def take_from(self, at: Spot, tag: Tag) -> None:
        """Take it away again."""
        self.antennas[at].take(self.registry.uid_of(tag))


@dataclass(slots=True)
class Simulated(Antennas):
    """A simulated table at work, and the contacts, readers, lamps and display it consists of."""

    profile: Profile
    agenda: Agenda
    contacts: dict[Source, Contact]
    readers: SimReaders
    antennas: dict[Spot, SimReader]
    """The readers by what they are at."""
    registry: Registry
    leds: SimLedPanel
    display: SimTextDisplay
    shell: Shell
    loop: Loop
    equipment: Equipment

    @property
    def lines(self) -> Sequence[EdgeSource]:
        """What reports its edges."""
        return self.equipment.lines

    def set(self, source: Source, active: bool) -> None:
        """Close or open a contact now."""
        self.contacts[source].set(active)

    def spell(self, text: str, language: str = "") -> str:
        """The text as a person reads it on the scoreboard."""
        return to_ascii(respelled(text, language, ASCII, self.profile.columns))

    def close(self) -> None:
        """Lamps off, scoreboard blank, lines let go."""
        for contact in self.contacts.values():
            contact.stop()
        self.leds.close()
        self.equipment.scoreboard.close()
        for each in self.lines:
            each.close()
        self.readers.close()


@dataclass(slots=True)
class Scripted:
    """A table whose lines say what a script tells them to."""

    agenda: Agenda
    intake: Intake
    shell: Shell
    loop: Loop
    lines: ScriptedLines
    leds: SimLedPanel
    display: SimTextDisplay

    def close(self) -> None:
        """Let go of everything."""
        self.lines.close()
        self.leds.close()


def simulated_table(
    profile: Profile,
    *,
    table: Table,
    settings: Settings,
    draws: RandomSource,
    chance: Random | None = None,
    behaviour: Behaviour | None = None,
    clock: Clock | None = None,
    onlookers: Iterable[Onlooker] = (),
    journal: StepLog | None = None,
    keep: int | None = FRAMES_KEPT,
    live: bool = False,
) -> Simulated:
    """A table on gpiozero's mock pins, with simulated lamps and scoreboard, in virtual time.

    `draws` settle dead heats; `chance` drives bounce, noise and nothing else. One that is `live` goes by the
    real clock, and its loop sleeps until a device reports something. Contacts and tags are then moved from
    one other thread, which has to run the agenda by the clock if contacts bounce, or there are readers.
    """
    behaviour, chance = behaviour or Behaviour(), chance or Random(0)
    settings, agenda = settings_for(profile, settings), Agenda()
    clock = clock or (MonotonicClock() if live else VirtualClock())
    now_ns = clock.now_ns if live else lambda: agenda.now_ns
    if live:
        agenda.run(clock.now_ns())
    lines, ends = _lines(profile, settings, now_ns)
    if behaviour.delay_ns is not None:
        lines = [DelayedLines(each, agenda, behaviour.delay_ns) for each in lines]
    # By source and not by line: chance strikes alike however it is wired.
    contacts = {
        source: Contact(ends[source], agenda, chance, behaviour.habits(source))
        for source in sorted(profile.lines.values())
    }
    leds, display, scoreboard = _simulated_show(profile, now_ns, keep)
    readers = SimReaders(agenda, chance, [profile.neighbours(spot) for spot in profile.readers])
    antennas = dict(zip((spot.at for spot in profile.readers), readers.readers, strict=True))
    registry = simulated_registry(profile)
    equipment = Equipment(
        profile,
        clock,
        settings.stamp_uncertainty_ns,
        lines=lines,
        leds=leds,
        scoreboard=scoreboard,
        registry=registry,
        others=[readers] if profile.readers else [],
        agenda=None if live else agenda,
    )
    shell, loop = begin_game(equipment, table, settings, draws, onlookers, journal)
    return Simulated(
        profile, agenda, contacts, readers, antennas, registry, leds, display, shell, loop, equipment
    )


def scripted_table(
    profile: Profile,
    *,
    table: Table,
    settings: Settings,
    draws: RandomSource,
    active: Iterable[Source] = (),
    keep: int | None = None,
) -> Scripted:
    """A table in virtual time, fed edge by edge; `active` are the contacts closed from the start."""
    settings = settings_for(profile, settings)
    agenda = Agenda()
    low = [profile.line_of(source) for source in active]
    lines = ScriptedLines(resting(profile.lines, low), settings.stamp_uncertainty_ns)
    leds, display, scoreboard = _simulated_show(profile, lambda: agenda.now_ns, keep)
    equipment = Equipment(
        profile,
        VirtualClock(),
        lines.uncertainty_ns,
        lines=[lines],
        leds=leds,
        scoreboard=scoreboard,
        agenda=agenda,
    )
    shell, loop = begin_game(equipment, table, settings, draws)
    return Scripted(agenda, equipment.intake, shell, loop, lines, leds, display)


def _lines(
    profile: Profile, settings: Settings, now_ns: Callable[[], int]
) -> tuple[list[EdgeSource], dict[Source, Any]]:
    """The lines of a table, and the end of each: gpiozero's mock pins, or loose ends for expanders."""
    pins = SimPinFactory(now_ns, profile.board)
    direct = profile.direct_lines
    uncertainty_ns = settings.stamp_uncertainty_ns
    sources: list[EdgeSource] = [
        GpiozeroLines(pins, direct, profile.pull, int, uncertainty_ns, now_ns=now_ns)
    ]
    ends = {source: pins.pin(f"GPIO{line}") for line, source in direct.items()}
    loose = BareLines([line for line in profile.lines if line not in direct], now_ns, uncertainty_ns)
    if len(direct) < len(profile.lines):
        sources.append(loose)
        ends |= {source: loose.end(line) for line, source in profile.lines.items() if line not in direct}
    return sources, ends


def _simulated_show(
    profile: Profile, now_ns: Callable[[], int], keep: int | None
) -> tuple[SimLedPanel, SimTextDisplay, PlainScoreboard]:
    leds = SimLedPanel(frame_length(profile.seats, profile.piles), now_ns, keep)
    display = SimTextDisplay(columns=profile.columns, keep=keep)
    return leds, display, PlainScoreboard(display.write, profile.columns)
