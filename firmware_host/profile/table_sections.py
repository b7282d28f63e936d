"""The sections of a table.toml, each with its reader: store, sound, times, ports, seats and handicaps."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from firmware_host.games.games import GAMES
from firmware_host.model.errors import MalformedText
from firmware_host.model.places import MOST_SEATS
from firmware_host.model.plain_text import in_a_line
from firmware_host.model.settings import LOUDEST, TIMINGS, Settings, TimeOrder, contradictions, time_of
from firmware_host.model.times import format_duration, parse_duration
from firmware_host.profile.device_kinds import SIGNS
from firmware_host.profile.document import FileSetting, Section
from firmware_host.profile.faults import FaultCollector
from firmware_host.profile.keys import TABLE_SECTIONS, without_zeros
from firmware_host.profile.pins import (
    HEADER_PORTS,
    may_lack_parity,
    own_port,
    parity_form,
    port_form,
    port_of,
    whole_port,
)
from firmware_host.profile.profile import HEADER_LINES, NONE, SCOREBOARD, Profile, line_names, ports_of
from firmware_host.profile.table import (
    AUTO_CARD,
    SYNCS,
    USUAL_VOLUME,
    Files,
    StoreConfig,
    open_seats,
    usual_deal,
)

MOST_KEPT = 100_000
_STORE_FORM = "the path of a file"
_LONGEST_NAME, _LONGEST_PATH = 200, 480
"""In bytes. File systems allow 255 and SQLite 512, and files beside the store have longer names."""
_NO_DISKS = ("/dev", "/proc", "/sys")
_IN_MEMORY = "/dev/shm/"
"""Files there are real ones, but only until the machine is switched off."""


class OwnFiles:
    """Knows the purpose of each file that has been named."""

    def __init__(self, reader: FaultCollector, files: Files, table: str) -> None:
        self._reader = reader
        self._files = files
        self._owners = {table: "this table.toml itself"}

    def clash(self, setting: FileSetting, path: str) -> str:
        """The end of a fault if a file has another purpose; else empty, and the file is for this setting."""
        for other, owner in self._owners.items():
            if self._files.same(path, other):
                return f": it is {owner}"
        self._owners[path] = f"the file of {self._reader.where(setting)}"
        return ""


def read_store(reader: FaultCollector, files: Files, own: OwnFiles, root: Section) -> StoreConfig:
    """Where the store is, and how long it is kept."""
    usual = StoreConfig()
    section = reader.section(root, "store", TABLE_SECTIONS["store"])
    name = reader.text(section["file"], usual.file, what=_STORE_FORM)
    path = files.beside(name)
    wrong = name and (_wrong_with(name, path, files) or own.clash(section["file"], path))
    if wrong:
        reader.fault(section["file"], f"{_STORE_FORM}{wrong}")
    return StoreConfig(
        file=path,
        sync=reader.one_of(section["sync"], SYNCS, usual.sync),
        keep_rounds=reader.number(section["keep-rounds"], 1, MOST_KEPT, default=usual.keep_rounds),
    )


def _wrong_with(name: str, path: str, files: Files) -> str:
    """What is wrong with a path for the store, as the end of a fault; empty if nothing is."""
    if not name.isprintable():
        return " without control characters"
    if name.startswith("~"):
        return ": write '~' out in full"
    place = files.place(path)
    whole = place.encode(errors="surrogateescape")
    if len(whole) > _LONGEST_PATH or max(map(len, whole.split(b"/"))) > _LONGEST_NAME:
        return f", up to {_LONGEST_NAME} bytes in each name of it, and {_LONGEST_PATH} in all"
    for each in (path, place):
        if each.startswith(tuple(f"{folder}/" for folder in _NO_DISKS)) and not each.startswith(_IN_MEMORY):
            return f" on a disk: nothing in {' or '.join(_NO_DISKS)} stays"
    said = in_a_line(path)
    if files.folder_in_place_of(path):
        return f": {said} is a folder; name a file in it, such as '{said.rstrip('/')}/table.db'"
    if kind := files.kind_of(path):
        return f": {said} is {kind}; name a file somewhere else"
    if above := files.file_above(path):
        return f": {in_a_line(above)} is no folder; name a file somewhere else"
    return ""


_CARD_FORM = "'auto', 'none', or what ALSA calls a card, such as 'plughw:CARD=Device'"
_LONGEST_CARD = 100


def read_sound(reader: FaultCollector, section: Section) -> dict[str, Any]:
    """The ALSA name of the card for sounds, "auto" or "none", and the volume, as fields of a TableConfig."""
    card = reader.text(section["card"], AUTO_CARD, what=_CARD_FORM)
    if len(card) > _LONGEST_CARD or not card.isprintable() or card.startswith("-"):
        reader.fault(section["card"], _CARD_FORM)
    volume = reader.number(section["volume"], 0, LOUDEST, default=USUAL_VOLUME)
    return {"sound_card": card, "volume": volume}


_FORM = "a duration such as '200ms': a number and ns, us, ms, s or min"
_DURATION = re.compile(r"0*(?P<whole>[0-9]*)(?:\.[0-9]+)?(?:ns|us|ms|s|min)")
_MOST_DIGITS = len(str(max(timing.most_ns for timing in TIMINGS.values())))


def read_timing(reader: FaultCollector, root: Section, usual: Settings) -> Settings:
    """The settings with the times of a file, and a fault for each that can't be right."""
    section = reader.in_order(reader.section(root, "timing", TIMINGS))
    read = {name: _time(reader, name, setting) for name, setting in section.items()}
    times = {name: time_ns for name, time_ns in read.items() if time_ns is not None}
    new: dict[str, Any] = {f"{name.replace('-', '_')}_ns": time_ns for name, time_ns in times.items()}
    settings = replace(usual, **new)
    broken = contradictions(settings)
    right = TIMINGS.keys() - read.keys()  # the defaults first, then each time that fits those above it
    for name in times:
        against = [order for order in broken if _partner(order, name) in right]
        if against:
            worst = max(against, key=lambda order: order.excess_ns(settings))
            reader.fault(section[name], _limit(worst, name, settings))
        else:
            right.add(name)
    return settings


