"""What rows know of themselves."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.store.results import RoundRow

ROUND = RoundRow(
    n=2,
    session_log=1,
    match=1,
    attempt=2,
    number=2,
    begun="2026-11-18T20:00:00",
    ended="2026-11-18T20:01:00",
    state="scored",
    first_effect=10,
    last_effect=20,
    finisher=1,
    void_reason=None,
    seats=(1, 2),
    leftovers=(0, 1),
    scores=(2, -1),
    totals=(2, -1),
    void_seats=(),
    game="dice",
    event="",
    day="2026-11-18",
)


def test_a_round_holds_its_effects_from_the_first_to_the_last() -> None:
    assert [n for n in range(30) if ROUND.holds(n)] == list(range(10, 21))


def test_a_round_that_is_under_way_holds_all_from_its_first_on() -> None:
    assert [n for n in range(30) if replace(ROUND, last_effect=None).holds(n)] == list(range(10, 30))
