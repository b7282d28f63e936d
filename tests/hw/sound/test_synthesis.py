"""Clips are made as their notes say, don't click, and leave room for others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.ports import CLIP_RATE
from hw.sound.clips import LOUDEST, TIMBRES, synthesised
from tests.hw.sound.listening import strength, strongest

STEEPEST = 2 * LOUDEST // 3
"""From one sample to the next: a step of a click is higher."""


@pytest.mark.parametrize("timbre", TIMBRES)
@pytest.mark.parametrize("hertz", [150, 392, 1047, 1760])
def test_a_note_has_its_pitch_and_no_other(timbre: str, hertz: int) -> None:
    samples = synthesised("note", 1, [(hertz, 100, 1.0, timbre)]).samples
    below, above = hertz / 1.06, hertz * 1.06  # a semitone away
    assert strongest(samples, [hertz / 2, below, hertz, above]) == hertz
    assert len(samples) == CLIP_RATE // 10


def test_notes_follow_each_other_at_their_levels() -> None:
    samples = synthesised("two", 1, [(500, 50, 1.0, "pip"), (1000, 50, 0.25, "pip")]).samples
    half = len(samples) // 2
    first, second = samples[:half], samples[half:]
    assert strongest(first, [500, 1000]) == 500
    assert strongest(second, [500, 1000]) == 1000
    assert strength(second, 1000) == pytest.approx(strength(first, 500) / 4, rel=0.1)


@given(
    st.lists(
        st.tuples(
            st.integers(100, 3000), st.integers(1, 60), st.floats(0, 1), st.sampled_from(sorted(TIMBRES))
        ),
        min_size=1,
        max_size=3,
    )
)
def test_nothing_clicks_and_nothing_is_too_loud(notes: list[tuple[float, int, float, str]]) -> None:
    samples = synthesised("any", 1, notes).samples
    assert max(map(abs, samples)) <= LOUDEST
    assert samples[0] == 0
    assert abs(samples[-1]) <= STEEPEST // 100 or notes[-1][1] <= 1
    longest = max(abs(after - before) for before, after in zip([0, *samples], [*samples, 0], strict=True))
    smoothest = max(_steepest(*note) for note in notes)
    assert longest <= smoothest


def _steepest(hertz: float, ms: int, level: float, timbre: str) -> float:
    """The steepest step that a wave of this pitch can have, with the notes' own rounding."""
    harmonics = TIMBRES[timbre].harmonics
    slope = sum(n * part for n, part in enumerate(harmonics, 1)) * 6.3 * hertz / CLIP_RATE
    return LOUDEST * level * (min(2.0, slope) + 0.05) + 2


def test_three_clips_together_are_never_cut_off() -> None:
    assert 3 * LOUDEST < 32_767
