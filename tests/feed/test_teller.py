"""The messages of the feed: a snapshot, what has changed since, and what is missing for who comes back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host import __version__
from firmware_host.feed import known_state, teller
from firmware_host.feed.teller import Surroundings, hello, lamps_text, message
from firmware_host.lab.party import Invitation, even_deal, hold_party
from firmware_host.model.effects import Judged
from firmware_host.model.events import StartMatch, VoidRound
from firmware_host.model.places import Slot
from firmware_host.model.states import Phase
from firmware_host.model.times import S
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile
from firmware_host.show.lamps import Beat, Lamp, Tint
from tests.feed.telling import Listener, Told, read
from tests.games.driver import BLUE, RED, Driver

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
