"""The sound cards of this machine, and which of them a table plays on if nobody names one.

A card that is named is opened by itself and not through ALSA's default, which on many systems mixes several
programs in periods of 21 ms and more: a table has its card for itself, and is heard sooner.
"""

from __future__ import annotations

import re
from typing import NamedTuple

CARDS_FILE = "/proc/asound/cards"
DEVICES_FILE = "/proc/asound/pcm"

AUTO = "auto"
NONE = "none"

_CARD = re.compile(r"^\s*(\d+) \[(\S+)\s*\]: (.*)$", re.MULTILINE)
_PLAYS = re.compile(r"^(\d+)-\d+:.*\bplayback\b", re.MULTILINE)


class SoundCard(NamedTuple):
    """A card that can play: its short name, and the driver and name that it has for people."""

    name: str
    title: str

    @property
    def is_usb(self) -> bool:
        return "USB" in self.title

    @property
    def is_hdmi(self) -> bool:
        """Whether it is heard only through a monitor."""
        return "hdmi" in f"{self.name} {self.title}".lower()

    @property
    def device(self) -> str:
        """What ALSA calls it. A Pi's HDMI takes only what its own default makes of the samples."""
        return f"{'sysdefault' if self.is_hdmi else 'plughw'}:CARD={self.name}"


def playing_cards(cards: str, devices: str) -> list[SoundCard]:
    """The cards that can play, by the contents of CARDS_FILE and DEVICES_FILE."""
    plays = {int(number) for number in _PLAYS.findall(devices)}
    return [SoundCard(name, title) for number, name, title in _CARD.findall(cards) if int(number) in plays]


def usual_card(cards: list[SoundCard]) -> SoundCard | None:
    """The card to play on if nobody names one: of USB if there is one, and never a monitor."""
    heard = [card for card in cards if not card.is_hdmi]
    return next((card for card in heard if card.is_usb), heard[0] if heard else None)


def device_for(named: str, cards: list[SoundCard]) -> str:
    """What ALSA has to open for a card that the table.toml names; empty for none."""
    if named in (AUTO, NONE):
        card = usual_card(cards) if named == AUTO else None
        return card.device if card else ""
    return next((card.device for card in cards if card.name == named), named)
