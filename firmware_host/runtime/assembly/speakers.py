"""The speaker of a table: the card that is named or found, its clips, and the thread that feeds it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from firmware_host.runtime.soundboard import Soundboard
from firmware_host.show.sounds import TUNES, Heard, all_sounds, notes_of
from hw.ports import Clip, Speaker, Tell
from hw.sound.cards import CARDS_FILE, DEVICES_FILE, device_for, playing_cards
from hw.sound.player import AplayProcess, Player
from hw.sound.player_speaker import OnStart, PlayerSpeaker
from hw.sound.synthesis import synthesised
from hw.work import OwnerThread

SPEAKER = "speaker"


@cache
def clips_for(seats: int) -> dict[Heard, Clip]:
    """The clips of everything that can be heard at a table with so many seats; they are made once."""
    return {heard: clip_of(heard, seats) for heard in all_sounds(seats)}


def clip_of(heard: Heard, seats: int) -> Clip:
    """The clip of one sound."""
    return synthesised(heard.name, TUNES[heard.sound].rank, notes_of(heard, seats))


def soundboard_on(speaker: Speaker, seats: int) -> Soundboard:
    """The sounds of a table on a speaker that is there already."""
    return Soundboard(speaker, clips_for(seats), speaker.close)


def card_soundboard(card: str, seats: int, tell: Tell) -> Soundboard | None:
    """The sounds of a table on a card: its ALSA name, "auto" or "none"; None if there is none to play on."""
    device = device_for(card, playing_cards(_text(CARDS_FILE), _text(DEVICES_FILE)))
    return played_by(lambda: AplayProcess(device), seats, tell) if device else None


def played_by(
    open_player: Callable[[], Player], seats: int, tell: Tell, on_start: OnStart | None = None
) -> Soundboard:
    """The sounds of a table on a player, which a thread of its own starts, feeds and starts again.

    This thread is not among those that are watched: one that hangs must not end a table that plays.
    """
    clips = clips_for(seats)
    speaker = PlayerSpeaker(SPEAKER, open_player, tell, on_start)
    owner = OwnerThread(speaker, tell)
    return Soundboard(speaker, clips, owner.close)


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:  # a kernel without sound
        return ""
