"""Contests: who raced whom, and how much surely lay between them."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.history.story import apart_ns, contests, rival_of, tell_story
from firmware_host.model.effects import WINNING, Judged, Verdict
from firmware_host.model.places import Card, Colour, Slot
from firmware_host.model.times import MS, US, S, Stamp
from firmware_host.store.store_reader import reading
from tests.history.stories import (
    ACCEPTED,
    CLOSE,
    RED_1,
    RED_2,
    TIED,
    TOO_LATE,
    Decided,
    judged,
    lost,
    stamp,
    started,
    told,
)


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
    with reading(str(club)) as book:
        for row in book.rounds():
            first = book.before(row)
            decisions = book.numbered(row.session_log, first, row.last_effect)
            story = tell_story([(n, each.t_ns, each.effect) for n, each in decisions])
            assert story is not None
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
            judgements = [each for _, each in decisions if isinstance(each.effect, Judged)]
            assert len(story.verdicts) <= len(judgements)
    assert lost > 5
