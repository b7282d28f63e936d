"""What goes into a bundle, and what is taken out of it before."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firmware_host import __version__
from firmware_host.doctor.findings import Finding
from firmware_host.doctor.plain import plain
from firmware_host.doctor.practice.bundle import Part, data_part, event_names, pack, store_part, text_part
from firmware_host.doctor.practice.examination import Patient
from firmware_host.doctor.practice.secrets import secrets_of
from firmware_host.doctor.redaction import Redactor, Secret
from firmware_host.doctor.report import text_lines
from firmware_host.runtime.assembly.probing.ground import Ground
from firmware_host.runtime.assembly.probing.machine import look_at_machine


def pack_bundle(
    path: Path,
    ground: Ground,
    patient: Patient,
    data: dict[str, Any],
    findings: Sequence[Finding],
    log: Sequence[str] | None,
) -> list[str]:
    """Pack it all; what is in it, line by line."""
    store = None if patient.store is None else Path(ground.at(patient.store.file))
    event = "" if patient.config is None else patient.config.event
    known = [*secrets_of(ground), Secret("EVENT", event), *(event_names(store) if store else ())]
    redactor = Redactor(known, secrets.token_bytes(16))
    versions = {"ligretto-table": __version__, **plain(look_at_machine(ground))}
    parts: list[Part] = [
        data_part("findings.json", data, "the findings, for programs", redactor),
        text_part("findings.txt", text_lines(findings), "the findings, for people", redactor),
        data_part("versions.json", versions, "kernel, clock, libraries", redactor),
    ]
    if patient.config is not None:
        words = "the configuration as it is in effect"
        parts.append(data_part("config.json", _without_wiring(plain(patient.config)), words, redactor))
    if patient.profile is not None:
        parts.append(data_part("wiring.json", plain(patient.profile), "the wiring profile", redactor))
    if log is not None:
        parts.append(text_part("log.txt", log, "the last log lines", redactor))
    if store is not None:
        parts.append(store_part(store, redactor))
    return pack(path, parts)


def _without_wiring(config: dict[str, Any]) -> dict[str, Any]:
    """The wiring has a part of its own."""
    return {key: value for key, value in config.items() if key != "profiles"}
