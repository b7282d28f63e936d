"""Which slap owns which die: every rule of the claims, one at a time."""

from dataclasses import replace
from random import Random

import pytest

from firmware_host.model.events import Pressed
from firmware_host.model.places import Colour, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import SlotState
from firmware_host.model.times import MS, Stamp
from firmware_host.timing.ties import TieBreaker
from tests.timing.judging import SETTINGS, STRICT, Act, Hit, Lift, Place, at, court, ruled

RED_1, RED_3, BLUE_1 = Slot(Colour.RED, 1), Slot(Colour.RED, 3), Slot(Colour.BLUE, 1)
GREEN_1 = Slot(Colour.GREEN, 1)
NS = 1 / MS  # one nanosecond in milliseconds
EARLY, LATE = SETTINGS.claim_early_ns / MS, SETTINGS.claim_late_ns / MS
RECLAIM = SETTINGS.reclaim_ns / MS
LOST, LOCK = SETTINGS.just_lost_ns / MS, SETTINGS.lock_ns / MS
FRESH = SETTINGS.fresh_ns / MS
WAIT, ANOTHER = SETTINGS.early_wait_ns / MS, SETTINGS.lost_wait_ns / MS
SECOND, SIGN = SETTINGS.second_slap_ns / MS, SETTINGS.sign_late_ns / MS


# -- a slap claims the oldest placement inside the window


def test_a_slap_claims_the_die() -> None:
    assert ruled(Place(RED_1, at(1000)), Hit(1, at(1100))) == ["1 accepted red 1"]


def test_the_oldest_unclaimed_die_goes_first() -> None:
    assert ruled(
        Place(RED_1, at(1000)), Place(BLUE_1, at(1010)), Hit(1, at(1100)), Hit(2, at(1200)), Hit(3, at(1800))
    ) == ["1 accepted red 1", "2 accepted blue 1", "3 false-claim"]


@pytest.mark.parametrize(
    ("ms", "verdict"),
    [
        (5000 - EARLY - NS, "1 false-claim"),
        (5000 - EARLY, "1 accepted red 1"),
        (5000, "1 accepted red 1"),
        (5000 + LATE, "1 accepted red 1"),
        (5000 + LATE + NS, "1 false-claim"),
    ],
)
def test_the_window_has_sharp_borders(ms: float, verdict: str) -> None:
    assert ruled(Place(RED_1, at(5000)), Hit(1, at(ms))) == [verdict]


def test_a_die_taken_off_again_can_not_be_claimed() -> None:
    dice = Place(RED_1, at(1000)), Place(BLUE_1, at(1001)), Lift(RED_1, at(1050))
    assert ruled(*dice, Hit(1, at(1100))) == ["1 accepted blue 1"]


def test_a_die_lapses_once_no_slap_can_reach_it() -> None:
    changes = court(Place(BLUE_1, at(1001)), Place(RED_1, at(1000))).changes
    lapsed = [(str(each.slot), each.t_ns) for each in changes if each.state is SlotState.LAPSED]
    assert lapsed == [("red 1", at(1000 + LATE).latest_ns + 1), ("blue 1", at(1001 + LATE).latest_ns + 1)]


def test_who_was_too_late_hears_who_was_first_and_when() -> None:
    lost = court(Place(RED_1, at(1000)), Hit(3, at(1100, 1)), Hit(1, at(1200))).judgements[-1].judged
    assert (lost.rival, lost.rival_stamp) == (3, at(1100, 1))


# -- rivals


def test_the_earliest_slap_wins_and_the_others_hear_by_how_much() -> None:
    assert ruled(Place(RED_1, at(1000)), Hit(1, at(1120)), Hit(2, at(1100)), Hit(3, at(1150))) == [
        "2 accepted red 1",
        "1 too-late red 1 +20",
        "3 too-late red 1 +50",
    ]


def test_nothing_is_awarded_before_every_earlier_slap_is_known() -> None:
    (judgement,) = court(Place(RED_1, at(1000)), Hit(1, at(1100, 2))).judgements
    assert judgement.now_ns == at(1102).latest_ns


def test_who_was_too_late_hears_so_when_no_other_die_has_come_down_for_a_moment() -> None:
    judgements = court(Place(RED_1, at(1000)), Hit(1, at(1100)), Hit(2, at(1120))).judgements
    waited = [each.now_ns - each.judged.stamp.latest_ns for each in judgements]
    assert waited == [0, SETTINGS.lost_wait_ns]


@pytest.mark.parametrize(
    ("ms", "verdict"), [(1120 + ANOTHER, "accepted blue 1"), (1120 + ANOTHER + NS, "too-late red 1 +20")]
)
def test_who_was_too_late_for_one_die_may_be_early_for_the_next(ms: float, verdict: str) -> None:
    session = court(Place(RED_1, at(1000)), Hit(1, at(1100)), Hit(2, at(1120)), Place(BLUE_1, at(ms)))
    assert session.lines[1] == f"2 {verdict}"


def test_who_was_too_late_waits_no_longer_when_a_rival_takes_the_next_die_too() -> None:
    session = court(
        Place(RED_1, at(1000)), Hit(1, at(1100)), Hit(2, at(1120)), Place(BLUE_1, at(1150)), Hit(3, at(1200))
    )
    assert session.lines == [
        "1 accepted red 1",
        "3 accepted blue 1",
        "2 too-late blue 1 +80",
    ]


