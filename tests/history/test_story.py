"""Stories of rounds: what belongs to them, in which order, and when nobody could play."""

from __future__ import annotations

from firmware_host.history.story import RoundPause, tell_story
from firmware_host.model import effects as e
from firmware_host.model.effects import Verdict
from firmware_host.model.places import Button
from firmware_host.model.states import Corrector, Phase
from firmware_host.model.times import MS, S
from tests.history.stories import (
    ACCEPTED,
    CLOSE,
    RED_1,
    START_NS,
    TIED,
    entered,
    finished,
    judged,
    scored,
    stamp,
    started,
    told,
)


def test_without_a_start_call_there_is_no_story() -> None:
    assert tell_story([]) is None
    assert tell_story([(0, *entered(Phase.COUNTDOWN, 0))]) is None


def test_verdicts_stand_where_their_slaps_were() -> None:
    """The one that was given first may be about the later slap."""
    story = told([started(), judged(ACCEPTED, 1, 2 * S, RED_1), judged(Verdict.FALSE_CLAIM, 2, 1 * S)])
    assert [(given.judged.seat, given.t_ns - START_NS) for given in story.verdicts] == [
        (2, 1 * S),
        (1, 2 * S),
    ]
    assert [given.n for given in story.verdicts] == [2, 1]
    assert [each.n for each in story.events] == [0, 2, 1]
    assert story.events[1].decided_ns == START_NS + 1 * S + 50 * MS


def test_numbers_are_those_of_the_session() -> None:
    assert [given.n for given in told(CLOSE, first=40).verdicts] == [41, 42, 43, 44]


def test_who_played_or_slapped_has_a_lane() -> None:
    assert told(CLOSE).seats == (1, 2, 4)
    assert told([started(), judged(Verdict.NOT_RUNNING, 3, 1 * S)]).seats == (1, 2, 3, 4)


def test_a_dead_heat_belongs_to_the_verdict_that_it_settled() -> None:
    lost, won = told(TIED).verdicts
    assert lost.tie is None and won.tie is not None and won.tie.winner == won.judged.seat == 1


def test_what_was_slapped_in_the_countdown_belongs_to_the_round() -> None:
    before = [
        judged(Verdict.NOT_RUNNING, 1, -20 * S),
        entered(Phase.COUNTDOWN, -3 * S),
        judged(Verdict.NOT_RUNNING, 2, -1 * S),
        entered(Phase.PLAY, 0),
    ]
    story = told([*before, started()])
    assert [given.judged.seat for given in story.verdicts] == [2]
    assert story.start_ns == START_NS


def test_what_was_before_another_phase_does_not() -> None:
    before = [judged(Verdict.NOT_RUNNING, 1, -20 * S), entered(Phase.CLEAR, -3 * S)]
    assert told([*before, started()]).verdicts == ()
    assert told([judged(Verdict.NOT_RUNNING, 1, -1 * S), started()]).verdicts == ()


def test_the_end_is_when_it_was_called_last() -> None:
    assert told(CLOSE).ended_ns == START_NS + 9 * S
    assert told([started()]).ended_ns is None
    refuted = [started(), finished(1, 3 * S), started(8 * S, again=True), finished(2, 12 * S)]
    assert told(refuted).ended_ns == START_NS + 12 * S
    stuck = [started(), (START_NS + 4 * S, e.RoundStuck(START_NS + 4 * S))]
    assert told(stuck).ended_ns == START_NS + 4 * S


def test_the_last_moment_is_that_of_the_last_decision() -> None:
    assert told(CLOSE).last_ns == START_NS + 12 * S
    assert told([started()]).last_ns == START_NS


def test_pauses_are_when_it_did_not_run() -> None:
    effects = [
        entered(Phase.PLAY, 0),
        started(),
        entered(Phase.PAUSED, 3 * S),
        entered(Phase.COUNTDOWN, 5 * S),
        entered(Phase.PLAY, 8 * S),
        entered(Phase.SETTLE, 20 * S),
        entered(Phase.SCORES, 22 * S),
        scored(22 * S),
    ]
    assert told(effects).pauses == (
        RoundPause(START_NS + 3 * S, START_NS + 8 * S),
        RoundPause(START_NS + 20 * S, None),
    )


def test_a_round_that_runs_already_is_not_paused() -> None:
    assert told([started(), entered(Phase.PLAY, 1 * S)]).pauses == ()


def test_what_has_a_stamp_stands_there() -> None:
    late = START_NS + 9 * S
    effects = [
        started(),
        (late, e.EdgesLost(1, stamp(1 * S))),
        (late, e.LateSignal(Button(1), stamp(2 * S), 5)),
        (late, e.Noise(RED_1, stamp(3 * S))),
        (late, e.Corrected(1, 2, 1, Corrector.PLAYERS)),
    ]
    assert [each.t_ns - START_NS for each in told(effects).events] == [
        0,
        1 * S,
        2 * S,
        3 * S,
        9 * S,
    ]
