"""Judges what a table's devices hang on: GPIO lines, the I2C bus, serial ports, and what answers there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from firmware_host.feed.addresses import SERVICE
from firmware_host.model.places import Slot
from firmware_host.model.times import MS
from firmware_host.profile.device_kinds import EXPANDER, LED_CHIPS, SPEAKER_KIND, BusChipKind
from firmware_host.profile.profile import Profile, chip_kinds, chip_names, line_names
from firmware_host.profile.table import AUTO_CARD, NO_CARD
from firmware_host.workshop.doctor.findings import Area, Finding, State, named

MOST_NAMED = 8
OURS_BY_NUMBER = "/dev/ligretto/serial-"


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialPort:
    """A serial port that is there, and the names under which it stays what it is."""

    path: str
    by_id: str = ""
    by_path: str = ""
    ours: tuple[str, ...] = ()
    """Those that the table's own rules for udev give."""
    used: tuple[tuple[str, str], ...] = ()
    """Which devices of the profile it belongs to, each with the name by which the profile calls it."""


def judge_ports(ports: Sequence[SerialPort]) -> Iterator[Finding]:
    """Which ports there are, and whether the profile calls them by names that last."""
    if not ports:
        yield Finding(Area.PORTS, "ports", State.NOTE, "there is none")
    for port in ports:
        lasting = lasting_name(port, ports)
        if not port.used:
            yield Finding(Area.PORTS, port.path, State.NOTE, f"not used; its lasting name is {lasting}")
        for name, written in port.used:
            yield _used(port, name, written, lasting)
        if len({name for name, _ in port.used}) > 1:
            seen = (
                f"it is the port of {' and of '.join(f'{name} ({written})' for name, written in port.used)}"
            )
            advice = "give each of them a port of its own in [ports] of table.toml"
            yield Finding(Area.PORTS, port.path, State.FAIL, seen, advice)


def _used(port: SerialPort, name: str, written: str, lasting: str) -> Finding:
    if written in (lasting, port.by_id, port.by_path, *port.ours):
        return Finding(Area.PORTS, port.path, State.OK, f"{name}, as {written}")
    seen = f"{name} is named {written}, which may be another port after the next start"
    return Finding(
        Area.PORTS, port.path, State.WARN, seen, f'put into [ports] of table.toml: {name} = "{lasting}"'
    )


def lasting_name(port: SerialPort, ports: Sequence[SerialPort]) -> str:
    """The name under which a port is the same after the next start.

    Adapters without a serial number share one name by-id, which one of them has at a time: where some
    have none, only the socket tells them apart. The names that the table's own rules give are short, and
    never shared.
    """
    shared = any(each.by_path and not each.by_id for each in ports)
    ours = sorted(port.ours, key=lambda name: name.startswith(OURS_BY_NUMBER) == shared)
    names = (port.by_path, port.by_id) if shared else (port.by_id, port.by_path)
    return next(filter(None, (*ours, *names)), port.path)


def which_port(ports: Sequence[SerialPort], devices: int = 1) -> str:
    """The ports that could be named instead of those of some devices, which are not there."""
    plug = "plug it in" if devices == 1 else "plug them in"
    free = [lasting_name(port, ports) for port in ports if not port.used]
    if free:
        return f"{plug}, or name those that are there: {named(free, MOST_NAMED)}"
    return f"{plug}; no other serial port is free" if ports else f"{plug}; there is no serial port at all"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderFacts:
    """What came of speaking to one reader."""

    name: str
    port: str
    there: bool = False
    firmware: str = ""
    seen: str = ""
    advice: str = ""


