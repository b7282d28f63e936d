"""The same table with its wires on other lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from firmware_host.profile.profile import Profile


def renumbered(profile: Profile, new_line: Mapping[int, int]) -> Profile:
    """The profile with what is on each of these lines on another one; the rest stays."""
    lines = {new_line.get(line, line): source for line, source in profile.lines.items()}
    return replace(profile, lines=lines)
