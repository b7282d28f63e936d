"""Looks at GPIO lines and the I2C bus, speaks to readers and sign, and plays a sound: what came of each."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from firmware_host.model.errors import TableError
from firmware_host.model.times import S
from firmware_host.profile.device_kinds import READER
from firmware_host.profile.profile import GPIO, SCOREBOARD, Profile, TagSpot, chip_names, line_names, ports_of
from firmware_host.profile.tags import Registry
from firmware_host.run.devices import InputLines, clip_of, sign_driver
from firmware_host.run.equipment import Equipment, HealthBox
from firmware_host.show.sounds import Heard, Sound
from firmware_host.workshop.doctor.device_findings import (
    Bus,
    Contacts,
    Gpio,
    GpioChip,
    ReaderFacts,
    SerialPort,
    SignFacts,
    SoundFacts,
)
from firmware_host.workshop.doctor.system import System
from hw.gpio.gpio_chips import PI_LABELS, ChipInfo, GpioError, NotPermitted
from hw.i2c.bus import ADVICE, SEEN, USUAL_ADVICE, BusScan
from hw.ports import Condition, Health
from hw.rfid.field import FieldToken
from hw.rfid.pn532 import Pn532
from hw.scoreboard.serial_sign import SECOND_NS, SerialScoreboard
from hw.scoreboard.serial_sign import SerialSign as Encoder
from hw.serial_port import OpenPort, PortWork
from hw.sound.clips import spread
from hw.sound.player import (
    CARDS_FILE,
    DEVICES_FILE,
    NONE,
    aplay_command,
    complaint_in,
    device_for,
    playing_cards,
)
from hw.work import OwnerThread

PATIENCE_S = 3.0
"""A silent reader is lost after a third of a second."""
PAUSE_S = 0.01
NO_VERSION = (
    "works, but reports no version",
    f"it may not be a {READER.title}; check what is printed on the chip",
)


class _ReaderTrial:
    """One reader being spoken to."""

    def __init__(self, system: System, spot: TagSpot, number: int, field: FieldToken) -> None:
        self.spot = spot
        self._reported: list[Health] = []
        self._driver = Pn532(spot.name, number, field)
        self._owner = OwnerThread(
            PortWork(_reader_opener(system, spot.port), self._driver, self._reported.append),
            self._reported.append,
        )

    @property
    def lost(self) -> Health | None:
        """What is wrong with it, if it can't be reached."""
        last = self._reported[-1:]
        return last[0] if last and last[0].condition is Condition.LOST else None

    @property
    def settled(self) -> bool:
        """Whether there is nothing left to wait for."""
        return self._driver.firmware is not None or self.lost is not None

    def outcome(self, there: bool) -> ReaderFacts:
        lost, version = self.lost, self._driver.firmware
        seen, advice = (lost.seen, lost.advice) if lost else NO_VERSION
        if version is not None:
            seen, advice = (lost.seen, lost.advice) if lost else ("", "")
        return ReaderFacts(
            name=self.spot.name,
            port=self.spot.port,
            there=there,
            firmware="" if version is None else str(version),
            seen=seen,
            advice=advice,
        )

    def close(self) -> None:
        """Its field is off, its port is free."""
        self._driver.close()
        self._owner.close()


def look_at_readers(system: System, spots: Sequence[TagSpot]) -> tuple[ReaderFacts, ...]:
    """What came of speaking to each reader, all at the same time."""
    field = FieldToken()  # one for all: at no time is more than one field on
    trials: list[_ReaderTrial] = []
    try:
        trials += (_ReaderTrial(system, spot, number, field) for number, spot in enumerate(spots))
        until = time.monotonic() + PATIENCE_S
        while not all(trial.settled for trial in trials) and time.monotonic() < until:
            time.sleep(PAUSE_S)
    finally:
        for trial in trials:
            trial.close()
    return tuple(trial.outcome(system.has(trial.spot.port)) for trial in trials)


def _reader_opener(system: System, port: str) -> Callable[[], OpenPort]:
    return lambda: system.open_port(system.at(port), READER.baud, 8, "N")


KINDS = ("/dev/ttyUSB*", "/dev/ttyACM*", "/dev/ttyAMA*", "/dev/serial[0-9]")
"""The ports of adapters, of boards that are adapters themselves, and of the header. A later name wins."""
BY_ID, BY_PATH, OURS = "/dev/serial/by-id/*", "/dev/serial/by-path/*", "/dev/ligretto/*"


def look_at_ports(system: System, profiles: Iterable[Profile]) -> tuple[SerialPort, ...]:
    """All serial ports that something may be plugged into, and what the profiles use them for."""
    wanted = dict.fromkeys(each for profile in profiles for each in wanted_ports(profile))
    by_id = {system.device(link): link for link in system.listing(BY_ID) if system.has(link)}
    by_path = {system.device(link): link for link in system.listing(BY_PATH) if system.has(link)}
    ours = [(system.device(link), link) for link in system.listing(OURS) if system.has(link)]
    paths = {system.device(path): path for kind in KINDS for path in system.listing(kind) if system.has(path)}
    devices = dict.fromkeys([*paths, *by_id, *by_path])
    return tuple(
        SerialPort(
            path=paths.get(device) or system.named(device),
            by_id=by_id.get(device, ""),
            by_path=by_path.get(device, ""),
            ours=tuple(link for named, link in ours if named == device),
            used=tuple((name, path) for name, path in wanted if system.device(path) == device),
        )
        for device in devices
    )


