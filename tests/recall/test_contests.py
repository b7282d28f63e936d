"""Contests: who raced whom, and how much surely lay between them."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.durations import MS, US, S
from firmware_host.effects import Judged, Verdict
from firmware_host.places import Card, Colour
from firmware_host.recall.contests import apart_ns, contests, rival_of
from firmware_host.recall.story import tell_story
from firmware_host.stamps import Stamp
from firmware_host.store.book import reading
from tests.recall.stories import ACCEPTED, CLOSE, RED_1, RED_2, TIED, TOO_LATE, judged, stamp, started, told


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
            judged(TOO_LATE, 4, 1 * S + 3 * MS, Card(4, Colour.RED, 4), margin_ns=3 * MS, rival=1),
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
            judged(TOO_LATE, 2, 1 * S + 1 * MS, RED_1, margin_ns=1 * MS, rival=1),
            judged(ACCEPTED, 1, 5 * S, RED_1),
            judged(TOO_LATE, 2, 5 * S + 2 * MS, RED_1, margin_ns=2 * MS, rival=1),
        ]
    )
    found = contests(story.verdicts)
    assert [(c.winner.t_ns - story.start_ns, c.losers[0].judged.margin_ns) for c in found] == [
        (1 * S, 1 * MS),
        (5 * S, 2 * MS),
    ]


def test_a_rival_who_is_not_there_makes_no_contest() -> None:
    alone = judged(TOO_LATE, 2, 1 * S + 1 * MS, RED_1, margin_ns=1 * MS, rival=1)
    for others in (
        [],
        [judged(ACCEPTED, 1, 1 * S, RED_2)],
        [judged(ACCEPTED, 4, 1 * S, RED_1)],
        [judged(Verdict.ILLEGAL, 1, 1 * S, RED_1)],
        [judged(ACCEPTED, 1, 1 * S + 500 * US, RED_1)],
        [judged(ACCEPTED, 1, 1 * S)],
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
            decisions = book.numbered(row.chapter, first, row.last_effect)
            story = tell_story([(n, each.t_ns, each.effect) for n, each in decisions])
            assert story is not None
            told_of = {given.n for given in story.verdicts if given.judged.rival is not None}
            losers = [loser for contest in contests(story.verdicts) for loser in contest.losers]
            assert {loser.n for loser in losers} == told_of
            for loser in losers:
                winner = rival_of(loser, story.verdicts)
                assert winner is not None
                tied = loser.judged.verdict is Verdict.DEAD_HEAT_LOST
                assert tied or loser.stamp.middle_ns >= winner.stamp.middle_ns
                assert not tied or apart_ns(winner.stamp, loser.stamp) <= 0
            lost += len(losers)
            judgements = [each for _, each in decisions if isinstance(each.effect, Judged)]
            assert len(story.verdicts) <= len(judgements)
    assert lost > 5
