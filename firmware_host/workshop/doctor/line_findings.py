"""Judges the GPIO chips and their lines: is the right chip there, are its lines free, do contacts rest."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from firmware_host.feed.addresses import SERVICE
from firmware_host.model.places import Slot
from firmware_host.profile.device_kinds import EXPANDER, LED_CHIPS, BusChipKind
from firmware_host.profile.profile import Profile, chip_kinds, chip_names, line_names
from firmware_host.workshop.doctor.findings import Area, Finding, State, named

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


ADDRESSES = 112
"""So many can be asked."""
FAST_HZ = 400_000
"""All chips that a table has on its bus can do this."""
WIRING = "check its power, its four wires and its address"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bus:
    """An I2C bus and who answers on it."""

    number: int
    adapter: bool = False
    driver: bool = False
    """The module i2c-dev is there."""
    device: bool = False
    seen: str = ""
    """Why it can't be scanned, or could not be scanned to its end."""
    advice: str = ""
    answered: frozenset[int] = frozenset()
    claimed: frozenset[int] = frozenset()
    """Addresses that a kernel driver has claimed."""
    clock_hz: int = 0
    """The speed of the bus; 0 if it is not known."""


def judge_bus(bus: Bus, profile: Profile, others: Collection[int] = ()) -> Iterator[Finding]:
    """Whether the bus can be used, and whether the chips of the profile are on it.

    `others` are addresses of chips that may be there for other profiles.
    """
    expected = chip_names(profile)
    if not expected:
        yield Finding(Area.I2C, "bus", State.OK, "the profile needs none")
        return
    name = f"bus {bus.number}"
    if not bus.device:
        yield _no_device(bus, name)
        return
    if bus.seen:
        yield Finding(Area.I2C, name, State.FAIL, bus.seen, bus.advice)
        return
    if not bus.answered and not bus.claimed:
        seen = f"no chip answers, but {named(list(expected.values()))} should"
        advice = (
            "check the chips' power, that SDA (GPIO 2) and SCL (GPIO 3) are not swapped, and the bus number"
        )
        yield Finding(Area.I2C, name, State.FAIL, seen, advice)
        return
    if len(bus.answered) >= ADDRESSES:
        seen = "every address answers: the data line is held low"
        advice = "take the chips off one by one until this ends; the last one, or its cable, is at fault"
        yield Finding(Area.I2C, name, State.FAIL, seen, advice)
        return
    yield from _chips(bus, profile, others)
    if profile.banks and 0 < bus.clock_hz < FAST_HZ:
        seen = f"runs at {bus.clock_hz // 1000} kHz, so edges of sensors may have to wait for lamps"
        advice = "put dtparam=i2c_arm_baudrate=400000 into /boot/firmware/config.txt, then reboot"
        yield Finding(Area.I2C, name, State.NOTE, seen, advice)


def _no_device(bus: Bus, name: str) -> Finding:
    if not bus.adapter:
        advice = "on a Raspberry Pi: sudo raspi-config nonint do_i2c 0, then reboot; or check [i2c] bus"
        return Finding(Area.I2C, name, State.FAIL, f"there is no I2C bus {bus.number}", advice)
    seen = f"the bus is there, but /dev/i2c-{bus.number} is not"
    advice = "its number changed meanwhile; run this again"
    if not bus.driver:
        seen = f"{seen}: the module i2c-dev is not loaded"
        advice = (
            "sudo modprobe i2c-dev; for every start: echo i2c-dev | sudo tee /etc/modules-load.d/i2c.conf"
        )
    return Finding(Area.I2C, name, State.FAIL, seen, advice)


def _chips(bus: Bus, profile: Profile, others: Collection[int]) -> Iterator[Finding]:
    expected, kinds = chip_names(profile), chip_kinds(profile)
    strays = bus.answered - expected.keys() - set(others)
    for address, name in sorted(expected.items()):
        at = f"0x{address:02x}"
        if address in bus.answered:
            yield Finding(Area.I2C, name, State.OK, f"answers at {at}")
        elif address in bus.claimed:
            seen = f"a kernel driver has claimed {at}"
            advice = "remove its dtoverlay from config.txt and reboot"
            yield Finding(Area.I2C, name, State.FAIL, seen, advice)
        else:
            yield _missing(name, address, kinds[address], strays)
    for address in sorted(strays):
        yield _stray(address)
    for address in sorted(bus.claimed - expected.keys() - set(others)):
        seen = f"a kernel driver has claimed 0x{address:02x}"
        yield Finding(Area.I2C, f"0x{address:02x}", State.NOTE, seen)


def _missing(name: str, address: int, kind: BusChipKind, strays: frozenset[int]) -> Finding:
    seen = f"does not answer at 0x{address:02x}"
    setting = kind.addresses[address]
    alike = sorted(stray for stray in strays if stray in kind.addresses)
    if alike:
        others = named([f"0x{stray:02x}" for stray in alike])
        seen = f"{seen}, but a chip does at {others}, where none should be"
        advice = f"if that is this chip: for 0x{address:02x} {setting}"
        return Finding(Area.I2C, name, State.FAIL, seen, advice)
    advice = f"{WIRING} ({setting})"
    return Finding(Area.I2C, name, State.FAIL, seen, advice)


def _stray(address: int) -> Finding:
    seen = "a chip answers here that is not in the profile"
    words = [_may_be(kind, address) for kind in (EXPANDER, *LED_CHIPS.values()) if address in kind.addresses]
    advice = (
        "; ".join(words) or "if it belongs to the table, add it to the profile; otherwise it does no harm"
    )
    return Finding(Area.I2C, f"0x{address:02x}", State.NOTE, seen, advice)


def _may_be(kind: BusChipKind, address: int) -> str:
    also = f", but also of {kind.also_at[address]}" if address in kind.also_at else ""
    return f"this is an address of {kind.title} chips{also}; if it {kind.job}, add it to [{kind.section}]"
