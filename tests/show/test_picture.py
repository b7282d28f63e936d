"""Which lamp burns how, phase by phase."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.games import Table
from firmware_host.model.effects import Verdict
from firmware_host.model.events import Pause, Pressed, VoidRound
from firmware_host.model.places import ALL_SLOTS, SLOT_INDEX, Button, Colour, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase, SlotState
from firmware_host.model.times import MS, S
from firmware_host.show.lamps import (
    CHASE,
    CUE_LAMP,
    DARK,
    ROW_TINT,
    TICK_NS,
    VERDICT_LAMP,
    Beat,
    Lamp,
    Tint,
    frame,
    frame_length,
    panel_lamp_index,
    slot_lamp_index,
)
from firmware_host.show.picture import (
    AGREED,
    ASKED,
    CUE_NS,
    INVITING,
    MASKED,
    SEATED,
    START_FLASH,
    START_FLASH_NS,
    STILL_THERE,
    STOP_FLASH,
    STOP_FLASH_NS,
    UNJUDGED,
    WINNER,
    cue_end_ns,
    lamps,
)
from tests.games.driver import BLUE, GREEN, ONE_TO_GO, RED, YELLOW, Driver, reach, reach_idle_pause
from tests.show.test_lamps import rhythm


@pytest.fixture
def play(play: Driver) -> Driver:
    """A round whose start call was a moment ago."""
    play.wait(START_FLASH_NS)
    return play


def panels(driver: Driver) -> list[Lamp]:
    """The lamps of seats 1 to 4, now."""
    burning = lamps(driver.view, driver.now_ns)
    return [burning[panel_lamp_index(seat)] for seat in range(1, 5)]


def slot_lamp(driver: Driver, slot: Slot) -> Lamp:
    return lamps(driver.view, driver.now_ns)[slot_lamp_index(slot)]


def lit_slots(driver: Driver) -> dict[Slot, Lamp]:
    """Every place that is not dark."""
    burning = lamps(driver.view, driver.now_ns)
    return {slot: lamp for slot, lamp in zip(ALL_SLOTS, burning, strict=False) if lamp != DARK}


# -- in every phase


@pytest.mark.parametrize("phase", Phase)
def test_every_row_can_always_be_told_by_its_symbol(phase: Phase) -> None:
    driver = reach(phase)
    burning = lamps(driver.view, driver.now_ns)
    for colour in Colour:
        assert burning[len(ALL_SLOTS) + colour] == Lamp(ROW_TINT[colour], Beat.STEADY)


# -- the board


def test_an_idle_table_attracts_with_a_running_light() -> None:
    driver = reach(Phase.ATTRACT)
    assert lamps(driver.view, driver.now_ns)[: len(ALL_SLOTS)] == list(CHASE)
    assert len(set(panels(driver))) == 4


def test_while_playing_the_next_place_of_each_row_is_lit(driver: Driver) -> None:
    driver.start_from("r1y0g6b5 1/6,5/6,3/6,3/6")
    driver.wait(START_FLASH_NS)
    assert lit_slots(driver) == {
        Slot(RED, 2): Lamp(Tint.RED, Beat.STEADY),
        Slot(YELLOW, 1): Lamp(Tint.YELLOW, Beat.STEADY),
        Slot(BLUE, 6): Lamp(Tint.BLUE, Beat.STEADY),
    }


def test_a_place_that_is_wanted_but_taken_by_a_wrong_die_shows_the_wrong(play: Driver) -> None:
    play.fill(Slot(RED, 2))
    play.wait(100 * MS)
    play.play(1, Slot(RED, 1))
    assert slot_lamp(play, Slot(RED, 2)) == Lamp(Tint.RED, Beat.DOUBLE)


@pytest.mark.parametrize("phase", [Phase.COUNTDOWN, Phase.PAUSED, Phase.SETTLE])
def test_no_place_is_wanted_while_nothing_counts(phase: Phase) -> None:
    assert lit_slots(reach(phase)) == {}


def test_each_state_of_a_slot_has_its_own_rhythm() -> None:
    """A free place and a counted die are both dark: everybody sees which of the two it is."""
    driver = reach(Phase.PAUSED)
    round_ = driver.session.round
    assert isinstance(round_, DiceRound)
    seen = {}
    for state in SlotState:
        round_.states[SLOT_INDEX[Slot(GREEN, 3)]] = state
        seen[state] = slot_lamp(driver, Slot(GREEN, 3))
    assert seen.pop(SlotState.FREE) == seen[SlotState.COUNTED] == DARK
    assert len({rhythm(lamp.beat) for lamp in seen.values()}) == len(seen)
    assert rhythm(Beat.STEADY) not in {rhythm(lamp.beat) for lamp in seen.values()}  # that one means: wanted


@pytest.mark.parametrize("phase", [Phase.SCORES, Phase.CLEAR])
def test_what_still_lies_on_the_board_blinks_until_it_is_cleared(phase: Phase) -> None:
    driver = Driver(Table(rounds=2))
    driver.end_round()
    driver.tap(1, 2)
    if phase is Phase.CLEAR:
        driver.tap(1, 2)
    assert driver.phase() is phase
    assert lit_slots(driver) == {Slot(RED, number): STILL_THERE for number in range(1, 7)}
    driver.clear_board()
    assert lit_slots(driver) == {}


# -- the panels


def test_seats_invite_until_they_are_taken() -> None:
    assert panels(reach(Phase.JOIN)) == [INVITING, SEATED, INVITING, INVITING]


def test_seats_that_play_are_lit_in_the_countdown_and_dark_in_play() -> None:
    assert panels(reach(Phase.COUNTDOWN)) == [SEATED, SEATED, DARK, DARK]
    driver = reach(Phase.PLAY)
    driver.wait(START_FLASH_NS)
    assert panels(driver) == [DARK] * 4


def test_in_a_pause_the_seats_that_may_go_on_are_lit() -> None:
    assert panels(reach_idle_pause()) == [INVITING, INVITING, DARK, DARK]


def test_nobody_is_invited_to_end_a_pause_of_the_operator() -> None:
    assert INVITING not in panels(reach(Phase.PAUSED))


@pytest.mark.parametrize("phase", [Phase.SETTLE, Phase.SCORES])
def test_seats_ask_until_they_have_agreed(phase: Phase) -> None:
    driver = reach(phase)
    driver.wait(2 * S)  # no verdict is shown any more
    assert panels(driver) == [INVITING, INVITING, DARK, DARK]
    driver.tap(2)
    assert panels(driver) == [INVITING, AGREED, DARK, DARK]


def test_seats_ask_until_they_are_ready() -> None:
    driver = reach(Phase.CLEAR)
    driver.tap(1)
    assert panels(driver) == [AGREED, INVITING, DARK, DARK]


def test_nobody_is_asked_while_late_stamps_come_in(driver: Driver) -> None:
    driver.start_from(ONE_TO_GO)
    driver.play(1, Slot(RED, 6))
    driver.wait(STOP_FLASH_NS)
    assert panels(driver)[1:] == [DARK] * 3


def test_a_seat_that_disputes_is_asked_and_then_the_others(driver: Driver) -> None:
    driver.end_round("r5y0g0b0 1/6,6/6,6/6,-")
    driver.hold(3)
    assert panels(driver) == [DARK, DARK, ASKED, DARK]
    driver.tap(3)
    driver.until_deadline()
    driver.tap(1)
    assert panels(driver) == [AGREED, INVITING, ASKED, DARK]


def test_the_winners_panels_are_lit_at_the_end() -> None:
    assert panels(reach(Phase.RESULT)) == [WINNER, DARK, DARK, DARK]


# -- the flash of a call


def flashing(driver: Driver, t_ns: int) -> set[Lamp]:
    """The lamps of all places and seats at that moment."""
    burning = lamps(driver.view, t_ns)
    return {*burning[: len(ALL_SLOTS)], *burning[panel_lamp_index(1) :]}


def test_all_lamps_flash_together_at_the_start_call() -> None:
    driver = reach(Phase.PLAY)
    end_ns = driver.now_ns + START_FLASH_NS
    assert flashing(driver, driver.now_ns) == flashing(driver, end_ns - 1) == {START_FLASH}
    assert START_FLASH not in flashing(driver, end_ns)


def test_all_lamps_flicker_together_at_the_stop_call_but_those_with_a_verdict(driver: Driver) -> None:
    driver.start_from(ONE_TO_GO)
    driver.play(1, Slot(RED, 6))
    entered_ns = driver.session.state.entered_ns
    accepted = VERDICT_LAMP[Verdict.ACCEPTED]
    assert (
        flashing(driver, entered_ns)
        == flashing(driver, entered_ns + STOP_FLASH_NS - 1)
        == {STOP_FLASH, accepted}
    )
    assert lamps(driver.view, entered_ns)[panel_lamp_index(1)] == accepted
    assert STOP_FLASH not in flashing(driver, entered_ns + STOP_FLASH_NS)


def test_start_and_stop_differ_by_their_rhythm_alone() -> None:
    assert START_FLASH.beat != STOP_FLASH.beat
    for flash, shown_ns, flashes in ((START_FLASH, START_FLASH_NS, 1), (STOP_FLASH, STOP_FLASH_NS, 3)):
        for begin_ns in range(10 * S, 11 * S, TICK_NS):
            on = [bool(frame([flash], t_ns)[0]) for t_ns in range(begin_ns, begin_ns + shown_ns, 25 * MS)]
            assert [now and not before for before, now in pairwise([False, *on])].count(True) == flashes


@pytest.mark.parametrize("source", [Slot(RED, 1), Button(2)])
def test_a_flash_does_not_hide_what_is_masked(source: Button | Slot) -> None:
    driver = reach(Phase.COUNTDOWN)
    driver.mask(source)
    driver.until_deadline()
    if driver.phase() is Phase.PAUSED:
        driver.hold(1)
    assert driver.phase() is Phase.PLAY
    assert flashing(driver, driver.session.state.entered_ns) == {START_FLASH, MASKED}


# -- verdicts on the panels


def test_a_verdict_stands_on_its_seats_panel_for_a_while(play: Driver) -> None:
    play.play(2, Slot(RED, 1))
    accepted = VERDICT_LAMP[Verdict.ACCEPTED]
    assert panels(play) == [DARK, accepted, DARK, DARK]
    judged = play.news.judged[2]
    assert cue_end_ns(judged) == judged.decided_ns + CUE_NS
    play.until(judged.decided_ns + CUE_NS - 1)
    assert panels(play)[1] == accepted
    play.until(judged.decided_ns + CUE_NS)
    assert panels(play)[1] == DARK


def test_a_lock_is_shown_as_long_as_it_lasts() -> None:
    driver = reach(Phase.PLAY, Settings(lock_ns=5 * S, locks="strict"))
    driver.tap(1)
    driver.wait(1 * S)
    judged = driver.news.judged[1]
    assert judged.verdict is Verdict.FALSE_CLAIM
    locked_until_ns = judged.stamp.latest_ns + 5 * S
    driver.until(locked_until_ns - 1)
    assert panels(driver)[0] == VERDICT_LAMP[Verdict.FALSE_CLAIM]
    driver.until(locked_until_ns)
    assert panels(driver)[0] == DARK


def test_the_second_slap_of_a_hand_hides_nothing(play: Driver) -> None:
    play.play(1, Slot(RED, 1))
    play.tap(1)
    assert play.verdicts == [(1, Verdict.ACCEPTED), (1, Verdict.REPEATED)]
    assert panels(play)[0] == VERDICT_LAMP[Verdict.ACCEPTED]


def test_a_press_that_came_too_late_to_be_judged_is_told_for_a_while(play: Driver) -> None:
    play.late(Pressed(2, play.exactly, late=True))
    assert panels(play) == [DARK, UNJUDGED, DARK, DARK]
    play.wait(CUE_NS)
    assert panels(play) == [DARK] * 4


def test_the_end_of_a_round_takes_its_verdicts_off_the_panels(play: Driver) -> None:
    play.play(2, Slot(RED, 1))
    play.command(Pause(play.exactly))
    assert panels(play)[1] == VERDICT_LAMP[Verdict.ACCEPTED]
    play.command(VoidRound(play.exactly))
    assert play.news.judged == {}


# -- what is not listened to


@pytest.mark.parametrize("phase", Phase)
def test_what_is_not_listened_to_flashes_twice_in_magenta_in_every_phase(phase: Phase) -> None:
    driver = reach(phase)
    plain = lamps(driver.view, driver.now_ns)
    driver.device("left", "lost", needed=False)  # no lamp is for devices
    assert lamps(driver.view, driver.now_ns) == plain
    for source in (Slot(RED, 1), Slot(BLUE, 6), Button(2), Button(4)):
        driver.mask(source)
    driver.wait(driver.known_after_ns)
    burning = lamps(driver.view, driver.now_ns)
    masked = {slot_lamp_index(Slot(RED, 1)), slot_lamp_index(Slot(BLUE, 6))}
    masked |= {panel_lamp_index(2), panel_lamp_index(4)}
    assert {index for index, lamp in enumerate(burning) if lamp == MASKED} == masked
    assert len(burning) == frame_length(4)
    assert Lamp(Tint.MAGENTA, Beat.DOUBLE) == MASKED
    for source in (Slot(RED, 1), Slot(BLUE, 6), Button(2), Button(4)):
        driver.unmask(source)
    driver.wait(driver.known_after_ns)
    assert MASKED not in lamps(driver.view, driver.now_ns)


def test_it_hides_what_the_lamp_would_say_otherwise(play: Driver) -> None:
    play.fill(Slot(RED, 2))
    play.play(1, Slot(RED, 1))
    play.mask(Slot(RED, 2))
    play.mask(Button(1))
    play.wait(play.known_after_ns)
    assert slot_lamp(play, Slot(RED, 2)) == MASKED
    assert panels(play)[0] == MASKED


def test_it_can_be_told_from_every_other_lamp_by_its_tint_or_its_rhythm() -> None:
    others = {
        *VERDICT_LAMP.values(),
        *CUE_LAMP.values(),
        *CHASE,
        UNJUDGED,
        ASKED,
        AGREED,
        INVITING,
        SEATED,
        WINNER,
        STILL_THERE,
    }
    assert MASKED not in others
    magenta = {rhythm(lamp.beat) for lamp in others if lamp.tint is Tint.MAGENTA}
    assert rhythm(MASKED.beat) not in magenta