def wanted_ports(profile: Profile) -> list[tuple[str, str]]:
    """Each reader, and the scoreboard, with its port."""
    return [(name, port) for name, port in ports_of(profile).items() if port]


RULER = "1234567890"
LETTERS = "Ligretto äöüéñ ▲●■◆"
END = "|"
SPARE_S = 0.2
"""What a busy machine takes beyond the time on the wire."""


def trial_page(columns: int) -> tuple[str, str]:
    """A line that numbers the columns, and one with letters of many languages and the marks of the rows."""
    return (RULER * columns)[:columns], LETTERS.ljust(columns - len(END)) + END


def look_at_sign(system: System, profile: Profile, stand: Callable[[tuple[str, ...]], None]) -> SignFacts:
    """Show the page; `stand` gets what should be seen, and returns when that has stood for long enough."""
    page = trial_page(profile.columns)
    encoder, fresh = (sign_driver(profile.sign, profile.columns, profile.charset) for _ in range(2))
    readable = tuple(encoder.charset.spell(line) for line in page)
    reported: list[Health] = []
    scoreboard = SerialScoreboard(SCOREBOARD, encoder)
    scoreboard.show(page)
    owner = OwnerThread(
        PortWork(_sign_opener(system, profile, encoder), scoreboard, reported.append), reported.append
    )
    try:
        if _is_sent(reported, sending_s(fresh, page)):
            stand(readable)
    finally:
        scoreboard.close()
        owner.close()
    lost = next((each for each in reported if each.condition is Condition.LOST), None)
    return SignFacts(
        port=profile.sign_port,
        kind=profile.sign,
        line=f"{encoder.baud} {encoder.bits}{encoder.parity}1",
        there=system.has(profile.sign_port),
        page=readable,
        seen=lost.seen if lost else "",
        advice=lost.advice if lost else "",
    )


def sending_s(encoder: Encoder, page: tuple[str, ...]) -> float:
    """How long a fresh sign takes to be set up and to show a page."""
    frames = [*encoder.start(), *encoder.repaint(page)]
    bits = 1 + encoder.bits + (encoder.parity != "N") + 1
    line_s = sum(len(frame.data) for frame in frames) * bits / encoder.baud
    return line_s + sum(frame.rest_ns for frame in frames) / SECOND_NS


def _is_sent(reported: list[Health], seconds: float) -> bool:
    """Wait until a page is out; whether it is, and the port is still there."""
    until = time.monotonic() + seconds + SPARE_S
    while not reported and time.monotonic() < until:
        time.sleep(PAUSE_S)
    return not reported


def _sign_opener(system: System, profile: Profile, encoder: Encoder) -> Callable[[], OpenPort]:
    path = system.at(profile.sign_port)
    return lambda: system.open_port(path, encoder.baud, encoder.bits, encoder.parity)


_SIZES = re.compile(r"^\s*(rate|buffer_size|period_size)\s*: (\d+)$", re.MULTILINE)


def look_at_sound(system: System, card: str) -> SoundFacts:
    """What there is to play on, and what came of playing."""
    cards = playing_cards(system.read(CARDS_FILE), system.read(DEVICES_FILE))
    device = device_for(card, cards)
    names = tuple(f"{each.device} ({each.title})" for each in cards)
    if not device or card == NONE:
        return SoundFacts(card=card, cards=names)
    samples = spread(clip_of(Heard(Sound.START), 1).samples)
    said = system.play([*aplay_command(device), "--verbose"], samples)
    return SoundFacts(
        card=card,
        device=device,
        cards=names,
        installed=said is not None,
        complaint="" if said is None else complaint_in(said),
        ahead_ns=_ahead_ns(said or ""),
    )


def _ahead_ns(said: str) -> int:
    """How long a sound waits, by the set-up that the player prints: a period in its hands, and the buffer."""
    sizes = {name: int(number) for name, number in _SIZES.findall(said)}
    if len(sizes) < 3 or not sizes["rate"]:
        return 0
    return (sizes["buffer_size"] + sizes["period_size"]) * S // sizes["rate"]


SETTLED_S = 0.01


"""By then a weak pull-up has loaded even a long cable."""


def look_at_gpio(system: System, profile: Profile | None) -> Gpio:
    """All chips, the one of the profile (else: of a Pi's header), and the users of the profile's lines."""
    chips, closed = _chips(system)
    wanted = _wanted(profile)
    found = [chip for chip in chips if (chip.path if wanted[0].startswith("/") else chip.label) in wanted]
    users: dict[int, str] = {}
    if found and profile is not None:
        chip = _as_driver(system, found[0])
        users = dict(_users(system, chip, [line for line in line_names(profile) if line < chip.lines]))
    return Gpio(
        chips=tuple(chips),
        closed=tuple(closed),
        wanted=wanted,
        chip=found[0] if found else None,
        users=users,
    )


