"""A seat's own cards: 40 of them, always, and only the moves that the rules allow."""

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.lab.bots.belongings import deal, full_set, parse_area, row_size
from firmware_host.lab.bots.card_area import (
    DISCARD,
    LIGRETTO,
    CardArea,
    Heap,
    Origin,
    PrivateMoveRefused,
    descends,
)
from firmware_host.model.errors import IllegalMove, MalformedText
from firmware_host.model.places import Card, Colour
from tests.lab.bots.moves import any_move, copied, do, every_move, everywhere, legal_moves

ROW1, ROW2 = Origin(Heap.ROW, 0), Origin(Heap.ROW, 1)

games = given(
    players=st.integers(2, 12),
    ligretto=st.integers(1, 10),
    expert=st.booleans(),
    seed=st.integers(0, 2**32),
    moves=st.integers(0, 150),
)


def after(text: str, *moves: Callable[[CardArea], object]) -> str:
    area = parse_area(text)
    for move in moves:
        move(area)
    return str(area)


def refused(text: str, move: Callable[[CardArea], object], why: str) -> None:
    area = parse_area(text)
    with pytest.raises(PrivateMoveRefused, match=why):
        move(area)
    assert str(area) == text


# -- at any time in any game


@games
def test_whatever_is_moved_all_cards_stay_stacks_descend_and_no_ligretto_card_just_goes(
    players: int, ligretto: int, expert: bool, seed: int, moves: int
) -> None:
    """In the standard game each Ligretto card that leaves puts an own card into the centre."""
    chance = Random(seed)
    area = deal(4, players, chance, ligretto, expert=expert)
    for _ in range(moves):
        do(area, any_move(area, chance), chance)
        assert everywhere(area) == full_set(4)
        assert area.count == 40 - len(area.played)
        assert expert or area.leftovers >= ligretto - len(area.played)
        for stack in area.row:
            assert expert or len(stack) <= 1
            assert all(a.number > b.number for a, b in pairwise(stack))
            assert all(a.colour != b.colour for a, b in pairwise(stack))


