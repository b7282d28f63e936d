"""A round of dice as a value, and its text form."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.dice.dice import DicePosition, opening, parse_position
from firmware_host.games.games import DICE_GAME
from firmware_host.model.errors import IllegalMove, MalformedText

ALL_HEIGHTS = [(r, y, g, b) for r, y, g, b in product(range(7), repeat=4)]


@st.composite
def deals(draw: st.DrawFn) -> tuple[int, ...]:
    """Any deal the rules allow, handicaps and empty seats included."""
    return tuple(
        draw(
            st.lists(st.integers(0, 12), min_size=2, max_size=5).filter(
                lambda deal: not DICE_GAME.deal_faults(deal)
            )
        )
    )


@st.composite
def positions(draw: st.DrawFn) -> DicePosition:
    """Any position that a game can come to: dice placed, and no more of them claimed."""
    dealt = draw(deals())
    heights = draw(st.tuples(*(st.integers(0, 6) for _ in range(4))))
    left, unclaimed = list(dealt), sum(heights)
    for seat, count in enumerate(dealt):
        left[seat] -= draw(st.integers(0, min(count, unclaimed)))
        unclaimed -= count - left[seat]
    finished = [seat for seat, count in enumerate(dealt, start=1) if count and not left[seat - 1]]
    finisher = draw(st.sampled_from(finished)) if finished else None
    return DicePosition(heights, dealt, tuple(left), finisher)


def test_the_opening_is_an_empty_board() -> None:
    assert str(opening((6, 6, 6, 6))) == "r0y0g0b0 6/6,6/6,6/6,6/6"
    assert opening((6, 6, 6, 6)).board == set()
    with pytest.raises(IllegalMove, match="25 dice in all"):
        opening((13, 12))


def test_a_position_can_be_set_at_a_larger_table() -> None:
    position = parse_position("r1y0g0b0 11/12,12/12")
    assert str(position.at_table_of(4)) == "r1y0g0b0 11/12,12/12,-,-"
    assert position.at_table_of(2) == position


@given(deals())
def test_every_opening_reads_back(deal: tuple[int, ...]) -> None:
    assert parse_position(str(opening(DICE_GAME.checked_deal(deal)))) == opening(deal)


def test_all_heights_read_back() -> None:
    for heights in ALL_HEIGHTS:
        position = DicePosition(heights, (12, 12), (12, 12))
        assert parse_position(str(position)) == position


def test_what_a_position_looks_like() -> None:
    position = parse_position("r3y0g6b2 4/6,0/6,-,6/6 won=2")
    assert position == DicePosition((3, 0, 6, 2), (6, 6, 0, 6), (4, 0, 0, 6), finisher=2)
    assert (position.claimed, position.unclaimed) == (8, 3)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "'' is no dice position; it looks like 'r3y0g6b2 4/6,2/6,-,6/6' with ' won=2' when over"),
        ("r1y0g0 6/6,6/6", "is no dice position"),
        ("r1y0g0b0", "is no dice position"),
        ("r1y0g0b0 6/6,6/6 won=", "is no dice position"),
        ("r1y0g0b0 6/6, 6/6", "is no dice position"),
        ("r1y0g0b0 6/6,x", "'x' is no hand; it looks like '4/6' (left/dealt) or '-'"),
        ("r1y0g0b0 6/6,", "'' is no hand"),
        ("r7y0g0b0 6/6,6/6", "a row has at most 6 dice"),
        ("r0y0g0b0 6/6,-", "1 playing"),
        ("r0y0g0b0 13/13,12/12", "25 dice in all, there are only 24"),
        ("r0y0g0b0 7/6,6/6", "a seat has more dice left than it was dealt"),
        ("r1y0g0b0 5/6,5/6", "2 dice are claimed and only 1 lie on the board"),
        ("r6y0g0b0 0/6,6/6", "seat 1 has no dice left, so the round is over: leave it a die, or add won=1"),
        ("r6y0g0b0 0/6,6/6 won=2", "seat 2 has not placed all its dice"),
        ("r6y0g0b0 0/6,6/6 won=9", "seat 9 has not placed all its dice"),
    ],
)
def test_what_is_no_position_is_told_why(text: str, told: str) -> None:
    with pytest.raises(MalformedText) as error:
        parse_position(text)
    assert told in str(error.value)
    assert repr(text) in str(error.value) or "hand" in told
