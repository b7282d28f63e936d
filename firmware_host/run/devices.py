"""Every device of a profile with its driver, wherever it is: on a real table or a simulated one.

A `Site` is the ground on which the drivers stand: it opens lines, buses and ports, and gives
each bus and port its owner. All that comes after is the same code for both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from firmware_host.profile.device_kinds import LED_CHIPS, READER, SIGNS
from firmware_host.profile.profile import GPIO, SCOREBOARD, LedChip, Profile, TagSpot
from firmware_host.profile.tags import Registry
from firmware_host.run.equipment import BUS, Equipment, HealthBox, Reporter, Soundboard, World
from firmware_host.show.sounds import TUNES, Heard, all_sounds, notes_of
from hw.clock import Clock
from hw.i2c.bus import ChipDriver, I2cBus
from hw.i2c.mcp23017 import Mcp23017Bank
from hw.ports import (
    Clip,
    EdgeSource,
    LedPanel,
    LedWire,
    NoScoreboard,
    Panels,
    Scoreboard,
    Speaker,
    Tell,
)
from hw.rfid.field import FieldToken
from hw.rfid.pn532 import Pn532
from hw.scoreboard.serial_sign import SerialScoreboard, SerialSign
from hw.serial_port import OpenPort, PortWork
from hw.sound.clips import synthesised
from hw.sound.player import (
    CARDS_FILE,
    DEVICES_FILE,
    AplayProcess,
    OnStart,
    Player,
    PlayerSpeaker,
    device_for,
    playing_cards,
)
from hw.work import OwnerThread, Work


class LedChipDriver(ChipDriver, LedPanel, Protocol):
    """The driver of an LED chip, made from its name, address, wires and usual brightness."""

    def dim(self, brightness: int | None) -> None:
        """Burn that brightly from now on, from 0 to 15; None is the usual brightness."""


def led_chip_driver(chip: LedChip, profile: Profile) -> LedChipDriver:
    """The driver of an LED chip."""
    make: Callable[[str, int, Sequence[LedWire], int], LedChipDriver] = loaded(LED_CHIPS[chip.kind].driver)
    return make(chip.name, chip.address, led_wires(profile, chip.name), chip.brightness)


def led_wires(profile: Profile, chip: str = GPIO) -> list[LedWire]:
    """The wires from lamps to the LEDs of a chip, or to GPIO lines."""
    return [LedWire(wire.lamp, wire.mask, wire.led) for wire in profile.lamp_wires if wire.chip == chip]


def sign_driver(kind: str, columns: int, charset: str = "") -> SerialSign:
    """The encoder for a sign; without a charset it has the usual one."""
    row = SIGNS[kind]
    make: Callable[[int, str], SerialSign] = loaded(row.driver)
    return make(columns, charset or row.charsets[0])


def loaded(name: str) -> Any:
    """What a row names as `module:name`."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


LAMPS = "lamps"
INTERRUPTS = "interrupts"


class InputLines(EdgeSource, Protocol):
    """Lines that can be looked at again, in case an edge was lost unnoticed."""

    def resync(self) -> None:
        """Report what has changed unnoticed, as wide edges."""


class Owner(Protocol):
    """Whoever steps a bus or port."""

    def close(self) -> None:
        """No more steps; the devices are left at rest."""


class PortSite(Protocol):
    """Where the devices on serial ports are."""

    tell: Tell

    def open_port(self, name: str, path: str, baud: int, bits: int, parity: str) -> OpenPort:
        """An open serial port."""

    def own(self, work: Work) -> Owner:
        """An owner for a bus or port."""


class Site(PortSite, Protocol):
    """Where all devices are."""

    recheck_ns: int
    """How soon after an edge the lines are looked at again."""

    @property
    def clock(self) -> Clock:
        """What the table goes by."""

    @property
    def agenda(self) -> World | None:
        """The simulated world around it, if it is one."""

    def now_ns(self) -> int:
        """The time there."""

    def inputs(self, name: str, lines: Iterable[int]) -> InputLines:
        """Lines that report edges."""

    def lamps(self, wires: Sequence[LedWire]) -> LedPanel:
        """Lamps on GPIO lines."""

    def open_bus(self) -> Any:
        """An open SMBus."""

    def bus_reset(self) -> Callable[[], None] | None:
        """How to pulse the reset line of the bus, if it is wired."""

    def soundboard(self, seats: int) -> Soundboard | None:
        """The sounds of a table with so many seats, if it has a speaker."""

    def stuck(self) -> list[str]:
        """The names of buses and ports whose owners don't come back from a step."""

    def close(self) -> None:
        """Let go of whatever is open here still."""


