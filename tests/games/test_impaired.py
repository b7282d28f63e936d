"""What the table does when something it needs is lost or masked, phase by phase."""

from __future__ import annotations

import pytest

from firmware_host.games.phase_states import Paused
from firmware_host.model.effects import (
    DeviceReported,
    EdgesLost,
    PhaseEntered,
    Refused,
    RoundStarted,
    SourceMasked,
    SourceUnmasked,
    Verdict,
)
from firmware_host.model.events import EndMatch, Pause, Resume, SetLeftover, StartMatch, VoidRound
from firmware_host.model.settings import Settings
from firmware_host.model.states import Condition, DeviceCondition, MaskReason, Phase, SlotState
from firmware_host.model.times import MS, S, Stamp
from tests.games.driver import Driver, reach, reach_impaired_pause
from tests.games.mishaps import HARMLESS, NEEDED, R1, R2, REPAIRS, happen

# -- what is told


def test_what_happens_to_devices_and_sources_is_told(driver: Driver) -> None:
    driver.device("left", "lost", seen="no answer")
    masked = driver.mask(R1, "chatters")
    driver.wait(1 * S)
    unmasked = driver.unmask(R1)
    driver.wait(1 * S)
    lost_ns = driver.now_ns
    driver.lose_edges(100 * MS, count=7)
    assert driver.effects == [
        DeviceReported(DeviceCondition("left", Condition.LOST, "no answer"), True, driver.now_ns - 2 * S),
        SourceMasked(R1, MaskReason.CHATTERS, masked.latest_ns),
        SourceUnmasked(R1, unmasked.latest_ns),
        EdgesLost(7, Stamp(lost_ns - 100 * MS, lost_ns)),
    ]


@pytest.mark.parametrize("condition", ["ok", "degraded"])
def test_a_device_that_works_is_no_trouble(driver: Driver, condition: str) -> None:
    driver.device("left", condition)
    assert driver.session.troubles.all == ()
    driver.device("left", "lost")
    assert driver.session.troubles.matter(set())
    driver.device("left", condition)
    assert not driver.session.troubles.matter(set())


# -- play


@pytest.mark.parametrize("what", NEEDED)
def test_a_round_pauses_when_something_it_needs_is_missing(play: Driver, what: str) -> None:
    happen(play, NEEDED[what])
    assert play.path[-2:] == ["PLAY", "PAUSED"]


@pytest.mark.parametrize("what", HARMLESS)
@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.name)
def test_what_nothing_hangs_on_leaves_every_phase_as_it_is(phase: Phase, what: str) -> None:
    driver = reach(phase)
    deadline_ns = driver.session.state.deadline_ns
    happen(driver, HARMLESS[what])
    assert driver.phase() is phase
    assert driver.session.state.deadline_ns == deadline_ns
    assert not driver.session.impaired


@pytest.mark.parametrize("what", NEEDED)
@pytest.mark.parametrize(
    "phase", [phase for phase in Phase if phase is not Phase.PLAY], ids=lambda phase: phase.name
)
def test_nothing_but_play_minds_at_once(phase: Phase, what: str) -> None:
    driver = reach(phase)
    state, deadline_ns = driver.session.state, driver.session.state.deadline_ns
    happen(driver, NEEDED[what])
    happen(driver, REPAIRS[what])
    assert driver.session.state is state
    assert driver.session.state.deadline_ns == deadline_ns
    assert driver.session.troubles.all == ()


def test_the_round_stands_still_from_the_moment_of_the_loss(play: Driver) -> None:
    play.slap_for(1, R1)
    play.wait(1 * MS)
    play.device("left", "lost")
    assert play.verdicts == []
    play.wait(1 * MS)
    play.press(2)
    play.fill(R2)
    play.wait(1 * S)
    assert sorted(play.verdicts) == [(1, Verdict.ACCEPTED), (2, Verdict.NOT_RUNNING)]
    assert play.state(R2) is SlotState.ILLEGAL


# -- back again


@pytest.mark.parametrize("what", NEEDED)
def test_it_counts_down_again_when_all_is_back(play: Driver, what: str) -> None:
    happen(play, NEEDED[what])
    play.wait(20 * S)
    assert play.phase() is Phase.PAUSED
    happen(play, REPAIRS[what])
    assert play.phase() is Phase.COUNTDOWN
    play.wait(3 * play.settings.count_ns)
    assert play.phase() is Phase.PLAY


