"""Judges serial ports: which there are, and whether their names last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from firmware_host.model.times import MS
from firmware_host.profile.device_kinds import SPEAKER_KIND
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
