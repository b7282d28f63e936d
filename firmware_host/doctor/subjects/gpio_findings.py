"""Judges the GPIO chips and their lines: is the right chip there, are its lines free, do contacts rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from firmware_host.config.profile import Profile
from firmware_host.config.wires import line_names
from firmware_host.doctor.findings import Area, Finding, State, named
from firmware_host.places import Slot
from firmware_host.system.service_names import SERVICE

STOP = f"stop it first: sudo systemctl stop {SERVICE}; afterwards: sudo systemctl start {SERVICE}"
"""What to do while the table itself is running."""
IN_KERNEL = "switch that function off (raspi-config, or its dtoverlay in config.txt), or wire other lines"
OURS = "ligretto-table"
"""Under this name the table holds GPIO lines, so that others see whose they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpioChip:
    """A GPIO chip; `events`: its lines can be had by the second version of the kernel's interface."""

    path: str
    label: str
    lines: int
    events: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpio:
    """The GPIO chips of the machine, and the one that the profile wants."""

    chips: tuple[GpioChip, ...] = ()
    closed: tuple[str, ...] = ()
    """The chips that this user may not open."""
    wanted: tuple[str, ...] = ()
    """The labels, or the one path, that the profile goes by."""
    chip: GpioChip | None = None
    users: Mapping[int, str] = field(default_factory=dict)
    """Which of the profile's lines somebody holds, and who: '' if nobody knows."""

    @property
    def ours(self) -> bool:
        """Whether a table runs on this machine."""
        return OURS in self.users.values()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contacts:
    """How the direct lines stand while nobody should touch anything, or why they can't be had."""

    levels: Mapping[int, bool] = field(default_factory=dict)
    seen: str = ""
    advice: str = ""
    reported: tuple[tuple[str, str], ...] = ()
    """What the driver reported, with its advice."""


def judge_gpio(gpio: Gpio, profile: Profile | None) -> Iterator[Finding]:
    """Whether the table can have its lines."""
    for path in gpio.closed:
        seen = f"{path} may not be opened by this user"
        yield Finding(Area.GPIO, "chip", State.FAIL, seen, "see the findings on rights")
    chip = gpio.chip
    if chip is None:
        yield from _no_chip(gpio)
        return
    yield Finding(Area.GPIO, "chip", State.OK, f"{chip.path} '{chip.label}' with {chip.lines} lines")
    if not chip.events:
        seen = "the kernel does not know the second version of the GPIO interface"
        yield Finding(Area.GPIO, "interface", State.FAIL, seen, "install a system with a kernel from 5.10 on")
    if profile is not None:
        yield from _lines(gpio, chip, line_names(profile))


def judge_contacts(contacts: Contacts, profile: Profile) -> Iterator[Finding]:
    """Whether the direct lines could be had, and whether their contacts rest."""
    if contacts.seen:
        yield Finding(Area.GPIO, "lines", State.FAIL, contacts.seen, contacts.advice)
        return
    for seen, advice in contacts.reported:
        yield Finding(Area.GPIO, "stamps", State.WARN, seen, advice)
    active = [profile.lines[line] for line, high in sorted(contacts.levels.items()) if not high]
    buttons = [str(source) for source in active if not isinstance(source, Slot)]
    slots = [str(source) for source in active if isinstance(source, Slot)]
    if buttons:
        seen = f"pressed, though nobody should: {named(buttons)}"
        advice = f"let go of it; or look for a short to ground, or an input that is not pulled {profile.pull}"
        yield Finding(Area.GPIO, "contacts", State.WARN, seen, advice)
    if slots:
        seen = f"something lies on {named(slots)}"
        yield Finding(Area.GPIO, "contacts", State.NOTE, seen, "if nothing does: check the sensor there")
    if not active:
        seen = f"all {len(contacts.levels)} direct lines can be read, and no contact is active"
        yield Finding(Area.GPIO, "contacts", State.OK, seen)


def _no_chip(gpio: Gpio) -> Iterator[Finding]:
    wanted = " or ".join(f"'{each}'" for each in gpio.wanted)
    if gpio.chips:
        there = ", ".join(f"{chip.path} '{chip.label}'" for chip in gpio.chips)
        advice = 'name one of these in [gpio] of the profile: chip = "LABEL", or path = "/dev/gpiochipN"'
        yield Finding(Area.GPIO, "chip", State.FAIL, f"no GPIO chip is {wanted}; there are {there}", advice)
    elif not gpio.closed:
        seen = "this machine has no GPIO chip"
        advice = "run this on a Raspberry Pi; `ligretto-table demo` plays without any hardware"
        yield Finding(Area.GPIO, "chip", State.FAIL, seen, advice)


def _lines(gpio: Gpio, chip: GpioChip, names: dict[int, str]) -> Iterator[Finding]:
    beyond = [f"{line} ({name})" for line, name in names.items() if line >= chip.lines]
    if beyond:
        seen = f"the chip has no line {named(beyond)}"
        yield Finding(Area.GPIO, "lines", State.FAIL, seen, f"choose lines from 0 to {chip.lines - 1}")
    held: dict[str, list[str]] = {}
    for line, user in gpio.users.items():
        held.setdefault(user, []).append(f"{line} ({names[line]})")
    for user, lines in held.items():
        yield _held(user, lines)
    if not beyond and not held:
        yield Finding(Area.GPIO, "lines", State.OK, f"the {len(names)} lines of the profile are free")


def _held(user: str, lines: list[str]) -> Finding:
    if user == OURS:
        seen = f"a table runs on this machine: '{user}' holds line {named(lines)}"
        return Finding(Area.GPIO, "lines", State.FAIL, seen, STOP)
    seen = f"'{user or 'the kernel'}' holds line {named(lines)}"
    advice = IN_KERNEL
    if user == "sysfs":
        numbers = " ".join(line.partition(" ")[0] for line in lines)
        advice = f"a program uses /sys/class/gpio, which is out of date; stop it (lines {numbers})"
    return Finding(Area.GPIO, "lines", State.FAIL, seen, advice)
