"""Findings, for tests that look for one among many, and the profiles of these tests."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.profile.profile import Profile
from firmware_host.run.table_files import load_profile
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


DICE, TAGGED, CARDS, DIRECT = (
    load_profile(name) for name in ("dice4", "dice4-rfid", "cards4", "dice4-direct")
)


def profile_with(profile: Profile, **changes: object) -> Profile:
    """The same profile but for this."""
    from dataclasses import replace

    return replace(profile, **changes)  # type: ignore[arg-type]
