"""Standings: what counts, for whom, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.store.results import (
    ALL,
    DAY,
    EVENT,
    DeadHeat,
    MatchRow,
    RoundRow,
    Sitting,
    Standing,
    played_matches,
    player_standings,
    standings,
)
from firmware_host.store.store_reader import reading


def match(
    n: int,
    totals: Sequence[int],
    *,
    day: str = "2026-11-18",
    event: str = "",
    game: str = "dice",
    state: str = "finished",
    seats: Sequence[int] = (1, 2),
) -> MatchRow:
    """A match in a session of its own, won by whoever has most."""
    best = max(totals[seat - 1] for seat in seats)
    winners = tuple(seat for seat in seats if totals[seat - 1] == best) if state == "finished" else ()
    return MatchRow(n, n, 1, "then", "now", day, event, game, state, tuple(seats), tuple(totals), winners)


def round_(session_log: int, attempt: int, scores: Sequence[int], state: str = "scored") -> RoundRow:
    """A round whose effects have the numbers from ten times its attempt on."""
    finisher = scores.index(max(scores)) + 1 if scores else None
    first, last = 10 * attempt, 10 * attempt + 9
    points = tuple(scores)
    return RoundRow(
        attempt, session_log, 1, attempt, attempt, "then", "now", state, first, last, finisher,
        None, (), (), points, points, (), "dice", "", "2026-11-18",
    )  # fmt: skip


def tie(session_log: int, attempt: int, winner: int, seats: tuple[int, ...] = (1, 2)) -> DeadHeat:
    return DeadHeat(session_log, attempt, seats, winner)


def by_seat(found: list[Standing]) -> dict[int, Standing]:
    return {each.who: each for each in found}


def counted(each: Standing) -> tuple[int | None, ...]:
    return each.matches, each.wins, each.rounds, each.rounds_ended, each.points, each.best_round


def test_matches_rounds_and_points_are_summed_up() -> None:
    found = standings(
        played_matches(
            [match(1, (5, -5)), match(2, (1, 1))],
            [round_(1, 1, (8, -8)), round_(1, 2, (-3, 3)), round_(2, 3, (1, 1))],
            [],
        ),
        (ALL,),
    )
    one, two = by_seat(found)[1], by_seat(found)[2]
    assert [counted(each) for each in (one, two)] == [(2, 2, 3, 2, 6, 8), (2, 1, 3, 1, -4, 3)]
    assert [each.who for each in found] == [1, 2]


def test_only_what_was_played_to_the_end_counts() -> None:
    found = standings(
        played_matches(
            [match(1, (5, -5)), match(2, (9, -9), state="abandoned"), match(3, (7, -7), state="running")],
            [round_(1, 1, (5, -5)), round_(1, 2, (), state="void"), round_(2, 3, (9, -9))],
            [],
        ),
        (ALL,),
    )
    one = by_seat(found)[1]
    assert (one.matches, one.rounds, one.points, one.best_round) == (1, 1, 5, 5)


def test_a_match_without_rounds_that_are_kept_still_counts() -> None:
    (one, two) = standings(played_matches([match(1, (5, -5))], [], []), (ALL,))
    assert (one.matches, one.rounds, one.best_round, two.points) == (1, 0, None, -5)


def test_dead_heats_are_counted_for_all_who_contended() -> None:
    rounds = [round_(1, 1, (5, -5, 0)), round_(1, 2, (0, 0, 0), state="void")]
    ties = [tie(1, 1, 1), tie(1, 1, 2), tie(1, 1, 2, (2, 3)), tie(1, 2, 1), tie(2, 1, 1), tie(1, 3, 1)]
    found = by_seat(standings(played_matches([match(1, (5, -5, 0), seats=(1, 2, 3))], rounds, ties), (ALL,)))
    assert [(each.dead_heats, each.dead_heats_won) for each in (found[1], found[2], found[3])] == [
        (2, 1),
        (3, 2),
        (1, 0),
    ]
    assert [found[seat].dead_heat_share for seat in (1, 2, 3)] == [0.5, 0.667, 0.0]


def test_without_a_dead_heat_there_is_no_share_of_them() -> None:
    assert standings(played_matches([match(1, (1, 0))], [], []))[0].dead_heat_share is None


def test_each_day_each_event_and_all_time_have_their_own() -> None:
    found = standings(
        played_matches(
            [
                match(1, (5, -5), day="2026-11-17", event="Cup"),
                match(2, (-1, 1), day="2026-11-18", event="Cup"),
                match(3, (3, 4), day="2026-11-18", seats=(1, 2)),
            ],
            [],
            [],
        )
    )
    assert [(each.scope, each.name, each.who, each.wins, each.points) for each in found] == [
        (DAY, "2026-11-17", 1, 1, 5),
        (DAY, "2026-11-17", 2, 0, -5),
        (DAY, "2026-11-18", 2, 2, 5),
        (DAY, "2026-11-18", 1, 0, 2),
        (EVENT, "Cup", 1, 1, 4),
        (EVENT, "Cup", 2, 1, -4),
        (ALL, "", 2, 2, 0),
        (ALL, "", 1, 1, 7),
    ]


def test_the_games_are_not_mixed() -> None:
    found = standings(played_matches([match(1, (5, -5)), match(2, (20, 30), game="cards")], [], []), (ALL,))
    assert [(each.game, each.who, each.points) for each in found] == [
        ("cards", 2, 30),
        ("cards", 1, 20),
        ("dice", 1, 5),
        ("dice", 2, -5),
    ]


def test_real_matches_add_up(club: Path) -> None:
    with reading(str(club)) as book:
        matches, rounds, ties = book.matches(), book.rounds(100), book.dead_heats()
    found = standings(played_matches(matches, rounds, ties), (ALL,))
    dice = [each for each in found if each.game == "dice"]
    assert sum(each.points for each in dice) == 0 and {each.rounds for each in dice} == {4}
    assert sum(each.rounds_ended for each in dice) == 4
    assert sum(each.dead_heats_won for each in dice) == len(ties) > 0
    assert sum(each.dead_heats for each in dice) == sum(len(tie.seats) for tie in ties)


# -- players


def ranked(found: list[Standing]) -> list[tuple[str, str, int, int, int, int]]:
    return [(each.scope, each.name, each.who, each.matches, each.wins, each.points) for each in found]


ANNA, BEN = 1, 2
NAMES = {ANNA: "Anna", BEN: "Ben"}


def test_a_player_has_what_the_seats_have_come_to() -> None:
    found = player_standings(
        played_matches(
            [match(1, (5, -5)), match(2, (-1, 1))],
            [round_(1, 1, (8, -8)), round_(2, 2, (-1, 1))],
            [tie(1, 1, 1)],
        ),
        [Sitting(1, 1, 1, ANNA), Sitting(2, 1, 2, ANNA), Sitting(2, 1, 1, BEN)],
        NAMES,
        (ALL,),
    )
    assert ranked(found) == [(ALL, "", ANNA, 2, 2, 6), (ALL, "", BEN, 1, 0, -1)]
    anna = found[0]
    assert (anna.rounds, anna.rounds_ended, anna.best_round, anna.dead_heat_share) == (2, 2, 8, 1.0)


def test_guests_and_seats_that_did_not_play_have_no_standing() -> None:
    sat = [Sitting(1, 1, 3, ANNA), Sitting(1, 1, 2, 99), Sitting(7, 1, 1, BEN)]
    assert player_standings(played_matches([match(1, (5, -5))], [], []), sat, NAMES) == []


def test_a_match_that_was_given_up_counts_for_nobody() -> None:
    matches = [match(1, (5, -5), state="abandoned")]
    assert player_standings(played_matches(matches, [], []), [Sitting(1, 1, 1, ANNA)], NAMES) == []


def test_players_too_have_days_events_and_all_time() -> None:
    found = player_standings(
        played_matches(
            [match(1, (5, -5), day="2026-11-17", event="Cup"), match(2, (-1, 1), day="2026-11-18")], [], []
        ),
        [Sitting(1, 1, 1, ANNA), Sitting(1, 1, 2, BEN), Sitting(2, 1, 1, ANNA), Sitting(2, 1, 2, BEN)],
        NAMES,
    )
    assert ranked(found) == [
        (DAY, "2026-11-17", ANNA, 1, 1, 5),
        (DAY, "2026-11-17", BEN, 1, 0, -5),
        (DAY, "2026-11-18", BEN, 1, 1, 1),
        (DAY, "2026-11-18", ANNA, 1, 0, -1),
        (EVENT, "Cup", ANNA, 1, 1, 5),
        (EVENT, "Cup", BEN, 1, 0, -5),
        (ALL, "", ANNA, 2, 1, 4),
        (ALL, "", BEN, 2, 1, -4),
    ]


def test_equals_are_in_the_order_of_their_names() -> None:
    found = player_standings(
        played_matches([match(1, (5, 5))], [], []),
        [Sitting(1, 1, 1, BEN), Sitting(1, 1, 2, ANNA)],
        NAMES,
        (ALL,),
    )
    assert [each.who for each in found] == [ANNA, BEN]


def test_whoever_played_at_two_seats_has_both() -> None:
    sat = [Sitting(1, 1, 1, ANNA), Sitting(1, 1, 2, ANNA)]
    assert ranked(player_standings(played_matches([match(1, (5, -5))], [], []), sat, NAMES, (ALL,))) == [
        (ALL, "", ANNA, 2, 1, 0)
    ]


def test_a_round_with_fewer_seats_than_its_match_counts_for_those_it_has() -> None:
    """That may be in a damaged file."""
    found = by_seat(standings(played_matches([match(1, (5, -5))], [round_(1, 1, (5,))], []), (ALL,)))
    assert (found[1].rounds, found[2].rounds) == (1, 0)


@pytest.mark.parametrize(("last", "held"), [(19, range(10, 20)), (None, range(10, 30))])
def test_a_round_holds_its_effects_from_the_first_on(last: int | None, held: range) -> None:
    """To the last, if it is not under way."""
    row = replace(round_(1, 1, (5, -5)), last_effect=last)
    assert [n for n in range(30) if row.holds(n)] == list(held)
