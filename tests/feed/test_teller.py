"""The messages of the feed: a snapshot, what has changed since, and what is missing for who comes back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host import __version__
from firmware_host.feed import known_state, teller
from firmware_host.feed.known_state import State, merge_patch, patched
from firmware_host.feed.teller import (
    LYING,
    Surroundings,
    hello,
    lamps_text,
    message,
    possible_commands,
    table_state,
)
from firmware_host.games.games import Table
from firmware_host.games.phases import COMMANDS
from firmware_host.lab.party import Invitation, even_deal, hold_party
from firmware_host.model.effects import Judged, Verdict
from firmware_host.model.events import EndMatch, StartMatch, VoidRound
from firmware_host.model.places import Slot
from firmware_host.model.states import Condition, DeviceCondition, Phase
from firmware_host.model.times import S
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile
from firmware_host.show.lamps import Beat, Lamp, Tint
from tests.feed.telling import Listener, Told, read
from tests.games.driver import BLUE, ONE_TO_GO, RED, Driver, reach
from tests.show.cards import playing

R1, R2, B1 = Slot(RED, 1), Slot(RED, 2), Slot(BLUE, 1)


@pytest.fixture
def driver() -> Driver:
    each = Driver()
    each.wait(1 * S)
    return each


def test_a_message_is_a_line() -> None:
    assert read(hello()) == {"is": "hello", "feed": teller.VERSION, "program": __version__}
    assert message("felt", seat=2, name="Zoë") == '{"is":"felt","seat":2,"name":"Zoë"}\n'.encode()


def test_lamps_are_three_digits_each() -> None:
    lamps = [Lamp(Tint.OFF, Beat.DARK), Lamp(Tint.WHITE, Beat.STEADY), Lamp(Tint.RED, Beat.DOUBLE)]
    assert lamps_text(lamps) == "0007ff4a0"


def test_a_snapshot_says_how_all_stands(driver: Driver) -> None:
    told = Told(driver)
    snapshot = read(told.snapshot())
    assert (snapshot["is"], snapshot["session"], snapshot["n"]) == ("snapshot", "7", 0)
    assert snapshot["t_ns"] == driver.referee.advanced_ns
    assert snapshot["state"]["phase"] == "attract"
    assert snapshot["lamps"] == lamps_text(driver.referee.lamps)
    assert tuple(snapshot["page"]) == driver.lines()


def test_whoever_comes_later_is_told_the_same(driver: Driver) -> None:
    told = Told(driver)
    first = told.snapshot()
    driver.command(StartMatch((12, 12), driver.exactly))
    now = Listener()
    now.hear(first)
    now.hear(told.lines[0])
    later = Listener()
    later.hear(told.snapshot())
    assert later == now


def test_a_step_has_the_decisions_and_what_they_changed(driver: Driver) -> None:
    told = Told(driver)
    told.snapshot()
    driver.command(StartMatch((12, 12), driver.exactly))
    step = read(told.lines[0])
    assert [effect["is"] for effect in step["effects"]] == ["PhaseEntered"]
    assert step["n"] == 1 and step["t_ns"] == driver.now_ns
    assert step["state"]["phase"] == "countdown" and step["state"]["seats"]["1"]["dealt"] == 12
    assert "table" not in step["state"]


def test_who_listens_knows_at_every_step_what_a_snapshot_would_say(driver: Driver) -> None:
    told, listener = Told(driver), Listener()
    listener.hear(told.snapshot())
    driver.start(2, 2)
    driver.play(1, R1)
    driver.play(2, B1)
    driver.play(1, R2)
    driver.until_deadline()
    driver.until_deadline()
    driver.clear_board()
    for line in told.lines:
        listener.hear(line)
    now = Listener()
    told.teller.forget()
    now.hear(told.snapshot())
    assert listener == now and listener.state["history"]


@pytest.mark.parametrize(("profile", "seats"), [("dice4", 4), ("dice4-rfid", 3), ("cards4", 4)])
def test_a_whole_match_can_be_followed(profile: str, seats: int) -> None:
    """Whatever happens in it, the patches lead to what a snapshot would say."""
    loaded = load_profile(profile)
    invitation = Invitation(profile=loaded, deal=even_deal(loaded, seats), rounds=1)
    party = hold_party(invitation, 3)
    referee = party.table.shell.referee
    first = teller.Teller(1, referee, Surroundings)
    other = teller.Teller(1, referee, Surroundings)
    listener, n, phases = Listener(), 0, set()

    def follow(step: Step) -> None:
        nonlocal n
        n += len(step.effects)
        first.follow(step.effects)
        other.follow(step.effects)
        line = first.step(step, n)
        if line is not None:
            listener.hear(line)
            other.forget()
            snapshot = read(other.snapshot(n))
            assert listener.state == snapshot["state"]
            assert (listener.lamps, listener.page) == (snapshot["lamps"], snapshot["page"])
            phases.add(listener.state["phase"])

    listener.hear(first.snapshot(0))
    party.table.shell.onlookers.append(follow)
    while "result" not in phases:
        party.table.loop.step(party.table.loop.now_ns + 1 * S)
    party.close()
    assert {"join", "countdown", "play", "settle", "scores", "clear"} <= phases


def test_a_lamp_that_only_goes_on_blinking_is_not_told(driver: Driver) -> None:
    told = Told(driver)
    told.snapshot()
    driver.wait(1 * S)
    steps: list[Step] = []
    driver.onlookers.append(steps.append)
    driver.wait(1 * S)
    assert steps and all(step.frame is not None for step in steps)
    assert told.lines == []


# -- who comes back


def test_who_comes_back_gets_what_is_missing(driver: Driver) -> None:
    told, away = Told(driver), Listener()
    away.hear(told.snapshot())
    driver.start(2, 2)
    for line in told.lines:
        away.hear(line)
    driver.play(1, R1)
    missing = told.teller.backlog.since(away.n, told.n)
    assert missing
    for line in missing:
        away.hear(line)
    assert away.n == told.n and away.state == told.state


def test_changes_without_decisions_are_told_again(driver: Driver) -> None:
    """They have the number of the decision before; who knows that number may not know them."""
    told = Told(driver)
    told.snapshot()
    driver.start(2, 2)
    told.around = replace(told.around, names={1: "Ada"})
    line = told.teller.look_again(told.n)
    assert line is not None and read(line)["state"] == {"seats": {"1": {"name": "Ada"}}}
    assert (told.teller.backlog.since(told.n, told.n) or [])[-1] == line
    assert told.teller.look_again(told.n) is None


def test_a_change_that_is_only_in_the_snapshot_of_another_one_is_told_too(driver: Driver) -> None:
    """It has the number that somebody knows who has gone before it."""
    told, away = Told(driver), Listener()
    away.hear(told.snapshot())
    told.teller.forget()
    told.around = replace(told.around, names={1: "Ada"})
    told.snapshot()
    assert told.teller.backlog.since(away.n, told.n) is None


def test_what_is_not_known_is_not_made_up(driver: Driver) -> None:
    told = Told(driver)
    assert told.teller.backlog.since(0, 0) is None
    told.snapshot()
    assert told.teller.backlog.since(1, 0) is None
    assert told.teller.backlog.since(-1, 0) is None
    told.teller.forget()
    assert told.teller.backlog.since(0, 0) is None


def test_only_so_many_steps_are_kept(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_state, "KEPT", 3)
    told = Told(driver)
    told.snapshot()
    driver.start(2, 2)
    driver.play(1, R1)
    assert len(told.lines) > 4
    dropped = read(told.lines[-4])["n"]
    assert (
        told.teller.backlog.since(dropped, told.n) is None
    )  # it may have missed a change without a decision
    missing = told.teller.backlog.since(dropped + 1, told.n)
    assert missing and missing == told.lines[-len(missing) :] and len(missing) <= 3


def test_a_name_that_is_gone_is_in_no_step_that_is_told_later(driver: Driver) -> None:
    told = Told(driver)
    told.snapshot()
    driver.start(2, 2)
    told.around = Surroundings(names={1: "Anna", 2: "Ben"})
    named = told.teller.look_again(told.n)
    before = told.n
    driver.play(1, R1)
    assert named in (told.teller.backlog.since(before, told.n) or [])
    told.around = Surroundings(names={2: "Ben"})
    told.teller.look_again(told.n)
    assert (
        told.teller.backlog.since(before, told.n) is None
        and told.teller.backlog.since(told.n, told.n) is None
    )
    assert b"Anna" not in told.snapshot() and b"Ben" in told.snapshot()
    after = told.n
    driver.play(2, R2)
    assert told.teller.backlog.since(after, told.n) is None  # it may have missed a change without a decision
    assert told.teller.backlog.since(after + 1, told.n) is not None


# -- whose dice


def test_each_die_has_its_owner(driver: Driver) -> None:
    told = Told(driver)
    driver.start(6, 6, 6, 6)
    driver.play(2, R1)
    driver.play(3, R2)
    assert told.state["board"] == {
        "red 1": {"state": "counted", "seat": 2},
        "red 2": {"state": "counted", "seat": 3},
    }


def test_a_die_that_is_taken_back_is_nobodys(driver: Driver) -> None:
    told = Told(driver)
    driver.start(6, 6, 6, 6)
    driver.play(2, R1)
    driver.wait(1 * S)
    driver.empty(R1)
    driver.wait(1 * S)
    driver.tap(2)
    driver.fill(R1)
    driver.wait(1 * S)
    assert told.state["board"] == {"red 1": {"state": "open"}}


def test_a_round_begins_without_the_owners_of_the_last_one(driver: Driver) -> None:
    told = Told(driver)
    driver.start(6, 6, 6, 6)
    driver.play(2, R1)
    driver.command(VoidRound(driver.exactly))
    assert driver.phase() is Phase.CLEAR
    assert told.state["board"] == {"red 1": {"state": "lying"}}


def test_a_card_has_no_place_of_its_own_that_could_be_owned() -> None:
    loaded = load_profile("cards4")
    party = hold_party(Invitation(profile=loaded, deal=even_deal(loaded, 2)), 1)
    told = teller.Teller(1, party.table.shell.referee, Surroundings)
    judged: list[Judged] = []

    def follow(step: Step) -> None:
        told.follow(step.effects)
        judged.extend(effect for effect in step.effects if isinstance(effect, Judged))

    party.table.shell.onlookers.append(follow)
    while len(judged) < 20:
        party.table.loop.step(party.table.loop.now_ns + 1 * S)
    party.close()
    assert "board" not in read(told.snapshot(0))["state"]


VALUES = st.recursive(
    st.booleans()
    | st.integers(0, 3)
    | st.sampled_from(["", "red"])
    | st.lists(st.integers(0, 2), max_size=2),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
STATES = st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3)


@given(STATES, STATES)
def test_a_patch_leads_from_one_state_to_the_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert patched(before, merge_patch(before, after)) == after


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"a": 1}, {"a": 1}, {}),
        ({"a": 1}, {"a": 2}, {"a": 2}),
        ({"a": 1}, {"a": 1, "b": 2}, {"b": 2}),
        ({"a": 1, "b": 2}, {"b": 2}, {"a": None}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, {"a": {"c": 3}}),
        ({"a": {"b": 1}}, {"a": [1]}, {"a": [1]}),
        ({"a": [1]}, {"a": {"b": 1}}, {"a": {"b": 1}}),
    ],
)
def test_only_what_differs_is_in_it(before: dict[str, Any], after: dict[str, Any], patch: object) -> None:
    assert merge_patch(before, after) == patch
    assert patched(before, merge_patch(before, after)) == after


def test_a_patch_may_name_what_is_not_there() -> None:
    assert patched({"a": 1}, {"b": None}) == {"a": 1}
    assert patched({"a": [1]}, {"a": {"b": {"c": 1, "d": None}}}) == {"a": {"b": {"c": 1}}}


def test_the_state_before_stays_as_it_is() -> None:
    before = {"a": {"b": 1}, "c": 2}
    patched(before, {"a": {"b": 2}, "c": None})
    assert before == {"a": {"b": 1}, "c": 2}


R6 = Slot(RED, 6)


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
