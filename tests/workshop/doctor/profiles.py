"""Profiles for the doctor's tests, and small tables of their own making."""

from __future__ import annotations

from firmware_host.profile.profile import Profile
from firmware_host.run.table_files import load_profile

DICE, TAGGED, CARDS, DIRECT = (
    load_profile(name) for name in ("dice4", "dice4-rfid", "cards4", "dice4-direct")
)


def profile_with(profile: Profile, **changes: object) -> Profile:
    """The same profile but for this."""
    from dataclasses import replace

    return replace(profile, **changes)  # type: ignore[arg-type]