def look_at_contacts(system: System, profile: Profile) -> Contacts:
    """How the profile's direct lines stand now; they are claimed for a moment."""
    health = HealthBox()
    try:
        with borrowed_lines(system, profile, health) as lines:
            time.sleep(SETTLED_S)
            levels = lines.levels()
            reported = tuple((report.seen, report.advice) for report in health.read())
    except GpioError as error:
        return Contacts(seen=error.seen, advice=error.advice)
    finally:
        health.close()
    return Contacts(levels=levels, reported=reported)


class LinesRefused(TableError):
    """The GPIO lines can't be had; `seen` says why, and `advice` what to do next."""

    def __init__(self, seen: str, advice: str) -> None:
        super().__init__(f"{seen}; {advice}")
        self.seen = seen
        self.advice = advice


@contextmanager
def opened_table(system: System, profile: Profile, registry: Registry | None) -> Iterator[Equipment]:
    """All devices of a table for a while; afterwards lamps are off, the sign is blank, lines are free."""
    try:
        equipment = system.equipment(profile, registry)
    except GpioError as error:
        raise LinesRefused(error.seen, error.advice) from error
    try:
        yield equipment
    finally:
        equipment.close()


@contextmanager
def borrowed_lines(system: System, profile: Profile, health: HealthBox) -> Iterator[InputLines]:
    """The profile's direct lines with their driver; GpioError says why they can't be had."""
    site = system.site(profile, health)
    try:
        yield site.inputs(GPIO, profile.direct_lines)
    finally:
        site.close()


def _wanted(profile: Profile | None) -> tuple[str, ...]:
    if profile is None:
        return PI_LABELS
    if profile.chip_path:
        return (profile.chip_path,)
    return PI_LABELS if profile.chip == "auto" else (profile.chip,)


def _chips(system: System) -> tuple[list[GpioChip], list[str]]:
    """All chips that may be opened, each once, and the paths that may not."""
    chips: list[GpioChip] = []
    closed: list[str] = []
    seen: set[str] = set()
    for path in system.listing("/dev/gpiochip*"):
        if system.device(path) in seen:  # newer systems link the old number to the new one
            continue
        seen.add(system.device(path))
        try:
            chip = system.look_at(system.at(path))
        except NotPermitted:
            closed.append(path)
        except GpioError:
            continue
        else:
            chips.append(
                GpioChip(path=path, label=chip.label, lines=chip.lines, events=_events(system, chip))
            )
    return chips, closed


def _events(system: System, chip: ChipInfo) -> bool:
    """Whether the kernel knows the second version of the interface, in which edges have numbers."""
    try:
        system.line_user(chip, 0)
    except OSError:
        return chip.lines == 0
    return True


def _users(system: System, chip: ChipInfo, lines: list[int]) -> Iterator[tuple[int, str]]:
    for line in lines:
        try:
            user = system.line_user(chip, line)
        except OSError:
            continue
        if user is not None:
            yield line, user


def _as_driver(system: System, chip: GpioChip) -> ChipInfo:
    return ChipInfo(os.fspath(system.at(chip.path)), chip.label, chip.lines)


def look_at_bus(system: System, profile: Profile, *, scan: bool = True) -> Bus:
    """The profile's bus, and who answers on it unless it must not be scanned."""
    number = profile.i2c_bus
    device = f"/dev/i2c-{number}"
    adapter = any(
        system.has(f"{folder}/i2c-{number}") for folder in ("/sys/bus/i2c/devices", "/sys/class/i2c-dev")
    )
    driver = any(map(system.has, ("/sys/module/i2c_dev", "/sys/class/i2c-dev")))
    there = system.has(device)
    asked = BusScan(chip_names(profile))
    seen = advice = ""
    if there and scan:
        try:
            bus = system.open_bus(system.at(device))
            try:
                asked.run(bus)
            finally:
                bus.close()
        except OSError as error:
            seen, advice = _words(error)
    return Bus(
        number=number,
        adapter=adapter,
        driver=driver,
        device=there,
        seen=seen,
        advice=advice,
        answered=frozenset(asked.answered),
        claimed=frozenset(asked.claimed),
        clock_hz=_clock_hz(system, number),
    )


def _clock_hz(system: System, number: int) -> int:
    """The speed of the bus as the device tree has it: a big-endian number; 0 if it does not say."""
    try:
        with open(system.at(f"/sys/bus/i2c/devices/i2c-{number}/of_node/clock-frequency"), "rb") as file:
            return int.from_bytes(file.read(4), "big")
    except OSError:
        return 0


def _words(error: OSError) -> tuple[str, str]:
    number = error.errno or 0
    return SEEN.get(number, os.strerror(number) if number else str(error)), ADVICE.get(number, USUAL_ADVICE)