def _time(reader: FaultCollector, name: str, setting: FileSetting) -> int | None:
    """The nanoseconds; None if the time is missing or makes no sense."""
    text = setting.value if isinstance(setting.value, str) else ""
    timing = TIMINGS[name]
    time_ns = _parsed(text)
    like = _DURATION.fullmatch(text)
    if time_ns is None and like and len(like["whole"]) > _MOST_DIGITS:
        reader.fault(setting, timing.span)
    elif time_ns is None and like:
        reader.fault(setting, "whole nanoseconds, such as 1ns")
    elif time_ns is None:
        compact = text.replace(" ", "").lower()
        reader.fault(setting, _FORM, near=None if _parsed(compact) is None else compact)
    elif not timing.least_ns <= time_ns <= timing.most_ns:
        reader.fault(setting, timing.span)
        return None
    return time_ns


def _parsed(text: str) -> int | None:
    try:
        return parse_duration(text)
    except MalformedText:
        return None


def _partner(order: TimeOrder, name: str) -> str:
    """The other time of an order; empty if the order is not about this one."""
    return {order.shorter: order.longer, order.longer: order.shorter}.get(name, "")


def _limit(order: TimeOrder, name: str, settings: Settings) -> str:
    """What one time of an order has to be, given the other one."""
    if name == order.shorter:
        how = "up to" if order.may_be_equal else "less than"
    else:
        how = "at least" if order.may_be_equal else "more than"
    other = _partner(order, name)
    limit = format_duration(time_of(settings, other))
    return f"{how} {limit}, which is {other}: else {order.why}"


class PortReader:
    """Reads which devices have other ports than their profiles say."""

    def __init__(self, reader: FaultCollector, profiles: Mapping[str, Profile]) -> None:
        self._reader = reader
        self._profiles = profiles
        self.refused: set[str] = set()
        """The devices whose ports have been reported as faults."""

    def read(self, root: Section, *, complete: bool) -> dict[str, str]:
        """The ports by device. If not all profiles could be read, any device name is accepted."""
        known = [device for profile in self._profiles.values() for device in ports_of(profile)]
        section = self._reader.section(root, "ports", list(dict.fromkeys(known)) if complete else None)
        settings = self._reader.in_order(section)
        ports = {}
        for device, setting in settings.items():
            port = port_of(setting.value)
            if port or (device == SCOREBOARD and setting.value == NONE):
                ports[device] = port
            else:
                more = f", or '{NONE}'" if device == SCOREBOARD else ""
                self._reader.fault(setting, f"{port_form(setting.value)}{more}")
        first: dict[str, FileSetting] = {}
        for device, port in ports.items():
            owner = first.setdefault(whole_port(port), settings[device]) if port else settings[device]
            if owner is settings[device]:
                allowed = self._disputed(device, ports)
            else:
                allowed = own_port(settings[device].value, self._reader.where(owner), owner.value)
            if allowed:
                self.refused.add(device)
                self._reader.fault(settings[device], allowed)
        return ports

    def _disputed(self, device: str, ports: Mapping[str, str]) -> str:
        """What would be right, if the port of a device is in conflict with a profile; else empty."""
        port = ports[device]
        if not port:
            return ""
        found = self._taken(device, ports)
        if not found and port in HEADER_PORTS and (owner := self._on_header(device)):
            found = f"lines of its own: {owner}"
        if not found and device == SCOREBOARD and may_lack_parity(port):
            signs = [each.sign for each in self._profiles.values() if SIGNS[each.sign].parity]
            found = parity_form(signs[0]) if signs else ""
        return found

    def _on_header(self, device: str) -> str:
        """What is wired to the lines of the header's port in a profile with that device; else empty."""
        for name, profile in self._profiles.items():
            wired = line_names(profile) if device in ports_of(profile) else {}
            for line in HEADER_LINES:
                if line in wired:
                    return f"GPIO {line} is taken by {wired[line]} of '{name}'"
        return ""

    def _taken(self, device: str, ports: Mapping[str, str]) -> str:
        """What would be right, if another device of a profile has the same port; else empty."""
        port = ports[device]
        for name, profile in self._profiles.items():
            there = ports_of(profile)
            for other, its in there.items():
                if device in there and other not in ports and whole_port(its) == whole_port(port):
                    return own_port(port, f"{other} of '{name}'", its)
        return ""


