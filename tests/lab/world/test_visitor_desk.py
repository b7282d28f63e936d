"""The socket at which visitors sit down: who gets a seat, who keeps it, and what is said to them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.model.states import Phase
from tests.lab.world.visitor_tables import Caller, DeskTable


@pytest.fixture
def table(tmp_path: Path) -> Iterator[DeskTable]:
    made = DeskTable(tmp_path / "hands.sock")
    yield made
    made.close()


def sit(table: DeskTable, seat: int, **more: Any) -> Caller:
    caller = table.call()
    caller.say(do="sit", seat=seat, **more)
    caller.until(lambda told: told.get("yours"))
    return caller


def test_only_its_own_user_may_connect(table: DeskTable) -> None:
    assert table.path.stat().st_mode & 0o777 == 0o600


def test_a_visitor_has_the_dice_of_the_person_who_got_up(table: DeskTable) -> None:
    visitor = sit(table, 2)
    assert visitor.until(lambda told: told.get("cup") == 6)["game"] == "dice"
    assert table.crowd.at(2).aside and not table.crowd.at(1).aside


def test_what_is_asked_with_a_number_is_answered_with_it(table: DeskTable) -> None:
    visitor = sit(table, 2)
    visitor.until(lambda told: told.get("cup") == 6)
    before = table.come_ups
    visitor.say(do="throw", id=7)
    done = visitor.until(lambda told: told.get("id") == 7)
    assert done["is"] == "done" and isinstance(done["t_ns"], int)
    assert table.come_ups == before + 1
    visitor.until(lambda told: len(told.get("dice", ())) == 6)
    visitor.say(do="back", **{"from": "red 1"}, id="x")
    refused = visitor.until(lambda told: told.get("id") == "x")
    assert (refused["is"], refused["why"]) == ("refused", "no die of yours lies on red 1")


def test_a_taken_seat_is_refused_with_what_is_free(table: DeskTable) -> None:
    sit(table, 2)
    other = table.call()
    for ticket in (None, "wrong", 5):
        other.say(do="sit", seat=2, ticket=ticket)
    other.until(lambda told: len(other.heard) == 3)
    assert {told["code"] for told in other.heard} == {"taken"}
    assert other.heard[0]["why"] == "somebody sits at seat 2; free: seat 1, 3, 4"
    assert sit(table, 3).heard


def test_two_visitors_play_at_one_table(table: DeskTable) -> None:
    first, second = sit(table, 1), sit(table, 4)
    assert first.heard[-1]["seat"] == 1 and second.heard[-1]["seat"] == 4
    assert first.heard[-1]["ticket"] != second.heard[-1]["ticket"]


@pytest.mark.parametrize("seat", [0, 5, "2", None, True])
def test_a_seat_where_nobody_plays_is_refused(table: DeskTable, seat: object) -> None:
    caller = table.call()
    caller.say(do="sit", seat=seat if seat is not True else 7)
    assert caller.until(lambda told: told["is"] == "refused")["code"] == "nobody"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"nonsense\n", "this is not JSON"),
        (b"[" * 3000 + b"\n", "this is not JSON"),
        (b"[1]\n", 'a line looks like {"do":"sit","seat":2}'),
        (b'{"do":"throw"}\n', "sit down first"),
        (b"\xff\xfe\n", "this is not JSON"),
    ],
)
def test_nonsense_is_answered(table: DeskTable, line: bytes, why: str) -> None:
    caller = table.call()
    caller.send(line)
    assert caller.until(lambda told: told["is"] == "refused")["why"].startswith(why)


def test_half_a_character_is_answered_as_it_came(table: DeskTable) -> None:
    visitor = sit(table, 2)
    visitor.until(lambda told: told.get("cup") == 6)
    visitor.say(do="put", die=1, on="\ud800", id="\udfff")
    refused = visitor.until(lambda told: told.get("id") == "\udfff")
    assert refused["why"].startswith("'\ud800' is not a place")


def test_whoever_is_still_getting_up_is_waited_for(table: DeskTable) -> None:
    table.until(lambda: table.phase is Phase.PLAY)
    table.pass_time(3_000_000_000)
    caller = table.call()
    caller.say(do="sit", seat=2)
    caller.say(do="throw", id=1)
    assert caller.until(lambda told: told.get("id") == 1)["why"].endswith("a moment")
    caller.until(lambda told: told.get("yours"))


def test_a_visitor_who_hangs_up_is_followed_by_the_person_of_the_seat(table: DeskTable) -> None:
    visitor = sit(table, 2)
    visitor.hang_up()
    for _ in range(5):
        table.desk.look()
    assert not table.crowd.at(2).aside
    assert sit(table, 2).heard


def test_a_visitor_who_leaves_is_told_so(table: DeskTable) -> None:
    visitor = sit(table, 2)
    visitor.say(do="leave")
    assert visitor.until(lambda told: told["is"] == "left")["code"] == "up"
    assert not table.crowd.at(2).aside


def test_a_visitor_who_was_cut_off_comes_back_with_the_ticket(tmp_path: Path) -> None:
    table = DeskTable(tmp_path / "hands.sock", grace_s=3600.0)
    visitor = sit(table, 2)
    ticket = visitor.heard[-1]["ticket"]
    visitor.hang_up()
    for _ in range(5):
        table.desk.look()
        table.pass_time()
    assert table.crowd.at(2).aside
    again = sit(table, 2, ticket=ticket)
    assert again.heard[-1]["ticket"] == ticket
    other = sit(table, 2, ticket=ticket)
    assert again.until(lambda told: told["is"] == "left")["code"] == "elsewhere"
    assert other.heard[-1]["yours"]
    table.close()


def test_a_visitor_who_does_nothing_for_long_loses_the_seat(tmp_path: Path) -> None:
    table = DeskTable(tmp_path / "hands.sock", idle_s=0.0)
    caller = table.call()
    caller.say(do="sit", seat=2)
    assert caller.until(lambda told: told["is"] == "left")["code"] == "idle"
    assert not table.crowd.at(2).aside
    table.close()