def test_a_slap_is_too_late_only_within_a_moment_of_the_winner() -> None:
    die, winner = Place(RED_1, at(1000)), Hit(1, at(1100))
    assert ruled(die, winner, Hit(2, at(1100 + LOST)))[1] == "2 too-late red 1 +500"
    assert ruled(die, winner, Hit(2, at(1100 + LOST + NS)))[1] == "2 false-claim"


def test_a_slap_outside_the_window_of_a_lost_die_has_not_lost_it() -> None:
    winner = Hit(1, at(1000 + LATE))
    assert ruled(Place(RED_1, at(1000)), winner, Hit(2, at(1001 + LATE))) == [
        "1 accepted red 1",
        "2 false-claim",
    ]


def test_the_winner_has_not_lost_to_itself() -> None:
    assert ruled(Place(RED_1, at(1000)), Hit(1, at(1100)), Hit(1, at(1100 + SECOND))) == [
        "1 accepted red 1",
        "1 false-claim",
    ]


def test_the_die_lost_last_is_the_one_that_excuses() -> None:
    assert ruled(
        Place(RED_1, at(1000)), Hit(1, at(1050)), Place(BLUE_1, at(1100)), Hit(2, at(1150)), Hit(3, at(1200))
    ) == ["1 accepted red 1", "2 accepted blue 1", "3 too-late blue 1 +50"]


def test_a_lost_die_excuses_one_slap_of_each_seat() -> None:
    die, winner = Place(RED_1, at(1000)), Hit(1, at(1100))
    hammering = [Hit(2, at(1110)), Hit(2, at(1110 + SECOND)), Hit(3, at(1140))]
    assert sorted(ruled(die, winner, *hammering)) == [
        "1 accepted red 1",
        "2 false-claim",
        "2 too-late red 1 +10",
        "3 too-late red 1 +40",
    ]


# -- early slaps


def test_an_early_slap_has_the_die_when_nobody_has_slapped_for_it_for_a_while() -> None:
    (judgement,) = court(Hit(1, at(1000)), Place(RED_1, at(1100))).judgements
    assert str(judgement) == "1 accepted red 1"
    assert judgement.now_ns == at(1100 + WAIT).latest_ns


def test_any_slap_made_after_the_placement_goes_before_an_early_one() -> None:
    assert ruled(Hit(1, at(1000)), Place(RED_1, at(1100)), Hit(2, at(1100 + WAIT - NS))) == [
        "2 accepted red 1",
        "1 too-late red 1 +220",
    ]
    assert ruled(Hit(1, at(1000)), Place(RED_1, at(1100)), Hit(2, at(1100 + WAIT + NS))) == [
        "1 accepted red 1",
        "2 too-late red 1 +220",
    ]


def test_a_slap_that_only_may_have_been_early_counts_at_once() -> None:
    (judgement,) = court(Hit(1, at(1000, 10)), Place(RED_1, at(1010))).judgements
    assert judgement.now_ns == at(1010).latest_ns


def test_of_early_slaps_the_first_has_the_die() -> None:
    assert ruled(Hit(2, at(1000)), Hit(1, at(1001)), Place(RED_1, at(1100))) == [
        "2 accepted red 1",
        "1 too-late red 1 +1",
    ]


def test_a_slap_takes_first_a_die_that_nobody_has_signed_early() -> None:
    """Red lay there before blue, but seat 1 has signed it while it was in the air."""
    assert ruled(Hit(1, at(900)), Place(RED_1, at(1000)), Place(BLUE_1, at(1101)), Hit(2, at(1115))) == [
        "2 accepted blue 1",
        "1 accepted red 1",
    ]


def test_an_early_slap_ends_the_round_when_its_die_lies_there() -> None:
    """So seat 2, which slaps meanwhile, is in time."""
    session = court(Hit(1, at(1000)), Place(RED_1, at(1100)), left=(1, 6))
    assert session.end == at(1100)


# -- the second slap of a hand


@pytest.mark.parametrize(("gap_ms", "verdict"), [(SECOND - NS, "1 repeated"), (SECOND, "1 accepted blue 1")])
def test_the_second_slap_takes_no_die_that_lay_there_already(gap_ms: float, verdict: str) -> None:
    dice = Place(RED_1, at(1000)), Place(BLUE_1, at(1001))
    assert ruled(*dice, Hit(1, at(1100)), Hit(1, at(1100 + gap_ms))) == ["1 accepted red 1", verdict]


