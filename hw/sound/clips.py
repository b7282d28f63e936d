"""Clips made from notes, and mixed: pure functions, a few kilobytes and about a millisecond each.

A note reads one cycle of its timbre again and again and multiplies it with an envelope. Each begins with a
ramp of a few milliseconds and ends at zero, so that no loudspeaker clicks.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cache, lru_cache
from math import pi, sin
from operator import add, mul
from typing import NamedTuple

from hw.ports import CLIP_RATE, LOUDEST_VOLUME, Clip

LOUDEST = 10_000
"""The peak of a clip at full level: three of them together don't reach 32,767."""
CYCLE = 512
_FINE = 256
"""Into how many steps a 512th of a cycle is divided: pitches are right to a fifth of a hertz."""
RAMP = CLIP_RATE * 3 // 1000
"""How many samples a note takes to swell; a note that is held takes as many to end."""


class Timbre(NamedTuple):
    """How a note sounds: the strength of each harmonic, and whether it is held or dies away like a bell."""

    harmonics: tuple[float, ...]
    held: bool


TIMBRES = {
    "pip": Timbre((1.0, 0.1), held=True),
    "bell": Timbre((1.0, 0.45, 0.2, 0.1), held=False),
    "reed": Timbre((1.0, 0.5, 0.35, 0.25, 0.15), held=False),
    # Odd harmonics up to the 15th: what is heard of a low buzz on a loudspeaker as small as a coin.
    "buzz": Timbre((1.0, 0, 0.8, 0, 0.6, 0, 0.5, 0, 0.4, 0, 0.3, 0, 0.2, 0, 0.2), held=True),
}


def synthesised(name: str, rank: int, notes: Iterable[tuple[float, int, float, str]]) -> Clip:
    """A clip of notes, one after another: each is hertz, milliseconds, level from 0 to 1, and timbre."""
    samples = array("h")
    for hertz, ms, level, timbre in notes:
        length = CLIP_RATE * ms // 1000
        cycle, step = _cycle(timbre, level), round(hertz * CYCLE * _FINE / CLIP_RATE)
        wave = [cycle[phase // _FINE % CYCLE] for phase in range(0, length * step, step)]
        samples.extend(map(int, map(mul, wave, _envelope(length, TIMBRES[timbre].held))))
    return Clip(name, rank, samples)


@cache
def _cycle(timbre: str, level: float) -> tuple[float, ...]:
    """One cycle of a timbre."""
    harmonics = list(enumerate(TIMBRES[timbre].harmonics, 1))
    wave = [sum(part * sin(2 * pi * n * i / CYCLE) for n, part in harmonics) for i in range(CYCLE)]
    peak = max(map(abs, wave))
    return tuple(value * LOUDEST * level / peak for value in wave)


@lru_cache(maxsize=1)  # the bells of all seats have the same
def _envelope(length: int, held: bool) -> tuple[float, ...]:
    """How loud a note is from its first sample to its last, from 0 to 1."""
    envelope = [1.0] * length if held else [(1 - i / length) ** 2 for i in range(length)]
    ramp = min(RAMP, length // 2)
    for i in range(ramp):
        envelope[i] *= i / ramp
        if held:
            envelope[-1 - i] *= i / ramp
    return tuple(envelope)


RATE = 48_000
CHANNELS = 2
"""What cards are given."""
REPEAT = RATE // CLIP_RATE
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


def spread(samples: array[int]) -> bytes:
    """The samples of a clip at the card's rate, in both channels."""
    copies = REPEAT * CHANNELS
    frames = array("h", bytes(2 * copies * len(samples)))
    for copy in range(copies):
        frames[copy::copies] = samples
    return frames.tobytes()
