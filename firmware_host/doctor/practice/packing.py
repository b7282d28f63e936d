"""What goes into a bundle: values that say nothing of anybody, and no text as it was found."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from firmware_host import __version__
from firmware_host.doctor.findings import Area, Finding
from firmware_host.doctor.plain import plain
from firmware_host.doctor.practice.bundle import Part, pack
from firmware_host.doctor.practice.examination import Patient
from firmware_host.doctor.practice.log_lines import harmless_lines
from firmware_host.doctor.practice.sessions import sessions_of
from firmware_host.doctor.practice.stand_ins import StandIns
from firmware_host.doctor.practice.walks import WALKS
from firmware_host.doctor.practice.wordings import OUT, is_harmless, spelled, wording
from firmware_host.doctor.report import as_data, text_lines
from firmware_host.doctor.subjects.machine_look import look_at_machine
from firmware_host.doctor.system import System
from firmware_host.errors import TableError

_FAULT = re.compile(r".*?:(?P<line>[0-9]{1,4}): (?P<words>.*)", re.DOTALL)
"""How the configuration says what is wrong with a file."""


def pack_bundle(
    system: System,
    patient: Patient,
    findings: Sequence[Finding],
    measured: dict[str, Any],
    log: Sequence[str] | None,
) -> tuple[list[str], bytes]:
    """What is in the bundle, line by line, and all of it; `measured` is made of numbers."""
    stand_ins = StandIns()
    told = [_told(finding, stand_ins) for finding in findings]
    parts = [
        _data(
            "findings.json", as_data(told, {"version": __version__, **measured}), "the findings, for programs"
        ),
        _lines("findings.txt", list(text_lines(told)), "the findings, for people"),
        _data("versions.json", _versions(system), "kernel, clock, libraries"),
    ]
    if patient.config is not None:
        parts.append(_data("config.json", stand_ins.config(patient.config), "the settings in force"))
    for profile in patient.profiles:
        name = "wiring.json" if profile is patient.profile else f"wiring-{profile.game}.json"
        parts.append(_data(name, stand_ins.wiring(profile), f"the wiring profile for {profile.game}"))
    if log is not None:
        parts.append(_lines("log.txt", list(harmless_lines(log)), "the last log lines"))
    if patient.store is not None:
        try:
            store, sessions = sessions_of(system.at(patient.store.file), stand_ins)
        except (TableError, OSError) as error:
            parts.append(_lines("sessions.txt", [wording(str(error))], "why there is no store"))
        else:
            parts.append(_lines("sessions.txt", sessions, "what a replay of each session has shown"))
            parts.append(Part("store.db", store, "the last sessions with every input, audits, log"))
    return pack(parts)


def _told(finding: Finding, stand_ins: StandIns) -> Finding:
    """A finding in the words of this program; names of devices have stand-ins, other values are left out."""
    subject = wording(finding.subject)
    if OUT in subject and finding.area is not Area.CONFIG:
        walk, colon, names = finding.subject.rpartition(": ")
        told = (name if is_harmless(name) else stand_ins.device(name) for name in names.split(", "))
        subject = f"{walk if walk in WALKS else ''}{colon}{', '.join(told)}"
    return replace(finding, subject=subject, seen=_seen(finding), advice=wording(finding.advice))


def _seen(finding: Finding) -> str:
    """What was seen; of a fault of a file also in which line that is."""
    fault = _FAULT.fullmatch(finding.seen) if finding.area is Area.CONFIG else None
    return f"{OUT}:{fault['line']}: {wording(fault['words'])}" if fault else wording(finding.seen)


def _versions(system: System) -> dict[str, Any]:
    machine = plain(look_at_machine(system))
    libraries = {name: spelled(version) for name, version in machine.pop("libraries").items()}
    texts = {name: spelled(value) if isinstance(value, str) else value for name, value in machine.items()}
    return {"ligretto-table": __version__, **texts, "libraries": libraries}


def _data(name: str, data: Any, words: str) -> Part:
    return Part(name, f"{json.dumps(data, indent=2, ensure_ascii=False)}\n".encode(), words)


def _lines(name: str, lines: Sequence[str], words: str) -> Part:
    return Part(name, "".join(f"{line}\n" for line in lines).encode(), words)
