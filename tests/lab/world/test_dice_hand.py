"""The hands of a visitor with dice: they move contacts and dice, and the referee judges."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_host.lab.bots.belongings import Dice, Die
from firmware_host.lab.world.visitor_hands import Hand, NotPossible
from firmware_host.model.effects import Judged, RoundScored, Verdict
from firmware_host.model.places import Button, Slot
from firmware_host.model.states import Phase
from firmware_host.model.times import S
from tests.lab.world.visitor_tables import VisitorTable


@pytest.fixture
def table() -> Iterator[VisitorTable]:
    made = VisitorTable()
    yield made
    made.close()


@pytest.fixture
def hand(table: VisitorTable) -> Hand:
    """The hands of the visitor at seat 2, in a round."""
    hand = table.visitor(2)
    table.until_play(hand)
    return hand


def throw_until(table: VisitorTable, hand: Hand) -> Die:
    """Throw until a die fits."""

    while True:
        table.act(hand, do="throw")
        table.until(lambda: not hand.seen()["rolling"])
        dice: Dice = table.things
        for die in dice.hands[2]:
            if die.face == dice.height(die.colour) + 1 and Slot(die.colour, die.face) not in dice.board:
                return die


def verdicts(table: VisitorTable, seat: int) -> list[Judged]:
    """What was decided about dice of a seat."""
    judged = [effect for effect in table.effects if isinstance(effect, Judged)]
    return [each for each in judged if each.seat == seat and each.what is not None]


def test_a_die_that_is_put_and_slapped_for_counts(table: VisitorTable, hand: Hand) -> None:
    assert hand.seen()["cup"] == 6 and hand.seen()["dice"] == []
    die = throw_until(table, hand)
    place = f"{die.colour.word} {die.face}"
    table.act(hand, do="put", die=die.number, on=place)
    assert hand.seen()["own"] == [place] and len(hand.seen()["dice"]) == 5
    table.act(hand, do="slap")
    table.until(lambda: verdicts(table, 2))
    (verdict,) = verdicts(table, 2)
    assert (verdict.verdict, str(verdict.what)) == (Verdict.ACCEPTED, place)


def test_a_die_comes_back_into_the_hand(table: VisitorTable, hand: Hand) -> None:
    die = throw_until(table, hand)
    number = next(n for n in range(6, 1, -1) if n != die.face)
    wrong = f"{die.colour.word} {number}"
    table.act(hand, do="put", die=die.number, on=wrong)
    table.pass_time(1 * S)
    table.act(hand, do="back", **{"from": wrong})
    assert die in table.things.hands[2] and hand.seen()["own"] == []
    assert not table.world.is_filled(Slot(die.colour, number))


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"do": "put", "die": 99, "on": "red 1"}, "that die is not in your hand"),
        ({"do": "put", "die": 99, "on": "pink 1"}, "'pink 1' is not a place"),
        ({"do": "put", "die": "x", "on": "red 1"}, "'die' is missing, or is not a whole number"),
        ({"do": "put", "die": True, "on": "red 1"}, "'die' is missing, or is not a whole number"),
        ({"do": "put", "die": 1}, "'on' is missing, or is not a text"),
        ({"do": "back", "from": "red 6"}, "no die of yours lies on red 6"),
        ({"do": "win"}, "hands can't do that; they can: back, press, put, release, slap, stop, throw"),
        ({"do": ["slap"]}, "hands can't do that"),
        ({}, "hands can't do that"),
    ],
)
def test_what_no_hand_can_do_is_refused(
    table: VisitorTable, hand: Hand, asked: dict[str, object], why: str
) -> None:
    with pytest.raises(NotPossible, match=why):
        table.act(hand, **asked)


def test_nobody_puts_two_dice_onto_one_place_nor_dice_that_roll(table: VisitorTable, hand: Hand) -> None:
    throw_until(table, hand)
    first, second = hand.seen()["dice"][:2]
    table.act(hand, do="put", die=first["die"], on="red 5")
    with pytest.raises(NotPossible, match="a die lies on red 5 already"):
        table.act(hand, do="put", die=second["die"], on="red 5")
    table.act(hand, do="throw")
    assert hand.seen()["rolling"] and hand.seen()["dice"] == [] and hand.seen()["cup"] == 5
    with pytest.raises(NotPossible, match="still rolling"):
        table.act(hand, do="throw")
    with pytest.raises(NotPossible, match="still rolling"):
        table.act(hand, do="put", die=second["die"], on="red 6")


def test_dice_of_others_stay_where_they_are(table: VisitorTable, hand: Hand) -> None:
    table.until(lambda: table.things.board)
    place = next(iter(table.things.board))
    with pytest.raises(NotPossible, match="no die of yours lies on"):
        table.act(hand, do="back", **{"from": str(place)})


def test_the_button_goes_down_and_up(table: VisitorTable, hand: Hand) -> None:
    def down() -> bool:
        return table.party.table.contacts[Button(2)].active

    table.act(hand, do="release")
    table.act(hand, do="press")
    assert down()
    table.act(hand, do="release")
    assert not down()
    table.act(hand, do="press")
    hand.leave()
    assert not down()
    table.act(hand, do="stop")
    table.pass_time(1 * S)
    assert down()
    table.pass_time(1 * S)
    assert not down()


def test_the_person_of_the_seat_counts_honestly_and_deals_for_a_visitor_who_does_nothing_then(
    table: VisitorTable, hand: Hand
) -> None:
    def scored() -> list[RoundScored]:
        return [effect for effect in table.effects if isinstance(effect, RoundScored)]

    table.until(scored)
    assert scored()[0].leftovers[1] == 6
    table.until(lambda: table.phase is Phase.CLEAR)
    table.until(lambda: table.things.dealt)
    assert hand.seen()["cup"] == 6


def test_a_person_plays_on_with_the_dice_of_a_visitor_who_leaves(table: VisitorTable, hand: Hand) -> None:
    die = throw_until(table, hand)
    table.act(hand, do="put", die=die.number, on=f"{die.colour.word} {die.face}")
    table.act(hand, do="slap")
    table.until(lambda: verdicts(table, 2))
    hand.leave()
    table.crowd.sit_again(2)
    table.until(lambda: len(table.things.hands[2]) < 5 or table.phase is not Phase.PLAY)
    assert sum(1 for each in table.things.hands.values() for _ in each) + len(table.things.board) == 24


def test_the_leader_is_whoever_sits_there_without_a_visitor() -> None:
    table = VisitorTable()
    table.crowd.make_room(1)
    assert [person.seat for person in table.crowd.people if person.leads] == [2]
    for seat in (2, 3, 4):
        table.crowd.make_room(seat)
    assert [person.seat for person in table.crowd.people if person.leads] == [1]
    table.crowd.sit_again(3)
    assert [person.seat for person in table.crowd.people if person.leads] == [3]
    table.close()


def test_four_visitors_and_no_simulated_person_get_through_a_deal() -> None:
    table = VisitorTable()
    hands = [table.visitor(seat) for seat in (1, 2, 3, 4)]

    table.until_play(*hands)
    assert all(hand.seen()["cup"] == 6 for hand in hands)
    table.close()
