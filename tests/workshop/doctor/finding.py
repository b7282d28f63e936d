"""Findings, for tests that look for one among many."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.workshop.doctor.findings import Area, Finding, State
from firmware_host.workshop.doctor.walks import Walk


def one(findings: Iterable[Finding], subject: str, area: Area | None = None) -> Finding:
    """The only finding about a subject."""
    (found,) = [each for each in findings if each.subject == subject and area in (None, each.area)]
    return found


def states(findings: Iterable[Finding]) -> dict[str, State]:
    """How each subject is."""
    return {finding.subject: finding.state for finding in findings}


def done(walk: Walk) -> bool:
    """Whether a walk is at its end now; asked again, it may have another answer."""
    return walk.done
