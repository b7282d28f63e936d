"""Judges the sound: whether there is a card, a player, and what came of playing a sound on it."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.config.table import AUTO_CARD, NO_CARD
from firmware_host.device_kinds import SPEAKER_KIND
from firmware_host.doctor.findings import Area, Finding, State, named
from firmware_host.durations import MS

LATE_NS = 20 * MS
"""A sound should leave the card this soon after it was asked for."""

_ADVICE = {
    "Permission denied": "sudo usermod -aG audio $USER, then log in again",
    "Device or resource busy": "end the program that uses it, or name another in [sound] of the table.toml",
}
"""What to do about what the player says, where another card is not the first thing to try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundFacts:
    """What came of playing a sound."""

    card: str = AUTO_CARD
    """What the table.toml says."""
    device: str = ""
    """What ALSA was asked to open; empty if there is nothing to open."""
    cards: tuple[str, ...] = ()
    """The cards that can play: what ALSA calls each, and its title."""
    installed: bool = True
    complaint: str = ""
    """What the player said was wrong."""
    ahead_ns: int = 0
    """How long a sound waits in player and card; 0 if that is not known."""


def judge_sound(sound: SoundFacts) -> Finding:
    """Whether the table can be heard."""
    if sound.card == NO_CARD:
        return _finding("card", State.NOTE, "the table.toml wants none: the table plays without sound")
    if not sound.device:
        if not sound.cards:
            return _finding("card", State.NOTE, "there is none that plays: the table plays without sound")
        seen = f"there are only monitors ({named(list(sound.cards))}): the table plays without sound"
        return _finding(
            "card", State.NOTE, seen, "to be heard through one, name it in [sound] of the table.toml"
        )
    if not sound.installed:
        seen, advice = f"{SPEAKER_KIND.program} is not installed", f"sudo apt install {SPEAKER_KIND.package}"
        return _finding("player", State.WARN, seen, advice)
    if sound.complaint:
        there = f"those that play: {named(list(sound.cards))}" if sound.cards else "no card here plays"
        advice = _ADVICE.get(sound.complaint, f"name another in [sound] of the table.toml; {there}")
        return _finding(sound.device, State.WARN, f"can't play: {sound.complaint}", advice)
    after = f"; sounds wait {sound.ahead_ns // MS} ms in player and card" if sound.ahead_ns else ""
    if sound.ahead_ns > LATE_NS:
        advice = "use a card of its own for the table, over USB or I2S: most of them need 12 ms"
        return _finding(sound.device, State.WARN, f"has played the sound of a start{after}", advice)
    return _finding(sound.device, State.OK, f"has played the sound of a start{after}")


def _finding(subject: str, state: State, seen: str, advice: str = "") -> Finding:
    return Finding(Area.SOUND, subject, state, seen, advice)
