"""What the user of the web process can open: the feed, and commands only as a member of the table's group."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.addresses import FAULTS_SOCKET, FEED_SOCKET, HANDS_SOCKET, TELL_SOCKET
from firmware_host.feed.feed_client import NotTold, tell_table
from firmware_host.run.line_server import LineServer
from tests.another_user import let_others_into, needs_root
from tests.web.live_tables import LiveTable

TABLE, WEB = 61_001, 61_002
"""Users and groups that this machine has not."""
PRIVATE = 0o600

pytestmark = needs_root


def as_user(number: int, groups: list[int], what: Callable[[], object]) -> Any:
    """What comes of it if that user does it, in a group of its own and in these. For JSON."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups(groups)
            os.setgid(number)
            os.setuid(number)
            os.write(writing, json.dumps(what()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as answer:
        said = answer.read()
    os.waitpid(child, 0)
    return json.loads(said)


@pytest.fixture
def sockets(table: LiveTable) -> Iterator[Path]:
    """The sockets as the daemon's user has them, and those of a simulated world."""
    private = [
        LineServer(table.folder / name, PRIVATE, lambda peer, line: None)
        for name in (HANDS_SOCKET, FAULTS_SOCKET)
    ]
    let_others_into(table.folder)
    for name in (FEED_SOCKET, TELL_SOCKET, HANDS_SOCKET, FAULTS_SOCKET):
        os.chown(table.folder / name, TABLE, TABLE)
    yield table.folder
    for each in private:
        each.close()


def opened(folder: Path) -> dict[str, bool]:
    """Which of the sockets can be opened."""
    able = {}
    for name in (FEED_SOCKET, TELL_SOCKET, HANDS_SOCKET, FAULTS_SOCKET):
        with socket.socket(socket.AF_UNIX) as trying:
            try:
                trying.connect(str(folder / name))
                able[name] = True
            except PermissionError:
                able[name] = False
    return able


def test_a_member_of_the_group_may_watch_and_tell_but_has_no_hands(sockets: Path) -> None:
    able = as_user(WEB, [TABLE], lambda: opened(sockets))
    assert able == {FEED_SOCKET: True, TELL_SOCKET: True, HANDS_SOCKET: False, FAULTS_SOCKET: False}


def test_who_is_not_in_the_group_may_only_watch(sockets: Path) -> None:
    able = as_user(WEB, [], lambda: opened(sockets))
    assert able == {FEED_SOCKET: True, TELL_SOCKET: False, HANDS_SOCKET: False, FAULTS_SOCKET: False}

    def told() -> str:
        try:
            return str(tell_table(sockets / TELL_SOCKET, "pause"))
        except NotTold as error:
            return str(error)

    assert "join its group" in as_user(WEB, [], told)


def test_it_can_put_no_socket_of_its_own_in_their_place(sockets: Path) -> None:
    def tried() -> list[str]:
        done = []
        for name in (FEED_SOCKET, TELL_SOCKET):
            with suppress(PermissionError):
                (sockets / name).unlink()
                done.append(f"removed {name}")
        with suppress(PermissionError):
            (sockets / "other.sock").touch()
            done.append("made another one")
        return done

    assert as_user(WEB, [TABLE], tried) == []
    assert as_user(WEB, [TABLE], lambda: opened(sockets))[TELL_SOCKET]
