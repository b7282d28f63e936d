"""Judges serial ports and what is behind them: readers, and the scoreboard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_host.doctor.findings import Area, Finding, State
from firmware_host.doctor.judging.rights import named
from firmware_host.runtime.assembly.probing.facts import Reader, SerialPort, Sign

MOST_NAMED = 8
OURS_BY_NUMBER = "/dev/ligretto/serial-"


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


def judge_readers(readers: Sequence[Reader], ports: Sequence[SerialPort]) -> Iterator[Finding]:
    """Which readers answer; those with the same trouble are told together."""
    troubled: dict[tuple[bool, str, str], list[Reader]] = {}
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


def judge_sign(sign: Sign, ports: Sequence[SerialPort]) -> Finding:
    """Whether the scoreboard's port took the trial page, and what should have been seen."""
    if not sign.port:
        seen = "no port is named for it: the table plays without a scoreboard"
        return Finding(Area.SCOREBOARD, "sign", State.NOTE, seen)
    if sign.seen:
        advice = sign.advice if sign.there else which_port(ports)
        return Finding(Area.SCOREBOARD, sign.kind, State.FAIL, f"{sign.seen} ({sign.port})", advice)
    rows = " and ".join(f"[{row}]" for row in sign.page)
    seen = f"{sign.port} took the trial page; a sign never answers. It showed {rows}"
    advice = (
        f"if it stayed dark: check its power, its cable, and that it is set to {sign.line}; if it showed "
        "something else: check 'sign' and 'columns' in [scoreboard]"
    )
    return Finding(Area.SCOREBOARD, sign.kind, State.NOTE, seen, advice)


def which_port(ports: Sequence[SerialPort], devices: int = 1) -> str:
    """The ports that could be named instead of those of some devices, which are not there."""
    plug = "plug it in" if devices == 1 else "plug them in"
    free = [lasting_name(port, ports) for port in ports if not port.used]
    if free:
        return f"{plug}, or name those that are there: {named(free, MOST_NAMED)}"
    return f"{plug}; no other serial port is free" if ports else f"{plug}; there is no serial port at all"
