"""The same effects give the same rows however often they are taken."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.effects import (
    Effect,
    MatchEnded,
    PhaseEntered,
    RoundScored,
    RoundStarted,
    RoundVoided,
    SeatTaken,
    TieBroken,
)
from firmware_host.model.states import Phase, VoidReason
from firmware_host.store.result_rows import ResultRows, close_open_ends
from firmware_host.store.schema import MIGRATIONS

SESSION = 7
LATER = "2026-11-19T09:00:00"
STARTED = RoundStarted(1, (6, 6, 0, 6), 0)
AGAIN = RoundStarted(1, (3, 2, 0, 1), 0, again=True)
SCORED = RoundScored(1, (1, 2, 4), 2, (1, 0, 0, 2), (-1, 3, 0, -2), (-1, 3, 0, -2))
STUCK = RoundScored(2, (1, 2, 4), None, (1, 1, 0, 2), (-1, -1, 0, -2), (-2, 2, 0, -4))
ENDED = MatchEnded((1, 2, 4), (-1, 3, 0, -2), (2,))


def entered(phase: Phase) -> PhaseEntered:
    return PhaseEntered(phase, 0)


class Books:
    """A store in memory, and ledgers that write into it."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        for step in MIGRATIONS:
            self.connection.executescript(step)

    def take(self, effects: list[Effect], now: str = "2026-11-18T20:00:00", event: str = "Cup") -> ResultRows:
        """One session's effects, each a second later than the one before."""
        moments = iter(f"{now[:-2]}{second:02d}" for second in range(60))
        ledger = ResultRows(SESSION, event, "dice", lambda: next(moments))
        for n, effect in enumerate(effects):
            for statement, values in ledger.take(n, effect):
                self.connection.execute(statement, values)
        return ledger

    def close(self, session_log: int) -> None:
        """Another session begins, and nobody goes on with the ones before."""
        for statement, values in close_open_ends(session_log, LATER):
            self.connection.execute(statement, values)

    def all(self, question: str) -> list[Any]:
        return self.connection.execute(question).fetchall()

    @property
    def rows(self) -> list[Any]:
        matches, rounds = (self.all(f"SELECT * FROM {table} ORDER BY n") for table in ("matches", "rounds"))
        return [*matches, *rounds, *self.all("SELECT * FROM dead_heats")]


@pytest.fixture
def books() -> Iterator[Books]:
    books = Books()
    yield books
    books.connection.close()


def test_a_match_of_two_rounds(books: Books) -> None:
    second = RoundStarted(2, (6, 6, 0, 6), 0)
    books.take([STARTED, SCORED, entered(Phase.CLEAR), second, STUCK, entered(Phase.CLEAR), ENDED])
    (match,) = books.all("SELECT begun, ended, day, event, game, state, seats, totals, winners FROM matches")
    assert match[2:6] == ("2026-11-18", "Cup", "dice", "finished")
    assert match[6:] == ("[1, 2, 4]", "[-1, 3, 0, -2]", "[2]")
    assert match[0] < match[1]
    first, other = books.all(
        "SELECT attempt, number, state, first_effect, last_effect, finisher, seats, leftovers, "
        "scores, totals FROM rounds ORDER BY n"
    )
    assert first == (1, 1, "scored", 0, 1, 2, "[1, 2, 4]", "[1, 0, 0, 2]", "[-1, 3, 0, -2]", "[-1, 3, 0, -2]")
    assert other[:6] == (2, 2, "scored", 3, 4, None)


def test_a_round_that_goes_on_is_the_same_round(books: Books) -> None:
    books.take([STARTED, entered(Phase.PAUSED), AGAIN, entered(Phase.SETTLE), AGAIN, SCORED])
    assert books.all("SELECT attempt, state, first_effect, last_effect FROM rounds") == [(1, "scored", 0, 5)]


def test_a_void_round_is_played_again(books: Books) -> None:
    books.take([STARTED, entered(Phase.CLEAR), STARTED, SCORED])
    assert books.all("SELECT attempt, number, state, last_effect FROM rounds ORDER BY n") == [
        (1, 1, "void", 1),
        (2, 1, "scored", 3),
    ]
    assert len(books.all("SELECT * FROM matches")) == 1


def test_why_a_round_is_void_stays_with_it(books: Books) -> None:
    books.take([STARTED, RoundVoided(1, VoidReason.STUCK, 0, (1, 4)), entered(Phase.CLEAR), STARTED, SCORED])
    assert books.all("SELECT state, void_reason, void_seats FROM rounds ORDER BY n") == [
        ("void", "stuck", "[1, 4]"),
        ("scored", None, None),
    ]


def test_a_round_that_is_void_before_it_begins_says_nothing_of_the_one_before(books: Books) -> None:
    before = RoundVoided(2, VoidReason.OPERATOR, 0)
    books.take([STARTED, SCORED, before, entered(Phase.CLEAR)])
    assert books.all("SELECT state, void_reason FROM rounds") == [("scored", None)]


