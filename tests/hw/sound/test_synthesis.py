"""Clips are made as their notes say, don't click, and leave room for others."""

from __future__ import annotations

from array import array
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.ports import CLIP_RATE, LOUDEST_VOLUME, Clip
from hw.sound.clips import LOUDEST, MOST_VOICES, TIMBRES, Mixer, synthesised
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


BLOCK = 8


def steady(level: int, name: str = "steady", rank: int = 1, length: int = 4 * BLOCK) -> Clip:
    """A clip of one level."""
    return Clip(name, rank, array("h", [level] * length))


def blocks(mixer: Mixer) -> list[list[int]]:
    """All that is left to sound."""
    found = []
    while (block := mixer.block(BLOCK)) is not None:
        found.append(block.tolist())
    return found


def test_nothing_sounds_at_first_and_nothing_after_the_last_clip() -> None:
    mixer = Mixer()
    assert mixer.block(BLOCK) is None
    mixer.add(steady(100, length=BLOCK + 2))
    assert blocks(mixer) == [[100] * 8, [100, 100, 0, 0, 0, 0, 0, 0]]


def test_clips_add_up_from_the_block_on_in_which_they_begin() -> None:
    mixer = Mixer()
    mixer.add(steady(100, length=2 * BLOCK))
    assert mixer.block(BLOCK) == array("h", [100] * BLOCK)
    mixer.add(steady(-30, length=2 * BLOCK))
    assert blocks(mixer) == [[70] * BLOCK, [-30] * BLOCK]


@pytest.mark.parametrize(("level", "sum_"), [(12_000, 32_767), (-12_000, -32_767)])
def test_what_is_too_loud_is_cut_off_and_does_not_wrap_around(level: int, sum_: int) -> None:
    mixer = Mixer()
    for _ in range(3):
        mixer.add(steady(level))
    assert mixer.block(BLOCK) == array("h", [sum_] * BLOCK)


def test_each_step_of_the_volume_is_three_decibels_and_the_lowest_is_silent() -> None:
    mixer = Mixer()
    mixer.add(steady(10_000, length=100 * BLOCK))
    heard = []
    for volume in range(LOUDEST_VOLUME, -1, -1):
        mixer.set_volume(volume)
        block = mixer.block(BLOCK)
        assert block is not None
        heard.append(block[0])
    assert heard[0] == 10_000
    assert heard[-1] == 0
    for louder, quieter in pairwise(heard[:-1]):
        assert quieter == pytest.approx(louder * 0.708, rel=0.01)


def test_where_too_many_sound_the_least_important_one_fades_away() -> None:
    mixer = Mixer()
    for number in range(MOST_VOICES):
        mixer.add(steady(1 << number, f"{number}", rank=1 + number))
    mixer.add(steady(1000, "more", rank=2))
    first, second, *_ = blocks(mixer)
    others = sum(1 << number for number in range(1, MOST_VOICES)) + 1000
    assert first[0] == others + 1
    assert first[-1] == others
    assert second == [others] * BLOCK


def test_what_is_less_important_than_all_that_sounds_is_not_heard() -> None:
    mixer = Mixer()
    for number in range(MOST_VOICES):
        mixer.add(steady(1, f"{number}", rank=2))
    mixer.add(steady(1000, "late", rank=1))
    assert mixer.block(BLOCK) == array("h", [MOST_VOICES] * BLOCK)


def test_all_can_be_forgotten() -> None:
    mixer = Mixer()
    mixer.add(steady(100))
    mixer.clear()
    assert mixer.block(BLOCK) is None
