"""A round of dice as the referee knows it."""

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.dice.dice import DicePosition, opening, parse_position
from firmware_host.games.games import DICE_GAME
from firmware_host.model.errors import IllegalMove, MalformedText
from firmware_host.model.places import ALL_SLOTS, Colour, Slot

ALL_HEIGHTS = [(r, y, g, b) for r, y, g, b in product(range(7), repeat=4)]
STANDARD_DEALS = [DICE_GAME.standard_deal(p) for p in product([False, True], repeat=4) if sum(p) >= 2]


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
    """Any position that a game can come to: dice placed and claimed in any legal order."""
    position = opening(draw(deals()))
    for _ in range(draw(st.integers(0, 30))):
        slots = [slot for slot in ALL_SLOTS if position.is_legal(slot)]
        seats = [s for s, left in enumerate(position.left, start=1) if left and position.unclaimed]
        claims = bool(seats) and draw(st.booleans())
        if claims:
            position = position.claim(draw(st.sampled_from(seats)))
        elif slots:
            position = position.placed(draw(st.sampled_from(slots)))
    return position


def after(position: DicePosition, *seats: int) -> DicePosition:
    """The position after each seat has claimed a die."""
    for seat in seats:
        position = position.claim(seat)
    return position


# -- rows


@pytest.mark.parametrize("heights", [(0, 0, 0, 0), (1, 2, 3, 4), (6, 5, 6, 0), (6, 6, 6, 6)])
def test_the_next_place_of_a_row_and_no_other_is_legal(heights: tuple[int, int, int, int]) -> None:
    position = DicePosition(heights, (12, 12), (12, 12))
    assert {slot for slot in ALL_SLOTS if position.is_legal(slot)} == {
        Slot(colour, heights[colour] + 1) for colour in Colour if heights[colour] < 6
    }


def test_at_all_heights_a_die_is_placed_only_where_it_is_legal() -> None:
    for heights in ALL_HEIGHTS:
        position = DicePosition(heights, (12, 12), (12, 12))
        legal = [slot for slot in ALL_SLOTS if position.is_legal(slot)]
        for slot in legal:
            grown = position.placed(slot)
            assert grown.board == position.board | {slot}
            assert grown.lifted(slot) == position
        assert len(legal) == sum(height < 6 for height in heights)


def test_a_die_placed_elsewhere_is_refused_with_place_and_position() -> None:
    position = opening((12, 12)).placed(Slot(Colour.RED, 1))
    for slot in ALL_SLOTS:
        if not position.is_legal(slot):
            with pytest.raises(IllegalMove) as error:
                position.placed(slot)
            assert (
                str(error.value) == f"place {slot} in 'r1y0g0b0 12/12,12/12': not the next place of its row"
            )


def test_a_placement_has_no_owner_yet() -> None:
    position = opening((12, 12)).placed(Slot(Colour.BLUE, 1))
    assert (position.unclaimed, position.claimed, position.left) == (1, 0, (12, 12))


# -- lifting


def test_only_the_last_die_of_a_row_is_lifted() -> None:
    position = DicePosition((2, 0, 0, 0), (12, 12), (12, 12))
    for slot in ALL_SLOTS:
        if slot != Slot(Colour.RED, 2):
            with pytest.raises(
                IllegalMove, match=rf"lift {slot} in 'r2y0g0b0 .*': not the last die of its row"
            ):
                position.lifted(slot)
    assert position.lifted(Slot(Colour.RED, 2)).heights == (1, 0, 0, 0)


def test_a_counted_die_on_top_of_its_row_is_taken_back_by_its_seat() -> None:
    position = DicePosition((2, 0, 0, 0), (12, 12), (11, 11))
    assert position.taken_back(Slot(Colour.RED, 2), 2) == DicePosition((1, 0, 0, 0), (12, 12), (11, 12))


def test_a_die_below_another_is_not_taken_back() -> None:
    position = DicePosition((2, 0, 0, 0), (12, 12), (11, 11))
    with pytest.raises(IllegalMove, match=r"take back red 1 in 'r2.*': not the last die of its row"):
        position.taken_back(Slot(Colour.RED, 1), 1)


@pytest.mark.parametrize("seat", [2, 3, 4])
def test_who_has_placed_nothing_takes_nothing_back(seat: int) -> None:
    position = DicePosition((1, 0, 0, 0), (12, 12, 0), (11, 12, 0))
    with pytest.raises(IllegalMove, match=f"take back by seat {seat} in .*: it has placed nothing"):
        position.taken_back(Slot(Colour.RED, 1), seat)


def test_a_claimed_die_stays() -> None:
    position = opening((12, 12)).placed(Slot(Colour.RED, 1)).claim(1)
    with pytest.raises(
        IllegalMove, match=r"lift red 1 in 'r1y0g0b0 11/12,12/12': every die on the board is claimed"
    ):
        position.lifted(Slot(Colour.RED, 1))


# -- claims


def test_a_claim_takes_one_die_off_a_seats_count() -> None:
    position = opening((6, 6, 6, 6)).placed(Slot(Colour.RED, 1)).claim(3)
    assert str(position) == "r1y0g0b0 6/6,6/6,5/6,6/6"
    assert (position.claimed, position.unclaimed, position.finisher) == (1, 0, None)


@pytest.mark.parametrize("seat", [-1, 0, 2, 4])
def test_a_seat_that_does_not_play_claims_nothing(seat: int) -> None:
    position = opening((12, 0, 12)).placed(Slot(Colour.RED, 1))
    assert not position.plays(seat)
    with pytest.raises(
        IllegalMove, match=f"claim by seat {seat} in 'r1y0g0b0 12/12,-,12/12': that seat does not play"
    ):
        position.claim(seat)


