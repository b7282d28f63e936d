"""Where the publisher's rule sheets disagree, and what holds here: docs/rules.md has a list."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.lab.bots.belongings import Dice, deal, parse_area
from firmware_host.lab.bots.card_area import DISCARD, PrivateMoveRefused, is_stuck
from firmware_host.model.effects import Judged, Verdict
from firmware_host.model.places import Colour, DieFace, Slot
from tests.games.test_identified import die_for
from tests.games.test_identified import playing as by_slap
from tests.games.test_owned_by_tag import playing as by_tag

R1, Y1 = Slot(Colour.RED, 1), Slot(Colour.YELLOW, 1)


def test_expert_rows_descend_though_the_dutch_sheet_lets_them_ascend() -> None:
    area = parse_area("1 r5,y9 discard=b6 expert")
    with pytest.raises(PrivateMoveRefused, match="not lower"):
        area.lay(DISCARD, 0)
    area.lay(DISCARD, 1)
    assert str(area) == "1 r5,y9b6 expert"


def test_colours_differ_one_after_the_other_though_the_english_sheet_says_side_by_side() -> None:
    area = parse_area("1 b7,y9 discard=b6 expert")  # b6 comes to lie beside b7, and that is legal
    area.lay(DISCARD, 1)
    assert str(area) == "1 b7,y9b6 expert"
    with pytest.raises(PrivateMoveRefused, match="of its colour"):
        parse_area("1 y9,b7 discard=b6 expert").lay(DISCARD, 1)


def test_a_round_is_stuck_when_nobody_can_play_though_the_spanish_sheet_says_one_player() -> None:
    blocked, able = parse_area("1 r9 ligretto=g9 hand=b5"), parse_area("2 r9 ligretto=g9 hand=b6")
    wanted = {(Colour.BLUE, 6)}
    assert is_stuck([blocked], wanted)
    assert not is_stuck([blocked, able], wanted)


def test_the_last_of_the_ten_cards_ends_the_round_though_the_dutch_sheet_says_the_last_ten() -> None:
    area = deal(1, 4, Random(0))
    for left in range(10, 0, -1):
        assert (area.leftovers, area.finished) == (left, False)
        area.ligretto.pop()
    assert area.finished


def test_the_die_that_is_placed_first_counts_though_the_italian_sheet_says_thrown() -> None:
    hands = by_tag()  # the red dice 1 and 2 belong to seats 1 and 2
    dice = Dice((6, 6, 6), Random(0))
    dice.hands = {seat: [die for die in dice.bag if die.number == seat] for seat in (1, 2)}
    (first,), (second,) = dice.hands[1], dice.hands[2]
    while first.face != 1:
        dice.throw(1)
    while second.face != 1:
        dice.throw(2)
    hands.place(R1, DieFace(second.number, second.face))
    hands.place(R1, DieFace(first.number, first.face))
    assert [(each.seat, each.verdict) for each in hands.all_of(Judged)] == [(2, Verdict.ACCEPTED)]


def test_two_dice_in_one_instant_count_though_the_french_sheet_asks_for_the_same_hand_always() -> None:
    # No single hand is that quick. The table sees dice and slaps, never hands: that rule is the players' own.
    hands = by_slap(6, 6, 6, 6)
    hands.put(R1, die_for(R1))
    hands.put(Y1, die_for(Y1))
    hands.tap(1)
    hands.tap(1)
    hands.await_verdicts()
    assert [each.verdict for each in hands.all_of(Judged)] == [Verdict.ACCEPTED, Verdict.ACCEPTED]