def test_a_round_that_is_void_twice_keeps_the_first_reason(books: Books) -> None:
    stuck, again = RoundVoided(1, VoidReason.STUCK, 0, (1, 2)), RoundVoided(1, VoidReason.OPERATOR, 0)
    books.take([STARTED, stuck, entered(Phase.CLEAR), again, entered(Phase.CLEAR)])
    assert books.all("SELECT void_reason, void_seats FROM rounds") == [("stuck", "[1, 2]")]


def test_dead_heats_stay_with_their_round(books: Books) -> None:
    first, second = (TieBroken(None, (1, 4), (0, 0), True, winner) for winner in (4, 1))
    books.take([STARTED, first, entered(Phase.CLEAR), STARTED, second, SCORED, second, STARTED, second])
    assert books.all("SELECT n, attempt, seats, winner FROM dead_heats ORDER BY n") == [
        (1, 1, "[1, 4]", 4),
        (4, 2, "[1, 4]", 1),
        (8, 3, "[1, 4]", 1),
    ]


def test_a_match_that_is_given_up_in_a_round(books: Books) -> None:
    books.take([STARTED, entered(Phase.ATTRACT)])
    assert books.all("SELECT state, last_effect FROM rounds") == [("abandoned", 1)]
    assert books.all("SELECT state, seats, totals, winners FROM matches") == [("abandoned", None, None, None)]


def test_a_match_that_is_given_up_later_keeps_its_points(books: Books) -> None:
    books.take([STARTED, SCORED, entered(Phase.CLEAR), entered(Phase.ATTRACT)])
    assert books.all("SELECT state, seats, totals, winners FROM matches") == [
        ("abandoned", "[1, 2, 4]", "[-1, 3, 0, -2]", None)
    ]
    assert books.all("SELECT state FROM rounds") == [("scored",)]


def test_the_next_match_of_a_session_is_another_one(books: Books) -> None:
    ledger = books.take([STARTED, SCORED, ENDED, entered(Phase.ATTRACT), STARTED])
    assert books.all("SELECT number, state FROM matches ORDER BY n") == [(1, "finished"), (2, "running")]
    assert books.all("SELECT match, attempt, state FROM rounds ORDER BY n") == [
        (1, 1, "scored"),
        (2, 2, "running"),
    ]
    assert ledger.matches == 2


def test_a_table_where_nobody_plays_has_no_matches(books: Books) -> None:
    ledger = books.take([entered(Phase.JOIN), SeatTaken(1), entered(Phase.ATTRACT)])
    assert books.rows == [] and ledger.matches == 0


# -- what nobody can go on with

ENDS = "SELECT state, ended FROM matches UNION ALL SELECT state, ended FROM rounds"


def test_what_was_left_open_ends_when_another_session_begins(books: Books) -> None:
    books.take([STARTED])
    books.connection.execute(
        "INSERT INTO effects VALUES (?, 0, 0, '', NULL), (?, 4, 0, '', NULL)", (SESSION,) * 2
    )
    books.close(SESSION)
    assert books.all(ENDS) == [("running", None)] * 2, "the session that begins may have been gone on with"
    books.close(SESSION + 1)
    assert books.all(ENDS) == [("abandoned", LATER)] * 2
    assert books.all("SELECT last_effect FROM rounds") == [(4,)]


def test_what_has_ended_stays_as_it_is(books: Books) -> None:
    books.take(
        [STARTED, SCORED, entered(Phase.CLEAR), ENDED, entered(Phase.ATTRACT), STARTED, entered(Phase.CLEAR)]
    )
    before = books.rows
    books.close(SESSION + 1)
    (_, match, *rounds) = books.rows
    assert [match[8], match[4]] == ["abandoned", LATER]
    assert [books.rows[0], *rounds] == [before[0], *before[2:]]


def test_a_round_whose_effects_are_not_kept_ends_all_the_same(books: Books) -> None:
    books.take([STARTED])
    books.close(SESSION + 1)
    assert books.all("SELECT state, last_effect FROM rounds") == [("abandoned", None)]


story = st.lists(
    st.sampled_from(
        [STARTED, AGAIN, SCORED, STUCK, ENDED, SeatTaken(1)]
        + [entered(phase) for phase in (Phase.CLEAR, Phase.ATTRACT, Phase.PAUSED, Phase.SETTLE)]
    ),
    max_size=15,
)


@given(story, st.integers(0, 15))
def test_taken_again_after_a_crash_they_give_the_same_rows(effects: list[Effect], known: int) -> None:
    """What was written before the crash keeps its times; what was not is written now."""
    before, after = Books(), Books()
    before.take(effects)
    once = before.rows
    before.take(effects, now="2026-11-19T09:00:00")
    assert before.rows == once

    after.take(effects[:known])
    begun = after.all("SELECT begun FROM rounds ORDER BY n")
    after.take(effects, now="2026-11-19T09:00:00")
    assert [_timeless(row) for row in after.rows] == [_timeless(row) for row in once]
    assert after.all("SELECT begun FROM rounds ORDER BY n")[: len(begun)] == begun
    before.connection.close()
    after.connection.close()


def _timeless(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row without the times at which it was written."""
    return tuple(None if isinstance(value, str) and value.startswith("2026-") else value for value in row)
