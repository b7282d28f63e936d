"""Whether anybody can still play: by theory, and against trying everything."""

import sys
from itertools import permutations
from random import Random
from types import FrameType

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware_host.lab.bots.belongings import deal, parse_area
from firmware_host.lab.bots.card_area import CardArea, NextCards, can_play, descends, is_stuck, matched
from firmware_host.model.places import Card, Colour
from tests.lab.bots.moves import any_move, could_play, do, reachable
from tests.thoroughness import tries

NONE: NextCards = frozenset()
COLOURS = {colour.word[0]: colour for colour in Colour}


def wants(*cards: str) -> NextCards:
    return {(COLOURS[card[0]], int(card[1:])) for card in cards}


def agree(area: CardArea, wanted: NextCards) -> bool:
    """What both say, when they say the same."""
    by_theory, by_trying = can_play(area, wanted), could_play(area, wanted)
    assert by_theory == by_trying, f"{area} for {wanted}"
    return by_theory


# -- against trying everything


@st.composite
def small_areas(draw: st.DrawFn) -> CardArea:
    """A few cards anywhere; ones are rare, for with a one there is nothing to find out."""
    colours = draw(st.sampled_from((tuple(Colour), (Colour.RED, Colour.BLUE))))
    numbers = range(1 if draw(st.integers(0, 9)) == 0 else 2, 11)
    cards = draw(st.permutations([Card(1, colour, number) for colour in colours for number in numbers]))
    expert = draw(st.booleans())
    area = CardArea(1, [], expert=expert)
    for _ in range(draw(st.integers(1, 4))):
        stack = [cards.pop() for _ in range(draw(st.integers(0, 2 if expert else 1)))]
        area.row.append(stack if len(stack) < 2 or descends(stack[1], stack[0]) else stack[:1])
    area.ligretto = [cards.pop() for _ in range(draw(st.integers(0, 4)))]
    area.hand = [cards.pop() for _ in range(draw(st.integers(0, 2)))]
    area.discard = [cards.pop() for _ in range(draw(st.integers(0, 2)))]
    origins = [*(origin for _, origin in area.playable()), None]
    origin = draw(st.sampled_from(origins))
    if origin is not None:
        area.take(origin)
    return area


@settings(max_examples=tries(80, 800))
@given(small_areas(), st.booleans(), st.data())
def test_theory_and_trying_agree(area: CardArea, hidden: bool, data: st.DataObject) -> None:
    covered = [card for pile in (*area.row, area.ligretto) for card in pile[:-1]]
    others = [Card(1, colour, number) for colour in Colour for number in range(2, 11)]
    cards = st.sampled_from(covered if covered and hidden else others)
    agree(area, {(card.colour, card.number) for card in data.draw(st.lists(cards, max_size=2))})


@settings(max_examples=tries(40, 400))
@given(st.integers(0, 2**32), st.integers(1, 3), st.integers(2, 4))
def test_they_agree_where_only_digging_helps(seed: int, stacks: int, colours: int) -> None:
    chance = Random(seed)
    palette = list(Colour)[:colours]
    low = [Card(1, colour, number) for colour in palette for number in range(2, 8)]
    high = [Card(1, colour, number) for colour in palette for number in (8, 9, 10)]
    chance.shuffle(low)
    chance.shuffle(high)
    area = CardArea(1, [[high.pop()] for _ in range(stacks)], expert=True)
    for stack in area.row:
        if chance.random() < 0.2:
            stack.clear()
    area.ligretto = [low.pop() for _ in range(chance.randint(2, 5))]
    area.discard = [low.pop() for _ in range(chance.randint(0, 3))]
    agree(area, NONE)


# -- the pool


@pytest.mark.parametrize("text", ["1 r9 ligretto=g9 hand=r8r7b3b5b7y9", "1 r9 ligretto=g9 discard=b3r8"])
def test_each_card_of_hand_and_discard_pile_comes_to_the_top(text: str) -> None:
    area = parse_area(text)
    for card in [*area.hand, *area.discard]:
        assert can_play(area, {(card.colour, card.number)})
    assert not can_play(area, wants("g8"))


@pytest.mark.parametrize("hand", ["r8", "r8r7", "r8r7b3", "r8r7b3b5", "r8r7b3b5y9"])
def test_and_so_says_trying(hand: str) -> None:
    area = parse_area(f"1 r9 ligretto=g9 hand={hand}")
    tops = {one.discard[-1] for one in reachable(area) if one.discard}
    assert tops == set(area.hand)


def test_a_one_can_always_be_played() -> None:
    assert can_play(parse_area("1 r9 ligretto=g9 hand=b3r1"), NONE)
    assert not can_play(parse_area("1 r9 ligretto=r1g9 hand=b3"), NONE)


# -- each position by both ways


