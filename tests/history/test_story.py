"""Stories of rounds: what belongs to them, in which order, when nobody could play, and who raced whom."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.history.story import RoundPause, apart_ns, contests, rival_of, tell_story
from firmware_host.model import effects as e
from firmware_host.model.effects import WINNING, Verdict
from firmware_host.model.places import Button, Card, Colour, Slot
from firmware_host.model.states import Corrector, Phase
from firmware_host.model.times import MS, US, S, Stamp
from tests.history.stories import (
    ACCEPTED,
    CLOSE,
    RED_1,
    RED_2,
    START_NS,
    TIED,
    TOO_LATE,
    Decided,
    entered,
    finished,
    judged,
    lost,
    real_stories,
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


def test_the_losers_are_with_the_one_who_won() -> None:
    (contest,) = contests(told(CLOSE).verdicts)
    assert contest.winner.judged.seat == 1
    assert [loser.judged.seat for loser in contest.losers] == [2, 4]
    assert [given.judged.seat for given in contest.all] == [1, 2, 4]
    assert contest.hull == Stamp(stamp(1 * S).earliest_ns, stamp(1 * S + 2 * MS).latest_ns)


def test_a_dead_heat_is_a_contest_though_the_loser_may_have_been_first() -> None:
    (contest,) = contests(told(TIED).verdicts)
    assert contest.winner.judged.seat == 1
    assert [loser.judged.verdict for loser in contest.losers] == [Verdict.DEAD_HEAT_LOST]


def test_a_card_is_raced_for_by_colour_and_number() -> None:
    story = told(
        [
            started(),
            judged(ACCEPTED, 1, 1 * S, Card(1, Colour.RED, 4)),
            judged(ACCEPTED, 2, 1 * S + 100 * MS, Card(2, Colour.RED, 5)),
            lost(TOO_LATE, 4, 1 * S + 3 * MS, Card(4, Colour.RED, 4), (1, 1 * S)),
        ]
    )
    (contest,) = contests(story.verdicts)
    assert (contest.winner.judged.seat, contest.losers[0].judged.seat) == (1, 4)


def test_the_same_place_twice_is_two_contests() -> None:
    """The die was taken back and put down again."""
    story = told(
        [
            started(),
            judged(ACCEPTED, 1, 1 * S, RED_1),
            lost(TOO_LATE, 2, 1 * S + 1 * MS, RED_1, (1, 1 * S)),
            judged(ACCEPTED, 1, 5 * S, RED_1),
            lost(TOO_LATE, 2, 5 * S + 2 * MS, RED_1, (1, 5 * S)),
        ]
    )
    found = contests(story.verdicts)
    assert [(c.winner.t_ns - story.start_ns, c.losers[0].judged.margin_ns) for c in found] == [
        (1 * S, 1 * MS),
        (5 * S, 2 * MS),
    ]


wins = st.tuples(st.sampled_from((1, 4)), st.integers(-5, 5), st.sampled_from((RED_1, RED_2)))


@given(st.lists(wins, min_size=1, max_size=8, unique_by=lambda win: win[:2]), st.data())
def test_the_rival_is_the_one_that_is_named_whoever_was_as_near(
    won: list[tuple[int, int, Slot]], data: st.DataObject
) -> None:
    """Seat 2 slaps at one second; others won a little before or after it, some by the same margin."""
    named = data.draw(st.integers(0, len(won) - 1))
    seat, ms, what = won[named]
    winners = [judged(ACCEPTED, seat, 1 * S + ms * MS, what) for seat, ms, what in won]
    loser = lost(TOO_LATE, 2, 1 * S, what, (seat, 1 * S + ms * MS))
    (contest,) = contests(told([started(), *winners, loser]).verdicts)
    assert contest.winner.n == 1 + named


def test_of_two_cards_laid_in_one_moment_the_one_that_was_raced_for_is_the_rival() -> None:
    def laid(seat: int, colour: Colour, number: int) -> Decided:
        return judged(ACCEPTED, seat, 1 * S, Card(seat, colour, number))

    both = [laid(1, Colour.RED, 5), laid(1, Colour.BLUE, 3)]
    late = lost(TOO_LATE, 2, 1 * S + 1 * MS, Card(2, Colour.BLUE, 3), (1, 1 * S))
    (contest,) = contests(told([started(), *both, late]).verdicts)
    assert contest.winner.judged.what == Card(1, Colour.BLUE, 3)


def test_ones_of_any_colour_race_for_a_free_place() -> None:
    won = judged(Verdict.DEAD_HEAT_WON, 1, 1 * S, Card(1, Colour.RED, 1))
    tied = lost(Verdict.DEAD_HEAT_LOST, 2, 1 * S, Card(2, Colour.GREEN, 1), (1, 1 * S))
    assert len(contests(told([started(), won, tied]).verdicts)) == 1


def test_a_verdict_of_an_earlier_version_names_no_stamp_and_no_contest_is_known() -> None:
    earlier = judged(TOO_LATE, 2, 1 * S + 1 * MS, RED_1, margin_ns=1 * MS, rival=1)
    assert contests(told([started(), judged(ACCEPTED, 1, 1 * S, RED_1), earlier]).verdicts) == ()


def test_a_rival_who_is_not_there_makes_no_contest() -> None:
    alone = lost(TOO_LATE, 2, 1 * S + 1 * MS, RED_1, (1, 1 * S))
    for others in (
        [],
        [judged(ACCEPTED, 4, 1 * S, RED_1)],
        [judged(Verdict.ILLEGAL, 1, 1 * S, RED_1)],
        [judged(ACCEPTED, 1, 1 * S + 500 * US, RED_1)],
    ):
        verdicts = told([started(), *others, alone]).verdicts
        assert contests(verdicts) == ()


def test_whoever_won_or_made_a_mistake_has_no_rival() -> None:
    verdicts = told(CLOSE).verdicts
    assert [rival_of(given, verdicts) is None for given in verdicts] == [True, False, False, True]


moments = st.integers(0, 10**6)


stamps = st.builds(lambda t_ns, width_ns: Stamp(t_ns, t_ns + width_ns), moments, st.integers(0, 10**4))


@given(stamps, stamps)
def test_stamps_are_apart_if_one_is_surely_before_the_other(one: Stamp, other: Stamp) -> None:
    assert apart_ns(one, other) == apart_ns(other, one)
    assert (apart_ns(one, other) > 0) == (one.surely_before(other) or other.surely_before(one))


def test_in_real_rounds_every_loser_finds_its_rival(club: Path) -> None:
    lost = 0
    for story in real_stories(club):
        # A winner that names a rival has reclaimed its die.
        told_of = {
            given.n
            for given in story.verdicts
            if given.judged.rival is not None and given.judged.verdict not in WINNING
        }
        losers = [loser for contest in contests(story.verdicts) for loser in contest.losers]
        assert {loser.n for loser in losers} == told_of
        for loser in losers:
            winner = rival_of(loser, story.verdicts)
            assert winner is not None
            tied = loser.judged.verdict is Verdict.DEAD_HEAT_LOST
            early = loser.judged.margin_ns is not None and loser.stamp.surely_before(winner.stamp)
            assert tied or early or loser.stamp.middle_ns >= winner.stamp.middle_ns
            assert not tied or apart_ns(winner.stamp, loser.stamp) <= 0
        lost += len(losers)
    assert lost > 5