@games
def test_a_refused_move_changes_nothing(
    players: int, ligretto: int, expert: bool, seed: int, moves: int
) -> None:
    chance = Random(seed)
    area = deal(4, players, chance, ligretto, expert=expert)
    for _ in range(moves // 10):
        before = copied(area)
        for move in every_move(area):
            if not do(area, move, chance):
                assert area == before
            area = copied(before)
        do(area, any_move(area, chance), chance)


@games
def test_what_the_owner_sees_is_what_the_owner_can_do(
    players: int, ligretto: int, expert: bool, seed: int, moves: int
) -> None:
    chance = Random(seed)
    area = deal(4, players, chance, ligretto, expert=expert)
    for _ in range(moves // 10):
        do(area, any_move(area, chance), chance)
        legal = legal_moves(area)
        assert area.gaps() == [move.stack for move in legal if move.name == "refill"]
        assert sorted(area.lays(), key=str) == sorted(
            [(move.origin, move.stack) for move in legal if move.name == "lay"], key=str
        )
        takes = {move.origin for move in legal if move.name == "take"}
        assert takes == (set() if area.held else {origin for _, origin in area.playable()})


def test_experts_finish_with_fewer_cards_in_the_centre_than_the_ligretto_pile_had() -> None:
    area = parse_area("1 r9,y8 ligretto=b7 expert")
    area.lay(LIGRETTO, 0)
    assert area.finished and not area.played


# -- the hand


def test_three_cards_are_turned_together_and_the_third_is_the_top() -> None:
    assert after("1 - hand=r5r4r3r2r1 discard=b9", CardArea.turn) == "1 - hand=r5r4 discard=b9r1r2r3"


@pytest.mark.parametrize(
    ("hand", "turned"), [("r1", "r1"), ("r2r1", "r1r2"), ("r3r2r1", "r1r2r3"), ("r3r1r2", "r2r1r3")]
)
def test_fewer_than_three_are_turned_if_there_are_no_more(hand: str, turned: str) -> None:
    assert after(f"1 - hand={hand}", CardArea.turn) == f"1 - discard={turned}"


def test_the_next_top_is_playable_once_the_top_is_played() -> None:
    area = parse_area("1 - discard=r1r2r3")
    for number in (3, 2, 1):
        assert area.playable() == [(Card(1, Colour.RED, number), DISCARD)]
        area.take(DISCARD)
        area.lay_in_centre()
    assert area.playable() == []


def test_a_hand_that_is_used_up_is_gathered_and_shuffled() -> None:
    orders = set()
    for seed in range(100):
        area = parse_area("1 - discard=r1r2r3")
        area.gather(Random(seed))
        assert area.discard == [] and len(area.hand) == 3
        orders.add(str(area))
    assert len(orders) == 6


def test_nothing_is_turned_from_an_empty_hand_nor_gathered_to_a_full_one() -> None:
    refused("1 - discard=r1", CardArea.turn, "used up")
    refused("1 - hand=r2 discard=r1", lambda area: area.gather(Random(0)), "not used up")
    refused("1 r1", lambda area: area.gather(Random(0)), "discard pile is empty")


# -- the row and the Ligretto pile


def test_a_gap_is_refilled_from_the_ligretto_pile() -> None:
    assert after("1 r1,-,r3 ligretto=b1b2", lambda area: area.refill(1)) == "1 r1,b2,r3 ligretto=b1"


@pytest.mark.parametrize(
    ("text", "stack", "why"),
    [
        ("1 r1,- ligretto=b1", 0, "stack 1 is none"),
        ("1 r1,- hand=b1 discard=b2", 1, "Ligretto pile is empty"),
        ("1 r1,- ligretto=b1", 2, "has 2 stacks"),
        ("1 r1,- ligretto=b1", -1, "has 2 stacks"),
        ("1 r9,- ligretto=b1 held=b2@ligretto", 1, "in the fingers"),
    ],
)
def test_a_gap_that_is_not_refilled(text: str, stack: int, why: str) -> None:
    refused(text, lambda area: area.refill(stack), why)
    assert stack not in parse_area(text).gaps()


def test_a_gap_is_refilled_however_many_cards_the_other_stacks_hold() -> None:
    text = "1 r9y8b7,- ligretto=b2b1 expert"
    assert parse_area(text).gaps() == [1]
    assert after(text, lambda area: area.refill(1)) == "1 r9y8b7,b1 ligretto=b2 expert"


def test_the_round_is_finished_with_the_last_ligretto_card_and_not_before_it_has_landed() -> None:
    area = parse_area("1 -,r2 ligretto=r1")
    area.take(LIGRETTO)
    assert (area.leftovers, area.finished) == (1, False)
    area.put_back()
    assert (area.leftovers, area.finished) == (1, False)
    area.take(LIGRETTO)
    area.lay_in_centre()
    assert (area.leftovers, area.finished) == (0, True)


def test_the_last_ligretto_card_may_fill_a_gap() -> None:
    area = parse_area("1 -,r2 ligretto=r1")
    area.refill(0)
    assert area.finished


def test_a_card_of_elsewhere_in_the_fingers_is_no_leftover() -> None:
    area = parse_area("1 r2 hand=b1 held=g1@discard")
    assert area.finished and area.leftovers == 0 and area.count == 3


# -- the fingers


@pytest.mark.parametrize(
    ("origin", "rest"),
    [
        (ROW1, "1 -,r2 ligretto=y1y2 discard=g1g2 held=r1@row1"),
        (ROW2, "1 r1,- ligretto=y1y2 discard=g1g2 held=r2@row2"),
        (LIGRETTO, "1 r1,r2 ligretto=y1 discard=g1g2 held=y2@ligretto"),
        (DISCARD, "1 r1,r2 ligretto=y1y2 discard=g1 held=g2@discard"),
    ],
)
def test_a_card_is_taken_and_goes_back_to_where_it_was(origin: Origin, rest: str) -> None:
    text = "1 r1,r2 ligretto=y1y2 discard=g1g2"
    area = parse_area(text)
    card = area.take(origin)
    assert str(area) == rest
    assert area.held == card
    assert area.put_back() == card
    assert str(area) == text


def test_a_card_in_the_centre_is_out_of_reach() -> None:
    area = parse_area("1 r1,r2")
    card = area.take(ROW2)
    assert area.lay_in_centre() == card
    assert str(area) == "1 r1,- played=r2"
    with pytest.raises(PrivateMoveRefused, match="hold none"):
        area.put_back()


@pytest.mark.parametrize(
    "text", ["1 -,r9 ligretto=y1 hand=g2 discard=g1 held=b2@discard", "1 -,r9 held=b2@row1"]
)
def test_a_card_in_the_fingers_leaves_two_moves(text: str) -> None:
    area = parse_area(text)
    assert {move.name for move in legal_moves(area)} == {"put back", "lay in centre"}
    area.expert = True
    assert {move.name for move in legal_moves(area)} == {"put back", "lay in centre"}


def test_empty_fingers_lay_nothing() -> None:
    refused("1 r1", CardArea.lay_in_centre, "hold none")
    refused("1 r1", CardArea.put_back, "hold none")


@pytest.mark.parametrize("origin", [ROW1, LIGRETTO, DISCARD])
def test_nothing_is_taken_from_an_empty_pile(origin: Origin) -> None:
    refused("1 -,r2 hand=b1", lambda area: area.take(origin), "none lies at")


def test_nothing_is_taken_from_a_stack_that_does_not_exist() -> None:
    refused("1 -,r2", lambda area: area.take(Origin(Heap.ROW, 2)), "has 2 stacks")
    refused("1 -,r2", lambda area: area.take(Origin(Heap.ROW, -1)), "has 2 stacks")


def test_a_refusal_names_the_move_and_the_position() -> None:
    with pytest.raises(IllegalMove, match=r"turn cards in '1 r1 discard=b2': the hand is used up"):
        parse_area("1 r1 discard=b2").turn()


# -- experts


def test_numbers_descend_though_a_dutch_sheet_says_that_they_ascend() -> None:
    text = "1 r5,y9 discard=b6 expert"
    refused(text, lambda area: area.lay(DISCARD, 0), "not lower")
    assert after(text, lambda area: area.lay(DISCARD, 1)) == "1 r5,y9b6 expert"


def test_descending_is_strictly_lower_and_not_one_lower() -> None:
    seven = Card(1, Colour.RED, 7)
    fit = [number for number in range(1, 11) if descends(Card(1, Colour.BLUE, number), seven)]
    assert fit == [1, 2, 3, 4, 5, 6]


def test_cards_that_follow_each_other_differ_in_colour() -> None:
    assert not any(descends(Card(1, Colour.RED, n), Card(1, Colour.RED, 7)) for n in range(1, 11))
    assert after("1 r9y8 ligretto=r7 expert", lambda area: area.lay(LIGRETTO, 0)) == "1 r9y8r7 expert"


def test_experts_lay_the_tops_of_both_piles_onto_their_stacks() -> None:
    area = parse_area("1 r9,-,g2 ligretto=b1y8 discard=b7 expert")
    assert area.lays() == [(LIGRETTO, 0), (DISCARD, 0)]
    area.lay(LIGRETTO, 0)
    area.lay(DISCARD, 0)
    assert str(area) == "1 r9y8b7,-,g2 ligretto=b1 expert"
    assert area.lays() == [(LIGRETTO, 2)]
    area.lay(LIGRETTO, 2)
    assert area.finished


@pytest.mark.parametrize(
    ("text", "origin", "stack", "why"),
    [
        ("1 r9,- ligretto=b8", LIGRETTO, 0, "only experts"),
        ("1 r9,y8 ligretto=b7 expert", ROW2, 0, "stays on its stack"),
        ("1 r9,- ligretto=b8 discard=b7 expert", DISCARD, 1, "a gap is filled from the Ligretto pile"),
        ("1 r9,- ligretto=b8 discard=b7 expert", LIGRETTO, 1, "a gap is filled from the Ligretto pile"),
        ("1 r9,- ligretto=b8 expert", DISCARD, 0, "none lies at discard"),
        ("1 r9,- discard=b8 expert", LIGRETTO, 0, "none lies at ligretto"),
        ("1 r9,- discard=b8 expert", DISCARD, 2, "has 2 stacks"),
        ("1 r9,- discard=b8 expert", DISCARD, -2, "has 2 stacks"),
        ("1 r9 discard=r8 expert", DISCARD, 0, "is of its colour"),
        ("1 r9 discard=b9 expert", DISCARD, 0, "not lower"),
        ("1 r9 discard=b8 held=b7@discard expert", DISCARD, 0, "in the fingers"),
    ],
)
def test_what_experts_may_not_lay(text: str, origin: Origin, stack: int, why: str) -> None:
    refused(text, lambda area: area.lay(origin, stack), why)
    assert (origin, stack) not in parse_area(text).lays()


def test_only_the_top_of_a_stack_is_played_and_lays_the_next_open() -> None:
    area = parse_area("1 r9y8b7 expert")
    for number in (7, 8, 9):
        assert [card.number for card, _ in area.playable()] == [number]
        area.take(ROW1)
        area.lay_in_centre()
    assert area.gaps() == []  # there is a gap, and no Ligretto card to fill it with


def test_a_set_has_each_number_once_in_each_colour() -> None:
    assert len(full_set(3)) == len(set(full_set(3))) == 40
    assert {card.seat for card in full_set(3)} == {3}


@pytest.mark.parametrize(
    ("players", "row", "hand"), [(2, 5, 25), (3, 4, 26), *((players, 3, 27) for players in range(4, 13))]
)
def test_the_number_of_players_sets_the_row_and_so_the_hand(players: int, row: int, hand: int) -> None:
    area = deal(1, players, Random(players))
    assert row_size(players) == row
    assert [len(stack) for stack in area.row] == [1] * row
    assert (len(area.ligretto), len(area.hand), area.discard, area.played) == (10, hand, [], [])
    assert area.count == 40


@pytest.mark.parametrize("ligretto", range(1, 11))
def test_a_smaller_ligretto_pile_leaves_more_for_the_hand(ligretto: int) -> None:
    area = deal(2, 4, Random(0), ligretto)
    assert (area.leftovers, len(area.hand)) == (ligretto, 37 - ligretto)
    assert sorted([*area.ligretto, *area.hand, *(stack[0] for stack in area.row)]) == full_set(2)


def test_the_deal_is_the_seed_s_and_nothing_else_s() -> None:
    assert deal(1, 2, Random(7)) == deal(1, 2, Random(7))
    assert deal(1, 2, Random(7)) != deal(1, 2, Random(8))


def test_experts_are_dealt_like_others() -> None:
    area = deal(1, 2, Random(7), expert=True)
    assert area.expert
    area.expert = False
    assert area == deal(1, 2, Random(7))


@pytest.mark.parametrize(("players", "ligretto"), [(1, 10), (13, 10), (4, 0), (4, 11)])
def test_no_such_deal(players: int, ligretto: int) -> None:
    with pytest.raises(IllegalMove, match="deal"):
        deal(1, players, Random(0), ligretto)


FULL = "2 r9y3,-,b10 ligretto=r1y4 hand=g2b2r7 discard=y1 held=g3@row2 played=r2g1 expert"


def test_a_text_says_where_each_card_is() -> None:
    area = parse_area(FULL)
    assert area == CardArea(
        seat=2,
        row=[[Card(2, Colour.RED, 9), Card(2, Colour.YELLOW, 3)], [], [Card(2, Colour.BLUE, 10)]],
        ligretto=[Card(2, Colour.RED, 1), Card(2, Colour.YELLOW, 4)],
        hand=[Card(2, Colour.GREEN, 2), Card(2, Colour.BLUE, 2), Card(2, Colour.RED, 7)],
        discard=[Card(2, Colour.YELLOW, 1)],
        held=Card(2, Colour.GREEN, 3),
        held_from=Origin(Heap.ROW, 1),
        played=[Card(2, Colour.RED, 2), Card(2, Colour.GREEN, 1)],
        expert=True,
    )
    assert str(area) == FULL


@pytest.mark.parametrize("text", ["1 -", "12 r1,-,-,-,g10", "1 r2 held=b3@ligretto", "1 r2 held=b3@discard"])
def test_what_is_not_there_is_left_out(text: str) -> None:
    assert str(parse_area(text)) == text


@st.composite
def areas(draw: st.DrawFn) -> CardArea:
    """The cards of a seat at any point of a game."""
    chance = Random(draw(st.integers(0, 2**32)))
    area = deal(draw(st.integers(1, 12)), draw(st.integers(2, 12)), chance, expert=draw(st.booleans()))
    for _ in range(draw(st.integers(0, 80))):
        do(area, any_move(area, chance), chance)
    return area


def test_the_card_in_the_fingers_goes_back_to_where_the_text_says() -> None:
    area = parse_area("1 r2 ligretto=g7 held=b3@ligretto")
    assert area.held_from == LIGRETTO
    area.put_back()
    assert str(area) == "1 r2 ligretto=g7b3"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it looks like"),
        ("2", "it looks like"),
        ("2 r9,,b10", "it looks like"),
        ("2 r11", "it looks like"),
        ("2 r0", "it looks like"),
        ("2 w3", "it looks like"),
        ("2 r9 ligretto=", "it looks like"),
        ("2 r9 ligretto=-", "it looks like"),
        ("2 r9 discard=r1 hand=r2", "it looks like"),
        ("2 r9 held=r1", "it looks like"),
        ("2 r9 held=r1r2@discard", "it looks like"),
        ("2 r9 Expert", "it looks like"),
        ("0 r9", "seats are numbered from 1 to 12"),
        ("13 r9", "seats are numbered from 1 to 12"),
        ("2 r1,r2,r3,r4,r5,r6", "at most 5 stacks"),
        ("2 - ligretto=r1r2r3r4r5r6r7r8r9r10y1", "at most 10 cards"),
        ("2 - ligretto=r1r2r3r4r5r6r7r8r9r10 held=y1@ligretto", "at most 10 cards"),
        ("2 r9 hand=r9", "red 9 is there twice"),
        ("2 r9 played=r9", "red 9 is there twice"),
        ("2 r9 held=r9@discard", "red 9 is there twice"),
        ("2 r9y8", "only experts"),
        ("2 r9 held=y8@row1", "only experts"),
        ("2 r8y9 expert", "descend"),
        ("2 r9r8 expert", "descend"),
        ("2 r9 held=y10@row1 expert", "descend"),
        ("2 r9 held=y8@row2", "has 1 stacks"),
    ],
)
def test_no_position(text: str, why: str) -> None:
    with pytest.raises(MalformedText, match=why):
        parse_area(text)