def test_without_a_free_die_on_the_board_there_is_nothing_to_claim() -> None:
    with pytest.raises(IllegalMove, match=r"claim by seat 1 in .*: every die on the board is claimed"):
        opening((12, 12)).claim(1)


def test_the_last_claim_finishes() -> None:
    position = after(DicePosition((2, 2, 0, 0), (2, 12), (2, 12)), 1, 1)
    assert position.finisher == 1
    with pytest.raises(IllegalMove, match=r"claim by seat 1 in .* won=1': it has no dice left"):
        position.claim(1)


def test_another_seat_may_still_claim_but_the_finisher_stays() -> None:
    position = after(DicePosition((2, 0, 0, 0), (1, 1), (1, 1)), 2, 1)
    assert (position.left, position.finisher) == ((0, 0), 2)


def test_a_die_that_is_taken_back_is_off_the_board_and_in_the_hand_again() -> None:
    position = parse_position("r2y0g1b0 4/6,5/6,-,-")
    back = position.taken_back(Slot(Colour.RED, 2), 1)
    assert str(back) == "r1y0g1b0 5/6,5/6,-,-"
    assert back.placed(Slot(Colour.RED, 2)).claim(1) == position


@pytest.mark.parametrize(
    ("slot", "seat", "told"),
    [
        (Slot(Colour.RED, 1), 1, "not the last die of its row"),
        (Slot(Colour.RED, 3), 1, "not the last die of its row"),
        (Slot(Colour.RED, 2), 2, "it has placed nothing"),
        (Slot(Colour.RED, 2), 3, "it has placed nothing"),
    ],
)
def test_only_what_was_placed_can_be_taken_back(slot: Slot, seat: int, told: str) -> None:
    position = parse_position("r2y0g0b0 4/6,6/6,-,-")
    with pytest.raises(IllegalMove, match=told):
        position.taken_back(slot, seat)


def test_a_counted_die_is_handed_over_to_another_seat() -> None:
    position = parse_position("r2y0g0b0 5/6,5/6,-,-")
    assert str(position.handed_over(1, 2)) == "r2y0g0b0 6/6,4/6,-,-"


def test_who_gets_the_last_die_handed_over_has_finished() -> None:
    position = parse_position("r2y0g0b0 5/6,1/2,-,-").handed_over(1, 2)
    assert (position.left, position.finisher) == ((6, 0, 0, 0), 2)


@pytest.mark.parametrize(
    ("loser", "seat", "told"),
    [
        (2, 1, "it has placed nothing"),
        (3, 1, "it has placed nothing"),
        (1, 3, "it has no dice left"),
        (1, 4, "it has no dice left"),
    ],
)
def test_only_a_placed_die_is_handed_over_to_a_seat_that_has_dice(loser: int, seat: int, told: str) -> None:
    position = parse_position("r6y1g0b0 4/6,6/6,-,0/5 won=4")
    with pytest.raises(IllegalMove, match=told):
        position.handed_over(loser, seat)


def test_a_reopened_round_goes_on_with_other_counts() -> None:
    position = after(DicePosition((3, 0, 0, 0), (1, 12), (1, 12)), 1)
    assert str(position.reopened((1, 11))) == "r3y0g0b0 1/1,11/12"
    assert position.finisher == 1


def test_a_position_can_be_set_at_a_larger_table() -> None:
    position = parse_position("r1y0g0b0 11/12,12/12")
    assert str(position.at_table_of(4)) == "r1y0g0b0 11/12,12/12,-,-"
    assert position.at_table_of(2) == position


@pytest.mark.parametrize("deal", STANDARD_DEALS, ids=str)
def test_every_deal_can_be_played_to_its_end(deal: tuple[int, ...]) -> None:
    position = opening(deal)
    seats = [seat for seat in range(1, 5) if position.plays(seat)]
    for turn, slot in enumerate(ALL_SLOTS):
        position = position.placed(slot).claim(seats[turn % len(seats)])
    assert position.left == (0, 0, 0, 0)
    assert position.finisher == seats[0]
    assert position.heights == (6, 6, 6, 6)


def test_the_opening_is_an_empty_board() -> None:
    assert str(opening((6, 6, 6, 6))) == "r0y0g0b0 6/6,6/6,6/6,6/6"
    assert opening((6, 6, 6, 6)).board == set()
    with pytest.raises(IllegalMove, match="25 dice in all"):
        opening((13, 12))


@given(positions(), st.sampled_from(ALL_SLOTS), st.integers(0, 6))
def test_a_refused_move_changes_nothing(position: DicePosition, slot: Slot, seat: int) -> None:
    before = str(position)
    moves: list[Callable[[], DicePosition]] = [
        lambda: position.placed(slot),
        lambda: position.lifted(slot),
        lambda: position.claim(seat),
    ]
    refused = []
    for move in moves:
        try:
            move()
        except IllegalMove as error:
            refused.append(str(error))
    assert refused  # no place is both free and taken
    assert all(f"in '{before}': " in why for why in refused)
    assert str(position) == before


@given(positions())
def test_no_die_is_ever_lost(position: DicePosition) -> None:
    assert position.unclaimed >= 0
    assert len(position.board) == position.claimed + position.unclaimed
    assert all(0 <= left <= dealt for left, dealt in zip(position.left, position.dealt, strict=True))


# -- the text form


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
