"""A card for tests: ALSA's file plugin, which writes down what it is given, in front of a null device.

That device takes everything at once; the speaker itself keeps to the pace of real time.
"""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from tests.hw.sound.listening import first_channel
from tests.left_out import needs

needs_aplay = needs("aplay")
CARD = "table"


class FileCard:
    """What `aplay` finds as the card "table"."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._recorded = folder / "recorded.raw"
        self._config = folder / "asoundrc"
        self.plug_in()
        monkeypatch.setenv("ALSA_CONFIG_PATH", str(self._config))

    def plug_in(self) -> None:
        """The card is there."""
        self._config.write_text(
            "pcm.nothing { type null }\n"
            f'pcm.{CARD} {{ type file format "raw" file "{self._recorded}" slave.pcm "nothing" }}\n'
        )

    def unplug(self) -> None:
        """No new player finds the card."""
        self._config.write_text("pcm.nothing { type null }\n")

    @property
    def heard(self) -> array[int]:
        """The first channel of what the last player was given; the last of it is there when it has ended."""
        return first_channel(self._recorded.read_bytes()) if self._recorded.exists() else array("h")