@pytest.mark.parametrize(
    ("text", "wanted", "playable"),
    [
        # the standard game: each gap lays one more card of the Ligretto pile open
        ("1 r9,b9 ligretto=y5g9", ("y5",), False),
        ("1 -,b9 ligretto=y5g9", ("y5",), True),
        ("1 -,b9 ligretto=y5g8g9", ("y5",), False),
        ("1 -,- ligretto=y5g8g9", ("y5",), True),
        ("1 -,- ligretto=g8g9", (), True),  # both find a gap: finished
        ("1 -,b9 ligretto=g8g9", (), False),
        ("1 b9 hand=r3", (), True),  # finished long since
        ("1 b9,- ligretto=r3g9 held=y5@row2", ("r3",), False),  # it may have to go back
        ("1 -,- ligretto=r3g9 held=y5@row2", ("r3",), True),
        ("1 b9 ligretto=r3 held=g9@ligretto", ("r3",), False),
        ("1 b9,- ligretto=r3 held=g9@ligretto", ("r3",), True),
        ("1 b9 ligretto=r3 held=g9@ligretto", ("g9",), True),
        ("1 b9 ligretto=r3 held=g9@discard", ("g9",), True),
        ("1 b9 held=r3@ligretto", (), False),  # not finished: it is not in the centre
        ("1 b9 ligretto=r3g8", ("r3",), False),
        # experts land them on stacks
        ("1 b9 ligretto=r3g8 expert", ("r3",), True),
        ("1 b9 ligretto=r3b8 expert", ("r3",), False),
        ("1 b7 ligretto=r3g8 expert", ("r3",), False),
        ("1 b9 ligretto=r3g8 expert", (), True),
        ("1 b9y8 ligretto=r2 held=r3@row1 expert", ("y8",), False),
        ("1 b9y8 ligretto=r2b5 held=b6@row1 expert", ("r2",), False),
        ("1 b9y8 ligretto=r2b5 held=r6@row1 expert", ("r2",), True),
        # ... with separators of the pool
        ("1 b9 ligretto=r3b7 discard=y8 expert", ("r3",), True),
        ("1 b9 ligretto=r3b7 hand=y8 expert", ("r3",), True),
        ("1 b9 ligretto=r3b7 held=y8@discard expert", ("r3",), True),
        ("1 b9 ligretto=r3b8 hand=y8 expert", ("r3",), False),
        ("1 b9 ligretto=r3b7 hand=y9 expert", ("r3",), False),
        ("1 b9 ligretto=r3b7 hand=y7 expert", ("r3",), False),
        ("1 b10 ligretto=r2b4b6 hand=b5b8y5y8 expert", ("r2",), True),
        ("1 b10 ligretto=r2b4b6 hand=b5b8y8y9 expert", ("r2",), False),  # only y5 fits between b6 and b4
        ("1 b10,r10 ligretto=g2r8b8 hand=y9 expert", ("g2",), True),  # cross-wise: neither needs it
        ("1 b10,r5 ligretto=g2b7b8 hand=y9 expert", ("g2",), False),
        ("1 b10,r6 ligretto=g2r4b8 hand=y9 expert", ("g2",), True),  # one needs it, the other lands on b8
        ("1 b10,r6 ligretto=g2r5r4b8 hand=y9 expert", ("g2",), False),
        ("1 b8,b10 ligretto=g2b6b7 hand=y7y9 expert", ("g2",), True),  # y9 must be kept for the ten
        ("1 b10,b9 ligretto=g2b7b8 hand=y8y9 expert", ("g2",), True),
        ("1 b10,b9 ligretto=g2b7b8 hand=y8 expert", ("g2",), False),
        # ... and in gaps, however full the other stacks are
        ("1 b3,- ligretto=r2g8 expert", ("r2",), True),
        ("1 b4y3,- ligretto=r2g8 expert", ("r2",), True),
        ("1 b4y3,- ligretto=r2g7g8 expert", ("r2",), False),
        ("1 b4y3,-,- ligretto=r2g7g8 expert", ("r2",), True),
        ("1 b9,- ligretto=r2b7y10 hand=y8 expert", ("r2",), True),
        (
            "1 b9,- ligretto=r2b10b7 hand=y8 expert",
            ("r2",),
            True,
        ),  # y8b7 on the nine: the gap is kept for the ten
        ("1 b9,- ligretto=r2b10b7 expert", ("r2",), False),
        ("1 b9,- ligretto=r2b10g8 expert", ("r2",), True),  # so it is here, without a separator
        ("1 b9,- ligretto=r2b10g10 expert", ("r2",), False),
        ("1 b9,-,- ligretto=r2g9g10b8 expert", ("r2",), False),
        ("1 b9,-,- ligretto=r2y9g10g8 expert", ("r2",), True),
        ("1 b9,-,- ligretto=r2y6g10b7 expert", ("r2",), True),
    ],
)
def test_a_position(text: str, wanted: tuple[str, ...], playable: bool) -> None:
    assert agree(parse_area(text), wants(*wanted)) is playable


# -- all players


def test_a_round_is_stuck_when_nobody_can_play() -> None:
    one, other = parse_area("1 r9 ligretto=g9 hand=b5"), parse_area("2 r9 ligretto=g9 hand=b6")
    assert is_stuck([one, other], wants("b4"))
    assert not is_stuck([one, other], wants("b5"))
    assert not is_stuck([one, other], wants("b6"))


@given(st.integers(2, 12), st.booleans(), st.integers(0, 2**32), st.integers(0, 80))
def test_no_card_moves_while_they_ask(players: int, expert: bool, seed: int, moves: int) -> None:
    chance = Random(seed)
    area = deal(1, players, chance, expert=expert)
    for _ in range(moves):
        do(area, any_move(area, chance), chance)
    before = str(area)
    answer = can_play(area, NONE)
    assert str(area) == before
    if area.held is not None:
        area.put_back()
        assert can_play(area, NONE) == answer


def test_a_held_card_counts_as_lying_where_it_came_from() -> None:
    for text in ("1 b9,r3 ligretto=g2r8 discard=y5 expert", "1 -,r3 ligretto=g2r8 discard=y5"):
        area = parse_area(text)
        for origin in [origin for _, origin in area.playable()]:
            lying = can_play(area, wants("g2"))
            area.take(origin)
            assert can_play(area, wants("g2")) == lying, origin
            area.put_back()


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
