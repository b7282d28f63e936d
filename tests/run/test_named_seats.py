"""Names at the table: who gets which result, when a name leaves its seat, and what nobody is told."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.addresses import TELL_SOCKET
from firmware_host.feed.feed_client import tell_table
from firmware_host.model.errors import TableError
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from firmware_host.run import roster, table_sockets
from firmware_host.run.operator_commands import obey
from firmware_host.run.table_sockets import CommandInlet
from firmware_host.store.open_file import OpenFile
from firmware_host.store.results import MatchRow
from firmware_host.store.store_reader import reading
from tests.run.evenings import R1, Evening, end_match, evening, play_to_the_end
from tests.store.shelves import execute, settled, wait_for

PATIENCE_S = 60.0


def tell(table: Evening, text: str) -> dict[str, Any]:
    return obey(table.host, text).record


def names(table: Evening) -> dict[int, str]:
    return table.host.roster.names


def who_sat(table: Evening) -> list[dict[int, str]]:
    """The names in each match, by seat."""
    with table.book() as book:
        players, sat = book.players(), book.sittings()
        return [_names_in(match, players, sat) for match in book.matches()]


def _names_in(match: MatchRow, players: dict[int, str], sat: list[Any]) -> dict[int, str]:
    key = match.session, match.number
    return {each.seat: players[each.player] for each in sat if (each.session, each.match) == key}


def play_on(table: Evening) -> None:
    """Seat 1 wins the next match of one round."""
    table.until_phase(Phase.ATTRACT)
    table.play()
    table.place(1, R1)
    table.until_phase(Phase.CLEAR)
    table.room.empty(R1)
    table.until_phase(Phase.RESULT)


def start(table: Evening) -> None:
    table.start(replace(table.config, rounds=1, handicap=(23, 11)))


# -- who gets which result


def test_a_result_has_the_names_of_those_who_sat_there(table: Evening) -> None:
    start(table)
    assert tell(table, "name 1 Anna") == {"seats": {1: {"player": 1, "name": "Anna"}}}
    tell(table, "name 2 Ben")
    play_on(table)
    assert who_sat(table) == [{1: "Anna", 2: "Ben"}]
    with table.book() as book:
        assert [match.winners for match in book.matches()] == [(1,)]


def test_a_name_that_is_given_late_counts_for_the_whole_match(table: Evening) -> None:
    play_to_the_end(table)
    assert who_sat(table) == [{}]
    tell(table, "name 1 Anna")
    assert who_sat(table) == [{1: "Anna"}]
    tell(table, "name 1")
    assert who_sat(table) == [{}]


def test_what_is_said_after_a_match_is_for_the_next_one(table: Evening) -> None:
    start(table)
    tell(table, "name 1 Anna")
    play_on(table)
    table.until_phase(Phase.ATTRACT)
    tell(table, "name 1 Cleo")
    play_on(table)
    assert who_sat(table) == [{1: "Anna"}, {1: "Cleo"}]


def test_it_is_for_the_next_one_even_while_a_button_that_is_held_keeps_the_session(table: Evening) -> None:
    start(table)
    tell(table, "name 1 Anna")
    play_on(table)
    session = table.host.recorded
    table.room.press(3)
    table.until_phase(Phase.ATTRACT)
    tell(table, "name 1 Cleo")
    assert table.host.recorded is session
    assert who_sat(table) == [{1: "Anna"}]


def test_what_is_acknowledged_is_written(table: Evening) -> None:
    table.start()
    for seat, name in enumerate(("Anna", "Ben", "Cleo", "Dora"), start=1):
        tell(table, f"name {seat} {name}")
        with reading(str(table.file)) as book:
            assert book.players()[seat] == name and book.named_seats()[seat] == seat


def test_the_referee_and_its_journal_know_no_name(table: Evening) -> None:
    start(table)
    tell(table, "name 1 Wilhelmina")
    play_on(table)
    table.stop()
    with reading(str(table.file)) as book:
        log = [text for _, _, text in book.log()]
    assert "Wilhelmina" not in str(log)
    data = table.file.read_bytes()
    assert data.count(b"Wilhelmina") == 1  # in the table of players


# -- when a name leaves its seat


def test_people_who_play_on_keep_their_names(table: Evening) -> None:
    start(table)
    tell(table, "name 1 Anna")
    tell(table, "name 2 Ben")
    play_on(table)
    play_on(table)
    assert who_sat(table) == [{1: "Anna", 2: "Ben"}] * 2


def test_a_name_leaves_with_a_match_that_its_seat_does_not_play(table: Evening) -> None:
    start(table)
    tell(table, "name 1 Anna")
    tell(table, "name 4 Dora")
    play_on(table)
    assert names(table) == {1: "Anna"} and who_sat(table) == [{1: "Anna"}]


def test_a_match_that_is_given_up_moves_nobody(table: Evening) -> None:
    table.start()
    tell(table, "name 1 Anna")
    table.play()
    end_match(table)
    assert names(table) == {1: "Anna"}


@pytest.fixture
def gone_ns(monkeypatch: pytest.MonkeyPatch) -> int:
    """After so long without a match everybody has left, here."""
    assert roster.GONE_NS == 600 * S
    monkeypatch.setattr(roster, "GONE_NS", 30 * S)
    return 30 * S


def test_after_ten_minutes_without_a_match_everybody_has_left(table: Evening, gone_ns: int) -> None:
    table.start()
    tell(table, "name 1 Anna")
    table.wait(gone_ns - 5 * S)
    assert names(table) == {1: "Anna"}
    table.wait(10 * S)
    assert names(table) == {}
    with table.book() as book:
        assert book.named_seats() == {} and book.players() == {1: "Anna"}


def test_whoever_is_named_meanwhile_begins_the_ten_minutes_again(table: Evening, gone_ns: int) -> None:
    table.start()
    tell(table, "name 1 Anna")
    table.wait(gone_ns - 5 * S)
    tell(table, "name 2 Ben")
    table.wait(10 * S)
    assert names(table) == {1: "Anna", 2: "Ben"}


def test_a_long_match_moves_nobody(table: Evening, gone_ns: int) -> None:
    table.start(replace(table.config, settings=replace(table.config.settings, idle_ns=60 * gone_ns)))
    tell(table, "name 1 Anna")
    table.play()
    table.wait(gone_ns + 10 * S)
    assert table.phase is Phase.PLAY and names(table) == {1: "Anna"}


def test_all_leave_at_a_word(table: Evening) -> None:
    table.start()
    tell(table, "name 1 Anna")
    tell(table, "name 2 Ben")
    assert tell(table, "guests") == {"seats": {}}
    assert names(table) == {}


# -- after a crash


@pytest.mark.parametrize("off_ns", [0, 3600 * S])
def test_after_a_crash_the_names_of_the_match_are_still_there(table: Evening, off_ns: int) -> None:
    start(table)
    tell(table, "name 1 Anna")
    table.play()
    table.restart(off_ns)
    assert names(table) == {1: "Anna"}
    table.until_phase(Phase.PLAY)
    table.place(1, R1)
    table.until_phase(Phase.CLEAR)
    table.room.empty(R1)
    table.until_phase(Phase.RESULT)
    assert who_sat(table) == [{1: "Anna"}]
    tell(table, "name 2 Ben")
    assert who_sat(table) == [{1: "Anna", 2: "Ben"}]


def test_a_crash_between_a_start_and_its_names_costs_nothing(table: Evening) -> None:
    start(table)
    tell(table, "name 1 Anna")
    table.play()
    table.stop()
    with table.book() as book:
        assert book.sittings()
    execute(table.file, "DELETE FROM sat")  # as if they had not been written any more
    table.start()
    assert who_sat(table) == [{1: "Anna"}]


def test_a_store_that_is_replaced_while_people_play_gets_the_names_again(table: Evening) -> None:
    start(table)
    tell(table, "name 1 Anna")
    tell(table, "name 3 Cleo")
    tell(table, "player 2 name Cleopatra")
    table.restart()  # so that the names are of an earlier session
    table.play()
    table.written()
    table.file.unlink()
    wait_for(lambda: table.file.exists())
    settled(table.memory.writer)
    assert who_sat(table) == [{1: "Anna"}]
    with table.book() as book:
        assert book.players() == {1: "Anna", 2: "Cleopatra"} and book.named_seats() == {1: 1}
        assert book.next_player == 3


# -- what can't be


REFUSALS = [
    ("name", "name looks like 'name 3 Anna', or 'name 3' for a guest"),
    ("name 5 Ben", "there is no seat '5'; seats are 1 to 4"),
    ("name 0", "there is no seat '0'"),
    ("name one Ben", "there is no seat 'one'"),
    ("name 2 anna", "Anna sits at seat 1: somebody else needs another name"),
    ("name 2 42", "a name is more than a number"),
    ("name 2 " + "x" * 21, "a name has up to 20 letters"),
    ("guests 1", "guests looks like"),
    ("names 1", "names looks like"),
    ("player 1", "player looks like 'player 7 name Anna'"),
    ("player 1 name", "player looks like"),
    ("player x delete", "player looks like"),
    ("player 1 delete now", "player looks like"),
    ("player 9 delete", "there is no player 9"),
    ("player 9 name Eva", "there is no player 9"),
    ("player 9 merge 1", "there is no player 9"),
    ("player 1 merge 9", "there is no player 9"),
    ("player 1 merge 1", "these are not two players"),
    ("player 1 merge 2", "they sit at seats 1 and 3, so they are two people"),
    ("player 2 name ANNA", "ANNA is player 1; if both are the same, merge them"),
    ("correct 1", "correct looks like"),
    ("correct 1 13 Anna", "there is no seat '13'; seats are 1 to 12"),
    ("correct 1 2 Zoe", "there is no match 1; ligretto-table export --what matches lists them"),
    ("correct 1 2", "there is no match 1; ligretto-table export --what matches lists them"),
]


def test_what_can_not_be_is_said_and_changes_nothing(table: Evening) -> None:
    table.start()
    tell(table, "name 1 Anna")
    tell(table, "name 3 Cleo")
    for text, why in REFUSALS:
        with pytest.raises(TableError, match=why.replace("(", r"\(")):
            tell(table, text)
        assert tell(table, "names") == {
            "seats": {1: {"player": 1, "name": "Anna"}, 3: {"player": 2, "name": "Cleo"}}
        }, text
    with table.book() as book:
        assert book.players() == {1: "Anna", 2: "Cleo"} and book.named_seats() == {1: 1, 3: 2}
    assert tell(table, "name 3 Dora")["seats"][3]["player"] == 3


# -- afterwards


def test_a_player_is_renamed_in_all_results(table: Evening) -> None:
    play_to_the_end(table)
    tell(table, "name 1 Ana")
    tell(table, "player 1 name Anna")
    tell(table, "player 1 name ANNA")
    assert who_sat(table) == [{1: "ANNA"}] and names(table) == {1: "ANNA"}


def test_two_who_are_one_are_merged_and_the_seat_stays(table: Evening) -> None:
    start(table)
    tell(table, "name 1 Ana")
    play_on(table)
    table.until_phase(Phase.ATTRACT)
    tell(table, "name 1 Anna")
    play_on(table)
    tell(table, "player 2 merge 1")
    assert who_sat(table) == [{1: "Ana"}] * 2 and names(table) == {1: "Ana"}


def test_a_player_who_is_deleted_was_a_guest_and_the_result_stays(table: Evening) -> None:
    start(table)
    tell(table, "name 1 Wilhelmina")
    tell(table, "name 2 Ben")
    play_on(table)
    tell(table, "player 1 delete")
    assert names(table) == {2: "Ben"} and who_sat(table) == [{2: "Ben"}]
    with table.book() as book:
        assert [match.winners for match in book.matches()] == [(1,)] and book.players() == {2: "Ben"}
    wait_for(lambda: not any(b"Wilhelmina" in each.read_bytes() for each in table.file.parent.iterdir()))


def test_a_result_is_corrected_later(table: Evening) -> None:
    play_to_the_end(table)
    tell(table, "name 1 Anna")
    table.until_phase(Phase.ATTRACT)
    tell(table, "correct 1 2 Anna")
    tell(table, "correct 1 1 Zoe")
    assert who_sat(table) == [{1: "Zoe", 2: "Anna"}] and names(table) == {1: "Anna"}
    tell(table, "correct 1 2")
    assert who_sat(table) == [{1: "Zoe"}]


def test_who_can_not_have_sat_there_is_not_introduced(table: Evening) -> None:
    play_to_the_end(table)
    tell(table, "name 1 Anna")
    tell(table, "name 2 Ben")
    table.until_phase(Phase.ATTRACT)
    with pytest.raises(TableError, match="nobody sat at seat 3 in match 1; seats that played: 1, 2"):
        tell(table, "correct 1 3 Zoe")
    tell(table, "guests")
    with pytest.raises(TableError, match="they have played against each other in match 1"):
        tell(table, "player 1 merge 2")
    table.play()
    with pytest.raises(TableError, match="match 2 is not over: ligretto-table tell name 1"):
        tell(table, "correct 2 1 Zoe")
    assert who_sat(table)[0] == {1: "Anna", 2: "Ben"}
    with table.book() as book:
        assert book.players() == {1: "Anna", 2: "Ben"}


def test_nothing_is_corrected_while_the_store_can_not_be_asked(table: Evening) -> None:
    play_to_the_end(table)
    table.until_phase(Phase.ATTRACT)
    table.memory.writer.ask = lambda *_: None  # type: ignore[method-assign]
    with pytest.raises(TableError, match="the store does not answer now; try again"):
        tell(table, "correct 1 1 Zoe")
    assert not table.host.roster.players


# -- when it is answered


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Evening]:
    """A table that can be told something over its socket, at which nobody has looked at the files since."""
    with evening(tmp_path) as table:
        table.sockets_in = tmp_path
        table.start()
        yield table


def ask(table: Evening, text: str, meanwhile: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """What the table answers; it goes on until then."""
    assert table.sockets_in is not None
    with ThreadPoolExecutor() as pool:
        asking = pool.submit(tell_table, table.sockets_in / TELL_SOCKET, text)
        while not asking.done():
            table.wait(10 * MS)
            meanwhile()
        return asking.result()


def files_with(table: Evening, name: bytes) -> list[str]:
    return [each.name for each in table.file.parent.iterdir() if each.is_file() and name in each.read_bytes()]


def test_when_it_is_answered_the_name_is_gone_from_the_disk(asked: Evening) -> None:
    assert ask(asked, "name 1 Wilhelmina")["ok"] is True
    assert files_with(asked, b"Wilhelmina") == [asked.file.name]
    assert ask(asked, "player 1 delete")["ok"] is True
    assert files_with(asked, b"Wilhelmina") == []
    assert ask(asked, "name 1 Wilhelmina")["ok"] is True
    assert ask(asked, "player 2 name Anna")["ok"] is True
    assert files_with(asked, b"Wilhelmina") == [] and names(asked) == {1: "Anna"}


def test_a_slip_of_the_pen_that_is_corrected_at_once_is_gone_too(asked: Evening) -> None:
    assert ask(asked, "name 1 Wilhemlina")["ok"] is True
    assert ask(asked, "name 1 Wilhelmina")["seats"] == {"1": {"player": 2, "name": "Wilhelmina"}}
    assert files_with(asked, b"Wilhemlina") == [] and asked.host.roster.players == {2: "Wilhelmina"}
    asked.play()
    assert ask(asked, "name 1 Anna")["ok"] is True
    assert files_with(asked, b"Wilhelmina") == [] and asked.host.roster.changes == 2
    end_match(asked)
    asked.until_phase(Phase.ATTRACT)
    assert ask(asked, "name 1 Ben")["ok"] is True
    assert set(asked.host.roster.players.values()) == {"Anna", "Ben"}, "who has played stays"


def test_an_answer_waits_until_the_disk_has_taken_it(asked: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    merge, free, others = OpenFile._merge, threading.Event(), list[dict[str, Any]]()

    def slow(file: OpenFile, connection: Any) -> None:
        assert free.wait(PATIENCE_S)
        merge(file, connection)

    monkeypatch.setattr(OpenFile, "_merge", slow)

    def meanwhile() -> None:
        desk = asked.host._sockets.commands
        if desk is not None and desk.owes and not others:
            others.append({})
            others.append(ask(asked, "names"))  # somebody else is answered at once
            free.set()

    assert ask(asked, "name 1 Anna", meanwhile)["ok"] is True
    assert len(others) == 2 and others[1]["ok"] is True, "it was answered before the disk had it"


def test_a_disk_that_does_not_take_it_is_told(asked: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_sockets, "SAFE_S", 0.05)
    monkeypatch.setattr(asked.host.roster, "secure", lambda: lambda: False)
    assert ask(asked, "name 1 Anna") == {
        "ok": False,
        "why": table_sockets.NOT_SAFE,
        "seats": {"1": {"player": 1, "name": "Anna"}},
    }


def owes(table: Evening) -> bool:
    """Whether somebody waits for an answer a little later."""
    table.wait(10 * MS)
    desk = table.host._sockets.commands
    return desk is not None and desk.owes


def test_at_the_end_of_the_table_it_is_told_to_whoever_waits(
    asked: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asked.host.roster, "secure", lambda: lambda: False)
    assert asked.sockets_in is not None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
        peer.connect(str(asked.sockets_in / TELL_SOCKET))
        peer.sendall(b'{"tell":"name 1 Anna"}\n')
        desk = asked.host._sockets.commands
        assert desk is not None
        wait_for(lambda: owes(asked))
        desk.close()
        assert json.loads(peer.recv(4096))["why"] == table_sockets.NOT_SAFE


def test_who_asks_for_too_much_before_it_is_safe_is_refused(
    asked: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    safe: list[bool] = []
    monkeypatch.setattr(asked.host.roster, "secure", lambda: lambda: bool(safe))
    assert asked.sockets_in is not None
    desk = asked.host._sockets.commands
    assert desk is not None
    with ExitStack() as all_:
        peer, gone = (all_.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2))
        for each in (peer, gone):
            each.settimeout(PATIENCE_S)
            each.connect(str(asked.sockets_in / TELL_SOCKET))
        for _ in range(2):
            peer.sendall(b'{"tell":"name 1 Anna"}\n' * 12)
            wait_for(lambda: owes(asked))
            asked.wait(50 * MS)
        gone.sendall(b'{"tell":"name 2 Ben"}\n')
        asked.wait(50 * MS)
        assert len(desk._owed) == 25
        gone.close()
        asked.wait(50 * MS)
        assert len(desk._owed) == 24, "nobody waits for that one any more"
        safe.append(True)
        asked.wait(50 * MS)
        told = [json.loads(line).get("why", "") for line in peer.makefile("rb").read1(65536).splitlines()]
    assert told == [""] * table_sockets.MOST_OWED + ["too much at once"] * 8


def test_who_stops_talking_is_answered_and_in_order(asked: Evening) -> None:
    assert asked.sockets_in is not None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
        peer.connect(str(asked.sockets_in / TELL_SOCKET))
        peer.sendall(b'{"tell":"name 1 Anna","id":1}\n{"tell":"names","id":2}\n')
        peer.shutdown(socket.SHUT_WR)
        peer.setblocking(False)
        said: list[bytes] = []

        def over() -> bool:
            asked.wait(10 * MS)
            with suppress(BlockingIOError):
                said.append(peer.recv(4096))
            return bool(said) and not said[-1]

        wait_for(over)
    assert [json.loads(line)["id"] for line in b"".join(said).splitlines()] == [1, 2]


# -- what nobody is told


def test_names_are_hidden_at_once_if_the_operator_says_so(table: Evening) -> None:
    host = table.start()
    tell(table, "name 1 Anna")
    table.play()
    assert dict(host._surroundings().names or {}) == {1: "Anna"}
    assert tell(table, "set player-names off") == {"takes_effect": "now"}
    around = host._surroundings()
    assert not around.names and around.names_hidden
    assert tell(table, "names")["seats"] == {1: {"player": 1, "name": "Anna"}}
    tell(table, "set player-names on")
    assert not host._surroundings().names_hidden


@pytest.mark.parametrize("text", ["player 1 name Eva", "player 1 merge 2", "player 1 delete"])
def test_the_feed_says_that_a_player_has_changed(table: Evening, text: str) -> None:
    host = table.start()
    for each in ("name 1 Anna", "name 2 Ben", "guests"):
        tell(table, each)
    assert host._surroundings().players_changed == 0
    tell(table, text)
    assert host._surroundings().players_changed == 1


def test_a_table_toml_can_hide_them_too(table: Evening) -> None:
    host = table.start(replace(table.config, player_names=False))
    tell(table, "name 1 Anna")
    assert not host._surroundings().names


def test_a_choice_that_makes_no_sense_is_refused(table: Evening) -> None:
    table.start()
    for value in ("", "maybe"):
        with pytest.raises(TableError, match="allowed: on or off"):
            tell(table, f"set player-names {value}")


def test_no_name_is_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with evening(tmp_path) as table, caplog.at_level(logging.DEBUG):
        play_to_the_end(table)
        table.until_phase(Phase.ATTRACT)
        desk = CommandInlet(tmp_path)
        desk.obey = lambda text: obey(table.host, text)
        said = ["name 1 Wilhelmina", "name 1", "player 1 name Wilhelmine", "correct 1 2 Wilma", "names"]
        answers: list[dict[str, Any]] = []

        def ask() -> None:
            answers.extend(tell_table(tmp_path / TELL_SOCKET, text) for text in said)

        asking = threading.Thread(target=ask)
        asking.start()
        while asking.is_alive():
            desk.look()
        asking.join()
        desk.close()
        assert [answer["ok"] for answer in answers] == [True] * len(said)
        log = table.log()
    told = [record.getMessage() for record in caplog.records if record.getMessage().startswith("told")]
    assert told == [
        "told: name 1 …", "told: name 1", "told: player 1 name …", "told: correct 1 2 …", "told: names"
    ]  # fmt: skip
    assert "Wil" not in caplog.text and "Wil" not in str(log)


# -- what was in the store before


def test_a_seat_of_somebody_unknown_is_a_guests(table: Evening) -> None:
    table.start()
    tell(table, "name 1 Anna")
    table.stop()
    execute(table.file, "DELETE FROM players")
    table.start()
    assert names(table) == {}
    tell(table, "name 1 Ben")
    with table.book() as book:
        assert book.players() == {2: "Ben"}