def test_a_device_that_is_degraded_is_back(impaired: Driver) -> None:
    impaired.device("left", "degraded")
    assert impaired.phase() is Phase.COUNTDOWN


def test_all_must_be_back(impaired: Driver) -> None:
    impaired.device("right", "lost")
    impaired.device("left", "ok")
    assert impaired.phase() is Phase.PAUSED
    happen(impaired, NEEDED["a slot is masked"])
    impaired.device("right", "ok")
    assert impaired.phase() is Phase.PAUSED
    happen(impaired, REPAIRS["a slot is masked"])
    assert impaired.phase() is Phase.COUNTDOWN


# -- the countdown


@pytest.mark.parametrize("what", NEEDED)
def test_a_round_does_not_begin_without_what_it_needs(countdown: Driver, what: str) -> None:
    happen(countdown, NEEDED[what])
    countdown.wait(3 * S)
    assert countdown.path == ["COUNTDOWN", "PAUSED"]
    assert countdown.all_of(RoundStarted) == []
    happen(countdown, REPAIRS[what])
    countdown.wait(3 * S)
    assert countdown.path == ["COUNTDOWN", "PAUSED", "COUNTDOWN", "PLAY"]
    assert countdown.last(RoundStarted) == RoundStarted(
        1, (12, 12, 0, 0), countdown.all_of(PhaseEntered)[-1].t_ns
    )


def test_two_who_hold_at_one_moment_begin_the_round_once(countdown: Driver) -> None:
    happen(countdown, NEEDED["a needed device is lost"])
    countdown.wait(3 * S)
    countdown.hold(1, 2)
    assert countdown.path == ["COUNTDOWN", "PAUSED", "PLAY"]
    assert len(countdown.all_of(RoundStarted)) == 1


def test_lost_again_while_it_counts_down_again(impaired: Driver) -> None:
    impaired.device("left", "ok")
    impaired.wait(1 * S)
    impaired.device("left", "lost")
    impaired.wait(2 * S)
    assert impaired.path[-3:] == ["PAUSED", "COUNTDOWN", "PAUSED"]


@pytest.mark.parametrize("how", ["hold", "resume"])
def test_a_round_that_is_begun_in_spite_of_it_has_its_start_call_then(countdown: Driver, how: str) -> None:
    countdown.device("left", "lost")
    countdown.wait(4 * S)
    assert countdown.phase() is Phase.PAUSED
    accept(countdown, how)
    assert countdown.phase() is Phase.PLAY
    (started,) = countdown.all_of(RoundStarted)
    assert started == RoundStarted(1, (12, 12, 0, 0), countdown.last(PhaseEntered).t_ns)
    countdown.play(1, R1)
    assert countdown.verdicts[-1] == (1, Verdict.ACCEPTED)


def test_a_round_that_goes_on_with_other_counts_has_its_start_call_again(driver: Driver) -> None:
    """The one who finished turned out to hold dice, and then a device is lost."""
    driver.end_round("r5y0g0b0 1/6,6/6,-,-")
    driver.command(SetLeftover(1, 2, driver.exactly))
    driver.until_deadline()  # that is more than there can be: everybody may look once more
    driver.until_deadline()
    assert driver.phase() is Phase.COUNTDOWN
    driver.device("left", "lost")
    driver.wait(4 * S)
    driver.hold(1)
    assert driver.phase() is Phase.PLAY
    assert [started.hands for started in driver.all_of(RoundStarted)] == [(1, 6, 0, 0), (2, 6, 0, 0)]


# -- going on in spite of it


def accept(driver: Driver, how: str) -> None:
    if how == "hold":
        driver.hold(1)
    else:
        driver.command(Resume(driver.exactly))


@pytest.mark.parametrize("how", ["hold", "resume"])
@pytest.mark.parametrize("what", NEEDED)
def test_people_may_go_on_in_spite_of_it(play: Driver, what: str, how: str) -> None:
    happen(play, NEEDED[what])
    accept(play, how)
    assert play.phase() is Phase.PLAY
    assert len(play.all_of(RoundStarted)) == 1
    happen(play, REPAIRS[what])
    play.wait(10 * S)
    assert play.path == ["COUNTDOWN", "PLAY", "PAUSED", "PLAY"]