def install(profile: Profile, site: Site, health: HealthBox, registry: Registry | None = None) -> Equipment:
    """The devices of a profile; what can't be reached now is reported, tried again, and joins later."""
    direct = site.inputs(GPIO, profile.direct_lines)
    lines: list[EdgeSource] = [direct]
    uncertainty_ns = dict.fromkeys(profile.direct_lines, direct.uncertainty_ns)
    owners: list[Owner] = []
    banks, led_chips = _chips(profile, site, owners)
    lines += banks
    for bank in banks:
        uncertainty_ns |= dict.fromkeys(bank.levels(), bank.uncertainty_ns)
    panels: list[LedPanel] = [*led_chips]
    if wires := led_wires(profile):
        panels.append(site.lamps(wires))
    others: list[Reporter] = [health, *open_readers(profile.readers, site, owners)]
    scoreboard = open_scoreboard(profile, site, owners)
    soundboard = site.soundboard(profile.seats)

    def dim(brightness: int | None) -> None:
        for chip in led_chips:
            chip.dim(brightness)

    def close() -> None:
        with ExitStack() as closing:  # one that can't be closed keeps no other open; the last goes first
            closing.callback(site.close)
            for reporter in (*others, *lines):
                closing.callback(reporter.close)
            for owner in reversed(owners):
                closing.callback(owner.close)
            closing.callback(scoreboard.close)
            if soundboard is not None:
                closing.callback(soundboard.close)
            # By now there may be another panel around the lamps: people look at those of a simulated table.
            closing.callback(equipment.leds.close)

    equipment = Equipment(
        profile,
        site.clock,
        uncertainty_ns,
        lines=lines,
        leds=Panels(panels),
        scoreboard=scoreboard,
        registry=registry,
        others=others,
        checks=[direct.resync],
        recheck_ns=site.recheck_ns,
        agenda=site.agenda,
        stuck=site.stuck,
        dim=dim,
        close=close,
        soundboard=soundboard,
    )
    return equipment


def device_names(profile: Profile) -> list[str]:
    """All devices that may report their state; a driver that starts well reports nothing."""
    names = [GPIO, *(bank.name for bank in profile.banks), *(chip.name for chip in profile.led_chips)]
    if profile.banks or profile.led_chips:
        names.append(BUS)
    if any(wire.chip == GPIO for wire in profile.lamp_wires):
        names.append(LAMPS)
    names += [reader.name for reader in profile.readers]
    return [*names, SCOREBOARD] if profile.sign_port else names


def _chips(
    profile: Profile, site: Site, owners: list[Owner]
) -> tuple[list[Mcp23017Bank], list[LedChipDriver]]:
    """The chips of the I2C bus, sensors before lights."""
    interrupts = None
    if profile.banks:
        interrupts = site.inputs(INTERRUPTS, [bank.interrupt for bank in profile.banks])
    banks = [
        Mcp23017Bank(
            bank.name,
            bank.address,
            bank.pins,
            bank.interrupt,
            uncertainty_ns=interrupts.uncertainty_ns if interrupts else 0,
        )
        for bank in profile.banks
    ]
    led_chips = [led_chip_driver(chip, profile) for chip in profile.led_chips]
    chips: list[ChipDriver] = [*banks, *led_chips]
    if chips:
        bus = I2cBus(
            BUS,
            site.open_bus,
            chips,
            now_ns=site.now_ns,
            tell=site.tell,
            interrupts=interrupts,
            reset=site.bus_reset(),
        )
        owners.append(site.own(bus))
    return banks, led_chips


def open_readers(spots: Sequence[TagSpot], site: PortSite, owners: list[Owner]) -> list[Pn532]:
    """A driver for each reader; its number is that of its spot."""
    fields = {spot.group: FieldToken() for spot in spots}
    readers = []
    for number, spot in enumerate(spots):
        reader = Pn532(spot.name, number, fields[spot.group])
        open_port = partial(site.open_port, spot.name, spot.port, READER.baud, 8, "N")
        owners.append(site.own(PortWork(open_port, reader, site.tell)))
        readers.append(reader)
    return readers


def open_scoreboard(profile: Profile, site: PortSite, owners: list[Owner]) -> Scoreboard:
    """The driver of the profile's sign, or what takes its place where there is none."""
    if not profile.sign_port:
        return NoScoreboard(profile.columns)
    sign = sign_driver(profile.sign, profile.columns, profile.charset)
    scoreboard = SerialScoreboard(SCOREBOARD, sign)

    def open_port() -> OpenPort:
        return site.open_port(SCOREBOARD, profile.sign_port, sign.baud, sign.bits, sign.parity)

    owners.append(site.own(PortWork(open_port, scoreboard, site.tell)))
    return scoreboard


SPEAKER = "speaker"


@cache
def clips_for(seats: int) -> dict[Heard, Clip]:
    """The clips of everything that can be heard at a table with so many seats; they are made once."""
    return {heard: clip_of(heard, seats) for heard in all_sounds(seats)}


def clip_of(heard: Heard, seats: int) -> Clip:
    """The clip of one sound."""
    return synthesised(heard.name, TUNES[heard.sound].rank, notes_of(heard, seats))


def soundboard_on(speaker: Speaker, seats: int) -> Soundboard:
    """The sounds of a table on a speaker that is there already."""
    return Soundboard(speaker, clips_for(seats), speaker.close)


def card_soundboard(card: str, seats: int, tell: Tell) -> Soundboard | None:
    """The sounds of a table on a card: its ALSA name, "auto" or "none"; None if there is none to play on."""
    device = device_for(card, playing_cards(_text(CARDS_FILE), _text(DEVICES_FILE)))
    return played_by(lambda: AplayProcess(device), seats, tell) if device else None


def played_by(
    open_player: Callable[[], Player], seats: int, tell: Tell, on_start: OnStart | None = None
) -> Soundboard:
    """The sounds of a table on a player, which a thread of its own starts, feeds and starts again.

    This thread is not among those that are watched: one that hangs must not end a table that plays.
    """
    clips = clips_for(seats)
    speaker = PlayerSpeaker(SPEAKER, open_player, tell, on_start)
    owner = OwnerThread(speaker, tell)
    return Soundboard(speaker, clips, owner.close)


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:  # a kernel without sound
        return ""
