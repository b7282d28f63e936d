"""What goes into a bundle, and what is taken out of it before."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firmware_host import __version__
from firmware_host.doctor.findings import Finding
from firmware_host.doctor.plain import plain
from firmware_host.doctor.practice.bundle import pack
from firmware_host.doctor.practice.drafts import DataDraft, Draft, LinesDraft, ReportDraft, redacted
from firmware_host.doctor.practice.examination import Patient
from firmware_host.doctor.practice.secrets import secrets_of
from firmware_host.doctor.practice.store_copy import store_draft
from firmware_host.doctor.redaction import Redactor, Secret
from firmware_host.runtime.assembly.probing.ground import Ground
from firmware_host.runtime.assembly.probing.machine import look_at_machine
from firmware_host.tag_text import shortened


def pack_bundle(
    ground: Ground,
    patient: Patient,
    data: dict[str, Any],
    findings: Sequence[Finding],
    log: Sequence[str] | None,
) -> tuple[list[str], bytes]:
    """What is in the bundle, line by line, and all of it."""
    store = None if patient.store is None else Path(ground.at(patient.store.file))
    events = [text for event in patient.events for text in (event, shortened(event).rstrip("."))]
    known = [*secrets_of(ground), *(Secret("EVENT", event) for event in events)]
    redactor = Redactor(known, secrets.token_bytes(16))
    versions = {"ligretto-table": __version__, **plain(look_at_machine(ground))}
    drafts: list[Draft] = [
        DataDraft("findings.json", data, "the findings, for programs"),
        ReportDraft("findings.txt", findings, "the findings, for people"),
        DataDraft("versions.json", versions, "kernel, clock, libraries"),
    ]
    if patient.config is not None:
        words = "the configuration as it is in effect"
        drafts.append(DataDraft("config.json", _without_wiring(plain(patient.config)), words))
    for profile in patient.profiles:
        name = "wiring.json" if profile is patient.profile else f"wiring-{profile.game}.json"
        drafts.append(DataDraft(name, plain(profile), f"the wiring profile for {profile.game}"))
    if log is not None:
        drafts.append(LinesDraft("log.txt", log, "the last log lines"))
    with tempfile.TemporaryDirectory(prefix="ligretto-table-") as folder:
        if store is not None:
            drafts.append(store_draft(store, Path(folder)))
        return pack(redacted(drafts, redactor))


def _without_wiring(config: dict[str, Any]) -> dict[str, Any]:
    """The wiring has a part of its own."""
    return {key: value for key, value in config.items() if key != "profiles"}
