"""A die that went to the wrong seat: its owner lifts it, sets it down again and slaps."""

import pytest

from firmware_host.model.effects import Verdict
from firmware_host.model.places import Colour, Slot
from firmware_host.model.times import MS
from tests.timing.judging import SETTINGS, Act, Hit, Lift, Place, PutBack, at, court, ruled

RED_1, BLUE_1 = Slot(Colour.RED, 1), Slot(Colour.BLUE, 1)
NS = 1 / MS
RECLAIM = SETTINGS.reclaim_ns / MS

ROBBED = Place(RED_1, at(1000)), Hit(2, at(1050)), Hit(1, at(1100))
"""Seat 1 has placed it, and a stray slap of seat 2 was first."""


def again(slot: Slot, ms: float) -> tuple[Act, Act]:
    """It is lifted, and set down at that moment."""
    return Lift(slot, at(ms - 300)), PutBack(slot, at(ms))


def test_who_was_robbed_reclaims_the_die() -> None:
    session = court(*ROBBED, *again(RED_1, 2000), Hit(1, at(2100)))
    assert [*map(str, session.judgements)] == [
        "2 accepted red 1",
        "1 too-late red 1 +50",
        "1 accepted red 1",
    ]
    reclaimed = session.judgements[-1].ruling.reclaimed
    assert reclaimed is not None
    assert (reclaimed.loser, reclaimed.taken, reclaimed.slap) == (2, at(1050), at(1100))
    assert reclaimed.signed == at(1100)
    assert (session.owed[1], session.owed[2]) == (5, 6)


def test_a_slap_that_came_too_soon_signs_when_the_die_lies_there() -> None:
    acts = Hit(1, at(700)), Place(RED_1, at(1000)), Hit(2, at(1050))
    reclaimed = court(*acts, *again(RED_1, 2000), Hit(1, at(2100))).judgements[-1].ruling.reclaimed
    assert reclaimed is not None
    assert reclaimed.signed == at(1000)


@pytest.mark.parametrize(
    ("ms", "verdict"), [(1100 + RECLAIM, "1 accepted red 1"), (1100 + RECLAIM + NS, "1 false-claim")]
)
def test_a_slap_that_got_nothing_is_a_reason_for_a_while(ms: float, verdict: str) -> None:
    assert ruled(*ROBBED, *again(RED_1, ms), Hit(1, at(ms + 100)))[2:] == [verdict]


def test_each_reason_is_good_for_one_die() -> None:
    two = *ROBBED, Place(BLUE_1, at(1500)), Hit(3, at(1600))
    acts = *again(RED_1, 2000), Hit(1, at(2100)), *again(BLUE_1, 3000), Hit(1, at(3100))
    assert ruled(*two, *acts)[3:] == ["1 accepted red 1", "1 false-claim"]


def test_without_a_reason_nobody_reclaims_anything() -> None:
    counted = Place(RED_1, at(1000)), Hit(2, at(1050))
    assert ruled(*counted, *again(RED_1, 2000), Hit(1, at(2100)))[1:] == ["1 false-claim"]


def test_the_die_has_to_be_lifted_and_set_down_before_the_slap() -> None:
    assert ruled(*ROBBED, Hit(1, at(2000)))[2:] == ["1 false-claim"]
    assert ruled(*ROBBED, Lift(RED_1, at(1700)), Hit(1, at(2000)))[2:] == ["1 false-claim"]
    assert ruled(*ROBBED, *again(RED_1, 2001), Hit(1, at(2000)))[2:] == ["1 false-claim"]
    assert ruled(*ROBBED, *again(RED_1, 2000), Lift(RED_1, at(2050)), Hit(1, at(2100)))[2:] == [
        "1 false-claim"
    ]


def test_a_second_slap_reclaims_nothing() -> None:
    won = Place(BLUE_1, at(1900)), Hit(1, at(1950))
    assert ruled(*ROBBED, *won, *again(RED_1, 2000), Hit(1, at(2100)))[3:] == ["1 repeated"]


def test_from_whom_a_die_was_reclaimed_may_have_lost_one_too() -> None:
    """The slap of seat 2 was for its own die, which seat 3 has got."""
    dice = (
        Place(RED_1, at(1000)),
        Place(BLUE_1, at(1020)),
        Hit(2, at(1050)),
        Hit(3, at(1060)),
        Hit(1, at(1100)),
    )
    acts = *again(RED_1, 2000), Hit(1, at(2100)), *again(BLUE_1, 3000), Hit(2, at(3100))
    assert ruled(*dice, *acts)[3:] == ["1 accepted red 1", "2 accepted blue 1"]


def test_two_who_reclaim_a_die_at_the_same_moment_are_in_a_dead_heat() -> None:
    both = *ROBBED, Hit(3, at(1120))
    verdicts = ruled(*both, *again(RED_1, 2000), Hit(1, at(2100)), Hit(3, at(2100)))[3:]
    assert sorted(verdict[2:] for verdict in verdicts) == ["dead-heat-lost red 1 +0", "dead-heat-won red 1"]


def test_after_the_end_nothing_is_reclaimed() -> None:
    owed = {1: 2, 2: 2, 3: 1, 4: 6}
    end = Place(BLUE_1, at(1500)), Hit(3, at(1600))
    assert ruled(*ROBBED, *end, *again(RED_1, 2000), Hit(1, at(2100)), owed=owed)[3:] == ["1 not-running"]


def test_a_die_that_can_not_be_taken_back_is_reclaimed_all_the_same() -> None:
    """The next die of its row lies there, or a reader says that it is the right one."""
    session = court(*ROBBED)
    session.claims.lift(RED_1, at(1700), for_good=False)
    session.claims.put_back(RED_1, at(2000))
    session.claims.cover(RED_1)
    session.claims.slap(1, at(2100))
    ruling = session.claims.next_ruling(9000 * MS, session.owed)
    assert ruling is not None and ruling.reclaimed is not None
    assert (ruling.verdict, ruling.reclaimed.loser) == (Verdict.ACCEPTED, 2)


def test_a_die_that_was_counted_before_the_round_went_on_is_not_reclaimed() -> None:
    """Its counts are right then."""
    session = court(*ROBBED)
    session.claims.lift(RED_1, at(1700), for_good=False)
    session.claims.put_back(RED_1, at(2000))
    session.claims.reopen(0)
    session.claims.slap(1, at(2100))
    ruling = session.claims.next_ruling(9000 * MS, session.owed)
    assert ruling is not None and ruling.reclaimed is None


def test_a_die_that_came_after_the_end_is_not_reclaimed() -> None:
    session = court(*ROBBED)
    session.claims.lift(RED_1, at(1700), for_good=False)
    session.claims.put_back(RED_1, at(2000))
    assert [each.slot for each in session.claims.take_after(at(900))] == [RED_1]
    session.claims.slap(1, at(2100))
    ruling = session.claims.next_ruling(9000 * MS, session.owed)
    assert ruling is not None and ruling.reclaimed is None


def test_a_die_without_an_owner_is_not_reclaimed() -> None:
    """It lay there before the round."""
    acts = Hit(1, at(500)), Lift(RED_1, at(1000)), PutBack(RED_1, at(1300)), Hit(1, at(1400))
    assert ruled(*acts) == ["1 false-claim", "1 false-claim"]
