"""Piles of cards: what fits where, whose cards they are, and the one-line text of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.cards.cards import CardPile, CardsPosition, opening, parse_position
from firmware_host.model.errors import IllegalMove, MalformedText
from firmware_host.model.places import CARD_NUMBERS, Card, Colour

RED, YELLOW, GREEN, BLUE = Colour


@st.composite
def positions(draw: st.DrawFn) -> CardsPosition:
    """Any position that play can lead to, or a full table: cards are all different, places may be free."""
    dealt = tuple(draw(st.lists(st.sampled_from([0, 1, 8, 10]), min_size=0, max_size=10)))
    dealt = (*dealt, 10, 10)
    playing = [seat for seat, count in enumerate(dealt, start=1) if count]
    piles: list[CardPile | None] = []
    used: set[Card] = set()
    for _ in range(draw(st.integers(0, min(8, 4 * len(dealt))))):
        colour = draw(st.sampled_from(Colour))
        owners: list[int] = []
        for number in range(1, draw(st.integers(0, CARD_NUMBERS)) + 1):
            free = [seat for seat in playing if Card(seat, colour, number) not in used]
            if not free:
                break
            owners.append(draw(st.sampled_from(free)))
            used.add(Card(owners[-1], colour, number))
        piles.append(CardPile(colour, tuple(owners)) if owners else None)
    end = draw(st.sampled_from(["", "stop", "stuck"]))
    return CardsPosition(
        dealt, tuple(piles), draw(st.sampled_from(playing)) if end == "stop" else None, end == "stuck"
    )


cards = st.builds(Card, st.integers(1, 12), st.sampled_from(Colour), st.integers(1, CARD_NUMBERS))


def may_go(position: CardsPosition, card: Card, place: int) -> bool:
    """The rule, card by card: a one on a free place, or the next number on a pile of its colour."""
    if not 1 <= place <= 4 * len(position.dealt):
        return False
    pile = position.piles[place - 1] if place <= len(position.piles) else None
    if pile is None:
        return card.number == 1
    return pile.colour is card.colour and card.number == len(pile.owners) + 1


# -- places


@given(positions(), cards)
def test_the_places_of_a_card_are_those_that_the_rule_gives_it(position: CardsPosition, card: Card) -> None:
    places = [place for place in range(-1, position.places + 3) if may_go(position, card, place)]
    assert [place for place in range(-1, position.places + 3) if position.accepts(card, place)] == places
    assert position.places_for(card) == (places[:1] if card.number == 1 else places)


@given(positions(), cards)
def test_a_card_is_in_the_centre_if_some_pile_holds_it(position: CardsPosition, card: Card) -> None:
    assert position.is_in_centre(card) is (card in position.centre)


@given(positions(), cards, st.integers(-1, 50))
def test_a_card_that_is_played_lies_there_and_nothing_else_changes(
    position: CardsPosition, card: Card, place: int
) -> None:
    legal = position.plays(card.seat) and card not in position.centre and may_go(position, card, place)
    if not legal:
        with pytest.raises(IllegalMove, match=f"play {card}"):
            position.played(card, place)
        return
    after = position.played(card, place)
    assert after.centre == position.centre | {card} and card not in position.centre
    before = [pile and list(pile.owners) for pile in position.piles] + [None] * (place - len(position.piles))
    before[place - 1] = [*(before[place - 1] or []), card.seat]
    assert [pile and list(pile.owners) for pile in after.piles] == before
    assert len(before[place - 1] or []) == card.number
    assert sum(after.counts) == sum(position.counts) + 1
    assert after.counts[card.seat - 1] == position.counts[card.seat - 1] + 1
    assert (after.dealt, after.caller, after.stuck) == (position.dealt, position.caller, position.stuck)


@given(st.lists(st.tuples(cards, st.integers(1, 20)), max_size=60))
def test_however_long_it_goes_each_card_is_there_once(moves: list[tuple[Card, int]]) -> None:
    position, played = opening((10, 10, 0, 10, 10)), 0
    for card, place in moves:
        small = card._replace(number=1 + card.number % 3)
        places = position.places_for(small)
        try:
            position = position.played(small, places[0] if places else place)
            played += 1
        except IllegalMove:
            continue
    assert len(position.centre) == played == sum(position.counts)
    assert sum(pile.height for pile in position.piles if pile is not None) == played


def test_all_cards_of_all_seats_find_a_place() -> None:
    """Every one opens a pile, and there are places for them all; nothing is left over."""
    position = opening((10,) * 12)
    for number in range(1, CARD_NUMBERS + 1):
        for seat in range(1, 13):
            for colour in Colour:
                card = Card(seat, colour, number)
                position = position.played(card, position.places_for(card)[0])
    assert len(position.centre) == 480 and position.counts == (40,) * 12
    assert all(pile is not None and pile.full for pile in position.piles)
    assert len(position.piles) == position.places == 48
    assert not any(position.places_for(Card(1, colour, number)) for colour in Colour for number in (1, 10))


def test_several_piles_of_a_colour_want_the_same_card() -> None:
    position = parse_position("10,10,10 r1.2 g1 r3.3 - r2")
    assert position.places_for(Card(1, RED, 3)) == [1, 3]
    assert position.places_for(Card(1, RED, 2)) == [5]
    assert position.places_for(Card(2, BLUE, 1)) == [4]
    pile = position.piles[0]
    assert pile is not None and not pile.full and pile.cards == [Card(1, RED, 1), Card(2, RED, 2)]


@pytest.mark.parametrize(
    ("card", "place", "why"),
    [
        (Card(3, RED, 2), 1, "play red 2 of seat 3 in '10,10,- r1': that seat does not play"),
        (Card(4, RED, 2), 1, "play red 2 of seat 4 in '10,10,- r1': that seat does not play"),
        (Card(0, RED, 2), 1, "play red 2 of seat 0 in '10,10,- r1': that seat does not play"),
        (Card(1, RED, 1), 2, "play red 1 of seat 1 in '10,10,- r1': it lies in the centre already"),
        (Card(2, RED, 3), 1, "play red 3 onto place 1 in '10,10,- r1': it does not belong there"),
        (Card(2, BLUE, 2), 1, "play blue 2 onto place 1 in '10,10,- r1': it does not belong there"),
        (Card(2, RED, 1), 13, "play red 1 onto place 13 in '10,10,- r1': it does not belong there"),
        (Card(2, RED, 1), 0, "play red 1 onto place 0 in '10,10,- r1': it does not belong there"),
    ],
)
def test_what_can_not_be_played_is_refused_with_its_reason(card: Card, place: int, why: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        parse_position("10,10,- r1").played(card, place)
    assert str(refused.value) == why


# -- deals


def test_a_round_opens_with_an_empty_centre() -> None:
    position = opening((10, 0, 8))
    assert str(position) == "10,-,8" and position.counts == (0, 0, 0) and not position.centre
    assert [position.plays(seat) for seat in range(5)] == [False, True, False, True, False]


@pytest.mark.parametrize(
    ("deal", "why"),
    [
        ((10,), "1 playing, allowed are 2 to 12"),
        ((10,) * 13, "13 playing, allowed are 2 to 12"),
        ((11, 10), "a seat has more than 10 Ligretto cards"),
        ((-1, 10, 10), "a seat has a negative number of Ligretto cards"),
    ],
)
def test_a_deal_that_can_not_be_is_refused(deal: tuple[int, ...], why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        opening(deal)


def test_a_position_fits_a_bigger_table() -> None:
    position = parse_position("10,10 r1").at_table_of(4)
    assert str(position) == "10,10,-,- r1" and position.places == 16
    assert position.at_table_of(4) == position


# -- texts


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("10,10", (0, 0)),
        ("10,10,-,8 r1.2.1 - b4", (2, 1, 0, 1)),
        ("  10,10   r1  ", (1, 0)),
        ("10,10 r1.2.1.2.1.2.1.2.1.2 stop=2", (5, 5)),
        ("10,10 - - stuck", (0, 0)),
        ("0,10,10", (0, 0, 0)),
    ],
)
def test_positions_can_be_written_by_hand(text: str, counts: tuple[int, ...]) -> None:
    assert parse_position(text).counts == counts


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'' is no position of cards; it looks like '10,10,-,10 r1.3.3 - b4'"),
        ("r1.2", "'r1.2' is no position of cards"),
        ("10;10", "'10;10' is no position of cards"),
        ("10,,10", "'10,,10' is no position of cards"),
        ("10,100", "'10,100' is no position of cards"),
        ("x" * 200, f"'{'x' * 80}' is no position of cards"),
        ("10,10 q1", "'q1' is no pile; it looks like 'r1.3.3' (colour, owners) or '-'"),
        ("10,10 r", "'r' is no pile"),
        ("10,10 r1..2", "'r1..2' is no pile"),
        ("10,10 r1.2.1.2.1.2.1.2.1.2.1", "'r1.2.1.2.1.2.1.2.1.2.1' is no pile"),
        ("10,10 r123", "'r123' is no pile"),
        ("10,10 " + "z" * 60, f"'{'z' * 40}' is no pile"),
        ("10,10 stop=1 stuck", "'stop=1' is no pile"),
        ("10,10 stuck stop=1", "'stuck' is no pile"),
        ("10,10 stop=1 r1", "'stop=1' is no pile"),
        ("10,10 stop=", "'stop=' is no pile"),
        ("10,10 stop=x", "'stop=x' is no pile"),
        ("10", "'10': deal 10: 1 playing, allowed are 2 to 12"),
        ("11,10", "'11,10': deal 11,10: a seat has more than 10 Ligretto cards"),
        (",".join(["10"] * 13), "13 playing, allowed are 2 to 12"),
        ("10,10" + " -" * 9, "9 places; 2 seats have 8"),
        ("10,10,- r3", "seat 3 does not play, and has a card in the centre"),
        ("10,10 r0", "seat 0 does not play, and has a card in the centre"),
        ("10,10 r99", "seat 99 does not play, and has a card in the centre"),
        ("10,10 r1 r1", "red 1 of seat 1 is there twice"),
        ("10,10 b1.2 g1.2 b2.2", "blue 2 of seat 2 is there twice"),
        ("10,10,- stop=3", "seat 3 does not play, and called stop"),
        ("10,10 stop=0", "seat 0 does not play, and called stop"),
    ],
)
def test_what_is_no_position_is_told_why(text: str, why: str) -> None:
    with pytest.raises(MalformedText) as wrong:
        parse_position(text)
    assert why in str(wrong.value)
