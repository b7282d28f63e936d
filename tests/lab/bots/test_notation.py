"""The one-line text of a seat's own cards."""

from random import Random

import pytest
from hypothesis import strategies as st

from firmware_host.lab.bots.belongings import deal, parse_area
from firmware_host.lab.bots.card_area import LIGRETTO, CardArea, Heap, Origin
from firmware_host.model.errors import MalformedText
from firmware_host.model.places import Card, Colour
from tests.lab.bots.moves import any_move, do

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
