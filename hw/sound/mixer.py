"""Clips that sound together, block by block."""

from __future__ import annotations

from array import array
from operator import add

from hw.ports import LOUDEST_VOLUME, Clip

MOST_VOICES = 6
_LIMIT = 32_767
_DB_A_STEP = 3


class _Voice:
    """A clip that sounds, and how far it has come."""

    def __init__(self, clip: Clip) -> None:
        self.clip = clip
        self.at = 0
        self.ending = False

    def block(self, length: int) -> list[int]:
        """Its next samples; those of a voice that has to end fade away."""
        samples = self.clip.samples[self.at : self.at + length].tolist()
        self.at = len(self.clip.samples) if self.ending else self.at + length
        if self.ending:
            samples = [sample * (length - i) // length for i, sample in enumerate(samples)]
        return samples + [0] * (length - len(samples))

    @property
    def is_over(self) -> bool:
        return self.at >= len(self.clip.samples)


class Mixer:
    """Adds up the clips that sound; a sum that is too loud is cut off, and never wraps around."""

    def __init__(self, volume: int = LOUDEST_VOLUME) -> None:
        self._voices: list[_Voice] = []
        self._gain = 0.0
        self.set_volume(volume)

    def set_volume(self, volume: int) -> None:
        """From 0, which is silent, to 10; each step is 3 dB."""
        self._gain = 10 ** ((volume - LOUDEST_VOLUME) * _DB_A_STEP / 20) if volume > 0 else 0.0

    def add(self, clip: Clip) -> None:
        """Let it sound from the next block on; where too many do, one of the lowest rank ends."""
        sounding = [voice for voice in self._voices if not voice.ending]
        if len(sounding) >= MOST_VOICES:
            least = min(sounding, key=lambda voice: voice.clip.rank)  # of several, the one that began first
            if least.clip.rank > clip.rank:
                return
            least.ending = True
        self._voices.append(_Voice(clip))

    def clear(self) -> None:
        """Forget all that sounds."""
        self._voices.clear()

    def block(self, length: int) -> array[int] | None:
        """The next samples; None if nothing sounds."""
        if not self._voices:
            return None
        first, *others = (voice.block(length) for voice in self._voices)
        total = first
        for other in others:
            total = list(map(add, total, other))
        self._voices = [voice for voice in self._voices if not voice.is_over]
        gain = self._gain
        return array("h", [max(-_LIMIT, min(_LIMIT, int(sample * gain))) for sample in total])
