"""The photo finish as a value: who, by which rule, and what order of arrival would have said."""

from __future__ import annotations

import json

import pytest

from firmware_host.history.finish import FinishRule, finish_id, finish_of, finish_record
from firmware_host.model.effects import Verdict
from firmware_host.model.times import MS, US, S, Stamp
from tests.history.finishes import ALL, CLOSE, EARLY, FEWEST, OVERLAP, TIED, finish, only_contest
from tests.history.stories import RED_1, START_NS, stamp


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("close", FinishRule.STAMPS),
        ("tied", FinishRule.DRAW),
        ("fewest", FinishRule.FEWEST_TIES),
        ("early", FinishRule.EARLY),
        ("overlap", FinishRule.OVERLAP),
    ],
)
def test_each_contest_has_the_rule_that_decided_it(kind: str, rule: FinishRule) -> None:
    assert finish(ALL[kind]).rule is rule


def test_the_winner_is_first_and_margins_are_against_it() -> None:
    found = finish(CLOSE)
    assert [each.seat for each in found.rivals] == [1, 2, 4]
    assert found.what == RED_1
    assert [each.margin_ns for each in found.rivals] == [0, 400 * US, 2 * MS]
    assert [each.apart_ns for each in found.rivals] == [0, 200 * US, 1800 * US]
    assert found.zero_ns == START_NS + 1 * S
    assert [each.seat for each in found.losers] == [2, 4]


def test_in_a_dead_heat_the_tied_have_their_wins_and_the_time_that_they_share() -> None:
    found = finish(FEWEST)
    assert [(each.seat, each.ties_won) for each in found.tied] == [(1, 0), (2, 3)]
    assert found.common == Stamp(stamp(2 * S + 50 * US).earliest_ns, stamp(2 * S).latest_ns)
    assert found.rivals[-1].verdict is Verdict.TOO_LATE
    assert not found.rivals[-1].is_tied


def test_without_a_dead_heat_nothing_is_shared() -> None:
    found = finish(CLOSE)
    assert (found.common, found.tied, found.early) == (None, (), ())


def test_who_slapped_before_the_winner_was_early() -> None:
    assert [each.seat for each in finish(EARLY).early] == [2]


@pytest.mark.parametrize(("arrived", "first"), [("124", 1), ("421", 4), ("12", None), ("", None)])
def test_order_of_arrival_says_somebody_only_if_it_is_known_of_all(arrived: str, first: int | None) -> None:
    assert finish(CLOSE, arrived).first_to_arrive == first


def test_arrival_is_counted_within_the_contest() -> None:
    found = finish(TIED, "21")
    assert {each.seat: each.arrived for each in found.rivals} == {2: 1, 1: 2}


def test_one_doubtful_verdict_makes_all_of_it_doubtful() -> None:
    assert finish(OVERLAP).is_doubtful
    assert not finish(CLOSE).is_doubtful


def test_its_name_is_that_of_the_winning_verdict() -> None:
    assert finish(CLOSE, session=7).id == finish_id(7, 1) == "7-1"


def test_the_record_is_json_with_times_from_the_winner() -> None:
    record = json.loads(json.dumps(finish_record(finish(FEWEST, "214"))))
    assert record["what"] == "red 1"
    assert record["rule"] == "fewest-ties"
    assert record["since_start_ns"] == 2 * S + 50 * US
    assert record["first_to_arrive"] == 2
    assert [(each["seat"], each["arrived"], each["ties_won_before"]) for each in record["rivals"]] == [
        (1, 2, 0),
        (2, 1, 3),
        (4, 3, None),
    ]
    assert record["rivals"][0]["earliest_ns"] == -100 * US


def test_a_finish_outside_a_known_round_has_no_time_since_its_start() -> None:
    found = finish_of(only_contest(CLOSE), 1, {})
    assert finish_record(found)["since_start_ns"] is None
