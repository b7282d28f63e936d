"""Packs what somebody who helps needs to know into one file that does not say whose table it is.

Nothing is copied: texts are redacted, settings and wiring are written from their values, and sessions are
made of their inputs. The parts have no owner and no date.
"""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from firmware_host import __version__
from firmware_host.config.build_choices import Choices
from firmware_host.doctor.findings import Finding
from firmware_host.doctor.plain import plain
from firmware_host.doctor.practice.examination import Patient
from firmware_host.doctor.practice.log_lines import redacted_log
from firmware_host.doctor.practice.redaction import Redaction
from firmware_host.doctor.practice.sessions import sessions_of
from firmware_host.doctor.report import as_data, text_lines
from firmware_host.doctor.subjects.machine_look import look_at_machine
from firmware_host.doctor.system import System
from firmware_host.errors import TableError

FOLDER = "ligretto-table"
README = """What is in here, and what is not

{contents}

Nothing in here was copied. Of messages and of the log, the words of this program are kept, and values such
as a number, a seat, or a port as every Linux has it. An ellipsis (…) is in the place of everything else. The
event and titles are left out. Names that somebody has made up for devices, ports and files have stand-ins
such as name-1, the same for the same thing everywhere, and so have the numbers of tags. store.db can be
replayed:
ligretto-table replay --store store.db --session 1
"""


class Part(NamedTuple):
    """One file of a bundle."""

    name: str
    data: bytes
    words: str
    """What it is, in a few words."""


def pack_bundle(
    system: System,
    patient: Patient,
    findings: Sequence[Finding],
    measured: dict[str, Any],
    log: Sequence[str] | None,
) -> tuple[list[str], bytes]:
    """What is in the bundle, line by line, and all of it; `measured` is made of numbers."""
    redaction = Redaction()
    known = list(_settings_and_wiring(patient, redaction))  # first: other texts may have the names in it
    seen = [_redacted_finding(finding, redaction) for finding in findings]
    facts = {"version": __version__, **measured}
    parts = [
        _data("findings.json", as_data(seen, facts), "the findings, for programs"),
        _lines("findings.txt", text_lines(seen), "the findings, for people"),
        _data("versions.json", _versions(system, redaction), "kernel, clock, libraries"),
        *known,
    ]
    if log is not None:
        parts.append(_lines("log.txt", redacted_log(log, redaction), "the last log lines"))
    if patient.store is not None:
        try:
            store, sessions = sessions_of(system.at(patient.store.file), redaction)
        except (TableError, OSError) as error:
            parts.append(_lines("sessions.txt", [redaction.text(str(error))], "why there is no store"))
        else:
            parts.append(_lines("sessions.txt", sessions, "what a replay of each session has shown"))
            parts.append(Part("store.db", store, "the last sessions with every input, audits, log"))
    contents = [f"{part.name:<16} {len(part.data):>10,} bytes  {part.words}" for part in parts]
    readme = README.format(contents="\n".join(contents))
    return contents, _packed([Part("README.txt", readme.encode(), ""), *parts])


def _settings_and_wiring(patient: Patient, redaction: Redaction) -> Iterable[Part]:
    if patient.config is not None:
        config = plain(replace(patient.config, event="", profiles={}, ports={}))
        yield _data("config.json", redaction.data(config), "the settings in force")
    for profile in patient.profiles:
        name = "wiring.json" if profile is patient.profile else f"wiring-{profile.game}.json"
        wiring = redaction.data(plain(replace(profile, title="", board="", build=Choices())))
        yield _data(name, wiring, f"the wiring profile for {profile.game}")


def _redacted_finding(finding: Finding, redaction: Redaction) -> Finding:
    subject, seen, advice = map(redaction.text, (finding.subject, finding.seen, finding.advice))
    return replace(finding, subject=subject, seen=seen, advice=advice)


def _versions(system: System, redaction: Redaction) -> dict[str, Any]:
    machine = plain(look_at_machine(system))
    texts = {name: redaction.text(value) for name, value in machine.items() if isinstance(value, str)}
    libraries = {name: redaction.text(version) for name, version in machine["libraries"].items()}
    return {"ligretto-table": __version__, **machine, **texts, "libraries": libraries}


def _data(name: str, data: Any, words: str) -> Part:
    return Part(name, f"{json.dumps(data, indent=2, ensure_ascii=False)}\n".encode(), words)


def _lines(name: str, lines: Iterable[str], words: str) -> Part:
    return Part(name, "".join(f"{line}\n" for line in lines).encode(), words)


def _packed(parts: Sequence[Part]) -> bytes:
    """An archive with neither a name nor a time in its head."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as pressed,
        tarfile.open(fileobj=pressed, mode="w", format=tarfile.PAX_FORMAT) as bundle,
    ):
        for part in parts:
            entry = tarfile.TarInfo(f"{FOLDER}/{part.name}")
            entry.size = len(part.data)
            bundle.addfile(entry, io.BytesIO(part.data))
    return packed.getvalue()
