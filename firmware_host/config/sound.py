"""Reads the section [sound] of a table.toml."""

from __future__ import annotations

from firmware_host.config.faults import FaultyReader
from firmware_host.config.sections import Section
from firmware_host.config.table import AUTO_CARD, USUAL_VOLUME
from firmware_host.settings import LOUDEST

SOUND_SETTINGS = ("card", "volume")
_CARD_FORM = "'auto', 'none', or what ALSA calls a card, such as 'plughw:CARD=Device'"
_LONGEST_CARD = 100


class SoundSectionReader:
    """Reads on which card sounds are played, and how loud."""

    def __init__(self, reader: FaultyReader, root: Section) -> None:
        self._reader = reader
        self._section = reader.section(root, "sound", SOUND_SETTINGS)

    def card(self) -> str:
        """The ALSA name of a card, "auto" or "none"."""
        setting = self._section["card"]
        card = self._reader.text(setting, AUTO_CARD, what=_CARD_FORM)
        if len(card) > _LONGEST_CARD or not card.isprintable() or card.startswith("-"):
            self._reader.fault(setting, _CARD_FORM)
        return card

    def volume(self) -> int:
        """From 0, which is silent, to 10."""
        return self._reader.number(self._section["volume"], 0, LOUDEST, default=USUAL_VOLUME)
