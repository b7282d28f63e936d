"""The feed of a table that runs: who comes, who comes back, who does not read, and what all of them hear."""

from __future__ import annotations

import json
import random
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_host.feed import teller
from firmware_host.feed.addresses import FEED_SOCKET, TELL_SOCKET
from firmware_host.model.states import Condition, Phase
from firmware_host.model.times import MS, S
from firmware_host.run import line_server, table_sockets
from tests.feed.telling import Listener, Message, read
from tests.run.evenings import R1, Evening, end_match, evening


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Evening]:
    with evening(tmp_path) as each:
        each.sockets_in = tmp_path
        yield each


class Reader:
    """Somebody who reads the feed while the table runs."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.known = Listener()
        self.session = ""
        self._rest = b""

    def read(self) -> list[Message]:
        """All that has come by now."""
        received = self._rest
        while True:
            try:
                part = self.connection.recv(1 << 20, socket.MSG_DONTWAIT)
            except (BlockingIOError, ConnectionResetError):
                break
            if not part:
                break
            received += part
        *lines, self._rest = received.split(b"\n")
        messages = []
        for line in lines:
            told = read(line + b"\n")
            if told["is"] in ("snapshot", "step"):
                if told["session"] != self.session:
                    self.session, self.known.n = told["session"], 0
                    assert told["is"] == "snapshot"
                self.known.hear(line + b"\n")
            messages.append(told)
        return messages

    def kinds(self) -> list[str]:
        return [each["is"] for each in self.read()]


def look(table: Evening) -> None:
    """Let the table take care of who has come or said something: it does so once a step."""
    for _ in range(3):
        table.wait(10 * MS)


@contextmanager
def reader(table: Evening, first_line: bytes = b"{}\n") -> Iterator[Reader]:
    """Somebody who has come by now."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(table.file.parent / FEED_SOCKET))
        if first_line:
            connection.sendall(first_line)
        look(table)
        yield Reader(connection)


def test_who_comes_hears_how_all_stands(table: Evening) -> None:
    table.start()
    table.play(1, 2)
    with reader(table) as somebody:
        hello, snapshot = somebody.read()
    assert (hello["is"], hello["feed"]) == ("hello", teller.VERSION)
    assert snapshot["state"]["phase"] == "play" and snapshot["n"] == table.host.recorded.journal.effects
    assert snapshot["session"] == str(table.host.recorded.journal.id)


def test_anybody_may_read(table: Evening, tmp_path: Path) -> None:
    table.start()
    assert stat.S_IMODE((tmp_path / FEED_SOCKET).stat().st_mode) == 0o666


def test_who_listens_hears_each_step_and_each_press(table: Evening) -> None:
    table.start()
    with reader(table) as somebody:
        table.play(1, 2)
        table.place(2, R1)
        messages = somebody.read()
    felt = [(each["seat"], each["call"]) for each in messages if each["is"] == "felt"]
    assert felt[-1] == (2, False)
    judged = [
        (effect["seat"], effect["verdict"])
        for each in messages
        for effect in each.get("effects", [])
        if effect["is"] == "Judged"
    ]
    assert judged == [(2, "accepted")]
    assert somebody.known.state["board"] == {"red 1": {"state": "counted", "seat": 2}}
    assert somebody.known.n == table.host.recorded.journal.effects


def test_a_socket_closed_for_writing_asks_for_nothing_in_particular(table: Evening) -> None:
    """As `socat` does it with nothing on its standard input."""
    table.start()
    with reader(table, b"") as somebody:
        assert somebody.kinds() == ["hello"]
        somebody.connection.shutdown(socket.SHUT_WR)
        look(table)
        assert somebody.kinds() == ["snapshot"]


def test_who_comes_back_hears_what_is_missing(table: Evening) -> None:
    table.start()
    with reader(table) as stays, reader(table) as goes:
        table.play(1, 2)
        goes.read()
        goes.connection.close()
        table.place(2, R1)
        stays.read()
        since = json.dumps({"since": [goes.session, goes.known.n]}).encode() + b"\n"
        with reader(table, since) as again:
            again.known, again.session = goes.known, goes.session
            kinds = again.kinds()
    assert kinds[0] == "hello" and set(kinds[1:]) == {"step"}
    assert again.known == stays.known


@pytest.mark.parametrize("since", [["12345", 3], ["", 0], ["12345", -1]])
def test_who_knows_another_session_hears_all(table: Evening, since: list[object]) -> None:
    table.start()
    with reader(table, json.dumps({"since": since}).encode() + b"\n") as somebody:
        assert somebody.kinds() == ["hello", "snapshot"]


def test_another_session_begins_with_a_snapshot(table: Evening) -> None:
    table.start()
    with reader(table) as somebody:
        table.play(1, 2)
        somebody.read()
        first = somebody.session
        end_match(table)
        table.wait(1 * S)
        assert "snapshot" in somebody.kinds() and somebody.session != first
        assert "match" not in somebody.known.state


def test_a_match_that_is_resumed_still_has_the_owners_of_its_dice(table: Evening) -> None:
    table.start()
    table.play(1, 2)
    table.place(2, R1)
    table.restart()
    table.until_phase(Phase.PLAY)
    with reader(table) as somebody:
        somebody.read()
        assert somebody.known.state["board"] == {"red 1": {"state": "counted", "seat": 2}}