def test_the_second_slap_is_judged_at_once_and_another_seat_has_the_die() -> None:
    dice = Place(RED_1, at(1000)), Place(BLUE_1, at(1001))
    session = court(*dice, Hit(1, at(1100)), Hit(1, at(1200)), Hit(2, at(1300)))
    assert [(str(each), each.now_ns // MS) for each in session.judgements] == [
        ("1 accepted red 1", 1100),
        ("1 repeated", 1200),
        ("2 accepted blue 1", 1300),
    ]


def test_a_second_slap_takes_no_die_if_the_first_one_got_one() -> None:
    first, between = (Place(RED_1, at(1000)), Hit(1, at(1050))), Place(BLUE_1, at(1100))
    acts = (*first, between, Hit(1, at(1299)), Hit(2, at(1350)))
    assert ruled(*acts) == ["1 accepted red 1", "1 repeated", "2 accepted blue 1"]
    assert ruled(*first, between, Hit(1, at(1300)))[1:] == ["1 accepted blue 1"]


def test_a_second_slap_takes_a_die_that_came_down_after_a_first_one_that_got_none() -> None:
    lost = Place(RED_1, at(900)), Hit(2, at(990)), Hit(1, at(1000))
    assert ruled(*lost, Place(BLUE_1, at(1100)), Hit(1, at(1200)))[1:] == [
        "1 too-late red 1 +10",
        "1 accepted blue 1",
    ]


def test_two_slaps_in_quick_succession_sign_one_die_that_is_still_in_the_air() -> None:
    slaps = Hit(1, at(1000)), Hit(1, at(1025))
    session = court(*slaps, Place(RED_1, at(1050)), Place(BLUE_1, at(1075)))
    assert [(str(each), each.now_ns // MS) for each in session.judgements] == [
        ("1 accepted red 1", 1170),
        ("1 repeated", 1170),
    ]


def test_a_second_slap_waits_for_its_die_if_the_first_one_was_just_too_soon() -> None:
    """The first one is judged a little after the end of its window, because stamps are uncertain."""
    acts = Hit(1, at(1000)), Hit(1, at(1025)), Place(RED_1, at(1000 + EARLY + 0.1))
    assert ruled(*acts, settings=Settings()) == ["1 false-claim", "1 accepted red 1"]


# -- fresh dice come before those that have waited


def test_a_die_that_has_waited_comes_after_a_fresh_one() -> None:
    waiting, fresh = Place(RED_1, at(1000)), Place(BLUE_1, at(1700))
    assert ruled(waiting, fresh, Hit(1, at(1800)), Hit(2, at(1900))) == [
        "1 accepted blue 1",
        "2 accepted red 1",
    ]


@pytest.mark.parametrize(("ms", "slot"), [(1000 + FRESH, "red 1"), (1000 + FRESH + NS, "blue 1")])
def test_how_long_a_die_is_fresh_has_a_sharp_border(ms: float, slot: str) -> None:
    assert ruled(Place(RED_1, at(1000)), Place(BLUE_1, at(1100)), Hit(1, at(ms))) == [f"1 accepted {slot}"]


def test_of_several_that_have_waited_the_oldest_goes_first() -> None:
    dice = Place(BLUE_1, at(1000)), Place(RED_1, at(1100))
    assert ruled(*dice, Hit(1, at(3000))) == ["1 accepted blue 1"]


@pytest.mark.parametrize("first", ["lost", "illegal", "false"])
def test_a_second_slap_costs_nothing_whatever_the_first_came_to(first: str) -> None:
    acts: dict[str, list[Act]] = {
        "lost": [Place(RED_1, at(900)), Hit(2, at(990)), Hit(1, at(1000))],
        "illegal": [Place(RED_3, at(900)), Hit(1, at(1000))],
        "false": [Hit(1, at(1000))],
    }
    session = court(*acts[first], Hit(1, at(1249)))
    assert session.lines[-1] == "1 repeated"
    assert session.judgements[-1].judged.locked_until_ns == 0


def test_a_drum_roll_is_not_one_endless_slap() -> None:
    """A slap that was a repetition does not make the next one a repetition too."""
    slaps = [Hit(1, at(1000 + 125 * count)) for count in range(5)]
    verdicts = [line[2:] for line in ruled(*slaps)]
    assert verdicts == ["false-claim", "repeated", "false-claim", "locked", "locked"]


# -- a counted die is taken back

COUNTED: list[Act] = [Place(RED_1, at(1000)), Hit(1, at(1100))]


def test_a_die_that_was_lifted_is_taken_back_by_a_slap() -> None:
    session = court(*COUNTED, Lift(RED_1, at(2000)), Hit(1, at(2100)))
    assert session.lines == ["1 accepted red 1", "1 taken-back red 1"]
    assert session.judgements[-1].now_ns == at(2100).latest_ns
    assert session.round.owed[0] == 6


@pytest.mark.parametrize(
    ("ms", "verdict"),
    [
        (2000 - NS, "false-claim"),
        (2000, "taken-back red 1"),
        (2000 + LATE, "taken-back red 1"),
        (2000 + LATE + NS, "false-claim"),
    ],
)
def test_a_die_can_be_taken_back_for_as_long_as_it_could_be_claimed(ms: float, verdict: str) -> None:
    assert ruled(*COUNTED, Lift(RED_1, at(2000)), Hit(1, at(ms)))[1] == f"1 {verdict}"


def test_only_one_slap_takes_a_die_back() -> None:
    slaps = Hit(1, at(2100)), Hit(1, at(2500))
    assert ruled(*COUNTED, Lift(RED_1, at(2000)), *slaps)[1:] == ["1 taken-back red 1", "1 false-claim"]


def test_a_die_that_was_put_back_stays_where_it_is_and_needs_no_slap() -> None:
    acts = Lift(RED_1, at(2000)), Place(RED_1, at(2050))
    assert ruled(*COUNTED, *acts, Hit(1, at(2100)))[1:] == ["1 repeated"]
    assert ruled(*COUNTED, *acts, Hit(1, at(2050 + FRESH + 1)))[1:] == ["1 false-claim"]


def test_who_has_placed_nothing_takes_nothing_back() -> None:
    assert ruled(*COUNTED, Lift(RED_1, at(2000)), Hit(2, at(2100)))[1:] == ["2 false-claim"]


def test_nobody_takes_back_the_die_of_another_seat() -> None:
    """It was knocked off, and its owner will put it back."""
    other = Place(BLUE_1, at(1200)), Hit(2, at(1300))
    assert ruled(*COUNTED, *other, Lift(RED_1, at(2000)), Hit(2, at(2100)))[2:] == ["2 false-claim"]


def test_a_die_that_waits_for_a_slap_goes_before_one_that_was_lifted() -> None:
    acts = Lift(RED_1, at(2000)), Place(BLUE_1, at(2050)), Hit(1, at(2100))
    assert ruled(*COUNTED, *acts)[1:] == ["1 accepted blue 1"]


def test_a_die_that_lay_there_before_the_round_can_be_taken_back() -> None:
    session = court(Lift(RED_1, at(2000)), Hit(1, at(2100)), left=(5,), dealt=(6,), red=1)
    assert session.lines == ["1 taken-back red 1"]


def test_a_die_that_was_taken_back_excuses_nobody() -> None:
    assert ruled(*COUNTED, Lift(RED_1, at(1110)), Hit(1, at(1400)), Hit(2, at(1420)))[1:] == [
        "1 taken-back red 1",
        "2 false-claim",
    ]


# -- a slap without a die


def test_a_slap_with_nothing_to_claim_is_judged_when_every_die_of_its_window_is_known() -> None:
    (judgement,) = court(Hit(1, at(1000))).judgements
    assert str(judgement) == "1 false-claim"
    assert judgement.now_ns == at(1000 + EARLY).latest_ns


def test_a_false_claim_locks_its_seat_and_no_other() -> None:
    die, slaps = Place(RED_1, at(1500)), (Hit(1, at(1600)), Hit(2, at(1700)))
    assert ruled(Hit(1, at(1000)), die, *slaps, settings=STRICT) == [
        "1 false-claim",
        "1 locked",
        "2 accepted red 1",
    ]


def test_the_first_false_claim_of_a_seat_is_only_warned_about() -> None:
    slaps = [Hit(1, at(1000)), Hit(1, at(2000)), Hit(1, at(2500)), Hit(2, at(3000)), Hit(2, at(3500))]
    assert ruled(*slaps) == ["1 false-claim", "1 false-claim", "1 locked", "2 false-claim", "2 false-claim"]


def test_a_slap_made_before_the_false_claim_was_judged_is_locked_as_well() -> None:
    assert ruled(Hit(1, at(1000)), Hit(1, at(1050)), Hit(1, at(1100)), settings=STRICT) == [
        "1 false-claim",
        "1 locked",
        "1 locked",
    ]


def test_the_lock_counts_from_the_slap_and_ends_sharply() -> None:
    die = Place(RED_1, at(1900))
    soon, later = Hit(1, at(1000 + LOCK - NS)), Hit(1, at(1000 + LOCK))
    assert ruled(Hit(1, at(1000)), die, soon, settings=STRICT) == ["1 false-claim", "1 locked"]
    assert ruled(Hit(1, at(1000)), die, later, settings=STRICT) == ["1 false-claim", "1 accepted red 1"]


def test_slapping_while_locked_restarts_the_lock() -> None:
    locked = court(Hit(1, at(1000)), Hit(1, at(1900)), settings=STRICT).judgements[-1].judged
    assert locked.locked_until_ns == at(1900 + LOCK).latest_ns
    slaps = [Hit(1, at(ms)) for ms in (1000, 1900, 2800, 3900)]
    assert ruled(*slaps, settings=STRICT)[1:] == [
        "1 locked",
        "1 locked",
        "1 false-claim",
    ]


def test_an_illegal_die_tells_each_seat_once() -> None:
    wrong = Place(RED_3, at(1000))
    assert ruled(wrong, Hit(1, at(1100)), Hit(2, at(1200)), Hit(1, at(1100 + SECOND))) == [
        "1 illegal red 3",
        "2 illegal red 3",
        "1 false-claim",
    ]


@pytest.mark.parametrize(
    ("ms", "verdict"),
    [
        (1000 - NS, "1 false-claim"),
        (1000, "1 illegal red 3"),
        (1000 + LATE, "1 illegal red 3"),
        (1000 + LATE + NS, "1 false-claim"),
    ],
)
def test_an_illegal_die_excuses_only_slaps_after_it_and_not_for_ever(ms: float, verdict: str) -> None:
    assert ruled(Place(RED_3, at(1000)), Hit(1, at(ms))) == [verdict]


def test_an_illegal_die_is_told_at_once() -> None:
    (judgement,) = court(Place(RED_3, at(1000)), Hit(1, at(1100))).judgements
    assert judgement.now_ns == at(1100).latest_ns


def test_a_lost_die_is_a_better_reason_than_an_illegal_one() -> None:
    assert ruled(Place(RED_3, at(1000)), Place(RED_1, at(1000)), Hit(1, at(1100)), Hit(2, at(1110))) == [
        "1 accepted red 1",
        "2 too-late red 1 +10",
    ]


# -- dead heats


def test_overlapping_slaps_for_one_die_are_a_dead_heat() -> None:
    judgements = court(Place(RED_1, at(1000)), Hit(1, at(1100, 10)), Hit(2, at(1110, 10))).judgements
    won, lost = judgements
    assert {won.judged.verdict.value, lost.judged.verdict.value} == {"dead-heat-won", "dead-heat-lost"}
    tie = won.tie
    assert tie is not None
    assert (tie.seats, tie.winner, tie.what) == ((1, 2), won.judged.seat, RED_1)
    assert lost.tie is None


def test_slaps_that_only_just_do_not_touch_are_none() -> None:
    assert ruled(Place(RED_1, at(1000)), Hit(1, at(1100, 10)), Hit(2, at(1110 + NS, 10))) == [
        "1 accepted red 1",
        "2 too-late red 1 +10",
    ]


def test_a_chain_of_overlaps_ends_with_who_may_have_been_first() -> None:
    """The third overlaps the second, but surely came after the first."""
    judgements = court(
        Place(RED_1, at(1000)), Hit(1, at(1100, 10)), Hit(2, at(1108, 12)), Hit(3, at(1115, 15))
    ).judgements
    tie = judgements[0].tie
    assert tie is not None and tie.seats == (1, 2)
    (third,) = [each.judged.verdict.value for each in judgements if each.judged.seat == 3]
    assert third == "too-late"


def test_the_loser_of_a_dead_heat_does_not_wait_for_the_next_die() -> None:
    verdicts = ruled(
        Place(RED_1, at(1000)), Hit(1, at(1100)), Hit(2, at(1100)), Place(BLUE_1, at(1120)), Hit(3, at(1200))
    )
    assert {line[2:] for line in verdicts} == {
        "dead-heat-won red 1",
        "dead-heat-lost red 1 +0",
        "accepted blue 1",
    }


def test_dice_enough_for_everybody_make_no_dead_heat() -> None:
    ties = TieBreaker(Random(1))
    judgements = court(
        Place(RED_1, at(1000)),
        Place(BLUE_1, at(1001)),
        Hit(1, at(1100, 10)),
        Hit(2, at(1105, 10)),
        ties=ties,
    ).judgements
    assert [*map(str, judgements)] == ["1 accepted red 1", "2 accepted blue 1"]
    assert ties.settle(RED_1, [1, 2]).won_before == (0, 0)


def test_two_dice_are_not_enough_for_three() -> None:
    verdicts = [
        each.judged.verdict.value
        for each in court(
            Place(RED_1, at(1000)), Place(BLUE_1, at(1001)), *(Hit(seat, at(1100, 10)) for seat in (1, 2, 3))
        ).judgements
    ]
    assert sorted(verdicts) == ["dead-heat-lost", "dead-heat-won", "dead-heat-won"]


def test_where_several_may_end_the_round_it_matters_who_was_first() -> None:
    dice = [Place(RED_1, at(1000)), Place(BLUE_1, at(1001)), Place(GREEN_1, at(1002))]
    slaps = [Hit(seat, at(1100, 10)) for seat in (1, 2, 3)]
    first = court(*dice, *slaps, left=(6, 1, 1)).judgements[0]
    assert first.tie is not None
    assert first.tie.seats == (2, 3)


def test_one_seat_alone_that_may_end_the_round_loses_nothing_by_coming_second() -> None:
    session = court(
        Place(RED_1, at(1000)),
        Place(BLUE_1, at(1001)),
        Hit(1, at(1100, 10)),
        Hit(2, at(1100, 10)),
        left=(6, 1),
    )
    assert session.lines == ["1 accepted red 1", "2 accepted blue 1"]


# -- the end of the round


def test_a_seat_without_dice_claims_nothing() -> None:
    assert ruled(Place(RED_1, at(1000)), Hit(1, at(1050)), Hit(2, at(1100)), left=(0, 6), dealt=(1, 6)) == [
        "2 accepted red 1",
        "1 false-claim",
    ]


LAST_DIE: list[Act] = [Place(RED_1, at(1000)), Place(BLUE_1, at(1000)), Hit(1, at(1100))]
"""Seat 1 has one die left and ends the round with it; another die lies there without an owner."""
ONE_LEFT = (1, 6, 6)


@pytest.mark.parametrize(
    ("ms", "verdict"), [(1100 + SIGN, "2 accepted blue 1"), (1100 + SIGN + NS, "2 not-running")]
)
def test_a_die_that_lay_there_before_the_end_can_be_signed_for_a_while(ms: float, verdict: str) -> None:
    assert ruled(*LAST_DIE, Hit(2, at(ms)), left=ONE_LEFT) == ["1 accepted red 1", verdict]


@pytest.mark.parametrize(("ms", "verdict"), [(1100, "2 accepted green 1"), (1100 + NS, "2 not-running")])
def test_a_die_placed_surely_after_the_end_can_not_be_signed(ms: float, verdict: str) -> None:
    acts: list[Act] = [Place(RED_1, at(1000)), Hit(1, at(1100)), Place(GREEN_1, at(ms)), Hit(2, at(1200))]
    assert ruled(*acts, left=ONE_LEFT) == ["1 accepted red 1", verdict]


def test_a_late_signature_takes_nothing_from_a_slap_made_in_time() -> None:
    """Seat 2 slaps early and in time, seat 3 after the end: seat 2 waits longer and gets it all the same."""
    acts = Hit(2, at(980)), Place(RED_1, at(990)), Place(BLUE_1, at(999)), Hit(1, at(1000)), Hit(3, at(1060))
    assert ruled(*acts, left=ONE_LEFT) == ["1 accepted blue 1", "3 not-running", "2 accepted red 1"]


def test_the_first_of_late_signatures_has_the_die_and_the_next_costs_nothing() -> None:
    assert ruled(*LAST_DIE, Hit(3, at(1300)), Hit(2, at(1200)), left=ONE_LEFT) == [
        "1 accepted red 1",
        "2 accepted blue 1",
        "3 not-running",
    ]


def test_the_second_slap_of_a_hand_signs_nothing_after_the_end_either() -> None:
    """Seat 2 means its own die twice; the one that still lies there is somebody else's."""
    acts: list[Act] = [Place(GREEN_1, at(900)), *LAST_DIE, Hit(2, at(1090)), Hit(2, at(1200))]
    assert ruled(*acts, left=ONE_LEFT) == ["2 accepted green 1", "1 accepted red 1", "2 not-running"]


def test_late_signatures_are_not_locked() -> None:
    acts: list[Act] = [*LAST_DIE, Hit(2, at(500)), Hit(2, at(1200))]
    assert ruled(*acts, left=ONE_LEFT, settings=STRICT) == [
        "2 false-claim",
        "1 accepted red 1",
        "2 accepted blue 1",
    ]


def test_two_late_signatures_at_once_are_a_dead_heat() -> None:
    lines = ruled(*LAST_DIE, Hit(2, at(1200)), Hit(3, at(1200)), left=ONE_LEFT)
    assert sorted(line[2:] for line in lines) == [
        "accepted red 1",
        "dead-heat-lost blue 1 +0",
        "dead-heat-won blue 1",
    ]


def test_what_lies_on_a_die_came_after_it_whatever_its_stamp_leaves_open() -> None:
    """Seat 1 was robbed of green 1; its slap was early for yellow 1, so that was its last die."""
    robbed = Place(GREEN_1, at(800)), Hit(2, at(850)), Hit(1, at(900)), Place(Slot(Colour.YELLOW, 1), at(995))
    dice = Place(RED_1, at(1000)), Place(Slot(Colour.RED, 2), at(990, 20)), Place(BLUE_1, at(990, 20))
    soon = replace(SETTINGS, claim_early_ns=95 * MS)
    signed = (Hit(2 + step % 2, at(1300 + 300 * step)) for step in range(4))
    session = court(*robbed, *dice, *signed, Hit(1, at(2900), held=True), left=ONE_LEFT, settings=soon)
    assert session.end == at(995)
    illegal = [str(each.slot) for each in session.changes if each.state is SlotState.ILLEGAL]
    assert illegal == ["red 2", "red 1"]


def test_a_slap_that_may_have_been_before_the_last_claim_still_counts() -> None:
    session = court(
        Place(RED_1, at(1000)),
        Place(BLUE_1, at(1000)),
        Hit(1, at(1100, 10)),
        Hit(2, at(1110, 10)),
        left=(1, 6),
    )
    assert {each.judged.seat for each in session.judgements} == {1, 2}


# -- when to ask


def test_the_moments_of_slaps_come_due_one_after_the_other() -> None:
    round_ = court().round
    assert round_.awaits_after_ns(0) is None
    for seat, ms in ((1, 1000), (2, 1001)):
        round_.slapped(Pressed(seat, at(ms)), at(ms).latest_ns)
    now_ns, due = 0, []
    while (due_ns := round_.awaits_after_ns(now_ns)) is not None:
        now_ns = due_ns
        due.append(now_ns)
        round_.decide(now_ns, now_ns)
    moments = (1000, 1001, 1000 + ANOTHER, 1001 + ANOTHER, 1000 + EARLY, 1001 + EARLY)
    assert due == [at(ms).latest_ns for ms in moments]


# -- wide stamps


def test_a_wide_die_and_a_wide_slap_meet_if_they_may_have() -> None:
    assert ruled(Place(RED_1, at(1000, 300)), Hit(1, at(1300 + LATE))) == ["1 accepted red 1"]
    assert ruled(Place(RED_1, at(1000, 300)), Hit(1, at(1300 + LATE + NS))) == ["1 false-claim"]
    assert ruled(Place(RED_1, at(1000)), Hit(1, at(700, 100))) == ["1 accepted red 1"]


def test_a_wide_slap_wins_no_race_by_its_width() -> None:
    judgements = court(Place(RED_1, at(1000)), Hit(1, at(1100, 50)), Hit(2, at(1140))).judgements
    assert judgements[0].tie is not None


@pytest.mark.parametrize("slap", [at(5000 - EARLY - 4, 2), at(5002 + LATE, 2)])
def test_what_only_just_may_be_in_the_window_is(slap: Stamp) -> None:
    """Nothing is given up while the widest stamp that is agreed on may still come in."""
    wide = replace(SETTINGS, stamp_uncertainty_ns=1 * MS)
    (judgement,) = court(Place(RED_1, at(5000 - 2, 4)), Hit(1, slap), settings=wide).judgements
    assert str(judgement) == "1 accepted red 1"


def test_who_comes_after_a_rival_is_too_late_even_if_a_wider_slap_wins_the_tie() -> None:
    """Seats 1 and 2 tie, seat 3 is surely after seat 2: it has lost a race and not lied."""
    ties = TieBreaker(Random(1))
    for _ in range(2):
        ties.settle(BLUE_1, [2, 4])  # so that seat 2 has won before, and seat 1 wins now
    judgements = court(
        Place(RED_1, at(1000)),
        Hit(1, at(1100, 400)),
        Hit(2, at(1100, 10)),
        Hit(3, at(1120, 10)),
        ties=ties,
        settings=replace(SETTINGS, stamp_uncertainty_ns=200 * MS),
    ).judgements
    (third,) = [each.judged.verdict.value for each in judgements if each.judged.seat == 3]
    assert third == "too-late"


def test_the_last_slap_of_the_window_counts_though_slots_settle_faster_than_buttons() -> None:
    """A die must not lapse while a slap that may claim it is not ripe."""
    fast = replace(SETTINGS, stamp_uncertainty_ns=1 * MS, slot_quiet_ns=3 * MS, slot_burst_ns=5 * MS)
    (judgement,) = court(Place(RED_1, at(1000)), Hit(1, at(1000 + LATE, 2)), settings=fast).judgements
    assert str(judgement) == "1 accepted red 1"


# -- a die that went to the wrong seat: its owner lifts it, sets it down again and slaps

ROBBED = Place(RED_1, at(1000)), Hit(2, at(1050)), Hit(1, at(1100))
"""Seat 1 has placed it, and a stray slap of seat 2 was first."""


def again(slot: Slot, ms: float) -> tuple[Act, Act]:
    """It is lifted, and set down at that moment."""
    return Lift(slot, at(ms - 300)), Place(slot, at(ms))


def test_who_was_robbed_reclaims_the_die() -> None:
    session = court(*ROBBED, *again(RED_1, 2000), Hit(1, at(2100)))
    assert session.lines == ["2 accepted red 1", "1 too-late red 1 +50", "1 accepted red 1"]
    assert session.judgements[-1].judged.rival == 2
    assert session.round.owed[:2] == (5, 6)


@pytest.mark.parametrize(
    ("first", "signed"),
    [
        ([Place(RED_1, at(1000)), Hit(2, at(1050)), Hit(1, at(1100))], at(1100)),
        ([Hit(1, at(900)), Place(RED_1, at(1000)), Hit(2, at(1050))], at(1000)),  # it came when it lay there
    ],
)
def test_a_reclaimed_die_was_signed_by_the_slap_that_got_nothing(first: list[Act], signed: Stamp) -> None:
    session = court(*first, *again(RED_1, 2000), Hit(1, at(2100)), left=ONE_LEFT)
    assert session.end == signed and session.round.owed[0] == 0


@pytest.mark.parametrize(
    ("ms", "verdict"), [(1100 + RECLAIM, "1 accepted red 1"), (1100 + RECLAIM + NS, "1 false-claim")]
)
def test_a_slap_that_got_nothing_is_a_reason_for_a_while(ms: float, verdict: str) -> None:
    assert ruled(*ROBBED, *again(RED_1, ms), Hit(1, at(ms + 100)))[2:] == [verdict]


def test_each_reason_is_good_for_one_die() -> None:
    two = *ROBBED, Place(BLUE_1, at(1500)), Hit(3, at(1600))
    acts = *again(RED_1, 2000), Hit(1, at(2100)), *again(BLUE_1, 3000), Hit(1, at(3100))
    assert ruled(*two, *acts)[3:] == ["1 accepted red 1", "1 false-claim"]


@pytest.mark.parametrize(
    "acts",
    [
        (Place(RED_1, at(1000)), Hit(2, at(1050)), *again(RED_1, 2000)),  # seat 1 has no reason
        ROBBED,  # it was not lifted
        (*ROBBED, Lift(RED_1, at(1700))),
        (*ROBBED, *again(RED_1, 2101)),
        (*ROBBED, *again(RED_1, 2000), Lift(RED_1, at(2050))),
        again(RED_1, 2000),  # it lay there before the round
    ],
)
def test_the_die_has_to_be_set_down_again_before_the_slap_of_who_has_a_reason(acts: tuple[Act, ...]) -> None:
    red = 1 if len(acts) == 2 else 0
    assert ruled(*acts, Hit(1, at(2100)), red=red)[-1] == "1 false-claim"


def test_a_second_slap_reclaims_nothing() -> None:
    won = Place(BLUE_1, at(1900)), Hit(1, at(1950))
    assert ruled(*ROBBED, *won, *again(RED_1, 2000), Hit(1, at(2100)))[3:] == ["1 repeated"]


def test_from_whom_a_die_was_reclaimed_may_have_lost_one_too() -> None:
    """The slap of seat 2 was for its own die, which seat 3 has got."""
    dice = Place(RED_1, at(1000)), Place(BLUE_1, at(1020))
    slaps = Hit(2, at(1050)), Hit(3, at(1060)), Hit(1, at(1100))
    acts = *again(RED_1, 2000), Hit(1, at(2100)), *again(BLUE_1, 3000), Hit(2, at(3100))
    assert ruled(*dice, *slaps, *acts)[3:] == ["1 accepted red 1", "2 accepted blue 1"]


def test_two_who_reclaim_a_die_at_the_same_moment_are_in_a_dead_heat() -> None:
    both = *ROBBED, Hit(3, at(1120))
    verdicts = ruled(*both, *again(RED_1, 2000), Hit(1, at(2100)), Hit(3, at(2100)))[3:]
    assert sorted(verdict[2:] for verdict in verdicts) == ["dead-heat-lost red 1 +0", "dead-heat-won red 1"]


def test_after_the_end_nothing_is_reclaimed() -> None:
    end = Place(BLUE_1, at(1500)), Hit(3, at(1600))
    acts = *ROBBED, *end, *again(RED_1, 2000), Hit(1, at(2100))
    assert ruled(*acts, left=(2, 2, 1))[3:] == ["1 not-running"]


def test_a_die_below_another_is_reclaimed_too() -> None:
    """It can't be taken back, since the next die of its row lies there."""
    above = Place(Slot(Colour.RED, 2), at(1200)), Hit(3, at(1250))
    assert ruled(*ROBBED, *above, *again(RED_1, 2000), Hit(1, at(2100)))[3:] == ["1 accepted red 1"]


def test_a_die_that_was_counted_before_the_round_went_on_is_not_reclaimed() -> None:
    """The counts are right then; but slaps are judged as before."""
    session = court(*ROBBED, *again(RED_1, 2000))
    session.round.go_on_with((5, 6, 6, 6), 3, at(2050).latest_ns)
    session.round.slapped(Pressed(1, at(2100)), at(2100).latest_ns)
    session.sit(at(65_000).latest_ns)
    assert session.lines[-1] == "1 false-claim"


# -- when a press that was held signed for the last die of its seat


@pytest.mark.parametrize(
    ("acts", "signed"),
    [
        ([], None),
        ([(RED_1, 2900)], 3000),
        ([(RED_1, 2900), (2, 2950)], 3000),
        ([(RED_1, 2400), (2, 2950)], 3000),
        ([(RED_1, 2399), (2, 2950)], None),  # it had waited for too long
        ([(RED_3, 2900), (RED_3, 3100)], None),
        ([(RED_1, 3100)], 3100),
        ([(RED_1, 3100), (2, 3150)], 3100),
        ([(RED_1, 3201)], None),
        ([(RED_1, 2900), (BLUE_1, 3100)], 3000),
        ([(RED_1, 2900), (2, 2950), (BLUE_1, 3100)], 3100),
    ],
)
def test_a_press_that_is_held_signs_for_a_fresh_die(
    acts: list[tuple[Slot | int, float]], signed: float | None
) -> None:
    """Seat 3 has taken a die of seat 1. If the press signs for none, the slap before has ended the round."""
    robbed = Place(GREEN_1, at(1000)), Hit(3, at(1010)), Hit(1, at(1050))
    own = Place(Slot(Colour.GREEN, 2), at(1500)), Hit(1, at(1550))
    later = [Hit(what, at(ms)) if isinstance(what, int) else Place(what, at(ms)) for what, ms in acts]
    session = court(*robbed, *own, *later, Hit(1, at(3000), held=True), left=(2, 6, 6, 6))
    assert session.end == at(1550 if signed is None else signed)


# -- slaps of long ago

MEANWHILE = Place(GREEN_1, at(12_000)), Hit(1, at(12_050))


@pytest.mark.parametrize("robbed", [True, False])
def test_a_slap_that_got_nothing_long_ago_makes_a_call_true(robbed: bool) -> None:
    """Seat 1 has two left, and says that it has none; another slap of it got nothing, too."""
    acts = *ROBBED[: 3 if robbed else 2], Place(BLUE_1, at(11_000)), Hit(2, at(11_050)), *MEANWHILE
    calls = Hit(1, at(25_000)), Hit(1, at(30_000), held=True)
    session = court(*acts, *calls, left=(3, 6, 6, 6))
    assert session.end == (at(30_000) if robbed else None)


def test_a_die_of_long_ago_that_was_reclaimed_makes_a_call_true() -> None:
    """Seat 2 got three dice and one was reclaimed from it; one more lies there without an owner."""
    won = (
        *ROBBED,
        Place(BLUE_1, at(11_000)),
        Hit(2, at(11_050)),
        Place(GREEN_1, at(25_000)),
        Hit(2, at(25_050)),
    )
    reclaimed = Hit(1, at(26_000)), *again(RED_1, 27_000), Hit(1, at(27_100))
    call = Place(Slot(Colour.YELLOW, 1), at(40_000)), Hit(2, at(45_000), held=True)
    session = court(*won, *reclaimed, *call, left=(6, 4, 6, 6))
    assert session.round.owed == (5, 2, 6, 6)
    assert session.end == at(45_000)


def test_a_die_that_was_reclaimed_twice_is_counted_once() -> None:
    """Seat 2 takes back what it lost, so its old slap has got a die after all."""
    won = (
        *ROBBED,
        Place(BLUE_1, at(11_000)),
        Hit(2, at(11_050)),
        Place(GREEN_1, at(25_000)),
        Hit(2, at(25_050)),
    )
    reclaimed = Hit(1, at(26_000)), *again(RED_1, 27_000), Hit(1, at(27_100))
    back = *again(RED_1, 28_000), Hit(2, at(28_100))
    call = Place(Slot(Colour.YELLOW, 1), at(40_000)), Hit(2, at(45_000), held=True)
    session = court(*won, *reclaimed, *back, *call, left=(6, 5, 6, 6))
    assert session.round.owed == (6, 2, 6, 6)
    assert session.end is None
