"""Speaks to readers of tags until each has said which firmware it has, or why it can't."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence

from firmware_host.model.times import S
from firmware_host.profile.device_kinds import READER
from firmware_host.profile.profile import SCOREBOARD, Profile, TagSpot, ports_of
from firmware_host.run.devices import clip_of, sign_driver
from firmware_host.show.sounds import Heard, Sound
from firmware_host.workshop.doctor.device_findings import ReaderFacts, SerialPort, SignFacts, SoundFacts
from firmware_host.workshop.doctor.system import System
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


class _Bench:
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
    benches: list[_Bench] = []
    try:
        benches += (_Bench(system, spot, number, field) for number, spot in enumerate(spots))
        until = time.monotonic() + PATIENCE_S
        while not all(bench.settled for bench in benches) and time.monotonic() < until:
            time.sleep(PAUSE_S)
    finally:
        for bench in benches:
            bench.close()
    return tuple(bench.outcome(system.has(bench.spot.port)) for bench in benches)


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
