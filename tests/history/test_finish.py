"""The photo finish as a value: who, by which rule; of the past, and folded from a feed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from firmware_host.history.finish import ContestBook, FinishRule, finish_id, finish_of, finish_record
from firmware_host.model.effects import Effect, Verdict, effect_record
from firmware_host.model.times import MS, US, S, Stamp
from tests.history.finishes import ALL, CLOSE, EARLY, FEWEST, OVERLAP, TIED, finish, only_contest
from tests.history.stories import ACCEPTED, RED_1, START_NS, TOO_LATE, Decided, judged, lost, stamp, started


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
    assert (found.common, found.tied, found.early) == (None, (), ())
    assert finish(CLOSE, session=7).id == finish_id(7, 1) == "7-1"


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


def snapshot(session: str = "3", **state: Any) -> dict[str, Any]:
    return {"is": "snapshot", "session": session, "n": 0, "t_ns": 0, "state": state}


def steps(effects: list[Decided], first: int = 0) -> list[dict[str, Any]]:
    """A step for each effect."""
    return [step(n + 1, [effect], t_ns) for n, (t_ns, effect) in enumerate(effects, start=first)]


def step(n: int, effects: list[Effect], t_ns: int = 0) -> dict[str, Any]:
    return {"is": "step", "session": "3", "n": n, "t_ns": t_ns, "effects": [*map(effect_record, effects)]}


def felt(effects: list[Decided], seats: str) -> list[dict[str, Any]]:
    """The presses of the only contest in this order."""
    at = {given.judged.seat: given.stamp.earliest_ns for given in only_contest(effects).all}
    return [{"is": "felt", "seat": int(seat), "call": False, "t_ns": at[int(seat)]} for seat in seats]


def read(messages: list[dict[str, Any]], most: int = 50) -> ContestBook:
    book = ContestBook(most)
    for each in messages:
        book.take(each)
    return book


def test_a_contest_is_the_same_live_as_from_the_whole_round() -> None:
    for effects, order in ((CLOSE, "421"), (TIED, "21"), (FEWEST, "142")):
        in_order = sorted(effects, key=lambda each: "dead-heat-lost" in str(each[1]).lower())
        book = read([snapshot(), *felt(effects, order), *steps(in_order)])
        (found,) = book.finishes
        wanted = finish(effects, order)
        assert (found.rivals, found.rule, found.started_ns) == (wanted.rivals, wanted.rule, START_NS)


def test_it_grows_with_each_loser() -> None:
    book = read([snapshot()])
    changed = [book.take(each) for each in steps(CLOSE)]
    assert [len(finish.rivals) for some in changed for finish in some] == [2, 3]
    assert len(book.finishes) == 1


def test_several_effects_of_a_step_are_numbered_back_from_its_number() -> None:
    effects = [effect for _, effect in CLOSE]
    book = read([snapshot(), step(40 + len(effects), effects)])
    assert [each.id for each in book.finishes] == ["3-41"]
    assert book.find("3-41") is book.finishes[0]
    assert book.find("3-1") is None


def test_round_and_start_are_those_of_the_snapshot_for_somebody_who_comes_later() -> None:
    (found,) = read([snapshot(round={"number": 4, "started_ns": 7}), *steps(CLOSE[1:4])]).finishes
    assert (found.round_number, found.started_ns) == (4, 7)


def test_a_round_that_goes_on_began_at_its_first_start() -> None:
    again = [CLOSE[0], started(500 * MS, again=True), *CLOSE[1:4]]
    (found,) = read([snapshot(), *steps(again)]).finishes
    assert found.started_ns == START_NS


def test_another_session_keeps_what_was_seen_and_mixes_nothing() -> None:
    book = read([snapshot(), *steps(CLOSE)])
    book.take(snapshot("4"))
    for each in steps([CLOSE[2]]):  # its winner is of the session before
        assert book.take(each) == ()
    assert [each.id for each in book.finishes] == ["3-1"]


def test_a_snapshot_of_the_same_session_loses_nothing() -> None:
    told = steps(CLOSE)
    book = read([snapshot(), *felt(CLOSE, "124"), *told[:2], snapshot(), *told[2:]])
    assert [each.arrived for each in book.finishes[0].rivals] == [1, 2, 3]


def test_only_the_last_contests_are_kept() -> None:
    effects: list[Decided] = [started()]
    for n in range(1, 6):
        effects.append(judged(ACCEPTED, 1, n * S, RED_1))
        effects.append(lost(TOO_LATE, 2, n * S + 1 * MS, RED_1, (1, n * S)))
    book = read([snapshot(), *steps(effects)], most=3)
    assert [each.id for each in book.finishes] == ["3-5", "3-7", "3-9"]


def test_past_contests_come_before_those_that_were_seen_and_never_replace_them() -> None:
    book = read([snapshot(), *steps(CLOSE)])
    seen = book.finishes[0]
    book.add_past([finish(TIED, session=2), finish(CLOSE, session=3)])
    assert [each.id for each in book.finishes] == ["2-3", "3-1"]
    assert book.find("3-1") is seen


def test_other_messages_and_effects_of_a_newer_table_change_nothing() -> None:
    book = read([{"is": "hello"}, {"is": "alive", "t_ns": 1}, snapshot()])
    strange = {"is": "Judged", "verdict": "from-the-future"}
    assert book.take({"is": "step", "session": "3", "n": 1, "effects": [strange]}) == ()
    assert book.take({"is": "step", "session": "3", "n": 1}) == ()
    assert book.finishes == ()


def test_the_rule_of_a_dead_heat_is_known_live() -> None:
    in_order = [TIED[0], *TIED[2:], TIED[1]]
    assert read([snapshot(), *steps(in_order)]).finishes[0].rule is FinishRule.DRAW
