"""The promise of the project: arrival order and pins decide nothing, and nothing is lost.

Whole matches of clumsy people on bouncing, noisy, late devices, through the whole path.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.lab.party import Misbehaviour, settle_ns
from firmware_host.model.effects import Judged, LateSignal, Noise, RoundScored, Verdict
from firmware_host.model.settings import Settings
from hw.ports import Edge
from tests.rewiring import renumbered
from tests.thoroughness import tries
from tests.whole.recording import (
    ALL,
    ALL_WRONG,
    COARSE,
    PROFILE,
    Story,
    check_counts,
    exactness,
    feed,
    invite,
    matches,
    play,
    players,
    seeds,
)

whole_matches = matches(tries(3, 60))
STRICT = replace(COARSE, locks="strict")


def latest_ns(edge: Edge) -> int:
    """The latest delay that an edge may have."""
    return settle_ns(Settings(), PROFILE.lines[edge.line])


@whole_matches
@given(seeds, players)
def test_one_seed_has_one_result(seed: int, seats: int) -> None:
    asked = invite(seats, 2, ALL_WRONG)
    assert play(asked, seed) == play(asked, seed)


@whole_matches
@given(seeds, players)
def test_all_dice_are_accounted_for_and_rounds_sum_to_zero(seed: int, seats: int) -> None:
    story = play(invite(seats, 2, ALL_WRONG), seed, check_counts)
    scored = story.of_kind(RoundScored)
    assert len(scored) == 2
    assert all(sum(effect.scores) == 0 for effect in scored)


@whole_matches
@given(seeds, players, seeds, exactness)
def test_delay_within_the_settle_time_changes_no_verdict_no_frame_and_no_byte(
    seed: int, seats: int, disorder: int, exact: Settings
) -> None:
    asked = invite(seats, 1, Misbehaviour(bounce=ALL, noise=ALL), settings=exact)
    story = play(asked, seed)
    prompt = feed(asked, seed, story.edges, lambda edge: 0)
    chance = Random(disorder)
    by_edge = feed(asked, seed, story.edges, lambda edge: chance.randint(0, latest_ns(edge)))
    late_lines = chance.sample(sorted(PROFILE.lines), 10)
    by_source = feed(asked, seed, story.edges, lambda edge: latest_ns(edge) if edge.line in late_lines else 0)
    assert not by_edge.of_kind(LateSignal)
    assert by_edge.told() == prompt.told()
    assert by_source.told() == prompt.told()
    # And the same as when the people were there.
    assert prompt.effects[: len(story.effects)] == story.effects


@whole_matches
@given(seeds, seeds, exactness)
def test_permuted_arrivals_change_nothing(seed: int, disorder: int, exact: Settings) -> None:
    """Edges come in batches, and each batch in any order: as a driver hands them to its reader."""
    asked = invite(4, 1, Misbehaviour(bounce=ALL), settings=exact)
    story = play(asked, seed)
    prompt = feed(asked, seed, story.edges, lambda edge: 0)
    shuffled = list(story.edges)
    Random(disorder).shuffle(shuffled)
    batch_ns = min(map(latest_ns, story.edges))
    batched = feed(asked, seed, shuffled, lambda edge: -edge.t_ns % batch_ns)
    assert batched.told() == prompt.told()


@whole_matches
@given(seeds, st.permutations(range(46)), exactness)
def test_the_pins_a_table_is_wired_to_change_no_verdict(seed: int, pins: list[int], exact: Settings) -> None:
    rewired = renumbered(PROFILE, dict(enumerate(pins)))
    asked, elsewhere = (invite(4, 1, ALL_WRONG, profile, exact) for profile in (PROFILE, rewired))
    one, other = play(asked, seed), play(elsewhere, seed)
    assert one.told() == other.told()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_shows_what_it_should(seats: int) -> None:
    """The generated matches are worth something: they hold every verdict, dead heats and noise.

    Only that somebody takes back a die by chance is too rare.
    """
    story = Story()
    for seed in range(10):
        story.effects += play(invite(seats, 2, ALL_WRONG, settings=Settings(locks="strict")), seed).effects
        story.effects += play(invite(seats, 2, ALL_WRONG, settings=STRICT), seed).effects
        seen = {judged.verdict for judged in story.of_kind(Judged)}
        if seen >= set(Verdict) - {Verdict.TAKEN_BACK} and story.of_kind(Noise):
            break
    assert seen >= set(Verdict) - {Verdict.TAKEN_BACK}
    assert story.of_kind(Noise)
    assert not story.of_kind(LateSignal)
