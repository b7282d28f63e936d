"""Judges serial ports: which there are, and whether their names last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from firmware_host.doctor.findings import Area, Finding, State, named

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