_MOST = max(game.most_each for game in GAMES.values()) - 1
Limit = Callable[[Profile, Collection[int]], tuple[int, str]]
"""The highest difference that is possible with these seats, and the reason."""


class SeatingReader:
    """Reads `seats`, `handicap` and `extra`; at a table with two games they have to fit both."""

    def __init__(self, reader: FaultCollector, profiles: Collection[Profile]) -> None:
        self._reader = reader
        self._profiles = profiles
        self._most = max((profile.seats for profile in profiles), default=MOST_SEATS)

    def seats(self, root: Section) -> tuple[int, ...]:
        """The open seats; none named means all."""
        setting = root["seats"]
        if setting.value is None:
            return ()
        if not isinstance(setting.value, list):
            self._reader.fault(setting, "a list of seats, as in [1, 2, 3]")
            return ()
        seats = tuple(self._reader.number(entry, 1, self._most, what="a seat") for entry in setting.entries)
        if -1 in seats:
            return ()
        for number, entry in enumerate(setting.entries):
            if entry.value in seats[:number]:
                self._reader.fault(entry, "each seat once")
                return ()
        for profile in self._profiles:
            game = GAMES[profile.game]
            if len(open_seats(profile, seats)) < game.fewest_seats or not seats:
                allowed = f"at least {game.fewest_seats} of the seats 1 to {profile.seats}, for {game.name}"
                self._reader.fault(setting, allowed)
                break
        return tuple(sorted(seats)) if len(seats) < self._most else ()

    def handicap(self, root: Section, seats: Collection[int]) -> tuple[int, ...]:
        """How many dice or cards fewer each seat is dealt (negative: more), up to the last that differs."""
        fewer = self._differences(root["handicap"], seats, self._most_fewer)
        more = self._differences(root["extra"], seats, self._most_more)
        for entry, less in zip(root["extra"].entries if more else (), fewer, strict=False):
            if entry.value and less > 0:
                self._reader.fault(entry, "0, because handicap says that this seat is dealt fewer")
        handicap = [less - extra for less, extra in zip_longest(fewer, more, fillvalue=0)]
        return tuple(without_zeros(handicap))

    def _differences(self, setting: FileSetting, seats: Collection[int], limit: Limit) -> list[int]:
        """A number for each seat; none if there is a fault."""
        if setting.value is None:
            return []
        if not isinstance(setting.value, list) or len(setting.value) > self._most:
            found = f"a list of {len(setting.value)}" if isinstance(setting.value, list) else ""
            allowed = f"a list of up to {self._most} numbers, one for each seat"
            self._reader.fault(setting, allowed, found=found)
            return []
        return [
            self._difference(entry, seat, seats, limit) for seat, entry in enumerate(setting.entries, start=1)
        ]

    def _difference(self, setting: FileSetting, seat: int, seats: Collection[int], limit: Limit) -> int:
        most, why = _MOST, ""
        for profile in self._profiles:
            playing = open_seats(profile, seats)
            if seat in playing and len(playing) >= GAMES[profile.game].fewest_seats:
                allowed, reason = limit(profile, playing)
                if allowed < most:
                    most, why = allowed, reason
        return self._reader.number(setting, 0, most, why=why)

    @staticmethod
    def _most_fewer(profile: Profile, playing: Collection[int]) -> tuple[int, str]:
        """How many fewer a seat can be dealt, and why not fewer still."""
        dealt = usual_deal(profile, playing)
        return dealt - 1, f"{len(playing)} who play are dealt {dealt} {GAMES[profile.game].things} each"

    @staticmethod
    def _most_more(profile: Profile, playing: Collection[int]) -> tuple[int, str]:
        """How many more than the others a seat can be dealt, and why not more still."""
        game = GAMES[profile.game]
        dealt = min(game.most_each, game.most_in_all - len(playing) + 1)
        return dealt - 1, f"with {len(playing)} who play, a seat is dealt at most {dealt} {game.things}"
