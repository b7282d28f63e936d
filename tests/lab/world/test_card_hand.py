"""The hands of a visitor with cards: they hold tags to readers and press buttons, and see only lamps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from firmware_host.lab.bots.page_reading import Wish
from firmware_host.lab.world.visitor_hands import Hand, NotPossible
from firmware_host.model.effects import CardPlayed, Cue, Judged, RoundStuck, Verdict
from firmware_host.model.places import Card
from firmware_host.model.states import Phase
from firmware_host.model.times import S
from tests.lab.world.visitor_tables import VisitorTable


@pytest.fixture(params=["cards4", "cards2-piles"])
def table(request: pytest.FixtureRequest) -> Iterator[VisitorTable]:
    made = VisitorTable(request.param, 2)
    yield made
    made.close()


@pytest.fixture
def hand(table: VisitorTable) -> Hand:
    """The hands of the visitor at seat 2, in a round."""
    hand = table.visitor(2)
    table.until_play(hand)
    return hand


def playable(table: VisitorTable) -> tuple[str, Card] | None:
    """A card of the visitor that fits now, and where it lies."""
    area, fits = table.things.areas[2], table.things.centre.fits
    return next(((str(origin), card) for card, origin in area.playable() if fits(card)), None)


def turn_until_playable(table: VisitorTable, hand: Hand) -> tuple[str, Card]:
    """Do what players do until a card fits."""
    for _ in range(2000):
        found = playable(table)
        if found is not None:
            return found
        assert table.phase is Phase.PLAY
        gaps = table.things.areas[2].gaps()
        if gaps:
            table.act(hand, do="fill", stack=gaps[0] + 1)
        else:
            table.act(hand, do="turn")
        table.pass_time()
    raise AssertionError("nothing fits")


def play(table: VisitorTable, hand: Hand, name: str, card: Card) -> None:
    """Take a card and race with it, to the end."""
    table.act(hand, do="take", **{"from": name})
    if hand.seen()["pads"]:
        table.pass_time(1 * S)
        table.act(hand, do="slap")
    else:
        table.act(hand, do="lay", on=table.things.centre.place_for(card) or 1)
    table.until(lambda: hand.at_rest)


def test_cards_that_are_played_lie_in_the_centre(table: VisitorTable, hand: Hand) -> None:
    won: list[Card] = []
    while len(won) < 3:
        name, card = turn_until_playable(table, hand)
        play(table, hand, name, card)
        if card in table.things.areas[2].played:
            won.append(card)
    counted = [effect.card for effect in table.effects if isinstance(effect, CardPlayed)]
    assert set(won) <= set(counted)
    assert "held" not in hand.seen()


def test_a_card_that_fits_nowhere_comes_back(table: VisitorTable, hand: Hand) -> None:
    area = table.things.areas[2]
    name, card = next(
        (str(origin), card) for card, origin in area.playable() if not table.things.centre.fits(card)
    )
    before = str(area)
    play(table, hand, name, card)
    verdicts = [e.verdict for e in table.effects if isinstance(e, Judged) and e.seat == 2]
    assert Verdict.ILLEGAL in verdicts
    assert str(area) == before


def test_a_card_is_taken_back_before_the_slap(table: VisitorTable, hand: Hand) -> None:
    before = str(table.things.areas[2])
    table.act(hand, do="take", **{"from": "row1"})
    assert hand.seen()["held"]["from"] == "row1"
    table.act(hand, do="back")
    assert str(table.things.areas[2]) == before and "held" not in hand.seen()
    table.act(hand, do="take", **{"from": "row1"})
    table.act(hand, do="take", **{"from": "ligretto"})  # puts the first one back
    assert hand.seen()["held"]["from"] == "ligretto"
    hand.leave()
    assert str(table.things.areas[2]) == before


def test_the_stop_call_of_a_visitor_is_heard(table: VisitorTable, hand: Hand) -> None:
    table.things.areas[2].ligretto.clear()
    assert hand.seen()["finished"]
    table.act(hand, do="stop")

    def judged() -> list[Judged]:
        return [effect for effect in table.effects if isinstance(effect, Judged) and effect.seat == 2]

    table.until(judged)
    assert judged()[0].cue is Cue.WRONG_STOP  # its other cards can't be in the centre yet


def test_the_pad_is_free_when_it_is_needed_for_what_is_left(table: VisitorTable, hand: Hand) -> None:
    before = str(table.things.areas[2])
    table.act(hand, do="take", **{"from": "row1"})
    for wish in (Wish.PLAY, Wish.WAIT, Wish.HOLD, Wish.STOP):
        hand.look(wish)
        assert "held" in hand.seen()
    hand.look(Wish.CHECK)
    assert "held" not in hand.seen() and str(table.things.areas[2]) == before


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"do": "take", "from": "sleeve"}, "'sleeve' is none of your piles"),
        ({"do": "take", "from": "discard"}, "none lies at discard"),
        ({"do": "take", "from": "row9"}, "none of your piles"),
        ({"do": "back"}, "the fingers hold none"),
        ({"do": "fill", "stack": 1}, "stack 1 is none"),
        ({"do": "fill", "stack": -7}, "the row has"),
        ({"do": "lay", "from": "ligretto", "stack": 1}, "only experts do that"),
        ({"do": "throw"}, "hands can't do that"),
    ],
)
def test_what_no_hand_can_do_is_refused(
    table: VisitorTable, hand: Hand, asked: dict[str, Any], why: str
) -> None:
    with pytest.raises(NotPossible, match=why):
        table.act(hand, **asked)


def test_one_card_at_a_time(table: VisitorTable, hand: Hand) -> None:
    name, card = turn_until_playable(table, hand)
    table.act(hand, do="take", **{"from": name})
    with pytest.raises(NotPossible, match="a card is in the fingers"):
        table.act(hand, do="turn")
    if hand.seen()["pads"]:
        with pytest.raises(NotPossible, match="the piles have no readers here"):
            table.act(hand, do="lay", on=1)
        table.pass_time(1 * S)
        table.act(hand, do="slap")
    else:
        with pytest.raises(NotPossible, match="there is no pile 99"):
            table.act(hand, do="lay", on=99)
        table.act(hand, do="lay", on=table.things.centre.place_for(card) or 1)
    for word in ({"do": "back"}, {"do": "take", "from": "row1"}, {"do": "lay", "on": 1}):
        with pytest.raises(NotPossible, match="is being judged"):
            table.act(hand, **word)


def test_before_the_first_deal_there_is_nothing_to_do() -> None:
    table = VisitorTable("cards4", 2)
    hand = table.visitor(1)
    assert hand.seen()["row"] == []
    with pytest.raises(NotPossible, match="no cards have been dealt yet"):
        table.act(hand, do="turn")
    hand.leave()
    table.close()


def test_visitors_who_can_not_play_agree_that_the_round_is_stuck() -> None:
    table = VisitorTable("cards4", 2, seed=3)
    hands = [table.visitor(seat) for seat in (1, 2)]
    table.until_play(*hands)
    for area in table.things.areas.values():  # nothing but high cards, and one that nothing digs out
        cards = [Card(area.seat, card.colour, 9) for card in area.ligretto[:1]]
        area.row, area.hand, area.discard = [[each] for each in cards] * 3, [], []
        area.ligretto = [cards[0]] * 2
    table.until(lambda: table.phase is not Phase.PLAY)
    assert [effect for effect in table.effects if isinstance(effect, RoundStuck)]
    table.close()
