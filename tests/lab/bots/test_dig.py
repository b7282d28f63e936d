"""Landing the upper cards of a Ligretto pile in the own row: what is scarce, and how long the search is."""

import sys
from itertools import permutations
from types import FrameType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_host.lab.bots.belongings import parse_area
from firmware_host.lab.bots.card_area import can_play, matched

# Positions that were bred to make the search long. In the first four almost each state has hope, but
# separators are few; in the last two there are many ways, and no hope for the last card.
HARD = (
    "1 b9,g9,y10,b10,y9 ligretto=g4g6y3g2y4y6b2y2b7b8 hand=r9g8g7r7b3b5r6r8 expert",
    "1 g10,y9,r10,y10 ligretto=b2b4y2y4r2g2g5y7y6g8 hand=b7g7r8y8g9b5b6r7b9r3 expert",
    "1 y10,r8,g9,r10,g10 ligretto=r6g3g6r3r5b2g2r7g4y8 hand=b8b6b3y4y7b9 expert",
    "1 r9,b10,y10,r10,r8 ligretto=g7y3g2y5y7r3r5r2r6b8 hand=y6y9g8b3g4b7 expert",
    "1 r9,y9,g9,b9,y8 ligretto=r10y2g2b3r4y5g6r7b8 hand=b10g10y10 expert",
    "1 r9,y9,g9,b9,r8 ligretto=r10g3y4b5r4y5g6r7b8 hand=b10g10y10b7y7g7r6b6y6r5g5b4g4 expert",
)


MOST_CALLS = 100_000
"""The hardest of them takes 59,000: steps can be counted alike on every machine, seconds can't."""


@pytest.mark.parametrize("text", HARD)
def test_a_hard_position_is_known_soon(text: str) -> None:
    area, calls = parse_area(text), 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        playable = can_play(area, frozenset())
    finally:
        sys.setprofile(before)
    assert not playable
    assert 1_000 < calls < MOST_CALLS


@pytest.mark.parametrize(
    ("hand", "playable"),
    [
        ("y9y7y5y3", True),
        ("y9y7y5g3", True),
        ("y9y7y5b3", False),  # a separator is of another colour
        ("y9y7y5", False),
        ("y9y8g5y3", False),  # two for the same place leave another one without
        ("y9y7y5y4", False),
    ],
)
def test_each_landing_has_a_separator_of_its_own(hand: str, playable: bool) -> None:
    area = parse_area(f"1 b10 ligretto=r10b2b4b6b8 hand={hand} expert")
    assert can_play(area, {(card.colour, card.number) for card in area.ligretto[:1]}) is playable


@pytest.mark.parametrize(
    ("hand", "playable"),
    [("y9y8", True), ("y8y9", True), ("g9y8g2", True), ("y9g9", False), ("y8g8", False), ("y9", False)],
)
def test_a_nine_is_kept_for_the_ten_though_it_fits_the_first_card(hand: str, playable: bool) -> None:
    assert can_play(parse_area(f"1 b10,b9 ligretto=b8b7 hand={hand} expert"), frozenset()) is playable


@pytest.mark.parametrize(
    ("hand", "playable"), [("y7", False), ("y6", False), ("y7g7", True), ("y7y6", True), ("y9y7", True)]
)
def test_two_cards_can_not_share_the_only_separator(hand: str, playable: bool) -> None:
    assert can_play(parse_area(f"1 b10,b9 ligretto=b5b6 hand={hand} expert"), frozenset()) is playable


@given(st.lists(st.integers(1, 31), max_size=5))
@example([0b00011, 0b00100, 0b00101])  # the third gets its card if the first moves to another one
@example([0b00011, 0b00011, 0b00011])
def test_demands_are_matched_if_any_order_of_the_cards_meets_them(demands: list[int]) -> None:
    orders = permutations([1 << card for card in range(5)], len(demands))
    met = any(all(card & demand for card, demand in zip(order, demands, strict=True)) for order in orders)
    assert matched(demands) == met
