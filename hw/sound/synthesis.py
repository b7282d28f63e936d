"""Clips made from notes: pure functions, a few kilobytes and about a millisecond each.

A note reads one cycle of its timbre again and again and multiplies it with an envelope. Each begins with a
ramp of a few milliseconds and ends at zero, so that no loudspeaker clicks.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cache, lru_cache
from math import pi, sin
from operator import mul
from typing import NamedTuple

from hw.ports import CLIP_RATE, Clip

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
