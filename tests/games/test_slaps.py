"""Which slap owns which die: every rule of slaps and of stop calls, one at a time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from firmware_host.model.events import Pressed
from firmware_host.model.places import Colour, Slot
from firmware_host.model.states import SlotState
from firmware_host.model.times import MS
from firmware_host.timing.ties import TieBreaker
from tests.timing.judging import SETTINGS, at, court, heard, what_came_of

RED_1 = Slot(Colour.RED, 1)


def rows() -> list[tuple[str, str]]:
    """The acts of each row of the table, and what should come of them."""
    found: list[tuple[list[str], list[str]]] = []
    for line in (Path(__file__).parent / "slaps.txt").read_text().splitlines():
        said = line.strip()
        if said.startswith("->"):
            found[-1][1].append(said[3:])
        elif said and not said.startswith("#"):
            if not found or found[-1][1]:
                found.append(([], []))
            found[-1][0].append(said)
    return [(" ".join(acts), "; ".join(rulings)) for acts, rulings in found]


@pytest.mark.parametrize(("acts", "rulings"), rows())
def test_each_row_of_the_table_comes_to_its_rulings(acts: str, rulings: str) -> None:
    assert what_came_of(acts) == rulings


def test_a_die_lapses_once_no_slap_can_reach_it() -> None:
    changes = heard("b1@1001 r1@1000").changes
    lapsed = [(str(each.slot), each.t_ns) for each in changes if each.state is SlotState.LAPSED]
    late_ns = SETTINGS.claim_late_ns + 1
    assert lapsed == [("red 1", 1000 * MS + late_ns), ("blue 1", 1001 * MS + late_ns)]


def test_who_was_too_late_hears_who_was_first_and_when() -> None:
    lost = heard("r1@1000 3@1100+1 1@1200").judgements[-1].judged
    assert (lost.rival, lost.rival_stamp) == (3, at(1100, 1))


def test_who_reclaims_a_die_hears_from_whom() -> None:
    session = heard("r1@1000 2@1050 1@1100 -r1@1700 r1@2000 1@2100")
    assert session.judgements[-1].judged.rival == 2
    assert session.round.owed == (5, 6, 6, 6)


def test_a_die_that_is_taken_back_is_in_the_hand_again() -> None:
    session = heard("r1@1000 1@1100 -r1@2000 1@2100")
    assert str(session.round.position) == "r0y0g0b0 6/6,6/6,6/6,6/6"


@pytest.mark.parametrize(
    ("acts", "until_ms"), [("1@1000", 0), ("strict 1@1000", 2000), ("strict 1@1000 1@1900", 2900)]
)
def test_a_false_claim_says_how_long_it_locks(acts: str, until_ms: int) -> None:
    assert heard(acts).judgements[-1].judged.locked_until_ns == until_ms * MS


def test_a_dead_heat_is_settled_between_those_who_were_in_it() -> None:
    won, lost = heard("r1@1000 1@1100+10 2@1110+10").judgements
    assert won.tie is not None and lost.tie is None
    assert (won.tie.seats, won.tie.winner, won.tie.what) == ((1, 2), won.judged.seat, RED_1)


def test_dice_enough_for_everybody_cost_nobody_the_luck_of_a_later_tie() -> None:
    session = heard("r1@1000 b1@1001 1@1100+10 2@1105+10")
    assert [each.tie for each in session.judgements] == [None, None]


def test_who_comes_after_a_rival_is_too_late_even_if_a_wider_slap_wins_the_tie() -> None:
    """Seats 1 and 2 tie, seat 3 is surely after seat 2: it has lost a race and not lied."""
    ties = TieBreaker(Random(1))
    for _ in range(2):
        ties.settle(RED_1, [2, 4])  # so that seat 2 has won before, and seat 1 wins now
    acts = heard("r1@1000 1@1100+400 2@1100+10 3@1120+10").acts
    session = court(*acts, ties=ties, settings=replace(SETTINGS, stamp_uncertainty_ns=200 * MS))
    third = [each.judged.verdict.value for each in session.judgements if each.judged.seat == 3]
    assert third == ["too-late"]


def test_a_die_that_was_counted_before_the_round_went_on_is_not_reclaimed() -> None:
    """The counts are right then; but slaps are judged as before."""
    session = heard("r1@1000 2@1050 1@1100 -r1@1700 r1@2000")
    session.round.go_on_with((5, 6, 6, 6), 3, at(2050).latest_ns)
    session.round.slapped(Pressed(1, at(2100)), at(2100).latest_ns)
    session.sit(at(65_000).latest_ns)
    assert str(session.judgements[-1]) == "1 false-claim"


def test_of_dice_that_lapsed_the_oldest_have_an_owner_when_the_round_goes_on() -> None:
    """Two of the three on the board are claimed by the counts, and one of these by a slap."""
    round_ = heard("r1@1000 y1@20000 1@20100 g1@40000").round
    lapsed = [place.slot for place in round_.records.places if place.state is SlotState.LAPSED]
    assert lapsed == [RED_1, Slot(Colour.GREEN, 1)]
    round_.go_on_with((5, 5, 6, 6), 3, at(65_000).latest_ns)
    states = [round_.records.at(Slot(row, 1)).visible for row in Colour]
    assert states == [SlotState.COUNTED, SlotState.COUNTED, SlotState.LAPSED, SlotState.FREE]


def test_the_moments_of_slaps_come_due_one_after_the_other() -> None:
    """First that of the slap, then when it can't be early for the next die, then when it can't be for any."""
    round_ = heard("").round
    assert round_.awaits_after_ns(0) is None
    for seat, ms in ((1, 1000), (2, 1001)):
        round_.slapped(Pressed(seat, at(ms)), at(ms).latest_ns)
    now_ns, due = 0, []
    while (due_ns := round_.awaits_after_ns(now_ns)) is not None:
        now_ns = due_ns
        due.append(now_ns)
        round_.decide(now_ns, now_ns)
    assert due == [ms * MS for ms in (1000, 1001, 1060, 1061, 1200, 1201)]
