"""Standings: what counts, for whom, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from firmware_host.store.rows import DeadHeat, MatchRow, RoundRow
from firmware_host.store.standings import ALL, DAY, EVENT, Standing, standings
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
    return {each.seat: each for each in found}


def test_matches_rounds_and_points_are_summed_up() -> None:
    found = standings(
        [match(1, (5, -5)), match(2, (1, 1))],
        [round_(1, 1, (8, -8)), round_(1, 2, (-3, 3)), round_(2, 3, (1, 1))],
        [],
        (ALL,),
    )
    one, two = by_seat(found)[1], by_seat(found)[2]
    assert (one.matches, one.wins, one.rounds, one.rounds_ended, one.points, one.best_round) == (
        2,
        2,
        3,
        2,
        6,
        8,
    )
    assert (two.matches, two.wins, two.rounds, two.rounds_ended, two.points, two.best_round) == (
        2,
        1,
        3,
        1,
        -4,
        3,
    )
    assert [each.seat for each in found] == [1, 2]


def test_only_what_was_played_to_the_end_counts() -> None:
    found = standings(
        [match(1, (5, -5)), match(2, (9, -9), state="abandoned"), match(3, (7, -7), state="running")],
        [round_(1, 1, (5, -5)), round_(1, 2, (), state="void"), round_(2, 3, (9, -9))],
        [],
        (ALL,),
    )
    one = by_seat(found)[1]
    assert (one.matches, one.rounds, one.points, one.best_round) == (1, 1, 5, 5)


def test_a_match_without_rounds_that_are_kept_still_counts() -> None:
    (one, two) = standings([match(1, (5, -5))], [], [], (ALL,))
    assert (one.matches, one.rounds, one.best_round, two.points) == (1, 0, None, -5)


def test_dead_heats_are_counted_for_all_who_contended() -> None:
    rounds = [round_(1, 1, (5, -5, 0)), round_(1, 2, (0, 0, 0), state="void")]
    ties = [tie(1, 1, 1), tie(1, 1, 2), tie(1, 1, 2, (2, 3)), tie(1, 2, 1), tie(2, 1, 1), tie(1, 3, 1)]
    found = by_seat(standings([match(1, (5, -5, 0), seats=(1, 2, 3))], rounds, ties, (ALL,)))
    assert [(each.dead_heats, each.dead_heats_won) for each in (found[1], found[2], found[3])] == [
        (2, 1),
        (3, 2),
        (1, 0),
    ]
    assert [found[seat].dead_heat_share for seat in (1, 2, 3)] == [0.5, 0.667, 0.0]


def test_without_a_dead_heat_there_is_no_share_of_them() -> None:
    assert standings([match(1, (1, 0))], [], [])[0].dead_heat_share is None


def test_each_day_each_event_and_all_time_have_their_own() -> None:
    found = standings(
        [
            match(1, (5, -5), day="2026-11-17", event="Cup"),
            match(2, (-1, 1), day="2026-11-18", event="Cup"),
            match(3, (3, 4), day="2026-11-18", seats=(1, 2)),
        ],
        [],
        [],
    )
    assert [(each.scope, each.name, each.seat, each.wins, each.points) for each in found] == [
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
    found = standings([match(1, (5, -5)), match(2, (20, 30), game="cards")], [], [], (ALL,))
    assert [(each.game, each.seat, each.points) for each in found] == [
        ("cards", 2, 30),
        ("cards", 1, 20),
        ("dice", 1, 5),
        ("dice", 2, -5),
    ]


def test_real_matches_add_up(club: Path) -> None:
    with reading(str(club)) as book:
        matches, rounds, ties = book.matches(), book.rounds(100), book.dead_heats()
    found = standings(matches, rounds, ties, (ALL,))
    dice = [each for each in found if each.game == "dice"]
    assert sum(each.points for each in dice) == 0 and {each.rounds for each in dice} == {4}
    assert sum(each.rounds_ended for each in dice) == 4
    assert sum(each.dead_heats_won for each in dice) == len(ties) > 0
    assert sum(each.dead_heats for each in dice) == sum(len(tie.seats) for tie in ties)
