"""Goes on a walk: the loop of the table, a walk instead of a game, and a person with eyes and hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from firmware_host.model.places import Call, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS
from firmware_host.profile.profile import BANK_LINES, Bank, Profile
from firmware_host.run.equipment import Equipment
from firmware_host.run.shell import Loop
from firmware_host.workshop.doctor.checks import CheckedTable
from firmware_host.workshop.doctor.device_findings import STOP
from firmware_host.workshop.doctor.device_look import LinesRefused, opened_table
from firmware_host.workshop.doctor.findings import Area, Finding, State
from firmware_host.workshop.doctor.system import System
from firmware_host.workshop.doctor.walks import ContactWalk, LampWalk, ReaderWalk, Walk

WALKS = ("leds", "buttons", "slots", "readers")
LOOK_NS = 100 * MS
"""How often the picture is redrawn, and keys are read."""
BANK_PINS = 8


class Screen(Protocol):
    """Where a walk is seen, and where the keys are."""

    @property
    def descriptors(self) -> Sequence[int]:
        """What is readable when a key was pressed."""

    def show(self, walk: Walk) -> None:
        """What is new, and how far it is."""

    def wants_next(self) -> bool:
        """Whether Enter was pressed."""


def walked(
    name: str,
    system: System,
    checked: CheckedTable,
    screen: Screen,
    *,
    step_ns: int,
    limit_ns: int | None = None,
) -> list[Finding]:
    """Go on the walk of that name; what has come of it, also if somebody interrupts it."""
    assert checked.profile is not None
    settings = Settings() if checked.config is None else checked.config.settings
    try:
        with opened_table(system, checked.profile, checked.registry) as equipment:
            walk = make_walk(name, checked.profile, settings, step_ns, equipment)
            with suppress(KeyboardInterrupt):
                go(walk, equipment, screen, limit_ns)
    except LinesRefused as error:
        return [Finding(Area.WALK, name, State.FAIL, error.seen, error.advice)]
    return walk.findings()


def refused(name: str) -> Finding:
    """No walk while the table is at work."""
    seen = "the table is running, and a walk needs its lines"
    return Finding(Area.WALK, name, State.FAIL, seen, STOP)


def make_walk(name: str, profile: Profile, settings: Settings, step_ns: int, equipment: Equipment) -> Walk:
    """The walk of that name through this equipment."""
    if name == "leds":
        return LampWalk(profile, step_ns)
    if name == "readers":
        return ReaderWalk(
            {reader.at: reader.port for reader in profile.readers}, equipment.intake.registry.uid_of
        )
    settings = replace(
        settings, stamp_uncertainty_ns=max(equipment.uncertainty_ns, settings.stamp_uncertainty_ns)
    )
    wires = {source: _wire(profile, line) for line, source in profile.lines.items()}
    slots = name == "slots"
    those = (source for source in wires if isinstance(source, Slot) is slots)
    parts = sorted(those, key=lambda source: (isinstance(source, Call), source))
    return ContactWalk(name, parts, wires, settings)


def go(walk: Walk, equipment: Equipment, screen: Screen, limit_ns: int | None = None) -> None:
    """Walk until all is done, or for so long; an interruption by the keyboard gets out of here."""
    loop = Loop(equipment, walk)
    loop.descriptors += screen.descriptors
    if isinstance(walk, ContactWalk):
        walk.begin(loop.active)
    until_ns = None if limit_ns is None else loop.now_ns + limit_ns
    light = _Light(equipment.leds.show)
    now_ns = loop.now_ns
    while not walk.done and (until_ns is None or now_ns < until_ns):
        next_ns = now_ns + LOOK_NS
        now_ns = loop.step(next_ns if until_ns is None else min(next_ns, until_ns))
        if screen.wants_next():
            walk.go_on(now_ns)
        light.burn(walk.frame)
        screen.show(walk)


class _Light:
    """Hands frames on that differ from the last one."""

    def __init__(self, show: Callable[[bytes], None]) -> None:
        self._show = show
        self._last: bytes | None = None

    def burn(self, frame: bytes | None) -> None:
        if frame is not None and frame != self._last:
            self._last = frame
            self._show(frame)


def _wire(profile: Profile, line: int) -> str:
    """Where a contact is wired to."""
    if line < BANK_LINES:
        return f"line {line}"
    bank, pin = _bank_pin(profile, line)
    port, number = divmod(pin, BANK_PINS)
    return f"{bank.name} {'AB'[port]}{number}"


def _bank_pin(profile: Profile, line: int) -> tuple[Bank, int]:
    return next(
        (bank, pin) for bank in profile.banks for pin, its_line in bank.pins.items() if its_line == line
    )
