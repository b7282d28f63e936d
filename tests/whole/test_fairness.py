"""The promise of the project: arrival order and pins decide nothing, and nothing is lost.

Whole matches of clumsy people on bouncing, noisy, late devices, through the whole path.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.settings import Settings
from firmware_host.profile.profile import BANK_LINES, Profile
from tests.rewiring import renumbered
from tests.thoroughness import tries
from tests.whole.recording import (
    BY_SLAP,
    BY_TAG,
    CARDS4,
    CARDS12,
    PILES,
    PROFILE,
    check_any_order,
    exactness,
    invite,
    matches,
    play,
    seeds,
)

whole_matches = matches(tries(2, 50))
tables = pytest.mark.parametrize(
    ("profile", "fewest", "most"),
    [(PROFILE, 2, 4), (BY_SLAP, 2, 4), (BY_TAG, 2, 4), (CARDS4, 2, 4), (CARDS12, 5, 12), (PILES, 2, 2)],
    ids=["dice", "dice by slap", "dice by tag", "cards", "cards of many", "piles"],
)


@tables
def test_one_seed_has_one_result(profile: Profile, fewest: int, most: int) -> None:
    one, other = (play(invite(most, 2, profile, late=True), 5) for _ in range(2))
    assert one == other


@tables
@whole_matches
@given(data=st.data(), seed=seeds, disorder=seeds, exact=exactness)
def test_delay_and_order_of_arrival_change_no_verdict_no_frame_and_no_byte(
    profile: Profile, fewest: int, most: int, data: st.DataObject, seed: int, disorder: int, exact: Settings
) -> None:
    players = data.draw(st.integers(fewest, most))
    check_any_order(invite(players, 1, profile, exact), seed, Random(disorder))


@tables
@whole_matches
@given(seed=seeds, wiring=seeds, exact=exactness)
def test_the_pins_a_table_is_wired_to_change_no_verdict(
    profile: Profile, fewest: int, most: int, seed: int, wiring: int, exact: Settings
) -> None:
    rewired = _rewired(profile, Random(wiring))
    one, other = (play(invite(most, 1, each, exact, late=True), seed) for each in (profile, rewired))
    assert one.told() == other.told()


def _rewired(profile: Profile, chance: Random) -> Profile:
    """Contacts of the Pi go to any lines; those of expanders change places."""
    direct = [line for line in profile.lines if line < BANK_LINES]
    banked = [line for line in profile.lines if line >= BANK_LINES]
    any_lines = range(46) if len(direct) > 24 else range(4, 28)  # of a Compute Module, or of any Pi
    new_line = dict(zip(direct, chance.sample(any_lines, len(direct)), strict=True))
    new_line |= dict(zip(banked, chance.sample(banked, len(banked)), strict=True))
    return renumbered(profile, new_line)