def test_service_mode_is_told(table: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_sockets, "LOOK_AGAIN_S", 0.0)
    table.start()
    with reader(table) as somebody:
        table.open_door()
        somebody.read()
        assert somebody.known.state["phase"] == "service" and somebody.known.state["commands"] == []


def test_a_table_says_that_it_is_alive(table: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_sockets, "ALIVE_S", 0.0)
    table.start()
    with reader(table) as somebody:
        somebody.read()
        table.wait(1 * S)
        assert "alive" in somebody.kinds()


@pytest.mark.parametrize(
    "line",
    [
        b"7",
        b"[]",
        b"{",
        b'{"since":3}',
        b'{"since":[]}',
        b'{"since":["7"]}',
        b'{"since":["7",Infinity]}',
        b'{"since":["7",1e999]}',
        b"\xff",
    ],
)
def test_who_asks_for_nonsense_is_told_how_it_is_done(table: Evening, line: bytes) -> None:
    table.start()
    with reader(table, line + b"\n") as somebody:
        _, dropped = somebody.read()
        look(table)
        assert dropped == {"is": "dropped", "why": 'the first line is {} or {"since": ["SESSION", NUMBER]}'}
        assert somebody.connection.recv(1) == b""


def test_only_the_first_line_counts(table: Evening) -> None:
    table.start()
    with reader(table, b"{}\n{}\nnonsense\n") as somebody:
        assert somebody.kinds() == ["hello", "snapshot"]


def test_who_does_not_read_is_dropped_and_the_others_hear_all(
    table: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_server, "MOST_WAITING", 20_000)
    monkeypatch.setattr(line_server, "PATIENCE_S", 1000.0)
    table.start()
    with reader(table) as lazy, reader(table) as quick:
        feed = table.host._sockets.feed
        assert feed is not None
        first, _ = feed.server.peers.values()
        first.connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        phases = set()
        while not first.leaving:
            table.play(1, 2)
            quick.read()
            phases.add(quick.known.state["phase"])
            end_match(table)
            quick.read()
            table.wait(1 * S)
            quick.read()
            assert table.host.now_ns < 10_000 * S
        assert phases == {"play"}
        messages: list[Message] = []
        for _ in range(50):
            messages += lazy.read()
            table.wait(10 * MS)
        assert messages[-1] == {"is": "dropped", "why": "you read too slowly; connect again"}
        table.play(1, 2)
        quick.read()
        assert quick.known.state["phase"] == "play"


def test_nothing_is_made_while_nobody_listens(table: Evening) -> None:
    table.start()
    with reader(table):
        pass
    table.wait(1 * S)
    feed = table.host._sockets.feed
    assert feed is not None and feed._teller is not None
    table.play(1, 2)
    assert feed._teller.backlog.first is None and not feed._teller.backlog._kept


def test_readers_that_say_anything_at_all_stop_no_match(table: Evening) -> None:
    """Fuzzed: the match goes on as if nobody had come."""
    chance = random.Random(5)
    table.start()
    with reader(table) as well_behaved:
        table.sit_down(1, 2)
        for _ in range(150):
            with socket.socket(socket.AF_UNIX) as rude:
                rude.connect(str(table.file.parent / FEED_SOCKET))
                text = chance.randbytes(chance.choice([0, 1, 10, 5000]))
                if chance.random() < 0.5:
                    text = chance.choice([b"{}\n", b'{"since":["1",2]}\n', b"[[[[", b"\n\n\n"]) + text
                rude.send(text, socket.MSG_DONTWAIT)
                table.wait(chance.choice([0, 1, 30]) * MS)
        table.until_phase(Phase.PLAY)
        table.wait(1 * S)
        table.place(1, R1)
        well_behaved.read()
        assert well_behaved.known.state["board"] == {"red 1": {"state": "counted", "seat": 1}}
        assert well_behaved.known.n == table.host.recorded.journal.effects


def test_a_table_whose_feed_can_not_be_had_plays_without_and_says_so_until_it_can(
    table: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_server, "AGAIN_S", 0.0)
    (tmp_path / FEED_SOCKET).mkdir()
    table.start()
    table.play(1, 2)
    assert table.phase is Phase.PLAY
    fault = table.host.devices[FEED_SOCKET]
    assert fault.condition is Condition.LOST
    assert fault.seen == f"{tmp_path / FEED_SOCKET}: nothing can listen there: Address already in use"
    (tmp_path / FEED_SOCKET).rmdir()
    look(table)
    assert FEED_SOCKET not in table.host.devices
    with reader(table) as somebody:
        assert somebody.kinds() == ["hello", "snapshot"]


def test_both_sockets_come_back_when_their_files_are_removed(
    table: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_server, "AGAIN_S", 0.0)
    table.start()
    with reader(table) as before:
        for name in (FEED_SOCKET, TELL_SOCKET):
            (tmp_path / name).unlink()
        look(table)
        assert (tmp_path / TELL_SOCKET).is_socket()
        with reader(table) as after:
            table.play(1, 2)
            assert before.known.n == after.known.n == 0
            assert before.read() and after.read()
            assert before.known.n == after.known.n == table.host.recorded.journal.effects
