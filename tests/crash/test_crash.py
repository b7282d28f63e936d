"""A small share of `make crash`: each variant at least once."""

from __future__ import annotations

import pytest

from tests.crash.runs import CYCLE, GAMES, Variant, run, undisturbed, variant_of
from tests.thoroughness import one_of_each

SEEDS = range(1, len(CYCLE) + 1)


@pytest.mark.parametrize(
    "seed", one_of_each(variant_of, SEEDS), ids=lambda seed: f"{seed}-{variant_of(seed).value}"
)
def test_nothing_is_lost(seed: int) -> None:
    result = run(seed)
    assert not result.fault, str(result)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_without_a_blow_goes_as_planned(game: str) -> None:
    result = undisturbed(game, 4)
    assert not result.fault, result.fault


def test_all_variants_are_among_them() -> None:
    assert {variant_of(seed) for seed in SEEDS} == set(Variant)
