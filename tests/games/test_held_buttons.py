"""Buttons that are held while a round of dice runs: who waits for whom, and who can call stop with it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_host.games.dice.calls import NoneLeftCall
from firmware_host.model.effects import Judged, RoundFinished, Verdict
from firmware_host.model.events import SetLeftover
from firmware_host.model.places import Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase, SlotState
from firmware_host.model.times import MS, Stamp
from tests.games.driver import BLUE, GREEN, RED, YELLOW, Driver

R1, R2, R6 = Slot(RED, 1), Slot(RED, 2), Slot(RED, 6)
B1, B2, B3, G3, G6, Y6 = (
    Slot(BLUE, 1),
    Slot(BLUE, 2),
    Slot(BLUE, 3),
    Slot(GREEN, 3),
    Slot(GREEN, 6),
    Slot(YELLOW, 6),
)
TAP_MS = 60
Act = tuple[int, Callable[[], object]]


def press(driver: Driver, seat: int, at_ms: int, for_ms: int = TAP_MS) -> list[Act]:
    return [(at_ms, lambda: driver.press(seat)), (at_ms + for_ms, lambda: driver.release(seat))]


def fill(driver: Driver, slot: Slot, at_ms: int) -> Act:
    return at_ms, lambda: driver.fill(slot)


def play(driver: Driver, *acts: Act) -> None:
    """These acts, in ms from now, and what follows from them."""
    begun_ns = driver.now_ns
    for at_ms, act in sorted(acts, key=lambda each: each[0]):
        driver.until(begun_ns + at_ms * MS)
        act()
    driver.wait(1500 * MS)


def late(driver: Driver, loser: int, slot: Slot, winner: int) -> None:
    """A seat has slapped for a die that another one has."""
    driver.fill(slot)
    driver.wait(50 * MS)
    driver.tap(winner)
    driver.tap(loser)
    driver.wait(400 * MS)


def after(begun_ns: int, ms: int) -> Stamp:
    at_ns = begun_ns + ms * MS
    blur_ns = Settings().stamp_uncertainty_ns
    return Stamp(at_ns - blur_ns, at_ns + blur_ns)


@pytest.mark.parametrize(
    ("at_ms", "for_ms"),
    [(0, 0), (0, 60), (0, 400), (0, 900), (190, 995), (230, 900), (230, 980), (230, 1100)],
)
def test_a_robbed_finisher_has_called_whatever_another_one_does_who_might_have(
    at_ms: int, for_ms: int
) -> None:
    """Seat 2 robs seat 1, which keeps its button down. Seat 3 may have none left, too, and holds its own."""
    driver = Driver()
    driver.start_from("r5y5g5b2 1/6,2/6,1/6,3/6")
    driver.wait(100 * MS)
    late(driver, 3, B3, 4)
    driver.wait(4000 * MS)
    begun_ns = driver.now_ns
    acts = [fill(driver, R6, 100), *press(driver, 2, 150), *press(driver, 1, 200, 1400)]
    acts += [fill(driver, G6, 1700), *press(driver, 2, 1750)]
    play(driver, *acts, *(press(driver, 3, at_ms, for_ms) if for_ms else ()))
    assert driver.all_of(RoundFinished) == [RoundFinished(1, after(begun_ns, 200))]


def test_a_call_that_can_not_be_true_does_not_become_so_while_the_button_stays_down() -> None:
    """Seat 1 has two left, and lays them without a slap while its button is down."""
    driver = Driver()
    driver.start_from("r5y0g0b0 3/6,4/6")
    driver.wait(100 * MS)
    driver.fill(R6)
    driver.wait(50 * MS)
    driver.tap(1)
    driver.wait(300 * MS)
    driver.press(1)
    driver.wait(1500 * MS)
    for slot in (B1, B2):
        driver.fill(slot)
        driver.wait(3500 * MS)
    assert driver.state(B2) is SlotState.LAPSED
    driver.tap(2)
    driver.wait(500 * MS)
    assert driver.phase() is Phase.PLAY
    assert driver.dice.position.left == (2, 4, 0, 0)


def test_a_die_that_has_come_since_the_press_is_no_proof_although_it_has_lapsed() -> None:
    """While seat 1 holds its button all others are down, so it calls only when the last of them comes up."""
    driver = Driver()
    driver.start_from("r5y2g0b0 1/6,4/6")
    driver.wait(100 * MS)
    pressed = driver.press(1)
    driver.wait(500 * MS)
    driver.fill(R6)
    driver.wait(3500 * MS)
    assert driver.state(R6) is SlotState.LAPSED
    driver.dice.say_none_left([NoneLeftCall(1, pressed)], driver.now_ns)
    assert driver.dice.end is None


@pytest.mark.parametrize("for_ms", [80, 1100])
def test_the_button_of_the_last_but_one_slap_may_stay_down(for_ms: int) -> None:
    """A die of seat 2 lies there, too, and its slap waits for that button."""
    driver = Driver()
    driver.start_from("r5y5g2b0 2/6,3/6,4/6,3/6")
    driver.wait(100 * MS)
    acts = [fill(driver, R6, 0), fill(driver, G3, 20), *press(driver, 1, 60, for_ms), *press(driver, 2, 110)]
    play(driver, *acts)
    assert driver.verdicts == [(1, Verdict.ACCEPTED), (2, Verdict.ACCEPTED)]
    assert driver.phase() is Phase.PLAY and driver.dice.position.left == (1, 2, 4, 3)


@pytest.mark.parametrize("again_ms", [150, 230])
def test_a_seat_that_is_about_to_be_locked_holds_up_nobody(again_ms: int) -> None:
    """Seat 1 may have none left, as a die has no owner. It slaps for nothing, and holds its button then."""
    driver = Driver(settings=Settings(locks="strict"))
    driver.start_from("r5y5g5b0 1/6,2/6,3/6,3/6")
    driver.wait(100 * MS)
    driver.fill(B1)
    driver.wait(4000 * MS)
    acts = [*press(driver, 1, 0, 40), *press(driver, 1, again_ms, 900)]
    play(driver, *acts, fill(driver, Y6, again_ms + 300), *press(driver, 2, again_ms + 350))
    assert driver.verdicts == [(1, Verdict.FALSE_CLAIM), (1, Verdict.LOCKED), (2, Verdict.ACCEPTED)]
    waited_ns = [judged.decided_ns - judged.stamp.latest_ns for judged in driver.all_of(Judged)]
    assert max(waited_ns) < 300 * MS


@pytest.mark.parametrize("knocked", [R1, R2])
def test_a_die_that_was_knocked_off_and_put_back_takes_no_slap_from_a_die_that_has_come_since(
    knocked: Slot,
) -> None:
    """Seat 2 could reclaim it, as a slap of it got nothing, but it means the die that it has just placed."""
    driver = Driver()
    driver.start(6, 6, 6, 6)
    driver.wait(100 * MS)
    driver.play(3, R1)
    driver.wait(300 * MS)
    late(driver, 2, R2, 3)
    driver.empty(knocked)
    driver.wait(400 * MS)
    driver.fill(knocked)
    driver.wait(300 * MS)
    driver.fill(B1)
    driver.wait(TAP_MS * MS)
    driver.tap(2)
    driver.wait(500 * MS)
    assert driver.last(Judged).what == B1
    assert driver.dice.position.left == (6, 5, 4, 6)


def test_what_was_counted_before_a_wrong_stop_belongs_to_nobody_who_could_lose_it() -> None:
    """Seat 2 had a die too many, which it has given up at the check; nobody reclaims one from it then."""
    driver = Driver()
    driver.start(3, 3, 2, 3)
    driver.wait(100 * MS)
    late(driver, 1, R1, 2)
    late(driver, 3, B1, 4)
    driver.play(3, Slot(YELLOW, 1))
    driver.hold(3)
    driver.until_deadline()
    for seat, count in ((2, 3), (1, 2), (3, 1)):
        driver.command(SetLeftover(seat, count, driver.exactly))
    while driver.phase() is Phase.SETTLE:
        driver.until_deadline()
    driver.count_down()
    late(driver, 4, Slot(GREEN, 1), 1)
    driver.empty(R1)
    driver.wait(300 * MS)
    driver.fill(R1)
    driver.wait(100 * MS)
    driver.tap(4)
    driver.wait(500 * MS)
    assert driver.last(Judged).verdict is not Verdict.ACCEPTED
    assert driver.dice.position.left == (1, 3, 1, 2)
