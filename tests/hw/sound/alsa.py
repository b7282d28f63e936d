"""A card for tests: ALSA's file plugin, which writes down what it is given, in front of a null device.

That device takes everything at once; the speaker itself keeps to the pace of real time.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from math import cos, hypot, pi, sin
from pathlib import Path

import pytest

from hw.ports import CLIP_RATE
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


QUIET = 40
"""What can't be heard."""


def strength(samples: Sequence[int], hertz: float, rate: int = CLIP_RATE) -> float:
    """How strong a pitch is: the height of its wave."""
    turn = 2 * pi * hertz / rate
    real = sum(sample * cos(turn * i) for i, sample in enumerate(samples))
    imaginary = sum(sample * sin(turn * i) for i, sample in enumerate(samples))
    return 2 * hypot(real, imaginary) / max(1, len(samples))


def strongest(samples: Sequence[int], pitches: Iterable[float], rate: int = CLIP_RATE) -> float:
    """Which of these pitches is the strongest."""
    return max(pitches, key=lambda hertz: strength(samples, hertz, rate))


def stretches(samples: Sequence[int], rate: int, pause_ms: int = 20) -> list[tuple[int, int]]:
    """From where to where something sounds; pauses up to that length are part of it."""
    pause, found = rate * pause_ms // 1000, list[tuple[int, int]]()
    for at, sample in enumerate(samples):
        if abs(sample) > QUIET:
            if found and at - found[-1][1] <= pause:
                found[-1] = (found[-1][0], at + 1)
            else:
                found.append((at, at + 1))
    return found


def first_channel(data: bytes, channels: int = 2) -> array[int]:
    """The first channel of what a card was given."""
    return array("h", data[: len(data) // 2 * 2])[::channels]