def judge_readers(readers: Sequence[ReaderFacts], ports: Sequence[SerialPort]) -> Iterator[Finding]:
    """Which readers answer; those with the same fault are reported together."""
    troubled: dict[tuple[bool, str, str], list[ReaderFacts]] = {}
    for reader in readers:
        if reader.seen:
            troubled.setdefault((reader.there, reader.seen, reader.advice), []).append(reader)
        else:
            seen = f"{reader.firmware} at {reader.port}"
            yield Finding(Area.READERS, reader.name, State.OK, seen)
    for (there, seen, advice), those in troubled.items():
        where = named([reader.port for reader in those])
        subject = named([reader.name for reader in those])
        next_step = advice if there else which_port(ports, len(those))
        if len(those) > 1:
            seen = f"each of these {len(those)} {seen}"
            next_step = f"with each: {next_step}" if there else next_step
        yield Finding(Area.READERS, subject, State.FAIL, f"{seen} ({where})", next_step)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignFacts:
    """What came of showing a test page on the scoreboard."""

    port: str
    kind: str
    line: str = ""
    """How the sign likes its serial line, such as '9600 8N1'."""
    there: bool = False
    page: tuple[str, ...] = ()
    """What should be seen on it, row by row."""
    seen: str = ""
    advice: str = ""


def judge_sign(sign: SignFacts, ports: Sequence[SerialPort]) -> Finding:
    """Whether the scoreboard's port took the test page, and what should have been seen."""
    if not sign.port:
        seen = "no port is named for it: the table plays without a scoreboard"
        return Finding(Area.SCOREBOARD, "sign", State.NOTE, seen)
    if sign.seen:
        advice = sign.advice if sign.there else which_port(ports)
        return Finding(Area.SCOREBOARD, sign.kind, State.FAIL, f"{sign.seen} ({sign.port})", advice)
    rows = " and ".join(f"[{row}]" for row in sign.page)
    seen = f"{sign.port} took the test page; a sign never answers. It showed {rows}"
    advice = (
        f"if it stayed dark: check its power, its cable, and that it is set to {sign.line}; if it showed "
        "something else: check 'sign' and 'columns' in [scoreboard]"
    )
    return Finding(Area.SCOREBOARD, sign.kind, State.NOTE, seen, advice)


LATE_NS = 20 * MS
"""A sound should leave the card this soon after it was asked for."""

_ADVICE = {
    "Permission denied": "sudo usermod -aG audio $USER, then log in again",
    "Device or resource busy": "end the program that uses it, or name another in [sound] of the table.toml",
}
"""What to do about what the player says, where another card is not the first thing to try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundFacts:
    """What came of playing a sound."""

    card: str = AUTO_CARD
    """What the table.toml says."""
    device: str = ""
    """What ALSA was asked to open; empty if there is nothing to open."""
    cards: tuple[str, ...] = ()
    """The cards that can play: what ALSA calls each, and its title."""
    installed: bool = True
    complaint: str = ""
    """What the player said was wrong."""
    ahead_ns: int = 0
    """How long a sound waits in player and card; 0 if that is not known."""


def judge_sound(sound: SoundFacts) -> Finding:
    """Whether the table can be heard."""
    if sound.card == NO_CARD:
        return _finding("card", State.NOTE, "the table.toml wants none: the table plays without sound")
    if not sound.device:
        if not sound.cards:
            return _finding("card", State.NOTE, "there is none that plays: the table plays without sound")
        seen = f"there are only monitors ({named(list(sound.cards))}): the table plays without sound"
        return _finding(
            "card", State.NOTE, seen, "to be heard through one, name it in [sound] of the table.toml"
        )
    if not sound.installed:
        seen, advice = f"{SPEAKER_KIND.program} is not installed", f"sudo apt install {SPEAKER_KIND.package}"
        return _finding("player", State.WARN, seen, advice)
    if sound.complaint:
        there = f"those that play: {named(list(sound.cards))}" if sound.cards else "no card here plays"
        advice = _ADVICE.get(sound.complaint, f"name another in [sound] of the table.toml; {there}")
        return _finding(sound.device, State.WARN, f"can't play: {sound.complaint}", advice)
    after = f"; sounds wait {sound.ahead_ns // MS} ms in player and card" if sound.ahead_ns else ""
    if sound.ahead_ns > LATE_NS:
        advice = "use a card of its own for the table, over USB or I2S: most of them need 12 ms"
        return _finding(sound.device, State.WARN, f"has played the sound of a start{after}", advice)
    return _finding(sound.device, State.OK, f"has played the sound of a start{after}")


def _finding(subject: str, state: State, seen: str, advice: str = "") -> Finding:
    return Finding(Area.SOUND, subject, state, seen, advice)


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
