"""Judges readers of tags: which of them answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from firmware_host.doctor.findings import Area, Finding, State, named
from firmware_host.doctor.subjects.port_findings import SerialPort, which_port


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
