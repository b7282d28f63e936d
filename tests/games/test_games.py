"""The two games: who can play, what each seat starts with, what a round is worth, who has won."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.games import (
    CARD_GAME,
    DICE_GAME,
    GAMES,
    Game,
    card_scores,
    dice_scores,
    new_match,
    ranking,
    winners,
)
from firmware_host.model.errors import IllegalMove
from firmware_host.model.places import DICE

totals_of_four = st.tuples(*[st.integers(-9, 9)] * 4)
presence = st.tuples(*[st.booleans()] * 4).filter(any)


@pytest.mark.parametrize(("players", "share"), [(2, 12), (3, 8), (4, 6)])
def test_all_dice_are_dealt_in_equal_parts(players: int, share: int) -> None:
    assert DICE_GAME.standard_deal([True] * players) == (share,) * players


@pytest.mark.parametrize("present", list(product([False, True], repeat=4)))
def test_only_those_present_are_dealt_dice(present: tuple[bool, ...]) -> None:
    if sum(present) < 2:
        with pytest.raises(IllegalMove, match=f"dice need 2 to 4 players, not {sum(present)}"):
            DICE_GAME.standard_deal(present)
    else:
        deal = DICE_GAME.standard_deal(present)
        assert sum(deal) == DICE
        assert tuple(dice > 0 for dice in deal) == present
        assert DICE_GAME.deal_faults(deal) == []


def test_five_are_too_many() -> None:
    with pytest.raises(IllegalMove, match="not 5"):
        DICE_GAME.standard_deal([True] * 5)


@pytest.mark.parametrize("deal", [(8, 6, 5, 5), (7, 5), (1, 1), (12, 0, 12, 0), (23, 1), (6, 6, 6, 6, 0)])
def test_a_handicap_is_fine_within_24_dice(deal: tuple[int, ...]) -> None:
    assert DICE_GAME.checked_deal(list(deal)) == deal


@pytest.mark.parametrize(
    ("deal", "faults"),
    [
        ((24, 0), ["deal 24,0: 1 playing, allowed are 2 to 4"]),
        ((), ["deal : 0 playing, allowed are 2 to 4"]),
        ((2, 2, 2, 2, 2), ["deal 2,2,2,2,2: 5 playing, allowed are 2 to 4"]),
        ((13, 12), ["deal 13,12: 25 dice in all, there are only 24"]),
        ((8, -1, 8), ["deal 8,-1,8: a seat has a negative number of dice"]),
        (
            (25, -1, 2, 2, 2),
            [
                "deal 25,-1,2,2,2: a seat has a negative number of dice",
                "deal 25,-1,2,2,2: 5 playing, allowed are 2 to 4",
                "deal 25,-1,2,2,2: 30 dice in all, there are only 24",
            ],
        ),
    ],
)
def test_each_fault_of_a_deal_has_its_line(deal: tuple[int, ...], faults: list[str]) -> None:
    assert DICE_GAME.deal_faults(deal) == faults
    with pytest.raises(IllegalMove) as error:
        DICE_GAME.checked_deal(deal)
    assert str(error.value) == "; ".join(faults)


def test_a_deal_of_three_is_faulty_only_for_too_few_seats_or_too_many_dice() -> None:
    for deal in product(range(26), repeat=3):
        playing = sum(dice > 0 for dice in deal)
        assert bool(DICE_GAME.deal_faults(deal)) == (playing < 2 or sum(deal) > DICE)


@pytest.mark.parametrize("players", range(2, 13))
def test_everybody_has_ten_ligretto_cards(players: int) -> None:
    assert CARD_GAME.standard_deal([True] * players) == (10,) * players


def test_cards_are_for_two_to_twelve() -> None:
    for players in (1, 13):
        with pytest.raises(IllegalMove, match=f"cards need 2 to 12 players, not {players}"):
            CARD_GAME.standard_deal([True] * players)


def test_a_handicap_of_fewer_ligretto_cards_is_fine_but_not_of_more() -> None:
    assert CARD_GAME.checked_deal((10, 6, 0, 8)) == (10, 6, 0, 8)
    assert CARD_GAME.deal_faults((11, 10)) == ["deal 11,10: a seat has more than 10 Ligretto cards"]
    assert CARD_GAME.deal_faults((10,) * 13) == [
        f"deal {','.join(['10'] * 13)}: 13 playing, allowed are 2 to 12",
        f"deal {','.join(['10'] * 13)}: 130 Ligretto cards in all, there are only 120",
    ]


def test_how_long_a_match_is_unless_agreed_otherwise() -> None:
    assert [DICE_GAME.usual_rounds(players) for players in (2, 3, 4)] == [6, 9, 12]
    assert {CARD_GAME.usual_rounds(players) for players in range(2, 13)} == {4}
    assert list(GAMES) == ["dice", "cards"]


# -- handicaps: fewer is positive, more is negative


@pytest.mark.parametrize(
    ("handicap", "deal"),
    [
        ((0, 0, 0, 0), (6, 6, 6, 6)),
        ((0, 0, 2, 0), (6, 6, 4, 6)),  # the others are dealt no more than usual
        ((0, 9, 0, 0), (6, 1, 6, 6)),
        ((-2, -2, 0, 0), (7, 7, 5, 5)),  # adults take two more, and all 24 are dealt
        ((-1, -1, 0, 0), (6, 6, 5, 5)),  # two stay in the bag: nobody could have them without a difference
        ((-1, 0, 0, 0), (6, 5, 5, 5)),
        ((-4, 0, 0, 0), (9, 5, 5, 5)),
        ((-2, 2, 0, 0), (8, 4, 6, 6)),
        ((-30, 0, 0, 0), (21, 1, 1, 1)),
        ((-1, 9, 0, 0), (8, 1, 7, 7)),
    ],
)
def test_dice_are_dealt_with_the_differences_that_were_asked_for(
    handicap: tuple[int, ...], deal: tuple[int, ...]
) -> None:
    assert DICE_GAME.handicapped_deal([True] * 4, handicap) == deal


@pytest.mark.parametrize(
    ("handicap", "deal"),
    [
        ((0, 0, 0), (10, 10, 10)),
        ((3, 0, 0), (7, 10, 10)),
        ((-2, 0, 0), (10, 8, 8)),
        ((-30, 0, 0), (10, 1, 1)),
    ],
)
def test_a_ligretto_pile_never_has_more_than_ten_cards(
    handicap: tuple[int, ...], deal: tuple[int, ...]
) -> None:
    assert CARD_GAME.handicapped_deal([True] * 3, handicap) == deal


def test_a_handicap_of_an_empty_seat_changes_nothing() -> None:
    assert DICE_GAME.handicapped_deal((True, False, True, True), (0, -5, 0, 3)) == (8, 0, 8, 5)


@given(
    st.sampled_from([DICE_GAME, CARD_GAME]),
    st.lists(st.tuples(st.booleans(), st.integers(-30, 30)), min_size=2, max_size=4).filter(
        lambda seats: sum(here for here, _ in seats) > 1
    ),
)
def test_a_deal_with_handicaps_is_as_even_and_as_large_as_can_be(
    game: Game, seats: list[tuple[bool, int]]
) -> None:
    present, handicap = [here for here, _ in seats], [less for _, less in seats]
    deal = game.handicapped_deal(present, handicap)
    assert game.deal_faults(deal) == []
    playing = [(count, less) for count, (here, less) in zip(deal, seats, strict=True) if here]
    assert min(count for count, _ in playing) >= 1
    for count, less in playing:
        for other, other_less in playing:
            if min(count, other) > 1:
                assert count - other == other_less - less
    if min(less for _, less in playing) < 0 and min(deal[i] for i, here in enumerate(present) if here) > 1:
        assert game.deal_faults([count + 1 if count else 0 for count in deal])


# -- what a round is worth


def test_the_worked_examples_of_the_rules() -> None:
    assert dice_scores((0, 3, 1, 4), finisher=1) == (8, -3, -1, -4)
    assert dice_scores((0, 0, 2, 5), finisher=1) == (7, 0, -2, -5), "an empty seat scores nothing"
    assert card_scores((12, 7, 0, 3), (0, 2, 0, 10)) == (12, 3, 0, -17)


@given(st.lists(st.integers(0, 23), min_size=2, max_size=4), st.data())
def test_everybody_but_the_finisher_loses_what_is_held(leftovers: list[int], data: st.DataObject) -> None:
    finisher = data.draw(st.integers(1, len(leftovers)))
    scores = dice_scores(leftovers, finisher)
    for seat, (held, score) in enumerate(zip(leftovers, scores, strict=True), start=1):
        assert score == -held or seat == finisher
    assert sum(scores) == 0 and scores[finisher - 1] >= 0


@pytest.mark.parametrize(
    ("totals", "ranks"),
    [
        ((3, 1, 0, -4), [(1, 1, 3), (2, 2, 1), (3, 3, 0), (4, 4, -4)]),
        ((1, 3, 3, -7), [(1, 2, 3), (1, 3, 3), (3, 1, 1), (4, 4, -7)]),
        ((0, 0, 0, 0), [(1, 1, 0), (1, 2, 0), (1, 3, 0), (1, 4, 0)]),
        ((5, -5, -5, 5), [(1, 1, 5), (1, 4, 5), (3, 2, -5), (3, 3, -5)]),
    ],
)
def test_equal_totals_share_a_rank(totals: tuple[int, ...], ranks: list[tuple[int, int, int]]) -> None:
    assert ranking(totals, (True,) * 4) == ranks


def test_an_empty_seat_has_no_rank_even_where_zero_would_win() -> None:
    assert ranking((-1, 0, -2), (True, False, True)) == [(1, 1, -1), (2, 3, -2)]


@given(totals_of_four, presence)
def test_a_rank_is_one_more_than_the_number_of_better_seats(
    totals: tuple[int, ...], playing: tuple[bool, ...]
) -> None:
    ranked = ranking(totals, playing)
    assert sorted(seat for _, seat, _ in ranked) == [seat for seat in (1, 2, 3, 4) if playing[seat - 1]]
    for rank, seat, total in ranked:
        assert total == totals[seat - 1]
        assert rank == 1 + sum(other > total for _, _, other in ranked)
    assert winners(totals, playing) == tuple(seat for rank, seat, _ in ranked if rank == 1)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 10)), max_size=12))
def test_a_point_for_each_card_and_two_less_for_each_that_is_left(hands: list[tuple[int, int]]) -> None:
    scores = card_scores([played for played, _ in hands], [left for _, left in hands])
    assert list(scores) == [played - 2 * left for played, left in hands]


def test_every_seat_needs_both_numbers() -> None:
    with pytest.raises(ValueError, match="shorter"):
        card_scores((1, 2), (0,))


# -- matches


@pytest.mark.parametrize("present", [p for p in product([False, True], repeat=4) if sum(p) >= 2])
def test_three_rounds_a_player(present: tuple[bool, ...]) -> None:
    match = new_match(DICE_GAME, DICE_GAME.standard_deal(present))
    assert match.rounds == 3 * sum(present)
    assert match.playing == present
    assert match.seats == tuple(seat for seat in (1, 2, 3, 4) if present[seat - 1])


@pytest.mark.parametrize("rounds", [0, -1])
def test_a_match_has_at_least_one_round(rounds: int) -> None:
    with pytest.raises(IllegalMove, match=f"start a match of {rounds} rounds: it needs at least one"):
        new_match(DICE_GAME, (6, 6, 6, 6), rounds)


def test_a_faulty_deal_makes_no_match() -> None:
    with pytest.raises(IllegalMove, match="1 playing"):
        new_match(DICE_GAME, (6,))


def test_a_match_from_first_round_to_last() -> None:
    match = new_match(DICE_GAME, (12, 12), rounds=2)
    assert (match.round_number, match.totals, match.over, match.winners) == (1, (0, 0), False, ())
    match = match.scored(dice_scores((0, 5), 1))
    assert (match.round_number, match.totals, match.over, match.winners) == (2, (5, -5), False, ())
    match = match.scored(dice_scores((2, 0), 2))
    assert (match.round_number, match.totals, match.over, match.winners) == (2, (3, -3), True, (1,))
    assert match.ranking == [(1, 1, 3), (2, 2, -3)]


def test_a_tie_has_several_winners() -> None:
    match = new_match(DICE_GAME, (8, 0, 8, 8), rounds=3)
    for leftovers, finisher in [((0, 0, 2, 1), 1), ((2, 0, 0, 1), 3), ((1, 0, 1, 0), 4)]:
        match = match.scored(dice_scores(leftovers, finisher))
    assert match.totals == (0, 0, 0, 0)
    assert match.winners == (1, 3, 4)


def test_no_round_is_scored_after_the_last() -> None:
    match = new_match(DICE_GAME, (12, 12), rounds=1).scored(dice_scores((0, 5), 1))
    with pytest.raises(IllegalMove, match="score a round: all 1 rounds are played"):
        match.scored(dice_scores((0, 5), 1))
    assert match.scores == ((5, -5),)
