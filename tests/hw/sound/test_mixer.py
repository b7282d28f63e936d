"""Clips that sound together: summed, saturating, and no more than a loudspeaker can make sense of."""

from __future__ import annotations

from array import array
from itertools import pairwise

import pytest

from hw.ports import LOUDEST_VOLUME, Clip
from hw.sound.clips import MOST_VOICES, Mixer

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
