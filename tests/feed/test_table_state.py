"""The state of a table: what somebody knows who has just come."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.feed.known_state import State
from firmware_host.feed.teller import LYING, Surroundings, possible_commands, table_state
from firmware_host.games.games import Table
from firmware_host.games.phases import COMMANDS
from firmware_host.model.effects import Verdict
from firmware_host.model.events import EndMatch, StartMatch
from firmware_host.model.places import Slot
from firmware_host.model.states import Condition, DeviceCondition, Phase
from firmware_host.model.times import S
from tests.games.driver import BLUE, ONE_TO_GO, RED, Driver, reach
from tests.show.cards import playing

R1, R2, R6, B1 = Slot(RED, 1), Slot(RED, 2), Slot(RED, 6), Slot(BLUE, 1)


def state_of(
    driver: Driver, around: Surroundings | None = None, owners: dict[Slot, int] | None = None
) -> State:
    state = table_state(driver.referee, around or Surroundings(), owners or {})
    assert not has_null(state)
    return state


def has_null(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(has_null, value.values()))
    return any(map(has_null, value)) if isinstance(value, list) else value is None


def test_a_table_where_nobody_plays() -> None:
    driver = Driver(Table(seats=2, closed=frozenset({2})))
    driver.wait(0)
    assert state_of(driver) == {
        "phase": "attract",
        "commands": ["start"],
        "entered_ns": driver.now_ns,
        "table": {
            "game": "dice",
            "seats": 2,
            "piles": 0,
            "language": "en",
            "owned_by_tag": False,
            "pads": False,
            "identified": False,
            "expert": False,
            "event": "",
            "simulated": False,
        },
        "seats": {"1": {"open": True, "seated": False}, "2": {"open": False, "seated": False}},
        "board": {},
        "last": {},
        "devices": {},
        "masked": {},
    }


def test_what_lies_there_while_no_round_judges_it() -> None:
    driver = Driver()
    driver.fill(B1)
    driver.wait(1 * S)
    assert state_of(driver)["board"] == {"blue 1": {"state": LYING}}


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_has_its_commands(phase: Phase) -> None:
    state = state_of(reach(phase))
    assert state["phase"] == phase.value and state["commands"] == possible_commands(phase)
    assert len(state["commands"]) == len(COMMANDS[phase])
    assert ("match" in state) == (phase not in (Phase.ATTRACT, Phase.JOIN))


def test_the_words_of_commands_are_those_that_the_operator_uses() -> None:
    assert possible_commands(Phase.SETTLE) == ["void", "end", "leftover"]
    assert possible_commands(Phase.PAUSED) == ["pause", "resume", "void", "end"]


def test_a_round_of_dice() -> None:
    driver = Driver()
    driver.start(6, 6, 6, 6)
    driver.play(2, R1)
    driver.fill(B1)
    driver.wait(100_000_000)
    state = state_of(driver, owners={R1: 2})
    assert state["board"] == {"red 1": {"state": "counted", "seat": 2}, "blue 1": {"state": "open"}}
    assert state["wanted"] == {"red": 2, "yellow": 1, "green": 1, "blue": 2}
    assert state["seats"]["2"] == {
        "open": True,
        "seated": True,
        "dealt": 6,
        "total": 0,
        "left": 5,
        "tally": 5,
    }
    assert state["last"]["2"]["verdict"] == Verdict.ACCEPTED.value
    assert state["round"]["number"] == 1 and state["round"]["running"] is True
    assert state["round"]["started_ns"] < driver.now_ns
    assert state["match"]["rounds"] == 12 and state["history"] == []
    assert state["deadline_ns"] > driver.now_ns


def test_a_row_that_is_full_wants_nothing() -> None:
    driver = Driver()
    driver.start_from("r6y0g0b0 1/6,6/6,6/6,5/6")
    assert state_of(driver)["wanted"] == {"yellow": 1, "green": 1, "blue": 1}


def test_a_seat_that_is_locked() -> None:
    driver = Driver()
    driver.start(6, 6, 6, 6)
    for _ in range(2):  # the first false claim is a warning
        driver.tap(3)
        driver.wait(2 * S)
    assert state_of(driver)["seats"]["3"]["locked_until_ns"] > driver.now_ns - 2 * S


def test_the_counts_that_are_checked() -> None:
    driver = reach(Phase.SETTLE)
    assert state_of(driver)["check"] == {"step": "check", "counts": [0, 6, 0, 0]}
    driver.tap(1)
    assert state_of(driver)["seats"]["1"]["agreed"] is True
    driver.hold(2)
    driver.tap(2)
    check = state_of(driver)["check"]
    assert (check["step"], check["disputing"], check["entered"]) == ("entry", 2, 1)


def test_the_points_of_a_round_and_of_a_match() -> None:
    scores = state_of(reach(Phase.SCORES))
    assert scores["scored"]["is"] == "RoundScored" and scores["history"] == [[6, -6, 0, 0]]
    assert (scores["round"]["number"], scores["round"]["running"]) == (1, False)
    assert "check" not in scores
    result = state_of(reach(Phase.RESULT))
    assert result["result"]["winners"] == (1,)


def test_the_piles_of_cards_and_whose_cards_lie_in_them() -> None:
    state = state_of(playing("10,10,10,- r1.2 - b3.3.1"))
    assert state["piles"] == {
        "1": {"colour": "red", "height": 2, "owners": [1, 2]},
        "3": {"colour": "blue", "height": 3, "owners": [3, 3, 1]},
    }
    assert state["table"]["piles"] == 16 and "board" not in state


def test_a_match_that_is_resumed_waits_for_its_players() -> None:
    driver = reach(Phase.PLAY)
    driver.interrupt("power")
    assert state_of(driver)["waiting"] == "power"


def test_what_is_around_the_referee() -> None:
    lost = DeviceCondition("left", Condition.LOST, "no answer", "look at its cable")
    around = Surroundings(
        event="street fair",
        simulated=True,
        names={1: "Ada"},
        devices={"left": lost, "sign": DeviceCondition("sign", Condition.OK)},
    )
    state = state_of(Driver(), around)
    assert state["table"]["event"] == "street fair" and state["table"]["simulated"] is True
    assert state["seats"]["1"]["name"] == "Ada" and "name" not in state["seats"]["2"]
    assert state["devices"] == {
        "left": {"condition": "lost", "seen": "no answer", "advice": "look at its cable"}
    }


def test_nothing_can_be_commanded_while_the_table_is_away() -> None:
    state = state_of(reach(Phase.PLAY), Surroundings(away="service"))
    assert (state["phase"], state["commands"]) == ("service", [])


def test_a_contact_that_is_not_listened_to() -> None:
    driver = reach(Phase.PLAY)
    driver.mask(R6)
    driver.wait(1 * S)
    assert state_of(driver)["masked"] == {"red 6": "chatters"}


def test_the_next_match_begins_without_the_last_one() -> None:
    driver = reach(Phase.SCORES)
    driver.command(EndMatch(driver.exactly))
    driver.clear_board()
    driver.wait(5 * S)
    driver.command(StartMatch((12, 12), driver.exactly))
    state = state_of(driver)
    assert state["history"] == [] and state["round"]["number"] == 1


def test_the_position_of_one_to_go() -> None:
    driver = Driver()
    driver.start_from(ONE_TO_GO)
    assert state_of(driver)["seats"]["1"]["left"] == 1


def test_it_says_that_names_are_hidden() -> None:
    assert "names_hidden" not in state_of(Driver())["table"]
    assert state_of(Driver(), Surroundings(names_hidden=True))["table"]["names_hidden"] is True


def test_who_keeps_names_is_told_that_one_has_changed() -> None:
    assert "players_changed" not in state_of(Driver())["table"]
    assert state_of(Driver(), Surroundings(players_changed=2))["table"]["players_changed"] == 2
