"""Plays the sound of a start on the card that the table would use."""

from __future__ import annotations

import re

from firmware_host.doctor.subjects.sound_findings import SoundFacts
from firmware_host.doctor.system import System
from firmware_host.durations import S
from firmware_host.runtime.assembly.speakers import clip_of
from firmware_host.show.sounds import Heard, Sound
from hw.sound.cards import CARDS_FILE, DEVICES_FILE, NONE, device_for, playing_cards
from hw.sound.player import aplay_command, complaint_in
from hw.sound.player_speaker import spread

_SIZES = re.compile(r"^\s*(rate|buffer_size|period_size)\s*: (\d+)$", re.MULTILINE)


def look_at_sound(system: System, card: str) -> SoundFacts:
    """What there is to play on, and what came of playing."""
    cards = playing_cards(system.read(CARDS_FILE), system.read(DEVICES_FILE))
    device = device_for(card, cards)
    names = tuple(f"{each.device} ({each.title})" for each in cards)
    if not device or card == NONE:
        return SoundFacts(card=card, cards=names)
    samples = spread(clip_of(Heard(Sound.START), 1).samples)
    said = system.play([*aplay_command(device), "--verbose"], samples)
    return SoundFacts(
        card=card,
        device=device,
        cards=names,
        installed=said is not None,
        complaint="" if said is None else complaint_in(said),
        ahead_ns=_ahead_ns(said or ""),
    )


def _ahead_ns(said: str) -> int:
    """How long a sound waits, by the set-up that the player prints: a period in its hands, and the buffer."""
    sizes = {name: int(number) for name, number in _SIZES.findall(said)}
    if len(sizes) < 3 or not sizes["rate"]:
        return 0
    return (sizes["buffer_size"] + sizes["period_size"]) * S // sizes["rate"]