def test_a_passer_by_can_not_accept_it(impaired: Driver) -> None:
    impaired.hold(4)
    impaired.tap(1, 2)
    assert impaired.phase() is Phase.PAUSED


def test_one_trouble_after_the_other_is_asked_about(impaired: Driver) -> None:
    accept(impaired, "hold")
    impaired.device("left", "lost", seen="17 tries, no answer")
    assert impaired.phase() is Phase.PLAY
    impaired.device("right", "lost")
    assert impaired.phase() is Phase.PAUSED
    impaired.device("right", "ok")
    assert impaired.phase() is Phase.COUNTDOWN  # `left` is still lost, and still accepted
    impaired.count_down()
    impaired.device("left", "ok")
    assert impaired.phase() is Phase.PLAY
    impaired.device("left", "lost")
    assert impaired.phase() is Phase.PAUSED


def test_what_was_accepted_is_accepted_in_the_next_round_but_not_in_the_next_match() -> None:
    driver = reach_impaired_pause()
    accept(driver, "resume")
    driver.command(VoidRound(driver.exactly))
    driver.tap(1, 2)
    driver.count_down()
    driver.command(EndMatch(driver.exactly))
    driver.command(StartMatch((12, 12), driver.exactly))
    driver.wait(3 * S)
    assert driver.phase() is Phase.PAUSED


def test_what_went_wrong_in_an_idle_pause_is_accepted_by_going_on(idle: Driver) -> None:
    idle.device("left", "lost")
    idle.hold(1)
    assert idle.phase() is Phase.PLAY
    assert idle.session.blocking is None
    assert idle.session.impaired


# -- other pauses


def test_an_idle_pause_is_not_ended_by_a_device(idle: Driver) -> None:
    idle.device("left", "lost")
    idle.device("left", "ok")
    assert idle.phase() is Phase.PAUSED
    idle.hold(1)
    assert idle.phase() is Phase.PLAY


def test_the_operator_may_take_over_a_pause_and_then_nothing_else_ends_it(impaired: Driver) -> None:
    assert impaired.command(Pause(impaired.exactly)) == [PhaseEntered(Phase.PAUSED, impaired.now_ns)]
    impaired.device("left", "ok")
    impaired.hold(1)
    assert impaired.phase() is Phase.PAUSED
    assert any(isinstance(effect, Refused) for effect in impaired.command(Pause(impaired.exactly)))
    impaired.command(Resume(impaired.exactly))
    assert impaired.phase() is Phase.PLAY


def test_the_operator_accepts_with_the_resume_what_is_still_missing(impaired: Driver) -> None:
    impaired.command(Pause(impaired.exactly))
    impaired.command(Resume(impaired.exactly))
    assert impaired.phase() is Phase.PLAY
    assert impaired.session.blocking is None


# -- ways out


def test_an_impaired_pause_ends_by_time(impaired: Driver) -> None:
    settings = impaired.settings
    impaired.until(impaired.session.progress_ns + settings.idle_ns + settings.paused_ns - 1)
    assert impaired.phase() is Phase.PAUSED
    impaired.wait(1)
    assert impaired.phase() is Phase.ATTRACT


@pytest.mark.parametrize("good_s", [1, 5, 60])
def test_a_loose_contact_does_not_keep_an_unattended_table_awake(play: Driver, good_s: int) -> None:
    settings = play.settings
    home_ns = play.now_ns + settings.idle_ns + settings.paused_ns + 140 * S
    while play.phase() is not Phase.ATTRACT:
        play.device("left", "lost")
        play.wait(2 * S)
        play.device("left", "ok")
        play.wait(good_s * S)
        assert play.now_ns < home_ns
    assert play.path.count("PAUSED") > 5


def test_who_goes_on_in_spite_of_it_is_there() -> None:
    driver = reach_impaired_pause(Settings(idle_ns=200 * S, paused_ns=20 * S))
    driver.wait(150 * S)
    driver.hold(1)
    driver.wait(100 * S)
    driver.device("right", "lost")
    state = driver.session.state
    assert isinstance(state, Paused)
    assert state.deadline_ns is not None and state.deadline_ns > driver.now_ns + 100 * S
